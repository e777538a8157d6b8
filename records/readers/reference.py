"""The reference diagnoses of a free text: split into single ones, each with its role by rule."""

from __future__ import annotations

import re

from records.medical_record import Diagnosis, DiagnosisRole, Language

_NUMBERED = re.compile(
    r"(?m)(?:^|(?<=[\s；;。]))\s*(?:[(（]?\d{1,2}[)）]|\d{1,2}\s*[.、．](?!\d))\s*|[①-⑳]\s*"
)
_OPEN, _CLOSE = "(（[【《“", ")）]】》”"
_QUALIFIER = re.compile(
    r"(?:心功能|NYHA|Killip|[ⅠⅡⅢⅣIV]+级|[一二三四]级|(?:高|中|低|极高)危)", re.I
)
_HISTORY = re.compile(
    r"术后|放疗后|化疗后|治疗后|陈旧性?|后遗症|病史$|史$|"
    r"\b(?:history of|status post|s/p|old|prior)\b",
    re.I,
)
_COMPLICATION = re.compile(r"^(?:并发|合并)|\bcomplicat", re.I)


def split_diagnoses(text: str, language: Language) -> tuple[str, ...]:
    """Single diagnoses in order: at numbers, lines, ；; and, in Chinese, at ，, and 、.

    Nothing is split inside brackets, nor before a grade that only qualifies what stands before it
    ("心力衰竭，心功能III级" is one). An English name keeps its commas ("Hernia, inguinal").
    """
    separators = "；;\n。" + ("，,、" if language == "zh" else "")
    names: list[str] = []
    for numbered in _NUMBERED.split(text):
        for piece in _outside_brackets(numbered, separators):
            name = piece.strip().strip("。.;；，,、").strip()
            if not name:
                continue
            if names and language == "zh" and _QUALIFIER.match(name):
                names[-1] += f"，{name}"
            else:
                names.append(name)
    return tuple(dict.fromkeys(names))


def reference_diagnoses(text: str, language: Language) -> tuple[Diagnosis, ...]:
    """The diagnoses of a text, the first that is no history primary."""
    names = split_diagnoses(text, language)
    roles: list[DiagnosisRole] = [_role(name) for name in names]
    current = [i for i, role in enumerate(roles) if role != "history"]
    if roles:
        roles[current[0] if current else 0] = "primary"
    return tuple(
        Diagnosis(id=f"d{i}", name=name, role=role)
        for i, (name, role) in enumerate(zip(names, roles, strict=True), 1)
    )


def _role(name: str) -> DiagnosisRole:
    if _HISTORY.search(name):
        return "history"
    return "complication" if _COMPLICATION.search(name) else "comorbidity"


def _outside_brackets(text: str, separators: str) -> list[str]:
    pieces, start, depth = [], 0, 0
    for i, char in enumerate(text):
        if char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth = max(0, depth - 1)
        elif char in separators and (depth == 0 or char == "\n"):
            pieces.append(text[start:i])
            start, depth = i + 1, 0
    return [*pieces, text[start:]]
