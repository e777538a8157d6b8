"""A sitting: one person's visit, held through the ordinary loop and kept word by word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from agents.leaving import TakenBack
from agents.seats import People, Seats
from hospital.consultation import consultation
from hospital.play.draft import Draft
from hospital.play.live import Live
from hospital.stream import VisitResult
from prompts import Prompts
from records.medical_record import MedicalRecord
from records.visit import REPORT_PARTS, Message, Visit


class Desk(Protocol):
    """Where a person sits: hears what is said in the visit."""

    @property
    def live(self) -> Live:
        """What shows models' replies as they come."""
        ...

    def begin(self) -> None:
        """Tell the person where it is, and what it may do."""
        ...

    def hear(self, message: Message) -> None:
        """Something is said."""
        ...

    def hear_again(self, message: Message) -> None:
        """Something was said in an earlier sitting."""
        ...


async def sit(
    draft: Draft,
    record: MedicalRecord,
    seats: Seats,
    people: People,
    desk: Desk,
    prompts: Prompts,
    *,
    took_back: Callable[[], None],
) -> Visit:
    """Hold a person's visit to its ending, from where its draft stands.

    A turn taken back is the same as a visit resumed from before it: the loop begins anew on a
    shorter transcript.

    Raises:
        BrokenOff: the person left; the draft holds all that was said.
    """
    for message in draft.messages:
        desk.hear_again(message)
    while True:
        earlier = tuple(draft.messages)
        try:
            with desk.live.listening():
                return await _hold(draft, record, seats, people, desk, prompts, earlier)
        except TakenBack:
            length = draft.before_last_turn()
            if length is not None:
                draft.cut(length)
                took_back()


async def _hold(
    draft: Draft,
    record: MedicalRecord,
    seats: Seats,
    people: People,
    desk: Desk,
    prompts: Prompts,
    transcript: Sequence[Message],
) -> Visit:
    seated = seats.seat(draft.order, people)
    heard = 0
    try:
        async for item in consultation(draft.order, record, seated, prompts, transcript):
            if isinstance(item, VisitResult):
                update: dict[str, Any] = {
                    "human": draft.human,
                    "seconds": round(draft.seconds, 1),
                }
                if item.visit.report is not None and draft.report:
                    # Part by part as it was typed: a heading within a part is no heading.
                    parts = {part: draft.report.get(part, "").strip() for part in REPORT_PARTS}
                    update["report"] = item.visit.report.model_copy(update=parts)
                return item.visit.model_copy(update=update)
            heard += 1
            desk.live.rest()
            if heard > len(transcript):
                draft.keep(item.message)
                desk.hear(item.message)
            desk.live.expect()
    finally:
        await seated.close()
    raise RuntimeError("the consultation ended without a visit")
