"""The reference diagnoses of a free text: split into single ones, each with its role by rule."""

from __future__ import annotations

import re

from records.medical_record import Diagnosis, DiagnosisRole, Language

_NUMBERED = re.compile(
    r"(?m)(?:^|(?<=[\s；;。]))(?:[(（]?\d{1,2}[)）]|\d{1,2}\s*[.、．](?!\d))\s*|[①-⑳]\s*"
)
_OPEN, _CLOSE = "(（[【《“", ")）]】》”"
_QUALIFIER = re.compile(
    r"心功能|NYHA|Killip|[ⅠⅡⅢⅣIV]+级|[一二三四]级|(?:很|极)?高危(?!妊娠)|[中低]危|临床分期|胎位|G\d+P\d|"
    r".{0,8}治疗中$|(?:第.次)?[放化]疗后$",
    re.I,
)
# A member of a list that only says where: "脑、骨转移" is one diagnosis.
_PLACE = re.compile(
    r".|.{0,6}(?:骨|动脉|静脉|(?<!脂肪)肝|脾|肺|肾|胰|胃|肠|脑|眼|部|侧|叶|段|[^十]二)"
)
_LABEL = re.compile(
    r"(?:患者)?(?:中医|西医|初步|最后|最终|临床|出院|入院|修正|补充)?诊断\s*(?:[:：]|为)\s*"
)
_HISTORY = re.compile(
    r"(?:术|放疗|化疗|治疗)后(?:状态)?$|陈旧|后遗症|史$|"
    r"\b(?:history of|status post|s/p|old|prior)\b",
    re.I,
)
_COMPLICATION = re.compile(r"^(?:并发|合并)|\bcomplicat", re.I)


def split_diagnoses(text: str, language: Language) -> tuple[str, ...]:
    """Single diagnoses in order: at numbers, lines, ；; and, in Chinese, at ，, and 、.

    Nothing is split inside brackets, nor before a grade that only qualifies what stands before it
    ("心房颤动，心功能II级" is one). An English name keeps its commas ("Hernia, inguinal").
    """
    names: list[str] = []
    for numbered in _NUMBERED.split(text):
        for listed in _outside_brackets(numbered, "；;\n。" + ("，," if language == "zh" else "")):
            name = _LABEL.sub("", listed.strip()).strip("。.;；，,、 ")
            if not name:
                continue
            if language == "en":
                names.append(name)
            elif names and _QUALIFIER.match(name):
                names[-1] += f"，{name}"
            else:
                names.extend(_enumerated(name))
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


def _enumerated(name: str) -> list[str]:
    """The diagnoses that 、 joins in Chinese."""
    names: list[str] = []
    place = ""
    for member in _outside_brackets(name, "、"):
        member = member.strip()
        if names and not place and _QUALIFIER.match(member):
            names[-1] += f"，{member}"
        elif _PLACE.fullmatch(member):
            place += f"{member}、"
        elif member:
            names.append(place + member)
            place = ""
    return [*names, place.rstrip("、")] if place else names


def _role(name: str) -> DiagnosisRole:
    if _HISTORY.search(re.sub(r"[（(][^()（）]*[)）]", "", name).strip()):
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
