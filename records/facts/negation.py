"""Which words of a statement are denied, in both languages, by rule.

The scope of a negation runs over an enumeration ("denies fever, cough or pain", "无发热、咳嗽") and
ends at a word that turns the sentence ("but", "但") or at the sentence's end.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

from records.medical_record import Language

# A double negative affirms ("无不适" denies, "不无" affirms), and some words only look negative:
# "无明显诱因" tells of an onset, "not only" of more, "无名指" is a finger.
_ZH_CUE = re.compile(
    r"(?<!有)(?:否认|未见|未诉|未出现|未感|未发现|未闻|未及|未伴|没有出现|没有|没注意到|没|并无|均无|无|不伴|不觉得|不|未)"
)
_ZH_NOT_CUE = re.compile(
    r"有没有|有无|无名指|无明显诱因|无诱因|不舒服|不适|不规律|不规则|不稳|不清|不振|不佳|不好|不详|不明|"
    r"不全|不足|不能|不了|不下|不着|不上|不畅|不通|不洁|不良|不听使唤|不太|不时|不断|不安|不想|"
    r"无力|无精打采|无法|无论|不顺|不踏实|不利索|不灵|不仅|不但|不止|无意间|无意中|"
    r"无缓解|无好转|未缓解|未好转|不缓解|不等|"
    r"不慎|不小心|不敢|不愿|不动|不到|不出|不尽|不干净|不开|不直|未就诊|未治疗|未重视|未规律|"
    r"无菌|无业|不齐|不协调|不集中|不调|不育|不孕|不明显|没力气|没劲|没精神|没胃口|没什么力气|没兴趣"
)
_ZH_STOP = re.compile(
    r"[。；;！!？?\n]|但|然而|不过|只是|除了|(?<![没无])有(?!无|没有)|(?<=[，,])(?:出现|伴有|可见)"
)
_EN_CUE = re.compile(
    r"\b(?:denies|denied|deny|denying|no|not|never|without|neither|nor|none|nobody|nothing|no one|"
    r"hasn['’]t|haven['’]t|"
    r"didn['’]t|doesn['’]t|don['’]t|isn['’]t|wasn['’]t|aren['’]t|negative for|absence of|"
    r"free of|can['’]t say i)\b",
    re.IGNORECASE,
)
_EN_NOT_CUE = re.compile(
    r"\b(?:no longer able|not only|not able|no relief|not improve[ds]?|no improvement|not sure|"
    r"not relieved|not responding|no idea|not better|not know)\b",
    re.IGNORECASE,
)
_EN_STOP = re.compile(
    r"[.;!?\n](?=\s|$)|\b(?:but|however|although|though|except|besides|yet|just|only|"
    r"(?:he|she|they|patient|i) (?:does|do|has|have|had|reports?|notes?|mentions?)|which|"
    r"reports|notes|mentions|with a history|i['’]ve)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def negated_spans(text: str, language: Language) -> tuple[tuple[int, int], ...]:
    """The stretches of a text that are denied, cue included, from left to right.

    Args:
        text: a statement.
        language: the language it is in.
    """
    cue, not_cue, stop = (
        (_ZH_CUE, _ZH_NOT_CUE, _ZH_STOP) if language == "zh" else (_EN_CUE, _EN_NOT_CUE, _EN_STOP)
    )
    harmless = tuple(m.span() for m in not_cue.finditer(text))
    spans: list[tuple[int, int]] = []
    at = 0
    while found := cue.search(text, at):
        at = found.end()
        if _within(harmless, found.start()):
            continue
        ends = stop.search(text, found.end())
        end = ends.start() if ends else len(text)
        spans.append((found.start(), end))
        at = max(end, found.end())
    return tuple(spans)


def is_negated(text: str, start: int, language: Language) -> bool:
    """Whether the word at an offset of a statement is denied."""
    return _within(negated_spans(text, language), start)


def _within(spans: Sequence[tuple[int, int]], offset: int) -> bool:
    """True if the offset is in one of the spans, which go from left to right and do not overlap."""
    before = bisect_right(spans, offset, key=lambda span: span[0])
    return before > 0 and offset < spans[before - 1][1]
