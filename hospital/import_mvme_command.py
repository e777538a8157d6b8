"""`hospital import`: logs that others published, as a run of ours."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from records.errors import Fault, InputError

if TYPE_CHECKING:
    from records.mark import Mark
    from records.published import PublishedRun

import_app = typer.Typer(
    help="Bring in what others published, as a run. (Notes of cases: hospital records import.)",
    no_args_is_help=True,
    add_completion=False,
)
_STAGES = {"cases": "cases rebuilt", "visits": "logs read"}
_SHOWN = 8


@import_app.callback()
def _group() -> None:
    """Keep `mvme` a command of its own while it is the only one."""


@import_app.command("mvme")
def import_mvme(
    directory: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="The published files of AI Hospital, whichever there are: dialog_history_*.jsonl, "
            "onestep_*.jsonl, evaluation_*.jsonl, *_discussion_history.jsonl, patients_full.json.",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN",
            help="The run's directory. [default: runs/HASH, of the configuration]",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Make a run of the published logs of AI Hospital: its cases, visits and judgements.

    It is marked, shown and compared as any run; its visits cannot be held again. Cases are complete
    where they are published, else rebuilt from what was said (see hospital records rebuild).
    """
    from records.ledger import write_run
    from records.published import read_mvme

    if out is not None:
        _check(out, directory)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task("", total=None)

    def show_progress(stage: str, done: int, total: int) -> None:
        # Started here, not before: a fault of the files is to be the only line.
        bar.start()
        bar.update(task, description=_STAGES[stage], completed=done, total=total)

    try:
        run = read_mvme(directory, show_progress)
    finally:
        if bar.live.is_started:
            bar.stop()
    if not run.visits:
        what = "no log has a case; expected evaluation_*.jsonl or patients_full.json beside them"
        raise InputError([Fault(directory, what)])
    target = out or Path("runs") / run.config.name
    write_run(target, run.config, run.cases.records.values(), run.visits, _marks(run))
    _tell(run, target)


def _check(out: Path, directory: Path) -> None:
    """Find out before the work whether it can be kept."""
    if out.resolve() == directory.resolve():
        raise InputError([Fault(out, "holds the published files; name another place for the run")])
    if (out / "config.json").exists():
        raise InputError([Fault(out, "is a run already; name another directory")])
    if out.exists() and not out.is_dir():
        raise InputError([Fault(out, "is a file; a run is a directory")])


def _marks(run: PublishedRun) -> list[Mark]:
    """The published judgements, their diseases linked with our own terminology."""
    from evaluation.marking import linked
    from records.mark import Mark

    visits = {visit.key: visit for visit in run.visits}
    marks = []
    for judgement in run.judgements:
        visit = visits[judgement.visit_key]
        mark = Mark(visit_key=visit.key, judge=judgement.judge, grades=judgement.grades)
        marks.append(linked(mark, visit, run.cases.records[visit.record_id]))
    return marks


def _tell(run: PublishedRun, target: Path) -> None:
    cases = run.cases
    kinds = ((cases.complete, "complete"), (cases.rebuilt, "rebuilt"), (cases.bare, "bare"))
    told = ", ".join(f"{count} {kind}" for count, kind in kinds if count)
    print(f"{target}: {len(run.visits)} visits of {len(cases.records)} cases ({told})")
    for (doctor, setting), count in Counter((v.doctor, v.setting) for v in run.visits).items():
        print(f"  {count} {setting.replace('_', '-')} visits of {doctor}")
    for judge, count in Counter(j.judge for j in run.judgements).items():
        print(f"  {count} marks by {judge}")
    console = Console(stderr=True)
    if run.without_case:
        patients = list(run.without_case)
        more = ", …" if len(patients) > _SHOWN else ""
        told = f"{', '.join(patients[:_SHOWN])}{more}"
        line = f"{run.without_case.total()} logs left out, of patients without a reference: {told}"
        console.print(line, markup=False, highlight=False)
    if run.without_visit:
        line = f"{run.without_visit} judgements left out, of reports that are in no other file"
        console.print(line, markup=False, highlight=False)
