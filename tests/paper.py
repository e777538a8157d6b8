"""A terminal on paper for tests: a person whose lines are written down beforehand."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rich.console import Console, RenderableType
from rich.text import Text

from agents.leaving import BrokenOff


@dataclass(frozen=True)
class Asked:
    """One question to the person: what stood before the line, and what it is offered."""

    prompt: str
    default: str
    complete: tuple[str, ...]
    right: str


class Slow(str):
    """A line that the person is still at when its time is over."""


class Cut(str):
    """What stood on the line when the person was cut off."""


class Paper:
    """Keeps what was written, piece by piece.

    Args:
        lines: what the person types, in turn; it leaves once they are used up. A function is
            called with the terminal at the time when the person is asked, and gives the line.
        plain: as for a screen reader.
        width: columns to wrap to; None leaves lines as they are.
        edited: what the person makes of a text in its editor; None has no editor.
    """

    def __init__(
        self,
        lines: Iterable[str | Callable[[Paper], str]] = (),
        *,
        plain: bool = False,
        width: int | None = None,
        edited: Callable[[str], str | None] = lambda text: None,
    ) -> None:
        self.plain = plain
        self.width = width
        self.pieces: list[str] = []
        self.asked: list[Asked] = []
        self._lines = iter(lines)
        self._edited = edited

    @property
    def text(self) -> str:
        """All that was written."""
        return "".join(self.pieces)

    def write(self, piece: str) -> None:
        self.pieces.append(piece)

    def show(self, *things: RenderableType) -> None:
        for thing in things:
            if isinstance(thing, Text | str):
                self.pieces.append(f"{thing}\n")
            else:
                console = Console(file=io.StringIO(), width=self.width or 10_000)
                console.print(thing)
                assert isinstance(console.file, io.StringIO)
                written = (line.rstrip() for line in console.file.getvalue().splitlines())
                self.pieces.append("".join(f"{line}\n" for line in written))

    async def ask(
        self,
        prompt: str,
        *,
        default: str = "",
        complete: Iterable[str] = (),
        right: str = "",
        keep: Callable[[str], None] | None = None,
    ) -> str:
        self.asked.append(Asked(prompt, default, tuple(complete), right))
        line = next(self._lines, None)
        if callable(line):
            line = line(self)
        if line is None:
            raise BrokenOff(default)
        if isinstance(line, Cut):
            raise BrokenOff(str(line))
        if isinstance(line, Slow):
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                raise BrokenOff(str(line)) from None
        self.pieces.append(f"{prompt}{line}\n")
        return line or default

    def edit(self, text: str) -> str | None:
        return self._edited(text)
