"""A mark: what one judge made of one visit, a line of `marks.jsonl`. Marks never touch visits."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from records.medical_record import Paper, Reach
from records.visit import REPORT_PARTS, Repair, Usage

Letter = Literal["A", "B", "C", "D"]
Convention = Literal["strict", "published"]

DIMENSIONS = REPORT_PARTS
"""What is graded: each part of the report, against its part of the record."""


class Grade(Paper):
    """One dimension's grade, A (best) to D, or unscored with a reason."""

    grade: Letter | None
    reason: str | None = None
    """Why there is no grade; None where there is one."""
    analysis: str = ""
    """The judge's analysis, written before the grade."""


class DiseaseLink(Paper):
    """One disease name as linked to ICD-10."""

    name: str
    icd10: str | None = None
    """None: not linked."""
    reach: Reach | None = None
    """Of a reference diagnosis, how a doctor could come to it; None where that is not known."""


class DiseaseScores(Paper):
    """Set overlap of predicted and reference diseases (AI Hospital, section 3.3)."""

    predicted: tuple[DiseaseLink, ...] = ()
    reference: tuple[DiseaseLink, ...] = ()
    hits: tuple[tuple[int, int], ...] = ()
    """Pairs (index in predicted, index in reference), each used once, by equal ICD-10 category."""
    code_hits: int = 0
    """Of the hits, those whose whole codes are equal."""


class Naming(Paper):
    """What a model said when it named the diseases of a report for a mark."""

    raw: str = ""
    """Its replies as they came, one for each text that it read."""
    usage: Usage | None = None
    """What it used; a reply that several marks share counts in each."""
    cost: float | None = None
    """US dollars; None is unknown."""
    repairs: tuple[Repair, ...] = ()
    """What its replies were read in spite of; `names_by_rule` where our rules named instead."""


class Mark(Paper):
    """A judge's marks of a visit."""

    visit_key: str
    judge: str
    convention: Convention = "strict"
    """What the marks were made for: under `strict` what is unscored is left out of a mean, under
    `published` it counts as D. The grades are the same; the convention is applied to sums."""
    version: int = Field(default=1, ge=1)
    """How many times this judge graded this visit, this one included; names linked anew with
    another terminology leave the grades and their version as they are."""
    grades: dict[str, Grade]
    """By dimension of `DIMENSIONS`. A dimension that the judge was not asked for is not in it."""
    diseases: DiseaseScores = Field(default_factory=DiseaseScores)
    """By protocol `code`: equal codes, else equal categories."""
    diseases_published: DiseaseScores | None = None
    """By protocol `published`: shared candidate names; None where it was not asked for."""
    terminology: str = ""
    """Hash of the terminology that names were linked with."""
    extraction: str = ""
    """What named the diseases: `rules` and their version (`records.diseases.rules_version`), or a
    model's spec with those of its words and of the rules that link; "" for rules of long ago."""
    naming: Naming | None = None
    """What the model said that named them; None where it was not asked."""
    raw: str = ""
    """The judge's reply as it came; "" for a judge without a model."""
    usage: Usage | None = None
    """What the judge's model used; None for a judge without one."""
    cost: float | None = None
    """US dollars; None is unknown."""
    judge_version: str = ""
    """Of the rules of a judge without a model, whose marks by other rules are another judge's; ""
    for a judge with one."""
    prompts_hash: str = ""
    """Of the words that the judge's model was asked with; "" for a judge without one."""
    repairs: tuple[Repair, ...] = ()
    """What the judge's replies were read in spite of."""
    program: str = ""
    """Version of this program that made the mark, as provenance."""
