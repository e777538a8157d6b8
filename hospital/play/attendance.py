"""Attending an appointment: the visit, the marks, and how it went."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Sequence

from rich.text import Text

from agents.errors import SeatError
from agents.human import HUMAN, HumanChiefPhysician
from agents.leaving import BrokenOff
from agents.model.model_spec import is_model
from agents.npc import Judge
from agents.seats import Seats
from hospital.play import practice
from hospital.play.appointment import Appointment, Keeping
from hospital.play.chief_desk import ChiefDesk
from hospital.play.debrief import show_checklist, show_debrief
from hospital.play.draft import Draft
from hospital.play.hanging import command
from hospital.play.seating import place
from hospital.play.sitting import sit
from hospital.play.station import score
from hospital.play.terminal import Terminal
from hospital.play.words import play_words
from prompts import Prompts
from records.errors import LedgerError
from records.mark import Mark
from records.visit import CHIEF_PHYSICIAN, DOCTOR, Visit


async def attend(
    appointment: Appointment, terminal: Terminal, keeping: Keeping, seats: Seats, prompts: Prompts
) -> bool:
    """Hold the visit, have it marked and kept, and show how it went.

    Args:
        appointment: whose visit with whom.
        terminal: where the person is.
        keeping: of the run.
        seats: of everyone else.
        prompts: the words of the house.

    Returns:
        False if the person left in the middle, or a model gave out: all that was said is kept.

    Raises:
        LedgerError: the draft is damaged, or another process is at it or holds the run.
    """
    draft = appointment.draft()
    try:
        visit = await _hold(appointment, draft, terminal, seats, prompts)
        if visit is None:
            return False
        marks, failures = await _mark(appointment, visit, terminal, seats)
        try:
            await keeping.keep(visit, marks)
        except LedgerError as fault:
            raise LedgerError(f"{fault}; 'hospital play --resume' hands the visit in") from None
        draft.remove()
        await _show(appointment, visit, draft, marks, terminal, seats, prompts)
    except BrokenOff:
        return False
    finally:
        draft.close()
        await seats.close()
    for judge, failure in failures:
        words = play_words(visit.language)
        terminal.show(
            "",
            words.not_marked.format(judge=judge, why=failure.reason),
            command("hospital", "mark", str(appointment.directory), "--judge", judge),
        )
    return True


async def _hold(
    appointment: Appointment, draft: Draft, terminal: Terminal, seats: Seats, prompts: Prompts
) -> Visit | None:
    """The visit; None if a model in another chair gave out, as if the person had left."""
    words = play_words(appointment.record.language)
    task = appointment.station.task if appointment.station else ""
    at = place(terminal, appointment.record, draft, task)
    _leave_on_hang_up()
    at.desk.begin()
    visit = await sit(
        draft,
        appointment.record,
        seats,
        at.people,
        at.desk,
        prompts,
        took_back=lambda: terminal.show(words.took_back),
    )
    if visit.ending.final:
        return visit
    role = words.roles.get(visit.failed_by or "", visit.failed_by or "")
    terminal.show("", words.gave_out.format(role=role, why=visit.failure or visit.ending.value))
    return None


async def _mark(
    appointment: Appointment, visit: Visit, terminal: Terminal, seats: Seats
) -> tuple[list[Mark], list[tuple[str, SeatError]]]:
    """The marks of the person, if it is the chief physician, and of the judge; and who failed."""
    begun = appointment.begun
    marks: list[Mark] = []
    failures: list[tuple[str, SeatError]] = []
    if not visit.markable:
        return marks, failures
    judges: list[Judge] = [seats.judge(begun.judge)]
    if begun.human.role == CHIEF_PHYSICIAN:
        judges.insert(0, HumanChiefPhysician(f"{HUMAN}:{begun.name}", ChiefDesk(terminal).ask))
    words = play_words(visit.language)
    for judge in judges:
        if is_model(judge.name):
            terminal.show("", Text(words.being_marked.format(judge=judge.name), style="dim"))
        try:
            marks.append(await practice.marked(visit, appointment.record, judge))
        except SeatError as failure:
            failures.append((judge.name, failure))
    return marks, failures


async def _show(
    appointment: Appointment,
    visit: Visit,
    draft: Draft,
    marks: Sequence[Mark],
    terminal: Terminal,
    seats: Seats,
    prompts: Prompts,
) -> None:
    station, record = appointment.station, appointment.record
    if station is not None:
        show_checklist(terminal, station, await score(station, visit, record))
    others = []
    if draft.human.role == DOCTOR:
        others = await practice.others_on(draft.order, record, seats, prompts)
    show_debrief(terminal, record, visit, draft, marks, others)


def _leave_on_hang_up() -> None:
    """A closed terminal or a lost line is as if the person left."""
    this = asyncio.current_task()
    if this is not None and sys.platform != "win32":
        for closing in (signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(closing, this.cancel)
