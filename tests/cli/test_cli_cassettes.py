"""`jweval cassettes`: what is recorded, and whether it is whole."""

from pathlib import Path

import pytest

from pytest_jweval.llms.cassette import Cassettes


@pytest.fixture
def recorded(project, covered) -> Path:
    root = Path(project(covered))
    cassettes = Cassettes(root / "cassettes")
    for model in ("a", "b"):
        request = {"provider": "house", "model": model}
        cassettes.recorded_call("judge", request, lambda: {"text": "yes"})
    return root


def test_nothing_recorded_is_said(jweval, project, covered):
    ran = jweval("cassettes", "list", cwd=project(covered))
    assert ran.returncode == 0
    assert ran.stdout.startswith("nothing is recorded in ")


def test_each_call_has_a_line(jweval, recorded):
    ran = jweval("cassettes", "list", cwd=recorded)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[0].split() == ["call", "kind", "model", "recorded"]
    assert {" ".join(line.split()[1:4]) for line in lines[1:3]} == {"judge house a", "judge house b"}
    assert lines[3].startswith("2 calls recorded in ")


def test_whole_recordings_are_green(jweval, recorded):
    ran = jweval("cassettes", "verify", cwd=recorded)
    assert (ran.returncode, ran.stdout) == (0, "2 calls recorded, each whole\n")


def test_a_damaged_recording_is_named(jweval, recorded):
    path = min((recorded / "cassettes").rglob("*.json"))
    path.write_text(path.read_text(encoding="utf-8").replace("yes", "no"), encoding="utf-8")
    ran = jweval("cassettes", "verify", cwd=recorded)
    assert ran.returncode == 1
    assert path.name in ran.stdout


def test_the_folder_is_the_one_that_ini_names(jweval, recorded):
    (recorded / "cassettes").rename(recorded / "tapes")
    (recorded / "pytest.ini").write_text("[pytest]\njweval_cassettes_dir = tapes\n", encoding="utf-8")
    assert "2 calls recorded in " in jweval("cassettes", "list", cwd=recorded).stdout
