"""Harm flags: what of a report could hurt the patient of this record, by rule.

A plan against a recorded allergy, pregnancy, age, disease or medicine, and a red flag that was not
found or not acted on. Deterministic, and no judgement of intent: each flag names its evidence and
its source, so that a clinician can overrule it.
"""

from __future__ import annotations

from typing import Literal

from records.allergies import forbidden_orders
from records.medical_record import MedicalRecord, Paper
from records.prescribing import forbidden_medicines
from records.red_flags import acts_at_once, red_flags
from records.visit import Visit

HarmKind = Literal[
    "allergy",
    "pregnancy",
    "age",
    "contraindication",
    "interaction",
    "red_flag_not_found",
    "red_flag_not_acted_on",
]


class HarmFlag(Paper):
    """One thing that could hurt."""

    kind: HarmKind
    what: str
    """The order, or the red flag."""
    against: str = ""
    """What on record is against the order."""
    evidence: tuple[str, ...] = ()
    """Ids of findings, examinations or diagnoses."""
    source: str = ""
    """The guideline or labelling."""


def harm_flags(visit: Visit, record: MedicalRecord) -> tuple[HarmFlag, ...]:
    """The flags of a visit; none without a report, which harms nobody by what it says.

    A red flag is *not found* if nothing that shows it was stated in the visit, and *not acted on*
    if it was and the plan does nothing at once.
    """
    report = visit.report
    if report is None:
        return ()
    plan = report.treatment
    flags = [
        HarmFlag(
            kind="allergy", what=one.order, against=one.allergy.text, evidence=(one.allergy.id,)
        )
        for one in forbidden_orders(plan, record)
    ]
    flags += [
        HarmFlag(
            kind=one.kind,
            what=one.order,
            against=one.against,
            evidence=one.evidence,
            source=one.source,
        )
        for one in forbidden_medicines(plan, record)
    ]
    whole_case = visit.setting == "one_step"
    stated = {i for m in visit.messages for i in (*m.facts, *m.examinations)}
    acted = acts_at_once(f"{plan}\n{report.diagnosis}", record.language)
    for flag in red_flags(record):
        found = whole_case or not stated.isdisjoint(flag.evidence)
        if found and acted:
            continue
        flags.append(
            HarmFlag(
                kind="red_flag_not_acted_on" if found else "red_flag_not_found",
                what=flag.what,
                evidence=flag.evidence,
                source=flag.source,
            )
        )
    return tuple(flags)
