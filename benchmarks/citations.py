"""What checking citations costs, beside a loop that looks for the phrase in the raw HTML."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.harness.parts import Benchmark, Contender, Figure, Limit, Plan
from benchmarks.harness.process import pytest_command
from benchmarks.harness.values import cpu, each_second, memory, ratio
from benchmarks.pages import write_pages

_LOOP, _LAYER = "plain loop", "layer l2"
_LOOP_TESTS, _COLD, _WARM = "plain loop in tests", "l2 cases, cold", "l2 cases, warm"
_ONE = "one l2 case"

_COMMON = """\
from hashlib import sha256
from pathlib import Path

NUMBERS = range({size})

def url(number):
    return f"https://example.org/pages/{{number % {pages}}}"

def phrase(number):
    return f"sentence {{number % {pages}}} of the page is Cited Here"

def plain_loop(number):
    name = sha256(url(number).encode()).hexdigest()
    html = Path("snapshots", f"{{name}}.html").read_text(encoding="utf-8")
    return phrase(number).lower() in html.lower()
"""

_LOOP_PROGRAM = """\
from common import NUMBERS, plain_loop
print(sum(map(plain_loop, NUMBERS)), "passed")
"""

_LAYER_PROGRAM = """\
from pathlib import Path
from common import NUMBERS, phrase, url
from pytest_jweval import Answer, Finding, GoldenCase
from pytest_jweval.layers.citations import Citations
from pytest_jweval.ports import Context
from pytest_jweval.web.kept import KeptPages

layer, resources = Citations(), {"pages": KeptPages(Path("snapshots"))}

def passes(number):
    expected = {"expected_citations": [url(number)], "support_phrases": [phrase(number)]}
    case = GoldenCase(id=f"case_{number}", layer="l2", agent="a", input={}, expected=expected)
    answer = Answer(findings=(Finding(text="so it is", url=url(number)),))
    context = Context(case, layer.schema.model_validate(expected), answer, resource=resources.get)
    return layer.evaluate(context).verdict == "pass"

print(sum(map(passes, NUMBERS)), "passed")
"""

_TESTS = """\
import pytest
from common import NUMBERS, plain_loop

@pytest.mark.parametrize("number", NUMBERS)
def test_the_phrase_is_there(number):
    assert plain_loop(number)
"""

_CONFTEST = """\
from common import url

def cites(question):
    return [{"text": "so it is", "url": url(question["number"])}]

def pytest_jweval_agents(config):
    return {"cites": cites}
"""

_CASE = """\
---
id: case_{number:06}
agent: cites
layer: l2
input: {{number: {number}}}
expected:
  expected_citations: ["https://example.org/pages/{page}"]
  support_phrases: ["sentence {page} of the page is Cited Here"]
"""


def _pages(size: int) -> int:
    return max(size // 5, 1)


def _begin(folder: Path, size: int) -> None:
    (folder / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    (folder / "common.py").write_text(_COMMON.format(size=size, pages=_pages(size)), encoding="utf-8")
    write_pages(folder / "snapshots", _pages(size))


def _program(name: str, text: str, size: int) -> Contender:
    def prepare(folder: Path) -> Sequence[str]:
        _begin(folder, size)
        (folder / "program.py").write_text(text, encoding="utf-8")
        return [pytest_command()[0], "program.py"]

    return Contender(name, prepare, f"{size} passed")


def _tests(size: int) -> Contender:
    def prepare(folder: Path) -> Sequence[str]:
        _begin(folder, size)
        (folder / "test_loop.py").write_text(_TESTS, encoding="utf-8")
        return pytest_command("-q")

    return Contender(_LOOP_TESTS, prepare, f"{size} passed")


def _cases(name: str, size: int, *, cold: bool = False) -> Contender:
    def prepare(folder: Path) -> Sequence[str]:
        _begin(folder, size)
        (folder / "conftest.py").write_text(_CONFTEST, encoding="utf-8")
        (folder / "golden").mkdir()
        cases = (_CASE.format(number=number, page=number % _pages(size)) for number in range(size))
        (folder / "golden" / "cases.yaml").write_text("".join(cases), encoding="utf-8")
        return pytest_command("-q", "-p", "jweval")

    return Contender(name, prepare, f"{size} passed", cold=cold)


def _contenders(plan: Plan) -> Sequence[Contender]:
    return (
        _program(_LOOP, _LOOP_PROGRAM, plan.size),
        _program(_LAYER, _LAYER_PROGRAM, plan.size),
        _tests(plan.size),
        _cases(_COLD, plan.size, cold=True),
        _cases(_WARM, plan.size),
        _cases(_ONE, 1),
    )


def _figures(plan: Plan) -> Sequence[Figure]:
    tests = "× the loop in tests"
    return (
        Figure("CPU time of the layer alone", "× the loop", ratio(_LAYER, _LOOP, cpu), Limit(2)),
        Figure("CPU time of a whole pytest run, cold", tests, ratio(_COLD, _LOOP_TESTS, cpu), Limit(2)),
        Figure("CPU time of a whole pytest run, warm", tests, ratio(_WARM, _LOOP_TESTS, cpu), Limit(2)),
        Figure("cases in a whole pytest run, warm", "cases/s", each_second(_WARM, _ONE, plan.size - 1)),
        Figure("peak memory of a whole pytest run", tests, ratio(_WARM, _LOOP_TESTS, memory)),
    )


CITATIONS = Benchmark(
    "citations",
    "Layer l2 on snapshots of 150 KB, five cases a page, beside `phrase.lower() in html.lower()`.",
    _contenders,
    _figures,
    full=Plan(1_000, 5),
    quick=Plan(50, 2),
)
