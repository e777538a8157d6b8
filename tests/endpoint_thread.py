"""A `ScriptedEndpoint` in a thread of its own, for a command that runs its own event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tests.scripted_endpoint import Script, ScriptedEndpoint


@contextmanager
def serving(script: Script) -> Iterator[ScriptedEndpoint]:
    """The endpoint, until the block ends."""
    endpoint = ScriptedEndpoint(script)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(endpoint.__aenter__(), loop).result()
        try:
            yield endpoint
        finally:
            asyncio.run_coroutine_threadsafe(endpoint.__aexit__(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
