"""The Chief Physician with a model: marks a report against the record, blind to who wrote it."""

from __future__ import annotations

from collections.abc import Callable

from autogen_core.models import (
    AssistantMessage,
    ChatCompletionClient,
    LLMMessage,
    UserMessage,
)

from agents.errors import SeatError
from agents.grades import read_grades
from agents.mind import Mind
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import Completion
from agents.npc import Opinion
from agents.offline.rubric_words import unscored_reason
from prompts import Prompts
from records.mark import DIMENSIONS, Grade
from records.medical_record import MedicalRecord
from records.views import MarkingView
from records.visit import CHIEF_PHYSICIAN, Ending, Repair, Report

_LARGER_LIMIT = 8192
"""Tokens for a reply that was cut, or twice what it had come to, if that is more."""


class ModelChiefPhysician:
    """A `Judge`.

    A reply whose grades cannot all be read is asked for once more, with a larger limit of tokens if
    it was cut; what is unreadable then is unscored. So is what the record has no reference for, and
    a report that the endpoint's filter does not let through, now or later.

    Args:
        client: makes the model's client, anew for every report.
        prompts: the request to mark.
        name: what the marks are filed under.
    """

    def __init__(
        self, client: Callable[[], ChatCompletionClient], prompts: Prompts, name: str
    ) -> None:
        self._client = client
        self._prompts = prompts
        self._name = name

    @property
    def name(self) -> str:
        """The model's spec, as given."""
        return self._name

    async def judge(self, view: MarkingView, report: Report) -> Opinion:
        """Grade a report against the record.

        Raises:
            SeatError: the model failed.
        """
        record = view.record
        mind = Mind(self._client(), CHIEF_PHYSICIAN)
        prompt = self._prompts.render(
            record.language, CHIEF_PHYSICIAN, "mark", record=record, report=report
        )
        chat: list[LLMMessage] = [UserMessage(content=prompt, source="marking")]
        try:
            first = await mind.think(chat)
        except SeatError as failure:
            if failure.ending is not Ending.CONTENT_FILTERED:
                raise
            return self._unread(f"the endpoint filtered what the judge was told: {failure.reason}")
        grades = read_grades(first.text)
        raw = first.text
        repairs = first.repairs
        unread = [dimension for dimension in DIMENSIONS if grades[dimension].grade is None]
        if unread:
            second = await self._ask_again(mind, chat, first, record, unread)
            # Without a second reply the first, cut, stands as far as it goes.
            again = grades if second is None else read_grades(second.text)
            raw = raw if second is None else f"{raw}\n\n{second.text}"
            last = second or first
            grades |= {dimension: _named(again[dimension], last) for dimension in unread}
            repairs += (Repair(kind="asked_again"), *(second.repairs if second else ()))
        grades = _comparable(grades, record)
        return Opinion(grades=grades, raw=raw, prompts_hash=self._prompts.hash, repairs=repairs)

    def _unread(self, reason: str) -> Opinion:
        grades = {d: Grade(grade=None, reason=reason) for d in DIMENSIONS}
        return Opinion(grades=grades, prompts_hash=self._prompts.hash)

    async def _ask_again(
        self,
        mind: Mind,
        chat: list[LLMMessage],
        first: Completion,
        record: MedicalRecord,
        unread: list[str],
    ) -> Completion | None:
        """Ask once more; None if the endpoint refuses that: its filter, or the larger limit."""
        cut = first.finish_reason == "length"
        extra = {}
        if cut:
            extra["max_tokens"] = max(_LARGER_LIMIT, 2 * first.usage.completion_tokens)
        else:
            again = self._prompts.render(
                record.language, CHIEF_PHYSICIAN, "mark_again", dimensions=unread
            )
            said = AssistantMessage(
                content=first.text, thought=first.thought, source=CHIEF_PHYSICIAN
            )
            chat = [*chat, said, UserMessage(content=again, source="marking")]
        try:
            return await mind.think(chat, extra=extra)
        except SeatError as failure:
            cause = failure.__cause__
            kind = cause.kind if isinstance(cause, ModelFailure) else None
            if kind is FailureKind.CONTENT_FILTERED or (cut and kind is FailureKind.REQUEST):
                return None
            raise


def _named(grade: Grade, reply: Completion) -> Grade:
    """The grade; where there is none because the reply was cut, the reason says so."""
    if grade.grade is None and reply.finish_reason == "length":
        return grade.model_copy(update={"reason": "the reply was cut by the limit of tokens"})
    return grade


def _comparable(grades: dict[str, Grade], record: MedicalRecord) -> dict[str, Grade]:
    """Unscore what the record has no reference for, whatever the model made of it."""
    absent = {
        "examinations": not record.auxiliary_examinations,
        "rationale": not record.rationale,
        "treatment": not record.treatment,
    }
    return {
        dimension: Grade(
            grade=None,
            reason=unscored_reason(record.language, dimension),
            analysis=grade.analysis,
        )
        if absent.get(dimension)
        else grade
        for dimension, grade in grades.items()
    }
