"""What one diagnosis text takes up and gives up against another: by disease, not by wording."""

from __future__ import annotations

from dataclasses import dataclass

from records.diseases.disease_overlap import Linker, overlap, predicted_links
from records.medical_record import Language


@dataclass(frozen=True)
class DiagnosisChange:
    """Names as written, each disease once."""

    took_up: tuple[str, ...]
    gave_up: tuple[str, ...]


def diagnosis_change(
    before: str, after: str, language: Language, terminology: Linker
) -> DiagnosisChange:
    """Compare two diagnosis texts by their linked diseases.

    Two names are one disease where `records.diseases.disease_overlap.overlap` pairs them: a more
    precise name of the same ICD-10 category changes nothing.
    """
    if before == after:
        return DiagnosisChange((), ())
    old = predicted_links(before, language, terminology)
    new = predicted_links(after, language, terminology)
    pairs = overlap(new, old)
    kept_new, kept_old = {i for i, _ in pairs}, {j for _, j in pairs}
    return DiagnosisChange(
        took_up=tuple(link.name for i, link in enumerate(new) if i not in kept_new),
        gave_up=tuple(link.name for j, link in enumerate(old) if j not in kept_old),
    )
