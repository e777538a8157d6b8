"""The way to one endpoint: what goes out, what comes back, and what broke in between.

The only module that imports `openai`. The SDK's own objects do authentication, proxies, TLS, time
limits and the aiohttp transport; what is left out of the SDK is its building of each request.
`AsyncOpenAI.post` copies its options, merges and checks the same headers, and wraps the response
for every call, which costs 0.35 ms, more than all else in a call; here the headers and the address
are asked of the SDK once, and each call puts its body beneath them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from agents.model.event_stream import DONE, EventStream
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import failure_of, one_line
from agents.model.patience import retry_after
from agents.model.wire import encoded

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx2
    from openai import AsyncOpenAI


END = "[DONE]"
"""Yielded last where the endpoint says that the stream is at its end."""


class Connection:
    """Requests to `/chat/completions` of one base URL; connections are kept and shared.

    Args:
        url: base URL.
        key: the bearer token. Never shown.
    """

    def __init__(self, url: str, key: str) -> None:
        self.url = url
        self._key = key
        self._http: httpx2.AsyncClient | None = None
        self._sdk: AsyncOpenAI | None = None
        self._address: httpx2.URL
        self._headers: httpx2.Headers

    def __repr__(self) -> str:
        return f"Connection({self.url!r})"

    async def post(self, body: Mapping[str, Any], timeout: float) -> object:
        """Send one request; the body of the reply, as JSON if it is JSON, else as text.

        Args:
            body: of the request.
            timeout: longest wait for the whole reply, in seconds.

        Raises:
            ModelFailure: the endpoint answered with an error, not in time, or not at all.
        """
        with self._failures(timeout):
            async with asyncio.timeout(timeout):
                response = await self._client().send(self._request(body, timeout))
            self._check(response)
            return _value(response.content)

    async def events(self, body: Mapping[str, Any], timeout: float) -> AsyncGenerator[object, None]:
        """Send one request and yield the JSON values of the events that come, or `END`.

        An endpoint that does not stream sends one whole reply, which is then the only value.

        Args:
            body: of the request.
            timeout: longest wait for the next event, in seconds.

        Raises:
            ModelFailure: as `post`, or the stream breaks off.
        """
        stream, loop = EventStream(), asyncio.get_running_loop()
        with self._failures(timeout):
            async with self._streamed(body, timeout) as response:
                pieces = response.aiter_bytes()
                deadline = loop.time() + timeout
                while not stream.ended:
                    async with asyncio.timeout_at(deadline):
                        piece = await anext(pieces, None)
                    if piece is None:
                        break
                    for data in stream.feed(piece):
                        deadline = loop.time() + timeout
                        yield END if data == DONE else _value(data)
                if rest := stream.rest:
                    yield _value(rest)

    async def close(self) -> None:
        """Close the connections; the next request opens new ones."""
        sdk, self._sdk, self._http = self._sdk, None, None
        if sdk is not None:
            await sdk.close()

    def _client(self) -> httpx2.AsyncClient:
        if self._http is None:
            import httpx2
            import openai

            # 0 is aiohttp's word for no limit: how many calls are under way is decided elsewhere.
            limits = httpx2.Limits(max_connections=0, max_keepalive_connections=None)
            self._http = http = openai.DefaultAioHttpClient(limits=limits)
            self._sdk = sdk = openai.AsyncOpenAI(
                api_key=self._key, base_url=self.url, max_retries=0, http_client=http
            )
            path, mark, query = sdk.base_url.raw_path.partition(b"?")
            target = path.rstrip(b"/") + b"/chat/completions" + mark + query
            self._address = sdk.base_url.copy_with(raw_path=target)
            headers = {**sdk.default_headers, **sdk.auth_headers}
            # What the SDK tells of the machine that it runs on is no endpoint's business.
            known = {
                name: value
                for name, value in headers.items()
                if isinstance(value, str) and not name.lower().startswith("x-stainless-")
            }
            self._headers = http.build_request("POST", self._address, headers=known).headers
            self._headers.pop("content-length", None)
        return self._http

    def _request(self, body: Mapping[str, Any], timeout: float) -> httpx2.Request:
        import httpx2

        self._client()
        limits = dict.fromkeys(("connect", "read", "write", "pool"), timeout)
        request = httpx2.Request(
            "POST",
            self._address,
            headers=self._headers,
            # Unlike `content`, it adds no headers; the transport adds the length itself.
            stream=httpx2.ByteStream(encoded(body)),
            extensions={"timeout": limits},
        )
        request.headers.encoding = self._headers.encoding
        request.read()
        return request

    @asynccontextmanager
    async def _streamed(
        self, body: Mapping[str, Any], timeout: float
    ) -> AsyncIterator[httpx2.Response]:
        async with asyncio.timeout(timeout):
            response = await self._client().send(self._request(body, timeout), stream=True)
        try:
            if response.status_code >= 400:
                async with asyncio.timeout(timeout):
                    await response.aread()
            self._check(response)
            yield response
        finally:
            await response.aclose()

    @staticmethod
    def _check(response: httpx2.Response) -> None:
        """Raise what a status other than success says."""
        if response.status_code < 300:
            return
        said = _value(response.content)
        if isinstance(said, list) and said:
            said = said[0]
        error = said.get("error") or said if isinstance(said, Mapping) else said
        if not isinstance(error, Mapping):
            error = one_line(str(error))[:300]
        raise failure_of(response.status_code, error, retry_after(response.headers))

    @contextmanager
    def _failures(self, timeout: float) -> Iterator[None]:
        """What transport and time raise, as failures that may pass."""
        import aiohttp
        import httpx2

        try:
            yield
        except (TimeoutError, httpx2.HTTPError, aiohttp.ClientError, OSError) as error:
            root = _root(error)
            late = isinstance(error, TimeoutError) or isinstance(root, TimeoutError)
            detail = one_line(str(root)) or type(root).__name__
            reason = (
                f"no reply from {self.url} within {timeout:g} seconds"
                if late
                else f"no connection to {self.url}: {detail}"
            )
            raise ModelFailure(FailureKind.TRANSIENT, reason) from None


def _value(data: bytes) -> object:
    """JSON, or the text that stands in its place.

    Raises:
        ModelFailure: it begins as JSON and is none.
    """
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        if data.lstrip()[:1] in (b"{", b"["):
            malformed = "the reply is malformed JSON"
            raise ModelFailure(FailureKind.TRANSIENT, malformed) from None
        return data.decode("utf-8", "replace")


def _root(error: BaseException) -> BaseException:
    """What an error came from; the transport calls a refused connection a timeout."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error
