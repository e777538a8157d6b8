"""What can go wrong in a seat; the setting turns it into an ending of the visit."""

from __future__ import annotations

from records.secrets import masked
from records.visit import Ending


class SpecError(ValueError):
    """A seat's spec names nothing that we can seat; one line that says what would be right."""


class SeatError(Exception):
    """A seat could not go on; says whose it was and how the visit ends for it.

    Attributes:
        role: the role whose call failed, or `provider` where no role is to blame.
        ending: how the visit ends.
        reason: one line, free of secrets.
    """

    def __init__(self, role: str, ending: Ending, reason: str) -> None:
        reason = masked(reason)
        super().__init__(f"{role}: {reason}")
        self.role = role
        self.ending = ending
        self.reason = reason
