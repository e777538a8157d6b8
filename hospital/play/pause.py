"""A visit that is watched can be paused: the keys that hold it and let it go on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator


class Pace:
    """Holds a visit between two messages while it is paused.

    Args:
        seconds: how long each message is given to be read.
        changed: told whether it is paused now.
    """

    def __init__(
        self, seconds: float = 0.0, changed: Callable[[bool], None] = lambda paused: None
    ) -> None:
        self._changed = changed
        self._seconds = seconds
        self._go = asyncio.Event()
        self._go.set()
        self._left = asyncio.Event()
        self.stopped = False
        """True once the watcher has left."""

    async def next(self) -> None:
        """Wait until the next message may come."""
        with contextlib.suppress(TimeoutError):
            # Whoever leaves does not wait for the end of the message.
            await asyncio.wait_for(self._left.wait(), self._seconds)
        await self._go.wait()

    def press(self, key: str) -> None:
        """Space or `p` pauses and goes on, `q` and Ctrl-C leave; others do nothing."""
        if key in ("q", "c-c", "Q"):
            self.stopped = True
            self._left.set()
            self._go.set()
        elif key in (" ", "p", "P"):
            if self._go.is_set():
                self._go.clear()
            else:
                self._go.set()
            self._changed(self.paused)

    @property
    def paused(self) -> bool:
        """True while the visit is held."""
        return not self._go.is_set()


@contextlib.contextmanager
def keys_of(pace: Pace, *, real: bool) -> Iterator[None]:
    """Let the keyboard work on a pace, where there is one."""
    if not real:
        yield
        return
    from prompt_toolkit.input import create_input

    keyboard = create_input()

    def read() -> None:
        for press in keyboard.read_keys():
            pace.press(str(getattr(press.key, "value", press.key)))

    with keyboard.raw_mode(), keyboard.attach(read):
        yield
