"""Marking the visits of a run, its own or imported: what is owed, side by side, resumable.

Marks are only ever added. Where the diseases of the latest mark of a visit were named otherwise or
linked with another terminology, it gets a new one with the same grades.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from agents.errors import SeatError
from agents.npc import Judge
from agents.seats import Seats
from evaluation.linking import Linking
from evaluation.marking import diagnosis_texts, linked, mark, rules_of
from evaluation.naming import Named, name_diseases
from hospital.settling import settle_all
from records.ledger import LedgerWriter
from records.mark import Mark
from records.medical_record import Language, MedicalRecord
from records.views import MarkingView
from records.visit import Visit


@dataclass
class MarkProgress:
    """How far a marking is; one object, updated in place."""

    total: int = 0
    """Marks wanted: of each judge, every visit that can be marked."""
    done: int = 0
    earlier: int = 0
    """Of these, the ones that were there before."""
    relinked: int = 0
    """Of these, the ones whose grades stood and whose diseases were linked anew."""
    by_rule: int = 0
    """Marks made now whose diseases a model should have named and the rules did."""
    unmarked: Counter[str] = field(default_factory=Counter)
    """Marks whose judge, or whose model that names diseases, failed, by reason."""

    @property
    def complete(self) -> bool:
        """True if nothing is owed."""
        return self.done == self.total


@dataclass(frozen=True)
class _Owed:
    """One mark to make."""

    visit: Visit
    name: str
    """The judge's."""
    version: int
    latest: Mark | None
    """The mark whose grades stand; None if the judge is to grade."""


async def mark_run(
    ledger: LedgerWriter,
    seats: Seats,
    linking: Linking,
    judges: Mapping[str, Literal["asked", "finished"]],
    *,
    again: bool = False,
    concurrency: int = 8,
    on_progress: Callable[[MarkProgress], None] = lambda progress: None,
) -> MarkProgress:
    """Make all marks that a run still owes.

    Args:
        ledger: the run, held by this process.
        seats: the factory of judges.
        linking: how diseases are scored.
        judges: specs of those who grade, and names of those who are `finished`: published ones,
            who cannot be asked, and whose grades are only linked anew.
        again: grade once more what is graded; a second time that was interrupted goes on.
        concurrency: marks under way at once.
        on_progress: called after each mark.

    Returns:
        The state at the end; `complete` is False if a judge, or who names diseases, failed.

    Raises:
        SpecError: a judge's spec names nothing, or that of who names diseases names no model.
        OSError: the ledger cannot be written.
    """
    records = ledger.records()
    visits = [v for v in ledger.visits().values() if v.markable and v.record_id in records]
    latest: dict[str, dict[str, Mark]] = {name: {} for name in judges}
    for one in ledger.marks():
        if one.judge in latest:
            latest[one.judge][one.visit_key] = one
    extraction = linking.extraction
    reader = seats.disease_reader(extraction.model) if extraction.model else None
    progress = MarkProgress()
    owed: list[_Owed] = []
    for name, state in judges.items():
        own = latest[name]
        wanted = [v for v in visits if v.key in own] if state == "finished" else visits
        progress.total += len(wanted)
        if state == "finished":
            owed += _owed(wanted, own, name, 1, None, linking)
        else:
            rules = rules_of(seats.judge(name))
            owed += _owed(wanted, own, name, _version(wanted, own) if again else 1, rules, linking)
    progress.done = progress.earlier = progress.total - len(owed)
    on_progress(progress)
    seated: dict[tuple[str, int], Judge] = {
        (one.name, one.version): seats.judge(one.name, one.version)
        for one in owed
        if one.latest is None
    }

    async def named(visit: Visit, language: Language) -> Named | None:
        """The diseases of the visit's report, if a model names them."""
        if reader is None:
            return None
        claimed, published = diagnosis_texts(visit)
        texts = (claimed,) if linking.matcher is None else (claimed, published)
        return await name_diseases(texts, language, reader, extraction.name)

    async def settle(one: _Owed) -> None:
        asked = extraction.model
        try:
            record = records[one.visit.record_id]
            names = await named(one.visit, record.language)
            asked = one.name
            judge = seated.get((one.name, one.version))
            made = await _made(one, judge, record, linking, names)
        except SeatError as failure:
            progress.unmarked[f"{asked}: {failure.reason}"] += 1
        else:
            await ledger.keep_mark(made)
            progress.done += 1
            progress.relinked += one.latest is not None
            progress.by_rule += names is not None and None in names.names.values()
        on_progress(progress)

    await settle_all(owed, settle, concurrency)
    return progress


def _version(visits: Sequence[Visit], latest: Mapping[str, Mark]) -> int:
    """The time of grading that is due: the one begun, if some visits lack it, else the next."""
    versions = [latest[v.key].version if v.key in latest else 0 for v in visits]
    most = max(versions, default=0)
    return most if most > 1 and min(versions) < most else most + 1


def _owed(
    visits: Sequence[Visit],
    latest: Mapping[str, Mark],
    name: str,
    version: int,
    rules: str | None,
    linking: Linking,
) -> Iterator[_Owed]:
    """The marks of one judge to make; `rules` are those it grades by now, None if it cannot."""
    for visit in visits:
        last = latest.get(visit.key)
        if last is None or last.version < version:
            yield _Owed(visit, name, version, None)
        elif rules is not None and last.judge_version != rules:
            yield _Owed(visit, name, last.version + 1, None)
        elif not linking.made(last):
            yield _Owed(visit, name, last.version, last)


async def _made(
    one: _Owed, judge: Judge | None, record: MedicalRecord, linking: Linking, named: Named | None
) -> Mark:
    terminology, matcher = linking.terminology, linking.matcher
    if judge is not None:
        view = MarkingView(record=record)
        made = await mark(
            one.visit, view, judge, terminology=terminology, matcher=matcher, named=named
        )
    elif one.latest is not None:
        made = linked(
            one.latest, one.visit, record, terminology=terminology, matcher=matcher, named=named
        )
    else:
        raise ValueError(f"{one.name} neither grades visit {one.visit.key} nor has graded it")
    update = {"version": one.version, "convention": linking.convention}
    return made.model_copy(update=update)
