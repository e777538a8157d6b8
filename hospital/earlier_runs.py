"""`bench --from RUN`: consultations of another run that conferences need not hold again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from records.errors import Fault, InputError
from records.ledger import Ledger, RunConfig
from records.medical_record import MedicalRecord
from records.visit import Visit, VisitOrder


def earlier_runs(
    directories: Sequence[Path], config: RunConfig, records: Sequence[MedicalRecord]
) -> tuple[tuple[str, tuple[Visit, ...]], ...]:
    """The visits of other runs, by the run's name.

    A consultation is the same if its order is: the case's content, the Doctor, the NPCs, protocol,
    prompts, turns, seed and trial.

    Args:
        directories: of the runs.
        config: of this run.
        records: its cases.

    Raises:
        InputError: a run holds no consultation of this one's; says why.
        LedgerError: there is no run, or it is damaged.
    """
    from agents.conference_seats import consultation_orders

    conferences = [order for order in config.orders(records) if order.setting == "conference"]
    if directories and not conferences:
        what = "only a conference reuses consultations; give --doctor 'conference(A, B)'"
        raise InputError([Fault("--from", what)])
    wanted = [order for conference in conferences for order in consultation_orders(conference)]
    found = []
    for directory in directories:
        ledger = Ledger(directory)
        there, visits = ledger.config(), tuple(ledger.visits().values())
        why = _why_none(there, config, wanted, visits)
        if why is not None:
            raise InputError([Fault(directory, f"holds no consultation of this run: {why}")])
        found.append((directory.resolve().name, visits))
    return tuple(found)


def reused(
    runs: Sequence[tuple[str, Sequence[Visit]]], config: RunConfig, records: Sequence[MedicalRecord]
) -> int:
    """How many of this run's consultations other runs hold."""
    from agents.conference_seats import consultation_orders
    from hospital.consultation_book import ConsultationBook

    book = ConsultationBook(visit for _, visits in runs for visit in visits)
    keys = {
        order.key
        for conference in config.orders(records)
        if conference.setting == "conference"
        for order in consultation_orders(conference)
    }
    return sum(key in book for key in keys)


def _why_none(
    there: RunConfig, here: RunConfig, wanted: Sequence[VisitOrder], visits: Sequence[Visit]
) -> str | None:
    """Why none of the visits is a wanted consultation; None if one is."""
    from hospital.consultation_book import ConsultationBook

    changed = [
        f"{spec} has changed since"
        for spec, source in there.sources.items()
        if here.sources.get(spec, source) != source
    ]
    if changed:
        return "; ".join(changed)
    book = ConsultationBook(visits)
    if any(order.key in book for order in wanted):
        return None
    ours, theirs = here.shared.model_dump(), there.shared.model_dump()
    differing = [
        f"{name} is {theirs[name]!r} there and {value!r} here"
        for name, value in ours.items()
        if theirs[name] != value
    ]
    if differing:
        return "; ".join(differing)
    cases = {order.record_id: order.record_hash for order in wanted}
    if not any(there.cases.get(case) == content for case, content in cases.items()):
        return "none of its cases is among these"
    doctors = ", ".join(dict.fromkeys(order.doctor for order in wanted))
    return f"none of its visits in setting interaction is finished and of {doctors}"
