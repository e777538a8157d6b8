"""Any AutoGen model client from its component file, `autogen:FILE`, in the place of an endpoint.

A component file is JSON, `{"provider": "package.module.Class", "config": {…}}`, as AutoGen's
`dump_component` writes it. The client in it is asked as an endpoint is, so that all that is done
around a call (attempts, limits, journal, reading of the reply) is done for it too; what it raises
is told apart by its looks, for no vendor's package is imported here.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncGenerator, Iterator, Mapping
from pathlib import Path
from typing import Any

from autogen_core import ComponentModel
from autogen_core.models import (
    AssistantMessage,
    ChatCompletionClient,
    CreateResult,
    LLMMessage,
    SystemMessage,
    UserMessage,
)

from agents.errors import SpecError
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import failure_of, one_line
from agents.model.model_spec import AUTOGEN
from agents.model.patience import retry_after
from records.medical_record import canonical_hash
from records.secrets import keep_secret

_log = logging.getLogger(__name__)

_TELLING = re.compile(r"key|token$|secret|password|credential|authorization", re.IGNORECASE)
_OURS = frozenset(("model", "messages", "response_format", "stream", "stream_options"))
_PACKAGE = "pip install 'ai-hospital[autogen]'"
_REFUSED = ("Authentication", "PermissionDenied", "NotFound", "BadRequest", "Unprocessable")
_FILTERED = ("ContentFilter", "ContentPolicy")


class ComponentConnection:
    """A client from a component file, asked as an endpoint is.

    Args:
        spec: `autogen:FILE`.

    Raises:
        SpecError: the file holds no such client, or its package is missing.
    """

    def __init__(self, spec: str) -> None:
        self.url = spec
        self._client = load_client(spec)
        self._not_taken: set[str] = set()

    async def post(self, body: Mapping[str, Any], timeout: float) -> object:
        """Ask the client once; its reply as the body that an endpoint would have sent.

        Settings that the client does not take are left out from then on, with a warning.

        Args:
            body: of the request.
            timeout: longest wait for the whole reply, in seconds.

        Raises:
            ModelFailure: the client raised something; of which kind it is.
        """
        while True:
            settings = {k: v for k, v in body.items() if k not in self._not_taken | _OURS}
            wants_json = "response_format" in body and self._client.model_info["json_output"]
            try:
                async with asyncio.timeout(timeout):
                    result = await self._client.create(
                        component_messages(body["messages"]),
                        json_output=True if wants_json else None,
                        extra_create_args=settings,
                    )
                return _body(result)
            except (TypeError, ValueError) as error:
                named = {name for name in settings if name in str(error)}
                if not named or type(error).__module__ != "builtins":
                    raise failure_from(error) from None
                self._not_taken |= named
                _log.warning("%s takes no %s, asking without", self.url, ", ".join(sorted(named)))
            except TimeoutError:
                reason = f"no reply from {self.url} within {timeout:g} seconds"
                raise ModelFailure(FailureKind.TRANSIENT, reason) from None
            except Exception as error:
                raise failure_from(error) from None

    async def events(self, body: Mapping[str, Any], timeout: float) -> AsyncGenerator[object, None]:
        """The whole reply as the only event: a component's chunks do not say what is reasoning."""
        yield await self.post(body, timeout)

    async def close(self) -> None:
        """Close the client."""
        await self._client.close()


def load_client(spec: str) -> ChatCompletionClient:
    """The client of `autogen:FILE`.

    Raises:
        SpecError: the file cannot be read, its client cannot be made, or needs a missing package;
            the message repeats no secret of the file.
    """
    path = _path(spec)
    component = _read(path)
    provider = component["provider"]
    try:
        return ChatCompletionClient.load_component(ComponentModel.model_validate(component))
    except ModuleNotFoundError as missing:
        # The package's own optional part, such as anthropic, has another name than its module's.
        how = _PACKAGE
        if missing.name and not missing.name.startswith("autogen_ext"):
            how = f"pip install {missing.name.partition('.')[0]}"
        raise SpecError(f"{path}: {provider} needs {missing.name}; {how}") from None
    except ImportError as error:
        raise SpecError(f"{path}: {provider}: {one_line(str(error))}") from None
    except Exception as error:
        raise SpecError(f"{path}: {provider} is not made: {_said(error)}") from None


def component_values(spec: str) -> dict[str, Any]:
    """What is known of the model of `autogen:FILE`, as `ModelSpec` has it.

    The hash of the file's content leaves its keys out: another key makes no other model.

    Raises:
        SpecError: the file cannot be read.
    """
    if spec == AUTOGEN:
        raise SpecError(f"{spec!r} names no file; write autogen:FILE")
    component = _read(_path(spec))
    config = component["config"]
    named = config.get("model") if isinstance(config, Mapping) else None
    return {
        "url": spec,
        "model": named if isinstance(named, str) and named else spec,
        "provider": "autogen",
        "component": canonical_hash(_without_secrets(component)),
        # A client takes a schema as a class, and what it does with one differs.
        "json_formats": ("json_object",),
    }


def component_messages(wire: list[dict[str, str]]) -> list[LLMMessage]:
    """The messages of a request as AutoGen has them; the speakers' ids are ASCII."""
    messages: list[LLMMessage] = []
    for message in wire:
        content = message["content"]
        match message["role"]:
            case "system":
                messages.append(SystemMessage(content=content))
            case "user":
                messages.append(UserMessage(content=content, source="user"))
            case _:
                thought = message.get("reasoning_content")
                messages.append(
                    AssistantMessage(content=content, source="assistant", thought=thought)
                )
    return messages


def failure_from(error: BaseException) -> ModelFailure:
    """What a client raised, by kind: from status, body and names, as vendors' packages have them.

    Never raises; what looks like nothing known is taken as passing, and is tried again.
    """
    if isinstance(error, ModelFailure):
        return error
    for cause in _causes(error):
        status = _status(cause)
        if status is not None:
            response = getattr(cause, "response", None)
            headers = getattr(response, "headers", None)
            wait = retry_after(_lower(headers)) if headers is not None else None
            return failure_of(status, _error_of(cause), wait)
    names = [kind.__name__ for cause in _causes(error) for kind in type(cause).__mro__]
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if any(sign in name for name in names for sign in _FILTERED):
        return ModelFailure(FailureKind.CONTENT_FILTERED, one_line(said)[:300])
    if "RateLimitError" in names:
        return ModelFailure(FailureKind.RATE_LIMIT, one_line(said)[:300])
    odd = isinstance(error, TypeError) and "NoneType" in str(error)
    if odd or isinstance(error, IndexError | KeyError | AttributeError | json.JSONDecodeError):
        # A client that met a reply without choices, or of another shape than it knows.
        reason = f"the client could not read the reply ({one_line(said)[:200]})"
        return ModelFailure(FailureKind.TRANSIENT, reason)
    failure = failure_of(None, said)
    refused = any(sign in name for name in names for sign in _REFUSED)
    if failure.kind is FailureKind.TRANSIENT and (
        refused or isinstance(error, TypeError | ValueError | NotImplementedError)
    ):
        return ModelFailure(FailureKind.REQUEST, failure.reason)
    return failure


def _path(spec: str) -> Path:
    return Path(spec.removeprefix(AUTOGEN)).expanduser()


def _read(path: Path) -> dict[str, Any]:
    try:
        component = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SpecError(f"{path}: cannot be read: {error.strerror or error}") from None
    except json.JSONDecodeError as error:
        raise SpecError(f"{path}: is no JSON: {error.msg} in line {error.lineno}") from None
    except UnicodeDecodeError:
        raise SpecError(f"{path}: is not UTF-8") from None
    if not isinstance(component, dict) or not isinstance(component.get("provider"), str):
        raise SpecError(
            f'{path}: is no component file; expected {{"provider": "package.module.Class", '
            '"config": {…}}'
        )
    if component.get("component_type", "model") != "model":
        raise SpecError(f"{path}: is a component of type {component['component_type']!r}, no model")
    for secret in _secrets(component.get("config")):
        keep_secret(secret)
    return {"component_type": "model", "config": {}} | component


def _secrets(value: object, telling: bool = False) -> Iterator[str]:
    if isinstance(value, str) and telling:
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _secrets(inner, telling or bool(_TELLING.search(str(name))))
    elif isinstance(value, list):
        for inner in value:
            yield from _secrets(inner, telling)


def _without_secrets(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            name: _without_secrets(inner)
            for name, inner in value.items()
            if not (isinstance(inner, str) and _TELLING.search(name))
        }
    return [_without_secrets(inner) for inner in value] if isinstance(value, list) else value


def _body(result: CreateResult) -> dict[str, Any]:
    """A client's reply as an endpoint's; zero usage means that none was reported."""
    text = result.content if isinstance(result.content, str) else None
    usage = result.usage
    used = {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
    }
    return {
        "model": getattr(result, "model", None),
        "choices": [
            {
                "finish_reason": result.finish_reason,
                "message": {"content": text, "reasoning_content": result.thought},
            }
        ],
        "usage": used if any(used.values()) else None,
    }


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__


def _status(error: BaseException) -> int | None:
    response = getattr(error, "response", None)
    for holder, name in ((error, "status_code"), (error, "status"), (response, "status_code")):
        value = getattr(holder, name, None)
        if isinstance(value, int) and 300 <= value < 600:
            return value
    return None


def _error_of(error: BaseException) -> object:
    body = getattr(error, "body", None)
    if isinstance(body, Mapping):
        inner = body.get("error")
        return inner if isinstance(inner, Mapping) else body
    return str(error)


def _lower(headers: Any) -> dict[str, str]:
    try:
        return {str(name).lower(): str(value) for name, value in dict(headers).items()}
    except (TypeError, ValueError):
        return {}


def _said(error: Exception) -> str:
    """What an error says, on one line and without what was given."""
    faults = getattr(error, "errors", None)
    if callable(faults):
        try:
            first = faults()[0]
            return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}".lower()
        except (IndexError, KeyError, TypeError):
            return type(error).__name__
    return one_line(str(error))[:300] or type(error).__name__
