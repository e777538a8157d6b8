"""`hospital mark`: grades and disease scores for the visits of a run, beside those it has."""

from __future__ import annotations

import asyncio
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from hospital.counting_options import ConventionOption, PresetOption, counting_of
from hospital.model_options import KeyFile, ModelsFile
from records.errors import Fault, InputError
from records.ledger import Ledger, LedgerWriter, RunConfig
from records.mark import Mark

if TYPE_CHECKING:
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable
    from hospital.mark_run import Linking, MarkProgress
    from prompts import Prompts

UNFINISHED = 3
INTERRUPTED = 130
_OFFLINE = "rubric"

Judges = dict[str, Literal["asked", "finished"]]


def mark(
    run: Annotated[Path, typer.Argument(help="A run's directory.", metavar="RUN")],
    judge: Annotated[
        list[str] | None,
        typer.Option(
            help="Who grades: rubric, PROVIDER/MODEL, or URL#MODEL; or a published judge, whose "
            "grades stand and are linked anew. Repeatable. [default: the judges of the run; "
            "of an imported one, the published judges and rubric]",
            show_default=False,
        ),
    ] = None,
    preset: PresetOption = None,
    convention: ConventionOption = None,
    icd_table: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A table of ICD-10 codes and names (xls, xlsx, csv, tsv) to link diseases with; "
            "their overlap by shared candidate names is counted too. [default: our own]",
            show_default=False,
        ),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Grade once more what is graded already.")
    ] = False,
    concurrency: Annotated[int, typer.Option(min=1, help="Marks under way at once.")] = 8,
    prompts: Annotated[
        Path | None, typer.Option(help="A directory whose templates replace ours, file by file.")
    ] = None,
    models: ModelsFile = None,
    key_file: KeyFile = None,
) -> None:
    """Mark the visits of a run, one's own or an imported one.

    Only what is owed is marked: the same command again goes on where it was stopped. Marks are
    kept beside older ones, of which the latest of a judge counts. With another table, grades stand
    and diseases are linked anew.
    """
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable
    from prompts import Prompts

    counting = counting_of(preset, convention, None)
    published = counting.matching == "published" or icd_table is not None
    words, table, keys = Prompts(prompts), ModelTable.load(models), Keys(key_file)
    console = Console(stderr=True)
    ledger = Ledger(run)
    config = ledger.config()
    judges = _judges(judge, config, ledger.marks(), run)
    _check(judges, table, keys, again)
    with console.status("Reading the terminology …"):
        linking = _linking(icd_table, published, counting.convention)
    asked = tuple(name for name, state in judges.items() if state == "asked")
    named = tuple(dict.fromkeys((*config.judges, *asked)))
    wanted = config.model_copy(update={"judges": named})
    with LedgerWriter(run, wanted, ()) as writer:
        progress = _mark_all(
            writer, linking, judges, words, table, keys, again, concurrency, console
        )
    resume = shlex.join(["hospital", *sys.argv[1:]])
    if progress is None:
        text = f"Interrupted; what is marked is kept. To go on:\n  {resume}"
        console.print(text, style="bold", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(INTERRUPTED)
    _tell(run, progress, tuple(judges), linking)
    for what, count in progress.unmarked.most_common():
        console.print(f"{count} still owed: {what}", style="yellow", markup=False)
    if not progress.complete:
        text = f"Unfinished. To go on:\n  {resume}"
        console.print(text, style="bold", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(UNFINISHED)


def _judges(
    given: Sequence[str] | None, config: RunConfig, marks: Sequence[Mark], run: Path
) -> Judges:
    """Who is to mark, and whether it can be asked."""
    from records.published.names import is_published

    there = {m.judge for m in marks}
    names = given or (
        *config.judges,
        *((_OFFLINE,) if config.imported and _OFFLINE not in config.judges else ()),
    )
    judges: Judges = {}
    for name in dict.fromkeys(names):
        judges[name] = "finished" if is_published(name) else "asked"
        if is_published(name) and name not in there:
            known = ", ".join(sorted(filter(is_published, there))) or "none"
            what = f"no marks by {name}, and who was published cannot be asked; there are: {known}"
            raise InputError([Fault(run, what)])
    return judges


def _check(judges: Judges, table: ModelTable, keys: Keys, again: bool) -> None:
    from agents.seats import check_spec

    for name, state in judges.items():
        if state == "asked":
            check_spec(name, "judge", table, keys)
    if again and "asked" not in judges.values():
        raise typer.BadParameter("who was published cannot be asked again", param_hint="--again")


def _linking(
    icd_table: Path | None, published: bool, convention: Literal["strict", "published"]
) -> Linking:
    from hospital.mark_run import Linking
    from records.diseases.icd10 import default_terminology
    from records.diseases.published_matching import PublishedMatcher
    from records.diseases.terminology import Terminology

    terminology = Terminology.of_table(icd_table) if icd_table else default_terminology()
    matcher = PublishedMatcher(terminology.names) if published else None
    return Linking(terminology=terminology, matcher=matcher, convention=convention)


def _mark_all(
    ledger: LedgerWriter,
    linking: Linking,
    judges: Judges,
    words: Prompts,
    table: ModelTable,
    keys: Keys,
    again: bool,
    concurrency: int,
    console: Console,
) -> MarkProgress | None:
    """Make the marks that are owed; None if it was interrupted before they were made."""
    from agents.seats import Seats
    from hospital.mark_run import MarkProgress, mark_run

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    task = bar.add_task("marks", total=None)
    state = MarkProgress()

    def show_progress(progress: MarkProgress) -> None:
        nonlocal state
        state = progress
        bar.update(task, total=progress.total, completed=progress.done)

    async def make() -> MarkProgress:
        seats = Seats(prompts=words, journal=ledger.journal, table=table, keys=keys)
        this = asyncio.current_task()
        if this is not None and sys.platform != "win32":
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
        try:
            return await mark_run(
                ledger,
                seats,
                linking,
                judges,
                again=again,
                concurrency=concurrency,
                on_progress=show_progress,
            )
        finally:
            await seats.close()

    with bar:
        try:
            return asyncio.run(make())
        except (KeyboardInterrupt, asyncio.CancelledError):
            return state if state.total and state.complete else None


def _tell(run: Path, progress: MarkProgress, judges: tuple[str, ...], linking: Linking) -> None:
    made = progress.done - progress.earlier
    told = [f"{made} marks made by {', '.join(judges)}"]
    if progress.relinked:
        told.append(f"{progress.relinked} of them with grades that stood")
    if progress.earlier:
        told.append(f"{progress.earlier} were there")
    print(f"{run}: {'; '.join(told)}; terminology {linking.terminology.hash}")
