"""Several streams as one, in the order in which things happen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import TypeVar

T = TypeVar("T")


async def side_by_side(streams: Sequence[AsyncIterator[T]]) -> AsyncIterator[T]:
    """Yield what all streams yield, as it comes, until all have ended.

    A stream that raises stops the others, and its exception is raised here. Whoever leaves this
    stream early stops them too.
    """
    queue: asyncio.Queue[tuple[T] | Exception | None] = asyncio.Queue()

    async def forward(stream: AsyncIterator[T]) -> None:
        try:
            async for item in stream:
                await queue.put((item,))
            await queue.put(None)
        except Exception as error:
            await queue.put(error)

    tasks = [asyncio.create_task(forward(stream)) for stream in streams]
    running = len(tasks)
    try:
        while running:
            item = await queue.get()
            if isinstance(item, Exception):
                raise item
            if item is None:
                running -= 1
            else:
                yield item[0]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
