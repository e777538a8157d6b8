"""A second opinion: a person marks a finished visit of any run, beside the marks it has."""

from __future__ import annotations

import asyncio
from pathlib import Path

from agents.human import HUMAN, HumanChiefPhysician
from hospital.play import practice
from hospital.play.chief_desk import ChiefDesk, letters, show_agreement
from hospital.play.terminal import Terminal
from hospital.play.words import play_words
from records.errors import Fault, InputError, LedgerError
from records.ledger import Ledger, LedgerWriter


def mark_visit(where: str, name: str, terminal: Terminal) -> None:
    """Let the person mark a visit.

    Args:
        where: `RUN/KEY`; the beginning of a key will do.
        name: of the person.
        terminal: where it is.

    Raises:
        InputError: no one visit is meant, or it has no report.
        LedgerError: there is no run, or it is held by another process.
        BrokenOff: the person leaves; nothing is marked.
    """
    run, _, beginning = where.rpartition("/")
    held = Ledger(Path(run or "."))
    config, records = held.config(), held.records()
    found = [visit for key, visit in held.visits().items() if key.startswith(beginning)]
    if len(found) != 1 or not beginning:
        n = f"{len(found)} visits' keys begin" if found else "no visit's key begins"
        what = f"{n} so; 'hospital show {run or '.'}' lists them"
        raise InputError([Fault("--visit", what, record=where)])
    visit = found[0]
    if visit.report is None or not visit.markable:
        what = f"the visit ended {visit.ending.value}: there is no report to mark"
        raise InputError([Fault("--visit", what, record=where)])
    if visit.record_id not in records:
        raise LedgerError(f"{run}: records.jsonl lacks case {visit.record_id}")
    record = records[visit.record_id]
    judge = HumanChiefPhysician(f"{HUMAN}:{name}", ChiefDesk(terminal).ask)
    with LedgerWriter(held.directory, config, list(records.values())) as ledger:
        ledger.add_mark(asyncio.run(practice.marked(visit, record, judge)))
        # The latest of each judge.
        latest = {mark.judge: mark for mark in ledger.marks() if mark.visit_key == visit.key}
    words = play_words(record.language)
    if len(latest) == 1:
        terminal.show(
            f"{words.marks.format(judge=judge.name)}: {letters(latest[judge.name], words)}"
        )
    show_agreement(terminal, list(latest.values()), words)
