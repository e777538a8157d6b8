"""Facts out of sentences: one for each thing told, wherever and in whatever words it was told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from records.chinese_clauses import chinese_clauses
from records.clause import Clause
from records.content_overlap import content_units
from records.lexicon import load_lexicon
from records.medical_record import HistorySection
from records.negation import is_negated
from records.rebuild.answers import told
from records.rebuild.dialogues import Said
from records.rebuild.provenance import Place
from records.rebuild.sections import section_of

_NAMED = ("symptom", "condition", "circumstance", "topic", "group", "medicine")
_PLAIN = ("symptom", "condition", "circumstance", "medicine")
_DENIABLE = frozenset({"surgery", "smoking", "alcohol", "allergy", "injury", "transfusion"})
"""Topics that a patient has or has not, as it has a symptom or not."""
_VAGUE = re.compile(
    r"(?:没有?|无|也|还|都|过|有|任何|什么|出现|感觉到?|发现|觉得|其[他它]|别的|特别|特殊|类似|明显|异常|以上|"
    r"上述|这些|身体|不舒服|不适|症状|情况|问题|感觉|变化|疾病|病史|史|病|地方|部位|反应|药物?|生病|相关|"
    r"严重|大|的|了|等|他|方面|这种|这样|种|特定|时候|家族|中|里|以前|之前|最近|目前|我|，)*"
)
_EXCEPT = re.compile(
    r"^(?:除了?|只是|就是|但是?|不过|而且|并且|还有(?![点些时])|以及|同时|另外|比如说?|例如|如(?!厕|果)|"
    r"像(?!是)|包括|我的?|也|点(?=恶心|头)|是(?!否))+"
)
_LED = re.compile(
    r"^(?:过(?!敏|期|度|劳|程)|才?开始|会(?!阴|厌)|感觉到?|感到|觉得|患有?|有过?(?!力|效))+"
)
_TAILED = re.compile(
    r"(?:的?(?:历史?|情况|症状|感觉|问题|习惯|现象|病例|病史|经历)|史|等|之类|的|了|也|都|是)+$"
)
_CUT_SHORT = re.compile(r"(?:个|是|了|持续|大概|大约|已经|有|约|左右|前后|时候)$")
_WITH_TERMS = re.compile(
    r"其[他它]|别的|[时后]|夜|空腹|白天|晚上|特别|明显|剧烈|严重|太|很|非常|持续|一直|经常|任何部位|同时|加重"
)
"""Words of a denial that leave room for what it denies."""
_QUALITY = re.compile(
    r"刺痛|胀痛|绞痛|钝痛|隐痛|灼|放射|撕裂|跳痛|酸痛|压痛|触痛|血|大量|高热|高烧"
)
_AGE_OR_SEX = re.compile(
    r"(?:我|今年|现在|目前|是|一|个|位|名|已经|的|\d{1,3}岁(?:\d+个月)?|男|女|性|孩|人|生|士|多|了|作为|患者)+"
)
_DENIES = re.compile(
    r"^(?:我|也|并|都|倒|还)*(?:不是(?!很|太|特别)|不会(?!太)|不(?:觉得|感觉)(?!很|太|特别)|不(?=[吸抽喝饮]))"
)
_DENIED_LAST = re.compile(r"(?<!有)(?:倒|都|也|并|均|倒是)没有?$")
_CUE = re.compile(r"没有?|无|不(?!适|舒)|否认|未")
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
_LIKE = 0.6
"""Least share of a fact's words that a statement of it in other words must have."""
_SAME_TIME = 1.35
"""Two times whose ratio is below it are one time told roughly ("半个月", "两周")."""


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
        return frozenset(i for i, kind in _concepts(self.about) if kind in _NAMED)

    @cached_property
    def sites(self) -> frozenset[str]:
        """Body sites that it names."""
        return frozenset(i for i, kind in _concepts(self.about) if kind == "site")

    @property
    def about(self) -> str:
        """What of its words counts: of a denial the thing denied, else all of them."""
        if not self.present or len(self.symptom) > len(self.text):
            return self.symptom
        return _EXCEPT.sub("", self.text)

    @cached_property
    def content(self) -> frozenset[str]:
        """Units of content of its own words."""
        return content_units(_EMPTY.sub(" ", self.about), "zh")

    @cached_property
    def beyond(self) -> frozenset[str]:
        """Units of content beside the concepts: what it says about them."""
        return content_units(_EMPTY.sub(" ", _without_concepts(self.about)), "zh")

    @cached_property
    def days(self) -> float | None:
        """How long ago or for how long, in days; None if it does not say."""
        return _days(dict(self.attributes))


@dataclass(frozen=True)
class Fact:
    """One thing told in one or more messages; its words are those of the first."""

    first: Statement
    places: frozenset[Place]
    opening: bool
    contradicts: frozenset[int] = field(default_factory=frozenset)
    """Positions of the facts that cannot be true beside it."""

    @property
    def present(self) -> bool:
        """False for what was denied."""
        return self.first.present


def statements_of(messages: Iterable[Said]) -> list[Statement]:
    """All that a patient's messages tell, in order, each clause a statement."""
    found: list[Statement] = []
    order = 0
    for message in messages:
        for sentence in told(message):
            order += 1
            section: HistorySection | None = None
            for clause in chinese_clauses(sentence):
                # What stands in a list after "家族中没有" is of the family too.
                listed = section is not None and not _CUE.search(clause.text) and not clause.present
                section = section if listed else section_of(clause.text)
                symptom, present = _meaning(clause)
                statement = Statement(
                    message.place,
                    message.opening,
                    order,
                    sentence,
                    clause.start,
                    clause.end,
                    clause.text,
                    symptom,
                    present,
                    tuple(sorted(clause.attributes.items())),
                    section or section_of(clause.text),
                )
                if not _is_vague(statement):
                    found.append(statement)
    return found


def _meaning(clause: Clause) -> tuple[str, bool]:
    """What a spoken clause is about and whether it affirms it."""
    symptom = _short(clause.symptom, clause.text)
    if clause.present:
        denied = _DENIES.match(clause.text)
        rest = clause.text[denied.end() :] if denied else ""
        if rest and "没" not in rest:
            return rest, False
        return symptom, not (_DENIED_LAST.search(clause.text) or _all_denied(clause.text))
    cue = _CUE.search(clause.text)
    if cue:
        # "咳嗽没有发热" denies the fever alone.
        before, behind = clause.text[: cue.start()], clause.text[cue.end() :]
        if all(any(k == "symptom" for _, k in _concepts(part)) for part in (before, behind)):
            return _short(behind, clause.text), False
    return symptom, False


def _short(symptom: str, text: str) -> str:
    """A spoken symptom without the words that only lead to it or trail after it."""
    short = _LED.sub("", _EXCEPT.sub("", re.sub(r"(?:之?外|以外)$", "", symptom)))
    if _CUT_SHORT.search(short):
        short = _EXCEPT.sub("", text)
    trimmed = _TAILED.sub("", short)
    return next((s for s in (trimmed, short, symptom) if len(s) > 1), symptom)


def _all_denied(text: str) -> bool:
    """Whether all that a clause names stands behind a denial: "花粉都没有过敏反应"."""
    if not re.search(r"没有|没(?=[过出发])|无(?!力|法|精)", text) or "不是" in text:
        return False
    named = [m for m in load_lexicon().mentions(text, "zh") if m.concept.kind in _PLAIN]
    named = named or [m for m in load_lexicon().mentions(text, "zh") if m.concept.id in _DENIABLE]
    return bool(named) and all(is_negated(text, m.start, "zh") for m in named)


def merge(statements: Sequence[Statement]) -> tuple[Fact, ...]:
    """One fact for each thing told, those of the opening complaint first."""
    ordered = sorted(statements, key=lambda s: (not s.opening, s.place.dialogue, s.order, s.start))
    groups: list[list[Statement]] = []
    for statement in ordered:
        group = next((g for g in groups if _same(g[0], statement)), None)
        if group is None:
            groups.append([statement])
        else:
            group.append(statement)
    facts = [_fact(group, ordered) for group in groups]
    return tuple(
        replace(
            fact,
            contradicts=frozenset(
                i for i, other in enumerate(facts) if contradicts(fact.first, other.first)
            ),
        )
        for fact in facts
    )


def _fact(group: Sequence[Statement], everything: Sequence[Statement]) -> Fact:
    first = group[0]
    behind = [s for s in everything if s is first or _tells(s, first)]
    return Fact(
        first,
        frozenset(s.place for s in [*group, *behind]),
        any(s.opening for s in [*group, *behind]),
    )


def _same(one: Statement, other: Statement) -> bool:
    return _tells(one, other) and _tells(other, one)


def _tells(teller: Statement, fact: Statement) -> bool:
    """Whether a statement tells a fact, and perhaps more."""
    if teller.present != fact.present or _times_differ(teller, fact):
        return False
    if (teller.section == "family_history") != (fact.section == "family_history"):
        return False
    if teller.symptom == fact.symptom:
        return True
    if not fact.content or (teller.sites and fact.sites and not teller.sites & fact.sites):
        return False
    if fact.concepts:
        if not fact.concepts <= teller.concepts:
            return False
        # A denial of the thing denies it however it would be: what else is said does not count.
        return not fact.present or not fact.beyond or _share(fact.beyond, teller.content) >= _LIKE
    return len(fact.content) > 1 and _share(fact.content, teller.content) >= _LIKE


def _share(wanted: frozenset[str], told_: frozenset[str]) -> float:
    return len(wanted & told_) / len(wanted)


def contradicts(one: Statement, other: Statement) -> bool:
    """Whether two statements of a patient cannot both be true."""
    if (one.section == "family_history") != (other.section == "family_history"):
        return False
    if one.present != other.present:
        present, denied = (one, other) if one.present else (other, one)
        return _denies(denied, present)
    return (
        one.present
        and one.place.dialogue != other.place.dialogue
        and bool(one.concepts)
        and one.concepts == other.concepts
        and one.sites == other.sites
        and _times_differ(one, other)
    )


def _denies(denied: Statement, present: Statement) -> bool:
    """Whether what is denied, without any qualification, is what is affirmed."""
    if _WITH_TERMS.search(denied.text):
        return False
    if denied.symptom == present.symptom:
        return True
    if _QUALITY.findall(denied.about) != _QUALITY.findall(present.about):
        return False
    if denied.beyond or denied.concepts != present.concepts or denied.sites != present.sites:
        return False
    return any(kind in _PLAIN for _, kind in _concepts(denied.about)) or bool(
        denied.concepts & _DENIABLE
    )


def _times_differ(one: Statement, other: Statement) -> bool:
    if one.days is None or other.days is None:
        return False
    low, high = sorted((one.days, other.days))
    return high > low * _SAME_TIME


def is_denied_in_words(statement: Statement) -> bool:
    """Whether its own words deny: of "没有头痛、发热" the first does, the second does not."""
    own = statement.sentence[statement.start : statement.end]
    return bool(_CUE.search(own) or _DENIES.match(own))


def _is_vague(statement: Statement) -> bool:
    """Whether it says nothing that could be asked for: "没有其他不适"."""
    bare = re.sub(r"^我", "", statement.text)
    if _AGE_OR_SEX.fullmatch(bare):
        return True  # the demographics have it
    return bool(_VAGUE.fullmatch(bare) or _VAGUE.fullmatch(statement.symptom)) or (
        not statement.concepts and not statement.sites and not statement.content
    )


@lru_cache(maxsize=65536)
def _concepts(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (c.id, c.kind) for m in load_lexicon().mentions(text, "zh") for c in m.concepts[:1]
    )


def _without_concepts(text: str) -> str:
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
