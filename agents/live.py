"""Listening in: what a role's model says, piece by piece, for whoever watches. For display only.

The record is the repaired message that follows. A place sets the listener around a visit; roles
know nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

from records.visit import DOCTOR, PATIENT

Listener = Callable[[str, str], None]
"""Handed a role and a piece of what it says."""

LISTENER: ContextVar[Listener | None] = ContextVar("LISTENER", default=None)
"""Who listens in the present context; None for nobody, as in every experiment."""

HEARD = frozenset({PATIENT, DOCTOR})
"""Roles whose models answer in the words that they speak."""
