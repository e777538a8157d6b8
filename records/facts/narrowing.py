"""Keeping, of the clauses that tell an attribute, those that tell what the question wants of it.

"Is it worse?" asks for what got worse, "for how many years?" for years; "is it worse when you
walk?" for walking alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from records.facts.attributes import Attribute
from records.facts.fact_index import Fact
from records.facts.lexicon import load_lexicon
from records.medical_record import Language

_Test = Callable[[Fact], bool]
_ASKS_WORSE = re.compile(r"重了|加重|加剧|更[重差]|恶化|厉害了|越来越|见重")
_ASKS_BETTER = re.compile(r"好[转些点]|见[好轻]|减轻|缓解|改善|轻了|缓过来|消[了失退]")
_WORSE = re.compile(r"加重|加剧|恶化|越来越|严重|厉害|明显(?!缓|好|改)|不行了|进展|再次")
_BETTER = re.compile(r"好[转些点]|见好|减轻|缓解|改善|消失|停下来|消退|自愈|好了|效|持续|一直")
_ASKS_YEARS = re.compile(r"[几多]少?年|年头")
_ASKS_DATE = re.compile(
    r"(?:加重|加剧|重了|厉害了|恶化).{0,8}(?:多久|多长|多少|几|时候|时间)|"
    r"什么时候.{0,8}(?:重了|加重[的了]|变重|厉害了|[急重]起来)"
)
_EPISODE = re.compile(
    r"约.{0,3}(?:分钟|秒)|持续(?:了|约)?.{0,4}(?:秒|分钟)|每次|就是.{0,3}分钟|一会"
)
_WHEN = re.compile(r"(?:了)?(?:的时候|以后|之后|后(?!背)|时(?!间))")
_SETBACK = re.compile(r"加重|加剧|再次")
_SWAYS = re.compile(r"加重|缓解|好一")
_TEMPERATURE = re.compile(r"℃|°|最高温|体温")
_ASKS_TEMPERATURE = re.compile(r"[烧热度]|体温")
_QUALITIES = tuple(
    (re.compile(asks), re.compile(told))
    for asks, told in (
        ("颜色|什么色|啥色", "[黄白红黑绿褐紫青粉]|色"),
        ("多大|大小", "大|小|厘米|cm"),
        ("量[多大]|多少量|的量", "量|多|少|ml"),
    )
)
"""How a question names a quality, and how a clause tells it."""
_OF_CARE = frozenset({"prior_tests", "prior_diagnosis", "care_sought"})
_OPEN = re.compile(r"什么|啥|哪|怎")


def _says(words: re.Pattern[str]) -> _Test:
    return lambda f: bool(words.search(f.own_words))


def circumstances(text: str, language: Language) -> frozenset[str]:
    """Ids of the circumstances that a text names."""
    return frozenset(
        c.id
        for m in load_lexicon().mentions(text, language)
        for c in m.concepts
        if c.kind == "circumstance"
    )


def conditions(text: str, language: Language) -> frozenset[str]:
    """Ids of the symptoms that a Chinese text names as a time: 咳嗽的时候, 感冒以后."""
    return frozenset(
        c.id
        for m in load_lexicon().mentions(text, language)
        for c in m.concepts
        if c.kind == "symptom" and _WHEN.match(text, m.end)
    )


def narrowed(
    found: Sequence[Fact],
    attributes: Collection[Attribute],
    clause: str,
    under: Collection[str],
) -> tuple[Fact, ...]:
    """The clauses that a Chinese question for some attributes wants, all if none does.

    Args:
        found: clauses that tell one of the attributes.
        attributes: those asked for.
        clause: the question's words.
        under: ids of the circumstances that it names.
    """
    tests: list[_Test] = [lambda f: not f.topics & _OF_CARE]
    if set(attributes) == {"severity"}:
        hot = bool(_ASKS_TEMPERATURE.search(clause))
        found = [f for f in found if "更" not in f.own_words]
        found = [f for f in found if hot or not _TEMPERATURE.search(f.own_words)]
    if set(attributes) == {"character"}:
        tests += [_says(told) for asks, told in _QUALITIES if asks.search(clause)]
    if "cause" in attributes:
        tests.append(lambda f: not _SWAYS.search(f.own_words))
    better, worse = _ASKS_BETTER.search(clause), _ASKS_WORSE.search(clause)
    if {"onset", "duration"} & set(attributes):
        if _ASKS_DATE.search(clause):
            tests.append(lambda f: bool(_WORSE.search(f.own_words)))
        else:
            tests.append(lambda f: not _SETBACK.search(f.own_words))
        if _ASKS_YEARS.search(clause):
            tests.append(lambda f: "年" in f.own_words)
        if "onset" in attributes:
            tests.append(lambda f: not _EPISODE.search(f.own_words))
    elif {"course", "relief", "effect"} & set(attributes) and bool(better) != bool(worse):
        words = _BETTER if better else _WORSE
        tests.append(lambda f: bool(words.search(f.own_words)))
    if set(attributes) <= {"trigger", "relief", "course"} and under and not _OPEN.search(clause):
        tests.append(lambda f: bool(f.direct & set(under)))
    kept = tuple(found)
    for wanted in tests:
        kept = tuple(f for f in kept if wanted(f)) or kept
    return kept
