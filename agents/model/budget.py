"""What a run may spend on its models, and what it has spent: dollars, tokens, calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import Completion
from agents.model.model_spec import Price

_FIRST_GUESS = 300
"""Tokens that a reply is taken to have before any came."""


@dataclass
class Spent:
    """Calls that went to models, with what they used."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    """US dollars of the calls whose price is known, estimates among them."""
    known_cost: float = 0.0
    """Without the estimates."""
    unknown: int = 0
    """Calls without reported usage: their tokens and cost are estimates."""
    unpriced: int = 0
    """Calls of models without a known price: their cost is not in `cost`."""

    def add(self, tokens: int, cost: float | None, known: bool) -> None:
        """Add a call."""
        self.calls += 1
        self.tokens += tokens
        self.cost += cost or 0.0
        self.known_cost += (cost or 0.0) if known else 0.0
        self.unknown += not known
        self.unpriced += cost is None


class Held:
    """What is held back for one call under way; `settle` says what it came to."""

    __slots__ = ("_budget", "cost", "settled", "tokens")

    def __init__(self, budget: Budget, tokens: int, cost: float) -> None:
        self._budget = budget
        self.tokens = tokens
        self.cost = cost
        self.settled: list[tuple[int, float | None, bool]] = []

    def settle(self, tokens: int, cost: float | None, known: bool = True) -> None:
        """The call used so much."""
        self.settled.append((tokens, cost, known))

    async def __aenter__(self) -> Held:
        """Wait until there is enough.

        Raises:
            ModelFailure: the budget is used up.
        """
        await self._budget._enter(self)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go of what was held back, and count what was used."""
        self._budget._leave(self)


class Budget:
    """A purse that all calls of a run are paid from; without limits it only counts.

    What a call is likely to use is held back while it is under way, so that hundreds of calls at
    once do not overshoot a limit that each of them keeps: near the limit calls wait for others to
    be settled. A call that would exceed a limit with none under way uses the budget up.

    Args:
        max_cost: US dollars; None for no limit.
        max_tokens: prompts and replies together; None for no limit.
    """

    def __init__(self, max_cost: float | None = None, max_tokens: int | None = None) -> None:
        self.max_cost = max_cost
        self.max_tokens = max_tokens
        self.spent = Spent()
        self.used_up: str | None = None
        """Once the budget is used up, a line that says so."""
        self.on_used_up: Callable[[ModelFailure], None] = lambda failure: None
        """Called once, when it is used up."""
        self._held = Spent()
        self._reply_tokens = float(_FIRST_GUESS)
        self._changed = asyncio.Event()

    @property
    def limited(self) -> bool:
        """True if there is a limit."""
        return self.max_cost is not None or self.max_tokens is not None

    @property
    def reply_tokens(self) -> int:
        """How long a reply is expected to be, in tokens: the mean of the last ones."""
        return round(self._reply_tokens)

    def count_earlier(
        self, replies: Iterable[Mapping[str, Any]], prices: Mapping[str, Price | None] = {}
    ) -> None:
        """Count the replies that earlier processes paid for, as the journal holds them.

        Args:
            replies: those of the cache among them, which are passed over.
            prices: by identity of a model's spec, for replies kept before their price was known.
        """
        for reply in replies:
            usage = reply.get("usage")
            if not isinstance(usage, Mapping) or reply.get("origin", "model") != "model":
                continue
            tokens = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
            cost, price = reply.get("cost"), prices.get(reply.get("asked", ""))
            if cost is None and price is not None:
                cost = price.cost(*tokens)
            self.spent.add(sum(tokens), cost, bool(reply.get("usage_known", True)))
        self._look()

    def hold(self, tokens: int, cost: float | None) -> Held:
        """Hold so much back while a call is under way, entered with `async with`.

        Raises (on entering):
            ModelFailure: the budget is used up.
        """
        return Held(self, tokens, cost or 0.0)

    async def _enter(self, held: Held) -> None:
        if self.limited:
            await self._wait_for(held)
        self._held.add(held.tokens, held.cost, known=True)

    def _leave(self, held: Held) -> None:
        self._held.calls -= 1
        self._held.tokens -= held.tokens
        self._held.cost -= held.cost
        if not self._held.calls:
            # Nothing is left over of adding and taking away fractions.
            self._held = Spent()
        for settled in held.settled:
            self.spent.add(*settled)
        if self.limited:
            self._look()
            self._changed.set()
            self._changed = asyncio.Event()

    def learn(self, completion: Completion) -> None:
        """Learn from a reply how long they are."""
        if completion.usage_known:
            self._reply_tokens += (completion.usage.completion_tokens - self._reply_tokens) / 8

    async def _wait_for(self, held: Held) -> None:
        while self.used_up is None and self._exceeds(held.tokens, held.cost):
            if not self._held.calls:
                self._use_up(held.tokens, held.cost)
                break
            await self._changed.wait()
        if self.used_up is not None:
            raise self._failure()

    def _exceeds(self, tokens: int, cost: float) -> bool:
        spent, held = self.spent, self._held
        return (
            self.max_tokens is not None and spent.tokens + held.tokens + tokens > self.max_tokens
        ) or (self.max_cost is not None and spent.cost + held.cost + cost > self.max_cost)

    def _look(self) -> None:
        """Notice that the limit is reached, whatever was held back."""
        if self.used_up is None and (
            (self.max_tokens is not None and self.spent.tokens >= self.max_tokens)
            or (self.max_cost is not None and self.spent.cost >= self.max_cost > 0)
        ):
            self._use_up()

    def _use_up(self, tokens: int = 0, cost: float = 0.0) -> None:
        """Close the purse; `tokens` and `cost` of the call that it was too little for, if any."""
        spent = self.spent
        if self.max_tokens is not None and spent.tokens + tokens >= self.max_tokens:
            more = f", and the next call may take {tokens:,}" if tokens else ""
            what = f"{spent.tokens:,} of {self.max_tokens:,} tokens are used{more}"
        else:
            more = f", and the next call may cost ${cost:.4f}" if cost else ""
            most = self.max_cost or 0.0
            # To the cent, but for a budget that is finer than that.
            told = f"{most:.2f}" if round(most, 2) == most else f"{most:g}"
            what = f"${spent.cost:.4f} of ${told} is spent{more}"
        self.used_up = f"the budget is used up: {what}"
        self.on_used_up(self._failure())

    def _failure(self) -> ModelFailure:
        failure = ModelFailure(FailureKind.BUDGET, self.used_up or "the budget is used up")
        failure.attempts = 0
        return failure
