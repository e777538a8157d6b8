"""How a person gets out of a turn: by taking it back, or by leaving."""

from __future__ import annotations


class TakenBack(BaseException):
    """A person takes back its last turn: the visit goes on from before it.

    No `Exception`, for it is no failure of a seat: it passes through the visit as Ctrl-C does.
    """


class BrokenOff(BaseException):
    """A person leaves; what was said stays, and the visit can be taken up again.

    Its argument, if it has one, is what stood on the line.
    """
