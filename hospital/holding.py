"""Holding what a run owes from the command line: the purse, the display, and being stopped."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from hospital.run_display import RunDisplay, print_summary
from records.jsonl import read_lines
from records.ledger import LedgerWriter
from records.visit import Visit, VisitOrder

if TYPE_CHECKING:
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable
    from agents.seats import Seats
    from evaluation.linking import Linking
    from hospital.experiment import Progress
    from prompts import Prompts

DONE = 0
UNFINISHED = 3
INTERRUPTED = 130


@dataclass(frozen=True)
class Means:
    """What visits are held with, beside the run's configuration; none of it decides a reply."""

    words: Prompts
    table: ModelTable
    keys: Keys
    specs: tuple[str, ...]
    """Of all seats as typed, with the limits in them."""
    concurrency: int = 8
    timeout: float = 300.0
    cache: Path | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    linking: Linking | None = None
    """How diseases are scored; by our own terminology and its codes if None."""
    earlier_runs: tuple[tuple[str, tuple[Visit, ...]], ...] = ()
    """Other runs by name, whose consultations conferences need not hold again."""


@dataclass(frozen=True)
class Outcome:
    """How holding ended."""

    code: int
    """The exit code: `DONE`, `UNFINISHED` if an order has no mark, or `INTERRUPTED`."""
    owed: bool
    """True if the same command again has something to do."""
    used_up: bool = False
    """True if it has so with a larger budget alone."""


def hold_all(
    ledger: LedgerWriter, means: Means, console: Console, orders: Sequence[VisitOrder] | None = None
) -> Outcome:
    """Hold and mark what the run owes, show how far it is, and sum up.

    Args:
        ledger: the run, held by this process.
        means: what visits are held with.
        console: to show it on.
        orders: only these of the run; None for all.
    """
    from hospital.experiment import run

    seats = make_seats(ledger, means)
    budget = seats.clients.budget
    display = RunDisplay(console)

    async def hold_and_mark() -> Progress:
        try:
            with _stopped_by_signals(seats.clients.bar):
                async with display.following(budget.spent, seats.clients.limiters):
                    return await run(
                        ledger,
                        seats,
                        means.words,
                        orders=orders,
                        linking=means.linking,
                        concurrency=means.concurrency,
                        earlier_runs=means.earlier_runs,
                        on_progress=display.show,
                    )
        finally:
            await seats.close()

    # A doctor that prints must not spoil what is printed for a machine to read.
    with display, contextlib.redirect_stdout(sys.stderr):
        try:
            progress = asyncio.run(hold_and_mark())
        except (KeyboardInterrupt, asyncio.CancelledError):
            if display.progress is None or not display.progress.complete:
                return Outcome(INTERRUPTED, owed=True)
            progress = display.progress
    print_summary(console, progress, budget.spent)
    code = DONE if progress.all_marked else UNFINISHED
    return Outcome(code, not progress.complete, budget.used_up is not None)


@contextlib.contextmanager
def _stopped_by_signals(bar: Callable[[], None]) -> Iterator[None]:
    """Let SIGINT and SIGTERM cancel the current task; the second one does not wait for it.

    The handlers run between two steps of the program, however many replies are being read just
    then: no request goes out after them.

    Args:
        bar: shuts the door to the endpoints.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    received: list[int] = []

    def stop(number: int, frame: object) -> None:
        if received or task is None:
            raise KeyboardInterrupt
        received.append(number)
        bar()
        loop.call_soon_threadsafe(task.cancel)

    ours = threading.current_thread() is threading.main_thread()
    numbers = (signal.SIGINT, signal.SIGTERM) if ours else ()
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def make_seats(ledger: LedgerWriter, means: Means) -> Seats:
    """The people of a run, whose models share its journal, log, cache and purse."""
    from agents.model.budget import Budget
    from agents.model.call_log import CallLog
    from agents.model.reply_cache import ReplyCache
    from agents.seats import Seats

    budget = Budget(means.max_cost, means.max_tokens)
    seats = Seats(
        prompts=means.words,
        journal=ledger.journal,
        timeout=means.timeout,
        table=means.table,
        keys=means.keys,
        cache=ReplyCache(means.cache) if means.cache else None,
        calls=CallLog(ledger.directory / "calls.jsonl"),
        budget=budget,
    )
    seats.clients.keep_limits(means.specs)
    journal = read_lines(ledger.directory / "journal.jsonl")
    seats.clients.count_earlier((entry["reply"] for _, entry in journal), means.specs)
    return seats
