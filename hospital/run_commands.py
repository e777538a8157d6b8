"""`hospital leaderboard` and `hospital show`: reading a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from hospital.counting_options import (
    ConventionOption,
    JudgeOption,
    MatchingOption,
    PresetOption,
    counting_of,
)
from records.errors import Fault, InputError, LedgerError
from records.ledger import Ledger

if TYPE_CHECKING:
    from evaluation.case_scores import Counting

Run = Annotated[Path, typer.Argument(help="A run's directory.", metavar="RUN")]


def leaderboard(
    run: Run,
    judge: JudgeOption = None,
    convention: ConventionOption = None,
    matching: MatchingOption = None,
    preset: PresetOption = None,
    json_: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Print the leaderboard of a run."""
    counting = counting_of(preset, convention, matching)
    print_leaderboard(run, json_, title=None, judge=judge, counting=counting)


def show(
    run: Run,
    visit: Annotated[
        str | None, typer.Argument(help="A visit's key or the beginning of one.", metavar="VISIT")
    ] = None,
) -> None:
    """List a run's visits, or print one: the conversation, the report, the marks."""
    from hospital.visit_pages import print_visit, print_visits

    ledger = Ledger(run)
    ledger.config()
    records, visits, marks = ledger.records(), ledger.visits(), ledger.marks()
    console = Console()
    if visit is None:
        print_visits(console, list(visits.values()), marks)
        return
    keys = [key for key in visits if key.startswith(visit)]
    if len(keys) != 1:
        what = "no visit has this key" if not keys else f"{len(keys)} visits' keys begin so"
        raise InputError([Fault(run, f"{what}; 'hospital show {run}' lists them", record=visit)])
    found = visits[keys[0]]
    if found.record_id not in records:
        raise LedgerError(f"{run}: records.jsonl lacks case {found.record_id}")
    own = [mark for mark in marks if mark.visit_key == found.key]
    print_visit(console, found, records[found.record_id], own)


def print_leaderboard(
    directory: Path,
    as_json: bool,
    *,
    title: str | None,
    judge: str | None,
    counting: Counting | None = None,
) -> None:
    """Sum up a run and print it; counted strictly by ICD-10 codes if nothing else is said.

    Raises:
        InputError: the marks that were asked for are not there, or do not go together.
        LedgerError: there is no run, or it is damaged.
    """
    from evaluation.chosen_marks import usual_judge
    from evaluation.leaderboard import leaderboard as sum_up
    from evaluation.panel import look_at_panel
    from evaluation.panel_marks import is_panel, panel_members
    from hospital.conference_tables import conference_figures, print_conferences
    from hospital.panel_tables import print_panel
    from hospital.tables import print_leaderboard as print_tables

    ledger = Ledger(directory)
    config = ledger.config()
    visits, marks, records = ledger.visits().values(), ledger.marks(), ledger.records().values()
    options = counting.model_dump() if counting is not None else {}
    judge = judge or usual_judge(config, marks)
    panel = None
    try:
        if judge is not None and is_panel(judge):
            panel = look_at_panel(visits, marks, panel_members(judge))
        board = sum_up(visits, marks, records, judge=judge, config=config, **options)
    except ValueError as fault:
        raise InputError([Fault(directory, str(fault))]) from None
    cases = {record.id: record for record in records}
    if as_json:
        figures = board.model_dump(mode="json")
        if met := conference_figures(visits, cases):
            figures["conferences"] = met
        if panel is not None:
            figures["panel"] = panel.model_dump(mode="json")
        print(json.dumps(figures, ensure_ascii=False, indent=2))
    else:
        console = Console()
        print_tables(console, board, title=title or f"Leaderboard of {directory}")
        print_conferences(console, visits, cases)
        if panel is not None:
            print_panel(console, panel)
