"""`hospital play`: a person in a chair."""

from __future__ import annotations

import asyncio
import shlex
from pathlib import Path
from typing import Annotated, Literal

import typer

from hospital.model_options import KeyFile, ModelsFile
from records.medical_record import Language

INTERRUPTED = 130
Chair = Literal["doctor", "patient", "examiner", "chief"]
_ROLES: dict[Chair, str] = {
    "doctor": "doctor",
    "patient": "patient",
    "examiner": "examiner",
    "chief": "chief_physician",
}


def play(
    chair: Annotated[Chair, typer.Option("--as", help="The chair you sit in.")] = "doctor",
    case: Annotated[str | None, typer.Option(help="Id of the case.")] = None,
    at_random: Annotated[bool, typer.Option("--random", help="Any case.")] = False,
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
    exam: Annotated[
        bool,
        typer.Option(help="As doctor: no hint, no undo, no marked values, a time limit."),
    ] = False,
    minutes: Annotated[
        float, typer.Option(min=0.01, help="Of the consultation in an examination.")
    ] = 15.0,
    station: Annotated[
        str | None,
        typer.Option(help="An OSCE station's YAML file, or a bundled one; implies --exam."),
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
        Path | None, typer.Option(help="The run's directory. [default: runs/play-SETTINGS]")
    ] = None,
) -> None:
    """Sit in a chair yourself, and be marked. For research and training, never for care."""
    from agents.human import HUMAN, BrokenOff
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable
    from agents.seats import Seats, check_spec, human_npc
    from hospital.play import practice
    from hospital.play.appointment import Appointment, Keeping, next_order
    from hospital.play.attendance import attend
    from hospital.play.choosing import any_case as choose_any
    from hospital.play.choosing import chosen_case, find_case
    from hospital.play.draft import Draft
    from hospital.play.second_opinion import mark_visit
    from hospital.play.station import check_station, read_station
    from hospital.play.terminal import open_terminal
    from hospital.play.words import play_words
    from prompts import Prompts
    from records.ledger import SharedSettings
    from records.visit import HumanNotes

    prompts, table, keys = Prompts(), ModelTable.load(models), Keys(key_file)
    check_spec(npc, "npc", table, keys)
    check_spec(judge, "judge", table, keys)
    _check_chair(chair, exam=exam or bool(station), visit=visit)
    if chair != "doctor":
        check_spec(doctor, "doctor", table, keys)
    terminal = open_terminal(plain)
    own_name = name or practice.pseudonym()
    osce = read_station(station) if station else None

    def begin() -> Appointment:
        sources = osce.cases if osce else tuple(cases or ("library",))
        wanted = osce.case if osce else case
        if wanted is not None:
            record = find_case(sources, wanted)
        elif at_random:
            record = choose_any(sources, language, seed)
        else:
            record = asyncio.run(chosen_case(sources, language, seed, terminal))
        if osce and station:
            check_station(osce, record, station)
        shared = SharedSettings(
            npc=human_npc(chair, own_name, npc) if chair in ("patient", "examiner") else npc,
            protocol="direct",
            max_turns=max_turns,
            seed=seed,
            prompts_hash=prompts.hash,
        )
        directory = out or practice.default_directory(shared, "station" if osce else "play")
        seated = f"{HUMAN}:{own_name}" if chair == "doctor" else doctor
        notes = HumanNotes(
            role=_ROLES[chair],
            exam=exam or osce is not None,
            minutes=osce.minutes if osce else minutes if exam else None,
            report_minutes=osce.report_minutes if osce else minutes if exam else None,
            station=osce.name if osce else None,
        )
        order = next_order(directory, shared, record, seated)
        return Appointment(directory, order, notes, sources, record, judge, osce)

    def go_on() -> Appointment:
        path = practice.left_last(out)
        order, notes, sources = Draft.begun(path)
        record = find_case(sources, order.record_id)
        return Appointment(path.parents[1], order, notes, sources, record, judge, osce)

    try:
        if visit is not None:
            mark_visit(visit, own_name, terminal)
            return
        appointment = go_on() if resume else begin()
    except BrokenOff:
        raise typer.Exit(INTERRUPTED) from None
    words = play_words(appointment.record.language)
    with Keeping(appointment) as keeping:
        seats = Seats(prompts=prompts, journal=keeping.journal, table=table, keys=keys)
        attending = attend(appointment, own_name, terminal, keeping, seats, prompts)
        finished = asyncio.run(attending)
    if not finished:
        command = ["hospital", "play", "--resume", "--out", str(appointment.directory)]
        command += ["--station", station] if station else []
        terminal.show(words.left, f"  {shlex.join(command)}")
        raise typer.Exit(INTERRUPTED)
    terminal.show("", words.run_is_in.format(path=appointment.directory))


def _check_chair(chair: Chair, *, exam: bool, visit: str | None) -> None:
    if exam and chair != "doctor":
        raise typer.BadParameter("only a doctor is examined", param_hint="--exam, --station")
    if visit is not None and chair != "chief":
        raise typer.BadParameter("a visit is marked with --as chief", param_hint="--visit")
