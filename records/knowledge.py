"""What is known of diseases, apart from any record: a small file for doctors to look things up in.

`records/knowledge/diseases.json` covers the bundled records' diagnoses with plausible neighbours.
Nothing in it is taken from a record: an expected finding says what a textbook patient would show.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from pydantic import Field, TypeAdapter

from records.medical_record import Language, Paper

Frequency = Literal["common", "frequent", "occasional"]
"""How many patients with the disease have the symptom: more than half; a quarter to a half; fewer.

Orders of magnitude from the sources named, for ranking; not figures to quote.
"""


class KnownSymptom(Paper):
    """A symptom or circumstance of a disease, by its short clinical name."""

    zh: str
    en: str
    frequency: Frequency

    def name(self, language: Language) -> str:
        """The name in a language."""
        return self.zh if language == "zh" else self.en


class KnownExamination(Paper):
    """An examination that tells a disease from its neighbours, and what it would find."""

    zh: str
    en: str
    expected_zh: str
    """Alternatives separated by "；". The words of one, separated by spaces, all belong to it."""
    expected_en: str
    """The same, alternatives separated by ";"."""

    def name(self, language: Language) -> str:
        """The examination's name in a language."""
        return self.zh if language == "zh" else self.en

    def expected(self, language: Language) -> tuple[tuple[str, ...], ...]:
        """The alternatives, each as the words that one result has to contain."""
        text = self.expected_zh if language == "zh" else self.expected_en
        return _alternatives(text)


@lru_cache(maxsize=4096)
def _alternatives(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(one.split()) for one in text.replace("；", ";").split(";"))


class Disease(Paper):
    """One disease as known."""

    id: str = Field(pattern=r"^[a-z0-9-]+$")
    icd10: str
    """WHO ICD-10 (2019) code."""
    names: dict[Language, tuple[str, ...]]
    """By language, the preferred name first, then synonyms."""
    department: dict[Language, str]
    symptoms: tuple[KnownSymptom, ...] = Field(min_length=1)
    examinations: tuple[KnownExamination, ...] = Field(min_length=1)
    """The most telling first."""
    treatment: dict[Language, str]
    """First-line treatment in one sentence."""
    contraindications: dict[Language, tuple[str, ...]] = Field(default_factory=dict)
    """What a plan has to respect, a line each; empty where nothing is known beyond the usual."""
    source: str
    """The guideline or standard text."""

    def name(self, language: Language) -> str:
        """The preferred name in a language."""
        return self.names[language][0]


@cache
def load_knowledge() -> tuple[Disease, ...]:
    """The bundled disease knowledge, in the file's order; read once."""
    text = files("records").joinpath("knowledge/diseases.json").read_text(encoding="utf-8")
    return TypeAdapter(tuple[Disease, ...]).validate_json(text)
