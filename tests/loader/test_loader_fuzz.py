"""Whatever a file holds, `load` answers with cases and problems, and raises nothing."""

from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_jweval.loader import Ids, yaml_text

GOOD = "id: a\nagent: x\nlayer: l1\ninput: {q: [1, 'b']}\nexpected:\n  min_findings: 1\n"
GOOD_JSON = '{"id": "a", "agent": "x", "layer": "l1", "input": {"q": 1}, "expected": {"min_findings": 1}}'
PIECES = [
    *(
        "id",
        "layer",
        "l1",
        "expected",
        "name",
        "surface",
        "conversation",
        "a",
        "1",
        "0x",
        "1e9",
        ".",
        "~",
        "no",
    ),
    *(
        "\n",
        "\n  ",
        "\n- ",
        "\n---\n",
        "\n...\n",
        "---",
        "%YAML 1.2\n",
        "# c\n",
        "\r\n",
        "\r",
        "\t",
        " ",
        ": ",
        ":",
    ),
    *(
        "{",
        "}",
        "[",
        "]",
        ",",
        "? ",
        "- ",
        "&a ",
        "*a",
        "!",
        "!!str ",
        "<<: ",
        "|",
        ">",
        "|2\n",
        '"',
        "'",
        "\\",
    ),
    *(
        '"\\ud800"',
        '"\\U99999999"',
        '"\\x',
        "\x00",
        "\x85",
        "\u2028",
        "\ufeff",
        "é",
        "😀",
        "null",
        "true",
        "NaN",
    ),
]
NAMES = st.sampled_from(["a.yaml", "a.yml", "a.json", "a.cases.jsonl"])
yaml_like = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@st.composite
def spoiled(draw: st.DrawFn, text: str) -> str:
    """A good file with something cut out and something put in."""
    begin = draw(st.integers(0, len(text)))
    end = draw(st.integers(begin, min(len(text), begin + 10)))
    return text[:begin] + draw(yaml_like | st.text(max_size=5)) + text[end:]


def check(data: bytes | str, name: str, loaded: Any) -> None:
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    entries = loaded(raw, name)
    lines = raw.count(b"\n") + raw.count(b"\r") + 1
    assert entries
    assert len({entry.name for entry in entries}) == len(entries)
    ids = Ids()
    for entry in map(ids.checked, entries):
        assert entry.name
        assert entry.header.case_id
        assert (entry.case is None) == bool(entry.misses)
        assert 1 <= (entry.header.line or 0) <= lines
        for miss in entry.misses:
            assert miss.reason
            assert miss.line is not None
            assert miss.column is not None
            assert 1 <= miss.line <= lines
            assert miss.column >= 1
            entry.source.lines_around(miss.line)


@pytest.mark.parametrize("parser", [yaml.CSafeLoader, yaml.SafeLoader], ids=["libyaml", "python"])
@given(data=st.binary() | st.text() | yaml_like | spoiled(GOOD) | spoiled(GOOD_JSON), name=NAMES)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_content_makes_load_raise(
    parser: Any, data: bytes | str, name: str, loaded: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(yaml_text, "Parser", parser)
        check(data, name, loaded)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = ["id", "agent", "layer", "input", "expected", "metadata", "tags", "marks", "must_pass", "samples"]
odd_cases = st.dictionaries(st.sampled_from([*KEYS, "pass_at_least", "nam"]), json_values, max_size=6)


@given(
    case=odd_cases,
    expected=st.dictionaries(
        st.sampled_from(["min_findings", "must_have_source", "required_keywords_any", "json_schema", "x"]),
        json_values,
        max_size=3,
    ),
)
@settings(max_examples=400, deadline=None)
def test_no_values_in_a_case_make_load_raise(case: Any, expected: Any, loaded: Any) -> None:
    data = yaml.safe_dump({"layer": "l1", "expected": expected, **case}, allow_unicode=True)
    check(data, "a.yaml", loaded)
