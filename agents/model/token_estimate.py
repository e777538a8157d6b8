"""How many tokens a text has, without a tokenizer."""

from __future__ import annotations

import re

_WIDE = re.compile("[\u2e80-\U0010ffff]+")


def token_estimate(text: str) -> int:
    """A token for each ideograph or four other characters."""
    wide = sum(map(len, _WIDE.findall(text)))
    return wide + (len(text) - wide + 3) // 4
