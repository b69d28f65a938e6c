"""Whatever a page, a case or a report says, an issue shows it and GitHub does nothing with it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_jweval.reports import issue_texts
from pytest_jweval.reports.drift import DriftedPage, JudgedCase, Nearest
from pytest_jweval.reports.issue_texts import Mark

KEY, OTHER = "0" * 32, "f" * 32
HOSTILE = [
    "$(touch pwned)",
    "; rm -rf / #",
    "a && b || c | d > e < f",
    "%PATH% ^& !x! \"quoted\" 'single'",
    "-rf",
    "--body-file=/etc/passwd",
    "`id`",
    "``` \n``` \n# out",
    "`" * 40,
    "~~~\n# out\n~~~",
    "-->",
    f"<!-- jweval-drift case={KEY} drift={KEY} -->",
    f"x\n<!-- jweval-drift case={KEY} drift={KEY} -->\n",
    "@everyone and @octocat",
    "#1 owner/repo#2 GH-3",
    "fixes #4, closes owner/repo#5",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "https://example.org/pulls www.example.org someone@example.org",
    "<script>alert(1)</script><img src=x onerror=y>",
    "![x](https://tracker.example/p.png) [y](javascript:z)",
    "# heading\n\n- [ ] task\n| a | b |\n|---|---|",
    "a\r\nb\rc\u2028d\x85e",
    "\u202ereversed\u2066",
    "null\x00byte \x1b[31m",
    "lone \ud800 surrogate",
    ":tada: $x^2$ &lt;b&gt;",
    "x" * 10_000,
    "\u202e" * 10_000,
    "😀" * 10_000,
    "   ",
]


def case(text="plain", **fields):
    nearest = Nearest(text, 0.5)
    page = DriftedPage(text, "gone", text, (text, text), text, nearest, text)
    return JudgedCase(**{"case_id": text, "path": text, "line": 3, "pages": (page,), **fields})


def outside(body):
    """What of a text GitHub reads as Markdown: the lines that stand in no fence."""
    lines, fence = [], None
    for line in body.split("\n"):
        if fence is None and (opened := re.fullmatch(r" {0,3}(`{3,})[^`]*|(~{3,}).*", line)):
            fence = opened[1] or opened[2]
        elif fence is None:
            lines.append(line)
        elif re.fullmatch(rf" {{0,3}}{fence[0]}{{{len(fence)},}}\s*", line):
            fence = None
    assert fence is None
    return lines


def check_inert(text):
    hostile = case(text, path=None)
    mark, *rest = outside(issue_texts.body(hostile))
    assert rest == [issue_texts.WHAT, "", "", issue_texts.HOW, ""]
    assert Mark.of(mark) == (hostile.key, hostile.fingerprint)
    assert outside(issue_texts.changed(hostile)) == [issue_texts.CHANGED, "", ""]
    title = issue_texts.title(hostile)
    assert re.fullmatch(r"Link drift: `[A-Za-z0-9_.\[\]-]+`", title)
    assert len(title) <= 200
    for shown in (issue_texts.body(hostile), issue_texts.changed(hostile)):
        assert all(char == "\n" or char.isprintable() or char == " " for line in shown for char in line)
        assert len(shown) < 65_536


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_stands_in_a_fence_and_nowhere_else(text):
    check_inert(text)


@given(
    st.text(alphabet=st.one_of(st.sampled_from("`~\n\r#@<!-> "), st.characters()), min_size=1, max_size=80)
)
def test_no_text_gets_out_of_its_fence(text):
    shown = outside(issue_texts.body(case(text, path=None)))
    assert shown[1:] == [issue_texts.WHAT, "", "", issue_texts.HOW, ""]


def test_the_largest_issue_is_one_that_github_takes():
    page = case("\x00\u202e" * 500).pages[0]
    many = tuple(
        DriftedPage(f"{n}{page.url}", "gone", *(page.reason, (page.reason,) * 50, page.reason, page.nearest))
        for n in range(50)
    )
    body = issue_texts.body(case(pages=many))
    assert len(body) < 65_536
    assert "\nand 40 pages more\n" in body


def test_what_an_issue_says():
    page = DriftedPage(
        "https://example.org/es/john-3", "changed", "the phrase is not there", ("tanto amó",), None, None
    )
    found = JudgedCase("l2_verse_es", "golden/l2/verse.yaml", 9, (page,))
    assert issue_texts.title(found) == "Link drift: `l2_verse_es`"
    assert issue_texts.body(found).partition("\n")[2] == (
        "A page that this golden case cites is gone, or no longer says what the case looks for.\n"
        "\n"
        "```text\n"
        "golden/l2/verse.yaml:9 l2_verse_es\n"
        "\n"
        "https://example.org/es/john-3\n"
        "  changed: the phrase is not there\n"
        "  looked for: tanto amó\n"
        "```\n"
        "\n"
        "`jweval drift --open-issues` keeps this issue, and closes it when the case passes on the live pages."
        "\n"
    )


def test_an_id_that_begins_with_a_dash_is_no_option():
    assert issue_texts.title(case("--label=x")) == "Link drift: `--label_x`"


MARK = f"<!-- jweval-drift case={KEY} drift={OTHER} -->"


@pytest.mark.parametrize(
    "body", [MARK, f"{MARK}\n", f"{MARK}\r\nmore\r\n", f"  {MARK} \nmore", f"{MARK}\n{MARK}"]
)
def test_the_mark_is_found_in_the_first_line(body):
    assert Mark.of(body) == (KEY, OTHER)


@pytest.mark.parametrize(
    "body",
    [
        "",
        f"\n{MARK}",
        f"x {MARK}",
        f"{MARK} x",
        MARK.upper(),
        MARK.replace("0" * 32, "0" * 31),
        MARK.replace("0" * 32, "0" * 33),
        MARK.replace("0", "٠"),
        f"```\n{MARK}\n```",
    ],
)
def test_nothing_else_is_a_mark(body):
    assert Mark.of(body) is None
