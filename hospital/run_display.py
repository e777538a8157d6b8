"""What a run under way shows: visits done, calls, tokens, dollars, and whom it waits for."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import sys
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from hospital.columns import shortened

if TYPE_CHECKING:
    from agents.model.budget import Spent
    from agents.model.limiter import Limiter
    from hospital.experiment import Progress as RunProgress

_REFRESH = 0.5
"""Seconds between two looks at what is spent."""
_PLAIN = 60.0
"""Seconds between two lines where there is no terminal to redraw."""
_LONGEST_REASON = 160


class RunDisplay:
    """A bar on a terminal, a line a minute elsewhere; a context manager."""

    def __init__(self, console: Console, what: str = "visits") -> None:
        self._console = console
        self._what = what
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[spent]}"),
            console=console,
            transient=True,
        )
        self._task = self._bar.add_task(what, total=None, spent="")
        self.progress: RunProgress | None = None
        """The last that was shown."""

    def __enter__(self) -> RunDisplay:
        """Begin to draw."""
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar away."""
        self._bar.stop()

    def show(self, progress: RunProgress) -> None:
        """Show how far the run is."""
        self.progress = progress
        self._bar.update(self._task, total=progress.total, completed=progress.done)

    @contextlib.asynccontextmanager
    async def following(self, spent: Spent, limiters: Sequence[Limiter]) -> AsyncIterator[None]:
        """Show what is spent, and the waits, as long as this lasts."""
        task = asyncio.create_task(self._follow(spent, limiters))
        try:
            yield
        finally:
            task.cancel()

    async def _follow(self, spent: Spent, limiters: Sequence[Limiter]) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time() + _PLAIN
        while True:
            await asyncio.sleep(_REFRESH)
            line = "; ".join(part for part in (spent_line(spent), waits_line(limiters)) if part)
            self._bar.update(self._task, spent=line)
            if not self._console.is_terminal and loop.time() >= due and self.progress:
                due = loop.time() + _PLAIN
                done = f"{self.progress.done} of {self.progress.total} {self._what}"
                self._console.print("; ".join((done, line)) if line else done, highlight=False)


def spent_line(spent: Spent) -> str:
    """Calls, tokens and dollars in one line; "" before the first call."""
    if not spent.calls:
        return ""
    calls = "1 call" if spent.calls == 1 else f"{spent.calls:,} calls"
    tokens = f"{'about ' if spent.unknown else ''}{spent.tokens:,} tokens"
    return f"{calls}, {tokens}, {dollars(spent)}"


def dollars(spent: Spent) -> str:
    """What is known of the cost."""
    if spent.unpriced == spent.calls:
        return "cost unknown"
    least = "at least " if spent.unpriced or spent.unknown else ""
    return f"{least}${spent.known_cost:,.4f}"


def waits_line(limiters: Sequence[Limiter]) -> str:
    """How many calls wait for their endpoint, and for how long it asked to be left alone."""
    waiting = sum(limiter.waiting for limiter in limiters)
    if not waiting:
        return ""
    paused = max((limiter.paused for limiter in limiters), default=0.0)
    told = f", which asked for {paused:.0f} s" if paused >= 1 else ""
    return f"{waiting:,} waiting for the endpoint{told}"


def print_summary(console: Console, progress: RunProgress, spent: Spent) -> None:
    """Say what was spent, and by kind what is owed and what gets no mark."""
    if progress.earlier:
        text = f"{progress.earlier} of {progress.total} visits were held earlier and stand."
        console.print(text, highlight=False)
    if line := spent_line(spent):
        told = f"Models so far: {line}."
        if spent.unknown:
            told += f" {_of(spent.unknown, 'call')} without reported usage: tokens are estimated."
        if spent.unpriced:
            told += f" {_of(spent.unpriced, 'call')} without a known price."
        console.print(told, highlight=False, soft_wrap=True)
    for ending, reasons in sorted(progress.unfinished.items(), key=lambda item: item[0].value):
        _print_kind(console, f"still owed: {ending.value}", reasons)
    _print_kind(console, "without a mark: the judge failed", progress.unmarked)
    filtered = "without a mark, and not tried again: content_filtered"
    _print_kind(console, filtered, progress.filtered)


def _print_kind(console: Console, what: str, reasons: Mapping[str, int]) -> None:
    """How many of a kind, and the commonest reason."""
    if not reasons:
        return
    total = sum(reasons.values())
    ((reason, times),) = Counter(reasons).most_common(1)
    mostly = "" if times == total else f" ({times} times, and {len(reasons) - 1} other reasons)"
    line = f"{total} {what}: {shortened(reason, _LONGEST_REASON)}{mostly}"
    console.print(line, style="yellow", markup=False, highlight=False, soft_wrap=True)


def _of(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("s are" if count != 1 else " is")


def tell_how_to_go_on(console: Console, what: str) -> None:
    """Print the command that takes up what this one left, to be copied."""
    resume = shlex.join(["hospital", *sys.argv[1:]])
    text = f"{what}\n  {resume}"
    console.print(text, style="bold", markup=False, highlight=False, soft_wrap=True)
