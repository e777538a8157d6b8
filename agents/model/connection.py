"""The way to one endpoint: what goes out, what comes back, and what broke in between.

The only module that imports `openai`. Address, authentication, headers, certificates, proxies and
the aiohttp session are those of `AsyncOpenAI` over its aiohttp transport, made once. Each call then
is one request of that session, without the SDK's and httpx2's layers over it: of a call's time
`AsyncOpenAI.post` takes 0.35 ms and `httpx2.AsyncClient.send` 0.12 ms, where all else of our client
takes 0.28 ms.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from agents.model.event_stream import DONE, EventStream
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import failure_of, one_line
from agents.model.patience import retry_after
from agents.model.wire import encoded

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import aiohttp


END = "[DONE]"
"""Yielded last where the endpoint says that the stream is at its end."""

_IDLE = 5.0
"""Seconds that a connection is kept without a call; many servers close it soon after."""


class Connection:
    """Requests to `/chat/completions` of one base URL; connections are kept and shared.

    Args:
        url: base URL.
        key: the bearer token. Never shown.
    """

    def __init__(self, url: str, key: str) -> None:
        self.url = url
        self._key = key
        self._session: aiohttp.ClientSession | None = None
        self._address: str
        self._headers: dict[str, str]
        self._way: dict[str, Any]
        """What else goes with every request: its proxy, and no time limit but ours."""

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
                async with self._send(body) as response:
                    data = await response.read()
            self._check(response, data)
            return _value(data)

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
                pieces = response.content.iter_any()
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
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    def _send(self, body: Mapping[str, Any]) -> Any:
        session = self._session or self._open()
        return session.post(self._address, data=encoded(body), headers=self._headers, **self._way)

    def _open(self) -> aiohttp.ClientSession:
        import aiohttp
        import httpx2
        import openai

        # 0 is aiohttp's word for no limit: how many calls are under way is decided elsewhere, and
        # how long they may take as well.
        limits = httpx2.Limits(max_connections=0, keepalive_expiry=_IDLE)
        http = openai.DefaultAioHttpClient(limits=limits)
        sdk = openai.AsyncOpenAI(api_key=self._key, base_url=self.url, http_client=http)
        base = sdk.base_url
        path, mark, query = base.raw_path.partition(b"?")
        target = path.rstrip(b"/") + b"/chat/completions" + mark + query
        self._address = str(base.copy_with(raw_path=target))
        # What the SDK tells of the machine that it runs on is no endpoint's business.
        self._headers = {
            name: value
            for name, value in {**sdk.default_headers, **sdk.auth_headers}.items()
            if isinstance(value, str) and not name.lower().startswith("x-stainless-")
        }
        # The transport that the SDK would send to this address with: a proxy's, if the
        # environment names one.
        transport: Any = http._transport_for_url(base)
        session: aiohttp.ClientSession = transport.get_client()
        self._session = session
        self._way = {"timeout": aiohttp.ClientTimeout(total=None, sock_connect=None)}
        if proxy := transport.proxy:
            self._way |= {"proxy": str(proxy.url), "proxy_headers": dict(proxy.headers)}
            if proxy.auth:
                name, word = (quote(part, safe="") for part in proxy.auth)
                userinfo = f"{name}:{word}".encode()
                self._way["proxy"] = str(proxy.url.copy_with(userinfo=userinfo))
        return session

    @asynccontextmanager
    async def _streamed(
        self, body: Mapping[str, Any], timeout: float
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        async with asyncio.timeout(timeout):
            response = await self._send(body)
        try:
            if response.status >= 300:
                async with asyncio.timeout(timeout):
                    self._check(response, await response.read())
            yield response
        finally:
            response.release()

    @staticmethod
    def _check(response: aiohttp.ClientResponse, data: bytes) -> None:
        """Raise what a status other than success says."""
        if response.status < 300:
            return
        said = _value(data)
        if isinstance(said, list) and said:
            said = said[0]
        error = said.get("error") or said if isinstance(said, Mapping) else said
        if not isinstance(error, Mapping):
            error = one_line(str(error))[:300]
        raise failure_of(response.status, error, retry_after(response.headers))

    @contextmanager
    def _failures(self, timeout: float) -> Iterator[None]:
        """What transport and time raise, as failures that may pass."""
        import aiohttp

        try:
            yield
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
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
