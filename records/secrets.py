"""Keeping secrets out of everything that is written or shown.

What an endpoint or a Doctor of the user's says may repeat a key; where it is said cannot be
foreseen, so every line of a run and every error is masked as it leaves.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

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
    for secret in sorted(_kept | _of_environment(), key=len, reverse=True):
        if secret in text:
            text = text.replace(secret, MASK)
    return text


_known: tuple[Mapping[object, object], frozenset[str]] = ({}, frozenset())


def _of_environment() -> frozenset[str]:
    """What the environment holds of secrets, looked for again only once it has changed.

    Every line of a run is masked, and to read the environment takes longer than all else of it.
    """
    global _known
    # As the environment keeps it, which is quick to compare; a copy of the view decodes it all.
    now: Mapping[object, object] = vars(os.environ)["_data"]
    if _known[0] != now:
        secrets = (
            value
            for name, value in os.environ.items()
            if len(value) >= _SHORTEST and _TELLING.search(name)
        )
        _known = (dict(now), frozenset(secrets))
    return _known[1]
