"""Files that are whole or not there."""

import secrets
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    r"""Replace ``path`` in one step, so that a killed process leaves the old file, never half a new one.

    A link stays a link; a pipe or a device is written to as it is. Lone surrogates, which UTF-8
    has no bytes for, are written as ``\udc80``: in JSON that is their escape.
    """
    data = text.encode("utf-8", "backslashreplace")
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    target = path.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    # Cut, because a name may be as long as the file system allows before anything is added to it.
    temporary = target.with_name(f".{target.name[:40]}.{secrets.token_hex(8)}.tmp")
    try:
        # "x" gives it the permissions of any other new file, and never somebody else's file.
        with temporary.open("xb") as stream:
            stream.write(data)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
