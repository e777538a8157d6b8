"""The model that a role thinks with: what fails in it becomes an ending of the visit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import aclosing
from typing import Any

from autogen_core import CancellationToken
from autogen_core.models import ChatCompletionClient, LLMMessage

from agents.errors import SeatError
from agents.live import HEARD, LISTENER, Listener
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import Completion
from agents.model.wrapped_client import WrappedClient
from records.visit import CHIEF_PHYSICIAN, DOCTOR, EXAMINER, PATIENT, Ending

_FAILED = {
    DOCTOR: Ending.DOCTOR_FAILED,
    PATIENT: Ending.PATIENT_FAILED,
    EXAMINER: Ending.EXAMINER_FAILED,
    CHIEF_PHYSICIAN: Ending.MODERATOR_FAILED,
}


class Mind:
    """A role's model.

    Args:
        client: any AutoGen model client.
        role: whose it is; failures are attributed to it.
    """

    def __init__(self, client: ChatCompletionClient, role: str) -> None:
        self._client = client
        self._role = role

    async def think(
        self,
        chat: Sequence[LLMMessage],
        *,
        extra: Mapping[str, Any] | None = None,
        cancellation_token: CancellationToken | None = None,
    ) -> Completion:
        """Ask the model.

        Args:
            chat: the whole of what it is told.
            extra: settings of this call alone, `max_tokens` for one.
            cancellation_token: cancels the call.

        Raises:
            SeatError: there is no reply.
        """
        listener = LISTENER.get() if self._role in HEARD else None
        try:
            if listener is not None:
                return await self._think_aloud(listener, chat, extra or {}, cancellation_token)
            return Completion.of(
                await self._client.create(
                    chat, extra_create_args=extra or {}, cancellation_token=cancellation_token
                )
            )
        except ModelFailure as failure:
            raise self._ending(failure) from failure

    async def _think_aloud(
        self,
        listener: Listener,
        chat: Sequence[LLMMessage],
        extra: Mapping[str, Any],
        cancellation_token: CancellationToken | None,
    ) -> Completion:
        stream = self._client.create_stream(
            chat, extra_create_args=extra, cancellation_token=cancellation_token
        )
        async with aclosing(stream) as pieces:
            async for piece in pieces:
                if not isinstance(piece, str):
                    return Completion.of(piece)
                listener(self._role, piece)
        raise ModelFailure(FailureKind.TRANSIENT, "the stream ended without a reply")

    def failed(self, reason: str) -> SeatError:
        """The role's own failure: its model answered, but with nothing that can be used.

        The last reply is not kept for a later try of the visit, which would fail on it again.
        """
        if isinstance(self._client, WrappedClient):
            self._client.forget_last()
        return SeatError(self._role, _FAILED[self._role], reason)

    def _ending(self, failure: ModelFailure) -> SeatError:
        match failure.kind:
            case FailureKind.CONTENT_FILTERED:
                return SeatError(self._role, Ending.CONTENT_FILTERED, failure.reason)
            case FailureKind.EMPTY | FailureKind.OUT_OF_TOKENS:
                return SeatError(self._role, _FAILED[self._role], failure.reason)
            case FailureKind.CANCELLED:
                return SeatError("user", Ending.CANCELLED, failure.reason)
            case FailureKind.BUDGET:
                return SeatError("budget", Ending.BUDGET, failure.reason)
            case _:
                return SeatError("provider", Ending.INFRASTRUCTURE, failure.reason)
