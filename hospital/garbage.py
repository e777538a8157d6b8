"""How often Python looks for garbage while many visits are under way."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def rare_collections() -> Iterator[None]:
    """Look for cycles of garbage rarely, and not at all in what was there before.

    With hundreds of visits under way nearly all that Python finds is alive, and to look through it
    time and again takes a third of a run at 500 visits. What a visit leaves behind goes by itself
    as soon as nobody refers to it; few objects are in cycles.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
