"""`hospital analyse`: what a run tells beyond its marks."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from hospital.counting_options import JudgeOption
from hospital.model_options import KeyFile, ModelsFile
from records.errors import Fault, InputError

if TYPE_CHECKING:
    from evaluation.behaviour import Behaviour
    from evaluation.contestants import RunContents
    from hospital.holding import Means

INTERRUPTED = 130


def analyse(
    run: Annotated[Path, typer.Argument(help="A run's directory.", metavar="RUN")],
    judge: JudgeOption = None,
    settle: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="A model that judges the behaviour which facts leave open. What it says is kept "
            "in the run and not paid for again.",
            show_default=False,
        ),
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Visits judged at once.")] = 8,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    models: ModelsFile = None,
    key_file: KeyFile = None,
    json_: Annotated[
        bool, typer.Option("--json", help="Print it as JSON, every visit by itself too.")
    ] = False,
) -> None:
    """Tell how the visits of a run went, and what could hurt.

    The process of each interaction, the behaviour of all players, the types of wrong diagnoses,
    their regression on the information collected, and harm flags.
    """
    from evaluation.analysis import analyse as analyse_run
    from evaluation.behaviour import behaviour_of
    from evaluation.contestants import RunContents
    from hospital.analysis_tables import print_analysis

    contents = RunContents.read(run)
    try:
        chosen = contents.chosen(judge)
    except ValueError as fault:
        raise InputError([Fault(run, str(fault))]) from None
    settled = _settled(run, contents, settle, concurrency, models, key_file) if settle else {}
    analysis = analyse_run(
        contents.visits,
        contents.records,
        chosen.latest,
        judge=chosen.judge,
        max_turns=contents.config.shared.max_turns,
        seed=seed,
        settled=lambda visit, record: settled.get(visit.key) or behaviour_of(visit, record),
    )
    if json_:
        print(json.dumps(analysis.model_dump(mode="json"), ensure_ascii=False, indent=2))
    else:
        print_analysis(Console(), analysis, title=f"Analysis of {run}")


def _settled(
    run: Path,
    contents: RunContents,
    spec: str,
    concurrency: int,
    models: Path | None,
    key_file: Path | None,
) -> dict[str, Behaviour]:
    """By interaction, its behaviour with the model's verdicts on what was open."""
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable
    from agents.seats import check_spec
    from hospital.holding import Means
    from prompts import Prompts

    if spec == "rubric":
        raise typer.BadParameter(
            "name a model; the facts are judged by rule", param_hint="--settle"
        )
    means = Means(
        Prompts(), ModelTable.load(models), Keys(key_file), (spec,), concurrency=concurrency
    )
    check_spec(spec, "judge", means.table, means.keys)
    console = Console(stderr=True)
    try:
        with console.status("Judging what facts leave open …"):
            settled, failed = asyncio.run(_settle_all(run, contents, spec, means))
    except KeyboardInterrupt:
        console.print("Interrupted; what was judged is kept.", style="bold")
        raise typer.Exit(INTERRUPTED) from None
    for reason in dict.fromkeys(failed):
        text = f"{failed.count(reason)} visits stay open: {reason}"
        console.print(text, style="yellow", markup=False)
    return settled


async def _settle_all(
    run: Path, contents: RunContents, spec: str, means: Means
) -> tuple[dict[str, Behaviour], list[str]]:
    from agents.errors import SeatError
    from evaluation.open_verdicts import settle
    from hospital.holding import make_seats
    from records.ledger import LedgerWriter

    visits = [v for v in contents.visits if v.setting == "interaction"]
    settled: dict[str, Behaviour] = {}
    failed: list[str] = []
    places = asyncio.Semaphore(means.concurrency)
    records = list(contents.records.values())
    with LedgerWriter(run, contents.config, records) as ledger:
        seats = make_seats(ledger, means)

        async def one(key: str) -> None:
            visit = by_key[key]
            async with places:
                judge = seats.behaviour_judge(spec, visit.key)
                try:
                    settled[key] = await settle(
                        visit,
                        contents.records[visit.record_id],
                        judge,
                        contents.config.shared.unrecorded,
                    )
                except SeatError as failure:
                    failed.append(failure.reason)

        by_key = {visit.key: visit for visit in visits}
        try:
            async with asyncio.TaskGroup() as group:
                for key in by_key:
                    group.create_task(one(key))
        finally:
            await seats.close()
    return settled, failed
