"""`hospital watch`: a visit between agents, as it goes."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hospital.model_options import KeyFile, ModelsFile
from records.visit import Protocol

if TYPE_CHECKING:
    from agents.seats import Seats
    from hospital.play.terminal import Terminal
    from prompts import Prompts
    from records.ledger import LedgerWriter
    from records.medical_record import MedicalRecord
    from records.visit import Visit, VisitOrder

INTERRUPTED = 130


def watch(
    case: Annotated[str, typer.Option(help="Id of the case.")],
    doctor: Annotated[
        str, typer.Option(help="Who sits in the Doctor's chair, as in hospital bench.")
    ] = "checklist",
    cases: Annotated[
        list[str] | None,
        typer.Option(help="A file of cases, or 'library' for the bundled ones. Repeatable."),
    ] = None,
    npc: Annotated[str, typer.Option(help="Patient and Examiner: grounded, or a model.")] = (
        "grounded"
    ),
    judge: Annotated[str, typer.Option(help="Who marks: rubric, or a model.")] = "rubric",
    protocol: Annotated[
        Protocol,
        typer.Option(help="Who takes requests to the Examiner: the patient, or the doctor itself."),
    ] = "carried",
    max_turns: Annotated[int, typer.Option(min=1, help="Rounds before the report is due.")] = 10,
    seed: Annotated[int, typer.Option(help="Seed of every random choice.")] = 0,
    pace: Annotated[
        float, typer.Option(min=0, help="Seconds that each message is given to be read.")
    ] = 1.0,
    plain: Annotated[bool, typer.Option(help="For screen readers: no colours.")] = False,
    models: ModelsFile = None,
    key_file: KeyFile = None,
    out: Annotated[
        Path | None, typer.Option(help="The run's directory. [default: runs/watch-SETTINGS]")
    ] = None,
) -> None:
    """Watch a visit between agents as it goes: space pauses, q leaves.

    The visit is kept in a run and marked; one that was left goes on when it is watched again.
    """
    from agents.model.keys import Keys
    from agents.model.model_table import ModelTable
    from agents.seats import Seats, check_spec
    from agents.seats import sources as seat_sources
    from hospital.play import practice
    from hospital.play.choosing import find_case
    from hospital.play.hanging import command
    from hospital.play.terminal import open_terminal
    from hospital.play.words import play_words
    from prompts import Prompts
    from records.ledger import LedgerWriter, RunConfig, SharedSettings

    prompts, table, keys = Prompts(), ModelTable.load(models), Keys(key_file)
    check_spec(doctor, "doctor", table, keys)
    check_spec(npc, "npc", table, keys)
    check_spec(judge, "judge", table, keys)
    record = find_case(tuple(cases or ("library",)), case)
    shared = SharedSettings(
        npc=npc, protocol=protocol, max_turns=max_turns, seed=seed, prompts_hash=prompts.hash
    )
    directory = out or practice.default_directory(shared, "watch")
    config = RunConfig(
        shared=shared,
        doctors=(doctor,),
        settings=("conference" if doctor.startswith("conference(") else "interaction",),
        judges=(judge,),
        cases={record.id: record.content_hash},
        sources=seat_sources((doctor, npc, judge), table),
    )
    (order,) = config.orders([record])
    terminal = open_terminal(plain)
    with LedgerWriter(directory, config, [record]) as ledger:
        seats = Seats(prompts=prompts, journal=ledger.journal, table=table, keys=keys)
        seen = asyncio.run(_watch(order, record, judge, seats, prompts, terminal, ledger, pace))
    if not seen:
        # It is held again from its beginning; what models said is in the run and costs nothing.
        words = play_words(record.language)
        terminal.show("", words.left, command("hospital", *sys.argv[1:]))
        raise typer.Exit(INTERRUPTED)
    terminal.show("", command("hospital", "show", str(directory), order.key))


async def _watch(
    order: VisitOrder,
    record: MedicalRecord,
    judge: str,
    seats: Seats,
    prompts: Prompts,
    terminal: Terminal,
    ledger: LedgerWriter,
    seconds: float,
) -> bool:
    """Show the visit, held now or earlier, and its marks; False if the watcher left."""
    from agents.errors import SeatError
    from hospital.play import practice
    from hospital.play.chief_desk import letters
    from hospital.play.hanging import command
    from hospital.play.words import play_words

    known = ledger.visits().get(order.key)
    finished = known if known is not None and known.ending.final else None
    try:
        visit = await _follow(order, record, seats, prompts, terminal, finished, seconds)
        if visit is None:
            return False
        if finished is None:
            ledger.add_visit(visit)
        marks = [m for m in ledger.marks() if m.visit_key == order.key and m.judge == judge]
        unmarked = ""
        if not marks and visit.markable:
            try:
                marks = [await practice.marked(visit, record, seats.judge(judge))]
                ledger.add_mark(marks[0])
            except SeatError as failure:
                unmarked = failure.reason
    finally:
        await seats.close()
    words = play_words(record.language)
    if unmarked:
        terminal.show(
            words.not_marked.format(judge=judge, why=unmarked),
            command("hospital", "mark", str(ledger.directory), "--judge", judge),
        )
    why = f": {visit.failure}" if visit.failure else ""
    terminal.show(f"{visit.ending}{why}")
    for mark in marks[-1:]:
        terminal.show(f"{words.marks.format(judge=mark.judge)}: {letters(mark, words)}")
    return True


async def _follow(
    order: VisitOrder,
    record: MedicalRecord,
    seats: Seats,
    prompts: Prompts,
    terminal: Terminal,
    finished: Visit | None,
    seconds: float,
) -> Visit | None:
    from rich.text import Text

    from hospital.experiment import stream
    from hospital.play.pause import Pace, keys_of
    from hospital.play.watch_desk import WatchDesk
    from hospital.play.words import play_words
    from hospital.stream import VisitResult

    real = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    words = play_words(record.language)

    def tell(paused: bool) -> None:
        terminal.show(Text(words.paused if paused else words.goes_on, style="dim"))

    pace = Pace(seconds if real else 0.0, tell)
    desk = WatchDesk(terminal, record)
    if real:
        terminal.show(Text(words.watch_keys, style="dim"))
    desk.begin()
    with keys_of(pace, real=real), desk.live.listening():
        if finished is not None:
            for message in finished.messages:
                desk.hear(message)
                await pace.next()
                if pace.stopped:
                    return None
            return finished
        async for item in stream(order, record, seats, prompts):
            if isinstance(item, VisitResult):
                return item.visit
            desk.hear(item.message)
            await pace.next()
            if pace.stopped:
                return None
    return None
