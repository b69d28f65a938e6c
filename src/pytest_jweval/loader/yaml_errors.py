"""What a YAML parser complains of, at the line that is to blame and with what can be done about it."""

import re

from yaml import MarkedYAMLError
from yaml.error import Mark
from yaml.reader import ReaderError

from pytest_jweval.loader.document import Document
from pytest_jweval.loader.places import Lines, Spot, Trouble

ODD_BREAK = re.compile("[\x85\u2028\u2029]")
"""At these the parser begins a new line and no editor does."""

_ODD_CHARACTER = re.compile("[^\t\n\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# In the words of libyaml or of PyYAML's own parser, the first that fits.
_ADVICE = [
    (r"mapping values are not allowed", "a text with a colon needs quotes; or the line is indented too far"),
    (r"expected ':'", "a key needs a colon and a blank after it"),
    (r"end of stream$", "a quote is never closed"),
    (r"Unicode character", "write the character itself"),
    (r"escape|hexdeci", "in double quotes a backslash begins an escape; single quotes take it as it is"),
    (r"flow (sequence|mapping|node)", "check the commas, brackets and quotes"),
    (r"expected key|<block end>|'-' indicator", "check the indentation and the quotes"),
    (r"<document start>", "nothing but a line of --- may follow the end of a case"),
]


def not_yaml(document: Document, error: MarkedYAMLError) -> Trouble:
    mark, begin = error.problem_mark, error.context_mark
    message = ", ".join(part for part in (error.context, error.problem) if part)
    if begin and mark and ("expected ':'" in message or mark.index >= len(document.text.rstrip())):
        mark = begin  # what was never closed stands where it was opened, not at the end of the file
    if begin and mark and begin.line != mark.line:
        message += f" (it begins in line {_spot(document, begin).line})"
    if advice := _advice(document, error.problem or "", message, mark):
        message += f": {advice}"
    line, column, _ = _spot(document, mark) if mark else Spot(document.lines_above + 1, 1)
    return Trouble(f"not readable as YAML: {message}", line, column)


def _advice(document: Document, problem: str, message: str, mark: Mark | None) -> str | None:
    if "cannot start any token" in problem and mark:
        found = document.text[mark.index : mark.index + 1]
        return (
            f"a text that begins with {found} needs quotes"
            if found.strip()
            else "YAML is indented with spaces"
        )
    return next((advice for words, advice in _ADVICE if re.search(words, message)), None)


def odd_character(document: Document, error: ReaderError) -> Trouble:
    found = _ODD_CHARACTER.search(document.text)
    if found is None:
        return Trouble(f"not readable as YAML: {error.reason}", document.lines_above + 1)
    line, column, _ = Lines(document.text, document.lines_above).spot(found.start())
    return Trouble(f"the character U+{ord(found[0]):04X} can't stand in a YAML file", line, column)


def odd_escape(document: Document) -> Trouble:
    r"""PyYAML's own parser lets an escape like ``\UFFFFFFFF`` through, and Python refuses it."""
    message = "not readable as YAML: an escape in it stands for no character: write the character itself"
    return Trouble(message, document.lines_above + 1)


def _spot(document: Document, mark: Mark) -> Spot:
    # By its offset, because its line may be one that no editor shows: see above, and after the last one.
    return Lines(document.text, document.lines_above).spot(mark.index)
