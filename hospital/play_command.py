"""`hospital play`: a person in a chair."""

from __future__ import annotations

import asyncio
import random
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from records.errors import Fault, InputError
from records.medical_record import Language, MedicalRecord

if TYPE_CHECKING:
    from hospital.play.draft import Draft
    from hospital.play.terminal import Terminal
    from prompts import Prompts
    from records.ledger import LedgerWriter

INTERRUPTED = 130
_WAITING = 6
"""Patients in the waiting room."""


def play(
    case: Annotated[str | None, typer.Option(help="Id of the case to see.")] = None,
    any_case: Annotated[bool, typer.Option("--random", help="See any case.")] = False,
    cases: Annotated[
        list[str] | None,
        typer.Option(help="A file of cases, or 'library' for the bundled ones. Repeatable."),
    ] = None,
    language: Annotated[Language | None, typer.Option(help="Only cases of this language.")] = None,
    npc: Annotated[
        str, typer.Option(help="Patient and Examiner: grounded, or a model.")
    ] = "grounded",
    judge: Annotated[str, typer.Option(help="Who marks: rubric, or a model.")] = "rubric",
    name: Annotated[
        str | None, typer.Option(help="Your name in the run. [default: a pseudonym]")
    ] = None,
    max_turns: Annotated[int, typer.Option(min=1, help="Rounds before the report is due.")] = 40,
    seed: Annotated[int, typer.Option(help="Seed of every random choice.")] = 0,
    plain: Annotated[
        bool, typer.Option(help="For screen readers: no boxes, no colours, a label on every line.")
    ] = False,
    resume: Annotated[bool, typer.Option(help="Go on with the visit that was left last.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="The run's directory. [default: runs/play-<settings>]")
    ] = None,
) -> None:
    """See a patient yourself, and be marked. For research and training, never for care."""
    from hospital.bench_command import gather_cases
    from hospital.play import practice
    from hospital.play.draft import Draft
    from hospital.play.terminal import open_terminal
    from prompts import Prompts
    from records.ledger import Ledger, LedgerWriter, SharedSettings
    from records.visit import DOCTOR, HumanNotes

    prompts = Prompts()
    terminal = open_terminal(plain)
    if resume:
        runs = [out] if out else sorted(Path("runs").glob("play-*"))
        path = practice.left_last(runs)
        directory = path.parents[1]
        order, notes = Draft.begun(path)
        record = Ledger(directory).records()[order.record_id]
        shared = practice.shared_of(order)
    else:
        records = gather_cases(tuple(cases or ("library",)))
        waiting = [r for r in records if language is None or r.language == language]
        record = _choose(waiting, case, any_case, seed, terminal, language)
        shared = SharedSettings(
            npc=npc, protocol="direct", max_turns=max_turns, seed=seed, prompts_hash=prompts.hash
        )
        directory = out or practice.default_directory(shared)
        order = practice.order_for(directory, shared, record, name or practice.pseudonym())
        notes = HumanNotes(role=DOCTOR)
    config = practice.config_for(shared, record, order, judge)
    with LedgerWriter(directory, config, [record]) as ledger:
        draft = practice.open_draft(directory, order, notes)
        finished = asyncio.run(_see(draft, record, judge, terminal, ledger, prompts))
    if not finished:
        raise typer.Exit(INTERRUPTED)


async def _see(
    draft: Draft,
    record: MedicalRecord,
    judge: str,
    terminal: Terminal,
    ledger: LedgerWriter,
    prompts: Prompts,
) -> bool:
    """Hold the visit and show how it went; False if the person left in its middle."""
    from agents.human import BrokenOff, HumanDoctor
    from agents.seats import People, Seats
    from hospital.play import practice
    from hospital.play.debrief import show_debrief
    from hospital.play.doctor_desk import DoctorDesk
    from hospital.play.sitting import sit
    from hospital.play.waiting_room import patient_card
    from hospital.play.words import play_words

    words = play_words(record.language)
    seats = Seats(prompts=prompts, journal=ledger.journal)
    desk = DoctorDesk(terminal, record, draft)
    terminal.show(patient_card(record), words.resumed if draft.messages else words.welcome)
    this = asyncio.current_task()
    if this is not None and sys.platform != "win32":
        for closing in (signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(closing, this.cancel)
    try:
        visit = await sit(
            draft,
            record,
            seats,
            People(doctor=HumanDoctor(desk.ask)),
            desk,
            prompts,
            took_back=lambda: terminal.show(words.took_back),
        )
    except BrokenOff:
        draft.close()
        command = ["hospital", "play", "--resume", "--out", str(ledger.directory)]
        terminal.show(words.left, f"  {shlex.join(command)}")
        return False
    finally:
        await seats.close()
    ledger.add_visit(visit)
    draft.remove()
    mark = await practice.marked(visit, record, seats.judge(judge))
    ledger.add_mark(mark)
    others = await practice.others_on(draft.order, record, seats, prompts)
    show_debrief(terminal, record, visit, draft, [mark], others)
    terminal.show("", words.run_is_in.format(path=ledger.directory))
    return True


def _choose(
    records: Sequence[MedicalRecord],
    case: str | None,
    any_case: bool,
    seed: int,
    terminal: Terminal,
    language: Language | None,
) -> MedicalRecord:
    """The case that was named, any, or the one chosen in the waiting room."""
    if case is not None:
        found = [r for r in records if r.id == case]
        if not found:
            what = "there is no such case; 'hospital records list' names them"
            raise InputError([Fault("play", what, record=case)])
        return found[0]
    if not records:
        raise InputError([Fault("play", f"there are no cases in {language}")])
    chance = random.Random(seed)  # noqa: S311 - play, not secrets
    if any_case:
        return chance.choice(records)
    return asyncio.run(_choose_in_waiting_room(records, chance, terminal, language))


async def _choose_in_waiting_room(
    records: Sequence[MedicalRecord],
    chance: random.Random,
    terminal: Terminal,
    language: Language | None,
) -> MedicalRecord:
    from agents.human import BrokenOff
    from hospital.play.waiting_room import show_waiting_room
    from hospital.play.words import play_words

    waiting = chance.sample(list(records), min(_WAITING, len(records)))
    spoken = language or "en"
    words = play_words(spoken)
    show_waiting_room(terminal, waiting, spoken)
    while True:
        try:
            line = (await terminal.ask(words.choose)).strip()
        except BrokenOff:
            raise typer.Exit(INTERRUPTED) from None
        if not line:
            return waiting[0]
        if line.isdecimal() and 1 <= int(line) <= len(waiting):
            return waiting[int(line) - 1]
        terminal.show(words.no_such_number.format(n=len(waiting)))
