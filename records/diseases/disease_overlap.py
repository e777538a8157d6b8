"""Which predicted diseases are reference diseases: the matching under the disease scores.

AI Hospital, section 3.3, counts set-level overlap of diseases linked to ICD-10. Here two diseases
are the same where their three-character categories are equal; a disease that could not be linked
is the same only by its name.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from records.diseases.disease_names import extract_diseases
from records.diseases.listed_names import listed_diseases
from records.mark import DiseaseLink
from records.medical_record import Language, MedicalRecord


class LinkResult(Protocol):
    """What linking one name gives; `records.diseases.icd10.Link` is one."""

    @property
    def icd10(self) -> str | None:
        """The code, or None."""
        ...


class Linker(Protocol):
    """What links a disease name; `records.diseases.icd10.Terminology` is one."""

    def link(self, name: str, language: Language) -> LinkResult:
        """Link one name."""
        ...

    def knows(self, name: str, language: Language) -> bool:
        """True if it is one disease's name as it stands, whatever connectors are in it."""
        ...


def reference_links(record: MedicalRecord, terminology: Linker) -> tuple[DiseaseLink, ...]:
    """The record's diagnoses in its order, by their own code, else as their name links."""
    return tuple(
        DiseaseLink(
            name=diagnosis.name,
            icd10=diagnosis.icd10 or terminology.link(diagnosis.name, record.language).icd10,
        )
        for diagnosis in record.diagnoses
    )


def predicted_links(
    diagnosis: str, language: Language, terminology: Linker
) -> tuple[DiseaseLink, ...]:
    """The diseases that a diagnosis text affirms, in its order, each name once."""
    names = extract_diseases(diagnosis, language, lambda n: terminology.knows(n, language))
    return named_links(names, language, terminology)


def named_links(
    names: Iterable[str], language: Language, terminology: Linker
) -> tuple[DiseaseLink, ...]:
    """Diseases that somebody named, in this order, each name once."""
    distinct: dict[str, str] = {}
    for name in names:
        distinct.setdefault(normal_name(name), name)
    return tuple(
        DiseaseLink(name=name, icd10=terminology.link(name, language).icd10)
        for name in distinct.values()
    )


def listed_links(text: str, language: Language, terminology: Linker) -> tuple[DiseaseLink, ...]:
    """Everything that a text lists (`records.diseases.listed_names`), in its order, each once."""
    return tuple(
        DiseaseLink(name=name, icd10=terminology.link(name, language).icd10)
        for name in listed_diseases(text, language)
    )


def overlap(
    predicted: Sequence[DiseaseLink], reference: Sequence[DiseaseLink]
) -> tuple[tuple[int, int], ...]:
    """One-to-one hits, as pairs (index in predicted, index in reference), in predicted order.

    Equal codes are paired first, then equal categories, then equal names where either side has no
    code; within a step the first free prediction takes the first free reference. So a vague
    prediction never takes the reference that a precise one names.
    """
    hits: dict[int, int] = {}
    for same in (_same_code, _same_category, _same_name):
        _pair(predicted, reference, same, hits)
    return tuple(sorted(hits.items()))


def same_code(one: DiseaseLink, other: DiseaseLink) -> bool:
    """True if both are linked to one and the same code, whole."""
    return _same_code(one, other)


def normal_name(name: str) -> str:
    """A name without what does not change what it names: width, case, spaces, punctuation."""
    text = unicodedata.normalize("NFKC", name).casefold()
    return "".join(c for c in text if c.isalnum())


def _pair(
    predicted: Sequence[DiseaseLink],
    reference: Sequence[DiseaseLink],
    same: Callable[[DiseaseLink, DiseaseLink], bool],
    hits: dict[int, int],
) -> None:
    taken = set(hits.values())
    for i, guess in enumerate(predicted):
        if i in hits:
            continue
        for j, truth in enumerate(reference):
            if j not in taken and same(guess, truth):
                hits[i] = j
                taken.add(j)
                break


def _same_code(one: DiseaseLink, other: DiseaseLink) -> bool:
    return one.icd10 is not None and one.icd10 == other.icd10


def _same_category(one: DiseaseLink, other: DiseaseLink) -> bool:
    return None not in (one.icd10, other.icd10) and str(one.icd10)[:3] == str(other.icd10)[:3]


def _same_name(one: DiseaseLink, other: DiseaseLink) -> bool:
    if one.icd10 is not None and other.icd10 is not None:
        return False
    name = normal_name(one.name)
    return name != "" and name == normal_name(other.name)
