"""An event loop whose time passes only when everybody waits, so that a minute takes no time.

run_virtually(main())   # asyncio.sleep(60) in it returns at once, and loop.time() is 60 later
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class VirtualLoop(asyncio.SelectorEventLoop):
    """Jumps to the next timer when nothing is ready."""

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__()

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        if not self._ready:  # type: ignore[attr-defined]
            timers = [t.when() for t in self._scheduled if not t.cancelled()]  # type: ignore[attr-defined]
            self._now = max(self._now, min(timers, default=self._now))
        super()._run_once()  # type: ignore[misc]


def run_virtually(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)
