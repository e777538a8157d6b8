"""Who a message is for, whose words it holds, and whether it ends the visit.

Models are asked for a tag at the head of every message (`<to doctor>`, `<对医生讲>`) and for a
token at the end of a visit (`<end>`, `<结束>`). What they send differs: of 10,729 published patient
messages 611 bear no tag, and 496 of 1,890 end tokens open the message. Nothing here fails; every
departure is a `Repair`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from records.medical_record import Language
from records.visit import DOCTOR, EXAMINER, PATIENT, Repair

_NAMES: dict[str, str] = {
    DOCTOR: r"医生|大夫|医师|doctor|physician|dr\.?",
    EXAMINER: r"检查员|检验员|检查者|检查人员|检验师|examiner|examination\ desk|lab(?:oratory)?",
    PATIENT: r"患者|病人|病患|patient",
}
TAGS: dict[Language, dict[str, str]] = {
    "zh": {DOCTOR: "<对医生讲>", EXAMINER: "<对检查员讲>", PATIENT: "<对患者讲>"},
    "en": {DOCTOR: "<to doctor>", EXAMINER: "<to examiner>", PATIENT: "<to patient>"},
}
"""The tag that models are asked for, by language and role spoken to."""

_OPEN, _CLOSE = r"[<＜〈《【\[「(（]", r"[>＞〉》】\]」)）]"
# Every repetition is bounded: a model that repeats one character for 100 KB must not cost minutes.
_MARKUP = r"[*_`#~]{0,6}"
_GAP = r"[ \t]{0,4}"

_WHO = "|".join(f"(?P<{role}>{names})" for role, names in _NAMES.items())
_TAG = re.compile(
    rf"""
    (?P<before>{_MARKUP}){_GAP}
    (?:
        (?P<open>{_OPEN}){_GAP}{_MARKUP}{_GAP}(?P<slash>/?){_GAP}
        (?:(?:对|向|跟|和|致){_GAP}|(?:(?:speaking|says?|said)[ ])?to{_GAP}:?{_GAP}(?:the[ ])?)
        (?:{_WHO})
        {_GAP}(?:讲话|说话|讲|说)?{_GAP}[:：]?{_GAP}{_MARKUP}{_GAP}(?P<close>{_CLOSE})
    |
        (?P<bare>(?:^|(?<=\n)){_GAP}{_MARKUP}
        (?:(?:对|向|跟)(?:{_WHO.replace("(?P<", "(?P<bare_")})(?:讲|说)
        |to[ ](?:the[ ])?(?:{_WHO.replace("(?P<", "(?P<plain_")}))
        {_MARKUP}{_GAP}[:：])
    )
    {_GAP}(?P<after>{_MARKUP}){_GAP}[:：]?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LABEL = re.compile(
    rf"""
    (?P<lead>^|\n|(?<=[。！？!?.…”"]))
    [ \t>\-]{{0,6}}{_MARKUP}{_GAP}(?:{_OPEN})?{_GAP}
    (?:(?i:{_WHO}))
    {_GAP}(?:{_CLOSE})?{_GAP}{_MARKUP}{_GAP}[:：]{_GAP}{_MARKUP}
    """,
    re.VERBOSE,
)
_END = re.compile(
    rf"[*_`]{{0,4}}{_OPEN}{_GAP}/?{_GAP}"
    rf"(?:结束|end)(?:{_GAP}(?:就诊|对话|问诊|(?:of[ ])?visit))?"
    rf"{_GAP}/?{_GAP}{_CLOSE}[*_`]{{0,4}}",
    re.IGNORECASE,
)
_NO_WORDS = re.compile(r"[\s\W_]*")
# Most messages hold no tag, token or label at all, which these tell in a tenth of the time.
_HAS_BRACKET = re.compile(_OPEN)
_MAY_BE_BARE = re.compile(rf"(?:\A|\n){_GAP}{_MARKUP}(?:对|向|跟|to )", re.IGNORECASE)


@dataclass(frozen=True)
class Addressed:
    """A message split by whom it is for.

    Attributes:
        parts: (role spoken to, text without tags), one for each role, in the order first spoken to;
            empty only if the message holds nothing but tags.
        repairs: what departed from one tag at the head of each part.
    """

    parts: tuple[tuple[str, str], ...]
    repairs: tuple[Repair, ...]


@dataclass(frozen=True)
class _Tag:
    role: str
    start: int
    end: int
    repairs: tuple[Repair, ...]
    closing: bool


def split_addressed(text: str, default: str, language: Language | None = None) -> Addressed:
    """Split a message by its addressee tags.

    Args:
        text: the message, without reasoning.
        default: the role spoken to where no tag says so.
        language: the visit's; a tag in the other language is then recorded as a repair.
    """
    tags = list(_tags(text, language))
    repairs = [repair for tag in tags for repair in tag.repairs]
    tags = [tag for tag in tags if not tag.closing] if any(not t.closing for t in tags) else tags
    if not tags:
        body = text.strip()
        return Addressed(
            ((default, body),) if body else (), (Repair(kind="addressee_missing", detail=default),)
        )
    pieces = _pieces(text, tags)
    head, rest = pieces[0], pieces[1:]
    if rest[-1] and _NO_WORDS.fullmatch(head):
        # A quotation mark, a fence, or what is not even seen.
        head = ""
    parts: list[tuple[str, str]] = []
    if head and not rest[-1]:
        repairs.append(Repair(kind="addressee_at_end", detail=tags[-1].role))
        parts = [(tag.role, piece) for tag, piece in zip(tags, [head, *rest[:-1]], strict=True)]
    else:
        if head:
            repairs.append(Repair(kind="addressee_late", detail=default))
            parts.append((default, head))
        parts += [(tag.role, piece) for tag, piece in zip(tags, rest, strict=True)]
    merged: dict[str, list[str]] = {}
    for role, piece in parts:
        merged.setdefault(role, []).extend([piece] if piece else [])
    if len(tags) > len({tag.role for tag in tags}):
        repairs.append(Repair(kind="addressee_doubled"))
    kept = tuple((role, "\n".join(pieces)) for role, pieces in merged.items() if pieces)
    return Addressed(kept, tuple(repairs))


def end_token(text: str) -> tuple[str, bool]:
    """Take the end token out of a message.

    Returns:
        The text without any end token, and whether one opened or closed the message: only
        punctuation, markup and addressee tags stand outside it. In mid-sentence it does not count.
    """
    if not has_end_token(text):
        return text, False
    found = list(_END.finditer(text))
    bare = _TAG.sub(lambda m: " " * len(m.group()), text)
    outside = (bare[: found[0].start()], bare[found[-1].end() :])
    counts = any(_NO_WORDS.fullmatch(side) for side in outside)
    without = _END.sub(" ", text)
    return re.sub(r"[ \t]{2,}", " ", without).strip(), counts


def has_end_token(text: str) -> bool:
    """True if an end token stands anywhere in the text."""
    return _HAS_BRACKET.search(text) is not None and _END.search(text) is not None


def cut_foreign_turns(text: str, role: str) -> tuple[str, tuple[Repair, ...]]:
    """Keep a message's own words: drop its own label, cut where another role begins to speak.

    A turn begins at a label with a colon ("Doctor:", "医生：") at the head of a line or after the
    end of a sentence; a role addressed with a comma or spoken of in mid-sentence is no turn.

    Args:
        text: the message.
        role: whose message it is.

    Returns:
        What is left, "" if another role spoke first, and the repairs.
    """
    if ":" not in text and "：" not in text:
        return text.strip(), ()
    repairs: list[Repair] = []
    kept: list[str] = []
    position = 0
    for label in _LABEL.finditer(text):
        if (speaker := _role(label, "")) is None:
            continue
        kept.append(text[position : label.start()])
        position = label.end()
        if speaker != role:
            repairs.append(Repair(kind="foreign_turn", detail=speaker))
            position = len(text)
            break
        repairs.append(Repair(kind="own_label", detail=speaker))
    kept.append(text[position:])
    return "\n".join(k for k in (piece.strip() for piece in kept) if k), tuple(repairs)


def _tags(text: str, language: Language | None) -> Iterator[_Tag]:
    if not _HAS_BRACKET.search(text) and not _MAY_BE_BARE.search(text):
        return
    for match in _TAG.finditer(text):
        role = _role(match, "") or _role(match, "bare_") or _role(match, "plain_")
        if role is None:
            continue
        repairs = []
        written = match.group()
        if match["bare"] or (match["open"] not in "<＜" or match["close"] not in ">＞"):
            repairs.append(Repair(kind="addressee_brackets", detail=written.strip()))
        elif "＜" in written or "＞" in written:
            repairs.append(Repair(kind="addressee_full_width", detail=written.strip()))
        if re.search(r"[*_`#]", written):
            repairs.append(Repair(kind="addressee_in_markup", detail=written.strip()))
        chinese = re.search(r"[\u4e00-\u9fff]", written) is not None
        if language is not None and chinese != (language == "zh"):
            repairs.append(Repair(kind="addressee_other_language", detail=written.strip()))
        closing = bool(match["slash"])
        if closing:
            repairs.append(Repair(kind="addressee_closed", detail=written.strip()))
        yield _Tag(role, match.start(), match.end(), tuple(repairs), closing)


def _role(match: re.Match[str], prefix: str) -> str | None:
    return next((role for role in _NAMES if match[f"{prefix}{role}"]), None)


def _pieces(text: str, tags: list[_Tag]) -> list[str]:
    """The text before the first tag and after each one, stripped, closing tags taken out."""
    bounds = [(0, 0), *((tag.start, tag.end) for tag in tags), (len(text), len(text))]
    pieces = [text[end:start] for (_, end), (start, _) in pairwise(bounds)]
    if "/" not in text:
        return [piece.strip() for piece in pieces]
    return [_TAG.sub(_keep_unless_closing, piece).strip() for piece in pieces]


def _keep_unless_closing(match: re.Match[str]) -> str:
    return "" if match["slash"] else match.group()
