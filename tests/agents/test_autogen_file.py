"""AutoGen clients from component files: asked, understood when they fail, and kept from telling."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from autogen_core import Component
from autogen_core.models import (
    ChatCompletionClient,
    CreateResult,
    LLMMessage,
    ModelInfo,
    RequestUsage,
    SystemMessage,
    UserMessage,
)
from pydantic import BaseModel

from agents.errors import SpecError
from agents.model.autogen_file import failure_from
from agents.model.endpoint import Endpoint
from agents.model.model_client import ModelClient
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_table import ModelTable
from agents.model.patience import Patience
from agents.seats import check_spec, sources
from records.secrets import masked

KEY = "sk-planted-0123456789"


class EchoConfig(BaseModel):
    model: str
    api_key: str
    knows_json: bool = True


class EchoClient(ChatCompletionClient, Component[EchoConfig]):
    """Says what it is told to; takes down what it was asked."""

    component_type = "model"
    component_config_schema = EchoConfig
    component_provider_override = "hospital_test_component.EchoClient"

    says: Callable[[list[LLMMessage], Mapping[str, Any]], Any]
    asked: list[tuple[list[LLMMessage], bool | None, dict[str, Any]]]
    closed = 0

    def __init__(self, config: EchoConfig) -> None:
        self.config = config

    @classmethod
    def _from_config(cls, config: EchoConfig) -> EchoClient:
        return cls(config)

    async def create(
        self,
        messages: Sequence[LLMMessage],
        *,
        tools: Any = (),
        tool_choice: Any = "auto",
        json_output: Any = None,
        extra_create_args: Mapping[str, Any] = {},
        cancellation_token: Any = None,
    ) -> CreateResult:
        EchoClient.asked.append((list(messages), json_output, dict(extra_create_args)))
        said = EchoClient.says(list(messages), extra_create_args)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, CreateResult) else result(said)

    async def create_stream(self, *args: Any, **kwargs: Any) -> AsyncGenerator[Any, None]:
        yield await self.create(*args, **kwargs)

    async def close(self) -> None:
        EchoClient.closed += 1

    def actual_usage(self) -> RequestUsage:
        return RequestUsage(0, 0)

    def total_usage(self) -> RequestUsage:
        return RequestUsage(0, 0)

    def count_tokens(self, messages: Any, *, tools: Any = ()) -> int:
        raise RuntimeError("would download a tokenizer")

    def remaining_tokens(self, messages: Any, *, tools: Any = ()) -> int:
        raise RuntimeError("would download a tokenizer")

    @property
    def capabilities(self) -> Any:
        return self.model_info

    @property
    def model_info(self) -> ModelInfo:
        return ModelInfo(
            vision=False,
            function_calling=False,
            json_output=self.config.knows_json,
            family="unknown",
            structured_output=False,
        )


def result(content: Any, **more: Any) -> CreateResult:
    known = {"finish_reason": "stop", "usage": RequestUsage(7, 3), "cached": False}
    return CreateResult(content=content, **(known | more))


@pytest.fixture(autouse=True)
def component() -> Iterator[None]:
    """The client's class under a name that a component file can give."""
    module = ModuleType("hospital_test_component")
    module.EchoClient = EchoClient  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
    EchoClient.asked = []
    EchoClient.says = staticmethod(lambda messages, extra: "Hello.")
    yield
    del sys.modules[module.__name__]


def filed(tmp_path: Path, **config: Any) -> str:
    """A component file and its spec."""
    path = tmp_path / "client.json"
    known = {"model": "echo-1", "api_key": KEY}
    provider = EchoClient.component_provider_override
    path.write_text(json.dumps({"provider": provider, "config": known | config}), "utf-8")
    return f"autogen:{path}"


def client_of(spec: str, parameters: str = "") -> ModelClient:
    resolved = ModelTable.load().resolve(spec + parameters)
    patience = Patience(attempts=2, first_wait=0.0)
    return ModelClient(resolved, Endpoint(resolved.url, patience=patience))


CHAT = [
    SystemMessage(content="You are a doctor."),
    UserMessage(content="Good day.", source="病人"),
    UserMessage(content="I cough.", source="病人"),
]


async def test_a_component_answers_like_an_endpoint(tmp_path: Path) -> None:
    client = client_of(filed(tmp_path), "?temperature=0.5&max_tokens=9")
    completion = await client.create(CHAT)
    assert (completion.text, completion.usage_known) == ("Hello.", True)
    assert (completion.usage.prompt_tokens, completion.usage.completion_tokens) == (7, 3)
    [(messages, json_output, extra)] = EchoClient.asked
    assert [(type(m).__name__, m.content) for m in messages] == [
        ("SystemMessage", "You are a doctor."),
        ("UserMessage", "Good day.\n\nI cough."),
    ]
    assert all(str(getattr(m, "source", "")).isascii() for m in messages)
    assert (json_output, extra) == (None, {"temperature": 0.5, "max_tokens": 9})
    assert client.count_tokens(CHAT) > 0


async def test_reasoning_is_kept_apart_and_no_usage_is_unknown(tmp_path: Path) -> None:
    client = client_of(filed(tmp_path))
    EchoClient.says = staticmethod(
        lambda messages, extra: result("<think>hm</think>Yes.", usage=RequestUsage(0, 0))
    )
    completion = await client.create(CHAT)
    assert (completion.text, completion.thought) == ("Yes.", "hm")
    assert not completion.usage_known
    EchoClient.says = staticmethod(lambda messages, extra: result("Yes.", thought="hm"))
    assert (await client.create(CHAT)).thought == "hm"
    pieces = [piece async for piece in client.create_stream(CHAT)]
    assert pieces[0] == "Yes."


async def test_json_is_asked_for_where_the_client_knows_it(tmp_path: Path) -> None:
    EchoClient.says = staticmethod(lambda messages, extra: '{"a": 1}')
    await client_of(filed(tmp_path)).create(CHAT, json_output=True)
    await client_of(filed(tmp_path, knows_json=False)).create(CHAT, json_output=True)
    assert [asked[1] for asked in EchoClient.asked] == [True, None]


async def test_settings_that_the_client_does_not_take_are_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def says(messages: list[LLMMessage], extra: Mapping[str, Any]) -> Any:
        return TypeError("unexpected argument 'seed'") if "seed" in extra else "Hello."

    EchoClient.says = staticmethod(says)
    client = client_of(filed(tmp_path), "?seed=3&temperature=0")
    with caplog.at_level(logging.WARNING):
        await client.create(CHAT)
        await client.create(CHAT)
    assert [sorted(asked[2]) for asked in EchoClient.asked] == [
        ["seed", "temperature"],
        ["temperature"],
        ["temperature"],
    ]
    assert "takes no seed" in caplog.text


async def test_what_passes_is_tried_again(tmp_path: Path) -> None:
    answers: Iterator[Any] = iter([IndexError("list index out of range"), "Hello."])
    EchoClient.says = staticmethod(lambda messages, extra: next(answers))
    assert (await client_of(filed(tmp_path)).create(CHAT)).text == "Hello."
    assert len(EchoClient.asked) == 2


async def test_what_does_not_pass_is_not(tmp_path: Path) -> None:
    EchoClient.says = staticmethod(lambda messages, extra: ValueError("no such model"))
    with pytest.raises(ModelFailure) as caught:
        await client_of(filed(tmp_path)).create(CHAT)
    assert caught.value.kind is FailureKind.REQUEST
    assert len(EchoClient.asked) == 1


async def test_closing_closes_the_client(tmp_path: Path) -> None:
    resolved = ModelTable.load().resolve(filed(tmp_path))
    endpoint, before = Endpoint(resolved.url), EchoClient.closed
    await ModelClient(resolved, endpoint).create(CHAT)
    await endpoint.close()
    assert EchoClient.closed == before + 1


def vendor(name: str, *bases: type[BaseException], **attributes: Any) -> Exception:
    """An exception as a vendor's package has them: told by its name and attributes."""
    made: type[Exception] = type(name, bases or (Exception,), {})
    error = made("it says so")
    for attribute, value in attributes.items():
        setattr(error, attribute, value)
    return error


class Response:
    status_code = 429
    headers = {"Retry-After": "7"}  # noqa: RUF012


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (vendor("RateLimitError", status_code=429), FailureKind.RATE_LIMIT),
        (vendor("RateLimitError"), FailureKind.RATE_LIMIT),
        (vendor("Whatever", response=Response()), FailureKind.RATE_LIMIT),
        (
            vendor("RateLimitError", status_code=429, body={"code": "insufficient_quota"}),
            FailureKind.QUOTA,
        ),
        (vendor("AuthenticationError", status_code=401), FailureKind.REQUEST),
        (vendor("AuthenticationError"), FailureKind.REQUEST),
        (vendor("NotFoundError"), FailureKind.REQUEST),
        (
            vendor("BadRequestError", status_code=400, body={"error": {"code": "content_filter"}}),
            FailureKind.CONTENT_FILTERED,
        ),
        (vendor("ContentFilterFinishReasonError"), FailureKind.CONTENT_FILTERED),
        (vendor("HttpResponseError", status_code=503), FailureKind.TRANSIENT),
        (vendor("ClientResponseError", status=502), FailureKind.TRANSIENT),
        (vendor("APIConnectionError"), FailureKind.TRANSIENT),
        (ConnectionError("refused"), FailureKind.TRANSIENT),
        (TimeoutError(), FailureKind.TRANSIENT),
        (IndexError("list index out of range"), FailureKind.TRANSIENT),
        (KeyError("choices"), FailureKind.TRANSIENT),
        (TypeError("'NoneType' object is not subscriptable"), FailureKind.TRANSIENT),
        (TypeError("missing a required argument: 'model'"), FailureKind.REQUEST),
        (ValueError("bad"), FailureKind.REQUEST),
        (RuntimeError("who knows"), FailureKind.TRANSIENT),
        (ModelFailure(FailureKind.QUOTA, "x"), FailureKind.QUOTA),
    ],
)
def test_exceptions_are_told_apart(error: Exception, kind: FailureKind) -> None:
    failure = failure_from(error)
    assert failure.kind is kind
    assert "\n" not in failure.reason


def test_a_wait_that_is_asked_for_is_kept() -> None:
    assert failure_from(vendor("Whatever", response=Response())).retry_after == 7
    outer = RuntimeError("could not ask")
    outer.__cause__ = vendor("Whatever", response=Response())
    assert failure_from(outer).kind is FailureKind.RATE_LIMIT


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "is no JSON"),
        ("[]", "no component file"),
        ('{"provider": 3}', "no component file"),
        ('{"provider": "x.Y", "component_type": "agent"}', "no model"),
        ('{"provider": "autogen_ext_gone.Y"}', "pip install 'ai-hospital[autogen]'"),
        ('{"provider": "no_such_package.models.Y"}', "pip install no_such_package"),
        ('{"provider": "Y"}', "is not made"),
        ('{"provider": "json.JSONDecoder"}', "is not made"),
        (
            '{"provider": "hospital_test_component.EchoClient", "config": {"api_key": 1234567890}}',
            "model: field required",
        ),
        (
            '{"provider": "hospital_test_component.EchoClient", "config":'
            f' {{"model": "m", "api_key": "{KEY}", "knows_json": "{KEY}"}}}}',
            "knows_json",
        ),
    ],
)
def test_a_file_that_holds_no_client_is_one_line(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "client.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        check_spec(f"autogen:{path}", "doctor")
    said = str(caught.value)
    assert said.startswith(str(path))
    assert says in said
    assert "\n" not in said
    assert KEY not in said


@pytest.mark.parametrize("chair", ["doctor", "npc", "judge"])
def test_it_sits_in_every_chair_and_its_content_is_noticed(tmp_path: Path, chair: Any) -> None:
    spec = filed(tmp_path)
    check_spec(spec, chair)
    first = sources([spec])
    assert list(first) == [spec]
    assert sources([filed(tmp_path, api_key="sk-another-one-9876")]) == first
    assert sources([filed(tmp_path, model="echo-2")]) != first
    assert ModelTable.load().resolve(spec).model == "echo-2"
    assert masked(f"said {KEY}") == "said ***"
    with pytest.raises(SpecError, match="cannot be read"):
        check_spec("autogen:nowhere.json", chair)
