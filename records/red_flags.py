"""Red flags: what on record cannot wait, and whether a plan acts on it.

Vital signs and results by limits, complaints by their words, each with the guideline that draws the
line (`records/knowledge/red_flags.json`).
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from pydantic import TypeAdapter

from records.lint.quantities import measurement_of
from records.lint.units import Dimension
from records.medical_record import Language, MedicalRecord, Paper


class RedFlag(Paper):
    """Something on record that cannot wait."""

    id: str
    what: str
    """In the record's language."""
    evidence: tuple[str, ...]
    """Ids of the findings or examinations that show it."""
    source: str


class _Limit(Paper):
    id: str
    quantity: str
    dimension: Dimension
    below: float | None = None
    above: float | None = None
    from_age: float = 0.0
    zh: str
    en: str
    source: str


class _Complaint(Paper):
    id: str
    zh: str
    en: str
    source: str


class _Sign(Paper):
    id: str
    name_zh: str
    name_en: str
    value_zh: str
    value_en: str
    zh: str
    en: str
    source: str


class _Flags(Paper):
    results: tuple[_Limit, ...]
    signs: tuple[_Sign, ...]
    findings: tuple[_Complaint, ...]
    acts: dict[Language, str]


def red_flags(record: MedicalRecord) -> tuple[RedFlag, ...]:
    """The red flags of a record: numbers, then words of results, then complaints, as filed."""
    flags = _load()
    measured = [
        (examination.id, found)
        for examination in (*record.physical_examination, *record.auxiliary_examinations)
        if (found := measurement_of(examination)) is not None
    ]
    age = record.demographics.age_years
    told: list[RedFlag] = []
    for limit in flags.results:
        if limit.from_age and (age is None or age < limit.from_age):
            continue
        evidence = tuple(
            i
            for i, m in measured
            if m.quantity.id == limit.quantity
            and m.unit.dimension == limit.dimension
            and _beyond(limit, m.base[0])
        )
        if evidence:
            what = limit.zh if record.language == "zh" else limit.en
            told.append(RedFlag(id=limit.id, what=what, evidence=evidence, source=limit.source))
    for sign in flags.signs:
        name, value = (
            (sign.name_zh, sign.value_zh)
            if record.language == "zh"
            else (sign.name_en, sign.value_en)
        )
        shown = tuple(
            e.id
            for e in (*record.physical_examination, *record.auxiliary_examinations)
            if re.search(name, f"{e.category or ''} {e.name}", re.IGNORECASE)
            and re.search(value, e.value, re.IGNORECASE)
        )
        if shown:
            what = sign.zh if record.language == "zh" else sign.en
            told.append(RedFlag(id=sign.id, what=what, evidence=shown, source=sign.source))
    for complaint in flags.findings:
        pattern = complaint.zh if record.language == "zh" else complaint.en
        told_of = [
            finding
            for finding in record.findings
            if finding.present
            and finding.section in ("persona", "chief_complaint", "history_of_present_illness")
            and re.search(pattern, finding.text, re.IGNORECASE)
        ]
        if told_of:
            told.append(
                RedFlag(
                    id=complaint.id,
                    what=told_of[0].text,
                    evidence=tuple(f.id for f in told_of),
                    source=complaint.source,
                )
            )
    return tuple(told)


def acts_at_once(plan: str, language: Language) -> bool:
    """True if a plan does anything at once: admits, refers, operates, infuses, monitors."""
    return re.search(_load().acts[language], plan, re.IGNORECASE) is not None


def _beyond(limit: _Limit, number: float) -> bool:
    low = limit.below is not None and number < limit.below
    return low or (limit.above is not None and number > limit.above)


@cache
def _load() -> _Flags:
    text = files("records").joinpath("knowledge/red_flags.json").read_text(encoding="utf-8")
    return TypeAdapter(_Flags).validate_json(text)
