"""The model client: AutoGen's `ChatCompletionClient` over any OpenAI-compatible endpoint."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Literal

from autogen_core import CancellationToken
from autogen_core.models import (
    ChatCompletionClient,
    LLMMessage,
    ModelCapabilities,
    ModelInfo,
    RequestUsage,
)
from autogen_core.tools import Tool, ToolSchema
from pydantic import BaseModel

from agents.model.adaptation import OPTIONAL_FIELDS, Adaptation, Wanted
from agents.model.attempts import Attempts
from agents.model.endpoint import Endpoint
from agents.model.json_answer import fitted
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import Completion
from agents.model.model_spec import ModelSpec
from agents.model.pieces import Show, pieces_of
from agents.model.token_estimate import token_estimate
from agents.model.wire import wire_messages

__all__ = ["Endpoint", "ModelClient", "wire_messages"]

_ASSUMED_CONTEXT = 128_000
_ASSUMED_LIMIT = 4096


class ModelClient(ChatCompletionClient):
    """One model of an endpoint, with its settings.

    Replies are `Completion`s. Neighbouring messages of one role are merged, for some endpoints
    insist that roles alternate; the message field `name` is never sent, for some refuse it.

    Args:
        spec: which model and how it is set.
        endpoint: shared with other clients; None makes one that `close` closes.
    """

    component_type = "model"

    def __init__(self, spec: ModelSpec, endpoint: Endpoint | None = None) -> None:
        self.spec = spec
        self._endpoint = endpoint or Endpoint.of(spec)
        self._owns_endpoint = endpoint is None
        self._endpoint.limiter.tighten(spec)
        self._adaptation = self._endpoint.adaptations.setdefault(spec.model, Adaptation.of(spec))
        self._usage = RequestUsage(0, 0)

    async def create(
        self,
        messages: Sequence[LLMMessage],
        *,
        tools: Sequence[Tool | ToolSchema] = (),
        tool_choice: Tool | Literal["auto", "required", "none"] = "auto",
        json_output: bool | type[BaseModel] | None = None,
        extra_create_args: Mapping[str, Any] = {},
        cancellation_token: CancellationToken | None = None,
    ) -> Completion:
        """Ask the model once.

        A reply whose reasoning used up the limit of tokens is asked for a second time with four
        times the limit. Where an object of a schema is wanted and the endpoint takes a response
        format but does not keep to it, the next simpler one is asked for.

        Raises:
            ModelFailure: there is no reply, and why.
            ValueError: tools or pictures were given; this client speaks text.
        """
        wire = self._wire(messages, tools)
        asking = self._ask(wire, json_output, dict(extra_create_args), Attempts())
        if cancellation_token is None:
            return await asking
        task = asyncio.ensure_future(asking)
        cancellation_token.link_future(task)
        return await task

    async def create_stream(
        self,
        messages: Sequence[LLMMessage],
        *,
        tools: Sequence[Tool | ToolSchema] = (),
        tool_choice: Tool | Literal["auto", "required", "none"] = "auto",
        json_output: bool | type[BaseModel] | None = None,
        extra_create_args: Mapping[str, Any] = {},
        cancellation_token: CancellationToken | None = None,
    ) -> AsyncGenerator[str | Completion, None]:
        """Ask the model once; yields the answer piece by piece, and last the `Completion`.

        The pieces are for display: free of reasoning, but not of what is repaired only once all is
        there. The `Completion` is the record. JSON, of which half is no use, comes in one piece.

        Raises:
            ModelFailure: there is no reply, or it broke off.
            ValueError: tools or pictures were given; this client speaks text.
        """
        wire = self._wire(messages, tools)

        async def make(show: Show) -> Completion:
            return await self._show(wire, json_output, dict(extra_create_args), show)

        async with aclosing(pieces_of(make, cancellation_token)) as items:
            async for item in items:
                yield item

    async def close(self) -> None:
        """Close the endpoint's connections if no one else uses them."""
        if self._owns_endpoint:
            await self._endpoint.close()

    def actual_usage(self) -> RequestUsage:
        """Tokens used so far; calls without reported usage count nothing."""
        return self._usage

    def total_usage(self) -> RequestUsage:
        """Tokens used so far; calls without reported usage count nothing."""
        return self._usage

    def count_tokens(
        self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()
    ) -> int:
        """An estimate without a tokenizer."""
        return token_estimate("".join(message["content"] for message in wire_messages(messages)))

    def remaining_tokens(
        self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()
    ) -> int:
        """What is left of a context of 128,000 tokens; the endpoint does not say its own."""
        return max(0, _ASSUMED_CONTEXT - self.count_tokens(messages, tools=tools))

    @property
    def capabilities(self) -> ModelCapabilities:
        """AutoGen's older form of `model_info`."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return ModelCapabilities(vision=False, function_calling=False, json_output=True)

    @property
    def model_info(self) -> ModelInfo:
        """Text in, text or JSON out."""
        return ModelInfo(
            vision=False,
            function_calling=False,
            json_output=True,
            family="unknown",
            structured_output=True,
            multiple_system_messages=False,
        )

    def _wire(
        self, messages: Sequence[LLMMessage], tools: Sequence[Tool | ToolSchema]
    ) -> list[dict[str, str]]:
        if tools:
            raise ValueError("this client does not call tools; give the agent none")
        return wire_messages(messages, replay_reasoning=self.spec.replay_reasoning)

    async def _ask(
        self,
        messages: list[dict[str, str]],
        wanted: Wanted,
        extra: dict[str, Any],
        attempts: Attempts,
    ) -> Completion:
        while True:
            completion = await self._ask_at_length(messages, wanted, extra, attempts)
            if not wanted or isinstance(wanted, bool):
                return self._counted(completion)
            answer = fitted(completion, wanted)
            asked = self._adaptation.response_format(wanted)
            if answer is not None or asked is None or completion.finish_reason == "length":
                return self._counted(answer or completion)
            self._adaptation.ignores_format(self.spec.model, asked["type"])
            attempts.set_aside(completion)

    async def _ask_at_length(
        self,
        messages: list[dict[str, str]],
        wanted: Wanted,
        extra: dict[str, Any],
        attempts: Attempts,
    ) -> Completion:
        """Ask, and if reasoning used up the limit of tokens once more with a larger one."""

        def body() -> dict[str, Any]:
            return self._body(messages, wanted, extra)

        endpoint, timeout = self._endpoint, self.spec.timeout
        try:
            return await endpoint.ask(body, self._adaptation, timeout, attempts)
        except ModelFailure as failure:
            if failure.kind is not FailureKind.OUT_OF_TOKENS:
                raise
            spent = failure
        self._enlarge(extra)
        try:
            return await endpoint.ask(body, self._adaptation, timeout, attempts)
        except ModelFailure as second:
            # A limit larger than the model's own is refused; what was wrong is still the limit.
            if second.kind is not FailureKind.REQUEST:
                raise
        raise attempts.told_by(spent)

    async def _show(
        self, messages: list[dict[str, str]], wanted: Wanted, extra: dict[str, Any], show: Show
    ) -> Completion:
        """Ask, and show the answer as it comes; JSON, and what does not stream, is not shown."""
        adaptation, timeout = self._adaptation, self.spec.timeout
        attempts = Attempts()

        def body() -> dict[str, Any]:
            return self._body(messages, None, extra)

        if not wanted and adaptation.streams:
            try:
                return self._counted(
                    await self._endpoint.stream(body, adaptation, timeout, attempts, show)
                )
            except ModelFailure as failure:
                if failure.kind is not FailureKind.OUT_OF_TOKENS:
                    raise
                # Nothing of it was shown: it is asked for again, in one piece.
                self._enlarge(extra)
        return await self._ask(messages, wanted, extra, attempts)

    def _enlarge(self, extra: dict[str, Any]) -> None:
        limit = extra.get("max_tokens") or self.spec.max_tokens or _ASSUMED_LIMIT
        extra["max_tokens"] = 4 * limit

    def _counted(self, completion: Completion) -> Completion:
        self._usage.prompt_tokens += completion.usage.prompt_tokens
        self._usage.completion_tokens += completion.usage.completion_tokens
        return completion

    def _body(
        self, messages: list[dict[str, str]], wanted: Wanted, extra: dict[str, Any]
    ) -> dict[str, Any]:
        """The request's body, in what the model is known to understand."""
        adaptation, spec = self._adaptation, self.spec
        body: dict[str, Any] = {
            "model": spec.model,
            "messages": adaptation.messages(messages, wanted),
            **spec.body,
        }
        for name in ("max_tokens", *OPTIONAL_FIELDS):
            value = extra.get(name, getattr(spec, name))
            if value is not None and name not in adaptation.dropped:
                body[adaptation.tokens_field if name == "max_tokens" else name] = value
        body |= {k: v for k, v in extra.items() if k not in ModelSpec.model_fields}
        if (asked := adaptation.response_format(wanted)) is not None:
            body["response_format"] = asked
        return body
