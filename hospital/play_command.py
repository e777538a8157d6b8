"""`hospital play`: a person in a chair."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hospital.model_options import KeyFile, ModelsFile
from hospital.play.asked import Asked, Chair
from records.errors import LedgerError
from records.medical_record import Language

if TYPE_CHECKING:
    from hospital.play.appointment import Appointment
    from hospital.play.terminal import Terminal

INTERRUPTED = 130
OF_THE_HOUSE = {"grounded", "rubric", "checklist"}
SeatName = Literal["npc", "judge", "doctor"]


def play(
    chair: Annotated[Chair, typer.Option("--as", help="The chair you sit in.")] = "doctor",
    case: Annotated[str | None, typer.Option(help="Id of the case.")] = None,
    at_random: Annotated[bool, typer.Option("--random", help="Any case.")] = False,
    cases: Annotated[
        list[str] | None,
        typer.Option(help="A file of cases, or 'library' for the bundled ones. Repeatable."),
    ] = None,
    language: Annotated[
        Language | None,
        typer.Option(
            help="Of the patients who wait. [default: the terminal's locale]", show_default=False
        ),
    ] = None,
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
        float,
        typer.Option(min=0.01, help="Of the consultation in an examination, and of the report."),
    ] = 15.0,
    station: Annotated[
        str | None,
        typer.Option(help="An OSCE station's YAML file, or a bundled one; implies --exam."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Your name in the run. [default: a pseudonym]")
    ] = None,
    max_turns: Annotated[int, typer.Option(min=1, help="Rounds before the report is due.")] = 40,
    seed: Annotated[
        int | None,
        typer.Option(
            help="Seed of who waits, and of the other players. [default: chance, and 0]",
            show_default=False,
        ),
    ] = None,
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
    from agents.leaving import BrokenOff
    from hospital.play.terminal import open_terminal

    _check_wishes(chair, exam=exam, station=station, visit=visit, case=case, at_random=at_random)
    if name is not None and ("+" in name or not name.isprintable() or not name.strip()):
        raise typer.BadParameter("a name is of letters, without +", param_hint="--name")
    _check_specs({"npc": npc, "judge": judge, "doctor": doctor}, models, key_file)
    terminal = open_terminal(plain)
    asked = Asked(
        chair=chair,
        case=case,
        at_random=at_random,
        sources=tuple(cases or ("library",)),
        language=language,
        npc=npc,
        doctor=doctor,
        judge=judge,
        exam=exam,
        minutes=minutes,
        station=station,
        name=name,
        max_turns=max_turns,
        seed=seed,
        out=out,
    )
    try:
        if visit is not None:
            from hospital.play.practice import pseudonym
            from hospital.play.second_opinion import mark_visit

            mark_visit(visit, name or pseudonym(), terminal)
            return
        record = None if resume else asked.case_to_see(terminal)
    except BrokenOff:
        raise typer.Exit(INTERRUPTED) from None
    from hospital.play.appointing import begin, go_on

    appointment = go_on(out) if record is None else begin(asked, record)
    if not _attend(appointment, terminal, models, key_file):
        raise typer.Exit(INTERRUPTED)


def _attend(
    appointment: Appointment, terminal: Terminal, models: Path | None, key_file: Path | None
) -> bool:
    """Hold the visit; False if it is to be gone on with, and tells how."""
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable
    from agents.seats import Seats
    from hospital.play.appointment import Keeping
    from hospital.play.attendance import attend
    from hospital.play.hanging import command
    from hospital.play.words import play_words
    from prompts import Prompts

    words, prompts = play_words(appointment.record.language), Prompts()
    table, keys = ModelTable.load(models), Keys(key_file)
    finished = False
    with Keeping(appointment) as keeping:
        seats = Seats(prompts=prompts, journal=keeping.journal, table=table, keys=keys)
        try:
            finished = asyncio.run(attend(appointment, terminal, keeping, seats, prompts))
        except (KeyboardInterrupt, asyncio.CancelledError):
            # While a model was thinking.
            terminal.show("")
        finally:
            # A draft that cannot be read is no way to go on.
            lost = isinstance(sys.exc_info()[1], LedgerError)
            if not finished and appointment.is_kept and not lost:
                options = [("--out", appointment.directory), ("--models", models)]
                options += [("--key-file", key_file)]
                given = [word for name, file in options if file for word in (name, str(file))]
                terminal.show("", words.left, command("hospital", "play", "--resume", *given))
    if finished:
        where, key = str(appointment.directory), appointment.begun.order.key
        terminal.show(
            "",
            words.run_is_in.format(path=where),
            command("hospital", "show", where, key),
            command("hospital", "leaderboard", where),
        )
    return finished


def _check_specs(specs: Mapping[SeatName, str], models: Path | None, key_file: Path | None) -> None:
    """Check who is to sit where; those of the house need no look-up, which takes its time."""
    if models is None and key_file is None and set(specs.values()) <= OF_THE_HOUSE:
        return
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable
    from agents.seats import check_spec

    table, keys = ModelTable.load(models), Keys(key_file)
    for seat, spec in specs.items():
        check_spec(spec, seat, table, keys)


def _check_wishes(
    chair: Chair,
    *,
    exam: bool,
    station: str | None,
    visit: str | None,
    case: str | None,
    at_random: bool,
) -> None:
    """Refuse what does not go together.

    Raises:
        typer.BadParameter: says what.
    """
    if (exam or station) and chair != "doctor":
        raise typer.BadParameter("only a doctor is examined", param_hint="--exam, --station")
    if at_random and case is not None:
        raise typer.BadParameter("either a case is named, or it is any", param_hint="--random")
    if station and (at_random or case is not None):
        raise typer.BadParameter("a station has its own case", param_hint="--station")
    if visit is not None and chair != "chief":
        raise typer.BadParameter("a visit is marked with --as chief", param_hint="--visit")
