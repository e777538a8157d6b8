"""How the rubric says, in the record's language, what a report covers and what it misses."""

from __future__ import annotations

import re
from collections.abc import Sequence

from records.medical_record import Language

_MOST_NAMED = 12
_LONGEST_NAME = 40
_LONGEST_ITEM = 110
"""Two names and what is said of them."""

_IN_WORD = re.compile(r"[A-Za-z0-9'-]{2}")
_LOOSE = " ,;:(\uff0c\u3001\uff1b\uff1a\uff08-"

_WORDS: dict[Language, dict[str, str]] = {
    "zh": {
        "covered": "{what}：涵盖 {n}/{of} 项。",
        "named": "已述：{items}。",
        "missed": "遗漏：{items}。",
        "extra": "参考诊断之外：{items}。",
        "too_many": "列出 {n} 个诊断，超过 {allowed} 个，按比例扣分。",
        "content": "参考内容重合 {percent}%。",
        "score": "得分 {score}（A {a} 起，B {b} 起，C {c} 起）。",
        "missing": "报告缺少这一部分。",
        "pulled": "诊断为 {diagnosis}，本项由 {before} 降为 {after}。",
        "more": "等 {n} 项",
        "separator": "；",
        "no": "无",
        "findings": "主诉与现病史的阳性表现",
        "negatives": "现病史的阴性表现",
        "results": "辅助检查结果",
        "signs": "体征",
        "diagnoses": "参考诊断",
        "facts": "参考依据中的病历事实",
        "concepts": "参考依据中的概念",
        "kinds": "参考治疗的类别",
        "code": "编码相同",
        "category": "类目相同",
        "name": "同一疾病",
        "share": "名称内容 {percent}%",
        "comma": "，",
        "main_missed": "主要诊断未提及，至多 {ceiling}。",
        "turned_round": "病历否认而报告肯定：{items}，至多 B。",
        "forbidden": "与病历中的过敏史相抵触：{items}，D。",
        "none_found": "只提及无须或无法查出的诊断，{ceiling}。",
        "nothing": "与参考几无共同之处，{ceiling}。",
        "with_diagnosis": "诊断得分 {score} 计入。",
    },
    "en": {
        "covered": "{what}: {n} of {of} covered. ",
        "named": "Stated: {items}. ",
        "missed": "Missed: {items}. ",
        "extra": "Not in the reference: {items}. ",
        "too_many": "Lists {n} diagnoses, more than {allowed}; the score is cut in proportion. ",
        "content": "Shares {percent}% of the reference's content. ",
        "score": "Score {score} (A from {a}, B from {b}, C from {c}).",
        "missing": "The report lacks this part.",
        "pulled": " Pulled from {before} to {after} by a diagnosis graded {diagnosis}.",
        "more": "and {n} more",
        "separator": "; ",
        "no": "no",
        "findings": "Positive findings of chief complaint and present illness",
        "negatives": "Negatives of the present illness",
        "results": "Auxiliary results",
        "signs": "Physical signs",
        "diagnoses": "Reference diagnoses",
        "facts": "Facts of the record that the reference rationale uses",
        "concepts": "Concepts of the reference rationale",
        "kinds": "Kinds of treatment of the reference",
        "code": "same code",
        "category": "same category",
        "name": "same disease",
        "share": "{percent}% of the name",
        "comma": ", ",
        "main_missed": "The main diagnosis is missed: {ceiling} at best. ",
        "turned_round": "Affirmed though the record denies it: {items}; B at best. ",
        "forbidden": "Ordered against a recorded allergy: {items}; D. ",
        "none_found": "Only what was known or could not be found is named: {ceiling}. ",
        "nothing": "Next to nothing in common with the reference: {ceiling}. ",
        "with_diagnosis": "The diagnosis's score of {score} counts in. ",
    },
}

_UNSCORED: dict[Language, dict[str, str]] = {
    "zh": {
        "symptoms": "病历中没有可核对的症状",
        "examinations": "病历中没有辅助检查结果",
        "diagnosis": "病历中的诊断没有可核对的名称",
        "rationale": "病历中没有诊断依据",
        "treatment": "病历中没有治疗方案",
    },
    "en": {
        "symptoms": "the record has no symptoms to check against",
        "examinations": "the record has no auxiliary examinations",
        "diagnosis": "the record's diagnoses have no name to check against",
        "rationale": "the record has no rationale",
        "treatment": "the record has no treatment",
    },
}


def word(language: Language, key: str, **values: object) -> str:
    """One phrase or sentence; `key` and `values` as its template has them."""
    return _WORDS[language][key].format(**values)


def unscored_reason(language: Language, dimension: str) -> str:
    """Why a dimension has no grade: the record has no reference for it."""
    return _UNSCORED[language][dimension]


def shortened(name: str, most: int = _LONGEST_NAME) -> str:
    """A name of at most `most` characters; what is cut is cut after a word and marked with …."""
    if len(name) <= most:
        return name
    kept = name[: most - 1]
    # Chinese is written without spaces: the last space may be far away.
    if _IN_WORD.fullmatch(name[most - 2 : most]) and kept.rfind(" ") > most // 2:
        kept = kept[: kept.rfind(" ")]
    return f"{kept.rstrip(_LOOSE)}…"


def sentence_of(language: Language, key: str, items: Sequence[str]) -> str:
    """A sentence that names items, the first dozen of them; "" if there are none."""
    if not items:
        return ""
    shown = [shortened(item, _LONGEST_ITEM) for item in items[:_MOST_NAMED]]
    if len(items) > len(shown):
        shown.append(word(language, "more", n=len(items) - len(shown)))
    return word(language, key, items=word(language, "separator").join(shown))
