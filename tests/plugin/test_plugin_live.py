"""`--jw-live` and `--jw-snapshots` in whole little projects, against a web server on loopback."""

from collections.abc import Iterator

import pytest
from loopback import Loopback, page, redirect, reply
from projects import Project, without_times

from pytest_jweval.web.snapshots import Snapshots

AGENTS = """
    def support(question):
        return [{"text": "30 days.", "source": "policy", "url": question["url"]}]

    def pytest_jweval_agents(config):
        return {"support": support}
"""


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


@pytest.fixture
def project(project: Project) -> Project:
    project.write("conftest.py", AGENTS)
    project.ini("jweval_private_hosts = 127.0.0.1\njweval_host_rate = 1000\n")
    return project


def cites(project: Project, case_id: str, url: str, phrase: str = "within 30 days", **fields) -> None:
    expected = {"expected_citations": [url], "support_phrases": [phrase]}
    project.case(case_id, "support", layer="l2", input={"url": url}, expected=expected, **fields)


def test_live_pages_are_judged_as_they_are_now(project, server):
    cites(project, "says_so", server.at("/a", page("<p>within <b>30</b> days")))
    cites(project, "does_not", server.at("/b", page("<p>within 60 days")))
    cites(project, "gone", server.at("/c", reply(404)))
    cites(project, "down", server.at("/d", reply(500)))
    run = project.run("golden", "--jw-live")
    assert run.verdicts == {"says_so": "pass", "does_not": "fail", "gone": "fail", "down": "error"}
    results = {result.case_id: result for result in run.report.results}
    assert results["says_so"].evidence["live"] is True
    assert results["gone"].evidence["drift"][0]["kind"] == "gone"
    assert "HTTP 500" in run.reasons("down")
    assert "within 60 days" in run.text


def test_ini_may_say_live_too(project, server):
    project.ini("jweval_private_hosts = 127.0.0.1\njweval_host_rate = 1000\njweval_live = true\n")
    cites(project, "says_so", server.at("/a", page("<p>within 30 days")))
    assert project.run("golden").verdicts == {"says_so": "pass"}
    assert server.targets == ["/a"]


def test_without_live_no_connection_is_made(project, server):
    cites(project, "says_so", server.at("/a", page("<p>within 30 days")))
    assert project.run("golden").verdicts == {"says_so": "skip"}
    assert server.requests == []


def test_a_page_that_lost_its_phrase_since_its_snapshot_drifted(project, server):
    url = server.at("/a", page("<p>within 60 days"))
    project.write(f"snapshots/{Snapshots('x').path(url).name}", "<p>Send it back within 30 days, please.")
    cites(project, "changed", url)
    run = project.run("golden", "--jw-live")
    assert run.verdicts == {"changed": "fail"}
    [drift] = run.report.results[0].evidence["drift"]
    assert drift["kind"] == "changed"
    assert "within 30 days" in drift["vanished"]
    assert "within 60 days" in drift["nearest"]["text"]
    assert drift["snapshot"] == f"snapshots/{Snapshots('x').path(url).name}"
    assert "the page changed, its snapshot says" in run.text


def test_a_private_address_is_an_error_that_names_the_ini_key(project, server):
    project.ini("jweval_host_rate = 1000\n")
    cites(project, "private", server.at("/a", page("secret")))
    run = project.run("golden", "--jw-live")
    assert run.verdicts == {"private": "error"}
    assert "jweval_private_hosts" in run.text
    assert server.requests == []


def test_a_redirect_may_lead_to_a_host_that_ini_names(project, server):
    elsewhere = server.url_of("localhost")
    cites(project, "moved", server.at("/a", redirect(f"{elsewhere}/b")))
    server.at("/b", page("<p>within 30 days"))
    run = project.run("golden", "--jw-live")
    assert run.verdicts == {"moved": "error"}
    assert "jweval_live_hosts" in run.text
    project.ini(
        "jweval_host_rate = 1000\njweval_live_hosts = localhost\njweval_private_hosts =\n  127.0.0.1\n  localhost\n"
    )
    assert project.run("golden", "--jw-live").verdicts == {"moved": "pass"}


def test_missing_snapshots_are_fetched_and_kept_and_the_next_run_needs_no_network(project, server):
    cites(project, "says_so", server.at("/a", page("<p>within 30 days<script>track()</script>")))
    assert project.run("golden", "--jw-snapshots=missing").verdicts == {"says_so": "pass"}
    assert project.run("golden", "--jw-snapshots=missing").verdicts == {"says_so": "pass"}
    assert project.run("golden").verdicts == {"says_so": "pass"}
    assert server.targets == ["/a"]
    [kept] = (project.root / "snapshots").glob("*.html")
    assert "track" not in kept.read_text(encoding="utf-8")


def test_refresh_fetches_all_and_keeps_what_changed(project, server):
    cites(
        project, "says_so", server.at("/a", page("<p>within 30 days, then"), page("<p>within 30 days, now"))
    )
    for expected in ("then", "now"):
        assert project.run("golden", "--jw-snapshots=refresh").verdicts == {"says_so": "pass"}
        [kept] = (project.root / "snapshots").glob("*.html")
        assert expected in kept.read_text(encoding="utf-8")


@pytest.mark.slow
def test_each_page_is_fetched_once_by_all_workers_and_the_report_is_the_same(project, server):
    for number in range(12):
        said = page(f"<p>page {number}: within {30 if number % 3 else 31} days")
        url = server.at(f"/{number}", said if number % 5 else reply(403))
        for twice in "ab":
            cites(project, f"case_{number:02}_{twice}", url)
    one = without_times(project.run("golden", "--jw-live").report)
    asked, server.requests[:] = sorted(server.targets), []
    assert asked == sorted(f"/{number}" for number in range(12))
    many = project.run("golden", "--jw-live", "-p", "xdist", "-n", "8", subprocess=True)
    assert without_times(many.report) == one
    assert sorted(server.targets) == asked


def test_nothing_is_left_in_the_project(project, server):
    cites(project, "says_so", server.at("/a", page("<p>within 30 days")))
    project.run("golden", "--jw-live", "-p", "no:cacheprovider")
    assert not (project.root / "snapshots").exists()


def test_only_pages_of_chosen_cases_are_fetched(project, server):
    cites(project, "chosen", server.at("/a", page("<p>within 30 days")))
    cites(project, "another", server.at("/b", page("<p>within 30 days")))
    assert project.run("golden", "--jw-live", "-k", "chosen").verdicts == {"chosen": "pass"}
    assert server.targets == ["/a"]


def test_a_short_page_about_missing_pages_is_there_if_it_says_what_it_should(project, server):
    html = "<title>Page not found?</title><h1>Page not found?</h1><p>Ask us within 30 days."
    cites(project, "about", server.at("/a", page(html)))
    cites(project, "gone", server.at("/b", page(html)), "within 31 days")
    run = project.run("golden", "--jw-live")
    assert run.verdicts == {"about": "pass", "gone": "fail"}
    assert "drift" not in run.report.results[0].evidence


def test_choosing_cases_does_not_change_where_a_redirect_may_lead(project, server):
    project.ini("jweval_host_rate = 1000\njweval_private_hosts =\n  127.0.0.1\n  localhost\n")
    cites(project, "aa", server.at("/a", redirect(f"{server.url_of('localhost')}/b")))
    server.at("/b", page("<p>within 30 days"))
    cites(project, "bb", f"{server.url_of('localhost')}/b")
    assert project.run("golden", "--jw-live").verdicts == {"aa": "pass", "bb": "pass"}
    for chosen in (["-k", "aa"], ["--jw-layer", "l2", "-k", "aa"]):
        assert project.run("golden", "--jw-live", *chosen).verdicts == {"aa": "pass"}


def test_no_text_of_an_answer_begins_a_line_of_its_own(project):
    project.write(
        "conftest.py",
        """
        def pytest_jweval_agents(config):
            bad = "x\\n::error file=a.py::pwned"
            return {"support": lambda q: [{"text": bad, "source": bad, "url": f"https://help.example/{bad}"}]}
        """,
    )
    expected = {"expected_citations": ["https://help.example/a"], "allow_extra_citations": False}
    project.case("steers", "support", layer="l2", expected=expected)
    run = project.run("golden")
    assert run.verdicts == {"steers": "fail"}
    assert "::error" in run.text
    assert not [line for line in run.text.splitlines() if line.startswith("::")]


def test_a_case_written_in_python_is_judged_live_too(project, server):
    url = server.at("/a", page("<p>within 30 days"))
    project.write(
        "test_python.py",
        f"""
        def test_says_so(jw_evaluate):
            result = jw_evaluate({{
                "id": "x", "agent": "support", "layer": "l2", "input": {{"url": "{url}"}},
                "expected": {{"expected_citations": ["{url}"], "support_phrases": ["within 30 days"]}},
            }})
            assert result.verdict == "pass", result.reasons
            assert result.evidence["live"]
        """,
    )
    assert project.run("test_python.py", "--jw-live").counts == {"passed": 1}
