"""A judge whose opinions say what they cost."""

from __future__ import annotations

from collections.abc import Callable

from agents.model.meter import Meter
from agents.npc import Judge, Opinion
from records.views import MarkingView
from records.visit import CHIEF_PHYSICIAN, Report


class MeteredJudge:
    """A `Judge` over judges made fresh for each report, each with a meter of its own.

    Args:
        make: makes the judge, whose calls the meter counts.
        name: what the marks are filed under.
    """

    def __init__(self, make: Callable[[Meter], Judge], name: str) -> None:
        self._make = make
        self._name = name

    @property
    def name(self) -> str:
        """The judge's."""
        return self._name

    async def judge(self, view: MarkingView, report: Report) -> Opinion:
        """Grade a report against the record.

        Raises:
            SeatError: the judge's model failed.
        """
        meter = Meter()
        opinion = await self._make(meter).judge(view, report)
        usage = meter.usage.get(CHIEF_PHYSICIAN)
        cost = meter.cost if meter.cost_complete else None
        return opinion.model_copy(update={"usage": usage, "cost": cost})
