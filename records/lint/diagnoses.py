"""Diagnoses that a recorded result excludes, or that their most telling examination belies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from records.examinations.requests import match_request
from records.knowledge import Disease, load_knowledge
from records.lint.quantities import Measurement, measurement_of
from records.lint.remark import Remark, fault, short, warning
from records.lint.texts import examination_field, examinations
from records.lint.units import BASE
from records.medical_record import Diagnosis, Examination, Language, MedicalRecord


def check_diagnoses(record: MedicalRecord) -> Iterator[Remark]:
    """Remarks on results that speak against a current diagnosis."""
    for diagnosis in record.diagnoses:
        if diagnosis.role != "history" and not _PAST.search(diagnosis.name):
            yield from _against_diagnosis(diagnosis, record)
            yield from _against_knowledge(diagnosis, record)


@dataclass(frozen=True)
class _Definition:
    """A diagnosis that is by definition a value beyond a limit."""

    name: re.Pattern[str]
    quantity: str
    low: bool
    """Whether the value is to be low; else high."""
    limits: dict[str, float]
    """By dimension in base units: on the wrong side of it the diagnosis cannot be. Beyond the
    definition by a margin, for the lowest value may not be on record."""


def _define(name: str, quantity: str, side: str, **limits: float) -> _Definition:
    return _Definition(re.compile(name, re.IGNORECASE), quantity, side == "low", limits)


_PAST = re.compile(
    r"病史|史$|既往|术后|治疗后|\bhistory of\b|\bprior\b|\bresolved\b|待查|待排|可能|\?|？",
    re.IGNORECASE,
)
_DEFINITIONS = (
    _define(
        r"贫血(?!貌)|an[a]?emia\b",
        "haemoglobin",
        "low",
        mass_concentration=142,
        amount_concentration=8.8e-3,
    ),
    _define(r"低钾|hypokal[a]?emi", "potassium", "low", amount_concentration=3.7e-3),
    _define(r"高钾|hyperkal[a]?emi", "potassium", "high", amount_concentration=4.9e-3),
    _define(r"低钠|hyponatr[a]?emi", "sodium", "low", amount_concentration=0.1365),
    _define(r"高钠血|hypernatr[a]?emi", "sodium", "high", amount_concentration=0.1435),
    _define(
        r"高钙血|hypercalc[a]?emi",
        "calcium",
        "high",
        amount_concentration=2.45e-3,
        mass_concentration=0.098,
    ),
    _define(r"血小板减少|thrombocytopeni", "platelets", "low", count_concentration=1.7e11),
    _define(
        r"(?:粒|白)细胞(?:减少|缺乏)|leu[ck]openi", "white_cells", "low", count_concentration=6e9
    ),
    _define(
        r"高尿酸血|hyperuric[a]?emi",
        "uric_acid",
        "high",
        amount_concentration=3e-4,
        mass_concentration=0.05,
    ),
    _define(
        r"糖尿病酮症酸中毒|ketoacidosis",
        "ph",
        "low",
        none=7.36,
    ),
    _define(
        r"糖尿病酮症酸中毒|ketoacidosis",
        "bicarbonate",
        "low",
        amount_concentration=0.0205,
    ),
    _define(
        r"高血糖|高渗.*综合征|hyperglyc[a]?emi|hyperosmolar",
        "glucose",
        "high",
        amount_concentration=6.9e-3,
        mass_concentration=1.25,
    ),
    _define(
        r"低血糖|hypoglyc[a]?emi",
        "glucose",
        "low",
        amount_concentration=4.2e-3,
        mass_concentration=0.75,
    ),
    _define(r"低(?:白)?蛋白血|hypoalbumin[a]?emi", "albumin", "low", mass_concentration=37),
    _define(
        r"急性肾损伤|急性肾(?:功能)?衰竭|acute kidney injury|acute renal failure",
        "creatinine",
        "high",
        amount_concentration=6e-5,
        mass_concentration=7e-3,
    ),
    _define(r"呼吸衰竭|respiratory failure", "pao2", "low", pressure=95),
)


def _against_diagnosis(diagnosis: Diagnosis, record: MedicalRecord) -> Iterator[Remark]:
    measured = [(e, m) for e in examinations(record) if (m := measurement_of(e)) is not None]
    for definition in _DEFINITIONS:
        if not definition.name.search(diagnosis.name):
            continue
        shown = [(e, m) for e, m in measured if m.quantity.id == definition.quantity]
        if shown and all(_excludes(definition, m) for _, m in shown):
            yield _excluded(diagnosis, definition, shown)


def _excludes(definition: _Definition, measured: Measurement) -> bool:
    limit = definition.limits.get(measured.unit.dimension)
    if limit is None or len(measured.base) != 1:
        return False
    return measured.base[0] > limit if definition.low else measured.base[0] < limit


def _excluded(
    diagnosis: Diagnosis,
    definition: _Definition,
    shown: Sequence[tuple[Examination, Measurement]],
) -> Remark:
    examination, measured = shown[0]
    limit = definition.limits[measured.unit.dimension] / measured.unit.factor
    side = "below" if definition.low else "above"
    unit = measured.unit_text or BASE[measured.unit.dimension]
    what = (
        f"{short(examination.name)} {short(examination.reading, 40)} speaks against "
        f'"{short(diagnosis.name)}"; expected {side} {limit:.4g} {unit}'
    )
    return fault("diagnosis", examination_field(examination), what)


def _against_knowledge(diagnosis: Diagnosis, record: MedicalRecord) -> Iterator[Remark]:
    """The most telling examination of a disease, called normal throughout."""
    disease = _known(diagnosis, record.language)
    if disease is None:
        return
    telling = disease.examinations[0]
    every = record.auxiliary_examinations
    match = match_request(telling.name(record.language), every, record.language)
    ids = {i for item in match.items for i in item.ids}
    shown = [e for e in every if e.id in ids]
    if shown and all(e.abnormal is False for e in shown):
        expected = "; ".join(" ".join(words) for words in telling.expected(record.language))
        what = (
            f'{short(shown[0].name)} is normal ("{short(shown[0].reading, 40)}"), and '
            f'"{short(diagnosis.name)}" is most often told by it: {short(expected)}'
        )
        yield warning("diagnosis", examination_field(shown[0]), what)


def _known(diagnosis: Diagnosis, language: Language) -> Disease | None:
    """The disease in the knowledge file with the diagnosis's code, or with its very name."""
    for disease in load_knowledge():
        names = {name.lower() for name in disease.names.get(language, ())}
        if disease.icd10 == diagnosis.icd10 or diagnosis.name.lower() in names:
            return disease
    return None
