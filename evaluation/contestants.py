"""Who takes part in a comparison: one doctor in one setting of one run, with its marked cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluation.case_scores import Held, by_case
from evaluation.chosen_marks import ChosenMarks, choose_marks, usual_judge
from evaluation.leaderboard import SETTING_ORDER
from records.ledger import Ledger, RunConfig
from records.mark import Mark
from records.medical_record import MedicalRecord
from records.visit import Setting, Visit


@dataclass(frozen=True)
class RunContents:
    """A run as it is read from its directory."""

    name: str
    config: RunConfig
    records: Mapping[str, MedicalRecord]
    visits: Sequence[Visit]
    marks: Sequence[Mark]

    @classmethod
    def read(cls, directory: Path) -> RunContents:
        """Read a run.

        Raises:
            LedgerError: there is no run, or it is damaged.
        """
        ledger = Ledger(directory)
        config, records = ledger.config(), ledger.records()
        visits = [visit for visit in ledger.visits().values() if visit.record_id in records]
        return cls(str(directory), config, records, visits, ledger.marks())

    def chosen(self, judge: str | None) -> ChosenMarks:
        """The marks of one judge.

        Raises:
            ValueError: as `choose_marks`, with the run's name before it.
        """
        held = {visit.key for visit in self.visits}
        marks = [mark for mark in self.marks if mark.visit_key in held]
        try:
            return choose_marks(marks, judge or usual_judge(self.config, marks))
        except ValueError as fault:
            raise ValueError(f"{self.name}: {fault}") from None


Case = tuple[str, str]
"""Id and hash of a record: cases of two runs are the same only if nothing in them differs."""


@dataclass(frozen=True)
class Contestant:
    """One doctor in one setting of one run."""

    name: str
    """Distinct among the contestants, as short as that allows."""
    run: str
    doctor: str
    setting: Setting
    cases: Mapping[Case, Sequence[Held]]
    """The marked trials of each case."""
    records: Mapping[Case, MedicalRecord] = field(repr=False)
    unmarked: int = 0
    """Visits that could be marked and are not."""


@dataclass(frozen=True)
class Field:
    """All contestants, and what their marks have in common."""

    contestants: tuple[Contestant, ...]
    """By setting, then in the order of runs and names."""
    judge: str | None
    terminology: str
    extraction: str
    chosen: tuple[ChosenMarks, ...]
    """Of each run."""
    differing: tuple[str, ...]
    """What the runs do not have in common, a line each."""


def gather(
    runs: Sequence[RunContents],
    *,
    judge: str | None = None,
    settings: Sequence[Setting] = (),
) -> Field:
    """Gather the contestants of some runs.

    Args:
        runs: at least one.
        judge: whose marks; that of the first run's first mark if None.
        settings: which settings take part; if none is named, `interaction` where two or more have
            marks in it, else all.

    Raises:
        ValueError: the runs' marks do not compare: no marks, other judges, other terminologies
            or extractions, or fewer than two contestants.
    """
    chosen = [run.chosen(judge) for run in runs]
    _check_judges(runs, chosen)
    found = _entered(runs, chosen, settings)
    names = _names([(doctor, setting, run.name) for run, doctor, setting, _ in found])
    contestants = [
        _contestant(name, run, doctor, setting, latest)
        for name, (run, doctor, setting, latest) in zip(names, found, strict=True)
    ]
    return Field(
        contestants=tuple(contestants),
        judge=chosen[0].judge,
        terminology=next((one.terminology for one in chosen if one.terminology), ""),
        extraction=chosen[0].extraction,
        chosen=tuple(chosen),
        differing=_differing(runs, chosen),
    )


_Entry = tuple[RunContents, str, Setting, Mapping[str, Mark]]


def _entered(
    runs: Sequence[RunContents], chosen: Sequence[ChosenMarks], settings: Sequence[Setting]
) -> list[_Entry]:
    """Who takes part, of those with marks, in order."""
    entered: list[_Entry] = [
        (run, doctor, setting, marks.latest)
        for run, marks in zip(runs, chosen, strict=True)
        for doctor, setting in dict.fromkeys(
            (visit.doctor, visit.setting) for visit in run.visits if visit.key in marks.latest
        )
        if not settings or setting in settings
    ]
    inside = [one for one in entered if one[2] == "interaction"]
    if not settings and len(inside) > 1:
        entered = inside
    if len(entered) < 2:
        only = [f"{doctor} in {setting}" for _, doctor, setting, _ in entered]
        there = f"only {only[0]}" if only else f"nobody with marks in {', '.join(settings)}"
        # Where no setting was named, or every one, there are no more to name.
        more = (
            "name more settings (--setting all) or another run"
            if settings and set(settings) < set(SETTING_ORDER)
            else "have another doctor see the cases ('hospital bench'), or name another run"
        )
        raise ValueError(f"there is {there}, and a comparison needs two: {more}")
    return sorted(
        entered, key=lambda one: (SETTING_ORDER.index(one[2]), runs.index(one[0]), one[1])
    )


def _contestant(
    name: str, run: RunContents, doctor: str, setting: Setting, latest: Mapping[str, Mark]
) -> Contestant:
    visits = [v for v in run.visits if (v.doctor, v.setting) == (doctor, setting)]
    cases: dict[Case, Sequence[Held]] = {}
    records: dict[Case, MedicalRecord] = {}
    for record_id, trials in by_case(visits, latest).items():
        case = (record_id, trials[0][0].record_hash)
        cases[case] = trials
        records[case] = run.records[record_id]
    return Contestant(
        name=name,
        run=run.name,
        doctor=doctor,
        setting=setting,
        cases=cases,
        records=records,
        unmarked=sum(v.ending.markable and v.key not in latest for v in visits),
    )


def _check_judges(runs: Sequence[RunContents], chosen: Sequence[ChosenMarks]) -> None:
    for run, marks in zip(runs, chosen, strict=True):
        if not marks.latest:
            raise ValueError(f"{run.name}: nothing is marked yet; 'hospital mark' marks a run")
    judges = list(dict.fromkeys(str(marks.judge) for marks in chosen))
    if len(judges) > 1:
        raise ValueError(
            f"the runs were marked by different judges, {' and '.join(judges)}; name one who marked"
            " all with --judge, or have one mark them ('hospital mark')"
        )
    linked = list(dict.fromkeys(marks.terminology for marks in chosen if marks.terminology))
    if len(linked) > 1:
        raise ValueError(
            f"the runs were marked with different terminologies, {' and '.join(linked)}; mark them"
            " with one ('hospital mark --help')"
        )
    named = list(dict.fromkeys(marks.extraction or "older rules" for marks in chosen))
    if len(named) > 1:
        raise ValueError(
            f"the diseases of the runs' marks were named in different ways, {' and '.join(named)};"
            " mark them in one of them ('hospital mark --help')"
        )


def _differing(runs: Sequence[RunContents], chosen: Sequence[ChosenMarks]) -> tuple[str, ...]:
    lines = []
    shared = [run.config.shared.model_dump(mode="json") for run in runs]
    for name in sorted({name for one in shared for name in one}):
        values = list(dict.fromkeys(str(one.get(name)) for one in shared))
        if len(values) > 1:
            lines.append(f"{name}: {', '.join(values)}")
    words = list(dict.fromkeys(marks.words for marks in chosen))
    if len(words) > 1 or len(words[0]) > 1:
        lines.append(f"wording of the judge: {', '.join(w for one in words for w in one)}")
    return tuple(lines)


def _names(parts: Sequence[tuple[str, Setting, str]]) -> list[str]:
    """Each doctor, with setting and run where they are what tells it from another.

    Of one doctor alone, the settings or runs are the names.
    """
    one_doctor = len({doctor for doctor, _, _ in parts}) == 1
    names = []
    for doctor, setting, run in parts:
        twins = [part for part in parts if part[0] == doctor]
        told = [] if one_doctor and len(parts) > 1 else [doctor]
        told += [setting.replace("_", "-")] if len({part[1] for part in twins}) > 1 else []
        told += [run] if len({part[2] for part in twins}) > 1 else []
        names.append(", ".join(told))
    return names
