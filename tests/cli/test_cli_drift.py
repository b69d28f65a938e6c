import json
import os
import signal
import subprocess
import sys
import time

import pytest
from gh_stand_in import Hub

PAGE = {
    "url": "https://example.org/es/john-3",
    "kind": "changed",
    "reason": "its page doesn't say the phrase",
    "phrases": ["tanto amó Dios al mundo"],
    "snapshot": "snapshots/ab.html",
    "nearest": {"text": "Dios amó tanto al mundo", "similarity": 0.874},
}
NEEDS_GH = pytest.mark.skipif(
    sys.platform == "win32", reason="the stand-in for gh is started by a shell script"
)


def case(name, verdict="fail", **evidence):
    place = {"path": f"golden/l2/{name}.yaml", "line": 1}
    return {"case_id": name, "layer": "l2", "verdict": verdict, "evidence": evidence, **place}


RED, GREEN, OUTAGE = (
    case("red", live=True, drift=[PAGE]),
    case("green", "pass", live=True),
    case("out", "error"),
)


def text_of(*results, **fields):
    times = {"started_at": "2026-05-30T12:00:00Z", "finished_at": "2026-05-30T12:01:00Z"}
    return json.dumps({"format": 1, **times, "layers_run": ["l2"], "results": results, **fields})


@pytest.fixture
def report(tmp_path):
    def write(*results, **fields):
        (tmp_path / "report.json").write_text(text_of(*results, **fields), "utf-8")

    return write


@pytest.fixture
def hub(tmp_path):
    folder = tmp_path / "hub"
    folder.mkdir()
    return Hub(folder)


@pytest.fixture
def drift(jweval, hub):
    def run(*arguments, **environ):
        return jweval("drift", "report.json", *arguments, **{"PATH": hub.path, **environ})

    return run


def test_what_drifted_is_shown_and_exits_1(drift, report):
    report(GREEN, OUTAGE, RED)
    ended = drift()
    assert (ended.returncode, ended.stderr) == (1, "")
    assert ended.stdout == (
        "golden/l2/red.yaml:1 red\n"
        "  https://example.org/es/john-3\n"
        "      changed: its page doesn't say the phrase\n"
        "      looked for: tanto amó Dios al mundo\n"
        "      nearest (0.87): Dios amó tanto al mundo\n"
        "      snapshot: snapshots/ab.html\n"
        "\n"
        "1 case drifted\n"
    )


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ([GREEN, OUTAGE], "nothing drifted: 1 case passed on live pages\n"),
        ([OUTAGE], "nothing drifted, for no citation case passed on live pages (pytest --jw-live)\n"),
        ([], "nothing drifted, for no citation case passed on live pages (pytest --jw-live)\n"),
    ],
)
def test_nothing_drifted_exits_0(drift, report, results, said):
    report(*results)
    ended = drift()
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, said, "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "report.json can't be read: No such file or directory\n"),
        ("no JSON", "report.json can't be read: it is no JSON\n"),
        ("{}", "report.json is no report of golden cases: 'started_at' is missing\n"),
        (text_of(format=7), "report.json was written by a later pytest-jweval, in format 7: "),
        (
            text_of(case("red", drift=3)),
            "report.json has a drift that can't be read, of golden/l2/red.yaml:1 red: ",
        ),
    ],
)
def test_a_report_that_cannot_be_read_is_one_line_and_exits_2(drift, tmp_path, text, said):
    if text is not None:
        (tmp_path / "report.json").write_text(text, "utf-8")
    ended = drift()
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith(said)
    assert ended.stderr.count("\n") == 1


def test_a_page_cannot_steer_the_terminal_or_make_lines(drift, report):
    hostile = "\x1b[2Jx\n1 case drifted\r\n\u202ey\x00"
    page = {**PAGE, "url": hostile, "reason": hostile, "phrases": [hostile], "snapshot": hostile}
    report(case(hostile, drift=[page]))
    ended = drift()
    assert ended.returncode == 1
    assert not {"\x1b", "\u202e", "\x00", "\r"} & set(ended.stdout)
    assert ended.stdout.count("\n") == 8


def test_a_terminal_of_ascii_is_enough(drift, report):
    report(RED)
    ended = drift(PYTHONIOENCODING="ascii")
    assert "looked for: tanto am\\xf3 Dios al mundo\n" in ended.stdout


@NEEDS_GH
def test_without_open_issues_gh_is_left_alone(drift, report, hub):
    report(RED)
    drift()
    assert hub.calls() == []


@NEEDS_GH
def test_issues_are_opened_updated_closed_and_reopened(drift, report, hub):
    report(RED)
    ended = drift("--open-issues")
    assert (ended.returncode, ended.stderr) == (1, "")
    assert ended.stdout.splitlines()[-3:] == [
        "1 case drifted",
        "made sure that there is a label 'link-drift'",
        "opened an issue for golden/l2/red.yaml:1 red: https://github.example/o/r/issues/1",
    ]
    ended = drift("--open-issues")
    assert (ended.returncode, ended.stdout.splitlines()[-1]) == (1, "the issues are up to date")
    report(case("red", "error"))
    ended = drift("--open-issues")
    assert (ended.returncode, ended.stdout.splitlines()[-1]) == (0, "the issues are up to date")
    report(case("red", "pass", live=True))
    ended = drift("--open-issues")
    assert ended.returncode == 0
    assert ended.stdout.splitlines()[-1].startswith("closed #1 for golden/l2/red.yaml:1 red")
    report(case("red", live=True, drift=[{**PAGE, "kind": "gone"}]))
    said = drift("--open-issues").stdout.splitlines()[-2:]
    assert said[0] == "reopened #1 for golden/l2/red.yaml:1 red"
    assert said[1].startswith("updated #1 for golden/l2/red.yaml:1 red: https://")
    assert [(issue["state"], len(issue["comments"])) for issue in hub.issues] == [("OPEN", 2)]


@NEEDS_GH
def test_a_dry_run_says_what_it_would_do_and_only_lists(drift, report, hub):
    report(RED)
    ended = drift("--open-issues", "--dry-run", "--label", "dead links", "--repo", "owner/name")
    assert ended.returncode == 1
    assert ended.stdout.splitlines()[-2:] == [
        "would make sure that there is a label 'dead links'",
        "would open an issue for golden/l2/red.yaml:1 red",
    ]
    calls = hub.calls()
    assert {tuple(call[:2]) for call in calls} == {("issue", "list")}
    assert all(call[-2:] == ["--repo", "owner/name"] for call in calls)
    assert calls[0][2:4] == ["--label", "dead links"]
    assert (hub.issues, hub.load()["labels"]) == ([], [])


@NEEDS_GH
def test_when_gh_fails_what_was_done_before_is_said(drift, report, hub):
    report(case("a", drift=[PAGE]), case("b", drift=[PAGE]), case("c", drift=[PAGE]))
    hub.fail("issue create", passing=2, stderr="HTTP 403: You have exceeded a secondary rate limit.\nmore\n")
    ended = drift("--open-issues")
    assert ended.returncode == 2
    assert ended.stderr == (
        "gh issue create ended with exit code 1: HTTP 403: You have exceeded a secondary rate limit. "
        "(3 changes made before)\n"
    )
    assert [line.split(":")[0] for line in ended.stdout.splitlines()[-2:]] == [
        "opened an issue for golden/l2/a.yaml",
        "opened an issue for golden/l2/b.yaml",
    ]
    assert len(hub.issues) == 2


def test_without_gh_there_is_one_line(drift, report, tmp_path):
    report(RED)
    ended = drift("--open-issues", PATH=str(tmp_path))
    assert ended.returncode == 2
    assert ended.stderr == "gh is not installed: https://cli.github.com (0 changes made before)\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--dry-run"],
        ["--label", "x"],
        ["--repo", "o/r"],
        *(["--open-issues", "--label", label] for label in ("", " ", "a,b", '"', "-x", "x" * 51, "a\nb")),
        *(
            ["--open-issues", "--repo", name]
            for name in ("", "name", "-o/r", "o/r/s/t", "https://x/o/r", "o /r")
        ),
    ],
)
def test_a_wrong_option_exits_2_before_anything_is_read(drift, arguments):
    ended = drift(*arguments)
    assert ended.returncode == 2
    assert ended.stderr.startswith("Usage: jweval drift")
    assert "can't be read" not in ended.stderr


@NEEDS_GH
def test_control_c_stops_cleanly_and_the_next_run_goes_on(drift, report, hub, tmp_path):
    report(RED, case("second", drift=[PAGE]))
    hub.fail("issue create", passing=1, hang=60)
    process = subprocess.Popen(
        [sys.executable, "-m", "pytest_jweval.cli", "drift", "report.json", "--open-issues"],
        cwd=tmp_path,
        env={**os.environ, "PATH": hub.path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 60
        while not (hub.folder / "hangs").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to all that run in it
        said, errors = process.communicate(timeout=30)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert said.splitlines()[-1].startswith("opened an issue for golden/l2/red.yaml:1 red: https://")
    hub.heal()
    assert drift("--open-issues").returncode == 1
    assert [issue["title"] for issue in hub.issues] == ["Link drift: `red`", "Link drift: `second`"]
