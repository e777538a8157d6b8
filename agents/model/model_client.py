"""The model client: AutoGen's `ChatCompletionClient` over any OpenAI-compatible endpoint.

The only module that imports `openai`. The SDK does transport, authentication and time limits with
`max_retries=0`; every attempt is this module's, so that one place knows how often was asked, what
is worth asking again, and what an endpoint does not understand.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import warnings
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from autogen_core import CancellationToken
from autogen_core.models import (
    AssistantMessage,
    ChatCompletionClient,
    LLMMessage,
    ModelCapabilities,
    ModelInfo,
    RequestUsage,
    SystemMessage,
    UserMessage,
)
from autogen_core.tools import Tool, ToolSchema
from pydantic import BaseModel

from agents.model.adaptation import OPTIONAL_FIELDS, Adaptation
from agents.model.attempts import Attempts
from agents.model.limiter import Limiter
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import Completion, failure_of, one_line, read_reply
from agents.model.model_spec import ModelSpec
from agents.model.patience import Patience, retry_after
from agents.model.token_estimate import token_estimate
from records.secrets import keep_secret

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_log = logging.getLogger(__name__)

_ASSUMED_CONTEXT = 128_000


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
        self._key = key
        keep_secret(key)
        self.limiter = Limiter(clock=self.patience.clock, sleep=self.patience.sleep)
        self._client: AsyncOpenAI | None = None
        # Jitter only spreads attempts; no reply depends on it.
        self._jitter = random.Random(url)  # noqa: S311

    @classmethod
    def of(cls, spec: ModelSpec, patience: Patience | None = None) -> Endpoint:
        """The endpoint of a spec, with the key from the environment."""
        return cls(spec.url, os.environ.get(spec.key_env) or "none", patience)

    def __repr__(self) -> str:
        return f"Endpoint({self.url!r})"

    async def ask(
        self,
        body: Callable[[], dict[str, Any]],
        adaptation: Adaptation,
        timeout: float,
        attempts: Attempts,
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
        attempt = 0
        wait = 0.0
        may_be_empty = True
        while True:
            try:
                if wait:
                    await self.limiter.pause(wait)
                request = body()
                async with self.limiter.slot(request) as slot:
                    attempts.sent += 1
                    slot.completion = read_reply(await self._post(request, timeout))
                return attempts.told_in(slot.completion)
            except ModelFailure as reported:
                failure = reported
            wait = 0.0
            if not failure.attempts:
                raise attempts.told_by(failure)
            attempts.note(failure)
            if failure.kind is FailureKind.REQUEST and adaptation.learn(request, failure):
                continue
            attempt += 1
            asked = failure.retry_after
            too_long = asked is not None and asked > self.patience.longest_asked_wait
            if failure.kind is FailureKind.QUOTA:
                self.limiter.stop(failure)
                _log.warning("%s has no quota left: %s", self.url, failure.reason)
            elif asked is not None and too_long:
                self.limiter.rest(asked, failure)
                _log.warning("%s is not asked for %d seconds: %s", self.url, asked, failure.reason)
            retried = failure.kind.retried or (failure.kind is FailureKind.EMPTY and may_be_empty)
            may_be_empty = may_be_empty and failure.kind is not FailureKind.EMPTY
            if not retried or attempt >= self.patience.attempts or too_long:
                raise attempts.told_by(failure)
            _log.info("%s: %s; attempt %d", self.url, failure.reason, attempt + 1)
            wait = self.patience.wait(attempt, asked, self._jitter)

    async def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _post(self, body: dict[str, Any], timeout: float) -> object:
        import openai

        if self._client is None:
            self._client = openai.AsyncOpenAI(
                api_key=self._key,
                base_url=self.url,
                max_retries=0,
                http_client=openai.DefaultAioHttpClient(),
            )
        try:
            async with asyncio.timeout(timeout):
                return await self._client.post(
                    "/chat/completions",
                    cast_to=object,
                    body=body,
                    options={"timeout": timeout},
                )
        except openai.APIStatusError as error:
            raise failure_of(
                error.status_code,
                error.body if isinstance(error.body, Mapping) else self._said(error),
                retry_after(error.response.headers),
            ) from None
        except (TimeoutError, openai.APIConnectionError) as error:
            root = _root(error)
            late = isinstance(root, TimeoutError)
            detail = one_line(str(root)) or type(root).__name__
            reason = (
                f"no reply from {self.url} within {timeout:g} seconds"
                if late
                else f"no connection to {self.url}: {detail}"
            )
            raise ModelFailure(FailureKind.TRANSIENT, reason) from None
        except ValueError:
            raise ModelFailure(FailureKind.TRANSIENT, "the reply is malformed JSON") from None
        except openai.OpenAIError as error:
            raise ModelFailure(FailureKind.TRANSIENT, one_line(str(error))) from None

    @staticmethod
    def _said(error: Any) -> str:
        return one_line(str(error.body or error.message or ""))[:300]


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
        known = Adaptation(tokens_field=spec.tokens_field, formats=spec.json_formats)
        self._adaptation = self._endpoint.adaptations.setdefault(spec.model, known)
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
        times the limit.

        Raises:
            ModelFailure: there is no reply, and why.
            ValueError: tools or pictures were given; this client speaks text.
        """
        if tools:
            raise ValueError("this client does not call tools; give the agent none")
        wire = wire_messages(messages)
        asking = self._ask(wire, json_output, dict(extra_create_args))
        if cancellation_token is None:
            completion = await asking
        else:
            task = asyncio.ensure_future(asking)
            cancellation_token.link_future(task)
            completion = await task
        self._usage.prompt_tokens += completion.usage.prompt_tokens
        self._usage.completion_tokens += completion.usage.completion_tokens
        return completion

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
        """The reply in one chunk, then the `Completion`: what is shown is what is recorded."""
        completion = await self.create(
            messages,
            tools=tools,
            tool_choice=tool_choice,
            json_output=json_output,
            extra_create_args=extra_create_args,
            cancellation_token=cancellation_token,
        )
        yield completion.text
        yield completion

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
        """An estimate without a tokenizer: a token for each ideograph or four other characters."""
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

    async def _ask(
        self,
        messages: list[dict[str, str]],
        json_output: bool | type[BaseModel] | None,
        extra: dict[str, Any],
    ) -> Completion:
        def body() -> dict[str, Any]:
            return self._body(messages, json_output, extra)

        attempts = Attempts()
        timeout = self.spec.timeout
        try:
            return await self._endpoint.ask(body, self._adaptation, timeout, attempts)
        except ModelFailure as failure:
            if failure.kind is not FailureKind.OUT_OF_TOKENS:
                raise
        limit = extra.get("max_tokens") or self.spec.max_tokens or 4096
        extra["max_tokens"] = 4 * limit
        return await self._endpoint.ask(body, self._adaptation, timeout, attempts)

    def _body(
        self,
        messages: list[dict[str, str]],
        json_output: bool | type[BaseModel] | None,
        extra: dict[str, Any],
    ) -> dict[str, Any]:
        """The request's body, in what the model is known to understand."""
        adaptation, spec = self._adaptation, self.spec
        body: dict[str, Any] = {"model": spec.model, "messages": messages, **spec.body}
        for name in ("max_tokens", *OPTIONAL_FIELDS):
            value = extra.get(name, getattr(spec, name))
            if value is not None and name not in adaptation.dropped:
                body[adaptation.tokens_field if name == "max_tokens" else name] = value
        body |= {k: v for k, v in extra.items() if k not in ModelSpec.model_fields}
        if (wanted := adaptation.response_format(json_output)) is not None:
            body["response_format"] = wanted
        return body


def wire_messages(messages: Sequence[LLMMessage]) -> list[dict[str, str]]:
    """AutoGen's messages as an endpoint takes them: role and content, neighbours merged.

    Raises:
        ValueError: a message holds something other than text.
    """
    wire: list[dict[str, str]] = []
    for message in messages:
        if not isinstance(message, SystemMessage | UserMessage | AssistantMessage):
            raise ValueError(f"this client does not send {message.type}")
        content = message.content
        if not isinstance(content, str):
            raise ValueError("this client sends text only")
        role = {"SystemMessage": "system", "UserMessage": "user"}.get(message.type, "assistant")
        if wire and wire[-1]["role"] == role:
            wire[-1]["content"] += f"\n\n{content}"
        else:
            wire.append({"role": role, "content": content})
    return wire


def _root(error: BaseException) -> BaseException:
    """What an error came from; the transport calls a refused connection a timeout."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error
