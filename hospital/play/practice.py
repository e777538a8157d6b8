"""Where people practise: their runs, what they left unfinished, and who they are compared with."""

from __future__ import annotations

import getpass
import hashlib
import socket
from pathlib import Path

from agents.npc import Judge
from agents.seats import Seats
from evaluation.marking import mark
from hospital.experiment import hold
from hospital.play.draft import FOLDER
from prompts import Prompts
from records.errors import LedgerError
from records.ledger import SharedSettings
from records.mark import Mark
from records.medical_record import MedicalRecord, canonical_hash
from records.views import MarkingView
from records.visit import Visit, VisitOrder

OTHERS = ("checklist",)
"""Offline doctors that a person is compared with."""


def pseudonym() -> str:
    """A name for whoever sits at this machine: the same every time, and nobody's."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError):
        user = "?"
    return f"guest-{hashlib.sha256(f'{user}@{socket.gethostname()}'.encode()).hexdigest()[:4]}"


def default_directory(shared: SharedSettings, what: str = "play") -> Path:
    """A run for each way of playing: visits under other settings do not compare."""
    return Path("runs") / f"{what}-{canonical_hash(shared.model_dump(mode='json'))[:8]}"


def drafts(directory: Path) -> list[Path]:
    """The drafts in a run, the one left last at the end."""
    folder = directory / FOLDER
    found = folder.glob("*.jsonl") if folder.is_dir() else ()
    return sorted(found, key=_left)


def left_last(directory: Path | None) -> Path:
    """The draft left last, in one run or in any of `runs/`.

    Raises:
        LedgerError: there is none.
    """
    runs = [directory] if directory else [p.parent for p in Path("runs").glob(f"*/{FOLDER}")]
    found = [path for run in runs for path in drafts(run)]
    if not found:
        where = directory or Path("runs")
        raise LedgerError(f"{where}: no visit was left unfinished; 'hospital play' begins one")
    return max(found, key=_left)


def _left(path: Path) -> tuple[float, str]:
    return path.stat().st_mtime, path.name


async def marked(visit: Visit, record: MedicalRecord, judge: Judge) -> Mark:
    """A judge's marks of a visit.

    Raises:
        SeatError: the judge's model failed.
    """
    return await mark(visit, MarkingView(record=record), judge)


async def others_on(
    order: VisitOrder, record: MedicalRecord, seats: Seats, prompts: Prompts
) -> list[tuple[str, Mark]]:
    """How the offline doctors do on the same case, by the rubric; they are not kept."""
    judge = seats.judge("rubric")
    told: list[tuple[str, Mark]] = []
    for doctor in OTHERS:
        update = {"doctor": doctor, "npc": "grounded", "max_turns": 10}
        visit = await hold(order.model_copy(update=update), record, seats, prompts)
        told.append((doctor, await marked(visit, record, judge)))
    return told
