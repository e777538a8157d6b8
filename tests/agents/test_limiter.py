"""How fast an endpoint is asked, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import pairwise

import pytest
from autogen_core.models import RequestUsage
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.model.limiter import Limiter, Slot
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import Completion
from tests.virtual_time import run_virtually

STOPPED = ModelFailure(FailureKind.QUOTA, "no money left")


def limiter(
    requests_per_minute: float | None = None,
    tokens_per_minute: float | None = None,
    concurrency: int | None = None,
) -> Limiter:
    return Limiter(
        requests_per_minute=requests_per_minute,
        tokens_per_minute=tokens_per_minute,
        concurrency=concurrency,
        clock=asyncio.get_running_loop().time,
    )


def reply(prompt: int = 0, completion: int = 0) -> Completion:
    return Completion(
        finish_reason="stop",
        content="ok",
        usage=RequestUsage(prompt, completion),
        cached=False,
    )


async def ask(
    door: Limiter,
    starts: list[float],
    *,
    seconds: float = 0.0,
    words: str = "",
    fails: ModelFailure | None = None,
    used: int = 0,
) -> None:
    """One attempt that takes so many seconds."""
    async with door.slot({"messages": words}) as slot:
        starts.append(asyncio.get_running_loop().time())
        await asyncio.sleep(seconds)
        if fails is not None:
            raise fails
        slot.completion = reply(used)


def too_much(retry_after: float | None = None) -> ModelFailure:
    return ModelFailure(FailureKind.RATE_LIMIT, "too many requests", retry_after)


def in_any_minute(starts: list[float]) -> int:
    # A millionth of a second is lost in adding up.
    return max(sum(0 <= later - first < 60 - 1e-6 for later in starts) for first in starts)


@settings(max_examples=30, deadline=None)
@given(rate=st.integers(1, 2000), requests=st.integers(1, 200))
def test_no_minute_holds_more_requests_than_allowed(rate: int, requests: int) -> None:
    async def main() -> list[float]:
        door, starts = limiter(requests_per_minute=rate), list[float]()
        await asyncio.gather(*(ask(door, starts) for _ in range(requests)))
        return starts

    starts = run_virtually(main())
    assert len(starts) == requests
    assert in_any_minute(starts) <= rate
    # Nor is more than a sixtieth of the allowance left unused.
    assert starts[-1] <= (requests - 1) * 61 / rate


def test_tokens_are_counted_as_used_and_not_as_guessed() -> None:
    async def main() -> list[float]:
        door, starts = limiter(tokens_per_minute=6100), list[float]()
        for _ in range(12):
            await ask(door, starts, words="x" * 4000, used=610)
        return starts

    starts = run_virtually(main())
    apart = [later - earlier for earlier, later in pairwise(starts[1:])]
    # 610 of 6,100 tokens a minute: one in six seconds (and a sixtieth), whatever the guess.
    assert apart == pytest.approx([6.1] * 10)


def test_a_request_larger_than_the_minute_is_let_through() -> None:
    async def main() -> list[float]:
        door, starts = limiter(tokens_per_minute=100), list[float]()
        await ask(door, starts, words="x" * 4000, used=1000)
        await ask(door, starts, used=1)
        return starts

    first, second = run_virtually(main())
    assert first == 0
    assert second == pytest.approx(1000 / 100 * 61 - 1)


def test_no_more_at_once_than_allowed_first_come_first_served() -> None:
    async def main() -> tuple[list[int], int]:
        door, order, most = limiter(concurrency=3), list[int](), 0

        async def one(n: int) -> None:
            nonlocal most
            async with door.slot({}):
                order.append(n)
                most = max(most, door.active)
                await asyncio.sleep(n % 5)

        await asyncio.gather(*(one(n) for n in range(40)))
        return order, most

    assert run_virtually(main()) == (list(range(40)), 3)


@pytest.mark.parametrize("kind", [FailureKind.RATE_LIMIT, FailureKind.TRANSIENT])
def test_a_wait_that_is_asked_of_one_call_is_kept_by_all(kind: FailureKind) -> None:
    async def main() -> list[float]:
        door, starts = limiter(), list[float]()
        with pytest.raises(ModelFailure):
            await ask(door, starts, fails=ModelFailure(kind, "wait", 30))
        assert door.paused == 30
        await asyncio.gather(*(ask(door, starts) for _ in range(5)))
        return starts[1:]

    assert min(run_virtually(main())) == 30


def test_what_is_too_much_is_halved_once_and_grows_back_by_one_a_round() -> None:
    async def main() -> list[float]:
        door, starts, allowed = limiter(concurrency=16), list[float](), []
        refused = (ask(door, starts, seconds=1, fails=too_much()) for _ in range(16))
        await asyncio.gather(*refused, return_exceptions=True)
        allowed.append(door.allowed)
        for _ in range(9):
            await asyncio.gather(*(ask(door, starts, seconds=1) for _ in range(int(door.allowed))))
            allowed.append(door.allowed)
        return allowed

    first, *later = run_virtually(main())
    assert first == 8
    assert later == sorted(later)
    assert [int(value) for value in later[:3]] == [8, 9, 10]
    assert later[-1] == 16


def test_without_a_limit_what_was_at_once_is_halved() -> None:
    async def main() -> float:
        door, starts = limiter(), list[float]()
        refused = (ask(door, starts, seconds=1, fails=too_much()) for _ in range(10))
        await asyncio.gather(*refused, return_exceptions=True)
        return door.allowed

    assert run_virtually(main()) == 5


async def _kinds(waits: list[Awaitable[None]], door: Limiter, stop: Callable[[], None]) -> object:
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    await asyncio.sleep(1)
    assert door.waiting == len(waits)
    stop()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert asyncio.get_running_loop().time() == 1
    assert door.waiting == 0
    return [(e.kind, e.attempts) if isinstance(e, ModelFailure) else e for e in ended]


def test_a_stop_reaches_those_who_wait_whatever_for() -> None:
    async def main() -> object:
        door, starts = limiter(requests_per_minute=1, concurrency=1), list[float]()
        await ask(door, starts)
        waits = [ask(door, starts), ask(door, starts), door.pause(500), door.pause(900)]
        return await _kinds(waits, door, lambda: door.stop(STOPPED))

    assert run_virtually(main()) == [(FailureKind.QUOTA, 0)] * 4


def test_an_endpoint_that_rests_fails_at_once_and_is_asked_again_later() -> None:
    async def main() -> list[float]:
        door, starts = limiter(), list[float]()
        door.rest(3600, too_much())
        with pytest.raises(ModelFailure, match="too many"):
            await ask(door, starts)
        await asyncio.sleep(3600)
        await ask(door, starts)
        return starts

    assert run_virtually(main()) == [3600]


def test_nothing_passes_a_barred_door() -> None:
    async def main() -> list[float]:
        door, starts = limiter(concurrency=1), list[float]()
        first = asyncio.ensure_future(ask(door, starts, seconds=5))
        second = asyncio.ensure_future(ask(door, starts))
        await asyncio.sleep(1)
        door.bar(ModelFailure(FailureKind.CANCELLED, "stopping"))
        await first
        with pytest.raises(ModelFailure) as caught:
            await second
        assert caught.value.kind is FailureKind.CANCELLED
        return starts

    assert run_virtually(main()) == [0]


def test_one_who_gives_up_waiting_takes_no_place() -> None:
    async def main() -> tuple[int, int, list[float]]:
        door, starts = limiter(concurrency=1), list[float]()
        first = asyncio.ensure_future(ask(door, starts, seconds=5))
        others = [asyncio.ensure_future(ask(door, starts)) for _ in range(3)]
        await asyncio.sleep(1)
        for other in others[:2]:
            other.cancel()
        await asyncio.gather(first, *others, return_exceptions=True)
        return door.active, door.waiting, starts

    assert run_virtually(main()) == (0, 0, [0, 5])


def test_a_slot_is_given_back_by_one_who_is_cancelled() -> None:
    async def main() -> int:
        door = limiter(concurrency=1)

        async def forever(slot: Slot) -> None:
            async with slot:
                await asyncio.sleep(10**6)

        task = asyncio.ensure_future(forever(door.slot({})))
        await asyncio.sleep(1)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        async with door.slot({}):
            return door.active

    assert run_virtually(main()) == 1
