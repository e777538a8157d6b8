"""A request to the Examiner, matched to the recorded examinations.

Two steps, as in AI Hospital (arXiv 2402.09742, section 2.3): name the examinations that are
requested, which refuses a request that names none; then find each among the recorded ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from records.examination_lexicon import load_examination_lexicon, normalise
from records.examination_orders import orders_examinations
from records.examination_reading import Named, read_names
from records.medical_record import Examination, Language, Paper
from records.recorded_examinations import RecordedExamination, find_recorded
from records.stated_examinations import stated_examinations

__all__ = [
    "RequestMatch",
    "RequestedItem",
    "match_request",
    "orders_examinations",
    "stated_examinations",
]


class RequestedItem(Paper):
    """One examination that was asked for."""

    asked: str
    """Its name: in the record's language if the lexicon knows it, else the asker's words."""
    ids: tuple[str, ...]
    """The recorded examinations that answer it, in the record's order; empty: not on record."""


class RequestMatch(Paper):
    """What a request asks for."""

    items: tuple[RequestedItem, ...] = ()
    vague: bool = False
    """True if it names no examination, so that it is to be refused."""


# "Whatever shows …" asks for a purpose, not for an examination, whatever else it mentions.
_FISHING = re.compile(
    r"(?:\b(?:whatever|whichever|anything|everything|something|any (?:kind of |sort of |"
    r"other )?(?:tests?|exams?|"
    r"examinations?|scans?|labs?|blood tests?|investigations?|imaging|stud(?:y|ies))|"
    r"(?:a|the|some|which|what) (?:kind of )?(?:tests?|exams?|scans?) (?:that|which|to|can|will|"
    r"would|might))\b[^.,;:\n]*)|"
    r"(?:(?:任何|随便|不管|无论|凡是|只要|该做|什么都|啥都|能(?:看出|查出|知道|证明|确定|确诊|"
    r"说明|判断|反映|显示|告诉|检查出))[^。,;:\n]*)|"
    r"(?:(?:什么|哪些|哪种|哪个|啥)(?:检查|检测|化验)?(?:能|可以|最|才|比较)[^。,;:\n]*)",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:all|every|everything|each|any|whole|complete set|full set|entire)\b|"
    r"所有|全部|一切|统统|任何|随便|都(?:告诉|给|念|说|发|拿|看)|全套|各项|各种",
    re.IGNORECASE,
)
# A purpose that follows ("…, 以评估肝功能", "to assess liver function") is not a second request.
_PURPOSE = re.compile(
    r"(?:(?:以便?|来|用于|用以|从而|以此|便于|目的是)\s*(?:进一步|更好地?|更准确地?|更全面地?|"
    r"更详细地?|全面)?\s*"
    r"(?:评估|排除|了解|明确|判断|确定|查看|确认|观察|监测|检查|看看?|诊断|确诊|评价|检测|帮助|"
    r"发现|鉴别|查明|找出|寻找)|"
    r"(?<=[,;、])\s*(?:评估|排除|观察|看看?是?否?有?没?有?|查看是否|确定是否|明确是否|了解是否|"
    r"明确|排查|评价)|"
    r"为了?(?!我|您|你|患者|病人)|"
    r"\b(?:to|in order to|so as to)\s+(?:help\s+)?(?:assess|evaluate|rule out|exclude|see if|"
    r"see whether|determine|"
    r"look for|confirm|check for|check whether|check if|investigate|detect|find out|screen for|"
    r"identify|help)\b|"
    r"\b(?:looking for|because of|for (?:suspected|possible|signs of|evidence of)|"
    r"ruling out)\b)[^。,;\n]*",
    re.IGNORECASE,
)
_NARROWING = re.compile(
    r"^[\s(:,，]*(?:检查|检测|测试|scan)?[\s(:,，]*(?:例如|比如|譬如|诸如|包括但不限于|包括|包含|"
    r"其中包括|如|像|即|"
    r"such as|including|e\.g\.?|for example|for instance|like|namely|i\.e\.?)[\s(:,，]*",
    re.IGNORECASE,
)
_OR = re.compile(r"^\s*(?:检查|扫描|scans?)?\s*(?:[,，]?\s*(?:或者?|or|/))\s*", re.IGNORECASE)


def match_request(
    text: str, examinations: Sequence[Examination], language: Language
) -> RequestMatch:
    """Name the examinations requested and find each on record.

    Args:
        text: the request, in either language.
        examinations: all that the Examiner has of this patient.
        language: of the record; the names in the result are in it where the lexicon knows them.
    """
    recorded = [RecordedExamination.of(e) for e in examinations]
    request = _strip(normalise(text))
    wanted = _narrow(_unspecific(list(read_names(request)), request), request)
    answers: list[tuple[Named, tuple[str, ...]]] = [
        (named, find_recorded(named, recorded)) for named in wanted
    ]
    items: list[tuple[int, RequestedItem]] = []
    for i, (named, ids) in enumerate(answers):
        if not ids and _alternative_found(i, answers, request):
            continue
        items.append((named.start, RequestedItem(asked=_asked(named, request, language), ids=ids)))
    spans = [(n.start, n.end) for n in wanted]
    items += _by_own_name(request, recorded, spans)
    items += _unknown_names(request, spans, [i.asked for _, i in items])
    items.sort(key=lambda pair: pair[0])
    return RequestMatch(items=_merged([i for _, i in items]), vague=not items)


def _strip(request: str) -> str:
    """Blank out what names a purpose, keeping every offset."""
    for pattern in (_FISHING, _PURPOSE):
        request = pattern.sub(lambda m: " " * len(m.group()), request)
    return request


def _unspecific(wanted: list[Named], request: str) -> list[Named]:
    """Without the widest groups where all of them is asked for: that names nothing."""
    if not _ALL.search(request):
        return wanted
    lexicon = load_examination_lexicon()
    return [n for n in wanted if not (n.concepts and all(lexicon[c].broad for c in n.concepts))]


def _narrow(wanted: list[Named], request: str) -> list[Named]:
    """ "Blood tests such as CBC and CRP" asks for these two."""
    lexicon = load_examination_lexicon()
    kept: list[Named] = []
    for i, named in enumerate(wanted):
        after = wanted[i + 1] if i + 1 < len(wanted) else None
        wide = any(lexicon[c].kind in ("category", "physical") for c in named.concepts)
        wide = wide or (named.modality == "imaging_studies" or named.scope == "organ")
        if wide and after and _NARROWING.fullmatch(request[named.end : after.start]):
            continue
        kept.append(named)
    return kept


def _alternative_found(
    index: int, answers: list[tuple[Named, tuple[str, ...]]], request: str
) -> bool:
    """ "CT or MRI": with the one on record, nothing is said of the other."""
    named = answers[index][0]
    for other in (index - 1, index + 1):
        if 0 <= other < len(answers) and answers[other][1]:
            left, right = sorted((named, answers[other][0]), key=lambda n: n.start)
            if _OR.match(request[left.end : right.start]):
                return True
    return False


def _asked(named: Named, request: str, language: Language) -> str:
    lexicon = load_examination_lexicon()
    if named.concepts and not named.side:
        return lexicon[named.concepts[0]].name(language)
    words = request[named.start : named.end].strip()
    if (language == "zh") == bool(re.search(r"[一-鿿]", words)) or not named.modality:
        return words
    region = lexicon[named.regions[0]].name(language) if named.regions else ""
    modality = lexicon[named.modality].name(language)
    return f"{region}{modality}" if language == "zh" else f"{region} {modality}".strip()


def _by_own_name(
    request: str, recorded: list[RecordedExamination], spans: list[tuple[int, int]]
) -> list[tuple[int, RequestedItem]]:
    """Names that only the record knows, found in the request as they are written."""
    found: dict[tuple[int, str], list[str]] = {}
    for item in recorded:
        for name in item.own_names:
            place = name.search(request)
            if place and not any(s <= place.start() and place.end() <= e for s, e in spans):
                found.setdefault((place.start(), place.group()), []).append(item.id)
    return [
        (start, RequestedItem(asked=name, ids=tuple(dict.fromkeys(ids))))
        for (start, name), ids in found.items()
    ]


# A word shaped like the name of a test, which neither the lexicon nor the record has.
_TEST_SHAPED = re.compile(
    r"[A-Za-z0-9α-ω一-鿿]{1,8}?(?:抗体|抗原|试验|培养|造影|测定|活检|显像|镜检|染色)|"
    r"\b[A-Za-z][A-Za-z0-9]+ (?:antibod(?:y|ies)|antigen|culture|assay|titers?|titres?|smear|"
    r"stain|biopsy|PCR)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r".*(?:做|查|行|测|验|个|次|下|项|的|和|与|及|或|要|我|你|您|请|想|有|需|给|些|这|那|该|等|"
    r"议|排)"
)


def _unknown_names(
    request: str, spans: list[tuple[int, int]], known: list[str]
) -> list[tuple[int, RequestedItem]]:
    found = []
    for match in _TEST_SHAPED.finditer(request):
        if any(s < match.end() and match.start() < e for s, e in spans):
            continue
        name = _LEAD.sub("", match.group()).strip()
        if len(name) > 2 and name not in known:
            found.append((match.start(), RequestedItem(asked=name, ids=())))
    return found


def _merged(items: list[RequestedItem]) -> tuple[RequestedItem, ...]:
    """One item a name; a name whose results a name before it has brought is not repeated."""
    merged: list[RequestedItem] = []
    seen: set[str] = set()
    for item in items:
        if any(item.asked.casefold() == m.asked.casefold() for m in merged):
            continue
        if item.ids and set(item.ids) <= seen:
            continue
        seen.update(item.ids)
        merged.append(item)
    return tuple(merged)
