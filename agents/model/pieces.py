"""A call's answer as it comes, while wrappers around the call see it only as a whole."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import suppress
from typing import Any

from autogen_core import CancellationToken

from agents.model.model_failure import ModelFailure
from agents.model.model_reply import Completion

Show = Callable[[str], None]
"""Takes each piece of the answer, for display."""


async def pieces_of(
    make: Callable[[Show], Coroutine[Any, Any, Completion]],
    cancellation_token: CancellationToken | None = None,
) -> AsyncGenerator[str | Completion, None]:
    """Yield what a call shows, and last its reply; the answer in one piece if it showed nothing.

    Whoever stops listening stops the call.

    Args:
        make: makes the call; is handed what to show the pieces to.
        cancellation_token: stops the call.

    Raises:
        ModelFailure: there is no reply, or it broke off.
    """
    came: asyncio.Queue[str | None] = asyncio.Queue()
    task = asyncio.ensure_future(make(came.put_nowait))
    task.add_done_callback(lambda _: came.put_nowait(None))
    if cancellation_token is not None:
        cancellation_token.link_future(task)
    shown = False
    try:
        while (piece := await came.get()) is not None:
            shown = True
            yield piece
        completion = await task
    finally:
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError, ModelFailure):
                await task
    if not shown:
        yield completion.text
    yield completion
