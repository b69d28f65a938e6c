"""One issue for each drifted case, however often it is seen: against a `gh` that keeps issues in a file."""

from __future__ import annotations

import sys
from contextlib import suppress

import pytest
from gh_stand_in import Hub

from pytest_jweval.reports import gh as gh_module
from pytest_jweval.reports import issue_texts
from pytest_jweval.reports.drift import Drift, DriftedPage, JudgedCase
from pytest_jweval.reports.gh import Gh, GhError
from pytest_jweval.reports.github_issues import changes

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="the stand-in for gh is started by a shell script"
)

LISTED = "issue list"


@pytest.fixture
def hub(tmp_path, monkeypatch):
    folder = tmp_path / "a folder"
    folder.mkdir()
    hub = Hub(folder)
    monkeypatch.setenv("PATH", hub.path)
    return hub


def case(name="one", *urls, kind="gone"):
    pages = tuple(DriftedPage(url, kind, "HTTP 404") for url in urls)
    return JudgedCase(name, f"golden/l2/{name}.yaml", 1, pages)


def red(name="one", *urls, kind="gone"):
    return Drift((case(name, *(urls or ("https://example.org/a",)), kind=kind),), ())


def green(name="one"):
    return Drift((), (case(name),))


def run(drift, gh=None, **options):
    gh = gh or Gh()
    return [change.make(gh) for change in changes(drift, gh, **options)]


def states(hub):
    return [(issue["number"], issue["state"], len(issue["comments"])) for issue in hub.issues]


def test_thirty_red_runs_make_one_issue_and_no_comment(hub):
    said = [run(red()) for _ in range(30)]
    assert states(hub) == [(1, "OPEN", 0)]
    assert said[0] == [
        "made sure that there is a label 'link-drift'",
        "opened an issue for golden/l2/one.yaml:1 one: https://github.example/o/r/issues/1",
    ]
    assert said[1:] == [[]] * 29
    assert hub.verbs() == [LISTED, LISTED, "label create", "issue create"] + [LISTED] * 29


def test_the_whole_life_of_an_issue(hub):
    run(red())
    assert run(red("one", "https://example.org/a", "https://example.org/b")) == [
        "updated #1 for golden/l2/one.yaml:1 one: https://github.example/o/r/issues/1#issuecomment-1"
    ]
    assert states(hub) == [(1, "OPEN", 1)]
    assert "https://example.org/b" in hub.issues[0]["body"]
    assert hub.issues[0]["comments"][0].startswith("What drifts has changed.\n\n```text\n")
    assert run(green()) == [
        "closed #1 for golden/l2/one.yaml:1 one: https://github.example/o/r/issues/1#issuecomment-2"
    ]
    assert hub.issues[0]["comments"][1] == issue_texts.GREEN
    assert run(green()) == []
    assert states(hub) == [(1, "CLOSED", 2)]
    assert run(red("one", "https://example.org/a", "https://example.org/b")) == [
        "reopened #1 for golden/l2/one.yaml:1 one"
    ]
    assert states(hub) == [(1, "OPEN", 2)]
    run(green())
    assert len(run(red("one", kind="changed"))) == 2
    assert states(hub) == [(1, "OPEN", 4)]


def test_what_an_issue_is_made_of_goes_in_by_the_title_and_standard_input(hub):
    run(red())
    *_, made = hub.calls()
    title = "--title=Link drift: `one`"
    assert made == ["issue", "create", title, "--label", "link-drift", "--body-file", "-"]
    assert hub.issues[0]["body"] == issue_texts.body(red().drifted[0])


def test_a_case_that_says_nothing_leaves_its_issue_alone(hub):
    run(red())
    hub.calls()
    assert run(Drift((), ())) == []
    assert hub.calls() == []
    assert run(green("another")) == []
    assert states(hub) == [(1, "OPEN", 0)]


def test_each_case_has_an_issue_in_the_order_of_the_report(hub):
    both = Drift((*red("b").drifted, *red("a").drifted), green("c").green)
    run(both)
    assert [issue["title"] for issue in hub.issues] == ["Link drift: `b`", "Link drift: `a`"]
    assert run(Drift(red("a").drifted, green("b").green))[0].startswith("closed #1")
    assert states(hub) == [(1, "CLOSED", 1), (2, "OPEN", 0)]


def test_an_issue_of_another_case_or_of_nobody_is_left_alone(hub):
    hub.add(title="Link drift: `one`", labels=["link-drift"], body="by hand")
    run(red())
    run(green())
    assert states(hub) == [(1, "OPEN", 0), (2, "CLOSED", 1)]


def test_several_open_issues_of_a_case_become_the_oldest(hub):
    body = issue_texts.body(red().drifted[0])
    for state in ("CLOSED", "OPEN", "OPEN", "OPEN"):
        hub.add(body=body, labels=["link-drift"], state=state)
    assert run(red()) == [
        f"closed #{number}, a duplicate of #2: https://github.example/o/r/issues/{number}#issuecomment-1"
        for number in (3, 4)
    ]
    assert states(hub) == [(1, "CLOSED", 0), (2, "OPEN", 0), (3, "CLOSED", 1), (4, "CLOSED", 1)]
    assert [issue["reason"] for issue in hub.issues[2:]] == ["not planned"] * 2
    assert hub.issues[2]["comments"] == ["Duplicate of #2"]
    assert run(red()) == []


def test_when_it_is_green_duplicates_are_closed_as_well(hub):
    body = issue_texts.body(red().drifted[0])
    for _ in range(2):
        hub.add(body=body, labels=["link-drift"])
    run(green())
    assert states(hub) == [(1, "CLOSED", 1), (2, "CLOSED", 1)]
    assert hub.issues[0]["comments"] == [issue_texts.GREEN]
    run(red())
    assert [state for _, state, _ in states(hub)] == ["OPEN", "CLOSED"]


def test_an_issue_that_the_search_does_not_know_yet_is_found(hub):
    run(red())
    hub.unindex(1)
    assert run(red()) == []
    assert states(hub) == [(1, "OPEN", 0)]


def test_a_forged_mark_without_the_label_is_nobodys_issue(hub):
    hub.add(body=issue_texts.body(red().drifted[0]), labels=["bug"])
    run(red())
    assert states(hub) == [(1, "OPEN", 0), (2, "OPEN", 0)]
    run(green())
    assert states(hub) == [(1, "OPEN", 0), (2, "CLOSED", 1)]


def test_a_forged_mark_below_the_first_line_is_none(hub):
    forged = JudgedCase("two", issue_texts.body(red().drifted[0]), 1, red().drifted[0].pages)
    run(Drift((forged,), ()))
    run(red())
    assert [issue["title"] for issue in hub.issues] == ["Link drift: `two`", "Link drift: `one`"]
    run(green())
    assert states(hub) == [(1, "OPEN", 0), (2, "CLOSED", 1)]


def test_a_body_saved_in_the_browser_is_found_again(hub):
    run(red())
    hub.edit(1, body=hub.issues[0]["body"].replace("\n", "\r\n") + "a note\r\n")
    assert run(red()) == []


def test_another_label_is_made_once_and_kept_as_it_is(hub):
    run(red(), label="Dead links")
    assert hub.load()["labels"] == ["Dead links"]
    assert run(red(), label="dead links") == []
    assert "made sure that there is a label 'dead links'" not in run(red("two"), label="dead links")
    assert hub.issues[1]["labels"] == ["dead links"]


def test_a_label_that_is_there_already_is_no_failure(hub):
    hub.save({**hub.load(), "labels": ["link-drift"]})
    run(red())
    assert states(hub) == [(1, "OPEN", 0)]


def test_a_label_that_cannot_be_made_is_a_failure_before_anything_is_opened(hub):
    hub.fail("label create", stderr="HTTP 403: Resource not accessible by integration\n")
    with pytest.raises(GhError, match=r"^gh label create ended with exit code 1: HTTP 403: Resource not acc"):
        run(red())
    assert hub.issues == []


def test_every_call_names_the_repository_if_one_was_named(hub):
    run(red(), Gh("owner/name"))
    calls = hub.calls()
    assert len(calls) == 4
    assert all(call[-2:] == ["--repo", "owner/name"] for call in calls)


def test_more_issues_than_can_be_listed_are_refused_before_anything_is_done(hub):
    hub.save(
        {
            **hub.load(),
            "issues": [
                {
                    "number": n,
                    "title": "",
                    "body": "",
                    "state": "CLOSED",
                    "labels": ["link-drift"],
                    "comments": [],
                }
                for n in range(1000)
            ],
        }
    )
    with pytest.raises(GhError, match="1000 issues or more have the label 'link-drift'"):
        run(red())
    assert hub.verbs() == [LISTED]


HOSTILE_IDS = [
    "$(touch pwned)",
    "; rm -rf / #",
    "a && b || c | d > e < f",
    "%PATH% ^& !x!",
    "\"double\" 'single'",
    "-rf",
    "--body-file=/etc/passwd",
    "`id`",
    "```\n# out",
    "-->",
    "<!-- jweval-drift case=0 drift=0 -->",
    "@everyone",
    "#1",
    "GH-1 owner/repo#2 fixes #3",
    "<script>alert(1)</script>",
    "a\nb\r\nc",
    "\u202ereversed",
    "null\x00byte",
    "lone \ud800",
    "x" * 10_000,
    "*",
    "~/secrets",
    "\\\\server\\share",
    "día de la ñ",
]


def test_hostile_cases_and_pages_are_issues_like_any_other(hub, tmp_path, monkeypatch):
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    pages = {text: DriftedPage(text, "gone", text, (text,)) for text in HOSTILE_IDS}
    cases = tuple(JudgedCase(text, text, 1, (page,)) for text, page in pages.items())
    run(Drift(cases, ()))
    assert len(hub.issues) == len(HOSTILE_IDS)
    for found, issue in zip(cases, hub.issues, strict=True):
        assert issue["title"] == issue_texts.title(found)
        assert issue["body"] == issue_texts.body(found)
        assert (issue["state"], issue["labels"]) == ("OPEN", ["link-drift"])
    assert list(work.iterdir()) == []
    assert run(Drift(cases, ())) == []
    assert len(run(Drift((), cases))) == len(HOSTILE_IDS)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (
            {
                "code": 4,
                "stderr": "To get started with GitHub CLI, please run:  gh auth login\nAlternatively, …\n",
            },
            "gh issue list ended with exit code 4: To get started with GitHub CLI, please run: gh auth login",
        ),
        (
            {"stderr": "\nGraphQL: API rate limit exceeded for user ID 1.\nmore\n"},
            "gh issue list ended with exit code 1: GraphQL: API rate limit exceeded for user ID 1.",
        ),
        (
            {"stderr": "error connecting to api.github.com\ncheck your internet connection\n"},
            "gh issue list ended with exit code 1: error connecting to api.github.com",
        ),
        ({"stdout": "told here\n"}, "gh issue list ended with exit code 1: told here"),
        ({"code": 137}, "gh issue list ended with exit code 137: (it said nothing)"),
        ({"code": 0, "stdout": "A new release\n[]"}, "gh issue list printed no JSON: A new release"),
        ({"code": 0}, "gh issue list printed no JSON: (it said nothing)"),
        ({"code": 0, "stdout": "[" * 100_000}, f"gh issue list printed no JSON: {'[' * 299}…"),
        ({"code": 0, "stdout": "{}"}, "gh issue list printed no list of issues"),
        ({"code": 0, "stdout": "[1]"}, "gh issue list printed no list of issues"),
        ({"code": 0, "stdout": "[{}]"}, "gh issue list printed an issue without number, state and body"),
        (
            {"code": 0, "stdout": '[{"number": "1", "state": "OPEN", "body": ""}]'},
            "gh issue list printed an issue without number, state and body",
        ),
        (
            {"code": 0, "stdout": '[{"number": true, "state": "OPEN", "body": ""}]'},
            "gh issue list printed an issue without number, state and body",
        ),
        (
            {"code": 0, "stdout": '[{"number": 1, "state": null, "body": ""}]'},
            "gh issue list printed an issue without number, state and body",
        ),
    ],
)
def test_what_goes_wrong_in_gh_is_one_line_of_its_own_words(hub, how, said):
    hub.fail("issue list", **how)
    with pytest.raises(GhError) as error:
        run(red())
    assert str(error.value) == said


def test_a_listing_without_labels_is_not_taken_for_one_with_none(hub):
    hub.fail(
        "issue list --state all --limit 200", code=0, stdout='[{"number": 1, "state": "OPEN", "body": ""}]'
    )
    with pytest.raises(GhError, match="gh issue list printed an issue without its labels"):
        run(red())


def test_without_gh_it_is_said_where_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GhError, match=r"^gh is not installed: https://cli\.github\.com$"):
        run(red())


def test_a_gh_that_cannot_be_started_is_one_line(tmp_path, monkeypatch):
    program = tmp_path / "gh"
    program.write_bytes(b"\x7fELF no program")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GhError, match=r"gh can't be started: "):
        run(red())


def test_a_call_that_never_ends_is_ended(hub, monkeypatch):
    hub.fail("issue create", hang=60)
    monkeypatch.setattr(gh_module, "_SECONDS", 1)
    with pytest.raises(GhError, match=r"^gh issue create did not end within 1 s$"):
        run(red())


@pytest.mark.parametrize(
    "command", ["label create", "issue create", "issue edit", "issue comment", "issue close"]
)
@pytest.mark.parametrize("passing", [0, 1])
def test_what_was_cut_short_is_finished_by_the_next_run_without_a_second_comment(hub, command, passing):
    run(Drift((*red("a").drifted, *red("b").drifted), ()))
    after = Drift(
        (*red("a", kind="changed").drifted, *red("b", kind="changed").drifted, *red("c").drifted), ()
    )
    for drift in (after, Drift((), green("a").green + green("b").green)):
        hub.fail(command, passing=passing, stderr="GraphQL: was submitted too quickly\n")
        with suppress(GhError):
            run(drift)
        hub.heal()
        run(drift)
        assert run(drift) == []
    assert [state for _, state, _ in states(hub)] == ["CLOSED", "CLOSED", "OPEN"]
    assert all(len(issue["comments"]) == len(set(issue["comments"])) for issue in hub.issues)
