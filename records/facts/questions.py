"""Reading a doctor's message: which of its sentences ask, and what they ask for.

A message mixes thanks, summaries, advice and questions, in a list or in one long sentence. Only
what asks is returned, in the order asked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from records.facts.attributes import Attribute, attribute_words
from records.facts.chinese_questions import plain_chinese, rejoined
from records.facts.lexicon import load_lexicon
from records.facts.question_words import TONGUES, Tongue
from records.facts.units import Unit, read_units
from records.medical_record import Language

Opening = Literal["complaint", "story", "others"]
"""A general question: for the complaint, for the whole story, for whatever was not said yet."""


_I = re.IGNORECASE


@dataclass(frozen=True)
class Question:
    """One part of a message that asks."""

    text: str
    units: tuple[Unit, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    opening: Opening | None = None
    excluded: tuple[Unit, ...] = ()
    """What is named as known already ("apart from the cough")."""
    about: tuple[Unit, ...] = ()
    """What was named earlier in the sentence, for attributes that name nothing."""


_ITEM_NUMBER = re.compile(r"^\s*(?:[-*•]\s*)?(?:\(?（?\d{1,2}[.、)）:：]|[-*•])\s*")


def _asking_sentences(text: str, tongue: Tongue) -> list[str]:
    """The sentences of a message that ask, items of an announced list included."""
    found: list[str] = []
    inviting = False
    asked_before = False
    for match in tongue.sentence.finditer(text):
        sentence = match.group().strip()
        if not re.search(r"\w", sentence):
            continue
        numbered = bool(_ITEM_NUMBER.match(sentence))
        ends_in_mark = sentence.rstrip("\n ").endswith(("?", "？"))
        asks = bool(tongue.asks.search(sentence)) and (
            ends_in_mark or _asks_unmarked(sentence, tongue)
        )
        if not asks and numbered and inviting and not tongue.tells.search(sentence):
            asks = True
        elif not asks and asked_before and tongue.continues.match(sentence):
            asks = not tongue.tells.search(sentence)
        if asks:
            found.append(_ITEM_NUMBER.sub("", sentence))
        if tongue.invites_list.search(sentence) and asks:
            inviting = True
        elif not numbered:
            inviting = False
        asked_before = asks
    return found


def _asks_unmarked(sentence: str, tongue: Tongue) -> bool:
    """Whether a sentence without a question mark asks: it requests, or is short and begins so."""
    if tongue.tells.search(sentence):
        return False
    if tongue.requests.search(sentence):
        return True
    return len(sentence) <= _SHORT and bool(tongue.asks.search(sentence[: _SHORT // 2]))


_SHORT = 40
"""Longest question, in characters, that is believed without a mark or a request."""


def _attributes(
    clause: str, opening: Opening | None, language: Language, tongue: Tongue
) -> tuple[Attribute, ...]:
    masked = clause
    for mention in load_lexicon().mentions(clause, language):
        # "Painkiller" does not ask what kills the pain, nor 大小便 what size.
        if mention.concept.kind in _NO_QUALITY and mention.concept.id not in _KEPT:
            masked = (
                masked[: mention.start]
                + "＿" * (mention.end - mention.start)
                + masked[mention.end :]
            )
    if opening == "complaint":
        masked = tongue.complaint.sub(" ", masked)
    elif opening == "others":
        masked = tongue.others.sub(" ", masked)
    timeless = _EN_TIME_CLAUSE.sub(r"\1", masked) if language == "en" else masked
    return tuple(
        name
        for name, w in attribute_words(language).items()
        if w.question.search(timeless if name in ("onset", "duration") else masked)
    )


_NO_QUALITY = ("medicine", "topic", "condition")
_EN_TIME_CLAUSE = re.compile(
    r"\b(before|since|after|until)\b(?: (?:the|your|this|it|that|all|his|her|you|these|any))+"
    r"(?: \w+){0,4}? (?:start(?:ed)?|beg[ai]n|came (?:on|up)|set in|appeared|first noticed)\b",
    _I,
)
"""When something was ("before the rash began"): that asks for no beginning."""
_KEPT = frozenset({"treatment", "medication", "previous_episode", "prior_diagnosis"})


def _opening(clause: str, tongue: Tongue) -> Opening | None:
    if tongue.others.search(clause):
        return "others"
    if tongue.story.search(clause):
        return "story"
    return "complaint" if tongue.complaint.search(clause) else None


def _read_sentence(sentence: str, language: Language, tongue: Tongue) -> list[Question]:
    excluded: tuple[Unit, ...] = ()
    for match in tongue.excludes.finditer(sentence):
        excluded += tuple(
            u for u in read_units(match["what"], language, tongue, True) if u.concepts
        )
    sentence = _EN_HURT.sub(r"\1injure", sentence)
    sentence = _EN_ILL.sub(r"\1like this", sentence)
    sentence = _EN_LIVING.sub("work as", sentence)
    if language == "zh":
        sentence = plain_chinese(sentence)
    body = tongue.excludes.sub("，" if language == "zh" else ", ", sentence)
    clauses = [c.strip() for c in tongue.clause.findall(body) if re.search(r"\w", c)]
    first = next((n for n, c in enumerate(clauses) if tongue.asks.search(c.rstrip("?？"))), 0)
    about: tuple[Unit, ...] = excluded
    found: list[Question] = []
    for n, clause in enumerate(clauses):
        if n < first:
            about = _named(read_units(clause, language, tongue, True)) or about
            continue
        question = _read_clause(clause, language, tongue, about)
        if question is None:
            continue
        goes_on = bool(tongue.continues.match(clause)) and not question.attributes
        goes_on = goes_on and not (language == "en" and _EN_ASKS_ANEW.match(clause))
        if not (goes_on and found and found[-1].attributes):
            found.append(replace(question, excluded=excluded))
        about = question.units or question.about
    return found


def _read_clause(
    clause: str, language: Language, tongue: Tongue, about: tuple[Unit, ...]
) -> Question | None:
    if language == "zh":
        clause = rejoined(clause)
    opening = _opening(clause, tongue)
    attributes = _attributes(clause, opening, language, tongue)
    units = tuple(
        u
        for u in read_units(clause, language, tongue, bool(attributes))
        if u.concepts or u.sites or _telling(u.words, tongue)
    )
    named = _named(units)
    if opening:
        named = tuple(u for u in named if not u.has({"discomfort"}))
    if tongue.consent.search(clause) and not _clinical(named):
        return None
    if language == "en" and "cause" in attributes and _names_more(clause):
        attributes = tuple(a for a in attributes if a != "cause")
        units = read_units(_EN_TIME_CLAUSE.sub("", clause), language, tongue, False)
        units = tuple(u for u in units if u.concepts or u.sites or _telling(u.words, tongue))
        named = _named(units)
    fitting = _fitting(attributes, clause, named, tongue)
    if attributes and not fitting:
        units = tuple(
            u
            for u in read_units(clause, language, tongue, False)
            if u.concepts or u.sites or _telling(u.words, tongue)
        )
        named = _named(units)
    attributes = fitting
    if not attributes and not opening and tongue.tells_of.search(clause):
        opening = "story" if any(u.of_kind("symptom") for u in named) else None
    if attributes and opening and not (opening == "story" and tongue.tale.search(clause)):
        opening = None
    elif opening == "story":
        attributes = ()
    if attributes or opening:
        units = named
    else:
        spoken_of, units = _asked_of(clause, units, language, tongue)
        about = spoken_of or about
    if tongue.formerly.search(clause):
        units = tuple(replace(u, formerly=True) for u in units)
    if opening == "others" and _clinical(named) and not tongue.others.match(clause):
        opening = None
    if not (units or attributes or opening):
        return None
    return Question(clause, units, attributes, opening, (), about)


def _names_more(clause: str) -> bool:
    """Whether an English clause names something beside what it asks to be earlier than."""
    time = _EN_TIME_CLAUSE.search(clause)
    rest = clause[: time.start()] if time else ""
    return any(
        c.kind != "site" and c.kind != "circumstance"
        for m in load_lexicon().mentions(rest, "en")
        for c in m.concepts
    )


def _named(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    return tuple(u for u in units if u.concepts or u.sites)


def _asked_of(
    clause: str, units: tuple[Unit, ...], language: Language, tongue: Tongue
) -> tuple[tuple[Unit, ...], tuple[Unit, ...]]:
    """Part what is spoken of from what is asked of it: "is the rash | itchy?", 痰里有没有 | 血."""
    marker = tongue.marker.search(clause)
    named = _named(units)
    if marker is None or not named:
        return (), units
    if language == "zh":
        before = tuple(u for u in units if clause.find(u.words) < marker.start())
        rest = clause[marker.end() :].strip("？?。 ")
        history = any(u.of_kind("topic") for u in before)
        if before == units and _telling(rest, tongue) and not history:
            return named, (Unit(rest, ()),)
    else:
        before = _subject(clause, named, tongue)
    after = tuple(u for u in units if u not in before)
    if not before or not after or any(u.of_kind("topic") and not u.felt for u in before):
        return (), units
    return before, after


def _subject(clause: str, named: tuple[Unit, ...], tongue: Tongue) -> tuple[Unit, ...]:
    """The symptom that an English clause opens with, unless it is the first of a list."""
    if len(named) < 2 or not named[0].of_kind("symptom"):
        return ()
    first, second = named[0].words, named[1].words
    between = clause[clause.find(first) + len(first) : clause.find(second)]
    return () if tongue.item.search(between) else named[:1]


_EN_ASKS_ANEW = re.compile(
    r"\W*(?:and|or)\s+(?:have|has|had|do|does|did|is|are|was|were|can|could|any)\b", _I
)
_EN_ILL = re.compile(
    r"\b((?:how long|since when|when did)\b[^,?]{0,40}?\b(?:been|feel|felt|feeling|become|became|"
    r"get|getting|fall|fell)\s+)(?:ill|unwell|sick|poorly|under the weather)\b(?!\s+(?:to|of|in))",
    _I,
)
"""The present illness as a whole, and no earlier one."""
_EN_LIVING = re.compile(r"\bdo for a living\b", _I)
_EN_HURT = re.compile(
    r"\b((?:did|have|has|had)\s+(?:you|he|she|they)\s+(?:\w+\s+){0,4}?)hurt\b(?=\s+(?:your|the|"
    r"that|his|her))",
    _I,
)


def _fitting(
    attributes: tuple[Attribute, ...], clause: str, named: tuple[Unit, ...], tongue: Tongue
) -> tuple[Attribute, ...]:
    """Drop attributes that a yes-or-no question only seems to ask for ("any change in colour?")."""
    if any(u.has({"medication"}) for u in named) and not tongue.wh.search(clause):
        attributes = tuple(a for a in attributes if a != "cause")
    if _OF_INTERVALS.search(clause) and "frequency" in attributes:
        attributes = tuple(a for a in attributes if a not in ("onset", "duration"))
    if _SINCE_WORSE.search(clause):
        attributes = tuple(a for a in attributes if a in ("onset", "duration")) or ("onset",)
    if "course" in attributes and {"trigger", "relief"} & set(attributes):
        # "What makes it better or worse?" as against "is it getting better or worse?"
        swayed = bool(_SWAYED.search(clause))
        dropped = {"course"} if swayed else {"trigger", "relief"}
        attributes = tuple(a for a in attributes if a not in dropped)
    if "trigger" in attributes and _WORST_TIME.search(clause):
        attributes = tuple(a for a in attributes if a != "severity")
    if not named or not tongue.yes_no.search(clause) or tongue.wh.search(clause):
        return attributes
    fitting = set(_YES_NO_ATTRIBUTES)
    if _ALTERNATIVE_KINDS.search(clause):
        fitting.add("character")
    if _CHANGES.search(clause):
        fitting.add("course")
    if _BOTH_SIDES.search(clause):
        fitting.add("site")
    if any(u.felt and not u.of_kind("circumstance") for u in named):
        fitting.discard("cause")
    return tuple(a for a in attributes if a in fitting)


_YES_NO_ATTRIBUTES = frozenset(
    {"radiation", "trigger", "cause", "effect", "relief", "severity", "onset"}
)
_BOTH_SIDES = re.compile(r"一样|对称|两[边侧条只].{0,3}都")
_OF_INTERVALS = re.compile(r"隔|多久(?:一[次回]|犯|发作)|多长时间一?[次犯]")
_SINCE_WORSE = re.compile(
    r"(?:加重|加剧|重了|厉害了|恶化).{0,8}(?:多久|多长|多少|几[天个日周]|时候|时间)|"
    r"什么时候.{0,8}(?:重了|加重[的了]|变重|厉害了|[急重]起来)"
)
_SWAYED = re.compile(
    r"\b(?:what|anything|things?|when|with|after|how)\b|什么|哪|因素|怎么|后|时候|休息|活动|会不会",
    _I,
)
_ALTERNATIVE_KINDS = re.compile(
    r"\bfeel like\b|\b(?:sharp|dull|burning|stabbing|cramping|throbbing|aching|constant)\b.*"
    r"\bor\b.*\b(?:sharp|dull|burning|stabbing|crampy|throbbing|aching|pressure|comes)\b",
    _I,
)
"""What offers kinds of a pain to choose from."""
_WORST_TIME = re.compile(r"\bwhen\b.*\bworst\b|time of (?:the )?day|worst time", _I)
_CHANGES = re.compile(
    r"[长变增]大|变小|缩小|大了|小了|消|比|退|轻[些点了]|好[些点了]|一直|持续|越来越|加重|好转|减轻|缓解|"
    r"worse|better|improv|constant|come and go|progress|"
    r"clear(?:s|ed)? up|go(?:es|ne)? away|bigger|smaller|larger|grown?\b|growing|spread",
    _I,
)


def _clinical(units: tuple[Unit, ...]) -> bool:
    return any(c.id not in _ASKED_OF_FUTURE for u in units for c in u.concepts)


_ASKED_OF_FUTURE = frozenset(
    {"prior_tests", "treatment", "surgery", "medication", "hospitalization"}
)
"""What consent is asked for: "would you agree to this test?" asks nothing of the history."""


def _telling(words: str, tongue: Tongue) -> bool:
    """Whether an item without a known word still names something."""
    return len(re.sub(r"\W", "", tongue.function_words.sub("", words))) >= 2


@lru_cache(maxsize=4096)
def read_questions(text: str, language: Language) -> tuple[Question, ...]:
    """The parts of a doctor's message that ask, in order; () for advice, thanks or a summary."""
    tongue = TONGUES[language]
    found = [
        question
        for sentence in _asking_sentences(text, tongue)
        for question in _read_sentence(sentence, language, tongue)
    ]
    if len(found) > 1:  # "I need to know more about your illness" only leads up to what follows
        found = [q for q in found if not (_leads_up(q) and _PREAMBLE.search(q.text))]
    return tuple(found)


_PREAMBLE = re.compile(
    r"(?:需要|想|要|为了).{0,12}(?:了解|知道|问|确认)|"
    r"\b(?:need|like|want) to (?:know|ask|understand)\b",
    _I,
)


def _leads_up(question: Question) -> bool:
    return not question.attributes and not _named(question.units) and question.opening != "others"
