"""The Patient with a model: speaks from its view alone; its replies are read, not trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from autogen_core.models import (
    AssistantMessage,
    ChatCompletionClient,
    LLMMessage,
    SystemMessage,
    UserMessage,
)

from agents.conclusion import names_disease_or_treatment
from agents.mind import Mind
from agents.model.model_reply import Completion
from prompts import Prompts
from records.addressing import (
    TAGS,
    cut_foreign_turns,
    end_token,
    has_end_token,
    split_addressed,
)
from records.medical_record import Language
from records.views import PatientView
from records.visit import DOCTOR, EXAMINER, PATIENT, Message, Protocol, Repair, Trace

if TYPE_CHECKING:
    from records.facts.statements import StatedFindings


@dataclass(frozen=True)
class _Reading:
    parts: tuple[tuple[str, str], ...]
    end: bool
    repairs: tuple[Repair, ...]


class ModelPatient:
    """An `Npc` over `PatientView`.

    Args:
        client: the model's.
        prompts: system prompt and the request to answer again.
        protocol: whether the patient carries requests to the examiner.
        max_turns: patient's replies at most; in the last two an end token is always believed.
    """

    def __init__(
        self,
        client: ChatCompletionClient,
        prompts: Prompts,
        protocol: Protocol = "carried",
        max_turns: int = 10,
    ) -> None:
        self._mind = Mind(client, PATIENT)
        self._prompts = prompts
        self._protocol = protocol
        self._max_turns = max_turns
        self._told: tuple[PatientView, SystemMessage] | None = None
        self._stated: tuple[PatientView, StatedFindings] | None = None
        self._heard: list[tuple[Message, LLMMessage]] = []

    async def reply(
        self, view: PatientView, transcript: Sequence[Message], seed: int
    ) -> tuple[Message, ...]:
        """Answer the last message; one message for each addressee.

        The seed is not used: a model's chance is its endpoint's, set in its spec.

        Raises:
            SeatError: the model failed, or answered twice without a word of the patient's.
        """
        chat = self._chat(view, transcript)
        completion = await self._mind.think(chat)
        reading = self._read(completion, view, transcript)
        if not reading.parts:
            again = self._prompts.render(view.language, PATIENT, "again", protocol=self._protocol)
            chat += [
                AssistantMessage(
                    content=completion.text, thought=completion.thought, source=PATIENT
                ),
                UserMessage(content=again, source="again"),
            ]
            asked_before = (*reading.repairs, Repair(kind="asked_again"))
            completion = await self._mind.think(chat)
            reading = self._read(completion, view, transcript)
            if not reading.parts:
                raise self._mind.failed("two replies in a row hold no word of the patient's")
            reading = _Reading(reading.parts, reading.end, asked_before + reading.repairs)
        return self._messages(reading, completion, view, transcript[-1].turn)

    def _chat(self, view: PatientView, transcript: Sequence[Message]) -> list[LLMMessage]:
        """The conversation as the model sees it: its own messages tagged, as it wrote them."""
        if self._told is None or self._told[0] is not view:
            system = self._prompts.render(
                view.language, PATIENT, "system", view=view, protocol=self._protocol
            )
            self._told = (view, SystemMessage(content=system))
        chat: list[LLMMessage] = [self._told[1]]
        # A transcript grows at its end: what was put into AutoGen's words before is taken again.
        same = takewhile(
            lambda pair: pair[0] is pair[1][0], zip(transcript, self._heard, strict=False)
        )
        self._heard = [before for _, before in same]
        for message in transcript[len(self._heard) :]:
            self._heard.append((message, _as_llm_message(message, view.language)))
        return [*chat, *(message for _, message in self._heard)]

    def _read(
        self, completion: Completion, view: PatientView, transcript: Sequence[Message]
    ) -> _Reading:
        """Read a reply; no parts if nothing of the patient's is in it."""
        text, cuts = cut_foreign_turns(completion.text, PATIENT)
        repairs = [*completion.repairs, *cuts]
        ended = False
        if tokens := has_end_token(text):
            text, ended = end_token(text)
        addressed = split_addressed(text, DOCTOR, view.language)
        spoken = {role: part for role, part in addressed.parts if role != PATIENT}
        if len(spoken) < len(addressed.parts):
            repairs.append(Repair(kind="foreign_turn", detail=f"speaks to the {PATIENT}"))
        if EXAMINER in spoken and self._protocol == "direct":
            repairs.append(Repair(kind="addressee_changed", detail=EXAMINER))
            spoken = {DOCTOR: "\n".join(spoken.values())}
        if len(spoken) > 1:
            repairs.append(Repair(kind="message_split", detail=", ".join(spoken)))
        end = ended and EXAMINER not in spoken and self._may_end(view, transcript)
        if tokens and not end:
            repairs.append(Repair(kind="end_token_ignored"))
        # The prompt asks for the end token in the place of a tag.
        repairs += (r for r in addressed.repairs if not (end and r.kind == "addressee_missing"))
        if end and not spoken:
            spoken = {DOCTOR: ""}
        return _Reading(tuple(spoken.items()), end, tuple(repairs))

    def _may_end(self, view: PatientView, transcript: Sequence[Message]) -> bool:
        """True once the doctor named a disease or a treatment, or one round remains at most."""
        replies = {message.turn for message in transcript if message.role == PATIENT}
        if self._max_turns - (len(replies) + 1) <= 1:
            return True
        return any(
            names_disease_or_treatment(message.text)
            for message in transcript
            if message.role == DOCTOR
        )

    def _messages(
        self, reading: _Reading, completion: Completion, view: PatientView, turn: int
    ) -> tuple[Message, ...]:
        from records.facts.statements import StatedFindings

        if self._stated is None or self._stated[0] is not view:
            self._stated = (view, StatedFindings(view.findings, view.language))
        stated_in = self._stated[1].stated_in
        messages = []
        for index, (addressee, text) in enumerate(reading.parts):
            first, last = index == 0, index == len(reading.parts) - 1
            trace = Trace(
                raw=completion.text if first and reading.repairs else None,
                reasoning=completion.thought if first else None,
                end=reading.end and last,
            )
            messages.append(
                Message(
                    turn=turn,
                    role=PATIENT,
                    speaker=PATIENT,
                    addressee=addressee,
                    text=text,
                    facts=stated_in(text),
                    repairs=reading.repairs if first else (),
                    trace=trace if trace != Trace() else None,
                )
            )
        return tuple(messages)


def _as_llm_message(message: Message, language: Language) -> LLMMessage:
    """A message as the model sees it."""
    if message.role != PATIENT:
        return UserMessage(content=message.text, source=message.role)
    tag = TAGS[language].get(message.addressee, "")
    content = f"{tag} {message.text}".strip()
    thought = message.trace.reasoning if message.trace else None
    return AssistantMessage(content=content, thought=thought, source=PATIENT)
