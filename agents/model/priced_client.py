"""A client that pays: every call out of the run's budget, every reply at its model's price."""

from __future__ import annotations

from autogen_core.models import ChatCompletionClient, RequestUsage

from agents.model.budget import Budget, Held
from agents.model.model_failure import ModelFailure
from agents.model.model_reply import Completion
from agents.model.model_spec import ModelSpec
from agents.model.token_estimate import token_estimate
from agents.model.wrapped_client import Call, WrappedClient


class PricedClient(WrappedClient):
    """Stands right before the model's own client: what comes from journal or cache is paid for.

    A reply without reported usage gets an estimate, still marked as unknown.

    Args:
        inner: the model's.
        spec: of the model, for its price and its limit of tokens.
        budget: of the run.
    """

    def __init__(self, inner: ChatCompletionClient, spec: ModelSpec, budget: Budget) -> None:
        super().__init__(inner)
        self._spec = spec
        self._identity = spec.identity
        self._budget = budget

    async def around(self, call: Call) -> Completion:
        """Make the call if there is money for it, and settle it.

        Raises:
            ModelFailure: there is none, or whatever the inner client raises.
        """
        prompt, reply = self._likely(call) if self._budget.limited else (0, 0)
        async with self._budget.hold(prompt + reply, self._cost(prompt, reply)) as held:
            try:
                completion = await call.make()
            except ModelFailure as failure:
                self._settle_failure(failure, held)
                raise
            if not completion.usage_known:
                usage = RequestUsage(call.count_tokens(), token_estimate(completion.text))
                completion = completion.model_copy(update={"usage": usage})
            used = completion.usage
            cost = self._cost(used.prompt_tokens, used.completion_tokens)
            held.settle(
                used.prompt_tokens + used.completion_tokens, cost, known=completion.usage_known
            )
        self._budget.learn(completion)
        return completion.model_copy(update={"cost": cost, "asked": self._identity})

    def _settle_failure(self, failure: ModelFailure, held: Held) -> None:
        """Replies that could not be used are paid for as well."""
        used = failure.usage
        if used is not None and (used.prompt_tokens or used.completion_tokens):
            failure.cost = self._cost(used.prompt_tokens, used.completion_tokens)
            held.settle(used.prompt_tokens + used.completion_tokens, failure.cost)

    def _likely(self, call: Call) -> tuple[int, int]:
        """Tokens that the call is likely to use, of prompt and reply."""
        limit = call.limit_tokens() or self._spec.max_tokens
        reply = self._budget.reply_tokens
        return call.count_tokens(), reply if limit is None else min(reply, limit)

    def _cost(self, prompt: int, completion: int) -> float | None:
        price = self._spec.price
        return None if price is None else price.cost(prompt, completion)
