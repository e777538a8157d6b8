"""Units of another quantity, values and reference ranges that cannot be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pydantic import Field, TypeAdapter

from records.lint.numbers import Measured, Range, read_range, read_value
from records.lint.remark import Remark, fault, short, warning
from records.lint.texts import examination_field, examinations
from records.lint.units import BASE, Dimension, Unit, read_unit
from records.medical_record import Examination, MedicalRecord, Paper

_ELSEWHERE = re.compile(
    r"尿(?!素|酸)|脑脊液|胸水|胸腔积液|腹水|腹腔积液|关节液|穿刺液|心包|粪|大便|分泌物|引流|精液|"
    r"汗|痰|脓|"
    r"羊水|"
    r"urin|csf|cerebrospinal|lumbar|pleural|ascit|perito|synovial|joint|stool|f[a]?ecal|fluid|"
    r"semen|"
    r"sweat|sputum|aspirat|drain|biops|smear|pericard|24[- ]?h|比值|clearance|清除",
    re.IGNORECASE,
)
"""What is measured elsewhere than in blood, where other limits hold."""
_OF_BLOOD = re.compile(
    r"^(?:blood|serum|plasma|venous|arterial|total|血清|血浆|静脉血|全血)\s*", re.IGNORECASE
)
_FAR = 200.0
_BRACKETS = re.compile(r"[（(][^()（）]*[)）]")

Limits = dict[Dimension, tuple[float, float]]


class Quantity(Paper):
    """One thing that is measured, with its limits in base units by dimension."""

    id: str
    zh: tuple[str, ...]
    en: tuple[str, ...]
    possible: dict[Dimension, tuple[float, float]]
    """Limits of what any laboratory reports of any patient."""
    normal: dict[Dimension, tuple[float, float]] = Field(default_factory=dict)
    """Limits beyond which no one calls it normal, at any age; wider than any reference range."""
    normal_adult: dict[Dimension, tuple[float, float]] = Field(default_factory=dict)
    """The same for adults alone."""


@dataclass(frozen=True)
class Measurement:
    """A recorded number that we know the quantity of."""

    quantity: Quantity
    value: Measured
    unit: Unit
    unit_text: str

    @property
    def base(self) -> tuple[float, ...]:
        """Its numbers in the base unit of its dimension."""
        return tuple(number * self.unit.factor for number in self.value.numbers)


@cache
def load_quantities() -> dict[str, Quantity]:
    """The bundled quantities by every name of theirs, normalised; read once."""
    text = files("records.lint").joinpath("quantities.json").read_text(encoding="utf-8")
    found = TypeAdapter(tuple[Quantity, ...]).validate_json(text)
    return {_key(name): quantity for quantity in found for name in (*quantity.zh, *quantity.en)}


def quantity_of(examination: Examination) -> Quantity | None:
    """What an examination measures in blood or of the body; None if that is not known."""
    if _ELSEWHERE.search(f"{examination.category or ''} {examination.name}"):
        return None
    name = _key(_BRACKETS.sub("", examination.name))
    known = load_quantities()
    return known.get(name) or known.get(_OF_BLOOD.sub("", name))


def measurement_of(examination: Examination) -> Measurement | None:
    """A result as a number of a known quantity in a unit that measures it; None if it is not."""
    quantity, value = quantity_of(examination), read_value(examination.value)
    if quantity is None or value is None:
        return None
    unit = _unit_of(quantity, examination.unit)
    if unit is None or unit.dimension not in quantity.possible:
        return None
    return Measurement(quantity, value, unit, examination.unit or "")


def check_quantities(record: MedicalRecord) -> Iterator[Remark]:
    """Remarks on units, reference ranges and sizes, examination by examination."""
    for examination in examinations(record):
        field = examination_field(examination)
        yield from _check_range(examination, f"{field}.reference_range")
        quantity = quantity_of(examination)
        if quantity is None:
            continue
        unit = _unit_of(quantity, examination.unit)
        if unit is None or unit.dimension == "per_field":
            continue
        if unit.dimension not in quantity.possible:
            fitting = " or ".join(BASE[d] for d in quantity.possible) or "no unit"
            name = short(examination.name)
            what = f'"{name}" is not measured in {examination.unit}; {fitting} would fit'
            yield fault("quantity", f"{field}.unit", what)
            continue
        yield from _check_size(examination, quantity, unit, field)


def _check_range(examination: Examination, field: str) -> Iterator[Remark]:
    ranges, value = read_range(examination.reference_range or ""), read_value(examination.value)
    if value and len(ranges) == len(value.numbers) == 1 and _far(value.numbers[0], ranges[0]):
        what = (
            f"{short(examination.reading, 40)} is {_FAR:g} times off its range "
            f"{short(examination.reference_range or '')}; are both of one unit?"
        )
        yield warning("quantity", field, what)
    for found in ranges:
        if found.low is not None and found.high is not None and found.low > found.high:
            written = short(examination.reference_range or "")
            yield fault("quantity", field, f'"{written}" has its low end above its high end')


def _far(number: float, limits: Range) -> bool:
    """Whether a number is far outside a range of two ends: what has a low end is kept in bounds."""
    if not limits.low or not limits.high or not number:
        return False
    return number > _FAR * limits.high or number < limits.low / _FAR


def _check_size(
    examination: Examination, quantity: Quantity, unit: Unit, field: str
) -> Iterator[Remark]:
    low, high = quantity.possible[unit.dimension]
    value = read_value(examination.value)
    if value is not None:
        for number in value.numbers:
            # None found (0) is reported of anything that is counted or detected.
            if number and not low * 0.999 <= number * unit.factor <= high * 1.001:
                hint = _hint(quantity, unit, number, examination.unit or "")
                what = (
                    f"{number:g} {examination.unit or ''} cannot be; "
                    f"{_plain(low / unit.factor)} to {_plain(high / unit.factor)} can{hint}"
                )
                yield fault("quantity", f"{field}.value", " ".join(what.split()))
    expected = quantity.normal.get(unit.dimension)
    for found in read_range(examination.reference_range or ""):
        if expected is not None and not _overlap(found, unit, expected):
            what = (
                f'"{short(examination.reference_range or "")}" {examination.unit or ""} is no '
                f"reference range of {short(examination.name)}; is it of another unit?"
            )
            yield fault("quantity", f"{field}.reference_range", what)


def _overlap(found: Range, unit: Unit, expected: tuple[float, float]) -> bool:
    return (found.low is None or found.low * unit.factor <= expected[1]) and (
        found.high is None or found.high * unit.factor >= expected[0]
    )


def _hint(quantity: Quantity, unit: Unit, number: float, written: str) -> str:
    """By which factor, or in which other unit, the number could be."""
    for other in ("°C", "°F"):
        read = read_unit(other)
        if read and read.dimension != unit.dimension and read.dimension in quantity.possible:
            low, high = quantity.possible[read.dimension]
            if low <= number <= high:
                return f"; in {other}?"
    for limits in (quantity.normal, quantity.normal_adult, quantity.possible):
        low, high = limits.get(unit.dimension, (1.0, 0.0))
        for factor in (10, 100, 1000, 0.1, 0.01, 0.001, 1e6, 1e9, 1e-6, 1e-9):
            if low <= number * factor * unit.factor <= high:
                return f"; is it {_plain(number * factor)} {written}?"
    return ""


def _unit_of(quantity: Quantity, text: str | None) -> Unit | None:
    """The unit; of a quantity without any, a bare number has the factor 1."""
    if text is None or text.strip().lower() in ("", "ratio"):
        return Unit("none", 1) if "none" in quantity.possible else None
    return read_unit(text)


def _key(name: str) -> str:
    return " ".join(name.lower().replace("-", " ").split())


def _plain(number: float) -> str:
    return f"{number:.4g}" if 1e-4 <= abs(number) < 1e7 or number == 0 else f"{number:.3e}"
