"""What can go wrong between a role and its model, by kind."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autogen_core.models import RequestUsage


class FailureKind(StrEnum):
    """Kinds of failure, each with its own treatment."""

    RATE_LIMIT = "rate_limit"
    """Tried again, as late as the endpoint asks."""
    TRANSIENT = "transient"
    """Tried again: server errors, dropped connections, replies that are no reply."""
    QUOTA = "quota"
    """Fatal for the endpoint: no money left."""
    REQUEST = "request"
    """The endpoint refuses the request as such: key, model or parameters are wrong."""
    CONTENT_FILTERED = "content_filtered"
    """The endpoint refuses what is said; saying it again does not help."""
    EMPTY = "empty"
    """The model answered with nothing."""
    OUT_OF_TOKENS = "out_of_tokens"
    """The model answered with nothing because its reasoning used up the limit."""
    CANCELLED = "cancelled"
    """Not asked: the run is being stopped."""
    BUDGET = "budget"
    """Not asked: the run's budget is used up."""

    @property
    def retried(self) -> bool:
        """True if the same request may succeed later."""
        return self in (FailureKind.RATE_LIMIT, FailureKind.TRANSIENT)


class ModelFailure(Exception):  # noqa: N818 - a failure is the noun; `ModelError` says less
    """A model gave no reply.

    Attributes:
        kind: what kind of failure.
        reason: one line, free of secrets.
        retry_after: seconds that the endpoint asked to wait, if it did.
        field: the request's field that was refused, if the endpoint named one.
        usage: tokens that were used all the same; None if the endpoint said nothing of any.
        attempts: requests that went out; 0 if the limiter let none through.
        failures: kinds of the failed attempts, in order.
        cost: US dollars of `usage`; None is unknown.
    """

    def __init__(
        self,
        kind: FailureKind,
        reason: str,
        retry_after: float | None = None,
        field: str | None = None,
        usage: RequestUsage | None = None,
    ) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind = kind
        self.reason = reason
        self.retry_after = retry_after
        self.field = field
        self.usage = usage
        self.cost: float | None = None
        self.attempts = 1
        self.failures: tuple[FailureKind, ...] = (kind,)
