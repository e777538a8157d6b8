"""One step: the whole case handed over at once, one report. The ceiling of a Doctor."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from agents.errors import SeatError
from agents.seats import Seated
from hospital.conversation import Conversation
from hospital.stream import Said, VisitResult
from prompts import Prompts
from records.medical_record import MedicalRecord
from records.views import CaseView
from records.visit import CHIEF_PHYSICIAN, Message, VisitOrder


async def one_step(
    order: VisitOrder,
    record: MedicalRecord,
    seated: Seated,
    prompts: Prompts,
    transcript: Sequence[Message] = (),
) -> AsyncIterator[Said | VisitResult]:
    """Hand the Doctor the subjective and objective information and ask for the report.

    Arguments and stream are those of `hospital.consultation.consultation`.
    """
    talk = Conversation(order, record, seated, transcript)
    try:
        case = CaseView.of(record)
        request = prompts.render(order.language, CHIEF_PHYSICIAN, "hand_over_case", case=case)
        async for said in talk.report(request):
            yield said
    except SeatError as failure:
        talk.fail(failure)
    yield talk.result()
