"""The Clerk: a model that sorts plain-text notes into the parts of a record.

The model only points at words; `records.notes` believes none that the notes do not have.
"""

from __future__ import annotations

from dataclasses import dataclass

from autogen_core.models import AssistantMessage, ChatCompletionClient, LLMMessage, UserMessage

from agents.json_reply import json_values
from agents.model.model_reply import Completion
from prompts import Prompts
from records.medical_record import Language
from records.notes.claims import Claims

CLERK = "clerk"
_LARGER_LIMIT = 16384


class UnreadableReplyError(ValueError):
    """The model was asked twice and gave no JSON object of the fields asked for."""


@dataclass(frozen=True)
class Sorted:
    """What the model claims of the notes, and how it came."""

    claims: Claims
    asked_again: bool
    """Whether the first reply could not be read."""
    model: str | None
    """The model that the endpoint says answered."""


class Clerk:
    """Sorts notes with a model.

    Args:
        client: the model's.
        prompts: the request to sort, and the request to write the JSON again.
    """

    def __init__(self, client: ChatCompletionClient, prompts: Prompts) -> None:
        self._client = client
        self._prompts = prompts

    async def sort(self, notes: str, language: Language) -> Sorted:
        """Have the notes sorted; an unreadable reply is asked for once more.

        Raises:
            ModelFailure: there is no reply, and why.
            UnreadableReplyError: the second reply cannot be read either.
        """
        request = self._prompts.render(language, CLERK, "structure_notes", text=notes)
        chat: list[LLMMessage] = [UserMessage(content=request, source="records")]
        first = await self._ask(chat)
        claims = _claims(first)
        if claims is not None:
            return Sorted(claims, asked_again=False, model=first.model)
        cut = first.finish_reason == "length"
        if not cut:
            again = self._prompts.render(language, CLERK, "structure_again")
            chat += [
                AssistantMessage(content=first.text, source=CLERK),
                UserMessage(content=again, source="records"),
            ]
        second = await self._ask(chat, larger=cut)
        claims = _claims(second)
        if claims is None:
            raise UnreadableReplyError(_reason(second))
        return Sorted(claims, asked_again=True, model=second.model)

    async def _ask(self, chat: list[LLMMessage], *, larger: bool = False) -> Completion:
        extra = {"max_tokens": _LARGER_LIMIT} if larger else {}
        return Completion.of(
            await self._client.create(chat, json_output=True, extra_create_args=extra)
        )


def _claims(completion: Completion) -> Claims | None:
    """The claims of the first JSON object of the reply that has any."""
    for value in json_values(completion.text, "{"):
        claims = Claims.read(value)
        if claims is not None:
            return claims
    return None


def _reason(reply: Completion) -> str:
    if reply.finish_reason == "length":
        return (
            "the model's reply was cut by the limit of tokens; set a larger max_tokens in --model"
        )
    shown = " ".join(reply.text.split())[:80]
    return f'asked twice, the model gave no JSON object of the fields asked for: "{shown}…"'
