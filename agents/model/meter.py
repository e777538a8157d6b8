"""What a visit's roles used of their models, what it cost, and which models answered."""

from __future__ import annotations

from autogen_core.models import ChatCompletionClient, RequestUsage

from agents.model.model_failure import ModelFailure
from agents.model.model_reply import Completion
from agents.model.model_spec import Price
from agents.model.wrapped_client import Call, WrappedClient
from records.visit import Usage


class Meter:
    """Counts calls, tokens and dollars by role, for one visit."""

    def __init__(self) -> None:
        self._usage: dict[str, Usage] = {}
        self._models: dict[str, list[str]] = {}
        self._cost: float | None = None
        self._cost_complete = True

    def add(self, role: str, completion: Completion) -> None:
        """Count a reply; one without usage makes the sum of the role's tokens unknown."""
        self._add(role, completion.usage, completion.cost, completion.usage_known)
        models = self._models.setdefault(role, [])
        if completion.model is not None and completion.model not in models:
            models.append(completion.model)

    def add_failure(self, role: str, failure: ModelFailure) -> None:
        """Count what was paid for replies that could not be used."""
        used = failure.usage
        if used is not None and (used.prompt_tokens or used.completion_tokens):
            self._add(role, used, failure.cost, known=True)

    @property
    def usage(self) -> dict[str, Usage]:
        """By role; a role that called no model has no entry."""
        return dict(self._usage)

    @property
    def models(self) -> dict[str, tuple[str, ...]]:
        """By role, the models that the endpoints said answered, in order of first appearance."""
        return {role: tuple(models) for role, models in self._models.items()}

    @property
    def cost(self) -> float | None:
        """US dollars of the calls whose usage and price are known; None if there is none such."""
        return self._cost

    @property
    def cost_complete(self) -> bool:
        """False if usage or price of some call is unknown: the cost is then "at least"."""
        return self._cost_complete

    def _add(self, role: str, usage: RequestUsage, cost: float | None, known: bool) -> None:
        used = self._usage.get(role, Usage(prompt_tokens=0, completion_tokens=0))
        self._usage[role] = Usage(
            calls=used.calls + 1,
            prompt_tokens=_sum(used.prompt_tokens, usage.prompt_tokens, known),
            completion_tokens=_sum(used.completion_tokens, usage.completion_tokens, known),
        )
        if known and cost is not None:
            self._cost = (self._cost or 0.0) + cost
        else:
            self._cost_complete = False


class MeteredClient(WrappedClient):
    """Counts every reply for a role, replayed ones too: they were paid for in this visit.

    Args:
        inner: makes the calls.
        meter: of the visit.
        role: whose calls these are.
        price: of the model, for replies that bear no cost; None if unknown.
    """

    def __init__(
        self, inner: ChatCompletionClient, meter: Meter, role: str, price: Price | None = None
    ) -> None:
        super().__init__(inner)
        self._meter = meter
        self._role = role
        self._price = price

    async def around(self, call: Call) -> Completion:
        """Make the call and count it."""
        try:
            completion = await call.make()
        except ModelFailure as failure:
            self._meter.add_failure(self._role, failure)
            raise
        priced = completion
        if completion.cost is None and self._price is not None:
            # Kept by journal or cache when its price was not known yet.
            used = completion.usage
            cost = self._price.cost(used.prompt_tokens, used.completion_tokens)
            priced = completion.model_copy(update={"cost": cost})
        self._meter.add(self._role, priced)
        return completion


def _sum(so_far: int | None, more: int, known: bool) -> int | None:
    return so_far + more if known and so_far is not None else None
