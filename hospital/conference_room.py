"""Who is in the room of a conference: each Doctor after its own consultation, with its report."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

from agents.conference_seats import Chair, Convened
from agents.errors import SeatError
from agents.npc import Doctor
from hospital.consultation import consultation
from hospital.consultation_book import ConsultationBook, consultation_of
from hospital.side_by_side import side_by_side
from hospital.stream import Said, VisitResult
from prompts import Prompts
from records.conference import Consultation, Participant
from records.medical_record import MedicalRecord
from records.visit import DOCTOR, REPORT_PARTS, Ending, Report

OF_THE_DOCTOR = (Ending.DOCTOR_FAILED, Ending.DOCTOR_DECLINED, Ending.CONTENT_FILTERED)
"""Endings after which a Doctor leaves and the conference goes on."""
_WITH_REPORT = (Ending.DIAGNOSIS_GIVEN, Ending.ROUND_LIMIT)
_NEVER_TOOK_PART = -1


class Attendance:
    """The Doctors of a conference, and why some are not there.

    Args:
        record: the case.
        people: who is there.
        prompts: the words of the house.
        book: consultations that need not be held again.
    """

    def __init__(
        self, record: MedicalRecord, people: Convened, prompts: Prompts, book: ConsultationBook
    ) -> None:
        self.reports: dict[str, Report] = {}
        """By speaker, the reports of those who are in the room, as they stand."""
        self.doctors: dict[str, Doctor] = {c.speaker: c.seated.doctor for c in people.chairs}
        self.consulted: dict[str, Consultation] = {}
        self._chairs = people.chairs
        self._record = record
        self._prompts = prompts
        self._book = book
        self._out: dict[str, tuple[str, int]] = {}

    async def consult(self) -> AsyncIterator[Said]:
        """Let every Doctor see the patient by itself, all at once; some may stay out for it.

        Raises:
            SeatError: an NPC or a provider failed, which is no Doctor's doing.
        """
        async for said in side_by_side([self._consult(chair) for chair in self._chairs]):
            yield said
        for chair in self._chairs:
            held = self.consulted[chair.speaker]
            reason = _why_out(held)
            if reason is not None:
                self._out[chair.speaker] = (reason, _NEVER_TOOK_PART)
            elif held.report is not None:
                self.reports[chair.speaker] = held.report

    def leave(self, speaker: str, reason: str, number: int) -> None:
        """Let a Doctor leave the room in a round."""
        self._out[speaker] = (reason, number)
        del self.reports[speaker]

    @property
    def participants(self) -> tuple[Participant, ...]:
        """For the minutes."""
        return tuple(
            Participant(
                speaker=chair.speaker,
                doctor=chair.order.doctor,
                consultation=self.consulted.get(chair.speaker),
                visit_key=chair.order.key,
                out=self._out.get(chair.speaker, (None, None))[0],
                out_since=self._out.get(chair.speaker, (None, None))[1],
            )
            for chair in self._chairs
        )

    @property
    def why_nobody(self) -> tuple[Ending, str]:
        """The ending where nobody is left in the room, and who left why."""
        endings = [self.consulted[speaker].ending for speaker in self._out]
        declined = all(ending is Ending.DOCTOR_DECLINED for ending in endings)
        reasons = "; ".join(f"{who}: {why}" for who, (why, _) in sorted(self._out.items()))
        return (Ending.DOCTOR_DECLINED if declined else Ending.DOCTOR_FAILED), reasons

    async def _consult(self, chair: Chair) -> AsyncIterator[Said]:
        """One Doctor's consultation, or what the book has of it; then it is ready to go on."""
        async with self._book.claim(chair.order.key) as held:
            reminded = held is None and chair.fresh is None
            if held is not None:
                for message in held.messages:
                    yield _named(Said.of(message), chair.speaker)
            else:
                talk = consultation(chair.order, self._record, chair.seated, self._prompts)
                async for item in talk:
                    if isinstance(item, VisitResult):
                        held = consultation_of(item.visit)
                        self._book.add(held)
                    else:
                        yield _named(item, chair.speaker)
        if held is None:
            raise RuntimeError("a consultation ended without a visit")
        self.consulted[chair.speaker] = held
        if not reminded and held.ending in _WITH_REPORT:
            await self._remind(chair, held)

    async def _remind(self, chair: Chair, held: Consultation) -> None:
        """Bring the Doctor of the conference to where that of the consultation stood."""
        doctor = chair.fresh() if chair.fresh else chair.seated.doctor
        self.doctors[chair.speaker] = doctor
        seated = replace(chair.seated, doctor=doctor)
        talk = consultation(chair.order, self._record, seated, self._prompts, held.messages)
        async for _ in talk:
            pass


def is_blank(report: Report) -> bool:
    """True if no part of a report says anything."""
    return not any(getattr(report, part).strip() for part in REPORT_PARTS)


def _named(said: Said, speaker: str) -> Said:
    """A message of a consultation as the conference's stream tells it: whose it is."""
    message = said.message
    if message.role == DOCTOR:
        message = message.model_copy(update={"speaker": speaker})
    if message.addressee == DOCTOR:
        message = message.model_copy(update={"addressee": speaker})
    return Said.of(message)


def _why_out(held: Consultation) -> str | None:
    """Why a Doctor stays out of the conference after its consultation; None if it does not.

    Raises:
        SeatError: the consultation failed for another reason than its Doctor.
    """
    if held.ending in _WITH_REPORT:
        return "its report is empty" if held.report is None or is_blank(held.report) else None
    by_doctor = held.ending is not Ending.CONTENT_FILTERED or held.failed_by == DOCTOR
    if held.ending in OF_THE_DOCTOR and by_doctor:
        return f"{held.ending.value}: {held.failure}" if held.failure else held.ending.value
    raise SeatError(held.failed_by or "provider", held.ending, held.failure or held.ending.value)
