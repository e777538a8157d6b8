"""What a visit is credited with on a checklist: what came out, and what was rightly asked for."""

from __future__ import annotations

from dataclasses import dataclass

from agents.offline.grounded_examiner import GroundedExaminer
from agents.offline.grounded_patient import GroundedPatient
from records.medical_record import MedicalRecord
from records.views import ExaminerView, PatientView
from records.visit import DOCTOR, EXAMINER, PATIENT, Message, Visit

_BY_RULE = "grounded"


@dataclass(frozen=True)
class Credit:
    """Ids of the record."""

    facts: frozenset[str]
    examinations: frozenset[str]


async def credit(visit: Visit, record: MedicalRecord) -> Credit:
    """Facts and examinations that a visit is credited with.

    A model in the patient's or the examiner's chair may answer beside the point, and that is not
    the candidate's fault: what the doctor's words ask for by the rules of the grounded players
    counts as well then.
    """
    facts = {i for message in visit.messages for i in message.facts}
    examinations = {i for message in visit.messages for i in message.examinations}
    if visit.npc != _BY_RULE:
        patient, examiner = GroundedPatient(protocol=visit.protocol), GroundedExaminer("normal")
        told, found = PatientView.of(record), ExaminerView.of(record)
        for number, message in enumerate(visit.messages):
            if message.role != DOCTOR or message.turn == 0:
                continue
            heard = visit.messages[: number + 1]
            if message.addressee == PATIENT:
                replies = await patient.reply(told, _between(PATIENT, heard), 0)
                facts |= {i for reply in replies for i in reply.facts}
            elif message.addressee == EXAMINER:
                replies = await examiner.reply(found, _between(EXAMINER, heard), 0)
                examinations |= {i for reply in replies for i in reply.examinations}
    return Credit(frozenset(facts), frozenset(examinations))


def _between(role: str, messages: tuple[Message, ...]) -> list[Message]:
    return [message for message in messages if role in (message.role, message.addressee)]
