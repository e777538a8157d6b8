"""MVME, the cases of AI Hospital (arXiv 2402.09742): a JSON list of Chinese inpatient records.

A case is `id, department, profile, medical_record`; the profile holds tags (`<病情陈述>` …), the
record sections under Chinese headings. 鉴别诊断 and 分析总结 have no place in a `MedicalRecord`.
"""

from __future__ import annotations

import re
from typing import Any

from records.findings.splitter import split_findings
from records.medical_record import (
    HISTORY_SECTIONS,
    Demographics,
    MedicalRecord,
    Persona,
)
from records.readers.chinese_examinations import auxiliary_examinations, physical_examination
from records.readers.foreign import Foreign
from records.readers.people import age_in_years, sex_of
from records.readers.reference import reference_diagnoses

_FIELDS = ("id", "department", "profile", "medical_record")
_HISTORY = {
    "主诉": "chief_complaint",
    "现病史": "history_of_present_illness",
    "既往史": "past_history",
    "个人史": "personal_history",
    "月经史": "personal_history",
    "婚育史": "personal_history",
    "家族史": "family_history",
    "用药史": "medication_history",
}
_EXAMINED = ("查体", "体格检查", "专科检查")
_SECTIONS = (
    "一般资料",
    *_HISTORY,
    *_EXAMINED,
    "辅助检查",
    "初步诊断",
    "诊断依据",
    "鉴别诊断",
    "诊治经过",
    "诊断结果",
    "分析总结",
)
_TAGS = ("病情陈述", "性别", "年龄", "工作与生活", "说法方式")
_SAME_AS_INITIAL = re.compile(
    r"(?:与|同|维持)(?:初步|原)诊断(?:相同|一致)?[，,。；;]?(?:增加|补充)?"
)
_ABSENT = re.compile(
    r"(?:暂?无|不详|未提供|未提及|无相关(?:信息|记录|资料)|暂无(?:信息|资料)|[-/—]+)[。.]?"
)


def recognises(value: Any) -> bool:
    """Whether a JSON value looks like a case of MVME."""
    return isinstance(value, dict) and isinstance(value.get("medical_record"), dict)


def read(value: Any, number: int) -> MedicalRecord:
    """Read one case; raises `foreign.ShapeError` with all that is wrong with it."""
    case = Foreign(value)
    case.only(_FIELDS)
    sections = case.inner("medical_record")
    sections.only(_SECTIONS)
    name = case.text("id")
    initial = _given(sections.text("初步诊断")) or ""
    final = _given(sections.text("诊断结果")) or initial
    diagnoses = reference_diagnoses(_SAME_AS_INITIAL.sub(lambda _: f"{initial}；", final), "zh")
    if not diagnoses:
        sections.wrong("诊断结果", "is missing; a case needs 诊断结果 or 初步诊断")
    if not name:
        case.wrong("id", "is missing; a case needs an id")
    profile = _tags(case.text("profile") or "")
    general = _general(sections.text("一般资料") or "")
    texts: dict[str, list[str]] = {}
    for heading, into in _HISTORY.items():
        text = _given(sections.text(heading))
        if text:
            texts.setdefault(into, []).append(text)
    history = {into: "\n".join(pieces) for into, pieces in texts.items()}
    physical = "\n".join(text for heading in _EXAMINED if (text := _given(sections.text(heading))))
    department = case.text("department")
    auxiliary, rationale, treatment = (
        _given(sections.text(heading)) for heading in ("辅助检查", "诊断依据", "诊治经过")
    )
    case.raise_if_wrong()
    record = MedicalRecord(
        id=name or str(number),
        language="zh",
        department=department.replace("病例", "").strip() or None if department else None,
        demographics=_demographics(general, profile),
        persona=Persona(
            background=profile.get("工作与生活"),
            way_of_speaking=profile.get("说法方式"),
            chief_complaint=_first_person(profile.get("病情陈述")),
        ),
        **history,
        physical_examination=physical_examination(physical),
        auxiliary_examinations=auxiliary_examinations(auxiliary or ""),
        diagnoses=diagnoses,
        rationale=rationale,
        treatment=treatment,
        source=f"MVME {name}",
    )
    sections_of = {section: record.section_text(section) for section in HISTORY_SECTIONS}
    return record.model_copy(update={"findings": split_findings(sections_of, "zh")})


def _given(text: str | None) -> str | None:
    return None if text is None or _ABSENT.fullmatch(text) else text


def _tags(profile: str) -> dict[str, str]:
    """The profile by tag: "<性别> 男" is 性别: 男."""
    pieces = re.split(r"<([^<>\n]{1,12})>", profile)
    found = zip(pieces[1::2], (piece.strip() for piece in pieces[2::2]), strict=True)
    return {tag: text for tag, text in found if tag in _TAGS and text}


def _general(text: str) -> dict[str, str]:
    """一般资料 by name: "年龄: 73岁" is 年龄: 73岁."""
    found = re.findall(r"(?m)^[\s-]*([^:：\n]{1,10})[:：][ \t]*(.+?)\s*$", text)
    return {name.strip(): value for name, value in found}


def _demographics(general: dict[str, str], profile: dict[str, str]) -> Demographics:
    age = general.get("年龄") or profile.get("年龄") or ""
    sex = general.get("性别") or profile.get("性别") or ""
    occupation = _given(general.get("职业"))
    rest = [f"{name}: {v}" for name, v in general.items() if name not in ("性别", "年龄", "职业")]
    said = [] if re.fullmatch(r"\d*岁?", age) else [age]
    return Demographics(
        age_years=age_in_years(age),
        sex=sex_of(sex),
        occupation=occupation,
        description="；".join([*said, *rest]) or None,
    )


def _first_person(text: str | None) -> str | None:
    """The complaint as the patient says it: MVME tells the patient what "you" feel."""
    return re.sub(r"[你您](?!好)", "我", text) if text else None
