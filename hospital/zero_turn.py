"""Zero turns: the chief complaint alone, one report. The floor of a Doctor."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from agents.errors import SeatError
from agents.seats import Seated
from hospital.conversation import Conversation
from hospital.stream import Said, VisitResult
from prompts import Prompts
from records.facts.matching import stated_findings
from records.medical_record import MedicalRecord
from records.views import PatientView
from records.visit import CHIEF_PHYSICIAN, DOCTOR, PATIENT, Message, VisitOrder


async def zero_turn(
    order: VisitOrder,
    record: MedicalRecord,
    seated: Seated,
    prompts: Prompts,
    transcript: Sequence[Message] = (),
) -> AsyncIterator[Said | VisitResult]:
    """Let the patient say its complaint and ask the Doctor for the report at once.

    Arguments and stream are those of `hospital.consultation.consultation`.
    """
    talk = Conversation(order, record, seated, transcript)
    try:
        yield talk.say(DOCTOR, PATIENT, prompts.render(order.language, DOCTOR, "greeting"))
        complaint = PatientView.of(record).opening
        facts = stated_findings(complaint, record.findings, record.language)
        yield talk.say(PATIENT, DOCTOR, complaint, facts)
        request = prompts.render(order.language, CHIEF_PHYSICIAN, "request_report")
        async for said in talk.report(request):
            yield said
    except SeatError as failure:
        talk.fail(failure)
    yield talk.result()
