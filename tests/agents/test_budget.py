"""The purse of a run."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.model.budget import Budget
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_spec import Price
from tests.virtual_time import run_virtually


async def call(budget: Budget, tokens: int, cost: float | None, used: int | None = None) -> None:
    async with budget.hold(tokens, cost) as held:
        await asyncio.sleep(1)
        held.settle(tokens if used is None else used, cost)


@settings(max_examples=40, deadline=None)
@given(sizes=st.lists(st.integers(1, 500), min_size=1, max_size=40), most=st.integers(1, 5000))
def test_calls_at_once_do_not_overshoot_what_each_of_them_keeps(
    sizes: list[int], most: int
) -> None:
    async def main() -> tuple[Budget, list[BaseException | None]]:
        budget = Budget(max_tokens=most)
        calls = (call(budget, size, size / 1000) for size in sizes)
        return budget, await asyncio.gather(*calls, return_exceptions=True)

    budget, ended = run_virtually(main())
    made = [size for size, failure in zip(sizes, ended, strict=True) if failure is None]
    assert budget.spent.tokens == sum(made) <= most
    assert budget.spent.calls == len(made)
    failures = [failure for failure in ended if failure is not None]
    assert all(isinstance(f, ModelFailure) and f.kind is FailureKind.BUDGET for f in failures)
    if sum(sizes) < most:
        assert not failures


async def test_it_is_told_once_that_nothing_is_left() -> None:
    budget, told = Budget(max_cost=1.0), list[ModelFailure]()
    budget.on_used_up = told.append
    await call(budget, 10, 0.7)
    for _ in range(3):
        with pytest.raises(ModelFailure) as caught:
            await call(budget, 10, 0.7)
        assert caught.value.attempts == 0
    assert len(told) == 1
    assert told[0].reason == (
        "the budget is used up: $0.7000 of $1.00 is spent, and the next call may cost $0.7000"
    )


async def test_a_call_that_took_more_than_was_thought_ends_the_budget() -> None:
    budget = Budget(max_tokens=100)
    await call(budget, 10, None, used=400)
    assert budget.used_up == "the budget is used up: 400 of 100 tokens are used"


async def test_without_a_limit_it_only_counts() -> None:
    budget = Budget()
    for _ in range(3):
        await call(budget, 10**9, 10**6)
    await call(budget, 5, None)
    assert budget.used_up is None
    assert (budget.spent.calls, budget.spent.unpriced) == (4, 1)


def _reply(**fields: Any) -> dict[str, Any]:
    usage = {"prompt_tokens": 30, "completion_tokens": 10}
    return {"usage": usage, "usage_known": True, "cost": 0.5, "origin": "model"} | fields


def test_what_earlier_processes_paid_counts_and_what_the_cache_gave_does_not() -> None:
    budget = Budget(max_cost=1.2)
    budget.count_earlier(
        [_reply(), _reply(origin="cache"), {}, _reply(cost=0.6, usage_known=False)]
    )
    spent = budget.spent
    assert (spent.calls, spent.tokens, spent.unknown) == (2, 80, 1)
    assert spent.cost == pytest.approx(1.1)
    assert spent.known_cost == pytest.approx(0.5)
    assert budget.used_up is None
    budget.count_earlier([_reply()])
    assert budget.used_up is not None


def test_what_was_paid_before_its_price_was_known_counts_at_the_price_of_today() -> None:
    budget = Budget(max_cost=1.0)
    replies = [_reply(cost=None, asked="a"), _reply(cost=None, asked="b"), _reply(asked="a")]
    budget.count_earlier(replies, {"a": Price(prompt=1000, completion=3000), "b": None})
    assert budget.spent.cost == pytest.approx(0.5 + 30 * 0.001 + 10 * 0.003)
    assert budget.spent.unpriced == 1
