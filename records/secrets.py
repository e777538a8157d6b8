"""Keeping secrets out of everything that is written or shown.

What an endpoint or a Doctor of the user's says may repeat a key; where it is said cannot be
foreseen, so every line of a run and every error is masked as it leaves.
"""

from __future__ import annotations

import os
import re

MASK = "***"

_TELLING = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL", re.IGNORECASE)
_SHORTEST = 8
"""Characters; anything shorter stands in ordinary text and protects nothing."""
_kept: set[str] = set()


def keep_secret(secret: str) -> None:
    """Mask this from now on, whatever the variable is called that it came from."""
    if len(secret) >= _SHORTEST:
        _kept.add(secret)


def masked(text: str) -> str:
    """The text without any secret: those kept, and the environment's keys, tokens and passwords."""
    secrets = _kept | {
        value
        for name, value in os.environ.items()
        if len(value) >= _SHORTEST and _TELLING.search(name)
    }
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text
