"""Results against one another: parts above their whole, numbers that no one has at once."""

from __future__ import annotations

import re
from collections.abc import Iterator

from records.lint.quantities import Measurement, measurement_of
from records.lint.remark import Remark, fault, short, warning
from records.lint.texts import examination_field, examinations
from records.medical_record import Examination, MedicalRecord

_PARTS = (
    ("direct_bilirubin", "bilirubin"),
    ("indirect_bilirubin", "bilirubin"),
    ("albumin", "protein"),
    ("hdl", "cholesterol"),
    ("ldl", "cholesterol"),
)
_ROUNDING = 1.05
_HAEMATOCRIT = (0.22, 0.42)
"""Haematocrit in percent over haemoglobin in g/L: about 0.3 in whatever anaemia."""
_AGAIN = re.compile(
    r"复查|后|前|次|入院|术|日|小时|\d+[-/月]\d+|\b(?:repeat|after|before|later|on day|hours?|"
    r"days?|ago)\b",
    re.IGNORECASE,
)
_HEART_RATE = re.compile(r"心率\s*(\d{2,3})\s*次|heart rate (?:of )?(\d{2,3})\b", re.IGNORECASE)
_IRREGULAR = re.compile(
    r"房颤|心房颤动|不齐|短绌|早搏|fibrillation|irregular|ectop|deficit", re.IGNORECASE
)
_BEATS = 15.0


def check_comparisons(record: MedicalRecord) -> Iterator[Remark]:
    """Remarks on pairs of results that cannot both be right."""
    measured: dict[str, tuple[Examination, Measurement]] = {}
    for examination in examinations(record):
        found = measurement_of(examination)
        if found is None or found.value.bounded or not _can_be(found):
            continue
        if found.quantity.id == "blood_pressure" and len(found.base) == 2:
            yield from _pressures(examination, found)
        twice = found.quantity.id in measured and _AGAIN.search(examination.name)
        if len(found.base) == 1 and not twice:
            measured.setdefault(found.quantity.id, (examination, found))
    for part, whole in _PARTS:
        if part in measured and whole in measured:
            yield from _part(*measured[part], *measured[whole])
    yield from _haematocrit(measured)
    yield from _heart(record, measured)


def _can_be(found: Measurement) -> bool:
    """Whether the number by itself can be; what cannot is told of by itself."""
    low, high = found.quantity.possible[found.unit.dimension]
    return all(low <= number <= high for number in found.base)


def _pressures(examination: Examination, found: Measurement) -> Iterator[Remark]:
    systolic, diastolic = found.base
    if systolic <= diastolic:
        field = f"{examination_field(examination)}.value"
        what = f"{short(examination.reading)} has its diastolic pressure above its systolic"
        yield fault("quantity", field, what)


def _part(
    examination: Examination, part: Measurement, other: Examination, whole: Measurement
) -> Iterator[Remark]:
    same = part.unit.dimension == whole.unit.dimension
    if same and part.base[0] > _ROUNDING * whole.base[0]:
        what = (
            f"{short(examination.name)} {short(examination.reading, 30)} is more than "
            f"{short(other.name)} {short(other.reading, 30)}, of which it is a part"
        )
        yield warning("quantity", f"{examination_field(examination)}.value", what)


def _haematocrit(measured: dict[str, tuple[Examination, Measurement]]) -> Iterator[Remark]:
    if not {"haematocrit", "haemoglobin"} <= measured.keys():
        return
    (examination, share), (other, mass) = measured["haematocrit"], measured["haemoglobin"]
    if mass.unit.dimension != "mass_concentration" or not mass.base[0]:
        return
    ratio = share.base[0] / mass.base[0]
    if not _HAEMATOCRIT[0] <= ratio <= _HAEMATOCRIT[1]:
        what = (
            f"{short(examination.reading, 30)} does not go with {short(other.name)} "
            f"{short(other.reading, 30)}; about {0.3 * mass.base[0]:.0f} % would"
        )
        yield warning("quantity", f"{examination_field(examination)}.value", what)


def _heart(
    record: MedicalRecord, measured: dict[str, tuple[Examination, Measurement]]
) -> Iterator[Remark]:
    """A heart rate told in words against the pulse, unless the rhythm may part them."""
    if "pulse" not in measured or any(
        _IRREGULAR.search(f"{e.name} {e.value}") for e in examinations(record)
    ):
        return
    pulse, taken = measured["pulse"]
    for examination in record.physical_examination:
        told = _HEART_RATE.search(examination.value)
        if told and abs(float(told[1] or told[2]) - taken.base[0]) > _BEATS:
            what = f'"{told[0]}" does not go with {short(pulse.name)} {short(pulse.reading, 30)}'
            yield warning("quantity", f"{examination_field(examination)}.value", what)
