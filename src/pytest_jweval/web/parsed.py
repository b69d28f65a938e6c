"""The texts of snapshots, kept from one run to the next: reading HTML is most of what a check costs."""

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from zlib import crc32

from pytest_jweval import __version__
from pytest_jweval.files import write_atomically
from pytest_jweval.web.text import PageText, read_text

_FORM = 1  # to be raised with any change of what `read_text` makes of a page


class ParsedPages:
    """Each text stands in a file that is named like its snapshot, behind a hash of the HTML it was read from.
    It is a cache: what is missing, old or damaged is read anew, and what can't be written is not kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def text_of(self, path: Path) -> PageText:
        html = path.read_bytes()
        if self._folder is None:
            return read_text(html)
        kept = self._folder / f"{path.stem}.txt"
        stamp = sha256(f"{__version__} {_FORM} ".encode() + html).hexdigest()
        text = _found(kept, stamp)
        if text is None:
            text = read_text(html)
            with suppress(OSError):
                write_atomically(kept, _as_bytes(text, stamp))
        return text


def _found(kept: Path, stamp: str) -> PageText | None:
    try:
        head, _, body = kept.read_bytes().partition(b"\n")
    except OSError:
        return None
    if head.decode("ascii", "replace") != f"{stamp} {crc32(body)}":
        return None
    shown, _, folded = body.decode("utf-8", "surrogatepass").partition("\n")
    return PageText(shown, folded)


def _as_bytes(text: PageText, stamp: str) -> bytes:
    body = f"{text.shown}\n{text.folded}".encode("utf-8", "surrogatepass")
    return f"{stamp} {crc32(body)}\n".encode("ascii") + body
