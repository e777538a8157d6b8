"""An endpoint of models: the attempt loop, shared by all calls to it.

The SDK tries nothing again; every attempt is made here, so that one place knows how often was
asked, what is worth asking again, and what a model does not understand.
"""

from __future__ import annotations

import logging
import os
import random
from collections.abc import Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agents.model.adaptation import Adaptation
from agents.model.attempts import Attempts
from agents.model.connection import Connection
from agents.model.display_filter import DisplayFilter
from agents.model.limiter import Limiter
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import Completion, read_reply
from agents.model.model_spec import AUTOGEN, ModelSpec
from agents.model.patience import Patience
from agents.model.pieces import Show
from agents.model.reply_stream import ReplyStream, put_together
from records.secrets import keep_secret

if TYPE_CHECKING:
    from agents.model.autogen_file import ComponentConnection

_log = logging.getLogger(__name__)

_MOST_LESSONS = 8
"""Of one call: an endpoint that goes on refusing what it asked for teaches nothing."""

Body = Callable[[], dict[str, Any]]
"""Builds a request's body, anew for every attempt, from what was learnt so far."""


class Endpoint:
    """One base URL with its key and its connections, shared by all visits of a run.

    Args:
        url: base URL, to which `/chat/completions` is added.
        key: the bearer token; "none" where the endpoint wants none. Never shown.
        patience: of the attempt loop.
    """

    def __init__(self, url: str, key: str = "none", patience: Patience | None = None) -> None:
        self.url = url
        self.patience = patience or Patience()
        self.adaptations: dict[str, Adaptation] = {}
        keep_secret(key)
        self._connection = connection_to(url, key)
        self.limiter = Limiter(clock=self.patience.clock, sleep=self.patience.sleep)
        # Jitter only spreads attempts; no reply depends on it.
        self._jitter = random.Random(url)  # noqa: S311

    @classmethod
    def of(cls, spec: ModelSpec, patience: Patience | None = None) -> Endpoint:
        """The endpoint of a spec, with the key from the environment."""
        return cls(spec.url, os.environ.get(spec.key_env) or "none", patience)

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r})"

    async def ask(
        self, body: Body, adaptation: Adaptation, timeout: float, attempts: Attempts
    ) -> Completion:
        """Make one call in as many attempts as it takes; each goes through the limiter.

        Args:
            body: builds the request's body, anew for every attempt, from what was learnt so far.
            adaptation: of the model.
            timeout: longest wait for one attempt, in seconds.
            attempts: takes down what is tried.

        Raises:
            ModelFailure: there is no reply, and why.
        """
        tries = _Tries()
        while True:
            request: dict[str, Any] = {}
            try:
                if tries.wait:
                    await self.limiter.pause(tries.wait)
                request = body()
                async with self.limiter.slot(request) as slot:
                    attempts.sent += 1
                    said = await self._connection.post(request, timeout)
                    slot.completion = read_reply(put_together(said))
                return attempts.told_in(slot.completion)
            except ModelFailure as reported:
                failure = reported
            self._go_on(tries, request, adaptation, attempts, failure)

    async def stream(
        self, body: Body, adaptation: Adaptation, timeout: float, attempts: Attempts, show: Show
    ) -> Completion:
        """As `ask`, and show the answer as it comes; tried again as long as nothing was shown.

        Args:
            body: as for `ask`.
            adaptation: of the model.
            timeout: longest wait for the next event, in seconds.
            attempts: takes down what is tried.
            show: takes the pieces of the answer.

        Raises:
            ModelFailure: there is no reply, or it broke off after something of it was shown.
        """
        tries = _Tries()
        while adaptation.streams:
            request: dict[str, Any] = {}
            display = DisplayFilter(adaptation.reasons_untold)
            try:
                if tries.wait:
                    await self.limiter.pause(tries.wait)
                request = adaptation.streamed(body())
                async with self.limiter.slot(request) as slot:
                    attempts.sent += 1
                    slot.completion = await self._listen(request, timeout, display, show)
                if display.ended_untold:
                    adaptation.note_untold_reasoning(request["model"])
                return attempts.told_in(slot.completion)
            except ModelFailure as reported:
                failure = reported
            if display.shown:
                attempts.note(failure)
                raise attempts.told_by(failure)
            self._go_on(tries, request, adaptation, attempts, failure)
        return await self.ask(body, adaptation, timeout, attempts)

    async def _listen(
        self, request: Mapping[str, Any], timeout: float, display: DisplayFilter, show: Show
    ) -> Completion:
        reply = ReplyStream()
        async with aclosing(self._connection.events(request, timeout)) as events:
            async for event in events:
                if piece := display.feed(reply.add(event)):
                    show(piece)
        completion = read_reply(reply.body())
        if display.shown and (rest := display.end()):
            show(rest)
        return completion

    async def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        await self._connection.close()

    def _go_on(
        self,
        tries: _Tries,
        request: Mapping[str, Any],
        adaptation: Adaptation,
        attempts: Attempts,
        failure: ModelFailure,
    ) -> None:
        """Take note of a failed attempt and say how long to wait before the next.

        Raises:
            ModelFailure: there is to be no next.
        """
        tries.wait = 0.0
        if not failure.attempts:
            raise attempts.told_by(failure)
        attempts.note(failure)
        if failure.kind is FailureKind.REQUEST and tries.lessons < _MOST_LESSONS:
            tries.lessons += 1
            if adaptation.learn(request, failure):
                return
        tries.made += 1
        asked = failure.retry_after
        too_long = asked is not None and asked > self.patience.longest_asked_wait
        if failure.kind is FailureKind.QUOTA:
            self.limiter.stop(failure)
            _log.warning("%s has no quota left: %s", self.url, failure.reason)
        elif asked is not None and too_long:
            self.limiter.rest(asked, failure)
            _log.warning("%s is not asked for %d seconds: %s", self.url, asked, failure.reason)
        empty = failure.kind is FailureKind.EMPTY
        retried = failure.kind.retried or (empty and tries.may_be_empty)
        tries.may_be_empty = tries.may_be_empty and not empty
        if not retried or tries.made >= self.patience.attempts or too_long:
            raise attempts.told_by(failure)
        _log.info("%s: %s; attempt %d", self.url, failure.reason, tries.made + 1)
        tries.wait = self.patience.wait(tries.made, asked, self._jitter)


def connection_to(url: str, key: str) -> Connection | ComponentConnection:
    """The way to an endpoint, or to the client of an AutoGen component file.

    Raises:
        SpecError: the file holds no client.
    """
    if url.startswith(AUTOGEN):
        from agents.model.autogen_file import ComponentConnection

        return ComponentConnection(url)
    return Connection(url, key)


@dataclass
class _Tries:
    """How the attempts of one call went so far."""

    made: int = 0
    """Those that count."""
    lessons: int = 0
    """Those that may have taught something, and do not count."""
    may_be_empty: bool = True
    """An empty reply is still forgiven."""
    wait: float = 0.0
    """Seconds before the next."""
