"""The headings of a report: which of its five parts a line opens, however it is marked up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

_HEAD = 160
"""No heading is longer; the rest of a line is never searched, so a long line costs nothing."""

_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0xA0: 0x20}
"""Full-width to ASCII, one character for one, so that offsets keep."""

_ZH_FIRST = (
    r"(?:(?:患者|病人|主要|临床|初步|最终|最后|目前|可能的?|当前|后续|建议|综合|进一步|拟)的?)*"
)
_EN_FIRST = (
    r"(?:(?:the|patient(?:'s)?|main|key|presenting|reported|clinical|final|provisional|preliminary"
    r"|primary|working|initial|most likely|likely|probable|suspected|possible|proposed|recommended"
    r"|suggested|current|overall|summary of|mastered)\s+)*"
)

_NAMES: dict[str, tuple[str, str]] = {
    "rationale": (
        r"诊断(?:的)?(?:依据|理由|根据|分析|思路|基础)|(?:依据|理由|根据|分析|推理过程?)|鉴别诊断",
        r"(?:diagnostic\s+)?(?:rationale|basis|reasoning|justification|evidence|reasons?)"
        r"(?:\s+(?:for|of|behind)\s+(?:the\s+)?diagnos[ei]s)?|supporting\s+evidence"
        r"|differential(?:\s+diagnos[ei]s)?",
    ),
    "symptoms": (
        r"症状(?:总结|描述|表现|概述)?(?:[和与及、]?体征)?|临床表现|主诉(?:[和与及]症状)?"
        r"|病情(?:摘要|概述)",
        r"symptoms?(?:\s+(?:and|&)\s+signs?)?(?:\s+(?:summary|presented|reported))?"
        r"|signs?\s+(?:and|&)\s+symptoms?|symptoms?\s+summary|presentation"
        r"|(?:chief|presenting)?\s*complaints?(?:\s+(?:and|&)\s+symptoms?)?",
    ),
    "examinations": (
        r"(?:辅助|相关|医学|已做的?)?检查(?:结果|项目|情况|所见|发现)?(?:总结)?|检验(?:和|与"
        r"|及)?检查(?:结果)?"
        r"|辅助检验(?:结果)?",
        r"(?:(?:auxiliary|ancillary|supporting|supplementary|diagnostic|laboratory|lab|medical"
        r"|physical|additional)\s+)*(?:examinations?|exams?|tests?|investigations?|work-?up)"
        r"(?:\s+(?:and|&)\s+(?:tests?|investigations?|results?|findings?|examinations?))?"
        r"(?:\s+(?:results?|findings?|performed|done))?|(?:lab(?:oratory)?\s+)?results"
        r"|results?\s+of\s+(?:the\s+)?(?:auxiliary\s+)?(?:examinations?|tests?|investigations?)",
    ),
    "diagnosis": (
        r"诊断(?:结果|结论|意见|印象|名称)?|印象|结论",
        r"diagnos[ei]s(?:\s+results?)?|diagnostic\s+(?:results?|conclusions?|impressions?|opinion)"
        r"|impressions?|assessment",
    ),
    "treatment": (
        r"治疗(?:方案|计划|建议|措施|原则|意见|策略|方法|方式)?(?:[和与及]建议)?|处理(?:意见|方案"
        r"|措施)?"
        r"|诊疗(?:计划|方案|建议)|处置(?:意见|方案)?",
        r"(?:treatments?|management|therapy|therapeutic|care)(?:\s+(?:and|&)\s+(?:management"
        r"|follow-?up|treatment|plan))?(?:\s+(?:plans?|recommendations?|options?|strategy"
        r"|strategies"
        r"|approach|regimen|advice))?|plan|recommendations?",
    ),
}
_NAME = "|".join(
    f"(?P<{part}>(?:{_ZH_FIRST}(?:{zh})|{_EN_FIRST}(?:{en})))" for part, (zh, en) in _NAMES.items()
)
_NUMBER = (
    r"(?:\(?\d{1,2}(?:\.\d{1,2})*\s*[.、):]|\(?[一二三四五六七八九十]{1,3}\s*[、.):]|[ivx]{1,4}[.)]"
    r"|[a-e][.)]|(?:part|section|step)\s*\d{1,2}\s*[.:)\-]?|第[一二三四五六七八九十\d]+(?:部分"
    r"|项)?[、.:]?)"
)
_HEADING = re.compile(
    rf"(?P<lead>(?:[\s\u200b-\u200f\u202a-\u202e\ufeff>*_~`#•·●■◆▪+\-–—\[【(<《\"“'|]|{_NUMBER})*+)"
    rf"(?:{_NAME})"
    r"(?P<paren>\s*[(\[（][^)\]）]{0,60}[)\]）])?"
    r"(?P<close>[\s*_`#\]】)>》\"”'|]*+)"
    r"(?P<colon>(?::|\s?[-–—]{1,2}\s)?)(?P<after>[\s*_`#]*+)",
    re.I,
)
_ITEM = re.compile(rf"{_NUMBER}|[•·●▪+\-–—]|(?<!\*)\*(?!\*)", re.I)
_ALL = "|".join(f"(?:{zh}|{en})" for zh, en in _NAMES.values())
HEADING_INLINE = re.compile(
    rf"(?<=[。；;.!?！？\s，,])(?:\d{{1,2}}[.、)）]\s*)?(?:{_ZH_FIRST}|{_EN_FIRST})(?:{_ALL})\s?[:：]",
    re.I,
)
"""A heading with a colon in the middle of a line."""
_HINT = re.compile(
    r"[症诊检验治]|临床|主诉|病情|依据|理由|根据|分析|推理|印象|结论|处[理置]|symptom|sign|complaint|presentation"
    r"|exam|test|investig|work-?up|result|diagnos|impression|assessment|rationale|basis|reason"
    r"|justif|evidence|differential|treat|manage|therap|care|plan|recommend",
    re.I,
)
"""What every heading has in it: most lines are dismissed by this alone."""


@dataclass(frozen=True)
class Heading:
    """One line read as a heading."""

    part: str
    """One of `records.visit.REPORT_PARTS`."""
    rest: str
    """What stands after the heading on its line."""
    level: float
    """How much the mark-up makes of it: 4 and more for hashes, 3 bold, 2 plain, 1 a list item."""
    itemised: bool
    """True if it is numbered or has a bullet, as labels inside a part have too."""


def read_heading(line: str) -> Heading | None:
    """Read one line as a heading of a report; None if it is none."""
    head = line[:_HEAD]
    if not _HINT.search(head):
        return None
    found = _opening(head)
    if found is None:
        return None
    part, end, level, itemised = found
    return Heading(part=part, rest=line[end:].lstrip(), level=level, itemised=itemised)


@lru_cache(maxsize=4096)
def _opening(head: str) -> tuple[str, int, float, bool] | None:
    """Part, where the heading ends, level, itemised; cached, as a looping model repeats lines."""
    match = _HEADING.match(head.translate(_NARROW))
    if not match:
        return None
    lead, close = match.group("lead"), match.group("close") + match.group("after")
    rest = head[match.end() :].strip()
    has_colon = match.group("colon").strip() == ":"
    paired = (
        ("#" in lead and "#" in close)
        or ("**" in lead and "**" in close)
        or (any(c in lead for c in "【[<《") and any(c in close for c in "】]>》"))
    )
    dashed = bool(match.group("colon")) and not has_colon and ("#" in lead or "**" in lead)
    if rest and not (has_colon or paired or dashed):
        return None
    marked = "#" in lead or paired or has_colon or not lead.strip("* ")
    if not (rest or marked or re.search(_NUMBER, lead, re.I)):
        return None  # "- Symptoms" alone in a list names an item; "1. Symptoms" opens a part.
    part = next(part for part in _NAMES if match.group(part) is not None)
    itemised = bool(_ITEM.search(lead.replace("**", "")))
    return part, match.end(), _level(lead, close, itemised), itemised


def part_of(name: str) -> str | None:
    """The part that a bare heading names ("Final diagnosis", "诊断依据"); None if it names none."""
    heading = read_heading(name[:_HEAD] + ":" if name.strip() else "")
    return heading.part if heading and not heading.rest.strip(" :") else None


def _level(lead: str, close: str, itemised: bool) -> float:
    if "#" in lead:
        depth = 1 if "#" in close else min(lead.count("#"), 6)
        return 4 + (6 - depth) / 10
    if "<" in lead or "【" in lead:
        return 3.5
    if "**" in lead or "__" in lead:
        return 2.5 if itemised else 3
    return 1 if itemised else 2
