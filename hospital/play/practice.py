"""A place to practise: the run that a person's visits are kept in, from the order to the marks."""

from __future__ import annotations

import getpass
import hashlib
import socket
from collections.abc import Sequence
from pathlib import Path

from agents.npc import Judge
from agents.seats import Seats
from evaluation.marking import mark
from hospital.experiment import hold
from hospital.play.draft import FOLDER, Draft
from prompts import Prompts
from records.errors import LedgerError
from records.ledger import Ledger, RunConfig, SharedSettings
from records.mark import Mark
from records.medical_record import MedicalRecord, canonical_hash
from records.views import MarkingView
from records.visit import HumanNotes, Visit, VisitOrder

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


def order_for(
    directory: Path, shared: SharedSettings, record: MedicalRecord, doctor: str
) -> VisitOrder:
    """The order of this doctor's next visit with this patient; earlier ones count as trials."""
    ledger = Ledger(directory)
    held = ledger.visits().values() if (directory / "config.json").exists() else ()
    orders = [Draft.begun(path)[0] for path in drafts(directory)]
    trials = [v.trial for v in held if (v.doctor, v.record_id) == (doctor, record.id)]
    trials += [o.trial for o in orders if (o.doctor, o.record_id) == (doctor, record.id)]
    return VisitOrder(
        record_id=record.id,
        record_hash=record.content_hash,
        language=record.language,
        setting="interaction",
        doctor=doctor,
        npc=shared.npc,
        protocol=shared.protocol,
        unrecorded=shared.unrecorded,
        prompts_hash=shared.prompts_hash,
        max_turns=shared.max_turns,
        seed=shared.seed,
        trial=max(trials, default=0) + 1,
    )


def config_for(
    shared: SharedSettings, record: MedicalRecord, order: VisitOrder, judge: str
) -> RunConfig:
    """The run's configuration with this visit in it."""
    return RunConfig(
        shared=shared,
        doctors=(order.doctor,),
        settings=("interaction",),
        trials=order.trial,
        judges=(judge,),
        cases={record.id: record.content_hash},
    )


def shared_of(order: VisitOrder) -> SharedSettings:
    """What an order has in common with the others of its run."""
    return SharedSettings(
        npc=order.npc,
        protocol=order.protocol,
        unrecorded=order.unrecorded,
        max_turns=order.max_turns,
        seed=order.seed,
        prompts_hash=order.prompts_hash,
    )


def open_draft(directory: Path, order: VisitOrder, notes: HumanNotes) -> Draft:
    """The draft of a visit, begun or gone on with."""
    return Draft(directory / FOLDER / f"{order.key}.jsonl", order, notes)


def drafts(directory: Path) -> list[Path]:
    """The drafts in a run, the one left last at the end."""
    folder = directory / FOLDER
    found = folder.glob("*.jsonl") if folder.is_dir() else ()
    return sorted(found, key=lambda path: (path.stat().st_mtime, path.name))


def left_last(runs: Sequence[Path]) -> Path:
    """The draft left last in any of these runs.

    Raises:
        LedgerError: there is none.
    """
    found = [path for run in runs for path in drafts(run)]
    if not found:
        where = ", ".join(map(str, runs)) or "runs"
        raise LedgerError(f"{where}: no visit was left unfinished; 'hospital play' begins one")
    return max(found, key=lambda path: (path.stat().st_mtime, path.name))


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
    told = []
    for doctor in OTHERS:
        update = {"doctor": doctor, "npc": "grounded", "max_turns": 10}
        visit = await hold(order.model_copy(update=update), record, seats, prompts)
        told.append((doctor, await marked(visit, record, judge)))
    return told
