"""Whose logs these are: the names of AI Hospital's doctors, as files and engines have them."""

from __future__ import annotations

_DOCTORS = (
    ("gpt3", "gpt-3.5"),
    ("gpt-3.5", "gpt-3.5"),
    ("gpt4", "gpt-4"),
    ("gpt-4", "gpt-4"),
    ("qwen_max", "qwen-max"),
    ("qwen-max", "qwen-max"),
    ("wenxin", "wenxin-4.0"),
    ("ernie-bot4", "wenxin-4.0"),
)
"""How a file's or an engine's name begins, and the doctor of the paper's tables."""


def doctor_named(name: str) -> str:
    """The doctor that a part of a file's name, or an engine's name, stands for."""
    plain = name.strip().lower()
    for beginning, doctor in _DOCTORS:
        if plain.startswith(beginning):
            return doctor
    return plain.replace("_", "-").replace(" ", "-") or "unnamed"


_PUBLISHED = " (published)"


def published(name: str) -> str:
    """A name as it stands in a ledger: nobody of ours is called so."""
    return f"{name}{_PUBLISHED}"


def is_published(name: str) -> bool:
    """True for a name that `published` made: whoever bears it cannot be asked any more."""
    return name.endswith(_PUBLISHED)
