"""One conference under way: who is in the room, what they hold, and what is written down of it.

The setting decides what comes next; this asks the people, side by side where they do not wait for
each other, and keeps the minutes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any

from agents.conference_seats import Convened
from agents.errors import SeatError
from agents.model.model_spec import is_model
from agents.moderation import Moderator, Question, Ruling
from agents.revision import Revision
from evaluation.leaks import leaks_marked
from hospital.conference_room import OF_THE_DOCTOR, Attendance, is_blank
from hospital.consultation_book import ConsultationBook
from hospital.conversation import unsettled
from hospital.meeting_accounts import spent
from hospital.replies import bounded, doctor_reply, npc_replies
from hospital.stream import Said, VisitResult
from prompts import Prompts
from records.conference import (
    Change,
    Contradiction,
    EndedBy,
    Facts,
    Minutes,
    Round,
)
from records.diseases.diagnosis_changes import diagnosis_change
from records.diseases.icd10 import default_terminology
from records.medical_record import Language, MedicalRecord
from records.report_parser import read_report
from records.views import ExaminerView, PatientView
from records.visit import (
    CHIEF_PHYSICIAN,
    DOCTOR,
    EXAMINER,
    PATIENT,
    REPORT_PARTS,
    Ending,
    Message,
    Repair,
    Report,
    Trace,
    VisitOrder,
)

_VERDICTS: dict[Language, tuple[str, str]] = {
    "zh": ("意见一致。", "意见尚未一致。"),
    "en": ("There is agreement.", "There is no agreement yet."),
}


class Meeting:
    """The state of a conference.

    Args:
        order: what was ordered.
        record: its case; only views of it leave this object, and none of them to the moderator.
        people: who is there.
        prompts: the words of the house.
        book: consultations that need not be held again.
    """

    def __init__(
        self,
        order: VisitOrder,
        record: MedicalRecord,
        people: Convened,
        prompts: Prompts,
        book: ConsultationBook,
    ) -> None:
        self.order = order
        self.people = people
        self.turn = 0
        """0 in the consultations, 1 while facts are settled, n + 1 in round n."""
        self._record = record
        self._prompts = prompts
        self._room = Attendance(record, people, prompts, book)
        self._messages: list[Message] = []
        self._contradictions: list[Contradiction] = []
        self._facts: Facts | None = None
        self._rounds: list[Round] = []
        self._points: tuple[str, ...] = ()
        self._final: Report | None = None
        self._ended_by: EndedBy | None = None
        self._failure: SeatError | None = None
        self._started = time.monotonic()

    @property
    def reports(self) -> dict[str, Report]:
        """By speaker, the reports of those who are in the room, as they stand."""
        return self._room.reports

    def consultations(self) -> AsyncIterator[Said]:
        """Let every Doctor see the patient by itself; see `Attendance.consult`."""
        return self._room.consult()

    async def settle_facts(self) -> AsyncIterator[Said]:
        """Let the moderator find contradictions, ask about them, and merge the facts.

        Raises:
            SeatError: the moderator, an NPC or a provider failed.
        """
        self.turn = 1
        moderator = self._moderator()
        speakers, reports = list(self.reports), list(self.reports.values())
        found = await moderator.find_contradictions(reports)
        for question in found.value:
            async for said in self._ask_about(question, speakers):
                yield said
        merged = await moderator.merge_facts(reports, self._contradictions)
        self._facts = merged.value
        text = f"{merged.value.symptoms}\n\n{merged.value.examinations}".strip()
        repairs = found.repairs + merged.repairs
        yield self._moderator_says(DOCTOR, text, replace(merged, repairs=repairs))

    async def agreement(self) -> AsyncIterator[Said]:
        """Let the moderator declare agreement or list the disputed points of the next round.

        Raises:
            SeatError: the moderator or a provider failed.
        """
        self.turn += 1
        verdict = await self._moderator().find_disputes(list(self.reports.values()))
        self._points = verdict.value.points
        if verdict.value.agreement:
            self._ended_by = "agreement"
        agreed = _VERDICTS[self.order.language][not verdict.value.agreement]
        yield self._moderator_says(DOCTOR, "\n".join((agreed, *self._points)), verdict)

    async def revise(self, number: int) -> AsyncIterator[Said]:
        """Let every Doctor revise its report, in parallel.

        Args:
            number: 0 for the revision on the merged facts; else the round, in which each sees the
                others' reports and the disputed points.

        Raises:
            SeatError: a provider failed. A Doctor that fails leaves the room.
        """
        before = dict(self.reports)
        kept: dict[str, str] = {}
        told = self.people.spec.disputes
        requests = {
            speaker: Revision(
                own=report,
                facts=self._facts if number == 0 else None,
                others=tuple(r for s, r in before.items() if s != speaker) if number else (),
                disputes=self._points if number and told else (),
            ).message(self._prompts, self.order.language)
            for speaker, report in before.items()
        }
        timeouts = {chair.speaker: chair.seated.timeout for chair in self.people.chairs}
        replies = await asyncio.gather(
            *(
                doctor_reply(self._room.doctors[speaker], [request], timeouts[speaker])
                for speaker, request in requests.items()
            ),
            return_exceptions=True,
        )
        for speaker, reply in zip(before, replies, strict=True):
            if isinstance(reply, SeatError) and reply.ending in OF_THE_DOCTOR:
                self._room.leave(speaker, f"{reply.ending.value}: {reply.reason}", number)
            elif isinstance(reply, BaseException):
                raise reply
            else:
                text, repairs, trace = reply
                reading = read_report(text)
                if reading.declined or is_blank(reading.report):
                    kept[speaker] = "declined" if reading.declined else "no report"
                else:
                    self.reports[speaker] = reading.report
                yield self._doctor_says(speaker, text, repairs + reading.repairs, trace)
        self._rounds.append(
            Round(
                number=number,
                points=self._points if number else (),
                points_shown=told,
                reports=dict(self.reports),
                changes=tuple(self._changes(before)),
                kept=kept,
            )
        )

    async def conclude(self) -> AsyncIterator[Said]:
        """Let the moderator write the final report.

        Raises:
            SeatError: the moderator or a provider failed.
        """
        self.turn += 1
        written = await self._moderator().conclude(list(self.reports.values()), self._facts)
        yield self._close(CHIEF_PHYSICIAN, written)

    def conclude_with(self, text: str) -> Said:
        """Take a report as the final one that nobody in the room wrote."""
        self.turn += 1
        return self._close("vote", Ruling(text))

    @property
    def agreed(self) -> bool:
        """True once the moderator has declared agreement."""
        return self._ended_by == "agreement"

    @property
    def discussing(self) -> bool:
        """True while there are two Doctors at least to hear each other."""
        return len(self.reports) > 1

    def end(self, ended_by: EndedBy) -> None:
        """Write down what ended it, unless that is settled."""
        self._ended_by = self._ended_by or ended_by

    def fail(self, failure: SeatError) -> None:
        """Let a seat's failure end the conference, whatever had been agreed."""
        self._failure, self._ended_by = failure, None

    def result(self) -> VisitResult:
        """The visit as it stands, as the stream's last item."""
        if not self._failure and not self.discussing and self._final is None:
            # One Doctor left is a consultation: its report stands.
            self._final = next(iter(self.reports.values()), None)
            self._ended_by = "one_left" if self.reports else "none_left"
        failed = self._failure
        ending, why = self._ending()
        update = {
            "ending": ending,
            "failed_by": failed.role if failed else None,
            "failure": why,
            "messages": self._marked_messages(),
            "report": self._final,
            "conference": self._minutes(),
            "seconds": round(time.monotonic() - self._started, 3),
            **spent(self.people, self._room.consulted),
        }
        visit = unsettled(self.order).model_copy(update=update)
        return VisitResult(messages=[], stop_reason=ending.value, visit=visit)

    def _marked_messages(self) -> tuple[Message, ...]:
        if is_model(self.order.npc):
            return leaks_marked(self._messages, self._record)
        return tuple(self._messages)

    async def _ask_about(self, question: Question, speakers: Sequence[str]) -> AsyncIterator[Said]:
        yield self._add(
            Message(
                turn=self.turn,
                role=CHIEF_PHYSICIAN,
                speaker=CHIEF_PHYSICIAN,
                addressee=question.to,
                text=question.text,
            )
        )
        answers = []
        async for said in self._npc_answers(question.to):
            answers.append(said.message)
            yield said
        self._contradictions.append(
            Contradiction(
                question=question.text,
                asked_of=question.to,
                claims={speakers[i]: claim for i, claim in question.claims.items()},
                answer="\n".join(answer.text for answer in answers),
                facts=tuple(dict.fromkeys(f for a in answers for f in a.facts)),
                examinations=tuple(dict.fromkeys(e for a in answers for e in a.examinations)),
            )
        )

    async def _npc_answers(self, role: str) -> AsyncIterator[Said]:
        """The answer to the last question; a patient may take it to the examiner."""
        heard = [m for m in self._messages if role in (m.role, m.addressee)]
        seed = self.order.visit_seed + len(self._messages)
        if role == PATIENT:
            view = PatientView.of(self._record)
            replies = await npc_replies(PATIENT, self.people.patient, view, heard, seed)
        else:
            results = ExaminerView.of(self._record)
            replies = await npc_replies(EXAMINER, self.people.examiner, results, heard, seed)
        for reply in replies:
            carried = role == PATIENT and reply.addressee == EXAMINER
            text, repairs = bounded(reply.text)
            update = {
                "turn": self.turn,
                "addressee": EXAMINER if carried else CHIEF_PHYSICIAN,
                "text": text,
                "repairs": reply.repairs + repairs,
            }
            yield self._add(reply.model_copy(update=update))
            if carried:
                async for said in self._npc_answers(EXAMINER):
                    yield said

    def _changes(self, before: dict[str, Report]) -> list[Change]:
        changes = []
        for speaker, report in self.reports.items():
            old = before[speaker]
            parts = tuple(p for p in REPORT_PARTS if getattr(report, p) != getattr(old, p))
            if parts:
                changed = diagnosis_change(
                    old.diagnosis, report.diagnosis, self.order.language, default_terminology()
                )
                changes.append(
                    Change(
                        speaker=speaker,
                        parts=parts,
                        took_up=changed.took_up,
                        gave_up=changed.gave_up,
                    )
                )
        return changes

    def _moderator(self) -> Moderator:
        if self.people.moderator is None:
            raise RuntimeError(f"{self.order.doctor} has no moderator")
        return self.people.moderator

    def _close(self, speaker: str, written: Ruling[str]) -> Said:
        self._final = read_report(written.value).report
        return self._moderator_says(DOCTOR, written.value, written, speaker)

    def _moderator_says(
        self, addressee: str, text: str, ruling: Ruling[Any], speaker: str = CHIEF_PHYSICIAN
    ) -> Said:
        return self._add(
            Message(
                turn=self.turn,
                role=CHIEF_PHYSICIAN,
                speaker=speaker,
                addressee=addressee,
                text=bounded(text)[0],
                repairs=ruling.repairs,
                trace=ruling.trace,
            )
        )

    def _doctor_says(
        self, speaker: str, text: str, repairs: tuple[Repair, ...], trace: Trace | None
    ) -> Said:
        return self._add(
            Message(
                turn=self.turn,
                role=DOCTOR,
                speaker=speaker,
                addressee=CHIEF_PHYSICIAN,
                text=text,
                repairs=repairs,
                trace=trace,
            )
        )

    def _add(self, message: Message) -> Said:
        self._messages.append(message)
        return Said.of(message)

    def _ending(self) -> tuple[Ending, str | None]:
        if self._failure:
            return self._failure.ending, self._failure.reason
        if self._final is not None:
            return Ending.DIAGNOSIS_GIVEN, None
        return self._room.why_nobody

    def _minutes(self) -> Minutes:
        spec = self.people.spec
        return Minutes(
            strategy=spec.strategy,
            moderator=spec.moderator if spec.moderated else "",
            round_limit=spec.rounds,
            disputes=spec.disputes,
            facts_exchanged=spec.facts,
            participants=self._room.participants,
            contradictions=tuple(self._contradictions),
            facts=self._facts,
            rounds=tuple(self._rounds),
            rounds_held=sum(r.number > 0 for r in self._rounds),
            ended_by=self._ended_by,
        )
