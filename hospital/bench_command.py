"""`hospital bench`: the main job. Cases and doctors go in, a leaderboard comes out."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from hospital.model_options import KeyFile, ModelsFile
from records.errors import Fault, InputError
from records.ledger import Ledger, LedgerWriter, RunConfig, SharedSettings
from records.library import bundled_records
from records.medical_record import MedicalRecord
from records.readers import is_table, read_records
from records.visit import Protocol, Setting, Unrecorded

if TYPE_CHECKING:
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable
    from prompts import Prompts

OFFLINE_DOCTORS = ("checklist",)
SETTINGS: tuple[Setting, ...] = ("interaction", "one_step", "zero_turn")
UNFINISHED = 3
INTERRUPTED = 130


def bench(
    cases: Annotated[
        list[str] | None,
        typer.Option(help="A file of cases, or 'library' for the bundled ones. Repeatable."),
    ] = None,
    mapping: Annotated[
        Path | None,
        typer.Option(
            help="Of the tables among the cases: the TOML file that says which column is what. "
            "[default: NAME.mapping.toml beside each]",
            show_default=False,
        ),
    ] = None,
    doctor: Annotated[
        list[str] | None,
        typer.Option(
            help="Who sits in the Doctor's chair: checklist, PROVIDER/MODEL, URL#MODEL, "
            "package.module:Class, or exec:COMMAND. Repeatable."
        ),
    ] = None,
    setting: Annotated[
        str, typer.Option(help="Settings, comma-separated.")
    ] = "interaction,one_step,zero_turn",
    npc: Annotated[
        str, typer.Option(help="Patient and Examiner: grounded, PROVIDER/MODEL, or URL#MODEL.")
    ] = "grounded",
    judge: Annotated[
        str, typer.Option(help="The marking Chief Physician: rubric, PROVIDER/MODEL, or URL#MODEL.")
    ] = "rubric",
    unrecorded: Annotated[
        Unrecorded,
        typer.Option(help="What the Examiner says of an examination that is not on record."),
    ] = "unavailable",
    protocol: Annotated[
        Protocol,
        typer.Option(help="Who takes requests to the Examiner: the patient, or the doctor itself."),
    ] = "carried",
    trials: Annotated[int, typer.Option(min=1, help="Visits of each case and doctor.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of every random choice.")] = 0,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only the first N cases.", show_default=False)
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Visits under way at once.")] = 8,
    timeout: Annotated[
        float,
        typer.Option(min=0.1, help="Seconds that a class or command has for one reply as Doctor."),
    ] = 300.0,
    max_turns: Annotated[int, typer.Option(min=1, help="Rounds before the report is due.")] = 10,
    out: Annotated[
        Path | None,
        typer.Option(help="The run's directory. [default: runs/<hash of the configuration>]"),
    ] = None,
    prompts: Annotated[
        Path | None, typer.Option(help="A directory whose templates replace ours, file by file.")
    ] = None,
    models: ModelsFile = None,
    key_file: KeyFile = None,
    json_: Annotated[bool, typer.Option("--json", help="Print the leaderboard as JSON.")] = False,
) -> None:
    """Hold visits, mark them, and print a leaderboard.

    The same command again resumes; more doctors, cases or trials extend the run.
    """
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable
    from agents.seats import Seats
    from agents.seats import sources as seat_sources
    from prompts import Prompts

    words, table, keys = Prompts(prompts), ModelTable.load(models), Keys(key_file)
    sources = tuple(cases or ("library",))
    doctors = tuple(dict.fromkeys(doctor or OFFLINE_DOCTORS))
    records = gather_cases(sources, limit, mapping)
    config = RunConfig(
        shared=SharedSettings(
            npc=npc,
            protocol=protocol,
            unrecorded=unrecorded,
            max_turns=max_turns,
            seed=seed,
            prompts_hash=words.hash,
        ),
        doctors=doctors,
        settings=_settings(setting),
        trials=trials,
        judges=(judge,),
        cases={record.id: record.content_hash for record in records},
    )
    Seats.check(config, table, keys)
    seated = (*doctors, npc, judge)
    config = config.model_copy(update={"sources": seat_sources(seated, table)})
    directory = out or Path("runs") / config.name
    console = Console(stderr=True)
    with LedgerWriter(directory, config, records) as ledger:
        code = _hold_all(ledger, words, table, keys, concurrency, timeout, console)
    resume = shlex.join(["hospital", *sys.argv[1:]])
    if code == INTERRUPTED:
        console.print(f"Interrupted; what is finished is kept. To go on:\n  {resume}", style="bold")
        raise typer.Exit(code)
    self_test = sources == ("library",) and doctors == OFFLINE_DOCTORS and npc == "grounded"
    _print_leaderboard(directory, judge, json_, self_test=self_test)
    console.print(f"The run is in {directory}", highlight=False, soft_wrap=True)
    if code == UNFINISHED:
        console.print(f"Unfinished. To go on:\n  {resume}", style="bold", soft_wrap=True)
    raise typer.Exit(code)


def gather_cases(
    sources: Sequence[str], limit: int | None = None, mapping: Path | None = None
) -> list[MedicalRecord]:
    """Read all sources, tables through `mapping`; `limit` counts over them in order.

    Raises:
        InputError: a source cannot be read, or two cases have the same id.
    """
    gathered: dict[str, tuple[MedicalRecord, str]] = {}
    for source in sources:
        library = source == "library"
        through = mapping if len(sources) == 1 or is_table(Path(source)) else None
        for record in bundled_records() if library else read_records(Path(source), through):
            known = gathered.get(record.id)
            if known and known[0].content_hash != record.content_hash:
                what = f"another case of this id is in {known[1]}; ids must differ within a run"
                raise InputError([Fault(source, what, record=record.id)])
            gathered[record.id] = (record, source)
    return [record for record, _ in gathered.values()][:limit]


def _settings(text: str) -> tuple[Setting, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    for name in names:
        if name not in SETTINGS:
            raise typer.BadParameter(
                f"{name!r} is no setting; there are {', '.join(SETTINGS)}", param_hint="--setting"
            )
    if not names:
        raise typer.BadParameter(
            f"name at least one of {', '.join(SETTINGS)}", param_hint="--setting"
        )
    return tuple(name for name in SETTINGS if name in names)


def _hold_all(
    ledger: LedgerWriter,
    words: Prompts,
    table: ModelTable,
    keys: Keys,
    concurrency: int,
    timeout: float,
    console: Console,
) -> int:
    from agents.seats import Seats
    from hospital.experiment import Progress as RunProgress
    from hospital.experiment import run

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )

    async def hold_and_mark() -> RunProgress:
        seats = Seats(
            prompts=words, journal=ledger.journal, timeout=timeout, table=table, keys=keys
        )
        this = asyncio.current_task()
        if this is not None and sys.platform != "win32":
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
        try:
            return await run(
                ledger, seats, words, concurrency=concurrency, on_progress=show_progress
            )
        finally:
            await seats.close()

    task = bar.add_task("visits", total=None)
    states: list[RunProgress] = []

    def show_progress(progress: RunProgress) -> None:
        states[:] = [progress]
        bar.update(task, total=progress.total, completed=progress.done)

    # A doctor that prints must not spoil what is printed for a machine to read.
    with bar, contextlib.redirect_stdout(sys.stderr):
        try:
            progress = asyncio.run(hold_and_mark())
        except (KeyboardInterrupt, asyncio.CancelledError):
            if not states or not states[0].complete:
                return INTERRUPTED
            progress = states[0]
    if progress.earlier:
        text = f"{progress.earlier} of {progress.total} visits were held earlier and stand."
        console.print(text, highlight=False)
    for what, count in (progress.unfinished + progress.unmarked).most_common():
        console.print(f"{count} still owed: {what}", style="yellow", markup=False)
    return 0 if progress.complete else UNFINISHED


def _print_leaderboard(directory: Path, judge: str, as_json: bool, *, self_test: bool) -> None:
    from hospital.run_commands import print_leaderboard

    title = "Self-test: offline doctors on the bundled cases" if self_test else None
    # A judge whose every mark is still owed has no leaderboard yet; what there is is shown.
    marked = any(mark.judge == judge for mark in Ledger(directory).marks())
    print_leaderboard(directory, as_json, title=title, judge=judge if marked else None)
