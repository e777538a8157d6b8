"""The conference: several Doctors, their disputes, one report (AI Hospital, Algorithm 1)."""

from __future__ import annotations

from collections.abc import AsyncIterator

from agents.conference_seats import Convened
from agents.errors import SeatError
from hospital.conference_strategies import STRATEGIES
from hospital.consultation_book import ConsultationBook
from hospital.meeting import Meeting
from hospital.stream import Said, VisitResult
from prompts import Prompts
from records.medical_record import MedicalRecord
from records.visit import VisitOrder


async def conference(
    order: VisitOrder,
    record: MedicalRecord,
    people: Convened,
    prompts: Prompts,
    book: ConsultationBook | None = None,
) -> AsyncIterator[Said | VisitResult]:
    """Hold a conference; yields each message as it is said, and last the visit.

    Each Doctor sees the patient by itself. The moderator, who knows nothing of the record, merges
    what they learned: contradictions are put to Patient and Examiner, whose answers settle them.
    Each Doctor revises its report on the merged facts. Then, until the moderator declares agreement
    or the rounds are used up, each revises again, seeing the others' reports and the disputed
    points. The moderator writes the final report.

    A Doctor that fails, refuses or answers nothing stays out and is named; one that is left alone
    has held a consultation.

    Args:
        order: what is to happen; its `doctor` is the conference's spec.
        record: the case it names.
        people: who is there.
        prompts: the words of the house.
        book: consultations that need not be held again.
    """
    talk = Meeting(order, record, people, prompts, ConsultationBook() if book is None else book)
    spec = people.spec
    try:
        async for said in talk.consultations():
            yield said
        if spec.strategy != "discuss":
            async for said in STRATEGIES[spec.strategy](talk):
                yield said
        else:
            if spec.facts and talk.discussing:
                async for said in talk.settle_facts():
                    yield said
                async for said in talk.revise(0):
                    yield said
            for number in range(1, spec.rounds + 1):
                if not talk.discussing:
                    break
                async for said in talk.agreement():
                    yield said
                if talk.agreed:
                    break
                async for said in talk.revise(number):
                    yield said
            if talk.discussing:
                talk.end("round_limit")
                async for said in talk.conclude():
                    yield said
    except SeatError as failure:
        talk.fail(failure)
    yield talk.result()
