"""Bytes of a page as text."""

import codecs
import re

from pytest_jweval.web.hiding import attributes_of, names

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}

# Browsers take the charsets below for larger ones, and know no others than these.
_READ_AS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "utf-16": "utf-16-le",
}
_KNOWN = names(
    """
    utf-8 utf-16-le utf-16-be gb18030 big5hkscs euc_jp iso2022_jp cp932 cp949 cp866 cp874 koi8-r koi8-u
    mac-roman mac-cyrillic cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 iso8859-2
    iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14
    iso8859-15 iso8859-16
    """
)

_LABEL = re.compile(r"""charset\s*=\s*["']?\s*([a-z0-9_.:-]+)""", re.IGNORECASE | re.ASCII)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_META = re.compile(r"<meta(?=[\s/])([^>]*)", re.IGNORECASE)
_WHERE_BROWSERS_LOOK = 1024


def decoded(html: bytes, content_type: str | None = None) -> str:
    """As a browser reads it; a byte that its charset doesn't know becomes U+FFFD."""
    for mark, charset in _BYTE_ORDER_MARKS.items():
        if html.startswith(mark):
            return html[len(mark) :].decode(charset, "replace")
    if declared := _labelled(content_type or "") or _declared(html):
        return html.decode(declared, "replace")
    try:
        return html.decode()
    except UnicodeDecodeError:
        return html.decode("cp1252", "replace")


def _declared(html: bytes) -> str | None:
    """By a ``meta`` element; its own word for UTF-16 can't be true, since it was read as ASCII."""
    begin = _COMMENT.sub("", html[:_WHERE_BROWSERS_LOOK].decode("latin-1"))
    for tag in _META.findall(begin):
        found = attributes_of(tag)
        label = f"charset={found.get('charset', '')}"
        if found.get("http-equiv", "").strip().lower() == "content-type":
            label = f"{label};{found.get('content', '')}"
        if charset := _labelled(label):
            return "utf-8" if charset.startswith("utf-16") else charset
    return None


def _labelled(text: str) -> str | None:
    return next(filter(None, map(_charset, _LABEL.findall(text))), None)


def _charset(label: str) -> str | None:
    name = label.lower().removeprefix("x-").replace("windows-", "cp").removesuffix("-i")
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    charset = _READ_AS.get(codec, codec)
    return charset if charset in _KNOWN else None
