"""`jweval snapshots`: what cases cite is fetched, kept, looked after."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from loopback import Loopback, page, reply

from pytest_jweval.web.snapshots import Snapshots

CONFTEST = "def pytest_jweval_agents(config):\n    return {'support': lambda question: 'yes'}\n"
INI = "[pytest]\njweval_private_hosts = 127.0.0.1\njweval_host_rate = 1000\n"


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


@pytest.fixture
def citing(project):
    """A project whose cases cite these URLs."""

    def make(*urls: str, **files: str) -> Path:
        cases = {
            f"golden/case_{number}.yaml": json.dumps(
                {
                    "id": f"case_{number}",
                    "agent": "support",
                    "layer": "l2",
                    "input": {},
                    "expected": {"expected_citations": [url]},
                }
            )
            for number, url in enumerate(urls)
        }
        return Path(project({"pytest.ini": INI, "conftest.py": CONFTEST, **cases, **files}))

    return make


def test_build_fetches_what_is_missing_and_says_how_much_is_there(citing, server, jweval):
    root = citing(server.at("/a", page("<p>A")), server.at("/b", page("<p>B")), server.url + "/a#part")
    ran = jweval("snapshots", "build", cwd=root)
    assert ran.returncode == 0, ran.stderr + ran.stdout
    assert "2 pages of 2 in " in ran.stdout
    assert sorted(server.targets) == ["/a", "/b"]
    assert len(list((root / "snapshots").glob("*.html"))) == 2
    again = jweval("snapshots", "build", cwd=root)
    assert "2 pages of 2 in " in again.stdout
    assert len(server.targets) == 2


def test_build_names_what_could_not_be_had_and_keeps_the_rest(citing, server, jweval):
    root = citing(server.at("/a", page("<p>A")), server.at("/b", reply(404)), server.at("/c", reply(403)))
    ran = jweval("snapshots", "build", cwd=root)
    assert ran.returncode == 1
    assert f"{server.url}/b is gone: answered HTTP 404" in ran.stdout
    assert f"{server.url}/c answered HTTP 403" in ran.stdout
    assert "1 page of 3 in " in ran.stdout


def test_refresh_into_another_folder_leaves_the_project_alone(citing, server, jweval, tmp_path):
    root = citing(server.at("/a", page("<p>the real page")))
    mine = Snapshots(root / "snapshots").path(f"{server.url}/a")
    mine.parent.mkdir()
    mine.write_text("<p>a stand-in", encoding="utf-8")
    ran = jweval("snapshots", "refresh", "--into", str(tmp_path / "real pages"), cwd=root)
    assert ran.returncode == 0, ran.stderr + ran.stdout
    assert "the real page" in (tmp_path / "real pages" / mine.name).read_text(encoding="utf-8")
    assert mine.read_text(encoding="utf-8") == "<p>a stand-in"


def test_refresh_with_a_relative_folder_counts_from_where_it_was_started(citing, server, jweval):
    root = citing(server.at("/a", page("<p>A")))
    assert jweval("snapshots", "refresh", "--into", "kept", cwd=root).returncode == 0
    assert len(list((root / "kept").glob("*.html"))) == 1


def test_check_finds_what_is_missing_edited_and_unused(citing, server, jweval):
    a, b = server.at("/a", page("<p>A")), server.at("/b", page("<p>B"))
    root = citing(a, b)
    missing = jweval("snapshots", "check", cwd=root)
    assert missing.returncode == 1
    assert "missing (jweval snapshots build fetches them):" in missing.stdout
    assert a in missing.stdout
    jweval("snapshots", "build", cwd=root)
    good = jweval("snapshots", "check", cwd=root)
    assert good.returncode == 0, good.stdout
    assert "2 pages cited, each with its snapshot" in good.stdout
    Snapshots(root / "snapshots").path(a).write_text("<p>edited", encoding="utf-8")
    (root / "golden/case_1.yaml").unlink()
    bad = jweval("snapshots", "check", cwd=root)
    assert bad.returncode == 1
    assert "is not what was fetched" in bad.stdout
    assert "cited by no case (jweval snapshots prune removes them):" in bad.stdout
    assert Snapshots("x").path(b).name in bad.stdout


def test_a_page_put_there_by_hand_is_as_good_as_any(citing, server, jweval):
    root = citing(f"{server.url}/a")
    path = Snapshots(root / "snapshots").path(f"{server.url}/a")
    path.parent.mkdir()
    path.write_text("<p>a stand-in", encoding="utf-8")
    ran = jweval("snapshots", "check", cwd=root)
    assert ran.returncode == 0, ran.stdout
    assert "put there by hand" in ran.stdout


def test_prune_removes_what_no_case_cites(citing, server, jweval):
    root = citing(server.at("/a", page("<p>A")), server.at("/b", page("<p>B")))
    jweval("snapshots", "build", cwd=root)
    (root / "golden/case_1.yaml").unlink()
    tried = jweval("snapshots", "prune", "--dry-run", cwd=root)
    assert "1 snapshot would be removed" in tried.stdout
    assert len(list((root / "snapshots").glob("*.html"))) == 2
    assert "1 snapshot removed" in jweval("snapshots", "prune", cwd=root).stdout
    assert [path.name for path in (root / "snapshots").glob("*.html")] == [
        Snapshots("x").path(f"{server.url}/a").name
    ]


def test_prune_removes_nothing_while_a_file_cannot_be_read(citing, server, jweval):
    root = citing(server.at("/a", page("<p>A")), server.at("/b", page("<p>B")))
    jweval("snapshots", "build", cwd=root)
    (root / "golden/case_1.yaml").write_text("id: case_1\nlayer: [", encoding="utf-8")
    ran = jweval("snapshots", "prune", cwd=root)
    assert ran.returncode == 2
    assert "nothing was removed" in ran.stderr
    assert len(list((root / "snapshots").glob("*.html"))) == 2


def test_without_l2_cases_there_is_nothing_to_fetch(covered, project, jweval):
    ran = jweval("snapshots", "build", cwd=project(covered))
    assert ran.returncode == 0
    assert "no case cites a page" in ran.stdout


def test_a_damaged_manifest_is_one_clear_line(citing, server, jweval):
    root = citing(server.at("/a", page("<p>A")), **{"snapshots/manifest.json": "{"})
    ran = jweval("snapshots", "build", cwd=root)
    assert ran.returncode == 1
    assert "manifest.json is damaged" in ran.stdout
    assert "Traceback" not in ran.stderr
    checked = jweval("snapshots", "check", cwd=root)
    assert checked.returncode == 1
    assert "manifest.json is damaged" in checked.stdout


def test_a_project_that_cannot_be_collected_is_said(project, jweval):
    root = project({"pytest.ini": "[pytest]\naddopts = --no-such-option\n"})
    for command in ("build", "refresh", "check", "prune"):
        ran = jweval("snapshots", command, cwd=root)
        assert ran.returncode == 2
        assert "can't be collected" in ran.stderr
