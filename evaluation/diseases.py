"""Disease scores: the predicted diseases of one report against the reference."""

from __future__ import annotations

from collections.abc import Sequence

from records.diseases.disease_overlap import (
    Linker,
    listed_links,
    named_links,
    overlap,
    predicted_links,
    reference_links,
    same_code,
)
from records.diseases.published_matching import PublishedMatcher
from records.mark import DiseaseLink, DiseaseScores
from records.medical_record import MedicalRecord

_LONGEST_NAME = 60
"""Characters of a text that counts as a name."""


def score_diseases(
    diagnosis_text: str,
    record: MedicalRecord,
    terminology: Linker,
    names: Sequence[str] | None = None,
) -> DiseaseScores:
    """Score the diagnosis part of a report by protocol `code`.

    Args:
        diagnosis_text: the report's diagnosis part; "" predicts nothing.
        record: whose diagnoses are the reference.
        terminology: links names to ICD-10.
        names: of the diseases in the text, as a model named them; by our rules if None.

    Returns:
        What was predicted, the reference in the record's order, and the one-to-one hits (see
        `records.diseases.disease_overlap.overlap`).
    """
    if names is None:
        predicted = predicted_links(diagnosis_text, record.language, terminology)
    else:
        predicted = named_links(names, record.language, terminology)
    reference = _reachable(record, terminology)
    hits = overlap(predicted, reference)
    return DiseaseScores(
        predicted=predicted,
        reference=reference,
        hits=hits,
        code_hits=sum(same_code(predicted[i], reference[j]) for i, j in hits),
    )


def score_published(
    diagnosis_text: str,
    record: MedicalRecord,
    terminology: Linker,
    matcher: PublishedMatcher,
    names: Sequence[str] | None = None,
) -> DiseaseScores:
    """Score the diagnosis part of a report by protocol `published`: shared candidate names.

    Both sides count everything that they list, as the paper's extracting model did. A text that
    lists nothing ("no diagnosis can be given yet") counts as one prediction, itself: the paper's
    code splits its model's answer at a mark, which leaves one name at least.

    Args:
        diagnosis_text: the report's diagnosis part; "" predicts nothing.
        record: whose diagnoses are the reference.
        terminology: its codes stand beside the names.
        matcher: finds the candidates and pairs them (AI Hospital, section 3.3 and its code).
        names: of the diseases in the text, as a model named them; by our rules if None. The
            reference is always listed by rule, the same for every doctor.
    """
    if names is None:
        predicted = listed_links(diagnosis_text, record.language, terminology)
    else:
        predicted = named_links(names, record.language, terminology)
    if not predicted and diagnosis_text.strip():
        predicted = (DiseaseLink(name=" ".join(diagnosis_text.split())[:_LONGEST_NAME]),)
    reference = tuple(
        listed.model_copy(update={"reach": diagnosis.reach})
        for diagnosis in record.diagnoses
        for listed in listed_links(diagnosis.name, record.language, terminology)
    )
    return DiseaseScores(
        predicted=predicted,
        reference=reference,
        hits=matcher.overlap([p.name for p in predicted], [r.name for r in reference]),
    )


def _reachable(record: MedicalRecord, terminology: Linker) -> tuple[DiseaseLink, ...]:
    """The reference, each disease with how a doctor could come to it."""
    links = reference_links(record, terminology)
    return tuple(
        link.model_copy(update={"reach": diagnosis.reach})
        for link, diagnosis in zip(links, record.diagnoses, strict=True)
    )
