"""One thing that a patient's message tells, and what it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from records.content_overlap import content_units
from records.facts.lexicon import load_lexicon
from records.medical_record import HistorySection
from records.rebuild.provenance import Place

PLAIN = ("symptom", "condition", "circumstance", "medicine")
"""Kinds of concepts that a patient has or has not."""
DENIABLE = frozenset({"surgery", "smoking", "alcohol", "allergy", "injury", "transfusion"})
"""Topics that a patient has or has not, as it has a symptom or not."""
_NAMED = ("symptom", "condition", "circumstance", "topic", "group", "medicine")
LEADING = re.compile(
    r"^(?:除了?|只是|就是|但是?|不过|而且|并且|还有(?![点些时])|以及|同时|另外|比如说?|例如|如(?!厕|果)|"
    r"像(?!是)|包括|我的?|也|点(?=恶心|头)|是(?!否))+"
)
"""Words that lead to what a spoken clause is about."""
_EMPTY = re.compile(
    r"我们?|感觉到?|觉得|感到|有时候?|有点|有些|一些|一点|比较|特别|非常|很|出现|发生|症状|情况|问题|"
    r"现在|目前|最近|近期|之前|以前|平时|一直|总是|任何|什么|明显|没有|没|无|否认|不|也|都|还|就|"
    r"会|过|得|着|啊|吧|呢|这|那|个|种|上|到|来|去|说|时候?|[的了是和或]"
)
_TIME = re.compile(
    r"(半|[\d.]+|[一二两三四五六七八九十]+)\s*个?多?(半)?(?:余|来)?(年|月|周|星期|天|日|小时)"
)
_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"两": 2, "半": 0.5}
_DAYS = {"年": 365, "月": 30, "周": 7, "星期": 7, "天": 1, "日": 1, "小时": 1 / 24}


@dataclass(frozen=True)
class Statement:
    """One thing that one message tells."""

    place: Place
    opening: bool
    order: int
    """Of the sentence among all sentences of the patient."""
    sentence: str
    start: int
    end: int
    text: str
    symptom: str
    present: bool
    attributes: tuple[tuple[str, str], ...]
    section: HistorySection

    @cached_property
    def concepts(self) -> frozenset[str]:
        """Concepts of the lexicon that it names, sites left out."""
        return frozenset(i for i, kind in named_concepts(self.about) if kind in _NAMED)

    @cached_property
    def sites(self) -> frozenset[str]:
        """Body sites that it names."""
        return frozenset(i for i, kind in named_concepts(self.about) if kind == "site")

    @property
    def about(self) -> str:
        """What of its words counts: of a denial the thing denied, else all of them."""
        if not self.present or len(self.symptom) > len(self.text):
            return self.symptom
        return LEADING.sub("", self.text)

    @cached_property
    def content(self) -> frozenset[str]:
        """Units of content of its own words."""
        return content_units(_EMPTY.sub(" ", self.about), "zh")

    @cached_property
    def beyond(self) -> frozenset[str]:
        """Units of content beside the concepts: what it says about them."""
        return content_units(_EMPTY.sub(" ", _withoutnamed_concepts(self.about)), "zh")

    @cached_property
    def days(self) -> float | None:
        """How long ago or for how long, in days; None if it does not say."""
        return _days(dict(self.attributes))


@lru_cache(maxsize=65536)
def named_concepts(text: str) -> tuple[tuple[str, str], ...]:
    """Id and kind of each concept that a text names, in its order."""
    return tuple(
        (c.id, c.kind) for m in load_lexicon().mentions(text, "zh") for c in m.concepts[:1]
    )


def _withoutnamed_concepts(text: str) -> str:
    for mention in reversed(load_lexicon().mentions(text, "zh")):
        text = f"{text[: mention.start]} {text[mention.end :]}"
    return _TIME.sub(" ", text)


def _days(attributes: dict[str, str]) -> float | None:
    found = _TIME.search(attributes.get("onset") or attributes.get("duration") or "")
    if found is None:
        return None
    number = _number(found[1]) + (0.5 if found[2] else 0)
    return number * _DAYS[found[3]] or None


def _number(text: str) -> float:
    """A count as it is said: "3", "两", "十二", "半"."""
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        return float(text)
    if "十" in text:
        tens, _, ones = text.partition("十")
        return 10 * _DIGITS.get(tens, 1) + _DIGITS.get(ones, 0)
    return float(_DIGITS.get(text[:1], 0))
