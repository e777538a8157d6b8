"""Attending an appointment: the visit, the marks, and how it went."""

from __future__ import annotations

import asyncio
import signal
import sys

from agents.human import HUMAN, BrokenOff, HumanChiefPhysician
from agents.npc import Judge
from agents.seats import Seats
from hospital.play import practice
from hospital.play.appointment import Appointment, Keeping
from hospital.play.chief_desk import ChiefDesk
from hospital.play.debrief import show_checklist, show_debrief
from hospital.play.seating import place
from hospital.play.sitting import sit
from hospital.play.terminal import Terminal
from hospital.play.words import play_words
from prompts import Prompts
from records.visit import CHIEF_PHYSICIAN


async def attend(
    appointment: Appointment,
    name: str,
    terminal: Terminal,
    keeping: Keeping,
    seats: Seats,
    prompts: Prompts,
) -> bool:
    """Hold the visit, have it marked and kept, and show how it went.

    Args:
        appointment: whose visit with whom.
        name: of the person.
        terminal: where the person is.
        keeping: of the run.
        seats: of everyone else.
        prompts: the words of the house.

    Returns:
        False if the person left in the middle: all that was said is kept.
    """
    record, words = appointment.record, play_words(appointment.record.language)
    draft = appointment.draft()
    task = appointment.station.task if appointment.station else ""
    at = place(terminal, record, draft, task)
    _leave_on_hang_up()
    at.desk.begin()
    try:
        visit = await sit(
            draft,
            record,
            seats,
            at.people,
            at.desk,
            prompts,
            took_back=lambda: terminal.show(words.took_back),
        )
        judges: list[Judge] = [seats.judge(appointment.judge)]
        if draft.human.role == CHIEF_PHYSICIAN:
            judges.insert(0, HumanChiefPhysician(f"{HUMAN}:{name}", ChiefDesk(terminal).ask))
        marks = []
        if visit.ending.markable:
            marks = [await practice.marked(visit, record, judge) for judge in judges]
    except BrokenOff:
        draft.close()
        return False
    finally:
        await seats.close()
    if not visit.ending.final:
        # A model in another chair gave out: the visit is as if the person had left.
        draft.close()
        terminal.show(f"{visit.ending}: {visit.failure}")
        return False
    keeping.keep(visit, marks)
    draft.remove()
    if appointment.station:
        show_checklist(terminal, appointment.station, visit)
    others = await practice.others_on(draft.order, record, seats, prompts)
    show_debrief(terminal, record, visit, draft, marks, others)
    return True


def _leave_on_hang_up() -> None:
    """A closed terminal or a lost line is as if the person left."""
    this = asyncio.current_task()
    if this is not None and sys.platform != "win32":
        for closing in (signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(closing, this.cancel)
