"""The base of the clients that stand before another one: all is passed on but the call itself."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
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

from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import Completion
from agents.model.pieces import Show, pieces_of
from records.medical_record import canonical_hash


class WrappedClient(ChatCompletionClient):
    """A client over a client. Subclasses say what happens around a call in `around`."""

    component_type = "model"

    def __init__(self, inner: ChatCompletionClient) -> None:
        self.inner = inner

    @abstractmethod
    async def around(self, call: Call) -> Completion:
        """Answer the call, from `call.make()` or otherwise."""

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
        """Ask the model once; raises what the inner client raises."""
        return await self.around(
            Call(
                self.inner,
                messages,
                tools=tools,
                tool_choice=tool_choice,
                json_output=json_output,
                extra_create_args=extra_create_args,
                cancellation_token=cancellation_token,
            )
        )

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
        """The answer as the model gives it, one that is not asked for in one piece; then the reply.

        Raises what the inner client raises.
        """

        async def make(show: Show) -> Completion:
            return await self.around(
                Call(
                    self.inner,
                    messages,
                    tools=tools,
                    tool_choice=tool_choice,
                    json_output=json_output,
                    extra_create_args=extra_create_args,
                    cancellation_token=cancellation_token,
                    show=show,
                )
            )

        async with aclosing(pieces_of(make, cancellation_token)) as items:
            async for item in items:
                yield item

    def forget_last(self) -> None:
        """Take it that the last reply was never kept: what it holds ended the visit."""
        if isinstance(self.inner, WrappedClient):
            self.inner.forget_last()

    async def close(self) -> None:
        """Close the inner client."""
        await self.inner.close()

    def actual_usage(self) -> RequestUsage:
        """The inner client's."""
        return self.inner.actual_usage()

    def total_usage(self) -> RequestUsage:
        """The inner client's."""
        return self.inner.total_usage()

    def count_tokens(
        self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()
    ) -> int:
        """The inner client's."""
        return self.inner.count_tokens(messages, tools=tools)

    def remaining_tokens(
        self, messages: Sequence[LLMMessage], *, tools: Sequence[Tool | ToolSchema] = ()
    ) -> int:
        """The inner client's."""
        return self.inner.remaining_tokens(messages, tools=tools)

    @property
    def capabilities(self) -> ModelCapabilities:
        """The inner client's."""
        return self.inner.capabilities

    @property
    def model_info(self) -> ModelInfo:
        """The inner client's."""
        return self.inner.model_info


class Call:
    """One call, not yet made."""

    def __init__(
        self,
        client: ChatCompletionClient,
        messages: Sequence[LLMMessage],
        *,
        tools: Sequence[Tool | ToolSchema],
        tool_choice: Tool | Literal["auto", "required", "none"],
        json_output: bool | type[BaseModel] | None,
        extra_create_args: Mapping[str, Any],
        cancellation_token: CancellationToken | None,
        show: Show | None = None,
    ) -> None:
        self._client = client
        self._messages = messages
        self._tools = tools
        self._tool_choice = tool_choice
        self._json_output = json_output
        self._extra = extra_create_args
        self._token = cancellation_token
        self._show = show
        self._hash: list[str] = []

    @property
    def content_hash(self) -> str:
        """Hash of what is asked, reckoned once however many clients stand in a row."""
        if not self._hash:
            wanted = self._json_output
            asked = [
                _hash_of(self._messages),
                [tool["name"] if isinstance(tool, dict) else tool.name for tool in self._tools],
                wanted
                if wanted is None or isinstance(wanted, bool)
                else wanted.model_json_schema(),
                dict(self._extra),
            ]
            self._hash.append(canonical_hash(asked))
        return self._hash[0]

    def count_tokens(self) -> int:
        """An estimate of how long what is asked is."""
        return self._client.count_tokens(self._messages, tools=self._tools)

    def limit_tokens(self) -> int | None:
        """The longest reply that this call asks for, if it sets one itself."""
        limit = self._extra.get("max_tokens")
        return limit if isinstance(limit, int) else None

    async def make(self) -> Completion:
        """Make it."""
        client = self._client
        if isinstance(client, WrappedClient):
            return await client.around(self._by(client.inner))
        if self._show is None:
            return Completion.of(await client.create(self._messages, **self._keywords()))
        async with aclosing(client.create_stream(self._messages, **self._keywords())) as items:
            async for item in items:
                if not isinstance(item, str):
                    return Completion.of(item)
                self._show(item)
        raise ModelFailure(FailureKind.TRANSIENT, "the stream ended without a reply")

    def _keywords(self) -> dict[str, Any]:
        return {
            "tools": self._tools,
            "tool_choice": self._tool_choice,
            "json_output": self._json_output,
            "extra_create_args": self._extra,
            "cancellation_token": self._token,
        }

    def _by(self, client: ChatCompletionClient) -> Call:
        """The same call, made by another client."""
        call = object.__new__(Call)
        # A shallow copy, without the detours of the module `copy`: each call is passed on often.
        call.__dict__ = self.__dict__ | {"_client": client}
        return call


def _hash_of(messages: Sequence[LLMMessage]) -> str:
    """Hash of a talk; its messages are many, and JSON of them all is slow."""
    parts: list[str] = []
    for message in messages:
        held = vars(message)
        content = held["content"]
        if not isinstance(content, str):
            content = canonical_hash(message.model_dump(mode="json"))
        parts += (held["type"], content, held.get("source") or "", held.get("thought") or "")
    # The lengths tell where each part ends.
    text = "".join([",".join(map(str, map(len, parts))), *parts])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
