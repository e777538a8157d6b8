"""Replies that outlive a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from autogen_core.models import UserMessage

from agents.model.model_failure import ModelFailure
from agents.model.model_reply import Completion
from agents.model.reply_cache import CachedClient, ReplyCache
from records.secrets import keep_secret
from tests.scripted_endpoint import completion, error

SECRET = "sk-planted-0123456789"


async def ask(client: CachedClient, content: str = "How are you?", **keywords: Any) -> Completion:
    return await client.create([UserMessage(content=content, source="doctor")], **keywords)


@pytest.fixture
def cache(tmp_path: Path) -> ReplyCache:
    return ReplyCache(tmp_path / "cache")


def visit(served: Any, cache: ReplyCache, identity: str = "m", trial: int = 1) -> CachedClient:
    return CachedClient(served.client, cache, identity, trial)


async def test_the_same_visit_of_another_run_is_answered_from_the_cache(
    serve: Any, cache: ReplyCache
) -> None:
    served = await serve(
        [completion("<think>t</think>Fine.", usage=None), completion("Well.", model="scripted-2")]
    )
    first = visit(served, cache)
    asked = [await ask(first), await ask(first)]
    again = visit(served, ReplyCache(cache.directory))
    update = {"cached": True, "origin": "cache"}
    assert [await ask(again), await ask(again)] == [r.model_copy(update=update) for r in asked]
    assert [reply.text for reply in asked] == ["Fine.", "Well."]
    assert len(served.asked) == 2


async def test_another_model_trial_question_or_setting_is_asked_anew(
    serve: Any, cache: ReplyCache
) -> None:
    served = await serve(lambda body: "ok")
    await ask(visit(served, cache))
    await ask(visit(served, cache, identity="another"))
    await ask(visit(served, cache, trial=2))
    await ask(visit(served, cache), "And you?")
    await ask(visit(served, cache), extra_create_args={"max_tokens": 9})
    assert len(served.asked) == 5
    await ask(visit(served, cache))
    assert len(served.asked) == 5


@pytest.mark.parametrize(
    "torn", ["", "{", "[]", '{"reply": {}}', '{"reply": {"content": 1}}', "null", "\x00"]
)
async def test_a_torn_entry_is_none(serve: Any, cache: ReplyCache, torn: str) -> None:
    served = await serve(["first", "second"])
    await ask(visit(served, cache))
    (entry,) = cache.directory.rglob("*.json")
    entry.write_text(torn, encoding="utf-8")
    assert (await ask(visit(served, cache))).text == "second"
    assert (await ask(visit(served, cache))).text == "second"


async def test_a_reply_that_ended_a_visit_is_dropped(serve: Any, cache: ReplyCache) -> None:
    served = await serve(["bad", "good"])
    client = visit(served, cache)
    await ask(client)
    client.forget_last()
    assert (await ask(visit(served, cache))).text == "good"


async def test_a_failure_is_not_kept(serve: Any, cache: ReplyCache) -> None:
    served = await serve([error(400, "no"), "ok"])
    with pytest.raises(ModelFailure):
        await ask(visit(served, cache))
    assert (await ask(visit(served, cache))).text == "ok"


async def test_a_key_that_a_reply_repeats_is_not_kept(serve: Any, cache: ReplyCache) -> None:
    keep_secret(SECRET)
    served = await serve([f"Your key is {SECRET}."])
    await ask(visit(served, cache))
    (entry,) = cache.directory.rglob("*.json")
    assert SECRET not in entry.read_text(encoding="utf-8")
    assert "Your key is" in entry.read_text(encoding="utf-8")
