"""What one call took: requests sent, failures on the way, tokens that came to nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from autogen_core.models import RequestUsage

from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import Completion


@dataclass
class Attempts:
    """The attempts of one call, as they are made."""

    sent: int = 0
    """Requests that went out."""
    failures: list[FailureKind] = field(default_factory=list)
    """Of those that gave no reply, in order."""
    wasted: RequestUsage = field(default_factory=lambda: RequestUsage(0, 0))
    """Tokens of replies that could not be used, which are paid for as well."""

    def note(self, failure: ModelFailure) -> None:
        """Note a failed attempt."""
        self.failures.append(failure.kind)
        if failure.usage is not None:
            self.wasted.prompt_tokens += failure.usage.prompt_tokens
            self.wasted.completion_tokens += failure.usage.completion_tokens

    def set_aside(self, completion: Completion) -> None:
        """A reply, told in already, is asked for anew: what was used so far came to nothing."""
        used = completion.usage
        self.wasted = RequestUsage(used.prompt_tokens, used.completion_tokens)

    def told_in(self, completion: Completion) -> Completion:
        """The reply that came in the end, with what it took; its usage is that of all attempts."""
        if self.sent == 1:
            return completion
        used = completion.usage
        return completion.model_copy(
            update={
                "attempts": self.sent,
                "failures": tuple(kind.value for kind in self.failures),
                "usage": RequestUsage(
                    used.prompt_tokens + self.wasted.prompt_tokens,
                    used.completion_tokens + self.wasted.completion_tokens,
                ),
            }
        )

    def told_by(self, failure: ModelFailure) -> ModelFailure:
        """The failure that came in the end, with what it took."""
        tries = f" (after {self.sent} attempts)" if self.sent > 1 else ""
        told = ModelFailure(failure.kind, failure.reason + tries)
        told.attempts, told.failures = self.sent, tuple(self.failures)
        told.usage = self.wasted
        return told
