"""Codes to choose from for a diagnosis that was typed."""

from __future__ import annotations

from records.diseases.icd10 import default_terminology
from records.medical_record import Language

_MOST = 6


def suggest_codes(name: str, language: Language) -> list[tuple[str, str]]:
    """(code, title) of the codes that a name may have, the likeliest first, at most six.

    The linked code, those of the diseases that the text names, then others of their category.
    """
    terminology = default_terminology()
    links = [terminology.link(name, language), *terminology.link_text(name, language)]
    codes = list(dict.fromkeys(link.icd10 for link in links if link.icd10))
    for code in list(codes):
        category = code[:3]
        near = (category, *(f"{category}.{digit}" for digit in range(10)))
        codes.extend(other for other in near if other not in codes and terminology.exists(other))
    return [(code, terminology.title(code) or "") for code in codes[:_MOST]]
