"""The consultations that need not be held again: a ledger's, another run's, and this process's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from hospital.conversation import unsettled
from records.conference import Consultation
from records.visit import Visit, VisitOrder


class ConsultationBook:
    """Consultations by the key of their order, each held once, however many conferences want it.

    Args:
        visits: whose consultations can be taken: visits in setting `interaction`, and those of
            conferences.
    """

    def __init__(self, visits: Iterable[Visit] = ()) -> None:
        self._held: dict[str, Consultation] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        for visit in visits:
            self.add_visit(visit)

    def take_from(self, run: str, visits: Iterable[Visit]) -> None:
        """Keep another run's consultations, under its name; what is there already stays."""
        for key, consultation in ConsultationBook(visits)._held.items():
            taken = consultation.taken_from or run
            self._held.setdefault(key, consultation.model_copy(update={"taken_from": taken}))

    def __contains__(self, key: str) -> bool:
        """True if it has the consultation of this order."""
        return key in self._held

    @asynccontextmanager
    async def claim(self, key: str) -> AsyncIterator[Consultation | None]:
        """Claim a consultation; the others that want it wait until it is let go.

        Yields:
            The consultation if it was held before; else None: now hold and `add` it.
        """
        async with self._locks.setdefault(key, asyncio.Lock()):
            yield self._held.get(key)

    def add(self, consultation: Consultation) -> None:
        """Keep a consultation, if its order is settled by it."""
        if consultation.ending.final:
            self._held.setdefault(consultation.key, consultation)

    def add_visit(self, visit: Visit) -> None:
        """Keep the consultations that a visit is or holds."""
        if visit.setting == "interaction":
            self.add(consultation_of(visit))
        elif visit.conference is not None:
            for participant in visit.conference.participants:
                if participant.consultation is not None:
                    self.add(participant.consultation)


def consultation_of(visit: Visit) -> Consultation:
    """What a conference keeps of a visit in setting `interaction`."""
    return Consultation(**{name: getattr(visit, name) for name in _SHARED})


def visit_of(consultation: Consultation, order: VisitOrder) -> Visit:
    """The visit in setting `interaction` that a consultation is, if it was ordered by itself."""
    held = {name: getattr(consultation, name) for name in _SHARED}
    return unsettled(order).model_copy(update=held)


_SHARED = Consultation.model_fields.keys() & Visit.model_fields.keys()
