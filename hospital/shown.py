"""How the tables show what they share: headings, settings, shares, and what there is not."""

from __future__ import annotations

HEADINGS = {
    "symptoms": "Symptoms",
    "examinations": "Exams",
    "diagnosis": "Diagnosis",
    "rationale": "Rationale",
    "treatment": "Treatment",
}
NONE = "-"


_PERSON = "human:"


def is_person(doctor: str) -> bool:
    """True if a doctor is a person."""
    return doctor.startswith(_PERSON)


def setting_name(setting: str) -> str:
    """A setting as a reader sees it."""
    return setting.replace("_", "-")


def percent(share: float | None) -> str:
    """A share of 0 to 1 as a whole percentage."""
    return NONE if share is None else f"{100 * share:.0f}%"
