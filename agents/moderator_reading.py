"""Reading a model moderator's replies, whatever shape it gave them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from agents.json_reply import json_values
from agents.moderation import MOST_POINTS, MOST_QUESTIONS, Question, Verdict
from records.conference import Facts
from records.examinations.examination_reading import read_names
from records.report_parser import read_report
from records.visit import REPORT_PARTS, Repair

T = TypeVar("T")

_LONGEST = 2000
"""Characters of a question or a point that are kept."""
_ASKED = ("question", "问题", "提问", "content", "text", "ask")
_TO = ("to", "addressee", "target", "role", "who", "asked_of", "对象", "问谁", "角色")
_SYMPTOMS = ("symptoms", "symptom", "symptoms and history", "症状", "症状与病史", "症状和病史")
_EXAMINATIONS = (
    "examinations",
    "examination",
    "auxiliary examinations",
    "auxiliary_examinations",
    "检查",
    "辅助检查",
    "检查结果",
)
_AGREED = ("agreement", "agree", "agreed", "consensus", "一致", "是否一致", "达成一致")
_POINTS = ("disputes", "dispute", "disputed_points", "points", "分歧", "争议", "分歧点")
_PATIENT = re.compile(r"patient|患者|病人", re.IGNORECASE)
_EXAMINER = re.compile(r"examiner|reporter|laborator|检查|检验|化验|影像", re.IGNORECASE)
_ITEM = re.compile(r"^\s*(?:[-*•]|[（(]?\d{1,2}[.、)）]|第\d{1,2}[点条]?[:：、])\s*(?P<text>\S.*)$")
_SPEAKS_TO = re.compile(
    r"^\W{0,4}(?:问|ask|to)?\W{0,3}(?P<who>patient|examiner|患者|病人|检查员)\W{0,4}[:：]\s*(?P<text>\S.*)$",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"没有(?:发现)?(?:明显的?)?(?:矛盾|分歧)|无(?:明显)?(?:矛盾|分歧)|不存在(?:矛盾|分歧)"
    r"|\bno (?:real |substantial )?(?:contradictions?|disputes?|conflicts?)\b",
    re.IGNORECASE,
)
_AGREE = re.compile(
    r"(?:已经?|基本|完全)(?:基本|完全)?(?:达成)?一致|达成(?:了)?(?:共识|一致)|#结束#"
    r"|\b(?:the doctors|they|all) (?:fully |basically |now )?agree\b|\bin agreement\b"
    r"|\bagreement (?:is |has been )?reached\b|\bconsensus (?:is |has been )?reached\b",
    re.IGNORECASE,
)
_DISAGREE = re.compile(
    r"(?:未|没有|尚未|并未|不)(?:能)?(?:基本|完全)?(?:达成)?(?:共识|一致)"
    r"|\b(?:do|does|did|is|are|has|have) not (?:yet |fully )?(?:been )?(?:agree|in agreement"
    r"|reached?)|\bno (?:agreement|consensus)\b|\bdisagree",
    re.IGNORECASE,
)
_TRUE = frozenset({"true", "yes", "是", "一致", "已达成一致", "agree", "agreed", "1"})
_FALSE = frozenset({"false", "no", "否", "不一致", "未达成一致", "disagree", "0"})


@dataclass(frozen=True)
class Read(Generic[T]):
    """What a reply says, and what had to be put up with to read it."""

    value: T
    repairs: tuple[Repair, ...] = ()


def read_questions(text: str) -> Read[tuple[Question, ...]] | None:
    """The questions of a reply; None if it holds none and does not say that there are none.

    A question that names nobody goes to the examiner if it names an examination, else to the
    patient.
    """
    for value in json_values(text, "["):
        if isinstance(value, list) and all(_question(item) for item in value):
            return _bounded([q for item in value if (q := _question(item))])
    for value in json_values(text, "{"):
        if question := _question(value):
            return _bounded([question])
    lines = [m for line in text.splitlines() if (m := _SPEAKS_TO.match(_item(line)))]
    if lines:
        found = [Question(_role(m["who"], m["text"]), m["text"].strip()[:_LONGEST]) for m in lines]
        return _bounded(found, Repair(kind="questions_without_json"))
    if _NONE.search(text):
        return Read((), (Repair(kind="questions_without_json"),))
    return None


def read_facts(text: str) -> Read[Facts] | None:
    """The merged facts of a reply, as JSON or under a report's headings; None if it has neither."""
    for value in json_values(text, "{"):
        if isinstance(value, dict):
            symptoms, examinations = _field(value, _SYMPTOMS), _field(value, _EXAMINATIONS)
            if symptoms is not None or examinations is not None:
                facts = Facts(symptoms=_text(symptoms), examinations=_text(examinations))
                return Read(facts) if facts != Facts() else None
    report = read_report(text).report
    if report.symptoms or report.examinations:
        facts = Facts(symptoms=report.symptoms, examinations=report.examinations)
        return Read(facts, (Repair(kind="facts_without_json"),))
    return None


def read_verdict(text: str) -> Read[Verdict] | None:
    """The verdict of a reply; None if it can be read as neither agreement nor dispute.

    Of more points than are discussed, the first are kept. A declared agreement holds, whatever
    points stand beside it; points without a declaration are a dispute, and an empty list of them
    is an agreement.
    """
    for value in json_values(text, "{"):
        if not isinstance(value, dict):
            continue
        agreed = _truth(_field(value, _AGREED))
        points = _field(value, _POINTS)
        listed = None if points is None else _lines(points)
        if agreed is None and listed is None:
            continue
        return _verdict(not listed if agreed is None else agreed, listed or [])
    listed = [m["text"] for line in text.splitlines() if (m := _ITEM.match(line))]
    repair = Repair(kind="verdict_without_json")
    if _DISAGREE.search(text) or (listed and not _AGREE.search(text)):
        return _verdict(False, listed, repair)
    if _AGREE.search(text) or _NONE.search(text):
        return _verdict(True, [], repair)
    return None


def read_conclusion(text: str) -> Read[str] | None:
    """The final report as written; None if it has no part of one or declines to conclude."""
    reading = read_report(text)
    empty = not any(getattr(reading.report, part).strip() for part in REPORT_PARTS)
    return None if empty or reading.declined else Read(text, reading.repairs)


def _bounded(found: list[Question], *repairs: Repair) -> Read[tuple[Question, ...]]:
    unique = list({(q.to, q.text): q for q in found}.values())
    if len(unique) > MOST_QUESTIONS:
        repairs += (Repair(kind="questions_cut", detail=f"{len(unique)} questions"),)
    return Read(tuple(unique[:MOST_QUESTIONS]), repairs)


def _verdict(agreed: bool, points: list[str], *repairs: Repair) -> Read[Verdict]:
    kept = tuple(dict.fromkeys(p.strip()[:_LONGEST] for p in points if p.strip()))
    if agreed and kept:
        repairs += (Repair(kind="points_beside_agreement", detail=f"{len(kept)} points"),)
        kept = ()
    if len(kept) > MOST_POINTS:
        repairs += (Repair(kind="points_cut", detail=f"{len(kept)} points"),)
    return Read(Verdict(agreed, kept[:MOST_POINTS]), repairs)


def _question(value: Any) -> Question | None:
    if isinstance(value, str) and value.strip():
        text, who = value.strip(), ""
    elif isinstance(value, dict):
        asked = _field(value, _ASKED)
        if not isinstance(asked, str) or not asked.strip():
            return None
        text, who = asked.strip(), str(_field(value, _TO) or "")
    else:
        return None
    return Question(_role(who, text), text[:_LONGEST])


def _role(who: str, question: str) -> Literal["patient", "examiner"]:
    if _PATIENT.search(who):
        return "patient"
    if _EXAMINER.search(who):
        return "examiner"
    return "examiner" if read_names(question) else "patient"


def _field(value: dict[Any, Any], names: tuple[str, ...]) -> Any:
    return next((v for k, v in value.items() if str(k).strip().lower() in names), None)


def _truth(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower().rstrip("。.")
    return True if word in _TRUE else False if word in _FALSE else None


def _lines(value: Any) -> list[str]:
    """Texts of a list, whatever its items are; of a text, its items or the whole."""
    if isinstance(value, str):
        return [_item(line) for line in value.splitlines() if line.strip()]
    items = value if isinstance(value, list) else [value]
    return [text for item in items if (text := _text(item).replace("\n", "; "))]


def _text(value: Any) -> str:
    """A value as text: lists a line each, fields with their names."""
    return "\n".join(_leaves(value)).strip()


def _leaves(value: Any, label: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, f"{label}{name}: ")
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, label)
    elif value is not None and str(value).strip():
        yield f"{label}{str(value).strip()}"


def _item(line: str) -> str:
    found = _ITEM.match(line)
    return found["text"] if found else line.strip()
