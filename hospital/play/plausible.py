"""Which diseases a person can have by its sex and age, as far as their ICD-10 codes tell.

Categories limited to one sex: WHO ICD-10 volume 2, instruction manual, chapter on categories with
limitations by sex. Obstetric codes are kept to 10 to 55 years, perinatal ones to the first two.
"""

from __future__ import annotations

from records.medical_record import Demographics

_MALE = (("C60", "C63"), ("D29", "D29"), ("D40", "D40"), ("N40", "N51"), ("Q53", "Q55"))
_FEMALE = (
    ("C51", "C58"),
    ("D06", "D06"),
    ("D25", "D28"),
    ("D39", "D39"),
    ("E28", "E28"),
    ("F53", "F53"),
    ("N70", "N98"),
    ("O00", "O99"),
    ("Q50", "Q52"),
)
_PERINATAL = ("P", "Q40.0")
_CHILDBEARING = (10.0, 55.0)
_INFANT = 2.0


def plausible(icd10: str, person: Demographics) -> bool:
    """False if a person of this sex and age cannot have a disease of this code."""
    if person.sex == "male" and _within(icd10, _FEMALE):
        return False
    if person.sex == "female" and _within(icd10, _MALE):
        return False
    age = person.age_years
    if age is None:
        return True
    if icd10.startswith("O"):
        return _CHILDBEARING[0] <= age <= _CHILDBEARING[1]
    return age <= _INFANT or not icd10.startswith(_PERINATAL)


def _within(icd10: str, ranges: tuple[tuple[str, str], ...]) -> bool:
    return any(first <= icd10[:3] <= last for first, last in ranges)
