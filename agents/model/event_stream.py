"""Server-sent events out of the bytes of a reply, as they come."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LINE_END = re.compile(rb"\r\n|\n|\r(?=.)", re.DOTALL)
DONE = b"[DONE]"
"""The data of the last event, where an endpoint sends one."""


class EventStream:
    """Reads the `data` of each event, `DONE` last; of what else it may hold nothing is needed.

    A body without any event is kept: it is a reply of an endpoint that does not stream.
    """

    def __init__(self) -> None:
        self.ended = False
        """True once the endpoint said `[DONE]`; what comes after is not read."""
        self._pending: list[bytes] = []
        self._data: list[bytes] = []
        self._is_stream = False
        self._other: list[bytes] = []

    def feed(self, piece: bytes) -> Iterator[bytes]:
        """Take what came; yields the data of each event that is now whole."""
        self._pending.append(piece)
        if b"\n" not in piece and b"\r" not in piece:
            return
        *lines, begun = _LINE_END.split(b"".join(self._pending))
        self._pending = [begun]
        for line in lines:
            yield from self._line(line)

    @property
    def rest(self) -> bytes:
        """At the end: the data of an event that nothing followed, or a body that held no event."""
        last = b"".join(self._pending).rstrip(b"\r")
        left = [*self._line(last), *self._line(b"")]
        self._pending = []
        if self._is_stream:
            return left[0] if left else b""
        return b"\n".join(self._other).strip()

    def _line(self, line: bytes) -> Iterator[bytes]:
        if self.ended:
            return
        name, _, value = line.partition(b":")
        if name == b"data":
            self._is_stream = True
            value = value.removeprefix(b" ")
            if value.strip() == DONE:
                self.ended = True
                yield DONE
            else:
                self._data.append(value)
        elif not line:
            if self._data:
                data, self._data = b"\n".join(self._data), []
                yield data
        elif not self._is_stream and name not in (b"", b"event", b"id", b"retry"):
            self._other.append(line)
