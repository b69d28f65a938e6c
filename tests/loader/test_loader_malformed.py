"""Files that are no YAML, or none of the YAML that is read here: each is one problem, at its place."""

import time
from typing import Any

import pytest
import yaml

from pytest_jweval.loader import yaml_text

# name: (what the file holds, a part of the message, line:column)
SAMPLES: dict[str, tuple[str | bytes, str, str]] = {
    # indentation
    "tab before a key": ("\tid: a\n", "YAML is indented with spaces", "1:1"),
    "tab as indentation": ("id: a\nexpected:\n\tmin_findings: 1\n", "YAML is indented with spaces", "3:1"),
    "tab after a dash": ("id: a\ntags:\n-\t- x\n -\ty\n", "YAML is indented with spaces", "3:2"),
    "key too far right": ("id: a\n  agent: x\n", "the line is indented too far", "2:8"),
    "key too far left": ("a:\n    b: 1\n  c: 2\n", "check the indentation", "3:3"),
    "dash beside a key": ("id: a\n- x\n", "check the indentation", "2:1"),
    "key beside dashes": ("tags:\n  - a\n  b: 1\n", "check the indentation", "3:3"),
    "text left of its block": ("id: a\nagent: >2\n y\n", "check the indentation", "3:2"),
    "blanks right of their block": ("id: a\nagent: |\n     \n  y\n", "check the indentation", "4:3"),
    # keys
    "no colon": ("id: a\nagent\nlayer: l1\n", "a key needs a colon", "2:1"),
    "no blank after the colon": ("id:a\nagent: x\n", "not readable as YAML", "2:6"),
    "key over two lines": ("id: a\nagent\n  name: x\n", "a key needs a colon", "2:1"),
    "no key before the colon": ("id: a\n: b\n", "check the indentation and the quotes", "2:1"),
    "nothing between question mark and colon": ("?\n: b\n", "a key is empty", "1:2"),
    "list as a key": ("? [a, b]\n: c\n", "a key must be a plain text", "1:3"),
    "flow list as a key": ("[a, b]: c\n", "a key must be a plain text", "1:1"),
    "mapping as a key": ("? {a: b}\n: c\n", "a key must be a plain text", "1:3"),
    "template as a value": ("id: a\nagent: {{ agent }}\n", "a key must be a plain text", "2:9"),
    "alias as a key": ("id: &a x\n? *a\n: y\n", "a key must be a plain text", "2:3"),
    "same key twice": ("id: a\nagent: x\nid: b\n", "the key 'id' stands here again (first in line 1)", "3:1"),
    "same key, other quotes": (
        "id: a\ninput:\n  q: 1\n  'q': 2\n",
        "'q' stands here again (first in line 3)",
        "4:3",
    ),
    "same key in braces": ("id: a\ninput: {q: 1, q: 2}\n", "'q' stands here again (first in line 2)", "2:15"),
    # brackets, quotes, special characters
    "bracket never closed": ("id: a\ntags: [x, y\n", "check the commas, brackets", "2:7"),
    "bracket never closed in one line": ("[", "check the commas, brackets", "1:2"),
    "brace never closed": ("id: a\ninput: {q: 1\nagent: x\n", "(it begins in line 2)", "3:6"),
    "bracket closed by a brace": ("id: a\ntags: [x}\n", "check the commas, brackets", "2:9"),
    "no comma": ('id: a\ninput: {"q": 1 "r": 2}\n', "check the commas, brackets", "2:19"),
    "comma first": ("tags: [, a]\n", "check the commas, brackets", "1:8"),
    "two commas": ("tags: [a, , b]\n", "check the commas, brackets", "1:11"),
    "double quote never closed": ('id: a\nagent: "x\nlayer: l1\n', "a quote is never closed", "2:8"),
    "single quote never closed": ("id: a\nagent: 'x\nlayer: l1\n", "a quote is never closed", "2:8"),
    "text after a quote": ('id: "a" b\n', "check the indentation and the quotes", "1:9"),
    "text after a brace": ("{id: a} b\n", "nothing but a line of ---", "1:9"),
    "two braces": ("{id: a}\n{id: b}\n", "nothing but a line of ---", "2:1"),
    "colon in a text": ("id: a\nagent: b: c\n", "a text with a colon needs quotes", "2:9"),
    "text that begins with @": ("id: @a\n", "a text that begins with @ needs quotes", "1:5"),
    "text that begins with `": ("id: `a`\n", "a text that begins with ` needs quotes", "1:5"),
    "text that begins with %": ("id: %a\n", "a text that begins with % needs quotes", "1:5"),
    "text that begins with &": ("id: &\n", "while scanning an anchor", "1:5"),
    "strange block header": ("id: a\nagent: |x\n  y\n", "while scanning a block scalar", "2:9"),
    "block indented by 0": ("id: a\nagent: |0\n  y\n", "while scanning a block scalar", "2:9"),
    # escapes and characters
    "unknown escape": (r'id: "a\q"', "a backslash begins an escape", "1:7"),
    "escape cut short": (r'id: "\x4"', "a backslash begins an escape", "1:8"),
    "half a surrogate pair": (r'id: "\ud83d"', "write the character itself", "1:8"),
    "surrogate pair": (r'id: "\ud83d\ude00"', "write the character itself", "1:8"),
    "half a surrogate pair in a key": (
        r'id: a\n"\ud83d": b'.replace(r"\n", "\n"),
        "write the character itself",
        "2:4",
    ),
    "escape beyond Unicode": (r'id: "\U00110000"', "write the character itself", "1:8"),
    "NUL": (b"id: a\nagent: \x00\n", "U+0000 can't stand in a YAML file", "2:8"),
    "bell": (b"id: a\nagent: x\x07\n", "U+0007 can't stand in a YAML file", "2:9"),
    "terminal escape": (b"id: a\nagent: \x1b[31m\n", "U+001B can't stand in a YAML file", "2:8"),
    "delete": (b"id: a\nagent: \x7f\n", "U+007F can't stand in a YAML file", "2:8"),
    "noncharacter": ("id: a\nagent: é\uffff\n", "U+FFFF can't stand in a YAML file", "2:9"),
    # anchors, merge keys, tags
    "alias to nothing": ("id: *a\n", "*a names nothing", "1:5"),
    "alias to another document": ("# &b\nid: *b\n", "*b names nothing", "2:5"),
    "alias inside its own anchor": ("id: &a [*a]\n", "*a names nothing that stands complete above it", "1:9"),
    "two anchors": ("id: &a &b x\n", "check the indentation and the quotes", "1:8"),
    "merge key": ("base: &b {agent: x}\nid: a\n<<: *b\n", "merge keys (<<) are not read", "3:1"),
    "merge key with a list": ("base: &b {agent: x}\nid: a\n<<: [*b, *b]\n", "merge keys (<<)", "3:1"),
    "python object": (
        "id: !!python/object/apply:os.system ['true']\n",
        "tags are not read here: !!python",
        "1:5",
    ),
    "python name": (
        "id: a\nagent: !!python/name:os.system\n",
        "tags are not read here: !!python/name",
        "2:8",
    ),
    "string tag": ("id: !!str 42\n", "tags are not read here: !!str", "1:5"),
    "tag of a key": ("!!str id: a\n", "tags are not read here: !!str", "1:1"),
    "tag of a mapping": ("id: a\ninput: !!map {q: 1}\n", "tags are not read here: !!map", "2:8"),
    "binary": ("id: a\ninput: !!binary aGk=\n", "tags are not read here: !!binary", "2:8"),
    "set": ("id: a\ntags: !!set {a, b}\n", "tags are not read here: !!set", "2:7"),
    "own tag": ("id: !case a\n", "tags are not read here: !case", "1:5"),
    "bare tag": ("id: ! a\n", "tags are not read here: !", "1:5"),
    "tag with an undeclared handle": ("id: !e!x a\n", "undefined tag handle", "1:5"),
    # numbers
    "infinity": ("id: a\nmetadata: {n: .inf}\n", ".inf is no number that can be compared", "2:15"),
    "negative infinity": ("id: a\nmetadata: {n: -.INF}\n", "-.INF is no number", "2:15"),
    "not a number": ("id: a\nmetadata: {n: .nan}\n", ".nan is no number that can be compared", "2:15"),
    "float too large": ("id: a\nmetadata: {n: 1e999}\n", "1e999 is too large for a number", "2:15"),
    # documents
    "directive without a document": ("%YAML 1.2\nid: a\n", "nothing but a line of ---", "2:1"),
    "directive inside a document": ("id: a\n%TAG ! x\n", "nothing but a line of ---", "3:1"),
    "text": ("hello\n", "a case is a mapping with the keys id, agent", "1:1"),
    "text after ---": ("--- hello\n", "a case is a mapping with the keys", "1:5"),
    "number": ("\n42\n", "a case is a mapping with the keys", "2:1"),
    "null": ("~\n", "a case is a mapping with the keys", "1:1"),
    "list of cases": ("# cases\n\n- id: a\n- id: b\n", "stand apart by lines of ---", "3:1"),
    "empty list": ("[]\n", "not a list", "1:1"),
    # not YAML at all
    "Markdown": ("# Title\n\nSome text: with, a colon: here\n", "a text with a colon needs quotes", "3:25"),
    "HTML": ("<html>\n<body>id: a</body>\n", "not readable as YAML", "2:9"),
    "merge conflict": ("<<<<<<< HEAD\nid: a\n=======\nid: b\n>>>>>>> b\n", "not readable as YAML", "2:3"),
    "empty": ("", "the file holds no case", "1:1"),
    "blank": ("\n   \n\n", "the file holds no case", "1:1"),
    "only comments": ("# a\n  # b\n", "the file holds no case", "1:1"),
    "only separators": ("---\n---\n...\n", "the file holds no case", "1:1"),
    "only a directive": ("%YAML 1.2\n---\n", "the file holds no case", "1:1"),
    "only a byte order mark": (b"\xef\xbb\xbf", "the file holds no case", "1:1"),
    # bytes
    "Latin-1": ("id: a\nagent: año\n".encode("latin-1"), "the file is not UTF-8", "2:9"),
    "Latin-1 after UTF-8": ("id: é\nagent: ".encode() + b"\xff\n", "the file is not UTF-8", "2:8"),
    "Latin-1 after CRLF": (b"id: a\r\nagent: \xe9\r\n", "the file is not UTF-8", "2:8"),
    "Latin-1 after a mark": (b"\xef\xbb\xbf\xe9: a\n", "the file is not UTF-8", "1:1"),
    "UTF-16": ("id: a\n".encode("utf-16"), "the file is not UTF-8 (it looks like UTF-16)", "1:1"),
    "UTF-16 without a mark": ("id: a\n".encode("utf-16-le"), "U+0000 can't stand in a YAML file", "1:2"),
    "UTF-8 cut short": ("id: a\nagent: é".encode()[:-1], "the file is not UTF-8", "2:8"),
    "surrogate in UTF-8": (b"id: \xed\xa0\x80\n", "the file is not UTF-8", "1:5"),
    "gzip": (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb", "the file is not UTF-8", "1:2"),
}


@pytest.mark.parametrize(("data", "fragment", "at"), SAMPLES.values(), ids=SAMPLES)
def test_what_cant_be_read_is_one_problem_at_its_place(
    data: Any, fragment: str, at: str, loaded: Any
) -> None:
    began = time.process_time()
    (entry,) = loaded(data)
    assert time.process_time() - began < 1
    (miss,) = entry.misses
    assert entry.case is None
    assert fragment in miss.reason
    assert f"{miss.line}:{miss.column}" == at
    assert entry.header.line == miss.line


@pytest.mark.parametrize(("data", "fragment", "at"), SAMPLES.values(), ids=SAMPLES)
def test_it_is_the_same_problem_without_libyaml(
    data: Any, fragment: str, at: str, loaded: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_text, "Parser", yaml.SafeLoader)
    (entry,) = loaded(data)
    (miss,) = entry.misses
    assert fragment in miss.reason
    assert miss.line == int(at.partition(":")[0])


def test_there_are_enough_samples() -> None:
    assert len(SAMPLES) >= 80
