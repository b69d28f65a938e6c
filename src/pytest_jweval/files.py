"""Files that are whole or not there."""

import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    r"""Replace ``path`` in one step, so that a killed process leaves the old file, never half a new one.

    Lone surrogates, which UTF-8 has no bytes for, are written as ``\\udc80``: in JSON that is their escape.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode("utf-8", "backslashreplace"))
        _as_other_new_files(temporary)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _as_other_new_files(path: str) -> None:
    """mkstemp makes files that only their owner reads; a report should be as readable as any new file."""
    mask = os.umask(0)
    os.umask(mask)
    Path(path).chmod(0o666 & ~mask)
