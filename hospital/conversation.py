"""One conversation under way: who hears what, whose turn it is, and whose failure ends it.

The settings decide who speaks when; this keeps the transcript, hands each role only what it may
hear, and turns whatever goes wrong in a seat into an ending.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import AsyncIterator, Iterable, Sequence

from autogen_agentchat.messages import TextMessage
from autogen_core import CancellationToken

from agents.errors import SeatError
from agents.model.model_spec import is_model
from agents.npc import Npc, View
from agents.recall import recall
from agents.seats import Seated
from evaluation.leaks import leaks_marked
from hospital.replies import bounded, doctor_reply, in_one_line, npc_replies
from hospital.stream import Said, VisitResult
from records.addressing import split_addressed
from records.medical_record import MedicalRecord
from records.program import program_version
from records.report_parser import read_report
from records.views import ExaminerView, PatientView
from records.visit import (
    CHIEF_PHYSICIAN,
    DOCTOR,
    EXAMINER,
    PATIENT,
    Ending,
    Message,
    Repair,
    Report,
    Trace,
    Visit,
    VisitOrder,
)


class Conversation:
    """The transcript of a visit as it grows.

    Args:
        order: what was ordered.
        record: its case; only views of it leave this object.
        seated: who sits in the chairs.
        transcript: what was said before, in whole replies; it is said again word for word, then
            the visit goes on.
    """

    def __init__(
        self,
        order: VisitOrder,
        record: MedicalRecord,
        seated: Seated,
        transcript: Sequence[Message] = (),
    ) -> None:
        self.order = order
        self.turn = 0
        self.messages: list[Message] = []
        self._seed = order.visit_seed
        self._seated = seated
        self._record = record
        self._patient_view = PatientView.of(record)
        self._examiner_view = ExaminerView.of(record)
        self._earlier = deque(transcript)
        self._unheard: deque[Message] = deque()
        self._report: Report | None = None
        self._failure: SeatError | None = None
        self._declined = False
        self._started = time.monotonic()

    @property
    def ended(self) -> bool:
        """True once the patient has taken its leave, or the doctor has closed the consultation."""
        return any(m.trace and m.trace.end for m in self.messages)

    def waiting(self, role: str) -> bool:
        """True if something was said to this role after it last spoke."""
        for message in reversed(self.messages):
            if message.role == role:
                return False
            if message.addressee == role:
                return True
        return False

    def say(self, role: str, addressee: str, text: str, facts: Iterable[str] = ()) -> Said:
        """Put words of the house into the transcript: a greeting, a complaint, a request."""
        earlier = self._said_before(role, at_most=1)
        if earlier:
            return self._add(earlier[0])
        message = Message(
            turn=self.turn,
            role=role,
            speaker=role,
            addressee=addressee,
            text=text,
            facts=tuple(facts),
        )
        return self._add(message)

    async def patient_replies(self) -> AsyncIterator[Said]:
        """Let the patient answer what was said to it."""
        async for said in self._npc_replies(PATIENT, self._seated.patient, self._patient_view):
            yield said

    async def examiner_replies(self) -> AsyncIterator[Said]:
        """Let the examiner answer what was requested of it."""
        async for said in self._npc_replies(EXAMINER, self._seated.examiner, self._examiner_view):
            yield said

    async def doctor_speaks(self) -> AsyncIterator[Said]:
        """Let the doctor answer what is new to it; whom it can address is the protocol's."""
        heard = self._take_unheard()
        earlier = self._said_before(DOCTOR)
        if earlier:
            await self._remind_doctor(heard, " ".join(message.text for message in earlier))
            for message in earlier:
                yield self._add(message)
            return
        text, repairs, trace = await doctor_reply(self._seated.doctor, heard, self._seated.timeout)
        addressed = split_addressed(text, default=PATIENT)
        parts = [(who if who == EXAMINER else PATIENT, part) for who, part in addressed.parts]
        if self.order.protocol == "carried":
            # The patient is the only one to speak to, so a doctor need not say whom it means.
            parts = [(PATIENT, "\n".join(part for _, part in parts))]
        else:
            repairs += addressed.repairs
        # The patient is answered first, whatever the order on the page.
        for who, part in sorted(parts, key=lambda part: part[0] == EXAMINER):
            yield self._add(self._doctor_message(who, part, repairs, trace))
            repairs, trace = (), None

    async def report(self, request: str) -> AsyncIterator[Said]:
        """Let the chief physician ask for the report, and the doctor write it."""
        yield self.say(CHIEF_PHYSICIAN, DOCTOR, request)
        heard = self._take_unheard()
        earlier = self._said_before(DOCTOR, at_most=1)
        if earlier:
            written = earlier[0]
            # In a conference the doctor goes on from its report.
            await self._remind_doctor(heard, written.text)
            reading = read_report(written.text)
        else:
            text, repairs, trace = await doctor_reply(
                self._seated.doctor, heard, self._seated.timeout
            )
            reading = read_report(text)
            repairs += reading.repairs
            written = self._doctor_message(CHIEF_PHYSICIAN, text, repairs, trace)
        self._report, self._declined = reading.report, reading.declined
        yield self._add(written)

    def fail(self, failure: SeatError) -> None:
        """Let a seat's failure end the visit."""
        self._failure = failure

    def result(self) -> VisitResult:
        """The visit as it stands, as the stream's last item."""
        ending = self._ending()
        messages = tuple(self.messages)
        if is_model(self.order.npc):
            # Now that nobody is to hear of it, the record may be seen.
            messages = leaks_marked(messages, self._record)
        visit = unsettled(self.order).model_copy(
            update={
                "ending": ending,
                "models_answered": self._seated.meter.models,
                "failed_by": self._failure.role if self._failure else None,
                "failure": self._failure.reason if self._failure else None,
                "messages": messages,
                "report": self._report,
                "usage": self._seated.meter.usage,
                "cost": self._seated.cost,
                "cost_complete": self._seated.cost_complete,
                "seconds": round(time.monotonic() - self._started, 3),
            }
        )
        return VisitResult(messages=[], stop_reason=ending.value, visit=visit)

    def _ending(self) -> Ending:
        if self._failure:
            return self._failure.ending
        if self._declined:
            return Ending.DOCTOR_DECLINED
        if self.order.setting == "interaction" and not self.ended:
            return Ending.ROUND_LIMIT
        return Ending.DIAGNOSIS_GIVEN

    def _add(self, message: Message) -> Said:
        self.messages.append(message)
        if message.addressee == DOCTOR:
            self._unheard.append(message)
        return Said.of(message)

    def _said_before(self, role: str, at_most: int | None = None) -> list[Message]:
        """Take what this role says next in the transcript that the visit goes on from."""
        said: list[Message] = []
        while self._earlier and self._earlier[0].role == role and len(said) != at_most:
            if self._earlier[0].turn != self.turn:
                break
            said.append(self._earlier.popleft())
        return said

    async def _npc_replies(self, role: str, npc: Npc[View], view: View) -> AsyncIterator[Said]:
        earlier = self._said_before(role)
        replies = tuple(earlier) or await self._ask_npc(role, npc, view)
        for reply in replies:
            text, repairs = bounded(reply.text)
            update = {"turn": self.turn, "text": text, "repairs": reply.repairs + repairs}
            yield self._add(reply if earlier else reply.model_copy(update=update))

    async def _ask_npc(self, role: str, npc: Npc[View], view: View) -> tuple[Message, ...]:
        heard = [m for m in self.messages if role in (m.role, m.addressee)]
        return await npc_replies(role, npc, view, heard, self._seed + self.turn)

    def _take_unheard(self) -> list[TextMessage]:
        heard = [TextMessage(source=m.role, content=m.text) for m in self._unheard]
        self._unheard.clear()
        return heard

    async def _remind_doctor(self, heard: Sequence[TextMessage], said: str) -> None:
        try:
            await recall(self._seated.doctor, heard, said, CancellationToken())
        except SeatError:
            raise
        except (Exception, SystemExit) as error:
            raise SeatError(DOCTOR, Ending.DOCTOR_FAILED, in_one_line(error)) from error

    def _doctor_message(
        self, addressee: str, text: str, repairs: tuple[Repair, ...], trace: Trace | None
    ) -> Message:
        return Message(
            turn=self.turn,
            role=DOCTOR,
            speaker=DOCTOR,
            addressee=addressee,
            text=text,
            repairs=repairs,
            trace=trace,
        )


def unsettled(order: VisitOrder) -> Visit:
    """A visit that holds what was ordered and nothing that happened."""
    ordered = {name: getattr(order, name) for name in VisitOrder.model_fields.keys() & _KEPT}
    return Visit(**ordered, key=order.key, ending=Ending.CANCELLED, version=program_version())


_KEPT = Visit.model_fields.keys()
