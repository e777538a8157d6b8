"""Many things settled in turn, so many of them at once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


async def settle_all(
    items: Sequence[T], settle: Callable[[T], Awaitable[None]], concurrency: int
) -> None:
    """Settle every item; they are begun in their order.

    Raises:
        Exception: whatever `settle` raised first; it stops the others.
    """
    queue = iter(items)

    async def work() -> None:
        for item in queue:
            # Players without a model never wait for anything; here they can be stopped.
            await asyncio.sleep(0)
            await settle(item)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrency, len(items))):
                group.create_task(work())
    except ExceptionGroup as failures:
        # The first stopped the others; a full disk is told as itself.
        raise failures.exceptions[0] from None
