"""What can go wrong in a seat. A failed consultation is data: the setting turns these into endings."""

from __future__ import annotations

from records.visit import Ending


class SpecError(ValueError):
    """A seat's spec, as typed by a user, names nothing we can seat; one line that says what would."""


class SeatError(Exception):
    """A seat could not go on; says whose it was and how the visit ends for it.

    Attributes:
        role: the role whose call failed, or `provider` where no role is to blame.
        ending: how the visit ends.
        reason: one line, free of secrets.
    """

    def __init__(self, role: str, ending: Ending, reason: str) -> None:
        super().__init__(f"{role}: {reason}")
        self.role = role
        self.ending = ending
        self.reason = reason
