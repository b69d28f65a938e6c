"""Files that are whole or not there, and folders with one writer at a time."""

import os
import re
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_LOOKS_EVERY = 0.01
_TEMPORARY = re.compile(r"\..{1,40}\.[0-9a-f]{16}\.tmp", re.DOTALL)


def write_atomically(path: Path, text: str | bytes) -> None:
    r"""Replace ``path`` in one step, so that a killed process leaves the old file, never half a new one.

    A link stays a link; a pipe or a device is written to as it is. Lone surrogates, which UTF-8
    has no bytes for, are written as ``\udc80``: in JSON that is their escape.
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace")
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


def sweep(folder: Path, older_than: float = 3600) -> None:
    """Remove what killed processes left of `write_atomically`; younger files may be a living one's."""
    latest = time.time() - older_than
    with suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            if _TEMPORARY.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                # Another sweeper may be faster, and a leftover that can't be removed harms nobody.
                with suppress(FileNotFoundError, PermissionError):
                    if entry.stat(follow_symlinks=False).st_mtime <= latest:
                        Path(entry.path).unlink()


@contextmanager
def locked(path: Path, timeout: float = 60.0) -> Iterator[None]:
    """Hold ``path`` alone among all processes and threads.

    The system lets go of it when its holder dies, so no lock is ever stale. The empty file stays: if it
    were deleted, one could hold the old file while another holds a new one.
    """
    deadline = time.monotonic() + timeout
    with path.open("ab") as stream:
        while not _takes(stream.fileno()):
            if time.monotonic() >= deadline:
                raise TimeoutError(f"{path} is held by another process or thread, for {timeout:g} s now")
            time.sleep(_LOOKS_EVERY)
        try:
            yield
        finally:
            _lets_go(stream.fileno())


def _takes(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # so say POSIX and Windows that it is held
        return False
    return True


def _lets_go(handle: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_UN)
