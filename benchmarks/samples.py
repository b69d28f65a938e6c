"""The projects that contenders run."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.harness.parts import Contender
from benchmarks.harness.process import pytest_command

CASE = """\
id: l1_verse_{number:06}_en
agent: verses
layer: l1
input:
  reference: "{reference}"
  language: en
expected:
  min_findings: 1
  must_have_source: verse_text
  must_have_citation: true
  required_keywords_any: ["God so loved the world"]
tags: [verses]
"""

_CONFTEST = """\
{kind} verses(question):
    text = question["reference"] + ": For God so loved the world"
    return {{"findings": [{{"text": text, "source": "verse_text", "url": "https://example.org/43/3"}}]}}

def pytest_jweval_agents(config):
    return {{"verses": verses}}
"""

_BARE = """\
import pytest

@pytest.mark.parametrize("number", range({size}))
def test_bare(number):
    assert number >= 0
"""


def bare(name: str, size: int) -> Contender:
    """As many parametrized tests as there are cases, that do nothing."""

    def prepare(folder: Path) -> Sequence[str]:
        _begin(folder)
        (folder / "test_bare.py").write_text(_BARE.format(size=size), encoding="utf-8")
        return pytest_command("-q")

    return Contender(name, prepare, f"{size} passed")


def golden(
    name: str,
    write: Callable[[Path, int], None],
    size: int,
    *,
    cold: bool = False,
    only_collected: bool = False,
    agent_is_async: bool = False,
) -> Contender:
    def prepare(folder: Path) -> Sequence[str]:
        _begin(folder)
        kind = "async def" if agent_is_async else "def"
        (folder / "conftest.py").write_text(_CONFTEST.format(kind=kind), encoding="utf-8")
        (folder / "golden").mkdir()
        write(folder / "golden", size)
        return pytest_command("-q", "-p", "jweval", *(["--collect-only"] if only_collected else []))

    collected = f"{size} {'test' if size == 1 else 'tests'} collected"
    return Contender(name, prepare, collected if only_collected else f"{size} passed", cold=cold)


def files(golden: Path, size: int) -> None:
    """One case in each."""
    for number, case in enumerate(_cases(size)):
        (golden / f"verse_{number:06}.yaml").write_text(case, encoding="utf-8")


def one_file(golden: Path, size: int) -> None:
    """Each case a document."""
    _write_documents(golden, _cases(size))


def one_question(golden: Path, size: int) -> None:
    """Each case a document, and all ask the same."""
    _write_documents(golden, _cases(size, "John 3:16"))


def _write_documents(golden: Path, cases: Iterator[str]) -> None:
    with (golden / "verses.yaml").open("w", encoding="utf-8") as stream:
        stream.writelines(f"---\n{case}" for case in cases)


def _cases(size: int, reference: str = "John 3:{number}") -> Iterator[str]:
    for number in range(size):
        yield CASE.format(number=number, reference=reference.format(number=number))


def _begin(folder: Path) -> None:
    """With an ini file of its own, so that pytest looks no further up for its root."""
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
