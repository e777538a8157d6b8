"""The rubric's score of a diagnosis: how much of what the reference names it names too."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence, Set

from agents.offline.rubric_score import Score
from agents.offline.rubric_words import sentence_of, shortened, word
from records.diseases.disease_overlap import (
    Linker,
    overlap,
    predicted_links,
    reference_links,
    same_code,
)
from records.mark import DiseaseLink, Letter
from records.medical_record import Diagnosis, MedicalRecord
from records.name_content import name_mass, name_units, units_share

_CREDIT = {"name": 0.85, "code": 0.65, "category": 0.4}
_FURTHER_PRIMARY = 0.6
_ROLE_WEIGHT = {"primary": 1.0, "comorbidity": 0.6, "complication": 0.6, "history": 0.4}
_OUT_OF_REACH = 0.3
_UNREACHED = ("known_history", "unreachable")
_ALLOWED_AT_LEAST = 3
_NOTHING_ELSE = 0.2
"""Share of the score that goes to naming nothing beside the reference."""

_LEAST_SHARE = 0.25
"""A name of which less is said is not met: its side, its organ or its stage are in many names."""

_CLAUSE = re.compile(r"[^。；;，,\n]+")
_RULED_OUT = re.compile(
    r"(?<!不)(?<!不能)(?<!不可)(?<!未)(?<!未能)(?<!无法)(?<!尚未)(?:排除|除外)|不支持|不考虑|否认|"
    r"可能性[较很]?小|\b(?:ruled? out|exclud|unlikely|no evidence|not )",
    re.IGNORECASE,
)


def score_diagnosis(text: str, record: MedicalRecord, linker: Linker) -> Score:
    """Score a diagnosis text against the record's diagnoses."""
    language = record.language
    predicted = predicted_links(text, language, linker)
    reference = reference_links(record, linker)
    said = name_units(_affirmed(text) if predicted else "", language)
    alike = _alike(predicted, reference, record, linker)
    named, missed = [], []
    main = _main(record)
    ceiling: Letter | None = None
    found = False
    earned = whole = 0.0
    met = {j: (_CREDIT[how], how) for j, (_, how) in alike.items()}
    for j, (diagnosis, weight) in enumerate(_weighted(record)):
        share = units_share(name_units(diagnosis.name, language), said, language)
        share = share if share >= _LEAST_SHARE else 0.0
        credit, how = max((share, ""), met.get(j, (0.0, "")))
        earned += weight * credit
        whole += weight
        label = f"{diagnosis.id} {shortened(diagnosis.name)}"
        if credit:
            found = found or diagnosis.reach not in _UNREACHED
            percent = word(language, "share", percent=round(100 * share))
            by = f"{word(language, how)}{word(language, 'comma')}" if how else ""
            named.append(f"{label} ({by}{percent})")
        else:
            missed.append(label)
            ceiling = "C" if j == main else ceiling
    same = {i for i, how in alike.values() if how == "name"}
    extra = _extra(predicted, record, {i for i, _ in alike.values()})
    analysis = word(
        language, "covered", what=word(language, "diagnoses"), n=len(named), of=len(reference)
    )
    analysis += sentence_of(language, "named", named)
    analysis += sentence_of(language, "missed", missed)
    analysis += sentence_of(language, "extra", [shortened(name) for name in extra])
    covered = earned / whole if whole else 0.0
    value = (1 - _NOTHING_ELSE) * covered + _NOTHING_ELSE * _agreeing(predicted, record, same)
    allowed = max(_ALLOWED_AT_LEAST, 2 * len(reference))
    if len(predicted) > allowed:
        value *= allowed / len(predicted)
        analysis += word(language, "too_many", n=len(predicted), allowed=allowed)
    if named and not found and any(d.reach not in _UNREACHED for d in record.diagnoses):
        ceiling = "D"
        analysis += word(language, "none_found", ceiling=ceiling)
    elif ceiling:
        analysis += word(language, "main_missed", ceiling=ceiling)
    return Score(value, analysis, ceiling)


def _main(record: MedicalRecord) -> int | None:
    """The index of the main diagnosis; None if no doctor is to find it by questions and tests."""
    primary = (j for j, d in enumerate(record.diagnoses) if d.role == "primary")
    main = next(primary, 0)
    return None if record.diagnoses[main].reach in _UNREACHED else main


def _weighted(record: MedicalRecord) -> list[tuple[Diagnosis, float]]:
    """The diagnoses with what each weighs: by its role, its reach, and how much its name says.

    By the root of that: a long name has more to say, but is one diagnosis all the same.
    """
    language = record.language
    weighted = []
    primary = False
    for diagnosis in record.diagnoses:
        weight = _ROLE_WEIGHT[diagnosis.role]
        if diagnosis.role == "primary":
            weight = _FURTHER_PRIMARY if primary else weight
            primary = True
        if diagnosis.reach in _UNREACHED:
            weight *= _OUT_OF_REACH
        mass = name_mass(name_units(diagnosis.name, language), language)
        weighted.append((diagnosis, weight * math.sqrt(mass or 1.0)))
    return weighted


def _alike(
    predicted: Sequence[DiseaseLink],
    reference: Sequence[DiseaseLink],
    record: MedicalRecord,
    linker: Linker,
) -> dict[int, tuple[int, str]]:
    """By reference diagnosis: the prediction that shares its code or category, and how."""
    language = record.language
    found: dict[int, tuple[int, str]] = {}
    for i, j in overlap(predicted, reference):
        guess, truth = predicted[i], reference[j]
        if None in (guess.icd10, truth.icd10):
            found[j] = (i, "name")
        elif not same_code(guess, truth):
            found[j] = (i, "category")
        elif linker.knows(guess.name, language) and (
            record.diagnoses[j].icd10 or linker.knows(truth.name, language)
        ):
            # Both are names of the code as they stand; a ranked link may have met a neighbour.
            found[j] = (i, "name")
        else:
            found[j] = (i, "code")
    return found


def _agreeing(predicted: Sequence[DiseaseLink], record: MedicalRecord, same: Set[int]) -> float:
    """Share of what the predicted names say that the reference says too; all of `same` does."""
    language = record.language
    there = _reference_units(record)
    agreeing = whole = 0.0
    for i, link in enumerate(predicted):
        units = name_units(link.name, language)
        mass = name_mass(units, language)
        whole += mass
        agreeing += mass if i in same else name_mass(units & there, language)
    return agreeing / whole if whole else 0.0


def _extra(predicted: Sequence[DiseaseLink], record: MedicalRecord, met: Set[int]) -> list[str]:
    """The predicted names that have nothing to do with any reference."""
    there = _reference_units(record)
    return [
        link.name
        for i, link in enumerate(predicted)
        if i not in met and not name_units(link.name, record.language) & there
    ]


def _reference_units(record: MedicalRecord) -> frozenset[str]:
    return name_units(" ; ".join(d.name for d in record.diagnoses), record.language)


def _affirmed(text: str) -> str:
    """A text without the clauses that rule something out."""
    return " ; ".join(c for c in _CLAUSE.findall(text) if not _RULED_OUT.search(c))
