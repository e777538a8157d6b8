"""Which version of this program is at work."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version


@cache
def program_version() -> str:
    """As installed; looked up once, for that reads files and every visit and mark asks."""
    return version("ai-hospital")
