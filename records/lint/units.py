"""Units of measurement: what kind of quantity a unit is of, and how large against the base unit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Dimension = Literal[
    "mass_concentration",
    "amount_concentration",
    "activity",
    "count_concentration",
    "per_field",
    "share",
    "amount_share",
    "pressure",
    "water_pressure",
    "celsius",
    "fahrenheit",
    "rate",
    "time",
    "length",
    "mass",
    "volume",
    "sedimentation",
    "mass_per_area",
    "osmolality",
    "none",
]

BASE: dict[Dimension, str] = {
    "mass_concentration": "g/L",
    "amount_concentration": "mol/L",
    "activity": "U/L",
    "count_concentration": "/L",
    "per_field": "/HPF",
    "share": "%",
    "amount_share": "mmol/mol",
    "pressure": "mmHg",
    "water_pressure": "cmH2O",
    "celsius": "°C",
    "fahrenheit": "°F",
    "rate": "/min",
    "time": "s",
    "length": "m",
    "mass": "kg",
    "volume": "L",
    "sedimentation": "mm/h",
    "mass_per_area": "kg/m²",
    "osmolality": "mOsm/kg",
    "none": "no unit",
}
"""The unit that the limits of `quantities.json` are given in."""


@dataclass(frozen=True)
class Unit:
    """What a unit measures, and how many base units it is."""

    dimension: Dimension
    factor: float


_PREFIX = {"k": 1e3, "": 1.0, "d": 1e-1, "c": 1e-2, "m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12}
_PREFIX["f"] = 1e-15
_LITRES = {"l": 1.0, "dl": 1e-1, "ml": 1e-3, "ul": 1e-6, "mm3": 1e-6, "cmm": 1e-6, "fl": 1e-15}
_LITRES |= {"cc": 1e-3, "cm3": 1e-3, "m3": 1e3}
_MASS = re.compile(r"(?P<prefix>[kmunpf]|mc)?(?:g|gm)")
_AMOUNT = re.compile(r"(?P<prefix>[munpf])?(?:mol|eq)")
_ACTIVITY = re.compile(r"(?P<prefix>[mku])?i?u")
_COUNT = re.compile(
    r"(?:(?:[×x*]?10\^?(?P<power>\d{1,2}))|(?P<kilo>k|thou(?:sand)?)|(?P<mega>mil(?:lion)?))?"
    r"(?:cells?|copies|个|cfu)?"
)
_WHOLE: dict[str, Unit] = {
    "%": Unit("share", 1),
    "‰": Unit("share", 0.1),
    "mmol/mol": Unit("amount_share", 1),
    "mmhg": Unit("pressure", 1),
    "kpa": Unit("pressure", 7.50062),
    "torr": Unit("pressure", 1),
    "cmh2o": Unit("water_pressure", 1),
    "mmh2o": Unit("water_pressure", 0.1),
    "°c": Unit("celsius", 1),
    "℃": Unit("celsius", 1),
    "度": Unit("celsius", 1),
    "°f": Unit("fahrenheit", 1),
    "℉": Unit("fahrenheit", 1),
    "bpm": Unit("rate", 1),
    "/min": Unit("rate", 1),
    "次/分": Unit("rate", 1),
    "次/分钟": Unit("rate", 1),
    "次/min": Unit("rate", 1),
    "beats/min": Unit("rate", 1),
    "beats/minute": Unit("rate", 1),
    "breaths/min": Unit("rate", 1),
    "breaths/minute": Unit("rate", 1),
    "s": Unit("time", 1),
    "sec": Unit("time", 1),
    "second": Unit("time", 1),
    "seconds": Unit("time", 1),
    "秒": Unit("time", 1),
    "min": Unit("time", 60),
    "minutes": Unit("time", 60),
    "分": Unit("time", 60),
    "h": Unit("time", 3600),
    "m": Unit("length", 1),
    "cm": Unit("length", 1e-2),
    "厘米": Unit("length", 1e-2),
    "mm": Unit("length", 1e-3),
    "kg": Unit("mass", 1),
    "公斤": Unit("mass", 1),
    "千克": Unit("mass", 1),
    "g": Unit("mass", 1e-3),
    "lb": Unit("mass", 0.4536),
    "lbs": Unit("mass", 0.4536),
    "ml": Unit("volume", 1e-3),
    "l": Unit("volume", 1),
    "fl": Unit("volume", 1e-15),
    "um3": Unit("volume", 1e-15),
    "mm/h": Unit("sedimentation", 1),
    "mm/hr": Unit("sedimentation", 1),
    "mm/1h": Unit("sedimentation", 1),
    "mm/hour": Unit("sedimentation", 1),
    "kg/m2": Unit("mass_per_area", 1),
    "mosm/kg": Unit("osmolality", 1),
    "mosmol/kg": Unit("osmolality", 1),
    "mosm/l": Unit("osmolality", 1),
    "mosm/kgh2o": Unit("osmolality", 1),
}
_FIELD = re.compile(r"(?:个|cells?)?/(?:hpf?|lpf?|高倍视野|高倍镜|低倍视野|视野)")


_SAME = (
    ("μ", "u"),
    ("µ", "u"),
    ("³", "3"),
    ("²", "2"),
    ("mm^3", "mm3"),
    ("um^3", "um3"),
    ("kg/m^2", "kg/m2"),
    ("·", ""),
)


def read_unit(text: str) -> Unit | None:
    """What a unit as written measures; None if it is not a unit known here."""
    unit = "".join(text.split()).lower()
    for written, same in _SAME:
        unit = unit.replace(written, same)
    if unit in _WHOLE:
        return _WHOLE[unit]
    if _FIELD.fullmatch(unit):
        return Unit("per_field", 1)
    if unit == "g%":
        return Unit("mass_concentration", 10)
    above, slash, below = unit.partition("/")
    if not slash or below not in _LITRES:
        return None
    return _over_volume(above, _LITRES[below])


def _over_volume(above: str, litres: float) -> Unit | None:
    if found := _MASS.fullmatch(above):
        prefix = (found["prefix"] or "").replace("mc", "u")
        return Unit("mass_concentration", _PREFIX[prefix] / litres)
    if found := _AMOUNT.fullmatch(above):
        return Unit("amount_concentration", _PREFIX[found["prefix"] or ""] / litres)
    if found := _ACTIVITY.fullmatch(above):
        return Unit("activity", _PREFIX[found["prefix"] or ""] / litres)
    if found := _COUNT.fullmatch(above):
        factor = 10.0 ** int(found["power"]) if found["power"] else 1.0
        factor *= 1e3 if found["kilo"] else 1e6 if found["mega"] else 1.0
        return Unit("count_concentration", factor / litres)
    return None
