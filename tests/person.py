"""A person's visit for tests: appointed and attended in this process, on a terminal of paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agents.seats import Seats
from hospital.play.appointing import begin
from hospital.play.appointment import Appointment, Keeping
from hospital.play.asked import Asked
from hospital.play.attendance import attend
from prompts import Prompts
from records.ledger import Ledger
from records.library import bundled_records
from records.medical_record import MedicalRecord
from records.visit import Visit
from tests.paper import Paper

WISHES: dict[str, Any] = {
    "chair": "doctor",
    "case": None,
    "at_random": False,
    "sources": ("library",),
    "language": None,
    "npc": "grounded",
    "doctor": "checklist",
    "judge": "rubric",
    "exam": False,
    "minutes": 15.0,
    "station": None,
    "name": "anna",
    "max_turns": 40,
    "seed": 0,
}
REPORT = ("it hurts", "an X-ray", "Pulmonary embolism", "the scan", "heparin", "")
"""Five parts, and Enter."""


def bundled(case: str) -> MedicalRecord:
    """The bundled case of this id."""
    return next(record for record in bundled_records() if record.id == case)


def appointed(directory: Path, case: str = "en-002", **wishes: Any) -> Appointment:
    """A new visit in a run."""
    return begin(Asked(**WISHES | {"case": case, "out": directory} | wishes), bundled(case))


async def attended(appointment: Appointment, paper: Paper) -> bool:
    """Hold it as the command does; False if it is to be gone on with."""
    prompts = Prompts()
    with Keeping(appointment) as keeping:
        seats = Seats(prompts=prompts, journal=keeping.journal)
        return await attend(appointment, paper, keeping, seats, prompts)


def only_visit(directory: Path) -> Visit:
    """The one visit in a run."""
    (visit,) = Ledger(directory).visits().values()
    return visit
