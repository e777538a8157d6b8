"""What a visit's roles used of their models, and which models answered."""

from __future__ import annotations

from autogen_core.models import ChatCompletionClient

from agents.model.model_reply import Completion
from agents.model.wrapped_client import Call, WrappedClient
from records.visit import Usage


class Meter:
    """Counts calls and tokens by role, for one visit."""

    def __init__(self) -> None:
        self._usage: dict[str, Usage] = {}
        self._models: dict[str, list[str]] = {}

    def add(self, role: str, completion: Completion) -> None:
        """Count a reply; one without usage makes the sum of the role's tokens unknown."""
        used = self._usage.get(role, Usage(prompt_tokens=0, completion_tokens=0))
        known = completion.usage_known
        self._usage[role] = Usage(
            calls=used.calls + 1,
            prompt_tokens=_sum(used.prompt_tokens, completion.usage.prompt_tokens, known),
            completion_tokens=_sum(
                used.completion_tokens, completion.usage.completion_tokens, known
            ),
        )
        models = self._models.setdefault(role, [])
        if completion.model is not None and completion.model not in models:
            models.append(completion.model)

    @property
    def usage(self) -> dict[str, Usage]:
        """By role; a role that called no model has no entry."""
        return dict(self._usage)

    @property
    def models(self) -> dict[str, tuple[str, ...]]:
        """By role, the models that the endpoints said answered, in order of first appearance."""
        return {role: tuple(models) for role, models in self._models.items()}


class MeteredClient(WrappedClient):
    """Counts every reply for a role, replayed ones too: they were paid for in this visit."""

    def __init__(self, inner: ChatCompletionClient, meter: Meter, role: str) -> None:
        super().__init__(inner)
        self._meter = meter
        self._role = role

    async def around(self, call: Call) -> Completion:
        """Make the call and count it."""
        completion = await call.make()
        self._meter.add(self._role, completion)
        return completion


def _sum(so_far: int | None, more: int, known: bool) -> int | None:
    return so_far + more if known and so_far is not None else None
