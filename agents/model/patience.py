"""How long the model client goes on trying."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


@dataclass(frozen=True)
class Patience:
    """How often and how long the attempt loop tries; waits in seconds."""

    attempts: int = 6
    first_wait: float = 1.0
    """Doubled after each attempt, with jitter down to half of it."""
    longest_wait: float = 60.0
    longest_asked_wait: float = 900.0
    """An endpoint that asks to wait longer than this is not waited for."""
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic
    """That `sleep` goes by."""

    def wait(self, attempt: int, asked: float | None, jitter: random.Random) -> float:
        """Seconds before the next attempt, after `attempt` ones; never less than was asked for."""
        own = min(self.longest_wait, self.first_wait * 2.0 ** (attempt - 1))
        own *= jitter.uniform(0.5, 1.0)
        return own if asked is None else asked + own * 0.1


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait by the header `Retry-After`, given in seconds or as a date."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())
