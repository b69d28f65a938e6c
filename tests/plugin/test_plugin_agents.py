"""Agents of every kind, well and ill, as a user has them."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from projects import Project

KINDS = """
    import asyncio, functools, sys, time

    ANSWER = {"findings": [{"text": "a text", "source": "rag"}]}

    def sync(question): return ANSWER
    async def asynchronous(question):
        await asyncio.sleep(0)
        return ANSWER

    class Object:
        async def __call__(self, question): return ANSWER

    class Method:
        def ask(self, question): return ANSWER

    async def never_awaited(question): return asynchronous(question)
    def forgot(question): return {"findings": asynchronous(question)}
    async def hangs_async(question): await asyncio.sleep(60)
    def hangs(question): time.sleep(60)
    async def blocks(question): time.sleep(60)
    def raises(question): raise RuntimeError("no such luck")
    def leaves(question): sys.exit("bye")
    def nothing(question): return None
    def odd(question): return 42

    def pytest_jweval_agents(config):
        return {
            "sync": sync, "asynchronous": asynchronous, "object": Object(), "method": Method().ask,
            "partial": functools.partial(asynchronous), "lambda": lambda q: asynchronous(q), "class": Object(),
            "never_awaited": never_awaited, "forgot": forgot, "hangs_async": hangs_async, "hangs": hangs,
            "blocks": blocks, "raises": raises, "leaves": leaves, "nothing": nothing, "odd": odd,
        }
"""
WELL = ["sync", "asynchronous", "object", "method", "partial", "lambda", "class"]
ILL = {
    "never_awaited": "the answer is a coroutine that was never awaited",
    "forgot": "findings is a coroutine that was never awaited",
    "hangs_async": "the agent gave no answer within 0.3 s",
    "hangs": "the agent gave no answer within 0.3 s",
    "blocks": "the agent gave no answer within 0.3 s",
    "raises": "the agent raised RuntimeError: no such luck",
    "leaves": "the agent called sys.exit('bye')",
    "nothing": "the agent answered None",
    "odd": "the agent answered int (42)",
}


@pytest.mark.parametrize("workers", ["-n0", "-n2"])
def test_ill_agents_are_errors_and_all_others_are_unchanged(project: Project, workers: str):
    project.write("conftest.py", KINDS)
    project.ini("jweval_agent_timeout = 0.3\n")
    for agent in [*WELL, *ILL]:
        project.case(f"one_{agent}", agent)
        project.case(f"two_{agent}", agent)
    run = project.run("-p", "xdist", workers, "-W", "error", subprocess=True)
    expected = dict.fromkeys(WELL, "pass") | dict.fromkeys(ILL, "error")
    assert run.verdicts == {f"{n}_{agent}": v for agent, v in expected.items() for n in ("one", "two")}
    for agent, reason in ILL.items():
        assert reason in run.reasons(f"one_{agent}")
    assert "never awaited" not in run.errors


def test_the_traceback_begins_in_the_agents_own_code(project: Project):
    project.write("conftest.py", KINDS)
    project.case("one", "raises")
    text = project.run().text
    assert 'RuntimeError("no such luck")' in text
    assert "conftest.py" in text
    assert "asking.py" not in text and "runner.py" not in text


COUNTING = """
    import pathlib, pytest
    from pydantic import BaseModel
    from pytest_jweval import Ruling

    LOG = pathlib.Path(__file__).with_name("asked.txt")

    def counting(question):
        with LOG.open("a") as log:
            log.write(f"{question}\\n")
        question["changed"] = True
        return [{"text": "a text", "source": "rag"}]

    class Anything(BaseModel, extra="allow"):
        pass

    class Second:
        name, schema, needs_agent = "l4", Anything, True

        def evaluate(self, context):
            assert "changed" not in context.case.input
            return Ruling.on([])

    def pytest_jweval_register(registry, config):
        registry.layers["l4"] = Second

    def pytest_jweval_agents(config):
        return {"counting": counting}
"""


def asked(project: Project) -> list[str]:
    return list((project.root / "asked.txt").read_text().splitlines())


def test_the_same_question_is_asked_once_for_all_layers(project: Project):
    project.write("conftest.py", COUNTING)
    project.case("one", "counting", input={"q": 1})
    project.case("two", "counting", input={"q": 1}, layer="l4", expected={}, file="golden/l4/two.yaml")
    project.case("three", "counting", input={"q": 2}, layer="l4", expected={})
    run = project.run("-p", "no:cacheprovider")
    assert set(run.verdicts.values()) == {"pass"}
    assert asked(project) == ["{'q': 1}", "{'q': 2}"]


def test_the_nearest_conftest_wins(project: Project):
    project.write(
        "golden/near/conftest.py", "def pytest_jweval_agents(config): return {'verses': lambda q: []}\n"
    )
    project.case("far")
    project.case("near", file="golden/near/near.yaml")
    project.case("other", "notes", file="golden/near/other.yaml")
    assert project.run().verdicts == {"far": "pass", "near": "fail", "other": "pass"}


def test_a_hook_that_gives_no_mapping_or_raises_is_an_error_of_its_cases_only(project: Project):
    project.case("fine")
    project.write("golden/list/conftest.py", "def pytest_jweval_agents(config): return ['verses']\n")
    project.case("listed", file="golden/list/a.yaml")
    project.write("golden/boom/conftest.py", "def pytest_jweval_agents(config): raise OSError('no disk')\n")
    project.case("boom", file="golden/boom/a.yaml")
    project.case("boom_too", file="golden/boom/b.yaml")
    run = project.run()
    assert run.verdicts == {"fine": "pass", "listed": "error", "boom": "error", "boom_too": "error"}
    assert run.reasons("boom_too") == run.reasons("boom")
    assert "pytest_jweval_agents gave list, not a mapping" in run.reasons("listed")
    assert "no disk" in run.reasons("boom")
    assert "pluggy/_" not in run.text
    assert "raise OSError('no disk')" in run.text


def test_agents_from_ini(project: Project):
    project.write("conftest.py", "")
    project.write(
        "my_agents.py",
        """
        def plain(question): return f"asked {question['q']}"
        def by_words(q, language="en"): return f"asked {q} in {language}"
        class Shop:
            @staticmethod
            def bot(question): return "a text"
        """,
    )
    project.ini(
        """
        pythonpath = .
        jweval_agents =
            plain = my_agents:plain
            words = my_agents:by_words **
            shop = my_agents:Shop.bot
            gone = my_agents:gone
            lost = no_such_package.agents:plain
        """
    )
    project.case("one", "plain", expected={"required_keywords_any": ["asked one"]})
    project.case(
        "two", "words", input={"q": 2, "language": "es"}, expected={"required_keywords_any": ["2 in es"]}
    )
    project.case("three", "shop")
    project.case("four", "gone")
    project.case("five", "lost")
    run = project.run()
    assert run.verdicts == {"one": "pass", "two": "pass", "three": "pass", "four": "error", "five": "error"}
    assert "agent 'gone' can't be imported from 'my_agents:gone'" in run.reasons("four")
    assert "No module named 'no_such_package'" in run.reasons("five")


@pytest.fixture
def endpoint() -> Iterator[str]:
    """A real HTTP server that answers like an agent, or badly, depending on the path."""

    class Handler(BaseHTTPRequestHandler):
        wbufsize = -1
        disable_nagle_algorithm = True

        def do_POST(self):
            question = json.loads(self.rfile.read(int(self.headers["content-length"])))
            status, body = {
                "/ok": (200, json.dumps({"findings": [{"text": f"¡{question['q']}!", "source": "http"}]})),
                "/down": (503, "back soon"),
                "/html": (200, "<html>"),
            }[self.path]
            data = body.encode()
            self.send_response(status)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args):
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_an_agent_behind_http(project: Project, endpoint: str):
    project.ini(
        f"""
        jweval_agents =
            ok = {endpoint}/ok
            down = {endpoint}/down
            html = {endpoint}/html
            refused = http://127.0.0.1:9/
        """
    )
    project.case(
        "ok",
        "ok",
        input={"q": "ñandú"},
        expected={"required_keywords_any": ["¡ñandú!"], "must_have_source": "http"},
    )
    for agent in ("down", "html", "refused"):
        project.case(agent, agent)
    run = project.run()
    assert run.verdicts == {"ok": "pass", "down": "error", "html": "error", "refused": "error"}
    assert "answered HTTP 503: back soon" in run.reasons("down")
    assert "answered no JSON: <html>" in run.reasons("html")
    assert "http://127.0.0.1:9/ gave no answer" in run.reasons("refused")


def test_pytest_skip_in_an_agent_skips_the_case(project: Project):
    project.write(
        "conftest.py",
        """
        import pytest
        def pytest_jweval_agents(config):
            return {"away": lambda q: pytest.skip("the model is not here")}
        """,
    )
    project.case("one", "away")
    run = project.run()
    assert (run.verdicts, run.counts) == ({"one": "skip"}, {"skipped": 1})
    assert "the model is not here" in run.reasons("one")


def test_pytest_fail_in_an_agent_is_an_error_at_the_cases_line(project: Project):
    project.write(
        "conftest.py",
        """
        import pytest
        def pytest_jweval_agents(config):
            return {"fails": lambda q: pytest.fail("bad day")}
        """,
    )
    project.case("one", "fails")
    run = project.run()
    assert run.verdicts == {"one": "error"}
    assert run.reasons("one") == "the agent raised Failed: bad day"
    assert "\ngolden/l1/one.yaml:1\n" in run.text
