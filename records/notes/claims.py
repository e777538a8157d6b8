"""What a copyist claims that notes say, read from JSON of any exactness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

_SECTIONS = (
    "chief_complaint",
    "history_of_present_illness",
    "past_history",
    "personal_history",
    "family_history",
    "medication_history",
)
_LISTED = ("findings", "physical_examination", "auxiliary_examinations", "diagnoses")
_SINGLE = ("department", "patient", "occupation")
FIELDS = frozenset({*_SECTIONS, *_LISTED, *_SINGLE, "rationale", "treatment"})
"""The keys that a copyist is asked for."""


@dataclass(frozen=True)
class Claims:
    """The claims of one case; nothing in them is believed before it is found in the notes."""

    single: dict[str, str] = field(default_factory=dict)
    """By name: department, patient, occupation."""
    passages: dict[str, list[str]] = field(default_factory=dict)
    """By section, and of rationale and treatment."""
    findings: list[Mapping[str, Any]] = field(default_factory=list)
    physical_examination: list[Mapping[str, Any]] = field(default_factory=list)
    auxiliary_examinations: list[Mapping[str, Any]] = field(default_factory=list)
    diagnoses: list[Mapping[str, Any]] = field(default_factory=list)

    @classmethod
    def read(cls, value: object) -> Claims | None:
        """Read a JSON value; None if it is no object with at least two of the fields asked for."""
        if not isinstance(value, Mapping) or len(FIELDS & value.keys()) < 2:
            return None
        named = ("name", "text")
        return cls(
            single={name: text for name in _SINGLE if (text := text_of(value.get(name)))},
            passages={
                name: list(_texts(value.get(name)))
                for name in (*_SECTIONS, "rationale", "treatment")
            },
            **{name: list(_objects(value.get(name), named)) for name in _LISTED},
        )


def text_of(value: object) -> str:
    """A text or number as text; "" for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()


def _texts(value: object) -> Iterator[str]:
    """The texts of a list, or of a text standing where a list was asked for."""
    for one in value if isinstance(value, list) else [value]:
        if text := text_of(one):
            yield text


def _objects(value: object, named: tuple[str, ...]) -> Iterator[Mapping[str, Any]]:
    """The objects of a list; a bare text is an object with nothing but its name and text."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, Mapping):
            yield one
        elif text := text_of(one):
            yield dict.fromkeys(named, text)
