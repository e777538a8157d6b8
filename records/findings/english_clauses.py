"""English histories by clause: lists taken apart, negation kept over the whole list.

Purely by form: "denies fever, cough or chest pain" is three negatives; "alcohol or drug use" two
statements that share their head; a piece that cannot stand alone ("which worsens at night", "for
two weeks") stays with the statement that it qualifies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from records.findings import english_grammar as grammar
from records.findings.clause import Clause, Span, cut, has_words, shielded, trim

_EDGE = grammar.EDGE
_NEAR = 240
"""Characters on either side of an "and" that are looked at."""


@dataclass(frozen=True)
class _Statement:
    """A stretch that one verb governs: from where on it lists, and whether it denies."""

    span: Span
    listed: int
    negative: bool


def english_clauses(text: str) -> list[Clause]:
    """The clauses of an English text in order; their spans never overlap."""
    inside = shielded(text)
    found: list[Clause] = []
    for sentence in cut((0, len(text)), lambda i: _ends_sentence(text, i) and not inside[i]):
        for statement in _statements(text, sentence, inside):
            found.extend(_listed(text, statement, inside))
    return found


def _ends_sentence(text: str, i: int) -> bool:
    if text[i] in "!?;\n":
        return True
    if text[i] != ".":
        return False
    behind = text[i + 1 : i + 2]
    if behind and not behind.isspace() and behind not in "\"'”’)":
        return False
    return not grammar.ABBREVIATION.search(text, max(0, i - 8), i) or not text[i + 1 :].strip()


def _statements(text: str, sentence: Span, inside: list[bool]) -> Iterator[_Statement]:
    carried = False
    for piece in _pieces(text, sentence, inside):
        for part in _parts(text, piece, inside, carried):
            statement = _statement(text, part, carried)
            if statement:
                yield statement
                said = text[statement.span[0] : statement.span[1]]
                carried = statement.negative and _goes_on(text, statement, carried, sentence)
                if re.match(r"non-?", said, re.I):
                    carried = False


def _goes_on(text: str, statement: _Statement, carried: bool, sentence: Span) -> bool:
    """Whether a negation governs the pieces behind it: "denies" does, "no" only before an "or"."""
    start, end = statement.span
    denied = carried or statement.listed == start
    behind = text[end : min(sentence[1], end + 4 * _NEAR)]
    return denied or bool(re.search(r"\b(?:or|nor)\b", behind, re.I))


def _pieces(text: str, sentence: Span, inside: list[bool]) -> Iterator[Span]:
    """The pieces between commas, those that cannot stand alone joined to the one they qualify."""
    pieces: list[Span] = []
    waiting: int | None = None
    for start, end in cut(sentence, lambda i: _is_comma(text, i) and not inside[i]):
        said = text[start:end].strip()
        rest = text[end : sentence[1]]
        bare = _without(grammar.LEADING_AND, said)
        if waiting is not None:
            start, waiting = waiting, None
            if not _waits(said, rest):
                pieces.append((start, end))
                continue
            waiting = start
        elif _is_stacked(said, rest) or (
            not pieces and _waits(_without(grammar.REPORTED, said), rest)
        ):
            waiting = start
        elif pieces and _qualifies(said, bare, text[pieces[-1][0] : pieces[-1][1]]):
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
    if waiting is not None:
        pieces.append((waiting, sentence[1]))
    yield from pieces


def _without(opening: re.Pattern[str], said: str) -> str:
    found = opening.match(said)
    return said[found.end() :] if found else said


def _is_comma(text: str, i: int) -> bool:
    between_digits = text[i - 1 : i].isdigit() and text[i + 1 : i + 2].isdigit()
    return text[i] == "," and not between_digits


def _waits(said: str, rest: str) -> bool:
    """Whether a first piece only says when or how, of what comes behind the comma."""
    if grammar.ONE_ADVERB.fullmatch(said):
        return True
    behind = rest.lstrip(", ")
    told = grammar.SUBJECT.match(behind) or grammar.FINITE.match(behind)
    return bool(grammar.ADVERBIAL.match(said) and told)


def _is_stacked(said: str, rest: str) -> bool:
    """Whether a piece ends in an adjective of the noun behind the comma: "painless, red spots"."""
    following = re.match(r",\s*(?!and\b|or\b|but\b|no\b|with)([^,]*\s[^,]*)", rest)
    return bool(following and grammar.STACKED.search(said))


def _qualifies(said: str, bare: str, before: str) -> bool:
    """Whether a piece belongs to the one before it: "for two weeks", the second of two places."""
    if _starts_negation(bare):
        return False
    if (grammar.DEPENDENT if said == bare else grammar.RELATIVE).match(bare):
        return True
    place = re.fullmatch(
        r"([a-z][\w'’-]*(?:\s[a-z][\w'’-]*)?)(?:\s(?:that|which|for|over)\b.*)?", bare
    )
    return bool(
        place
        and not grammar.SYMPTOM_HEAD.search(place[1])
        and grammar.PLACED.search(before)
        and not grammar.FINITE.match(bare)
    )


def _starts_negation(said: str) -> bool:
    return bool(grammar.DENIES.match(said) or re.match(r"(?:no|not|without|never)\b", said, re.I))


def _parts(text: str, span: Span, inside: list[bool], carried: bool) -> Iterator[Span]:
    """A piece cut where a new verb or connective begins another statement."""
    start = span[0]
    for turn in grammar.TURN.finditer(text, *span):
        before = text[start : turn.start()]
        if inside[turn.start()] or not has_words(before):
            continue
        if not has_words(text[turn.end() : span[1]]):
            break
        denied = (
            carried or _starts_negation(before.lstrip()) or grammar.NEGATED.match(before.lstrip())
        )
        if denied and grammar.COMPANION.match(turn[0].strip(" ,")):
            # "no pain associated with the lump" denies the pain, not the lump.
            continue
        yield start, turn.start()
        start = turn.start()
    yield start, span[1]


def _statement(text: str, span: Span, carried: bool) -> _Statement | None:
    start, end = trim(text, span, _EDGE)
    negative = carried
    for opening in (grammar.QUOTE_LEFT, grammar.LEADING_AND, grammar.CONNECTIVE, grammar.DISCOURSE):
        found = opening.match(text, start, end)
        if found and has_words(text[found.end() : end]):
            if re.match(r"but|except|apart|aside|besides", found[0], re.I):
                negative = False
            start = found.end()
    said = text[start:end]
    if not has_words(said):
        return None
    denied = grammar.DENIES.match(text, start, end)
    if denied and has_words(text[denied.end() : end]):
        return _Statement((denied.end(), end), denied.end(), True)
    reported = grammar.REPORTED.match(text, start, end)
    if reported and has_words(text[reported.end() : end]):
        start = reported.end()
        inner = grammar.NEGATED.match(text, start, end)
        if inner and has_words(text[inner.end() : end]):
            return _Statement((start, end), inner.end(), True)
        return _Statement((start, end), start, False)
    negated = grammar.NEGATED.match(text, start, end)
    if negated and has_words(text[negated.end() : end]):
        return _Statement((start, end), negated.end(), True)
    if negative and (grammar.FINITE.match(said) or grammar.CLAUSAL.match(said)):
        negative = False
    return _Statement((start, end), start, negative)


def _listed(text: str, statement: _Statement, inside: list[bool]) -> Iterator[Clause]:
    """The members that "and" and "or" join, each a clause, with the head that they share."""
    topic = statement.listed
    members = list(_members(text, statement, inside))
    last = text[members[-1][0] : members[-1][1]]
    for start, end in members:
        own = text[start:end]
        # "has never felt so and now is well": a verb of its own ends the negation.
        denies = statement.negative and (start <= topic or not grammar.FINITE.match(own))
        ends = end == members[-1][1]
        head = "" if ends else _common_head(text[max(start, topic) : end], last)
        whole = f"{own} {head}" if head else own
        about = whole[topic - start :] if start < topic < end else whole
        yield Clause(start, end, whole, _symptom(about), not denies, _attributes(own))


def _common_head(left: str, right: str) -> str:
    """The noun that the last member has for one before it too; "" if there is none."""
    words = left.split()
    if not words:
        return ""
    shared = grammar.SHARED_HEAD.match(right) if grammar.MODIFIER.fullmatch(words[-1]) else None
    if shared is None and grammar.ADJECTIVE.fullmatch(words[-1]):
        shared = grammar.SHARED_NOUN.match(right)
    return shared["head"] if shared else ""


def _members(text: str, statement: _Statement, inside: list[bool]) -> Iterator[Span]:
    start, end = statement.span
    for word in grammar.AND.finditer(text, statement.listed, end):
        # Only what stands near decides: long runs of "and" must not cost their square.
        left = text[max(start, statement.listed, word.start() - _NEAR) : word.start()]
        right = text[word.end() : min(end, word.end() + _NEAR)]
        if inside[word.start()] or not has_words(left) or not has_words(right):
            continue
        if _parts_company(left, right, statement.negative):
            yield trim(text, (start, word.start()), _EDGE)
            start = word.end()
    yield trim(text, (start, end), _EDGE)


def _parts_company(left: str, right: str, negative: bool) -> bool:
    """Whether "left and right" are two statements, not one that names two places or adjectives."""
    if grammar.FINITE.match(right) or re.match(r"any\b", right, re.I):
        return True
    if grammar.RELATIVE.match(right) or re.search(
        r"\bbetween\b|\bboth(?:\s+\w+)?$|\d$", left, re.I
    ):
        return False
    shares = bool(_common_head(left, right))
    placed = grammar.PREPOSITION.search(grammar.HISTORY_OF.sub("", left))
    symptom = grammar.SYMPTOM_HEAD.search(right.partition(",")[0])
    if placed:
        # "a burn on hand and wrist", "changes in sleep or eating habits": one statement.
        return bool(symptom) and not shares and not grammar.GERUND.match(right)
    if shares:
        return len(left.split()) <= 2
    if grammar.PREDICATED.match(right):
        # "cough and hoarseness began last week" is said of both.
        return False
    if len(right.split()) == 1 and not negative and not symptom:
        # "red and scaly": two words for one thing.
        return bool(grammar.SYMPTOM_HEAD.search(left) or re.fullmatch(r"\s*[\w-]+\s*", left))
    return True


def _symptom(said: str) -> str:
    """What a clause is about: without articles, durations, leading verbs and brackets."""
    short = re.sub(r"(?<!\s)\s*\([^()]*\)", "", said).strip()
    first, comma, rest = short.partition(",")
    if comma and grammar.ADVERBIAL.match(first) and has_words(rest):
        short = rest.strip()
    told = grammar.TOLD_OF.sub("", short)
    short = told if has_words(told) and not told.endswith(" not") else short
    for ending in (grammar.DURATION, grammar.ONSET):
        found = ending.search(short)
        if found and has_words(short[: found.start()]):
            short = short[: found.start()].strip(_EDGE + " ")
    lead = grammar.LEAD.match(short)
    if lead and has_words(short[lead.end() :]):
        short = short[lead.end() :]
    heads = grammar.AFTERTHOUGHT.split(short)
    head = heads.pop(0)
    while heads and grammar.STACKED.search(head):
        head += f", {heads.pop(0).strip()}"
    short = head if has_words(head) else short
    return short.strip(_EDGE + " ") or said


def _attributes(said: str) -> dict[str, str]:
    found = {
        "duration": grammar.DURATION.search(said) or grammar.LASTING.search(said),
        "onset": grammar.ONSET.search(said),
        "severity": grammar.SEVERITY.search(said),
        "relief": grammar.RELIEF.search(said),
        "trigger": grammar.TRIGGER.search(said),
        "value": grammar.VALUE.search(said),
        "relation": grammar.RELATION.search(said),
    }
    return {name: match[0].strip() for name, match in found.items() if match}
