"""The Doctor with a model: it has nothing but its prompt and what it is told."""

from __future__ import annotations

import json
from collections.abc import Sequence

from autogen_agentchat.base import Response
from autogen_agentchat.messages import BaseChatMessage, TextMessage
from autogen_core import CancellationToken
from autogen_core.models import (
    AssistantMessage,
    ChatCompletionClient,
    LLMMessage,
    SystemMessage,
    UserMessage,
)

from agents.mind import Mind
from agents.model.model_reply import Completion
from prompts import Prompts
from records.addressing import cut_foreign_turns
from records.medical_record import Language
from records.visit import CHIEF_PHYSICIAN, DOCTOR, Protocol, Repair, Setting, Trace


class ModelDoctor:
    """A `Doctor`; keeps the conversation.

    Its replies carry `metadata`: `trace`, a `Trace` with reasoning and raw reply as JSON, and
    `repairs`, a JSON list of `Repair`s, each where there is something to tell.

    Args:
        client: the model's.
        prompts: the system prompt and how the voices in the room are told apart.
        language: of the visit.
        protocol: whether the doctor may address the examiner.
        setting: in an interaction or a conference the doctor interviews, elsewhere it only reads.
    """

    def __init__(
        self,
        client: ChatCompletionClient,
        prompts: Prompts,
        language: Language,
        protocol: Protocol = "carried",
        setting: Setting = "interaction",
    ) -> None:
        self._mind = Mind(client, DOCTOR)
        self._prompts = prompts
        self._language: Language = language
        self._protocol = protocol
        interviews = setting in ("interaction", "conference")
        purpose = "system" if interviews else "system_one_step"
        system = prompts.render(language, DOCTOR, purpose, protocol=protocol)
        self._history: list[LLMMessage] = [SystemMessage(content=system)]

    async def on_messages(
        self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken
    ) -> Response:
        """Answer the new messages.

        Raises:
            SeatError: the model failed, or answered twice as someone else.
        """
        self._hear(messages)
        # A report speaks of the patient under headings that look like turns; it is left whole.
        reports = bool(messages) and messages[-1].source == CHIEF_PHYSICIAN
        completion = await self._mind.think(self._history, cancellation_token=cancellation_token)
        text, repairs = self._own_words(completion, reports)
        if not text:
            again = self._prompts.render(self._language, DOCTOR, "again")
            chat = [
                *self._history,
                _reply(completion),
                UserMessage(content=again, source="again"),
            ]
            completion = await self._mind.think(chat, cancellation_token=cancellation_token)
            text, more = self._own_words(completion, reports)
            if not text:
                raise self._mind.failed("two replies in a row hold no word of the doctor's")
            repairs = (*repairs, Repair(kind="asked_again"), *more)
        # The client sends a thought only to a model that wants its own back.
        self._history.append(_reply(completion, text))
        return Response(chat_message=_spoken(text, completion, repairs))

    async def recall(self, heard: Sequence[BaseChatMessage], said: str) -> None:
        """Take it that it heard these messages and answered so; no call is made."""
        self._hear(heard)
        self._history.append(AssistantMessage(content=said, source=DOCTOR))

    def _hear(self, messages: Sequence[BaseChatMessage]) -> None:
        for message in messages:
            heard = self._prompts.render(
                self._language,
                DOCTOR,
                "heard",
                source=message.source,
                text=message.to_model_text(),
            )
            self._history.append(UserMessage(content=heard, source=message.source))

    def _own_words(self, completion: Completion, reports: bool) -> tuple[str, tuple[Repair, ...]]:
        if reports:
            return completion.text.strip(), completion.repairs
        text, cuts = cut_foreign_turns(completion.text, DOCTOR)
        return text, completion.repairs + cuts


def _reply(completion: Completion, text: str | None = None) -> AssistantMessage:
    content = completion.text if text is None else text
    return AssistantMessage(content=content, thought=completion.thought, source=DOCTOR)


def _spoken(text: str, completion: Completion, repairs: tuple[Repair, ...]) -> TextMessage:
    trace = Trace(raw=completion.text if repairs else None, reasoning=completion.thought)
    metadata = {}
    if trace != Trace():
        metadata["trace"] = trace.model_dump_json()
    if repairs:
        metadata["repairs"] = json.dumps(
            [repair.model_dump() for repair in repairs], ensure_ascii=False
        )
    return TextMessage(source=DOCTOR, content=text, metadata=metadata)
