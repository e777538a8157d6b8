"""`hospital mark`: grades and disease scores for the visits of a run, beside those it has."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console

from hospital.counting_options import ConventionOption, PresetOption, counting_of
from hospital.holding import INTERRUPTED, UNFINISHED, Means, make_seats
from hospital.linking_options import (
    WHO,
    ExtractOption,
    TerminologyOption,
    extracting_model,
    terminology_named,
)
from hospital.marks_bar import marks_bar
from hospital.model_options import KeyFile, ModelsFile, PromptsDirectory
from hospital.run_display import spent_line, tell_how_to_go_on
from hospital.spending_options import Cache, MaxCost, MaxTokens, cache_directory, check_prices
from records.errors import Fault, InputError
from records.ledger import Ledger, LedgerWriter, RunConfig
from records.mark import Mark

if TYPE_CHECKING:
    from evaluation.linking import Extraction, Linking
    from hospital.mark_run import MarkProgress

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
    terminology: TerminologyOption = WHO,
    icd_table: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The same as --terminology FILE; the overlap of diseases by shared candidate "
            "names is counted too.",
            show_default=False,
        ),
    ] = None,
    extract: ExtractOption = None,
    again: Annotated[
        bool, typer.Option("--again", help="Grade once more what is graded already.")
    ] = False,
    concurrency: Annotated[int, typer.Option(min=1, help="Marks under way at once.")] = 8,
    prompts: PromptsDirectory = None,
    models: ModelsFile = None,
    key_file: KeyFile = None,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    cache: Cache = None,
) -> None:
    """Mark the visits of a run, one's own or an imported one.

    Only what is owed is marked: the same command again goes on where it was stopped. Marks are
    kept beside older ones, of which the latest of a judge counts. With another terminology, with
    another --extract, or after a change of the rules by which diseases are named, grades stand and
    diseases are named and linked anew.
    """
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable
    from evaluation.linking import Linking
    from prompts import Prompts

    counting = counting_of(preset, convention, None)
    published = counting.matching == "published" or icd_table is not None
    console = Console(stderr=True)
    ledger = Ledger(run)
    config = ledger.config()
    judges = _judges(judge, config, ledger.marks(), run)
    model = extracting_model(extract)
    means = Means(
        Prompts(prompts),
        ModelTable.load(models),
        Keys(key_file),
        (*(judge or config.judges), *((model,) if model else ())),
        concurrency=concurrency,
        cache=cache_directory(cache),
        max_cost=max_cost,
        max_tokens=max_tokens,
    )
    _check(judges, means, again)
    extraction = _extraction(model, means)
    check_prices(means, (), console)
    with console.status("Reading the terminology …"):
        linking = Linking.of(
            terminology_named(terminology, icd_table),
            published=published,
            convention=counting.convention,
            extraction=extraction,
        )
    asked = tuple(name for name, state in judges.items() if state == "asked")
    wanted = config.model_copy(update={"judges": tuple(dict.fromkeys((*config.judges, *asked)))})
    with LedgerWriter(run, wanted, ()) as writer:
        progress = _mark_all(writer, means, linking, judges, again, console)
    if progress is None:
        tell_how_to_go_on(console, "Interrupted; what is marked is kept. To go on:")
        raise typer.Exit(INTERRUPTED)
    _tell(run, progress, tuple(judges), linking)
    if progress.by_rule:
        line = f"{progress.by_rule} of them named by rule, as {extraction.model} gave no names."
        console.print(line, style="yellow", markup=False, highlight=False, soft_wrap=True)
    for what, count in progress.unmarked.most_common():
        console.print(f"{count} still owed: {what}", style="yellow", markup=False)
    if not progress.complete:
        tell_how_to_go_on(console, "Unfinished. To go on:")
        raise typer.Exit(UNFINISHED)


def _judges(
    given: Sequence[str] | None, config: RunConfig, marks: Sequence[Mark], run: Path
) -> Judges:
    """Who is to mark, and whether it can be asked."""
    from agents.model.spec_text import without_limits
    from records.published.names import is_published

    there = {m.judge for m in marks}
    names = given or (
        *config.judges,
        *((_OFFLINE,) if config.imported and _OFFLINE not in config.judges else ()),
    )
    judges: Judges = {}
    for name in dict.fromkeys(map(without_limits, names)):
        judges[name] = "finished" if is_published(name) else "asked"
        if is_published(name) and name not in there:
            known = ", ".join(sorted(filter(is_published, there))) or "none"
            what = f"no marks by {name}, and who was published cannot be asked; there are: {known}"
            raise InputError([Fault(run, what)])
    return judges


def _check(judges: Judges, means: Means, again: bool) -> None:
    from agents.seats import check_spec

    for name, state in judges.items():
        if state == "asked":
            check_spec(name, "judge", means.table, means.keys)
    if again and "asked" not in judges.values():
        raise typer.BadParameter("who was published cannot be asked again", param_hint="--again")


def _extraction(model: str, means: Means) -> Extraction:
    """Who names the diseases, if it can be asked."""
    from agents.errors import SpecError
    from agents.model.model_spec import is_model
    from agents.model.spec_text import without_limits
    from agents.seat_specs import MODEL, check_spec
    from evaluation.linking import BY_RULES, Extraction

    if not model:
        return BY_RULES
    if not is_model(model):
        raise SpecError(f"--extract: {model!r} names no model; give {MODEL}, or rules")
    check_spec(model, "judge", means.table, means.keys)
    from agents.disease_reader import words_of

    return Extraction(without_limits(model), words_of(means.words))


def _mark_all(
    ledger: LedgerWriter,
    means: Means,
    linking: Linking,
    judges: Judges,
    again: bool,
    console: Console,
) -> MarkProgress | None:
    """Make the marks that are owed; None if it was interrupted before they were made."""
    from hospital.mark_run import MarkProgress, mark_run

    seats = make_seats(ledger, means)
    bar = marks_bar(console)
    task = bar.add_task("marks", total=None)
    state = MarkProgress()

    def show_progress(progress: MarkProgress) -> None:
        nonlocal state
        state = progress
        bar.update(task, total=progress.total, completed=progress.done)

    async def make() -> MarkProgress:
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
                concurrency=means.concurrency,
                on_progress=show_progress,
            )
        finally:
            await seats.close()

    with bar:
        try:
            asyncio.run(make())
        except (KeyboardInterrupt, asyncio.CancelledError):
            if not (state.total and state.complete):
                return None
    if line := spent_line(seats.clients.budget.spent):
        console.print(f"Models so far: {line}.", highlight=False, soft_wrap=True)
    return state


def _tell(run: Path, progress: MarkProgress, judges: tuple[str, ...], linking: Linking) -> None:
    made = progress.done - progress.earlier
    told = [f"{made} marks made by {', '.join(judges)}"]
    if progress.relinked:
        told.append(f"{progress.relinked} of them with grades that stood")
    if progress.earlier:
        told.append(f"{progress.earlier} were there")
    told.append(f"terminology {linking.terminology.hash}")
    told.append(f"extraction {linking.extraction.name}")
    print(f"{run}: {'; '.join(told)}")
