"""Take one recorded result apart: value, unit, reference range, note, and whether it is abnormal.

Nothing is guessed: what is not a number with a unit stays a text, and `abnormal` is set only where
the source itself says so, in a word, an arrow or a reference range.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = r"[<>＜＞≤≥≈±~约]?\s{0,9}[-+−]?\d[\d,]*(?:\.\d+)?"
_QUANTITY = rf"{_NUMBER}(?:\s{{0,9}}[/\-–—~～至]\s{{0,9}}\d[\d,]*(?:\.\d+)?)?\+{{0,4}}"
_WORD_UNIT = (
    r"(?:breaths?|beats?|cells?|copies|seconds?|minutes?|hours?|hrs?|sec|min|kilograms?|pounds?|"
    r"lbs?|inch(?:es)?|feet|bpm|k?g|gm|mg|[µμu]g|mcg|ng|pg|fg|k?Pa|[cm]?m(?:m?Hg|\s?Hg)|"
    r"cm\s?H2O|[cmµμu]?m\^?[\d³²]?|[mµμunpf]?mol|m?[µμuk]?IU|m?U|mOsm|m?Eq|"
    r"[dmµμu]?[lL]|s|h|hpf|HPF|lpf|LPF|次|个|分|秒|厘米|毫米|公斤|千克|克|毫克|级|岁|度)"
)
_UNIT = (
    r"(?:[%％‰]|°\s{0,9}[CF]|[℃℉°]|"
    rf"(?:[×xX*]\s{{0,9}}10\s{{0,9}}\^?\s{{0,9}}\d+\s{{0,9}})?/?\s{{0,9}}{_WORD_UNIT}"
    rf"(?:\s{{0,9}}[/·]\s{{0,9}}\d*\.?\d*\s{{0,9}}{_WORD_UNIT}"
    r"(?:\^?[\d³²])?)*|[×xX*]\s{0,9}10\s{0,9}\^?\s{0,9}\d+)(?![A-Za-z])"
)
_MEASURED = re.compile(
    rf"^(?P<value>{_QUANTITY})(?![\d,.]*\d)\s{{0,9}}(?P<unit>{_UNIT})?\s{{0,9}}"
    r"(?P<note>[(（\[].*[)）\]]|[↑↓]+|on room air.*)?\.?$"
)
_RANGE = re.compile(
    r"[(（]\s*(?:参考(?:值|范围|区间)|正常(?:值|范围)|(?:normal|reference|ref\.?)"
    r"(?:\s+(?:range|values?|interval))?)\s*[:：]?\s*(?P<range>[^()（）]*\d[^()（）]*)[)）]",
    re.IGNORECASE,
)
_BOUNDS = re.compile(r"(\d+(?:\.\d+)?)\s*[-–—~～至]\s*(\d+(?:\.\d+)?)")

_DEGREE = r"(?:(?:markedly|slightly|mildly|moderately|significantly|severely|very|extremely)\s+)*"
_HIGH_OR_LOW = (
    r"(?:elevated|increased|raised|high|decreased|reduced|low|lowered|prolonged|shortened|abnormal|"
    r"positive|enlarged|acidic|alkalotic)"
)
_EN_ABNORMAL = re.compile(
    rf"(?:present,?\s*[(]?)?{_DEGREE}{_HIGH_OR_LOW}(?:\s+levels?)?(?:\s+for\s+age)?\)?|"
    r"positive\s+(?:for|on|in)\b.*",
    re.IGNORECASE,
)
_EN_NORMAL = re.compile(
    r"(?:normal|negative(?:\s+for\b.*)?|unremarkable|"
    r"within\s+(?:the\s+)?(?:normal|reference)\s+(?:limits?|range)|"
    r"normal\s+(?:range|limits?)|no\s+(?:acute\s+)?abnormalit(?:y|ies)|not\s+detected|intact)"
    r"(?:\s+for\s+age)?(?:\s+(?:noted|detected|observed|found|throughout))?",
    re.IGNORECASE,
)
_ZH_ABNORMAL = re.compile(
    r"[↑↓]|(?<!弱)阳性|升高|增高|降低|减低|偏高|偏低|增快|减慢|大于正常|高于正常|低于正常|异常"
)
_ZH_NORMAL = re.compile(
    r"(?:均|大致|基本)?(?:(?:未见|未发现|未闻及|未触及|未查及|无)(?:明显|显著)?(?:异常|病变)(?:发现)?"
    r"|(?<![大小高低]于)正常|阴性|在正常范围内?|[(（]-[)）])"
)
_ZH_PENDING = re.compile(r"待结果|待回报|待查|如上|未回|未出")


_RESULT = rf"(?P<rest>{_QUANTITY}\s*(?:{_UNIT})?(?:\s*[(（].*[)）])?[↑↓]*)$"
_SPACED = re.compile(rf"^(?P<name>[^\d\s:：，。,;；][^:：，。,;；]*?)\s+{_RESULT}")
_CLOSE_UP = re.compile(
    rf"^(?P<name>(?:[^\d\s:：，。,;；][^:：，。,;；]*?)?[^\d\s:：，。,;；×*^.])\s*{_RESULT}"
)


@dataclass(frozen=True)
class Reading:
    """One result taken apart; value, unit and note together hold all of the source's words."""

    value: str
    unit: str | None = None
    reference_range: str | None = None
    abnormal: bool | None = None
    note: str | None = None


def take_reading(text: str) -> Reading:
    """Take a recorded result apart: "5.1mmol/L", "9.5 g/dL (low)", "22mg/L（参考值0-8mg/L）"."""
    text = text.strip()
    reference = None
    body = text
    found = _RANGE.search(text)
    if found:
        reference = found["range"].strip(" ,，")
        body = (text[: found.start()] + text[found.end() :]).strip()
    measured = _MEASURED.match(body)
    if measured is None:
        if found:
            # Free words around the range: keep them as they stand, the range among them.
            return Reading(text, None, reference, _says_abnormal(body))
        return Reading(text, None, None, _says_abnormal(text))
    value, unit, note = (measured[name] for name in ("value", "unit", "note"))
    note = note.strip() if note else None
    abnormal = _says_abnormal(note.strip("()（）[], ，;")) if note else None
    if abnormal is None and reference:
        abnormal = _outside(value, reference)
    return Reading(value.strip(), unit.strip() if unit else None, reference, abnormal, note)


def is_measurement(text: str) -> bool:
    """Whether a text is a number with or without a unit, and nothing else."""
    return _MEASURED.match(text.strip()) is not None


def name_and_result(text: str) -> tuple[str, str] | None:
    """Part a name from the number right behind it ("HGB 128g/L", "比重1.015"), if it is so."""
    found = _SPACED.match(text.strip()) or _CLOSE_UP.match(text.strip())
    return (found["name"].strip(), found["rest"].strip()) if found else None


def _says_abnormal(text: str) -> bool | None:
    if re.search(r"[㐀-鿿]", text):
        verdicts = {
            _zh_clause(clause) for clause in re.split(r"[，,;；。、]", text) if clause.strip()
        }
        if True in verdicts:
            return True
        return False if verdicts == {False} else None
    if set(text) & {"↑", "↓"}:
        return True
    phrase, _, rest = (
        part.strip() for part in re.sub(r"[.,;(]|\bwith\b", "|", text, count=1).partition("|")
    )
    if _EN_ABNORMAL.fullmatch(text.strip(" .")) or _EN_ABNORMAL.fullmatch(phrase):
        return True
    if _EN_NORMAL.fullmatch(phrase) and (not rest or re.match(r"no\b", rest, re.IGNORECASE)):
        return False
    return None


def _zh_clause(clause: str) -> bool | None:
    clause = clause.strip()
    if _ZH_PENDING.search(clause):
        return None
    normal = re.search(_ZH_NORMAL.pattern + r"$", clause)
    if normal:
        return False
    if re.search(r"[未无非不]", clause):
        return None
    return True if _ZH_ABNORMAL.search(clause) else None


def _outside(value: str, reference: str) -> bool | None:
    bounds = _BOUNDS.search(reference)
    number = re.fullmatch(r"\d+(?:\.\d+)?", value.replace(",", ""))
    if bounds is None or number is None:
        return None
    return not float(bounds[1]) <= float(number[0]) <= float(bounds[2])
