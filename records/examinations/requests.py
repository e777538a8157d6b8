"""A request to the Examiner, matched to the recorded examinations.

Two steps, as in AI Hospital (arXiv 2402.09742, section 2.3): name the examinations that are
requested, which refuses a request that names none; then find each among the recorded ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from records.examinations.examination_lexicon import load_examination_lexicon
from records.examinations.examination_orders import orders_examinations
from records.examinations.examination_reading import Named
from records.examinations.recorded_examinations import RecordedExamination, find_recorded
from records.examinations.request_reading import is_wide, requested_names
from records.examinations.request_wording import OTHER, request_text
from records.examinations.stated_examinations import stated_examinations
from records.medical_record import Examination, Language, Paper

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
    request = request_text(text)
    wanted = requested_names(request)
    answers = [(named, find_recorded(named, recorded)) for named in wanted]
    items = [
        (named.start, RequestedItem(asked=_asked(named, request, language), ids=ids))
        for i, (named, ids) in enumerate(answers)
        if not _is_served(i, answers, request)
    ]
    spans = [(n.start, n.end) for n in wanted]
    items += _by_own_name(request, recorded, spans)
    items += _unknown_names(request, spans, [i.asked for _, i in items])
    items.sort(key=lambda pair: pair[0])
    return RequestMatch(items=_merged([i for _, i in items]), vague=not items)


def _is_served(index: int, answers: list[tuple[Named, tuple[str, ...]]], request: str) -> bool:
    """True for a group that follows one of its kind that was found: "CT or other imaging"."""
    if not index or not answers[index - 1][1]:
        return False
    named, before = answers[index][0], answers[index - 1][0]
    return is_wide(named) and bool(OTHER.fullmatch(request[before.end : named.start]))


def _asked(named: Named, request: str, language: Language) -> str:
    """The name to answer under: the lexicon's in the record's language, else the asker's words."""
    lexicon = load_examination_lexicon()
    if len(named.concepts) == 1 and not named.side:
        return lexicon[named.concepts[0]].name(language)
    words = request[named.start : named.end].strip()
    same_language = (language == "zh") == bool(re.search(r"[一-鿿]", words))
    if same_language and not named.inherited:
        return words
    parts = [lexicon[r].name(language) for r in named.regions[:1]]
    if named.modality:
        parts.append(lexicon[named.modality].name(language))
    elif named.regions:
        parts.append("检查" if language == "zh" else "examination")
    return ("" if language == "zh" else " ").join(parts) or words


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
    r"[A-Za-z0-9α-ω一-鿿]{1,8}?(?:抗体|抗原|试验|培养|造影|测定|活检|显像|镜检|染色|功能)|"
    r"\b[A-Za-z][A-Za-z0-9]+ (?:antibod(?:y|ies)|antigen|culture|assay|titers?|titres?|smear|"
    r"stain|biopsy|PCR)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r".*(?:做|查|行|测|验|个|次|下|项|的|和|与|及|或|要|我|你|您|请|想|有|需|给|些|这|那|该|等|"
    r"议|排|如|像|括|镜)"
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
    """One item a name."""
    merged: dict[str, RequestedItem] = {}
    for item in items:
        merged.setdefault(item.asked.casefold(), item)
    return tuple(merged.values())
