"""The terminal: where a person is asked and shown things, with or without a real one."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from rich.console import Console, RenderableType
from rich.text import Text

from agents.human import BrokenOff
from hospital.columns import clean

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer

_EVERY = 0.5
"""Seconds between two times that a line under way is handed over."""


class Terminal(Protocol):
    """What a chair needs of a terminal."""

    @property
    def plain(self) -> bool:
        """True for a screen reader or a pipe: no boxes, no colours, a label before every line."""
        ...

    async def ask(
        self,
        prompt: str,
        *,
        default: str = "",
        complete: Iterable[str] = (),
        right: str = "",
        keep: Callable[[str], None] | None = None,
    ) -> str:
        """Ask for a line, or a pasted text of several.

        Args:
            prompt: stands before what is typed.
            default: stands there already.
            complete: what Tab completes to.
            right: stands at the right margin.
            keep: handed what stands on the line, twice a second while it changes.

        Raises:
            BrokenOff: Ctrl-C, Ctrl-D, or the end of the input; `typed` holds what stood there.
        """
        ...

    def show(self, *things: RenderableType, style: str = "") -> None:
        """Show things, one below another."""
        ...

    def write(self, piece: str) -> None:
        """Write a piece of a line, as it is."""
        ...

    def edit(self, text: str) -> str | None:
        """Let the person write in its editor; None if it left without saving."""
        ...


class PipedTerminal:
    """No real terminal: lines come from standard input, output goes as it is."""

    plain = True

    def __init__(self) -> None:
        self.console = Console(highlight=False, no_color=True, soft_wrap=True)

    async def ask(
        self,
        prompt: str,
        *,
        default: str = "",
        complete: Iterable[str] = (),
        right: str = "",
        keep: Callable[[str], None] | None = None,
    ) -> str:
        """The next line of standard input, echoed; an empty one is the default."""
        line = await _next_line()
        if not line:
            raise BrokenOff
        self.console.print(Text(f"{prompt}{line.rstrip()}"))
        return line.rstrip("\r\n") or default

    def show(self, *things: RenderableType, style: str = "") -> None:
        """Print things."""
        _print(self.console, things, "")

    def write(self, piece: str) -> None:
        """Write a piece of a line."""
        self.console.out(clean(piece), end="", highlight=False)
        self.console.file.flush()

    def edit(self, text: str) -> str | None:
        """There is no editor behind a pipe."""
        return None


class RealTerminal:
    """A terminal with line editing, history, completion and multi-line paste.

    Args:
        plain: leave out boxes and colours.
    """

    def __init__(self, plain: bool = False) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory

        self.plain = plain
        colourless = plain or bool(os.environ.get("NO_COLOR"))
        self.console = Console(highlight=False, no_color=colourless)
        self._session: PromptSession[str] = PromptSession(history=InMemoryHistory())

    async def ask(
        self,
        prompt: str,
        *,
        default: str = "",
        complete: Iterable[str] = (),
        right: str = "",
        keep: Callable[[str], None] | None = None,
    ) -> str:
        """A line with history and completion; Enter sends, a paste may hold several lines."""
        from hospital.play.completion import Completions

        with self._kept(keep):
            return await self._ask(prompt, default, Completions(tuple(complete)), right)

    async def _ask(self, prompt: str, default: str, complete: Completer, right: str) -> str:
        try:
            return await self._session.prompt_async(
                prompt,
                default=default,
                completer=complete,
                complete_while_typing=False,
                rprompt=right or None,
            )
        except (KeyboardInterrupt, EOFError):
            raise BrokenOff(self._session.default_buffer.text) from None
        except asyncio.CancelledError:
            raise BrokenOff(self._session.default_buffer.text) from None

    @contextlib.contextmanager
    def _kept(self, keep: Callable[[str], None] | None) -> Iterator[None]:
        """Hand over what stands on the line as it changes, but not with every key."""
        if keep is None:
            yield
            return
        loop = asyncio.get_running_loop()
        buffer = self._session.default_buffer
        due: list[asyncio.TimerHandle] = []

        def hand_over() -> None:
            due.clear()
            keep(buffer.text)

        def changed(_: object) -> None:
            if not due:
                due.append(loop.call_later(_EVERY, hand_over))

        buffer.on_text_changed += changed
        try:
            yield
        finally:
            buffer.on_text_changed -= changed
            for timer in due:
                timer.cancel()

    def show(self, *things: RenderableType, style: str = "") -> None:
        """Print things, wrapped to the terminal's width."""
        _print(self.console, things, "" if self.plain else style)

    def write(self, piece: str) -> None:
        """Write a piece of a line."""
        self.console.out(clean(piece), end="", highlight=False)
        self.console.file.flush()

    def edit(self, text: str) -> str | None:
        """Open $VISUAL or $EDITOR on the text."""
        import click

        edited = click.edit(text, extension=".md")
        return edited if edited is None else str(edited)


def open_terminal(plain: bool) -> Terminal:
    """The terminal of this process; a pipe if standard input is none."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return RealTerminal(plain)
    return PipedTerminal()


async def _next_line() -> str:
    """Read standard input without holding up the loop, or its end when the person leaves."""
    loop = asyncio.get_running_loop()
    read: asyncio.Future[str] = loop.create_future()

    def settle(line: str) -> None:
        if not read.done():
            read.set_result(line)

    def wait() -> None:
        line = sys.stdin.readline()
        # The person may have left in the meantime, and the loop with it.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, line)

    # A thread of the pool would be waited for at the end.
    threading.Thread(target=wait, daemon=True).start()
    try:
        return await read
    except asyncio.CancelledError:
        raise BrokenOff from None


def _print(console: Console, things: Sequence[RenderableType], style: str) -> None:
    for thing in things:
        # Words of patients and models are never read as markup.
        if isinstance(thing, str):
            thing = Text(thing, style=style)
        if isinstance(thing, Text):
            # A model's control characters are shown, not obeyed.
            thing.plain = clean(thing.plain)
        console.print(thing)
