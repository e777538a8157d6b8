"""Finding JSON in what a model wrote around it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_DECODER = json.JSONDecoder(strict=False)
_LONGEST_SEARCH = 50
"""Places tried at most: a runaway reply may hold thousands of braces."""


def json_values(text: str, opener: str) -> Iterator[Any]:
    """Every JSON value in the text that begins with `opener`, outermost ones, in order.

    Args:
        text: a reply; fences and prose around the JSON do not matter.
        opener: `{` for objects, `[` for lists.
    """
    position, tried = 0, 0
    while (position := text.find(opener, position)) >= 0 and tried < _LONGEST_SEARCH:
        tried += 1
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            position += 1
            continue
        yield value
