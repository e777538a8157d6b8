"""The consultation: a Doctor meets a patient it knows nothing about (AI Hospital, section 2)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from agents.errors import SeatError
from agents.seats import Seated
from hospital.conversation import Conversation
from hospital.stream import Said, VisitResult
from prompts import Prompts
from records.medical_record import MedicalRecord
from records.visit import CHIEF_PHYSICIAN, DOCTOR, EXAMINER, PATIENT, Message, VisitOrder


async def consultation(
    order: VisitOrder,
    record: MedicalRecord,
    seated: Seated,
    prompts: Prompts,
    transcript: Sequence[Message] = (),
) -> AsyncIterator[Said | VisitResult]:
    """Hold a consultation; yields each message as it is said, and last the visit.

    The doctor greets in turn 0. In each turn the patient answers, the examiner gives the results
    requested of it (by the patient under protocol `carried`, by the doctor under `direct`), and
    the doctor goes on, until the patient takes its leave, the doctor closes the consultation or the
    turns are used up. Then the chief physician asks for the report in five parts.

    Args:
        order: what is to happen.
        record: the case it names.
        seated: who sits in the chairs.
        prompts: the words of the house.
        transcript: messages of an earlier try, to go on from.
    """
    talk = Conversation(order, record, seated, transcript)
    try:
        yield talk.say(DOCTOR, PATIENT, prompts.render(order.language, DOCTOR, "greeting"))
        for turn in range(1, order.max_turns + 1):
            talk.turn = turn
            if talk.waiting(PATIENT):
                async for said in talk.patient_replies():
                    yield said
            if talk.waiting(EXAMINER):
                async for said in talk.examiner_replies():
                    yield said
            if talk.ended or turn == order.max_turns:
                break
            async for said in talk.doctor_speaks():
                yield said
            if talk.ended:
                break
        request = prompts.render(order.language, CHIEF_PHYSICIAN, "request_report")
        async for said in talk.report(request):
            yield said
    except SeatError as failure:
        talk.fail(failure)
    yield talk.result()
