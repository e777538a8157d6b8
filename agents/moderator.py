"""The moderating Chief Physician with a model; its replies are read, not trusted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from autogen_core.models import (
    AssistantMessage,
    ChatCompletionClient,
    LLMMessage,
    UserMessage,
)

from agents.mind import Mind
from agents.moderation import Question, Ruling, Verdict
from agents.moderator_reading import Read, read_conclusion, read_facts, read_questions, read_verdict
from prompts import Prompts
from records.conference import Contradiction, Facts
from records.medical_record import Language
from records.visit import CHIEF_PHYSICIAN, Repair, Report, Trace

_LARGER_LIMIT = 8192
T = TypeVar("T")


class ModelModerator:
    """A `Moderator`. Every question to the model stands by itself: it keeps no conversation.

    A reply that cannot be read is asked for once more, with a larger limit of tokens if it was cut;
    a second one ends the conference.

    Args:
        client: the model's.
        prompts: the requests.
        language: of the conference.
    """

    def __init__(self, client: ChatCompletionClient, prompts: Prompts, language: Language) -> None:
        self._mind = Mind(client, CHIEF_PHYSICIAN)
        self._prompts = prompts
        self._language: Language = language

    async def find_contradictions(self, reports: Sequence[Report]) -> Ruling[tuple[Question, ...]]:
        """See `Moderator`."""
        return await self._ask("find_contradictions", read_questions, reports=reports)

    async def merge_facts(
        self, reports: Sequence[Report], answers: Sequence[Contradiction]
    ) -> Ruling[Facts]:
        """See `Moderator`."""
        return await self._ask("merge_facts", read_facts, reports=reports, answers=answers)

    async def find_disputes(self, reports: Sequence[Report]) -> Ruling[Verdict]:
        """See `Moderator`."""
        return await self._ask("disputes", read_verdict, reports=reports)

    async def conclude(self, reports: Sequence[Report], facts: Facts | None) -> Ruling[str]:
        """See `Moderator`."""
        return await self._ask("final_report", read_conclusion, reports=reports, facts=facts)

    async def _ask(
        self, purpose: str, read: Callable[[str], Read[T] | None], **context: object
    ) -> Ruling[T]:
        prompt = self._prompts.render(self._language, CHIEF_PHYSICIAN, purpose, **context)
        chat: list[LLMMessage] = [UserMessage(content=prompt, source="conference")]
        completion = await self._mind.think(chat)
        found = read(completion.text)
        repairs = completion.repairs
        if found is None:
            repairs += (Repair(kind="asked_again"),)
            if completion.finish_reason == "length":
                completion = await self._mind.think(chat, extra={"max_tokens": _LARGER_LIMIT})
            else:
                again = self._prompts.render(self._language, CHIEF_PHYSICIAN, "moderate_again")
                chat += [
                    AssistantMessage(
                        content=completion.text,
                        thought=completion.thought,
                        source=CHIEF_PHYSICIAN,
                    ),
                    UserMessage(content=again, source="conference"),
                ]
                completion = await self._mind.think(chat)
            found = read(completion.text)
            repairs += completion.repairs
            if found is None:
                raise self._mind.failed(f"two replies to {purpose} in a row cannot be read")
        trace = Trace(raw=completion.text, reasoning=completion.thought)
        return Ruling(found.value, repairs + found.repairs, trace)
