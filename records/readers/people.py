"""Demographics as sources write them, in both languages: age, sex, occupation."""

from __future__ import annotations

import re

from records.medical_record import Demographics, Sex

_FEMALE = re.compile(
    r"\b(?:female|woman|women|girl|lady|nulliparous|gravida|primigravida|pregnant)\b|女", re.I
)
_MALE = re.compile(r"\b(?:male|man|men|boy|gentleman)\b|男", re.I)
_ZH_AGE = re.compile(
    r"(?:(?P<years>\d{1,6}(?:\.\d{1,6})?)\s*(?:周?岁|年)(?P<half>半)?)?"
    r"(?:(?P<months>\d{1,6}(?:\.\d{1,6})?)\s*(?:个?月|月龄))?"
    r"(?:(?P<weeks>\d{1,6})\s*周)?(?:(?P<days>\d{1,6})\s*[天日])?(?:(?P<hours>\d{1,6})\s*小时)?"
)
_EN_AGE = re.compile(
    r"(?P<number>\d{1,6}(?:\.\d{1,6})?)[\s-]*(?P<unit>year|month|week|day|hour)s?(?:[\s-]*old\b)?",
    re.I,
)
_YEARS = {"year": 1.0, "month": 1 / 12, "week": 7 / 365.25, "day": 1 / 365.25, "hour": 1 / 8766}
_NEWBORN = re.compile(r"\bnew-?born\b|\bneonate\b|新生儿", re.I)


def age_in_years(text: str) -> float | None:
    """Age in years, three decimals: "2岁3个月" is 2.25, "9-day-old" 0.025, a newborn 0."""
    bare = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*", text)
    if bare:
        return float(bare[1])
    for found in _ZH_AGE.finditer(text):
        parts = found.groupdict()
        if not any(parts.values()):
            continue
        age = sum(
            float(parts[f"{unit}s"]) * years for unit, years in _YEARS.items() if parts[f"{unit}s"]
        )
        return round(age + (0.5 if parts["half"] else 0), 3)
    for spoken in _EN_AGE.finditer(text):
        # "at 36 weeks' gestation" and "two days post surgery" are no ages.
        tail = text[spoken.end() :].lstrip("'’ ")
        if re.match(r"(?:of\s+)?gestation|gestational|post|pregnan", tail, re.I):
            continue
        if "old" in spoken[0].lower() or re.match(r"[\s,]*(?:male|female|man|woman)", tail, re.I):
            return round(float(spoken["number"]) * _YEARS[spoken["unit"].lower()], 3)
    return 0.0 if _NEWBORN.search(text) else None


def sex_of(text: str) -> Sex | None:
    """Sex where a word of the text says it and no word says the other."""
    female, male = _FEMALE.search(text), _MALE.search(text)
    if bool(female) == bool(male):
        return None
    return "female" if female else "male"


def read_demographics(text: str) -> Demographics:
    """Read one phrase such as "47-year-old woman" or "Newborn, female"."""
    text = text.strip()
    return Demographics(age_years=age_in_years(text), sex=sex_of(text), description=text or None)
