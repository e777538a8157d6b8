"""`hospital audit judge`: reports with known merits, and what a judge makes of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from hospital.bench_command import gather_cases
from hospital.holding import INTERRUPTED, UNFINISHED, Means, make_seats
from hospital.marks_bar import marks_bar
from hospital.model_options import KeyFile, ModelsFile, PromptsDirectory
from hospital.run_display import tell_how_to_go_on
from hospital.spending_options import Cache, MaxCost, MaxTokens, cache_directory, check_prices
from records.errors import Fault, InputError
from records.ledger import LedgerWriter, RunConfig, SharedSettings
from records.medical_record import canonical_hash
from records.program import program_version
from records.visit import Ending, Visit

if TYPE_CHECKING:
    from evaluation.probes import Probe

AUDIT = "audit"
"""What the configuration of an audit's run says it was imported from."""

audit_app = typer.Typer(help="Try out those who judge.", no_args_is_help=True, add_completion=False)


@audit_app.callback()
def _group() -> None:
    """Keep `judge` a command of its own while it is the only one."""


@audit_app.command("judge")
def audit_judge(
    judge: Annotated[
        list[str] | None,
        typer.Option(
            help="Who is tried: rubric, PROVIDER/MODEL, or URL#MODEL. Repeatable. "
            "[default: rubric]",
            show_default=False,
        ),
    ] = None,
    cases: Annotated[
        list[str] | None,
        typer.Option(
            help="A file of cases, or 'library' for the bundled ones. Repeatable. "
            "[default: library]",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(min=1, help="Only the first N cases of each language.", show_default=False),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of every random choice.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN",
            help="Where reports and marks are kept, as a run. [default: runs/audit-<hash>]",
            show_default=False,
        ),
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Marks under way at once.")] = 8,
    prompts: PromptsDirectory = None,
    models: ModelsFile = None,
    key_file: KeyFile = None,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    cache: Cache = None,
    json_: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Have a judge mark reports of known merit: is it steady, blind to manner, awake?

    Each case gives a faithful report, the same once more, four rewrites that keep its content,
    and planted errors; three other cases' reports are marked against it. The same command again
    goes on where it was stopped; nothing is paid for twice.
    """
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable
    from agents.model.spec_text import without_limits
    from agents.seats import check_spec
    from evaluation.audit import sum_up
    from evaluation.probes import probes
    from hospital.audit_tables import print_audit
    from prompts import Prompts

    typed = tuple(judge or ("rubric",))
    judges = tuple(dict.fromkeys(map(without_limits, typed)))
    records = [
        record
        for language in ("zh", "en")
        for record in [r for r in gather_cases(cases or ("library",)) if r.language == language][
            :limit
        ]
    ]
    if not records:
        raise InputError([Fault(", ".join(cases or ()), "has no case to try a judge on")])
    means = Means(
        Prompts(prompts),
        ModelTable.load(models),
        Keys(key_file),
        typed,
        concurrency=concurrency,
        cache=cache_directory(cache),
        max_cost=max_cost,
        max_tokens=max_tokens,
    )
    for spec in judges:
        check_spec(spec, "judge", means.table, means.keys)
    console = Console(stderr=True)
    check_prices(means, (), console)
    tried = probes(records, seed)
    config = _config(tried, judges, seed, means.words.hash)
    directory = out or Path("runs") / f"audit-{canonical_hash(list(config.cases.items()))[:12]}"
    against = {probe.record.id: probe.record for probe in tried}
    with LedgerWriter(directory, config, list(against.values())) as ledger:
        held = ledger.visits()
        for probe in tried:
            if probe.key not in held:
                ledger.add_visit(_visit(probe, seed, means.words.hash))
        failed = _mark_all(ledger, means, tried, judges, console)
        marks = ledger.marks()
    audits = [sum_up(name, tried, marks, seed=seed) for name in judges]
    print_audit(audits, as_json=json_)
    console.print(f"Reports and marks are in {directory}", highlight=False, soft_wrap=True)
    if failed:
        for what, count in sorted(failed.items()):
            console.print(f"{count} still owed: {what}", style="yellow", markup=False)
        tell_how_to_go_on(console, "Unfinished. To go on:")
        raise typer.Exit(INTERRUPTED if "interrupted" in failed else UNFINISHED)


def _config(
    tried: Sequence[Probe], judges: tuple[str, ...], seed: int, prompts_hash: str
) -> RunConfig:
    return RunConfig(
        shared=SharedSettings(seed=seed, prompts_hash=prompts_hash),
        doctors=tuple(dict.fromkeys(probe.kind for probe in tried)),
        settings=("one_step",),
        judges=judges,
        cases={probe.record.id: probe.record.content_hash for probe in tried},
        imported=AUDIT,
    )


def _visit(probe: Probe, seed: int, prompts_hash: str) -> Visit:
    """A probe as a visit, so that a run can hold it: its kind sits in the doctor's chair."""
    return Visit(
        key=probe.key,
        record_id=probe.record.id,
        record_hash=probe.record.content_hash,
        doctor=probe.kind,
        setting="one_step",
        protocol="carried",
        npc="grounded",
        language=probe.record.language,
        seed=seed,
        trial=1,
        prompts_hash=prompts_hash,
        ending=Ending.DIAGNOSIS_GIVEN,
        report=probe.report,
        version=program_version(),
    )


def _mark_all(
    ledger: LedgerWriter,
    means: Means,
    tried: Sequence[Probe],
    judges: Sequence[str],
    console: Console,
) -> dict[str, int]:
    """Make the marks that are owed; returns how many are owed still, by reason."""
    from agents.errors import SeatError
    from evaluation.marking import mark
    from hospital.settling import settle_all
    from records.views import MarkingView

    seats = make_seats(ledger, means)
    visits = ledger.visits()
    # A report that is marked a second time must be asked for a second time.
    seated = {
        (spec, again): seats.judge(spec, 2 if again else 1)
        for spec in judges
        for again in (False, True)
    }
    made = {(m.judge, m.visit_key, m.judge_version) for m in ledger.marks()}
    owed = [
        (spec, probe)
        for spec in judges
        for probe in tried
        if (spec, probe.key, str(getattr(seated[spec, False], "version", ""))) not in made
    ]
    failed: dict[str, int] = {}
    bar = marks_bar(console)
    task = bar.add_task("marks", total=len(owed))

    async def settle(one: tuple[str, Probe]) -> None:
        spec, probe = one
        view = MarkingView(record=probe.record)
        try:
            judge = seated[spec, probe.kind == "again"]
            await ledger.keep_mark(await mark(visits[probe.key], view, judge))
        except SeatError as failure:
            reason = f"{spec}: {failure.reason}"
            failed[reason] = failed.get(reason, 0) + 1
        bar.advance(task)

    async def settle_them() -> None:
        try:
            await settle_all(owed, settle, means.concurrency)
        finally:
            await seats.close()

    with bar:
        try:
            asyncio.run(settle_them())
        except (KeyboardInterrupt, asyncio.CancelledError):
            failed["interrupted"] = len(owed) - int(bar.tasks[0].completed)
    return failed
