"""Why a diagnosis text was linked as it was: what each piece gave, and each name's chances."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from records.diseases import disease_names_en, disease_names_zh
from records.diseases.disease_names import extract_diseases, plain_text
from records.diseases.terminology import Link, Terminology
from records.medical_record import Language

_PIECES = re.compile(r"[\n;；。]|[,，、](?!\d)|(?<=\w{2})\.(?=\s|\Z)")
_SHOWN = 5


@dataclass(frozen=True)
class Piece:
    """A piece of the text and what was taken from it."""

    text: str
    names: tuple[str, ...]
    why: str
    """ "named"; where nothing was taken, what the piece is instead."""


@dataclass(frozen=True)
class Chances:
    """A name and the codes that it might have."""

    link: Link
    """The chosen one."""
    others: tuple[Link, ...]
    """The next best, one of each category, best first."""


@dataclass(frozen=True)
class Explanation:
    """The steps from a text to its codes."""

    pieces: tuple[Piece, ...]
    chances: tuple[Chances, ...]


def explain(
    text: str, language: Language, terminology: Terminology, names: Sequence[str] | None = None
) -> Explanation:
    """Tell the steps.

    Args:
        text: a diagnosis text.
        language: its language.
        terminology: what it is linked with.
        names: the names that a model took from it; None has the rules take them.
    """
    by_rule = extract_diseases(text, language, lambda name: terminology.knows(name, language))
    taken = tuple(by_rule if names is None else names)
    pieces = tuple(_piece(one.strip(), language, taken) for one in _pieces(text))
    return Explanation(pieces, tuple(_chances(name, language, terminology) for name in taken))


def _pieces(text: str) -> list[str]:
    return [one for one in _PIECES.split(plain_text(text)) if one.strip()]


def _piece(text: str, language: Language, taken: Sequence[str]) -> Piece:
    squeezed = _squeezed(text)
    names = tuple(name for name in taken if _squeezed(name) in squeezed)
    if names:
        return Piece(text, names, "named")
    whole = tuple(name for name in taken if squeezed and squeezed in _squeezed(name))
    if whole:
        return Piece(text, whole, "part of a name")
    reason = disease_names_zh.reason if language == "zh" else disease_names_en.reason
    return Piece(text, (), reason(text))


def _squeezed(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _chances(name: str, language: Language, terminology: Terminology) -> Chances:
    link = terminology.link(name, language)
    ranked = terminology.candidates(name, language, _SHOWN + 1)
    others = tuple(one for one in ranked if str(one.icd10)[:3] != str(link.icd10)[:3])
    return Chances(link, others[:_SHOWN])
