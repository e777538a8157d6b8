"""An endpoint's attempts and its limiter together, over the wire."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from autogen_core.models import UserMessage

from agents.model.model_client import Endpoint, ModelClient
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import Completion
from agents.model.model_spec import ModelSpec
from agents.model.patience import Patience
from tests.scripted_endpoint import Answer, ScriptedEndpoint, error

LATER = error(429, "later", {"Retry-After": "30"})
MUCH_LATER = error(429, "much later", {"Retry-After": "2000"})
NO_MONEY = error(429, "no", code="insufficient_quota")


class Watch:
    """A clock that stands still until somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    async def sleep(self, seconds: float) -> None:
        due = self.now + seconds
        await asyncio.sleep(0)
        self.now = max(self.now, due)


class Room:
    def __init__(self, served: ScriptedEndpoint, parameters: str) -> None:
        self.watch = Watch()
        self.served = served
        patience = Patience(attempts=3, sleep=self.watch.sleep, clock=lambda: self.watch.now)
        self.endpoint = Endpoint(served.url, patience=patience)
        spec = ModelSpec.parse(served.spec("m", parameters))
        self.client = ModelClient(spec, self.endpoint)

    async def ask(self) -> Completion:
        return await self.client.create([UserMessage(content="?", source="doctor")])


@asynccontextmanager
async def room(answers: Sequence[Answer], parameters: str = "") -> AsyncIterator[Room]:
    script = iter(answers)
    async with ScriptedEndpoint(lambda body: next(script)) as served:
        made = Room(served, parameters)
        yield made
        await made.endpoint.close()


async def test_the_limits_of_a_spec_hold_for_its_endpoint() -> None:
    async with room(["ok"] * 5, "requests_per_minute=61") as r:
        for _ in range(5):
            await r.ask()
        assert r.watch.now == pytest.approx(3.0)


async def test_two_models_of_an_endpoint_share_the_lower_limit() -> None:
    async with room(["ok"] * 4, "requests_per_minute=6100") as r:
        slower = ModelSpec.parse(r.served.spec("n", "requests_per_minute=61"))
        ModelClient(slower, r.endpoint)
        for _ in range(4):
            await r.ask()
        assert r.watch.now == pytest.approx(2.0)


async def test_one_call_told_to_wait_makes_the_next_one_wait() -> None:
    async with room([LATER, "first", "second"]) as r:
        replies = await asyncio.gather(r.ask(), r.ask())
        assert sorted(reply.text for reply in replies) == ["first", "second"]
        assert r.watch.now >= 30
        assert sorted(reply.attempts for reply in replies) == [1, 2]


async def test_row_12_an_endpoint_that_asks_for_too_long_a_wait_is_left_alone_for_it() -> None:
    async with room([MUCH_LATER, "ok"]) as r:
        for _ in range(3):
            with pytest.raises(ModelFailure, match="much later"):
                await r.ask()
        assert len(r.served.requests) == 1
        r.watch.now += 2000
        assert (await r.ask()).text == "ok"


async def test_row_12_without_quota_nobody_asks_again() -> None:
    async with room([NO_MONEY]) as r:
        attempts = []
        for _ in range(3):
            with pytest.raises(ModelFailure) as caught:
                await r.ask()
            assert caught.value.kind is FailureKind.QUOTA
            attempts.append(caught.value.attempts)
        assert attempts == [1, 0, 0]
        assert len(r.served.requests) == 1
