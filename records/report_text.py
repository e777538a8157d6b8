"""A report in five parts as one text, in the form that doctors are asked for."""

from __future__ import annotations

from collections.abc import Mapping

from records.medical_record import Language
from records.visit import REPORT_PARTS

HEADINGS: dict[Language, dict[str, str]] = {
    "zh": {
        "symptoms": "#症状#",
        "examinations": "#辅助检查#",
        "diagnosis": "#诊断结果#",
        "rationale": "#诊断依据#",
        "treatment": "#治疗方案#",
    },
    "en": {
        "symptoms": "# Symptoms",
        "examinations": "# Auxiliary examinations",
        "diagnosis": "# Diagnosis",
        "rationale": "# Rationale",
        "treatment": "# Treatment plan",
    },
}
"""By language and part of `records.visit.REPORT_PARTS`."""


def write_report(parts: Mapping[str, str], language: Language) -> str:
    """Put a heading over every part; `records.report_parser.read_report` reads it back."""
    headings = HEADINGS[language]
    return "\n\n".join(f"{headings[part]}\n{parts.get(part, '').strip()}" for part in REPORT_PARTS)
