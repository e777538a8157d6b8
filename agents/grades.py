"""Reading grades out of a judge's reply: JSON or lines, and never a letter of the analysis."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from agents.json_reply import json_values
from records.mark import DIMENSIONS, Grade, Letter

_ALIASES: dict[str, str] = {
    "symptoms": r"(?:mastery of )?symptoms?(?: mastery| mastered)?|症状(?:掌握|与病史)?",
    "examinations": (
        r"(?:auxiliary |medical )?(?:examinations?|exams?|tests?)(?: completeness)?"
        r"|(?:辅助|医学)?检查(?:完整性?|项目)?"
    ),
    "rationale": r"(?:diagnostic )?(?:rationale|basis|reasoning)|(?:诊断)?依据(?:一致性?)?",
    "diagnosis": (r"(?:final )?diagnos[ei]s|diagnostic results?|诊断(?:结果|一致性?)?(?!依据)"),
    "treatment": r"treatments?(?: plans?)?|治疗(?:方案|一致性?|计划)?",
}
_GRADE_NAMES = r"grades?|choice|option|rating|score|mark|level|等级|评级|选项|选择|评分|得分|评价"
_ANALYSIS_NAMES = ("analysis", "reason", "reasoning", "explanation", "分析", "理由", "说明")

# Every repetition is bounded: a reply may be one character, 100,000 times.
_GAP = r"[ \t]{0,4}"
_LEAD = r"(?:[-*#>•【\[_ \t]|\d{1,2}[.、)]){0,12}"
_HEADING = re.compile(
    rf"^{_LEAD}(?:{'|'.join(f'(?P<{d}>{names})' for d, names in _ALIASES.items())})"
    rf"{_GAP}[\]】]?(?:{_GAP}\([^)\n]{{1,30}}\))?{_GAP}[*_]{{0,4}}{_GAP}"
    r"(?P<sep>[:=]|-|–|—|$)[ \t]{0,4}[*_]{0,4}",
    re.IGNORECASE | re.MULTILINE,
)
_GRADE_FIELD = re.compile(
    rf"^{_LEAD}[\"“]?(?:{_GRADE_NAMES})[\"”]?{_GAP}[*_]{{0,4}}{_GAP}[:=](?P<value>.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_ALONE = re.compile(
    rf"^{_GAP}[*_(\[【\"“]{{0,6}}(?P<letter>[A-Za-z])[*_)\]】\"”]{{0,6}}"
    rf"(?:{_GAP}$|[.:、,]{_GAP}(?=[\u4e00-\u9fff]|$))",
    re.MULTILINE,
)
_WRAPPING = " \t*_`\"'“”‘’()[]【】{}<>《》「」"
_LETTER = re.compile(r"(?P<letter>[A-Za-z])(?P<sign>[+\-]?)(?![A-Za-z0-9])")
_SECOND = re.compile(
    r"[\s*_)\]]*(?:/|\||~|-|–|或|或者|到|至|or|to|,|、)[\s*_(\[]*([A-Da-d])(?![A-Za-z])"
)
_INVISIBLE = re.compile("[\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\u00ad]")


def read_grades(text: str) -> dict[str, Grade]:
    """Read the grade of every dimension.

    A grade counts where it stands in a field or on a line of its own. Two different ones, one that
    is not A to D, or none leave the dimension unscored, with the reason.

    Args:
        text: the reply: a JSON object, in a fence or among prose, or a section for each dimension.

    Returns:
        By dimension, all five.
    """
    plain = _plain(text)
    found: dict[str, list[tuple[str, str]]] = {dimension: [] for dimension in DIMENSIONS}
    for dimension, value, analysis in _in_json(plain) or _in_lines(plain):
        found[dimension].append((value, analysis))
    return {dimension: _settle(candidates) for dimension, candidates in found.items()}


def _plain(text: str) -> str:
    """Without what is not seen, in one width; JSON may have hidden it behind an escape."""
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))


def _settle(candidates: list[tuple[str, str]]) -> Grade:
    """One grade out of what was found for a dimension: (value as written, analysis)."""
    analysis = "\n".join(dict.fromkeys(a for _, a in candidates if a))
    values = [value for value, _ in candidates if value.strip()]
    if not values:
        return Grade(grade=None, reason="the reply has no grade for it", analysis=analysis)
    letters: dict[Letter, None] = {}
    for value in values:
        read = _letters(value)
        if not read:
            reason = f"the grade is not one of A to D: {value.strip()[:40]!r}"
            return Grade(grade=None, reason=reason, analysis=analysis)
        letters |= dict.fromkeys(read)
    if len(letters) > 1:
        reason = f"the reply gives different grades: {', '.join(letters)}"
        return Grade(grade=None, reason=reason, analysis=analysis)
    return Grade(grade=next(iter(letters)), analysis=analysis)


def _letters(value: str) -> tuple[Letter, ...]:
    """The grades that a field names: one, or two for "B/C"; none if it begins otherwise."""
    value = _plain(value)
    bare = re.sub(
        rf"^[{re.escape(_WRAPPING)}]*(?:{_GRADE_NAMES})[ \t]*[:=]?", "", value, flags=re.I
    )
    bare = bare.strip(_WRAPPING)
    match = _LETTER.match(bare)
    if match is None or match["sign"] == "+":
        return ()
    first = _menu(match["letter"])
    if first is None:
        return ()
    second = _SECOND.match(bare, match.end("letter"))
    other = _menu(second.group(1)) if second else None
    return (first,) if other is None else (first, other)


def _menu(letter: str) -> Letter | None:
    menu: dict[str, Letter] = {"A": "A", "B": "B", "C": "C", "D": "D"}
    return menu.get(letter.upper())


def _in_json(text: str) -> list[tuple[str, str, str]]:
    """(dimension, grade as written, analysis) out of every JSON object of the reply."""
    return [item for value in json_values(text, "{") for item in _graded(value)]


def _graded(value: object, depth: int = 0) -> Iterator[tuple[str, str, str]]:
    if depth > 3:
        return
    if isinstance(value, list):
        for item in value:
            yield from _graded(item, depth + 1)
        return
    if not isinstance(value, Mapping):
        return
    named = _field(value, ("dimension", "name", "维度", "方面"))
    if isinstance(named, str) and (dimension := _dimension(named)):
        yield dimension, _grade_of(value), _analysis_of(value)
        return
    for key, inner in value.items():
        dimension = _dimension(str(key))
        if dimension is None:
            yield from _graded(inner, depth + 1)
        elif isinstance(inner, Mapping):
            yield dimension, _grade_of(inner), _analysis_of(inner)
        elif isinstance(inner, str | int | float):
            yield dimension, str(inner), ""


def _grade_of(value: Mapping[str, Any]) -> str:
    for key, inner in value.items():
        if re.fullmatch(_GRADE_NAMES, str(key).strip(), re.IGNORECASE):
            if isinstance(inner, list):
                return "/".join(str(item) for item in inner)
            return "" if inner is None else str(inner)
    return ""


def _analysis_of(value: Mapping[str, Any]) -> str:
    found = _field(value, _ANALYSIS_NAMES)
    return found.strip() if isinstance(found, str) else ""


def _field(value: Mapping[str, Any], names: tuple[str, ...]) -> object:
    return next((inner for key, inner in value.items() if str(key).strip().lower() in names), None)


def _dimension(key: str) -> str | None:
    match = _HEADING.fullmatch(key.strip().replace("_", " "))
    return next((d for d in DIMENSIONS if match[d]), None) if match else None


def _in_lines(text: str) -> Iterator[tuple[str, str, str]]:
    """(dimension, grade as written, analysis) out of a reply with a section for each dimension."""
    headings = list(_HEADING.finditer(text))
    for index, heading in enumerate(headings):
        dimension = next(d for d in DIMENSIONS if heading[d])
        end = headings[index + 1].start() if index + 1 < len(headings) else len(text)
        section = text[heading.end() : end]
        fields = [field["value"] for field in _GRADE_FIELD.finditer(section)]
        lines = [] if fields else [m["letter"] for m in _ALONE.finditer(section)]
        analysis = _ALONE.sub("", _GRADE_FIELD.sub("", section)).strip()
        for value in fields + lines or [""]:
            yield dimension, value, analysis
