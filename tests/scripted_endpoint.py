"""An OpenAI-compatible endpoint on loopback, in the test's own process, that says what a test says.

    async with ScriptedEndpoint(lambda body: "Hello.") as endpoint:
        ...  # endpoint.spec("model") is a model spec; endpoint.requests holds what was asked

The script is called with the body of each request. It returns the answer's text, a whole body as a
dict, or a `Raw` reply with status, headers and bytes of its own; it may be a coroutine function.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from aiohttp import web

PROMPTS = Path(__file__).resolve().parents[1] / "prompts"


@dataclass(frozen=True)
class Raw:
    """A reply as it goes over the wire."""

    body: str | bytes | dict[str, Any] = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    drop: bool = False
    """Close the connection in the middle of the body."""


@dataclass(frozen=True)
class Events:
    """A reply that is streamed. An item is the data of an event, bytes as they go over the wire, or
    something to wait for before the next."""

    items: Sequence[dict[str, Any] | bytes | Awaitable[object]]
    done: bool = True
    """Say `[DONE]` at the end."""
    drop: bool = False
    """Close the connection instead of ending the reply."""


Answer = str | dict[str, Any] | Raw | Events
Script = Callable[[dict[str, Any]], Answer | Awaitable[Answer]]


def completion(
    content: str | None,
    *,
    finish_reason: str = "stop",
    model: str = "scripted-1",
    usage: dict[str, int] | None = {"prompt_tokens": 10, "completion_tokens": 5},  # noqa: B006
    **message: Any,
) -> dict[str, Any]:
    """The body of a reply; further keywords go into its message (`reasoning_content`)."""
    body: dict[str, Any] = {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [
            {
                "index": 0,
                "finish_reason": finish_reason,
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
    }
    return body if usage is None else body | {"usage": usage}


def chunk(
    content: str | None = None, *, finish_reason: str | None = None, **delta: Any
) -> dict[str, Any]:
    """The data of one event of a streamed reply; further keywords go into its delta."""
    if content is not None:
        delta["content"] = content
    return {
        "id": "1",
        "object": "chat.completion.chunk",
        "model": "scripted-1",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
    }


def streamed(*contents: str, usage: bool = True) -> Events:
    """A streamed reply in these pieces, as endpoints send it when all goes well."""
    counted = {"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5}}
    items = [chunk("", role="assistant"), *map(chunk, contents), chunk(finish_reason="stop")]
    return Events([*items, counted] if usage else items)


def error(status: int, message: str, headers: dict[str, str] | None = None, **fields: Any) -> Raw:
    """An error as endpoints send it; keywords go into the error object (`code`, `type`)."""
    body = {"error": {"message": message, **fields}}
    return Raw(body, status=status, headers=headers or {})


class ScriptedEndpoint:
    """The server; `requests` and `headers` hold what came, in order."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.under_way = 0
        """Requests that are being answered; one whose asker hung up is not."""
        self.url = ""

    def spec(self, model: str = "scripted", parameters: str = "") -> str:
        """A model spec for this endpoint; `parameters` as in `temperature=0&max_tokens=9`."""
        return f"{self.url}#{model}" + (f"?{parameters}" if parameters else "")

    async def __aenter__(self) -> ScriptedEndpoint:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/v1/chat/completions", self._answer)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{port}/v1"
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self.under_way += 1
        try:
            return await self._scripted(request)
        finally:
            self.under_way -= 1

    async def _scripted(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append(body)
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        answer = self.script(body)
        if inspect.isawaitable(answer):
            answer = await answer
        if isinstance(answer, str):
            answer = completion(answer)
        if isinstance(answer, dict):
            return web.json_response(answer)
        if isinstance(answer, Events):
            return await _stream(request, answer)
        if isinstance(answer.body, dict):
            return web.json_response(answer.body, status=answer.status, headers=answer.headers)
        data = answer.body.encode() if isinstance(answer.body, str) else answer.body
        if answer.drop:
            return await _broken(request, data)
        headers = {"Content-Type": "application/json"} | answer.headers
        return web.Response(body=data, status=answer.status, headers=headers)


async def _stream(request: web.Request, events: Events) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for item in events.items:
        if isinstance(item, dict):
            await response.write(b"data: " + json.dumps(item).encode() + b"\n\n")
        elif isinstance(item, bytes):
            await response.write(item)
        else:
            await item
    if events.drop:
        if request.transport is not None:
            request.transport.close()
        return response
    if events.done:
        await response.write(b"data: [DONE]\n\n")
    return response


async def _broken(request: web.Request, data: bytes) -> web.StreamResponse:
    """Promise more than is sent, then hang up."""
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.content_length = len(data) + 1000
    await response.prepare(request)
    await response.write(data)
    if request.transport is not None:
        request.transport.close()
    await asyncio.sleep(0)
    return response


def purpose_of(body: dict[str, Any]) -> tuple[str, str, str]:
    """Which prompt a request begins with, as (language, role, purpose), by its first line.

    Raises:
        LookupError: it begins with none of the bundled ones.
    """
    opening = body["messages"][0]["content"]
    for first_line, name in _first_lines().items():
        if opening.startswith(first_line):
            return name
    raise LookupError(opening[:200])


@cache
def _first_lines() -> dict[str, tuple[str, str, str]]:
    names = {}
    for path in sorted(PROMPTS.rglob("*.jinja2")):
        first = next(
            (line for line in path.read_text("utf-8").splitlines() if line[:2] != "{%"), ""
        )
        if first and "{{" not in first:
            language, role, _ = path.relative_to(PROMPTS).parts
            names[first] = (language, role, path.stem)
    return names
