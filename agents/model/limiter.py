"""How fast an endpoint is asked: requests and tokens a minute, calls at once, and what 429 teaches.

Every attempt of every call goes through its endpoint's one limiter, so that a wait that the
endpoint asks of one call is kept by all, and a stop reaches the calls that wait.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, Literal

from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import Completion
from agents.model.model_spec import ModelSpec
from agents.model.token_estimate import token_estimate

_TOLERANCE = 1.0
"""Seconds that a request may come early, so that a late timer loses no turn."""
_MINUTE = 60.0
_FIRST_GUESS = 300
"""Tokens that a reply is taken to have before any came."""


class Rate:
    """At most so many units in any minute, evenly spread (the generic cell rate algorithm).

    A request may be larger than the whole minute's share: it is let through when its turn comes,
    and the next ones wait the longer.
    """

    def __init__(self, per_minute: float) -> None:
        self.per_minute = per_minute
        self._interval = (_MINUTE + _TOLERANCE) / per_minute
        self._due = float("-inf")

    def delay(self, now: float) -> float:
        """Seconds until the next unit may go."""
        return self._due - _TOLERANCE - now

    def take(self, now: float, units: float) -> None:
        """Let so many units go now."""
        self._due = max(now, self._due) + units * self._interval

    def correct(self, units: float) -> None:
        """More units than were taken went after all, or fewer (negative)."""
        self._due += units * self._interval


class Limiter:
    """Lets the attempts of one endpoint through, first come, first served.

    Concurrency is halved when the endpoint says that it is too much, once for all calls that were
    under way, and grows back by one a round of successes.

    Args:
        requests_per_minute: None for no limit, as with the others.
        tokens_per_minute: prompts and replies together.
        concurrency: attempts at once.
        clock: seconds, monotonic.
        sleep: by the same clock.
    """

    def __init__(
        self,
        *,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        concurrency: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._requests = Rate(requests_per_minute) if requests_per_minute else None
        self._tokens = Rate(tokens_per_minute) if tokens_per_minute else None
        self._ceiling = float(concurrency) if concurrency else float("inf")
        self._allowed = self._ceiling
        self._turn = asyncio.Lock()
        self._queued = 0
        self._changed = asyncio.Event()
        self._stopped = asyncio.Event()
        self._paused_until = float("-inf")
        self._halved_at = float("-inf")
        self._resting: tuple[float, ModelFailure] | None = None
        self._reply_tokens = float(_FIRST_GUESS)
        self.active = 0
        """Attempts under way."""
        self.waiting = 0
        """Attempts that wait for their turn, and calls that wait before another attempt."""

    @property
    def allowed(self) -> float:
        """Attempts at once that it lets through now."""
        return self._allowed

    def tighten(self, spec: ModelSpec) -> None:
        """Keep a model's limits as well; where two models of an endpoint differ, the lower."""
        self._requests = _lower(self._requests, spec.requests_per_minute)
        self._tokens = _lower(self._tokens, spec.tokens_per_minute)
        if spec.concurrency is not None and spec.concurrency < self._ceiling:
            self._ceiling = float(spec.concurrency)
            self._allowed = min(self._allowed, self._ceiling)

    def slot(self, request: Mapping[str, Any]) -> Slot:
        """A place for one attempt, to be entered with `async with`.

        Args:
            request: the body of the request; its size is counted where tokens are limited.
        """
        return Slot(self, self._size(request) if self._tokens else 0.0)

    def bar(self, failure: ModelFailure) -> None:
        """Let nothing through from now on, and wake nobody; may be called by a signal's handler."""
        self._resting = (float("inf"), failure)

    def stop(self, failure: ModelFailure) -> None:
        """Let nothing through from now on; calls that wait fail at once."""
        self.rest(float("inf"), failure)

    def rest(self, seconds: float, failure: ModelFailure) -> None:
        """Let nothing through for so long; calls fail instead of waiting."""
        until = self._clock() + seconds
        if self._resting is None or until > self._resting[0]:
            self._resting = (until, failure)
        self._wake()
        self._stopped.set()
        self._stopped = asyncio.Event()

    async def pause(self, seconds: float) -> None:
        """Let one call wait before its next attempt.

        Raises:
            ModelFailure: the endpoint was stopped meanwhile.
        """
        self._check()
        self.waiting += 1
        try:
            await self._either(self._stopped, seconds)
        finally:
            self.waiting -= 1
        self._check()

    @property
    def paused(self) -> float:
        """Seconds that the whole endpoint is paused for; 0 if it is not."""
        return max(0.0, self._paused_until - self._clock())

    async def _enter(self, slot: Slot) -> None:
        self._check()
        # Nobody waits and nothing is in the way: the usual case costs next to nothing.
        if not self._queued and self._delay() <= 0 and self.active < self._whole():
            self._take(slot)
            return
        self.waiting += 1
        self._queued += 1
        try:
            async with self._turn:
                while (delay := self._delay()) > 0 or self.active >= self._whole():
                    await self._change(delay if delay > 0 else None)
                self._take(slot)
        finally:
            self._queued -= 1
            self.waiting -= 1

    def _take(self, slot: Slot) -> None:
        self._check()
        slot.began = now = self._clock()
        self.active += 1
        if self._requests:
            self._requests.take(now, 1)
        if self._tokens:
            self._tokens.take(now, slot.tokens)

    def _leave(self, slot: Slot, failure: ModelFailure | None) -> None:
        at_once = self.active
        self.active -= 1
        if failure is not None:
            if failure.kind is FailureKind.RATE_LIMIT:
                self._throttle(slot, at_once)
            if failure.retry_after is not None:
                until = self._clock() + failure.retry_after
                self._paused_until = max(self._paused_until, until)
        elif slot.completion is not None:
            if self._allowed < self._ceiling:
                self._allowed = min(self._ceiling, self._allowed + 1 / self._allowed)
            self._count(slot, slot.completion)
        self._wake()

    def _throttle(self, slot: Slot, at_once: int) -> None:
        if slot.began > self._halved_at:
            self._allowed = max(1.0, min(self._allowed, at_once) / 2)
            self._halved_at = self._clock()

    def _count(self, slot: Slot, completion: Completion) -> None:
        if self._tokens is None or not completion.usage_known:
            return
        used = completion.usage
        self._tokens.correct(used.prompt_tokens + used.completion_tokens - slot.tokens)
        self._reply_tokens += (used.completion_tokens - self._reply_tokens) / 8

    def _size(self, request: Mapping[str, Any]) -> float:
        said = json.dumps(request.get("messages", ""), ensure_ascii=False)
        return token_estimate(said) + self._reply_tokens

    def _whole(self) -> float:
        return self._allowed // 1

    def _delay(self) -> float:
        now = self._clock()
        waits = [rate.delay(now) for rate in (self._requests, self._tokens) if rate]
        return max(self._paused_until - now, *waits) if waits else self._paused_until - now

    def _check(self) -> None:
        if self._resting is None:
            return
        until, failure = self._resting
        if self._clock() < until:
            refused = ModelFailure(failure.kind, failure.reason)
            refused.attempts = 0
            raise refused
        self._resting = None

    async def _change(self, seconds: float | None) -> None:
        """Wait until something changes, so long at most."""
        self._check()
        await self._either(self._changed, seconds)

    async def _either(self, event: asyncio.Event, seconds: float | None) -> None:
        """Wait for the event, so long at most."""
        waits = {asyncio.ensure_future(event.wait())}
        if seconds is not None:
            waits.add(asyncio.ensure_future(self._sleeping(seconds)))
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    async def _sleeping(self, seconds: float) -> Literal[True]:
        await self._sleep(seconds)
        return True

    def _wake(self) -> None:
        if self._queued:
            self._changed.set()
            self._changed = asyncio.Event()


class Slot:
    """A place for one attempt. Set `completion` when the reply came."""

    __slots__ = ("_limiter", "began", "completion", "tokens")

    def __init__(self, limiter: Limiter, tokens: float) -> None:
        self._limiter = limiter
        self.tokens = tokens
        self.began = 0.0
        self.completion: Completion | None = None

    async def __aenter__(self) -> Slot:
        """Wait for the turn.

        Raises:
            ModelFailure: the endpoint was stopped.
        """
        await self._limiter._enter(self)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the place to the next, and let the limiter learn from how it went."""
        self._limiter._leave(self, error if isinstance(error, ModelFailure) else None)


def _lower(rate: Rate | None, per_minute: float | None) -> Rate | None:
    if per_minute is None or (rate is not None and rate.per_minute <= per_minute):
        return rate
    return Rate(per_minute)
