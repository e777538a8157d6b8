"""The way to an endpoint is the SDK's: proxies, addresses, authentication."""

from __future__ import annotations

import pytest

from agents.model.connection import Connection
from tests.scripted_endpoint import ScriptedEndpoint


async def test_a_proxy_of_the_environment_is_used_but_for_what_it_exempts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with ScriptedEndpoint(lambda body: "Hello.") as proxy:
        address = proxy.url.removesuffix("/v1")
        monkeypatch.setenv("http_proxy", address.replace("http://", "http://user:word@"))
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        far = Connection("http://model.invalid/v1", "planted-key")
        reply = await far.post({"model": "m", "messages": []}, timeout=10)
        await far.close()
        assert isinstance(reply, dict)
        (headers,) = proxy.headers
        assert headers["host"] == "model.invalid"
        assert headers["authorization"] == "Bearer planted-key"
        assert headers["proxy-authorization"].startswith("Basic ")
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        near = Connection(proxy.url, "planted-key")
        await near.post({"model": "m", "messages": []}, timeout=10)
        await near.close()
        assert "proxy-authorization" not in proxy.headers[1]


async def test_nothing_is_told_of_the_machine_and_the_query_of_an_address_stays() -> None:
    async with ScriptedEndpoint(lambda body: "Hello.") as endpoint:
        way = Connection(f"{endpoint.url}/?version=2", "planted-key")
        await way.post({"model": "m", "messages": []}, timeout=10)
        await way.close()
        assert not [name for name in endpoint.headers[0] if name.startswith("x-stainless")]
        assert "planted-key" not in repr(way)
        # Closed, it opens anew.
        await way.post({"model": "m", "messages": []}, timeout=10)
        await way.close()
        assert len(endpoint.requests) == 2
