"""Orders of a plan that the record forbids: by pregnancy, age, another disease, another medicine.

The rules and the names of medicines stand in `records/knowledge/prescribing.json`, each rule with
its source. Allergies are in `records.allergies`. Coarse and cautious: only a medicine that the plan
names outright, and never in a clause that withholds it ("avoid aspirin", "停用阿司匹林").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import Field, TypeAdapter

from records.allergies import giving_clauses
from records.medical_record import Language, MedicalRecord, Paper

Kind = Literal["pregnancy", "age", "contraindication", "interaction"]

_PREGNANT: dict[Language, str] = {
    "zh": r"孕\d+周|妊娠\d+周|怀孕\d+|现孕|孕(?:早|中|晚)期",
    "en": r"\b\d+ weeks(?:'|’)? pregnant|currently pregnant|pregnant \d+ weeks|in the (?:first"
    r"|second|third) trimester|\b\d+ weeks of (?:gestation|pregnancy)",
}
_BIRTH: dict[Language, str] = {
    "zh": r"剖宫产|终止妊娠|引产|娩出",
    "en": r"c(?:a)?esarean|birth at once|deliver(?:y|ed)? (?:at once|now|immediately)|terminat\w+",
}
"""A plan that ends the pregnancy; what it gives afterwards is not given in it."""
_PREGNANCY_CODES = re.compile(r"O(?:09|[1-4]\d)|Z3[345]")
_NO_LONGER = re.compile(r"O0[0-8]|O8[0-9]|O9[0-2]")
"""Ectopic, ended, delivered: what harms a child to be harms no one any more."""


class ForbiddenMedicine(Paper):
    """One order against one rule."""

    kind: Kind
    order: str
    """The plan's words for the medicine."""
    medicine: str
    """The family of medicines, as the rule names it."""
    against: str
    """What on record forbids it, in the record's language."""
    evidence: tuple[str, ...] = ()
    """Ids of the findings or diagnoses."""
    source: str


class _Rule(Paper):
    kind: Kind
    medicine: str
    below: float | None = None
    codes: tuple[str, ...] = ()
    excepted: tuple[str, ...] = Field(default=(), alias="except")
    taken: dict[Language, str] = Field(default_factory=dict)
    source: str


class _Prescribing(Paper):
    medicines: dict[str, dict[Language, str]]
    rules: tuple[_Rule, ...]


def forbidden_medicines(plan: str, record: MedicalRecord) -> tuple[ForbiddenMedicine, ...]:
    """The medicines that a plan gives against the record, one for each rule, in the file's order.

    Args:
        plan: the treatment part of a report.
        record: the case, whose diagnoses, age and findings are what is against.
    """
    known = _load()
    clauses = giving_clauses(plan, record.language)
    born = re.search(_BIRTH[record.language], plan, re.IGNORECASE)
    found = []
    for rule in known.rules:
        if rule.kind == "pregnancy" and born:
            continue
        pattern = known.medicines[rule.medicine][record.language]
        given = next(
            (m.group() for c in clauses if (m := re.search(pattern, c, re.IGNORECASE))), None
        )
        if given is None:
            continue
        for against, evidence in list(_against(rule, record))[:1]:
            found.append(
                ForbiddenMedicine(
                    kind=rule.kind,
                    order=given,
                    medicine=rule.medicine,
                    against=against,
                    evidence=evidence,
                    source=rule.source,
                )
            )
    return tuple(found)


def _against(rule: _Rule, record: MedicalRecord) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What on record is against a rule's medicine, with its evidence."""
    codes = [(d.id, d.name, d.icd10 or "") for d in record.diagnoses]
    if any(code.startswith(rule.excepted) for _, _, code in codes if rule.excepted):
        return
    if rule.kind == "pregnancy":
        yield from _pregnancy(record)
    elif rule.kind == "age":
        age = record.demographics.age_years
        if age is not None and rule.below is not None and age < rule.below:
            zh = record.language == "zh"
            yield f"{age:g}{'岁' if zh else ' years old'}", ()
    elif rule.kind == "contraindication":
        yield from ((name, (i,)) for i, name, code in codes if code.startswith(rule.codes))
    else:
        pattern = rule.taken[record.language]
        for finding in record.findings:
            own = finding.section in ("medication_history", "history_of_present_illness")
            if finding.present and own and re.search(pattern, finding.text, re.IGNORECASE):
                yield finding.text, (finding.id,)


def _pregnancy(record: MedicalRecord) -> Iterator[tuple[str, tuple[str, ...]]]:
    codes = [(d.id, d.name, d.icd10 or "") for d in record.diagnoses]
    if any(_NO_LONGER.match(code) for _, _, code in codes):
        return
    yield from ((name, (i,)) for i, name, code in codes if _PREGNANCY_CODES.match(code))
    for finding in record.findings:
        now = finding.section in ("chief_complaint", "history_of_present_illness", "persona")
        told = re.search(_PREGNANT[record.language], finding.text, re.IGNORECASE)
        if finding.present and now and told:
            yield finding.text, (finding.id,)


@cache
def _load() -> _Prescribing:
    text = files("records").joinpath("knowledge/prescribing.json").read_text(encoding="utf-8")
    return TypeAdapter(_Prescribing).validate_json(text)
