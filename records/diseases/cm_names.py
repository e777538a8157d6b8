"""English synonyms of ICD-10-CM, mapped to the WHO codes that this house uses.

The American edition (`simple-icd-10-cm`, MIT, data of the US government) lists thousands of
inclusion terms. Most of its codes begin as WHO's, but some lie where WHO has something else, or
WHO puts the disease elsewhere (TMJ disorders M26 for K07.6, deep vein thrombosis I82 for I80.2). So
a subcategory, then a category, is taken over only if the two titles agree or a reviewed list below
says so; else its terms are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from rapidfuzz import fuzz

from records.diseases import term_keys
from records.diseases.icd10_terms import who_titles
from records.diseases.term import Term
from records.errors import Fault, InputError

_ALIKE = 60.0
"""Likeness of two titles, by their words in any order, from which they name one category."""

_MOVED: tuple[tuple[str, str | None], ...] = (
    ("M26.6", "K07.6"),
    ("M26.2", "K07.2"),
    ("M26.3", "K07.3"),
    ("M26.4", "K07.4"),
    ("M26", "K07"),
    ("M27.3", "K10.3"),
    ("M27", "K10"),
    ("N44.1", "N50.8"),
    ("N44.2", "N50.8"),
    ("N44.8", "N50.8"),
    ("I82.4", "I80.2"),
    ("I82.5", "I80.2"),
    ("I82.6", "I80.8"),
    ("F32.A", "F32.9"),
    ("I21.A", "I21.9"),
    ("G43.A", None),
    ("G43.B", None),
    ("G43.C", None),
    ("G43.D", None),
    ("B97.89", None),
    ("R65.2", "R57.2"),
    ("D49", "D48"),
    ("G89", "R52"),
    ("B20", "B24"),
    ("E08", None),
    ("E09", None),
    ("E13", None),
    ("N18.6", "N18.5"),
    ("Z3A", None),
)
"""Beginnings of CM codes and the WHO code that their terms have; None leaves them out. Reviewed by
hand; the longest beginning counts."""
_SAME = frozenset(
    re.findall(
        r"\w+",
        "D70 F04 F06 F09 F12 F17 F18 F24 F48 F65 F70 F71 F72 F73 F78 F79 F90 M16 M17 M88 N96 O80 "
        "P95 Q91 R17 R54 R69 U09",
    )
)
"""Categories that are one in both editions under titles of other words. Reviewed by hand."""
_QUALIFIED = re.compile(
    r"\b(?:initial|subsequent) encounter|sequela|trimester|\b(?:right|left|bilateral)\b"
    r"|unspecified (?:eye|ear|side)|with routine healing",
    re.I,
)
"""What only the American edition codes apart: encounter, side, trimester."""
_LAST_NOISE = re.compile(r"\s*(?:\bNOS\b|\bNEC\b|\(acute\)|\(chronic\))\s*")


def cm_terms() -> Iterator[Term]:
    """Titles and inclusion terms of ICD-10-CM under WHO codes, in the order of its codes.

    Raises:
        InputError: the extra `icd` is not installed.
    """
    try:
        import simple_icd_10_cm as cm
    except ImportError:
        what = "needs the extra 'icd': pip install 'ai-hospital[icd]'; or use --terminology who"
        raise InputError([Fault("terminology who+cm", what)]) from None
    titles = {term.code: term.name for term in who_titles()}
    agree: dict[str, bool] = {}

    def same(code: str) -> bool:
        if code not in agree:
            agree[code] = code in titles and (
                code in _SAME or _alike(cm.get_description(code), titles[code])
            )
        return agree[code]

    for code in cm.get_all_codes(True):
        if not cm.is_category_or_subcategory(code):
            continue
        who = _counterpart(code, titles, same)
        if who is None:
            continue
        listed = (cm.get_description(code), *cm.get_inclusion_term(code))
        for name in listed:
            plain = _LAST_NOISE.sub(" ", name).strip()
            if plain and len(plain) <= 90 and not _QUALIFIED.search(plain):
                yield Term(who, plain, synonym=True)


def _counterpart(code: str, titles: dict[str, str], same: Callable[[str], bool]) -> str | None:
    """The WHO code of a CM code: reviewed, else the subcategory or category that agrees."""
    moved = [(begin, to) for begin, to in _MOVED if code.startswith(begin)]
    if moved:
        to = max(moved, key=lambda one: len(one[0]))[1]
        return to if to in titles else None
    if not same(code[:3]):
        return None
    return code[:5] if len(code) >= 5 and same(code[:5]) else code[:3]


def _alike(one: str, other: str) -> bool:
    words = (" ".join(term_keys.english_bag(title)) for title in (one, other))
    return fuzz.token_set_ratio(*words) >= _ALIKE
