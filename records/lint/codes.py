"""Codes that do not exist, and codes that are not those of the name beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from records.diseases.icd10 import Link, default_terminology, same_category
from records.lint.remark import Remark, fault, short, warning
from records.medical_record import Diagnosis, Language, MedicalRecord

_SURE = 65.0
"""Score from which a link that is not of equal names is believed."""
_CHAPTERS = (
    ("A00", "I"),
    ("C00", "II"),
    ("D50", "III"),
    ("E00", "IV"),
    ("F00", "V"),
    ("G00", "VI"),
    ("H00", "VII"),
    ("H60", "VIII"),
    ("I00", "IX"),
    ("J00", "X"),
    ("K00", "XI"),
    ("L00", "XII"),
    ("M00", "XIII"),
    ("N00", "XIV"),
    ("O00", "XV"),
    ("P00", "XVI"),
    ("Q00", "XVII"),
    ("R00", "XVIII"),
    ("S00", "XIX"),
    ("V01", "XX"),
    ("Z00", "XXI"),
    ("U00", "XXII"),
)
"""First category of each chapter of the WHO ICD-10 of 2019; U comes last in the book."""
_CIRCUMSTANCES = frozenset({"XV", "XVI", "XVII", "XVIII", "XX", "XXI", "XXII"})
"""Chapters that hold a disease of any other chapter under its circumstance: pregnancy, birth,
congenital, a symptom, a cause, a contact with services, a provisional code."""


def check_codes(record: MedicalRecord) -> Iterator[Remark]:
    """Remarks on each diagnosis that has a code."""
    for diagnosis in record.diagnoses:
        if diagnosis.icd10 is not None:
            yield from _check(diagnosis, diagnosis.icd10, record.language)


def chapter(code: str) -> str:
    """The chapter of a code, as a Roman numeral."""
    if code[0] == "U":
        return "XXII"
    first = [numeral for start, numeral in _CHAPTERS[:-1] if start <= code[:3]]
    return first[-1] if first else ""


def _check(diagnosis: Diagnosis, code: str, language: Language) -> Iterator[Remark]:
    terminology = default_terminology()
    field = f"diagnoses.{diagnosis.id}.icd10"
    if not terminology.exists(code):
        wider = next(
            (code[:n].rstrip(".") for n in (5, 3) if terminology.exists(code[:n].rstrip("."))), None
        )
        hint = f"; {wider} does ({terminology.title(wider)})" if wider else ""
        yield fault("code", field, f"ICD-10 (WHO 2019) has no {code}{hint}")
        return
    links = [terminology.link(diagnosis.name, language)]
    links += terminology.link_text(diagnosis.name, language)
    links = [link for link in links if link.icd10 is not None and _believed(link)]
    if not links or any(same_category(link.icd10, code) for link in links):
        return
    if _shares_words(diagnosis.name, terminology.title(code) or ""):
        return
    link = links[0]
    title = short(terminology.title(link.icd10 or "") or "")
    what = (
        f"{code} is {short(terminology.title(code) or '')}; "
        f'"{short(diagnosis.name)}" is {link.icd10} ({title})'
    )
    mine, theirs = chapter(code), chapter(link.icd10 or "")
    apart = mine != theirs and not {mine, theirs} & _CIRCUMSTANCES
    if link.how in ("exact", "synonym"):
        yield (fault if apart else warning)("code", field, what)
    elif apart:
        # A near name tells the chapter; within it a doctor's code is as good as our guess.
        yield warning("code", field, what)


def _believed(link: Link) -> bool:
    """Whether a link can object: a near name's code that says "unspecified" says too little."""
    if link.how in ("exact", "synonym"):
        return True
    title = default_terminology().title(link.icd10 or "") or ""
    return link.score >= _SURE and not re.search(r"unspecified|\bother\b", title, re.IGNORECASE)


def _shares_words(name: str, title: str) -> bool:
    """Whether a title has all the words of an English name: another code of the same disease."""
    words = {w[:6] for w in re.findall(r"[a-z]{5,}", name.lower())}
    return bool(words) and words <= {w[:6] for w in re.findall(r"[a-z]{5,}", title.lower())}
