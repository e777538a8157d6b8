"""Results out of messages: one for each result given, wherever it was given."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from records.examinations.examination_reading import read_names
from records.medical_record import Examination
from records.rebuild.dialogues import Said
from records.rebuild.provenance import Place
from records.rebuild.reports import Reported

_NAME_TAIL = re.compile(r"[（(][^()（）]*[)）]|检查|检验|检测|测定|结果|项目|水平|平扫|[\s:：/·\-]")
_MARKS = re.compile(r"[\s,，。.;；:：、^*#()（）\-—~～]+")
_NORMAL = re.compile(
    r"(?:检查)?(?:均|大致|基本)?(?:未见|未发现|无)(?:明显)?(?:异常|病变)|(?:均|大致|基本)?(?:在)?正常(?:范围内?)?|阴性"
)
_MEASURED = re.compile(r"[<>≤≥]?\d")
_DISTINCT = 5
"""Characters from which on a wording is one record's: equal words are then one result, whatever
study they were given under (published examiners answer an MRI with the CT)."""


@dataclass(frozen=True)
class Result:
    """One result given in one or more messages."""

    examination: Examination
    physical: bool
    places: frozenset[Place]
    contradicts: frozenset[int] = frozenset()
    """Positions of the results that cannot be true beside it."""


def merge_results(reports: Sequence[Reported], messages: Iterable[Said]) -> tuple[Result, ...]:
    """One result for each one given, in the order first given.

    Args:
        reports: the results as single messages give them.
        messages: the examiner's messages, in which a result may recur in another arrangement.
    """
    groups: list[list[Reported]] = []
    for report in sorted(reports, key=lambda r: (r.place, r.order)):
        group = next((g for g in groups if _same(g[0].examination, report.examination)), None)
        if group is None:
            groups.append([report])
        else:
            group.append(report)
    texts = {message.place: normalised(message.text) for message in messages}
    results = _without_parts([_result(group, texts) for group in groups])
    return tuple(
        replace(
            result,
            contradicts=frozenset(
                i for i, other in enumerate(results) if i != n and _contradict(result, other)
            ),
        )
        for n, result in enumerate(results)
    )


def _result(group: Sequence[Reported], texts: Mapping[Place, str]) -> Result:
    """The result of a group under the name that most messages give it."""
    names = Counter(report.examination.name for report in group)
    chosen = next(r.examination for r in group if names[r.examination.name] == max(names.values()))
    places = {report.place for report in group}
    places |= {place for place, text in texts.items() if _told_in(chosen, text)}
    signs = sum(report.physical for report in group)
    return Result(chosen, 2 * signs > len(group), frozenset(places))


def _told_in(examination: Examination, text: str) -> bool:
    """Whether a message tells a result: its name and number side by side, or all its words."""
    value = normal_value(examination)
    if _MEASURED.match(examination.value) or len(value) < _DISTINCT:
        return f"{normalised(examination.name)}{value}" in text
    pieces = [normalised(piece) for piece in re.split(r"[，,；;。、]", examination.value)]
    return all(piece in text for piece in pieces)


def _without_parts(results: Sequence[Result]) -> list[Result]:
    """The results without those whose words another holds and all of whose messages tell it."""
    kept = []
    for result in results:
        value = normal_value(result.examination)
        whole = any(
            other is not result
            and value != (wider := normal_value(other.examination))
            and value in wider
            and result.places <= other.places
            for other in results
        )
        if not whole or _MEASURED.match(result.examination.value) or len(value) < 3:
            kept.append(result)
    return kept


def _same(one: Examination, other: Examination) -> bool:
    left = normal_value(one)
    if left != normal_value(other):
        return False
    distinct = len(left) >= _DISTINCT and not _MEASURED.match(left) and not _is_normal(one)
    return distinct or same_name(one, other)


def same_name(one: Examination, other: Examination) -> bool:
    """Whether two results are of the same examination, by their words or by the lexicon."""
    left, right = short_name(one.name), short_name(other.name)
    if left == right or (min(len(left), len(right)) > 1 and (left in right or right in left)):
        return True
    return bool(_concepts(one.name) & _concepts(other.name))


def short_name(name: str) -> str:
    """A name without brackets and the words that any examination has."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return _NAME_TAIL.sub("", plain) or plain.strip()


def normal_value(examination: Examination) -> str:
    """Value and unit without marks, spaces and the differences of how characters are set."""
    told = re.sub(r"^(?:检查)?(?:发现|可见|显示|提示|示)[:：，]?", "", examination.value)
    return normalised(f"{told}{examination.unit or ''}")


@lru_cache(maxsize=65536)
def normalised(text: str) -> str:
    """A text without marks and spaces, in plain characters; a decimal point stays one."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("×", "x").replace("μ", "u")
    plain = re.sub(r"(\d)\.(?=\d)", r"\1·", plain)
    return _MARKS.sub("", re.sub(r"[*x](?=10)", "x", plain))


@lru_cache(maxsize=65536)
def _concepts(name: str) -> frozenset[str]:
    return frozenset(c for named in read_names(name) for c in named.concepts)


def _is_normal(examination: Examination) -> bool:
    return bool(_NORMAL.fullmatch(examination.value.strip("。 ")))


def _contradict(one: Result, other: Result) -> bool:
    """Whether two results of one examination differ, each in dialogues that lack the other.

    Two values that one dialogue gives are a series, or two studies of one name.
    """
    if {p.dialogue for p in one.places} & {p.dialogue for p in other.places}:
        return False
    left, right = one.examination, other.examination
    alike = short_name(left.name) == short_name(right.name)
    if _MEASURED.match(left.value) and _MEASURED.match(right.value):
        return alike and left.unit == right.unit
    if not alike and not _concepts(left.name) & _concepts(right.name):
        return False
    return _is_normal(left) != _is_normal(right)
