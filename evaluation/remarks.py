"""What a reader of a leaderboard must know besides: endings, repairs, models answered, costs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field

from records.mark import Mark
from records.medical_record import Paper
from records.visit import DOCTOR, EXAMINER, PATIENT, Message, Setting, Usage, Visit

Groups = Mapping[tuple[str, Setting], Sequence[Visit]]
"""By doctor and setting, in the order of the rows."""


class Endings(Paper):
    """How the visits of one doctor in one setting ended."""

    doctor: str
    setting: Setting
    counts: dict[str, int]
    """By ending; endings that did not occur are left out."""
    failures: dict[str, dict[str, int]] = Field(default_factory=dict)
    """By ending, how often each reason was given, the commonest first; none where none was."""


class Repairs(Paper):
    """How often words were read in spite of their form, in one doctor's visits in one setting."""

    doctor: str
    setting: Setting
    counts: dict[str, dict[str, int]]
    """By role whose message it was, or `judge`, by kind of repair, the commonest first."""


class Versions(Paper):
    """Several models that answered under one spec: figures of it may mix them."""

    role: str
    """Whose chair."""
    spec: str
    answered: dict[str, int]
    """By the model that the endpoint named, in how many visits, the commonest first."""


class Spending(Paper):
    """What models used in one doctor's visits in one setting, or in marking."""

    doctor: str | None
    """None: in marking."""
    setting: Setting | None
    visits: int
    """Visits held, or marks given, with a model."""
    calls: int
    prompt_tokens: int
    completion_tokens: int
    tokens_complete: bool
    """False: at least as many; some replies did not tell."""
    cost: float | None
    """US dollars; None is unknown."""
    cost_complete: bool
    """False: at least so much; the price or the usage of some calls is unknown."""


class People(Paper):
    """Visits with a person in one chair, of one doctor in one setting."""

    doctor: str
    setting: Setting
    role: str
    """The person's chair."""
    visits: int
    exams: int
    """Of the visits, those held as examinations."""
    hints: int
    """Over all visits, as are the turns taken back."""
    undos: int


@dataclass(frozen=True)
class Remarks:
    """All of a leaderboard's remarks."""

    endings: tuple[Endings, ...]
    repairs: tuple[Repairs, ...]
    versions: tuple[Versions, ...]
    spending: tuple[Spending, ...]
    people: tuple[People, ...] = ()


def remarks(groups: Groups, marks: Mapping[str, Mark]) -> Remarks:
    """Gather the remarks on the rows of a leaderboard.

    Args:
        groups: the visits of each row.
        marks: by visit key, those that the leaderboard is made of.
    """
    known = {visit.key for visits in groups.values() for visit in visits}
    spent = [
        _spending(doctor, setting, [(v.usage.values(), v.cost, v.cost_complete) for v in visits])
        for (doctor, setting), visits in groups.items()
    ]
    spent.append(_spending(None, None, [_spent_on(mark) for mark in marks.values()]))
    return Remarks(
        endings=tuple(
            Endings(
                doctor=doctor,
                setting=setting,
                counts=dict(sorted(Counter(visit.ending.value for visit in visits).items())),
                failures=_failures(visits),
            )
            for (doctor, setting), visits in groups.items()
        ),
        repairs=tuple(
            Repairs(doctor=doctor, setting=setting, counts=counts)
            for (doctor, setting), visits in groups.items()
            if (counts := _repairs(visits, marks, known))
        ),
        versions=_versions(groups),
        spending=tuple(one for one in spent if one.calls),
        people=_people(groups),
    )


def _people(groups: Groups) -> tuple[People, ...]:
    told = []
    for (doctor, setting), visits in groups.items():
        notes = [visit.human for visit in visits if visit.human is not None]
        for role in dict.fromkeys(note.role for note in notes):
            own = [note for note in notes if note.role == role]
            told.append(
                People(
                    doctor=doctor,
                    setting=setting,
                    role=role,
                    visits=len(own),
                    exams=sum(note.exam for note in own),
                    hints=sum(note.hints for note in own),
                    undos=sum(note.undos for note in own),
                )
            )
    return tuple(told)


def _spent_on(mark: Mark) -> tuple[list[Usage], float | None, bool]:
    """What the models of a mark used, the judge's and the one that named diseases."""
    both = [(one.usage, one.cost) for one in (mark, mark.naming) if one is not None]
    used = [(usage, cost) for usage, cost in both if usage is not None]
    costs = [cost for _, cost in used if cost is not None]
    cost = math.fsum(costs) if costs else None
    return [usage for usage, _ in used], cost, len(costs) == len(used)


def _failures(visits: Iterable[Visit]) -> dict[str, dict[str, int]]:
    return _nested(Counter((v.ending.value, v.failure) for v in visits if v.failure))


def _said_in_consultations(visit: Visit, known: Collection[str]) -> Iterator[Message]:
    """Messages of a conference's consultations, but for those that are visits of the run."""
    for participant in visit.conference.participants if visit.conference else ():
        held = participant.consultation
        if held is not None and held.key not in known:
            yield from held.messages


def _repairs(
    visits: Iterable[Visit], marks: Mapping[str, Mark], known: Collection[str]
) -> dict[str, dict[str, int]]:
    times: Counter[tuple[str, str]] = Counter()
    for visit in visits:
        said = [*visit.messages, *_said_in_consultations(visit, known)]
        times.update((m.role, repair.kind) for m in said for repair in m.repairs)
        if (mark := marks.get(visit.key)) is not None:
            times.update(("judge", repair.kind) for repair in mark.repairs)
            naming = mark.naming.repairs if mark.naming is not None else ()
            times.update(("extraction", repair.kind) for repair in naming)
    return _nested(times)


def _nested(times: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """By the first, then by the second, the commonest first."""
    told: dict[str, dict[str, int]] = {}
    for first, second in sorted(times, key=lambda one: (one[0], -times[one], one[1])):
        told.setdefault(first, {})[second] = times[first, second]
    return told


def _versions(groups: Groups) -> tuple[Versions, ...]:
    answered: dict[tuple[str, str], Counter[str]] = {}
    for (doctor, setting), visits in groups.items():
        for visit in visits:
            for role, models in visit.models_answered.items():
                # A conference's doctors are several models by design.
                if role != DOCTOR or setting != "conference":
                    spec = visit.npc if role in (PATIENT, EXAMINER) else doctor
                    answered.setdefault((role, spec), Counter()).update(set(models))
    return tuple(
        Versions(
            role=role,
            spec=spec,
            answered=dict(sorted(models.items(), key=lambda one: (-one[1], one[0]))),
        )
        for (role, spec), models in sorted(answered.items())
        if len(models) > 1
    )


def _spending(
    doctor: str | None,
    setting: Setting | None,
    used: Sequence[tuple[Iterable[Usage], float | None, bool]],
) -> Spending:
    told = [(list(usages), cost, complete) for usages, cost, complete in used]
    told = [one for one in told if any(usage.calls for usage in one[0])]
    usages = [usage for one, _, _ in told for usage in one if usage.calls]
    costs = [cost for _, cost, _ in told if cost is not None]
    return Spending(
        doctor=doctor,
        setting=setting,
        visits=len(told),
        calls=sum(usage.calls for usage in usages),
        prompt_tokens=sum(usage.prompt_tokens or 0 for usage in usages),
        completion_tokens=sum(usage.completion_tokens or 0 for usage in usages),
        tokens_complete=all(
            None not in (usage.prompt_tokens, usage.completion_tokens) for usage in usages
        ),
        cost=math.fsum(costs) if costs else None,
        cost_complete=len(costs) == len(told) and all(complete for _, _, complete in told),
    )
