"""The connections that are open now."""

import socket
import threading
from contextlib import suppress


class OpenLines:
    """So that they can be hung up while other threads wait for what comes in on them."""

    def __init__(self) -> None:
        self.closed = threading.Event()
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()

    def add(self, line: socket.socket) -> None:
        with self._lock:
            if self.closed.is_set():
                raise ConnectionAbortedError("nobody waits for it any more")
            self._open.add(line)

    def remove(self, line: socket.socket) -> None:
        with self._lock:
            self._open.discard(line)

    def end(self, line: socket.socket) -> None:
        self.remove(line)
        line.close()

    def close(self) -> None:
        with self._lock:
            self.closed.set()
            for line in self._open:
                _hang_up(line)


def _hang_up(line: socket.socket) -> None:
    """Wakes whoever waits for it; closing it would not."""
    with suppress(OSError):  # the other side may have been first
        line.shutdown(socket.SHUT_RDWR)
