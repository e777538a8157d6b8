"""The facts of a methods paragraph: every setting that the figures of a run depend on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evaluation.case_scores import Counting
from evaluation.chosen_marks import ChosenMarks
from evaluation.citations import source_family
from evaluation.compare import Comparison
from evaluation.contestants import RunContents
from evaluation.leaderboard import SETTING_ORDER, Leaderboard
from records.ledger import SharedSettings
from records.medical_record import Language
from records.program import program_version
from records.visit import Setting


@dataclass(frozen=True)
class SourceCount:
    """Cases of one collection in one language."""

    family: str
    """As `evaluation.citations.source_family` names it."""
    cite: str | None
    language: Language
    cases: int


@dataclass(frozen=True)
class Methods:
    """What a methods paragraph tells; nothing in it changes from day to day."""

    program: str
    """Version of this program."""
    held_by: tuple[str, ...]
    """Versions that held the visits."""
    marked_by: tuple[str, ...]
    """Versions that made the marks."""
    doctors: tuple[str, ...]
    settings: tuple[Setting, ...]
    trials: int
    shared: SharedSettings
    sources: tuple[SourceCount, ...]
    visits: int
    marked: int
    endings: Mapping[str, int]
    models: Mapping[str, tuple[str, ...]]
    """By role, the models that the endpoints named."""
    judge: str | None
    judge_words: tuple[str, ...]
    counting: Counting
    terminology: str
    extraction: str
    linked: float | None
    """Share of reference diagnoses with a code, 0 to 1, of the first row that has marks."""
    left_out: int
    """References that the headline leaves out, likewise."""
    iterations: int
    seed: int
    comparison: Comparison | None
    tried_again: bool
    """True if there is a table of trials."""
    fingerprint: str

    @property
    def cases(self) -> int:
        """All cases."""
        return sum(source.cases for source in self.sources)


def methods_of(
    run: RunContents,
    chosen: ChosenMarks,
    board: Leaderboard,
    counting: Counting,
    comparison: Comparison | None,
) -> Methods:
    """Gather the facts of a run."""
    counts = Counter(
        (*source_family(record.source), record.language) for record in run.records.values()
    )
    models: dict[str, set[str]] = {}
    for visit in run.visits:
        for role, answered in visit.models_answered.items():
            models.setdefault(role, set()).update(answered)
    marked = [row.diseases for row in board.rows if row.diseases.cases]
    return Methods(
        program=program_version(),
        held_by=_distinct(visit.version for visit in run.visits),
        marked_by=_distinct(mark.program for mark in chosen.latest.values()),
        doctors=tuple(dict.fromkeys(row.doctor for row in board.rows)),
        settings=tuple(s for s in SETTING_ORDER if any(row.setting == s for row in board.rows)),
        trials=max((visit.trial for visit in run.visits), default=1),
        shared=run.config.shared,
        sources=tuple(
            SourceCount(family, cite, language, n)
            for (family, cite, language), n in sorted(
                counts.items(), key=lambda one: (-one[1], one[0][0], one[0][2])
            )
        ),
        visits=len(run.visits),
        marked=len(chosen.latest),
        endings=dict(sorted(Counter(visit.ending.value for visit in run.visits).items())),
        models={role: tuple(sorted(names)) for role, names in sorted(models.items())},
        judge=board.judge,
        judge_words=chosen.words,
        counting=counting,
        terminology=chosen.terminology,
        extraction=chosen.extraction,
        linked=marked[0].linked if marked else None,
        left_out=marked[0].left_out if marked else 0,
        iterations=board.iterations,
        seed=board.seed,
        comparison=comparison,
        tried_again=any(row.pass_rates for row in board.rows),
        fingerprint=board.fingerprint,
    )


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({value for value in values if value}))
