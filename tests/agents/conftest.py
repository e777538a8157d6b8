"""Endpoints that a test scripts, and clients for them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack

import pytest

from agents.model.model_client import Endpoint, ModelClient
from agents.model.model_spec import ModelSpec
from agents.model.patience import Patience
from tests.scripted_endpoint import Answer, Script, ScriptedEndpoint


class Served:
    """A client and the endpoint behind it."""

    def __init__(self, endpoint: ScriptedEndpoint, client: ModelClient) -> None:
        self.endpoint = endpoint
        self.client = client

    @property
    def asked(self) -> list[list[dict[str, str]]]:
        """The messages of each request."""
        return [request["messages"] for request in self.endpoint.requests]


@pytest.fixture
async def serve() -> AsyncIterator[Callable[..., object]]:
    """`await serve(script)` or `await serve(["first answer", …])`: a `Served`."""
    async with AsyncExitStack() as stack:

        async def start(script: Script | Sequence[Answer]) -> Served:
            if not callable(script):
                answers = iter(script)
                script = lambda body: next(answers)  # noqa: E731
            endpoint = await stack.enter_async_context(ScriptedEndpoint(script))
            connection = Endpoint(endpoint.url, patience=Patience(attempts=2, first_wait=0.0))
            stack.push_async_callback(connection.close)
            spec = ModelSpec.parse(endpoint.spec())
            return Served(endpoint, ModelClient(spec, connection))

        yield start
