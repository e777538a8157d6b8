"""The Clerk: asks a model to sort notes, once more if the reply cannot be read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.clerk import Clerk, UnreadableReplyError
from agents.errors import SpecError
from agents.model.model_failure import FailureKind, ModelFailure
from agents.seats import Seats
from prompts import Prompts
from records.medical_record import Language
from tests.scripted_endpoint import ScriptedEndpoint, completion, error, purpose_of

PROMPTS = Prompts()
REPLY = json.dumps({"patient": "man, 61", "chief_complaint": ["Cough"], "findings": []})


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_the_model_is_shown_the_notes_in_their_language(
    serve: Any, language: Language
) -> None:
    served = await serve([REPLY])
    sorted_ = await Clerk(served.client, PROMPTS).sort("NOTES {{ 1 }} 原文", language)
    assert sorted_.claims.single == {"patient": "man, 61"}
    assert sorted_.claims.passages["chief_complaint"] == ["Cough"]
    assert not sorted_.asked_again
    assert sorted_.model == "scripted-1"
    (request,) = served.endpoint.requests
    assert purpose_of(request) == (language, "clerk", "structure_notes")
    assert "NOTES {{ 1 }} 原文" in request["messages"][0]["content"]
    assert request["response_format"] == {"type": "json_object"}


@pytest.mark.parametrize(
    "wrapped",
    [
        f"```json\n{REPLY}\n```",
        f"<think>Where does it say?</think>{REPLY}",
        f'An example: {{"a": 1}}\nHere it is: {REPLY} I hope that helps.',
    ],
)
async def test_what_stands_around_the_json_does_not_matter(serve: Any, wrapped: str) -> None:
    served = await serve([wrapped])
    sorted_ = await Clerk(served.client, PROMPTS).sort("Notes", "en")
    assert sorted_.claims.passages["chief_complaint"] == ["Cough"]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("broken", [REPLY[:-9], "I cannot do that.", "[]", '{"a": 1, "b": 2}'])
async def test_a_broken_reply_is_asked_for_once_more(
    serve: Any, language: Language, broken: str
) -> None:
    served = await serve([broken, REPLY])
    sorted_ = await Clerk(served.client, PROMPTS).sort("Notes", language)
    assert sorted_.asked_again
    assert sorted_.claims.passages["chief_complaint"] == ["Cough"]
    again = served.asked[1]
    assert [message["role"] for message in again] == ["user", "assistant", "user"]
    assert again[1]["content"] == broken
    assert again[2]["content"] == PROMPTS.render(language, "clerk", "structure_again")


async def test_a_second_broken_reply_is_a_fault_that_shows_it(serve: Any) -> None:
    served = await serve([REPLY[:-9], "No, really, I cannot."])
    with pytest.raises(UnreadableReplyError, match=r"asked twice.*No, really"):
        await Clerk(served.client, PROMPTS).sort("Notes", "en")
    assert len(served.asked) == 2


async def test_a_cut_reply_is_asked_for_with_a_larger_limit(serve: Any) -> None:
    served = await serve([completion(REPLY[:-9], finish_reason="length"), REPLY])
    sorted_ = await Clerk(served.client, PROMPTS).sort("Notes", "en")
    assert sorted_.asked_again
    first, second = served.endpoint.requests
    assert "max_tokens" not in first
    assert second["max_tokens"] == 16384
    assert second["messages"] == first["messages"]
    served = await serve([completion("{", finish_reason="length")] * 2)
    with pytest.raises(UnreadableReplyError, match="max_tokens"):
        await Clerk(served.client, PROMPTS).sort("Notes", "en")


async def test_no_reply_is_the_model_s_failure(serve: Any) -> None:
    served = await serve([error(401, "wrong key")])
    with pytest.raises(ModelFailure) as caught:
        await Clerk(served.client, PROMPTS).sort("Notes", "en")
    assert caught.value.kind is FailureKind.REQUEST


async def test_a_clerk_is_seated_by_its_model_s_spec() -> None:
    seats = Seats(prompts=PROMPTS)
    with pytest.raises(SpecError, match="URL#MODEL"):
        seats.clerk("grounded")
    async with ScriptedEndpoint(lambda body: REPLY) as endpoint:
        sorted_ = await seats.clerk(endpoint.spec()).sort("Notes", "en")
        await seats.close()
    assert sorted_.claims.single["patient"] == "man, 61"
