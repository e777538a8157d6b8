"""At the front desk: a new visit is appointed, or one that was left is taken up again."""

from __future__ import annotations

from pathlib import Path

from agents.human import HUMAN
from agents.seats import human_npc
from hospital.play import practice
from hospital.play.appointment import Appointment, next_order
from hospital.play.asked import Asked
from hospital.play.choosing import gathered
from hospital.play.draft import Begun
from hospital.play.station import check_station, read_station
from prompts import Prompts
from records.errors import LedgerError
from records.ledger import Ledger, SharedSettings
from records.medical_record import MedicalRecord
from records.visit import CHIEF_PHYSICIAN, HumanNotes


def begin(asked: Asked, record: MedicalRecord) -> Appointment:
    """Appoint a new visit.

    Args:
        asked: what the person wishes.
        record: whom it sees.

    Raises:
        InputError: the station does not fit its case.
        LedgerError: the run that it would come into is damaged.
    """
    osce = asked.osce()
    if osce is not None and asked.station is not None:
        check_station(osce, record, asked.station)
    name, chair = asked.name or practice.pseudonym(), asked.chair
    npc = human_npc(chair, name, asked.npc) if chair in ("patient", "examiner") else asked.npc
    shared = SharedSettings(
        npc=npc,
        protocol="direct",
        max_turns=asked.max_turns,
        seed=asked.seed or 0,
        prompts_hash=Prompts().hash,
    )
    directory = asked.out or practice.default_directory(shared, "station" if osce else "play")
    minutes = asked.minutes if asked.exam else None
    begun = Begun(
        order=next_order(
            directory, shared, record, f"{HUMAN}:{name}" if chair == "doctor" else asked.doctor
        ),
        human=HumanNotes(
            role=CHIEF_PHYSICIAN if chair == "chief" else chair,
            exam=asked.exam or osce is not None,
            minutes=osce.minutes if osce else minutes,
            report_minutes=osce.report_minutes if osce else minutes,
            station=osce.name if osce else None,
        ),
        name=name,
        sources=tuple(map(_lasting, osce.cases if osce else asked.sources)),
        judge=asked.judge,
        station=_lasting(asked.station) if asked.station else None,
    )
    return Appointment(directory, begun, record, osce)


def _lasting(where: str) -> str:
    """A file's name as it is found from any directory; a bundled thing's as it is."""
    path = Path(where)
    return str(path.resolve()) if path.exists() else where


def go_on(out: Path | None) -> Appointment:
    """Take up the visit that was left last, in one run or in any.

    Raises:
        LedgerError: there is none, it is damaged, or its case is no longer what it was.
        InputError: its station or the source of its case cannot be read.
    """
    path = practice.left_last(out)
    begun, directory = Begun.of(path), path.parents[1]
    osce = read_station(begun.station) if begun.station else None
    return Appointment(directory, begun, _its_case(path, begun), osce)


def _its_case(path: Path, begun: Begun) -> MedicalRecord:
    """The case as the visit was begun with it: the run's own, or where it was read from."""
    order, where = begun.order, ", ".join(begun.sources)
    record = Ledger(path.parents[1]).records().get(order.record_id)
    if record is None or record.content_hash != order.record_hash:
        cases = {record.id: record for record in gathered(begun.sources)}
        record = cases.get(order.record_id)
    if record is None:
        raise LedgerError(
            f"{path}: its case {order.record_id} is no longer in {where}; put it back to go on"
        )
    if record.content_hash != order.record_hash:
        raise LedgerError(
            f"{path}: its case {order.record_id} has changed in {where} since the visit was begun; "
            "put it back as it was to go on"
        )
    return record
