"""The model clients of a run: endpoints that all visits share, and what stands before them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from autogen_core.models import ChatCompletionClient

from agents.model.budget import Budget
from agents.model.call_log import CallLog, LoggedClient
from agents.model.journaled_client import JournaledClient, ReplyStore
from agents.model.keys import Keys
from agents.model.limiter import Limiter
from agents.model.meter import Meter, MeteredClient
from agents.model.model_client import Endpoint, ModelClient
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_spec import ModelSpec
from agents.model.model_table import ModelTable
from agents.model.patience import Patience
from agents.model.priced_client import PricedClient
from agents.model.reply_cache import CachedClient, ReplyCache
from agents.model.spec_text import models_in


class Clients:
    """Makes a role's client for a visit.

    From the outside in: the visit's meter, the call log, the run's journal, the cache, the purse,
    the model. What the journal or the cache answers is metered and logged, and not paid again.

    Args:
        table: the models by name; None loads ours and the user's.
        keys: of the models' endpoints.
        patience: of the attempts.
        journal: where paid replies of the run are kept and looked up; None keeps none.
        cache: of replies across runs; None keeps none.
        calls: the call log; None writes none.
        budget: the purse; None only counts.
    """

    def __init__(
        self,
        *,
        table: ModelTable | None = None,
        keys: Keys | None = None,
        patience: Patience | None = None,
        journal: ReplyStore | None = None,
        cache: ReplyCache | None = None,
        calls: CallLog | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.budget = budget or Budget()
        self.budget.on_used_up = self._stop
        self._table = table or ModelTable.load()
        self._keys = keys or Keys()
        self._patience = patience
        self._journal = journal
        self._cache = cache
        self._calls = calls
        self._endpoints: dict[tuple[str, str | None], Endpoint] = {}
        self._specs: dict[str, ModelSpec] = {}

    def of_role(
        self, text: str, visit_key: str, role: str, meter: Meter, trial: int = 1
    ) -> ChatCompletionClient:
        """The client of one role in one visit.

        Args:
            text: the model's spec.
            visit_key: what the calls are filed under.
            role: whose calls they are.
            meter: counts them.
            trial: of the visit.

        Raises:
            SpecError: the spec names no model, or one that needs a key and has none.
        """
        spec = self._specs.get(text)
        if spec is None:
            # Asked for anew in every visit.
            spec = self._specs[text] = self._table.resolve(text)
        client: ChatCompletionClient = PricedClient(self._model(spec), spec, self.budget)
        if self._cache is not None:
            client = CachedClient(client, self._cache, f"{spec.identity} {role}", trial)
        if self._journal is not None:
            client = JournaledClient(client, self._journal, visit_key, role)
        if self._calls is not None:
            client = LoggedClient(client, self._calls, visit_key, role, text)
        return MeteredClient(client, meter, role, spec.price)

    def alone(self, text: str) -> ChatCompletionClient:
        """A model's client for calls that belong to no visit.

        Raises:
            SpecError: as `of_role`.
        """
        return self._model(self._table.resolve(text))

    def keep_limits(self, specs: Iterable[str]) -> None:
        """Keep the limits that these specs set, each for its whole endpoint.

        Args:
            specs: as typed, of any chair; what names no model is passed over.

        Raises:
            SpecError: as `of_role`.
        """
        for text in specs:
            for model in models_in(text):
                self.alone(model)

    def count_earlier(self, replies: Iterable[Mapping[str, Any]], specs: Iterable[str]) -> None:
        """Count what earlier processes of the run paid for, at the prices of today.

        Args:
            replies: of the journal.
            specs: of all seats.
        """
        asked = (self._table.resolve(model) for text in specs for model in models_in(text))
        self.budget.count_earlier(replies, {spec.identity: spec.price for spec in asked})

    @property
    def limiters(self) -> tuple[Limiter, ...]:
        """Of all endpoints."""
        return tuple(endpoint.limiter for endpoint in self._endpoints.values())

    def bar(self) -> None:
        """Let no request out from now on; may be called by a signal's handler."""
        for limiter in self.limiters:
            limiter.bar(ModelFailure(FailureKind.CANCELLED, "the run is being stopped"))

    async def close(self) -> None:
        """Close all connections."""
        for endpoint in self._endpoints.values():
            await endpoint.close()
        if self._calls is not None:
            self._calls.close()

    def _model(self, spec: ModelSpec) -> ChatCompletionClient:
        key = self._keys.find(spec)
        where = (spec.url, key)
        if where not in self._endpoints:
            self._endpoints[where] = Endpoint(spec.url, key or "none", self._patience)
        return ModelClient(spec, self._endpoints[where])

    def _stop(self, failure: ModelFailure) -> None:
        for limiter in self.limiters:
            limiter.stop(failure)
