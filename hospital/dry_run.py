"""`hospital bench --dry-run`: what a run still owes, and what that is likely to cost."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean

from rich.console import Console

from agents.model.spec_text import models_in
from agents.seats import Seats, needs_model
from hospital.columns import Row, Sheet, names_in_sheets
from hospital.holding import DONE, INTERRUPTED, Means, hold_all
from hospital.rehearsal import rehearse
from records.ledger import Ledger, LedgerWriter, RunConfig
from records.mark import Mark
from records.medical_record import MedicalRecord, Paper
from records.visit import DOCTOR, Usage, Visit, VisitOrder

_REHEARSED = 2
"""Cases that a rehearsal takes."""

Group = tuple[str, str]
"""Doctor and setting."""


class Likely(Paper):
    """What one visit or mark takes, on average. None is unknown."""

    calls: float = 0.0
    prompt_tokens: float | None = 0.0
    completion_tokens: float | None = 0.0
    cost: float | None = 0.0
    """US dollars."""


class Estimate(Paper):
    """What is owed of one doctor in one setting, or of marks by one judge."""

    who: str
    setting: str
    owed: int
    """Visits, or marks."""
    judged_by: str
    """`visits` held for real, `rehearsal`, `nothing` where no model is asked, or `unknown`."""
    one: Likely | None
    """One visit or mark; None if nothing is known of it."""


def dry_run(
    directory: Path,
    config: RunConfig,
    records: Sequence[MedicalRecord],
    means: Means,
    console: Console,
    *,
    probes: int,
    as_json: bool,
) -> int:
    """Estimate what a run still owes and print it.

    Args:
        directory: the run's; made only if probes are held.
        config: what is wanted of it.
        records: its cases.
        means: what visits are held with.
        console: for what is told beside the estimate.
        probes: visits of each doctor and setting to be held for real, if they were not yet.
        as_json: print the estimate as JSON.

    Returns:
        The exit code, `DONE` or `INTERRUPTED`.
    """
    orders = config.orders(records)
    groups: dict[Group, list[VisitOrder]] = defaultdict(list)
    for order in orders:
        groups[order.doctor, order.setting].append(order)
    marked_by_model = any(models_in(judge) for judge in config.judges)
    held = _final(directory)
    wanted = [
        order
        for group in groups.values()
        if needs_model(group[0]) or marked_by_model
        for order in group[:probes]
        if order.key not in held
    ]
    if wanted:
        line = f"Holding {len(wanted)} visits to judge by; they are kept in {directory}."
        console.print(line, highlight=False, soft_wrap=True)
        with LedgerWriter(directory, config, records) as ledger:
            if hold_all(ledger, means, console, wanted).code == INTERRUPTED:
                return INTERRUPTED
        held = _final(directory)
    by_id = {record.id: record for record in records}
    estimates = asyncio.run(_estimate(config, groups, held, _marks(directory), by_id, means))
    if as_json:
        print(json.dumps([e.model_dump(mode="json") for e in estimates], ensure_ascii=False))
    else:
        _print(Console(), estimates, means)
    return DONE


def _final(directory: Path) -> dict[str, Visit]:
    return {key: v for key, v in Ledger(directory).visits().items() if v.ending.final}


def _marks(directory: Path) -> list[Mark]:
    return Ledger(directory).marks()


async def _estimate(
    config: RunConfig,
    groups: dict[Group, list[VisitOrder]],
    held: dict[str, Visit],
    marks: Sequence[Mark],
    records: dict[str, MedicalRecord],
    means: Means,
) -> list[Estimate]:
    seats = Seats(prompts=means.words, table=means.table, keys=means.keys)
    estimates = []
    markings: list[Usage] = []
    try:
        for (doctor, setting), orders in groups.items():
            owed = sum(order.key not in held for order in orders)
            done = [held[order.key] for order in orders if order.key in held]
            judged_by = "nothing"
            one: Likely | None = Likely()
            if needs_model(orders[0]):
                if done:
                    judged_by, one = "visits", _of_visits(done)
                elif setting == "conference":
                    judged_by, one = "unknown", None
                else:
                    some = orders[:_REHEARSED]
                    tried = [
                        await rehearse(o, records[o.record_id], seats, means.words) for o in some
                    ]
                    markings += [marking for _, marking in tried]
                    likely = [_priced(used, orders[0], means) for used, _ in tried]
                    judged_by, one = "rehearsal", _mean(likely)
            estimates.append(
                Estimate(who=doctor, setting=setting, owed=owed, judged_by=judged_by, one=one)
            )
        if not markings and any(models_in(judge) for judge in config.judges):
            order = next(orders[0] for orders in groups.values())
            single = order.model_copy(update={"setting": "interaction"})
            record = records[order.record_id]
            markings = [(await rehearse(single, record, seats, means.words))[1]]
    finally:
        await seats.close()
    total = sum(map(len, groups.values()))
    for judge in config.judges:
        if models_in(judge):
            own = [mark for mark in marks if mark.judge == judge]
            made = {mark.visit_key for mark in own}
            used = [_of_mark(mark) for mark in own if mark.usage is not None]
            price = means.table.resolve(judge).price
            guessed = [_likely([u], [price.cost(*_tokens(u)) if price else None]) for u in markings]
            estimates.append(
                Estimate(
                    who=judge,
                    setting="marks",
                    owed=total - len(made),
                    judged_by="visits" if used else "rehearsal",
                    one=_mean(used or guessed),
                )
            )
    return estimates


def _of_visits(visits: Sequence[Visit]) -> Likely:
    return _mean([_likely(v.usage.values(), [v.cost if v.cost_complete else None]) for v in visits])


def _of_mark(mark: Mark) -> Likely:
    return _likely([mark.usage] if mark.usage else [], [mark.cost])


def _priced(used: dict[str, Usage], order: VisitOrder, means: Means) -> Likely:
    costs: list[float | None] = []
    for role, usage in used.items():
        (model, *_) = models_in(order.doctor if role == DOCTOR else order.npc)
        price = means.table.resolve(model).price
        costs.append(price.cost(*_tokens(usage)) if price else None)
    return _likely(used.values(), costs)


def _likely(usages: Iterable[Usage], costs: Iterable[float | None]) -> Likely:
    every = list(usages)
    return Likely(
        calls=sum(usage.calls for usage in every),
        prompt_tokens=_sum(usage.prompt_tokens for usage in every),
        completion_tokens=_sum(usage.completion_tokens for usage in every),
        cost=_sum(costs),
    )


def _mean(several: Sequence[Likely]) -> Likely:
    def mean(name: str) -> float | None:
        known = [value for one in several if (value := getattr(one, name)) is not None]
        return fmean(known) if known else None

    return Likely(**{name: mean(name) for name in Likely.model_fields})


def _sum(values: Iterable[float | None]) -> float | None:
    """The sum; None if one is unknown."""
    known = list(values)
    return None if None in known else sum(value for value in known if value is not None)


def _tokens(usage: Usage) -> tuple[int, int]:
    return usage.prompt_tokens or 0, usage.completion_tokens or 0


def _print(console: Console, estimates: Sequence[Estimate], means: Means) -> None:
    headings = ("Doctor", "Setting", "Owed", "Calls", "Tokens in", "Tokens out", "US$", "By")
    rows = tuple(
        Row((e.who, e.setting, f"{e.owed:,}", *_cells([e]), e.judged_by)) for e in estimates
    )
    total = Row(("all", "", "", *_cells(estimates), ""))
    sheet = Sheet(headings, (*rows, total), "Doctor", frozenset({"Setting", "By"}))
    names = names_in_sheets(sheet.names, [sheet], console.width)
    sheet.print(console, names)
    cost = _times(estimates, "cost")
    if cost is not None and means.max_cost is not None and cost > means.max_cost:
        console.print(f"More than --max-cost {means.max_cost:g}.", style="yellow")


def _cells(estimates: Sequence[Estimate]) -> tuple[str, ...]:
    calls, prompt, completion, cost = (_times(estimates, name) for name in Likely.model_fields)
    counts = ("?" if n is None else f"{n:,.0f}" for n in (calls, prompt, completion))
    return (*counts, "?" if cost is None else f"{cost:,.2f}")


def _times(estimates: Sequence[Estimate], name: str) -> float | None:
    return _sum(
        None if e.one is None else (None if (v := getattr(e.one, name)) is None else v * e.owed)
        for e in estimates
        if e.owed
    )
