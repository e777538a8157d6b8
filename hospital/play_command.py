"""`hospital play`: a person in a chair."""

from __future__ import annotations

import asyncio
import difflib
import random
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hospital.model_options import KeyFile, ModelsFile
from records.errors import Fault, InputError
from records.medical_record import Language, MedicalRecord

if TYPE_CHECKING:
    from agents.npc import Judge
    from agents.seats import Seats
    from hospital.play.draft import Draft
    from hospital.play.terminal import Terminal
    from prompts import Prompts
    from records.ledger import LedgerWriter
    from records.visit import Visit

INTERRUPTED = 130
_WAITING = 6
"""Patients in the waiting room."""

Chair = Literal["doctor", "patient", "examiner", "chief"]


def play(
    chair: Annotated[Chair, typer.Option("--as", help="The chair you sit in.")] = "doctor",
    case: Annotated[str | None, typer.Option(help="Id of the case.")] = None,
    any_case: Annotated[bool, typer.Option("--random", help="Any case.")] = False,
    cases: Annotated[
        list[str] | None,
        typer.Option(help="A file of cases, or 'library' for the bundled ones. Repeatable."),
    ] = None,
    language: Annotated[Language | None, typer.Option(help="Only cases of this language.")] = None,
    npc: Annotated[
        str, typer.Option(help="Patient and Examiner, where you are neither: grounded, or a model.")
    ] = "grounded",
    doctor: Annotated[
        str, typer.Option(help="The Doctor, where you are another: checklist, or a model.")
    ] = "checklist",
    judge: Annotated[str, typer.Option(help="Who marks: rubric, or a model.")] = "rubric",
    visit: Annotated[
        str | None,
        typer.Option(metavar="RUN/KEY", help="As chief: the visit to mark, by run and key."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Your name in the run. [default: a pseudonym]")
    ] = None,
    max_turns: Annotated[int, typer.Option(min=1, help="Rounds before the report is due.")] = 40,
    seed: Annotated[int, typer.Option(help="Seed of every random choice.")] = 0,
    plain: Annotated[
        bool, typer.Option(help="For screen readers: no boxes, no colours, a label on every line.")
    ] = False,
    resume: Annotated[bool, typer.Option(help="Go on with the visit that was left last.")] = False,
    models: ModelsFile = None,
    key_file: KeyFile = None,
    out: Annotated[
        Path | None, typer.Option(help="The run's directory. [default: runs/play-<settings>]")
    ] = None,
) -> None:
    """Sit in a chair yourself, and be marked. For research and training, never for care."""
    from agents.human import HUMAN
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable
    from agents.seats import Seats, check_spec, human_npc
    from hospital.bench_command import gather_cases
    from hospital.play import practice
    from hospital.play.draft import Draft
    from hospital.play.terminal import open_terminal
    from prompts import Prompts
    from records.ledger import Ledger, LedgerWriter, SharedSettings
    from records.visit import EXAMINER, PATIENT, HumanNotes

    prompts, table, keys = Prompts(), ModelTable.load(models), Keys(key_file)
    check_spec(npc, "npc", table, keys)
    check_spec(judge, "judge", table, keys)
    if chair != "doctor":
        check_spec(doctor, "doctor", table, keys)
    terminal = open_terminal(plain)
    own_name = name or practice.pseudonym()
    if visit is not None:
        if chair != "chief":
            raise typer.BadParameter("is marked with --as chief", param_hint="--visit")
        _mark_again(visit, own_name, terminal)
        return
    if resume:
        path = practice.left_last([out] if out else sorted(Path("runs").glob("play-*")))
        directory = path.parents[1]
        order, notes = Draft.begun(path)
        record = Ledger(directory).records()[order.record_id]
        shared = practice.shared_of(order)
    else:
        records = gather_cases(tuple(cases or ("library",)))
        waiting = [r for r in records if language is None or r.language == language]
        record = _choose(waiting, case, any_case, seed, terminal, language)
        persons = {"patient": PATIENT, "examiner": EXAMINER}
        if chair in persons:
            npc = human_npc(persons[chair], own_name, npc)
        shared = SharedSettings(
            npc=npc, protocol="direct", max_turns=max_turns, seed=seed, prompts_hash=prompts.hash
        )
        directory = out or practice.default_directory(shared)
        seated = f"{HUMAN}:{own_name}" if chair == "doctor" else doctor
        order = practice.order_for(directory, shared, record, seated)
        notes = HumanNotes(role="chief_physician" if chair == "chief" else chair)
    config = practice.config_for(shared, record, order, judge)
    with LedgerWriter(directory, config, [record]) as ledger:
        draft = practice.open_draft(directory, order, notes)
        seats = Seats(prompts=prompts, journal=ledger.journal, table=table, keys=keys)
        playing = _play(draft, record, judge, own_name, terminal, ledger, seats, prompts)
        finished = asyncio.run(playing)
    if not finished:
        raise typer.Exit(INTERRUPTED)


async def _play(
    draft: Draft,
    record: MedicalRecord,
    judge: str,
    name: str,
    terminal: Terminal,
    ledger: LedgerWriter,
    seats: Seats,
    prompts: Prompts,
) -> bool:
    """Hold the visit and show how it went; False if the person left in its middle."""
    from agents.human import HUMAN, BrokenOff, HumanChiefPhysician
    from hospital.play import practice
    from hospital.play.chief_desk import ChiefDesk
    from hospital.play.debrief import show_debrief
    from hospital.play.words import play_words

    words = play_words(record.language)
    this = asyncio.current_task()
    if this is not None and sys.platform != "win32":
        for closing in (signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(closing, this.cancel)
    try:
        visit = await _hold(draft, record, seats, terminal, prompts)
        judges: list[Judge] = [seats.judge(judge)]
        if draft.human.role == "chief_physician":
            judges.insert(0, HumanChiefPhysician(f"{HUMAN}:{name}", ChiefDesk(terminal).ask))
        marks = [await practice.marked(visit, record, one) for one in judges]
    except BrokenOff:
        draft.close()
        command = ["hospital", "play", "--resume", "--out", str(ledger.directory)]
        terminal.show(words.left, f"  {shlex.join(command)}")
        return False
    finally:
        await seats.close()
    ledger.add_visit(visit)
    for mark in marks:
        ledger.add_mark(mark)
    draft.remove()
    others = await practice.others_on(draft.order, record, seats, prompts)
    show_debrief(terminal, record, visit, draft, marks, others)
    terminal.show("", words.run_is_in.format(path=ledger.directory))
    return True


async def _hold(
    draft: Draft, record: MedicalRecord, seats: Seats, terminal: Terminal, prompts: Prompts
) -> Visit:
    from hospital.play.seating import place
    from hospital.play.sitting import sit
    from hospital.play.words import play_words

    at = place(terminal, record, draft)
    at.desk.begin()
    took_back = play_words(record.language).took_back
    return await sit(
        draft,
        record,
        seats,
        at.people,
        at.desk,
        prompts,
        took_back=lambda: terminal.show(took_back),
    )


def _mark_again(where: str, name: str, terminal: Terminal) -> None:
    """Let a person mark a visit of any run, beside the marks it has."""
    from agents.human import HUMAN, BrokenOff, HumanChiefPhysician
    from hospital.play import practice
    from hospital.play.chief_desk import ChiefDesk, letters
    from hospital.play.words import play_words
    from records.ledger import Ledger, LedgerWriter

    run, _, beginning = where.rpartition("/")
    held = Ledger(Path(run or "."))
    config, records = held.config(), held.records()
    found = [v for key, v in held.visits().items() if key.startswith(beginning)]
    if len(found) != 1 or not beginning:
        what = f"{len(found)} visits' keys begin so; 'hospital show {run}' lists them"
        raise InputError([Fault(run, what, record=beginning)])
    visit = found[0]
    record = records[visit.record_id]
    words = play_words(record.language)
    if visit.report is None:
        raise InputError([Fault(run, "the visit has no report to mark", record=visit.key)])
    judge = HumanChiefPhysician(f"{HUMAN}:{name}", ChiefDesk(terminal).ask)
    with LedgerWriter(held.directory, config, list(records.values())) as ledger:
        try:
            mark = asyncio.run(practice.marked(visit, record, judge))
        except BrokenOff:
            raise typer.Exit(INTERRUPTED) from None
        ledger.add_mark(mark)
    for other in held.marks():
        if other.visit_key == visit.key:
            said = f"{words.marks.format(judge=other.judge)}: {letters(other, words)}"
            terminal.show(said)


def find_case(sources: Sequence[str], case: str) -> MedicalRecord:
    """The case of this id in files or the library.

    Raises:
        InputError: there is none, or a source cannot be read.
    """
    from hospital.bench_command import gather_cases

    return _named(gather_cases(sources), case)


def _named(records: Sequence[MedicalRecord], case: str) -> MedicalRecord:
    found = [record for record in records if record.id == case]
    if not found:
        near = difflib.get_close_matches(case, [record.id for record in records], n=3)
        hint = (
            f"did you mean {' or '.join(near)}?" if near else "'hospital records list' names them"
        )
        raise InputError([Fault("--case", f"there is no such case; {hint}", record=case)])
    return found[0]


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
        return _named(records, case)
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
