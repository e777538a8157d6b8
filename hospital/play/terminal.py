"""The terminal: where a person is asked and shown things, with or without a real one."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from rich.console import Console, RenderableType
from rich.text import Text

from agents.leaving import BrokenOff
from hospital.columns import clean
from hospital.play.hanging import Hanging

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.buffer import Buffer

_EVERY = 0.5
"""Seconds between two times that a line under way is handed over."""
_AT_ONCE = 0.05
"""Seconds within which the next line of a paste comes."""
_MOST = 65536


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

    @property
    def width(self) -> int | None:
        """Columns to wrap to; None leaves lines as long as they are."""
        ...

    def show(self, *things: RenderableType) -> None:
        """Show things, one below another."""
        ...

    def write(self, piece: str) -> None:
        """Write a piece of a line, as it is."""
        ...

    def edit(self, text: str) -> str | None:
        """Let the person write in its editor; None if it left without saving."""
        ...


class LineTerminal:
    """A terminal that is read line by line and written from top to bottom, or none at all.

    For screen readers, for terminals that cannot move a cursor, and for pipes: no boxes, no
    colours, no line is ever written twice.

    Args:
        typed: a person types here and sees it; else lines come from a pipe and are written out.
    """

    plain = True
    width = None

    def __init__(self, typed: bool) -> None:
        self._typed = typed
        self._console = Console(
            highlight=False, color_system=None, force_terminal=False, soft_wrap=True
        )

    async def ask(
        self,
        prompt: str,
        *,
        default: str = "",
        complete: Iterable[str] = (),
        right: str = "",
        keep: Callable[[str], None] | None = None,
    ) -> str:
        """The next line; an empty one is the default."""
        self.write(f"({right}) {prompt}" if right else prompt)
        if default:
            self.write(f"[{default}] ")
        line = await (_next_typed() if self._typed else _next_line())
        if not self._typed:
            self.write(f"{line.rstrip()}\n")
        elif not line.endswith("\n"):
            self.write("\n")
        if not line:
            # What stood there of an earlier sitting is not lost.
            raise BrokenOff(default)
        return sound(line).rstrip("\r\n") or default

    def show(self, *things: RenderableType) -> None:
        """Print things."""
        _print(self._console, things)

    def write(self, piece: str) -> None:
        """Write a piece of a line."""
        self._console.out(clean(piece), end="", highlight=False)
        self._console.file.flush()

    def edit(self, text: str) -> str | None:
        """Open the editor, where there is a person."""
        return _edited(text) if self._typed else None


class RealTerminal:
    """A terminal with line editing, history, completion and multi-line paste."""

    plain = False

    def __init__(self) -> None:
        self._console = Console(highlight=False)
        self._session: PromptSession[str] | None = None

    @property
    def width(self) -> int:
        """Columns."""
        return self._console.width

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
        # Only now: the waiting room stands there already.
        from hospital.play.completion import Completions

        session = self._editor()
        with _kept(session.default_buffer, keep):
            try:
                line = await session.prompt_async(
                    [("bold", prompt)],
                    default=default,
                    completer=Completions(tuple(complete)),
                    complete_while_typing=False,
                    rprompt=right or None,
                )
            except (KeyboardInterrupt, EOFError, asyncio.CancelledError):
                raise BrokenOff(sound(session.default_buffer.text)) from None
        return sound(line)

    def show(self, *things: RenderableType) -> None:
        """Print things, wrapped to the terminal's width."""
        _print(self._console, things)

    def write(self, piece: str) -> None:
        """Write a piece of a line."""
        self._console.out(clean(piece), end="", highlight=False)
        self._console.file.flush()

    def edit(self, text: str) -> str | None:
        """Open $VISUAL or $EDITOR on the text."""
        return _edited(text)

    def _editor(self) -> PromptSession[str]:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory
        from prompt_toolkit.output import ColorDepth

        if self._session is None:
            depth = ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None
            self._session = PromptSession(history=InMemoryHistory(), color_depth=depth)
        return self._session


@contextlib.contextmanager
def _kept(buffer: Buffer, keep: Callable[[str], None] | None) -> Iterator[None]:
    """Hand over what stands on the line as it changes, but not with every key."""
    if keep is None:
        yield
        return
    loop = asyncio.get_running_loop()
    due: list[asyncio.TimerHandle] = []

    def hand_over() -> None:
        due.clear()
        keep(sound(buffer.text))

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


def _edited(text: str) -> str | None:
    """What the person made of a text in its editor; None if it left it, or there is none."""
    import click

    try:
        edited = click.edit(text, extension=".md")
    except click.ClickException:
        return None
    return edited if edited is None else sound(str(edited))


def sound(text: str) -> str:
    """Text without halves of characters, which a broken keyboard or paste can send."""
    return text.encode("utf-8", "replace").decode("utf-8")


def open_terminal(plain: bool) -> Terminal:
    """The terminal of this process; a pipe if standard input is none.

    Args:
        plain: for a screen reader.
    """
    if sys.stdin is None:
        return LineTerminal(typed=False)
    if isinstance(sys.stdin, io.TextIOWrapper):
        # A byte that is no text is a mark, not the end of the visit.
        sys.stdin.reconfigure(errors="replace")
    if not sys.stdin.isatty():
        return LineTerminal(typed=False)
    moves = sys.platform == "win32" or os.environ.get("TERM", "dumb") not in ("", "dumb", "unknown")
    if plain or not moves or not sys.stdout.isatty():
        return LineTerminal(typed=True)
    return RealTerminal()


async def _next_typed() -> str:
    """What a person types next: a line, or all lines of a paste."""
    if sys.platform == "win32":
        return await _next_line()
    return await _in_thread(_read_typed)


def _read_typed() -> str:
    import select

    keyboard = sys.stdin.fileno()
    typed = os.read(keyboard, _MOST)
    # Lines that come all at once are one text, pasted; a person is never so quick.
    while typed and select.select([keyboard], [], [], _AT_ONCE)[0]:
        more = os.read(keyboard, _MOST)
        if not more:
            break
        typed += more
    return typed.decode("utf-8", "replace")


async def _next_line() -> str:
    """The next line of standard input; "" at its end."""
    return await _in_thread(lambda: sys.stdin.readline() if sys.stdin else "")


async def _in_thread(read_one: Callable[[], str]) -> str:
    """Read without holding up the loop, or its end when the person leaves."""
    loop = asyncio.get_running_loop()
    read: asyncio.Future[str] = loop.create_future()

    def settle(line: str) -> None:
        if not read.done():
            read.set_result(line)

    def wait() -> None:
        try:
            line = read_one()
        except (OSError, ValueError):
            # A terminal that was taken away is the end of the input.
            line = ""
        # The person may have left in the meantime, and the loop with it.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, line)

    # A thread of the pool would be waited for at the end.
    threading.Thread(target=wait, daemon=True).start()
    try:
        return await read
    except asyncio.CancelledError:
        raise BrokenOff from None


def _print(console: Console, things: Sequence[RenderableType]) -> None:
    for thing in things:
        # Words of patients and models are never read as markup.
        if isinstance(thing, str):
            thing = Text(thing)
        if isinstance(thing, Text):
            # A model's control characters are shown, not obeyed.
            thing.plain = clean(thing.plain)
            if not thing.no_wrap and not console.soft_wrap:
                thing = Hanging(thing)
        whole = console.soft_wrap or (isinstance(thing, Text) and thing.no_wrap is True)
        console.print(thing, soft_wrap=whole)
