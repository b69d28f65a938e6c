"""Pages that would keep a parser busy for minutes, or kill it, are read like any other."""

import subprocess
import sys
import time

import pytest

from pytest_jweval.web.hiding import names
from pytest_jweval.web.text import read_text

MEGABYTE = 1_000_000
FORMATS = names("b big code em font i s small strike strong tt u")

HOSTILE = {
    "nests": "<div>",
    "hidden nests": "<div hidden>",
    "unclosed formats": "<b>",
    "formats in blocks": "<b><div>",
    "lists": "<ul><li>",
    "lists of two kinds": "<li><dd>",
    "tables": "<table><td>",
    "tables that close nothing": "<div><table></div></table>",
    "ends of nothing": "<div></x>",
    "ends in comments": "<div><!--</div>-->",
    "options": "<option>",
    "groups": "<optgroup><option>",
    "annotations": "<rt>",
    "links": "<a href=x><div>",
    "buttons": "<p><button>",
    "templates": "<template><div>",
    "drawings": "<svg><g>",
    "shapes": "<path/>",
    "attributes": "<a a",
    "quotes": '<a b="',
    "comments": "<!--",
    "scripts": "<script><!--",
    "instructions": "<?",
    "less than": "<",
    "ampersands": "&",
    "references": "&amp;",
    "nothing": "\0",
    "halves": "\ud800",
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_a_megabyte_of_one_thing_takes_seconds_at_most(unit):
    began = time.process_time()
    page = read_text(unit * (MEGABYTE // len(unit)) + "end")
    assert time.process_time() - began < 3
    assert page.shown.endswith("end") or "end" not in page.shown


@pytest.mark.parametrize(
    "html",
    [
        "<select>" + "<option>x" * 100_000,
        "".join(f"<font size={number}>" for number in range(5000)) + "<p>x" * 100_000,
        "".join(f"<p><font size={number}>x" for number in range(50_000)),
        "".join(f"<{tag}>" * 3 for tag in FORMATS) + "<p>x" * 100_000,
        "<div " + " ".join(f"a{number}" for number in range(150_000)) + ">x",
        "<div " + " ".join(f'a{number}=">"' for number in range(100_000)) + " title=hidden>x",
        "<div" + " " * MEGABYTE + ">x",
        "<i style='" + "display:block;" * 70_000 + "'>x",
        "".join(f"<x{number}>" for number in range(100_000)) + "x",
    ],
    ids=["options", "formats", "in blocks", "threes", "attributes", "quoted", "spaces", "style", "names"],
)
def test_a_megabyte_of_many_things_takes_seconds_at_most(html):
    began = time.process_time()
    assert read_text(html).shown.endswith("x")
    assert time.process_time() - began < 3


@pytest.mark.parametrize("opening", ["<div>", "<b>", "<span hidden>", "<svg><g>"])
def test_a_million_nested_tags_do_not_kill_the_process(opening):
    program = f"from pytest_jweval.web.text import *; print(read_text({opening!r} * 1_000_000 + 'end'))"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("PageText(shown='")


def test_what_stands_deeper_than_a_parser_goes_is_still_read():
    deep = 20_000
    html = "a" + "<div>" * deep + "b<i>c</i>d<br>e" + "</div>" * deep + "f<p hidden>g</p>h"
    assert read_text(html).shown == "a bcd e f h"


def test_a_long_page_of_unclosed_items_is_no_nest():
    items = "".join(f"<li>{number}<p>x<b hidden>y</b>" for number in range(5000))
    lists = f"<ul>{items}</ul><dl>{'<dt>a<dd>b' * 2000}</dl><select>{'<option>c' * 900}</select>"
    html = f"{lists}<i hidden>z</i>"
    words = read_text(html).shown.split()
    assert words == [w for n in range(5000) for w in (str(n), "x")] + ["a", "b"] * 2000 + ["c"] * 900
