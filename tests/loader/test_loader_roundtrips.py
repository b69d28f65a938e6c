"""What is written is what is read, and where it is written is where it is said to be."""

import json
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytest_jweval.loader import json_text, placed_json, yaml_text
from pytest_jweval.loader.document import Document
from pytest_jweval.loader.places import Spots
from pytest_jweval.records import GoldenCase

json_numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | json_numbers | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(value=json_values, ascii_only=st.booleans(), indent=st.sampled_from([None, 0, 2]))
@settings(deadline=None)
def test_our_json_reader_reads_what_pythons_reads(value: Any, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    for deep in (False, True):
        read = placed_json.read(Document(text, 0, placed_json.read), {}, deep)
        assert read == json.loads(text)
        assert json.dumps(read) == json.dumps(json.loads(text))  # tells 1 from 1.0 and from true


@given(value=json_values, ascii_only=st.booleans())
@settings(deadline=None)
def test_a_line_of_jsonl_is_read_the_same_with_and_without_places(value: Any, ascii_only: bool) -> None:
    document = Document(json.dumps(value, ensure_ascii=ascii_only), 0, json_text.read_line)
    assert document.value()[0] == placed_json.read(document, {}, True) == value


@given(value=json_values, indent=st.sampled_from([None, 1]))
@settings(deadline=None)
def test_every_value_of_a_json_text_stands_where_it_is_said_to_stand(value: Any, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    spots: Spots = {}
    placed_json.read(Document(text, 0, placed_json.read), spots, True)
    lines = text.split("\n")
    for path, spot in spots.items():
        at_spot = lines[spot.line - 1][spot.column - 1 :]
        wanted = path[-1] if path and isinstance(path[-1], str) else _at(value, path)
        begin = json.dumps(wanted, ensure_ascii=False)[:1]
        assert at_spot.startswith(
            begin if isinstance(wanted, dict | list) else json.dumps(wanted, ensure_ascii=False)
        )


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        value = value[part]
    return value


# Numbers that YAML's core schema and Python's YAML writer spell the same way.
numbers = st.integers() | st.floats(-1e6, 1e6).map(lambda number: round(number, 3))
texts = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\u2028\u2029\ufeff\uffff"))
names = st.text("abcdefghijklmnopqrstuvwxyzABCZ0123456789_-", min_size=1, max_size=20)
data = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(texts.filter(lambda key: key != "<<"), inner, max_size=3)
    ),
    max_leaves=10,
)
mappings = st.dictionaries(texts.filter(lambda key: key not in ("", "<<")), data, max_size=4)
words = st.lists(texts.filter(bool), max_size=3)


@st.composite
def cases(draw: st.DrawFn) -> dict[str, Any]:
    samples = draw(st.integers(1, 9))
    case: dict[str, Any] = {"id": draw(names), "layer": "bench", "expected": draw(mappings)}
    case["samples"] = samples
    optional = {
        "agent": texts.filter(bool),
        "input": mappings,
        "metadata": mappings,
        "tags": words,
        "marks": words,
        "must_pass": st.booleans(),
        "pass_at_least": st.integers(1, samples),
    }
    return case | {key: draw(value) for key, value in optional.items() if draw(st.booleans())}


@given(case=cases(), indent=st.sampled_from([None, 2]), ascii_only=st.booleans())
@settings(deadline=None)
def test_a_case_written_as_json_comes_back(
    case: Any, indent: int | None, ascii_only: bool, loaded: Any
) -> None:
    text = json.dumps(case, indent=indent, ensure_ascii=ascii_only)
    (entry,) = loaded(text, "case.json")
    assert entry.case == GoldenCase.model_validate(case)


@given(many=st.lists(cases(), min_size=1, max_size=4))
@settings(deadline=None)
def test_cases_written_as_jsonl_come_back(many: Any, loaded: Any) -> None:
    entries = loaded("\n".join(json.dumps(case) for case in many), "many.cases.jsonl")
    assert [entry.case for entry in entries] == [GoldenCase.model_validate(case) for case in many]
    assert [entry.source.line for entry in entries] == list(range(1, len(many) + 1))


@pytest.mark.parametrize("parser", [yaml.CSafeLoader, yaml.SafeLoader], ids=["libyaml", "python"])
@given(many=st.lists(cases(), min_size=1, max_size=3), flow=st.booleans())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_cases_written_as_yaml_come_back(
    parser: Any, many: Any, flow: bool, loaded: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = yaml.dump_all(
        many,
        Dumper=_CoreDumper,
        allow_unicode=True,
        default_flow_style=flow,
        sort_keys=False,
        explicit_start=True,
    )
    with monkeypatch.context() as patch:
        patch.setattr(yaml_text, "Parser", parser)
        entries = loaded(text)
    assert [entry.case for entry in entries] == [GoldenCase.model_validate(case) for case in many]


class _CoreDumper(yaml.SafeDumper):
    """Writes whole what it writes, and quotes what any reader could take for something else."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


_CoreDumper.add_representer(
    str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"')
)


@st.composite
def placed_yaml(draw: st.DrawFn) -> tuple[str, dict[tuple[str | int, ...], tuple[int, int]]]:
    """A YAML text, made line by line, and where we put each key and each item."""
    lines = draw(st.lists(st.sampled_from(["# a comment", "", "   # another"]), max_size=3))
    spots: dict[tuple[str | int, ...], tuple[int, int]] = {}

    def add(path: tuple[str | int, ...], indent: int, depth: int) -> None:
        for key in draw(st.lists(names, min_size=1, max_size=3, unique=True)):
            lines.extend(draw(st.lists(st.sampled_from(["", " # é"]), max_size=1)))
            inner = (*path, key)
            spots[inner] = (len(lines) + 1, indent + 1)
            kind = draw(
                st.sampled_from(
                    ["plain", "folded", "block", "list", "flow", "mapping"][: 6 if depth < 3 else 3]
                )
            )
            if kind == "mapping":
                lines.append(f'{" " * indent}"{key}":')
                add(inner, indent + draw(st.integers(1, 4)), depth + 1)
            elif kind == "list":
                lines.append(f'{" " * indent}"{key}":')
                for number in range(draw(st.integers(1, 3))):
                    lines.append(f"{' ' * indent}  -   item")
                    spots[(*inner, number)] = (len(lines), indent + 7)
            elif kind == "flow":
                lines.append(f'{" " * indent}"{key}": [é, {{b: 1}}]')
                begin = indent + len(key) + 6
                spots[(*inner, 0)], spots[(*inner, 1)] = (len(lines), begin), (len(lines), begin + 3)
                spots[(*inner, 1, "b")] = (len(lines), begin + 4)
            else:
                text = {"plain": ["x"], "folded": ["x", "  y"], "block": ["|", "      ---", "      z"]}[kind]
                lines.append(f'{" " * indent}"{key}": {text[0]}')
                lines.extend(" " * indent + line for line in text[1:])

    add((), 0, 0)
    return "\n".join(lines), spots


@pytest.mark.parametrize("parser", [yaml.CSafeLoader, yaml.SafeLoader], ids=["libyaml", "python"])
@given(placed=placed_yaml(), line_end=st.sampled_from(["\n", "\r\n", "\r"]), above=st.integers(0, 3))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_key_of_a_yaml_text_stands_where_we_put_it(
    parser: Any, placed: Any, line_end: str, above: int, loaded: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, wanted = placed
    whole = "a: b\n---\n" * above + text
    with monkeypatch.context() as patch:
        patch.setattr(yaml_text, "Parser", parser)
        source = loaded(b"\xef\xbb\xbf" + whole.replace("\n", line_end).encode())[-1].source
        found = source._document().spots()
    del found[()]
    assert {key: (spot.line - 2 * above, spot.column) for key, spot in found.items()} == wanted
