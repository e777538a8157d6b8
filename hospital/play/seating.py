"""Where a person sits: the chair as one of the visit's people, and the desk before it."""

from __future__ import annotations

from dataclasses import dataclass

from agents.human import HumanDoctor, HumanNpc
from agents.offline.grounded_examiner import GroundedExaminer
from agents.offline.grounded_patient import GroundedPatient
from agents.seats import People
from hospital.play.doctor_desk import DoctorDesk
from hospital.play.draft import Draft
from hospital.play.npc_desk import NpcDesk
from hospital.play.sitting import Desk
from hospital.play.terminal import Terminal
from hospital.play.watch_desk import WatchDesk
from records.medical_record import MedicalRecord
from records.views import ExaminerView, PatientView
from records.visit import EXAMINER, PATIENT


@dataclass(frozen=True)
class Place:
    """A chair with its desk."""

    people: People
    desk: Desk


def place(terminal: Terminal, record: MedicalRecord, draft: Draft, task: str = "") -> Place:
    """The chair that the draft's person sits in; only that role's view goes to its desk."""
    order = draft.order
    match draft.human.role:
        case "patient":
            patient = NpcDesk(
                terminal,
                PATIENT,
                PatientView.of(record),
                draft,
                GroundedPatient(protocol=order.protocol),
            )
            return Place(People(patient=HumanNpc(patient.ask)), patient)
        case "examiner":
            examiner = NpcDesk(
                terminal,
                EXAMINER,
                ExaminerView.of(record),
                draft,
                GroundedExaminer(order.unrecorded),
            )
            return Place(People(examiner=HumanNpc(examiner.ask)), examiner)
        case "chief_physician":
            return Place(People(), WatchDesk(terminal, record, report=False))
        case _:
            doctor = DoctorDesk(terminal, record, draft, task)
            return Place(People(doctor=HumanDoctor(doctor.ask)), doctor)
