"""Measure the rebuilt records against the complete ones of the same patients.

Usage: python tests/records/measure_rebuild.py [DIR], with DIR the published files of AI Hospital
(../shared/data/mvme beside the checkout if it is there). Prints figures, no text of a patient.

A finding of one side is that of the other if the polarity is the same and

- verbatim: the short names are equal, or one holds the other, or the wordings are alike (token
  ratio of at least 80 of 100 over characters, punctuation aside);
- by concept: as well, if they name the same concepts of the lexicon (lay and clinical words alike),
  at no different body site, and neither gives a time that the other contradicts.

A result is that of the other if the value is the same but for punctuation and spacing, or one
value holds all that the other has, and the names share a word, a concept, or the heading that they
stand under. Precision counts what is rebuilt, recall what is complete; many to one is allowed, as
one side splits what the other has in one line.

What no player said cannot be rebuilt. The last lines count what the dialogues hold: findings by the
rule that marks what a visit told, which also takes a wider word for a narrower one, and results
whose value stands in an examiner's message.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from rapidfuzz import fuzz

from records.examinations.examination_reading import read_names
from records.facts.lexicon import load_lexicon
from records.facts.matching import stated_findings
from records.medical_record import Examination, Finding, MedicalRecord
from records.readers import read_records
from records.rebuild import provenance_of, rebuild_records
from records.rebuild.dialogues import read_published

PUBLISHED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "mvme"
COMPLETE = "patients_full.json"
_ALIKE = 80
_MEASURED = re.compile(r"[<>≤≥]?\d")
F = TypeVar("F", Finding, Examination)
_NAMED = ("symptom", "condition", "circumstance", "topic", "medicine")
_UNSAID = re.compile(
    r"病史|史$|的?(?:感觉|症状|情况|习惯)$|等$|^(?:我|患者|有|出现|感觉?|觉得)+|[\W_]+"
)


@dataclass
class Tally:
    """Counts of one kind of fact at one level."""

    rebuilt: int = 0
    right: int = 0
    """Rebuilt facts that the complete record has."""
    against: int = 0
    """Rebuilt facts that the complete record denies, or affirms where they deny."""
    complete: int = 0
    found: int = 0
    """Facts of the complete record that were rebuilt."""

    @property
    def line(self) -> str:
        """Precision, recall and what they are out of."""
        return (
            f"precision {_share(self.right, self.rebuilt)}, "
            f"recall {_share(self.found, self.complete)}, "
            f"against the record {_share(self.against, self.rebuilt)}"
        )


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%} ({part}/{whole})" if whole else "- (0/0)"


def verbatim(one: Finding, other: Finding) -> bool:
    """Whether two findings are the same by their words, polarity included."""
    return one.present == other.present and _worded_alike(one, other)


def by_concept(one: Finding, other: Finding) -> bool:
    """Whether two findings are the same by their words or by what they name."""
    return one.present == other.present and (_worded_alike(one, other) or _about_one(one, other))


def opposed(one: Finding, other: Finding) -> bool:
    """Whether one affirms what the other denies."""
    return one.present != other.present and (
        _bare(one.symptom) == _bare(other.symptom)
        or (_about_one(one, other) and _family(one) == _family(other))
    )


def _worded_alike(one: Finding, other: Finding) -> bool:
    if _family(one) != _family(other):
        return False
    left, right = _bare(one.symptom), _bare(other.symptom)
    if left == right:
        return True
    if min(len(left), len(right)) >= 2 and (left in right or right in left):
        return True
    return fuzz.ratio(_bare(one.text), _bare(other.text)) >= _ALIKE


def _about_one(one: Finding, other: Finding) -> bool:
    if _family(one) != _family(other):
        return False
    concepts, sites = _named(one)
    others, other_sites = _named(other)
    if not concepts or concepts != others:
        return False
    if sites and other_sites and not sites & other_sites:
        return False
    times = [f.attributes.get("onset") or f.attributes.get("duration") for f in (one, other)]
    return not all(times) or _digits(times[0]) == _digits(times[1])


def _family(finding: Finding) -> bool:
    return finding.section == "family_history"


def _named(finding: Finding) -> tuple[frozenset[str], frozenset[str]]:
    mentions = load_lexicon().mentions(finding.symptom, "zh")
    found = [m.concept for m in mentions]
    lexicon = load_lexicon()
    sites = {a for c in found if c.kind == "site" for a in lexicon.ancestors(c.id)}
    return frozenset(c.id for c in found if c.kind in _NAMED), frozenset(sites)


def _bare(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    for _ in range(2):
        plain = _UNSAID.sub("", plain)
    return plain


def _digits(text: str | None) -> str:
    return re.sub(r"[余多约前来左右大概]|以来", "", text or "").translate(
        str.maketrans("一二两三四五六七八九", "1223456789")
    )


def same_result(one: Examination, other: Examination) -> bool:
    """Whether two results are the same by name and value."""
    left, right = _value(one), _value(other)
    if not left or not right:
        return False
    # "肌力: 3级" here is "右下肢肌力3级" there: the name has gone into the value.
    mine, others = _words(one.name) + left, _words(other.name) + right
    if any(
        len(part) >= 4 and _has(whole, part)
        for part, whole in ((mine, others), (others, mine), (mine, right), (others, left))
    ):
        return True
    if left != right and (_MEASURED.match(one.value) or min(len(left), len(right)) < 4):
        return False
    return (_has(left, right) or _has(right, left)) and _names_meet(one, other)


def _has(whole: str, part: str) -> bool:
    """Whether a text has another in it, a number only whole."""
    return re.search(rf"(?<![\d.]){re.escape(part)}(?![\d.])", whole) is not None


def other_value(one: Examination, other: Examination) -> bool:
    """Whether one name has numbers that differ."""
    numbers = [re.match(r"[<>≤≥]?\s*\d+(?:\.\d+)?", e.value) for e in (one, other)]
    return (
        all(numbers)
        and _words(one.name) == _words(other.name)
        and not same_result(one, other)
        and one.unit == other.unit
    )


def _names_meet(one: Examination, other: Examination) -> bool:
    left, right = _words(one.name), _words(other.name)
    if (len(left) > 1 and left in _value(other)) or (len(right) > 1 and right in _value(one)):
        return True
    if left == right or (min(len(left), len(right)) >= 2 and (left in right or right in left)):
        return True
    whole = [f"{e.category or ''}/{e.name}" for e in (one, other)]
    known = [frozenset(c for n in read_names(w) for c in n.concepts) for w in whole]
    if known[0] & known[1]:
        return True
    kinds = [{n.modality for n in read_names(w) if n.modality} for w in whole]
    return bool(kinds[0] & kinds[1])


def _words(name: str) -> str:
    plain = unicodedata.normalize("NFKC", name).casefold()
    return re.sub(r"\([^()]*\)|检查|检测|测定|结果|[\W_]+", "", plain)


def _value(examination: Examination) -> str:
    return _value_of(f"{examination.value}{examination.unit or ''}")


def _value_of(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = re.sub(r"[*×x](?=10)", "x", plain.replace("μ", "u"))
    return re.sub(r"(?<!\d)\.|\.(?!\d)|[^\w.%/<>+-]+", "", plain)


def compare(
    tally: Tally,
    rebuilt: Iterable[F],
    complete: Sequence[F],
    same: Callable[[F, F], bool],
    against: Callable[[F, F], bool],
    wanted: Sequence[F],
) -> None:
    """Add one patient's facts to a tally; recall counts `wanted`, precision meets `complete`."""
    given = list(rebuilt)
    tally.rebuilt += len(given)
    for fact in given:
        if any(same(fact, known) for known in complete):
            tally.right += 1
        elif any(against(fact, known) for known in complete):
            tally.against += 1
    tally.complete += len(wanted)
    tally.found += sum(any(same(fact, known) for fact in given) for known in wanted)


def results_of(record: MedicalRecord, *, physical: bool) -> list[Examination]:
    """The signs or the auxiliary results of a record."""
    return list(record.physical_examination if physical else record.auxiliary_examinations)


def measure(directory: Path) -> dict[str, Tally]:
    """All tallies by name, over the patients that have a complete record."""
    rebuilt = {record.id: record for record in rebuild_records(directory).records}
    complete = [r for r in read_records(directory / COMPLETE) if r.id in rebuilt]
    tallies: dict[str, Tally] = {}
    for record in complete:
        partial = rebuilt[record.id]
        for level, counts in (("all", lambda f: True), ("corroborated", _corroborated)):
            history = [f for f in record.findings if f.section != "persona"]
            for rule, same in (("verbatim", verbatim), ("by concept", by_concept)):
                tally = tallies.setdefault(f"findings, {rule}, {level}", Tally())
                given = [f for f in partial.findings if counts(f)]
                compare(tally, given, record.findings, same, opposed, history)
            for polarity in (True, False):
                name = f"findings, by concept, {level}, {'affirmed' if polarity else 'denied'}"
                compare(
                    tallies.setdefault(name, Tally()),
                    [f for f in partial.findings if counts(f) and f.present == polarity],
                    record.findings,
                    by_concept,
                    opposed,
                    [f for f in history if f.present == polarity],
                )
            for kind, physical in (("auxiliary results", False), ("signs", True)):
                tally = tallies.setdefault(f"{kind}, {level}", Tally())
                # Where a player files it is not what is measured: all results of the other side.
                everything = [e for p in (True, False) for e in results_of(record, physical=p)]
                given_all = [
                    e for p in (True, False) for e in results_of(partial, physical=p) if counts(e)
                ]
                given_kind = [e for e in results_of(partial, physical=physical) if counts(e)]
                wanted = results_of(record, physical=physical)
                compare(tally, given_kind, everything, same_result, other_value, ())
                tally.complete += len(wanted)
                tally.found += sum(any(same_result(g, w) for g in given_all) for w in wanted)
    return tallies


def said_at_all(directory: Path) -> dict[str, tuple[int, int, int]]:
    """Facts of the complete records, those said in the dialogues, and of these those rebuilt."""
    rebuilt = {record.id: record for record in rebuild_records(directory).records}
    published = read_published(directory)
    counts = {"findings": [0, 0, 0], "results": [0, 0, 0]}
    for record in read_records(directory / COMPLETE):
        if record.id not in rebuilt:
            continue
        partial, messages = rebuilt[record.id], published.messages[record.id]
        spoken = "\n".join(m.text for m in messages if m.role == "patient")
        history = [f for f in record.findings if f.section != "persona"]
        said = set(stated_findings(spoken, history, "zh"))
        told = set(stated_findings("\n".join(map(_sentence, partial.findings)), history, "zh"))
        given = _value_of("\n".join(m.text for m in messages if m.role == "examiner"))
        results = [e for p in (True, False) for e in results_of(record, physical=p)]
        held = [e for p in (True, False) for e in results_of(partial, physical=p)]
        stated = [e for e in results if len(_value(e)) > 1 and _has(given, _value(e))]
        found = [e for e in stated if any(same_result(h, e) for h in held)]
        for kind, numbers in (
            ("findings", (len(history), len(said), len(said & told))),
            ("results", (len(results), len(stated), len(found))),
        ):
            counts[kind] = [a + b for a, b in zip(counts[kind], numbers, strict=True)]
    return {kind: (a, b, c) for kind, (a, b, c) in counts.items()}


def _sentence(finding: Finding) -> str:
    return finding.text if finding.present else f"没有{finding.symptom}"


def _corroborated(fact: Finding | Examination) -> bool:
    provenance = provenance_of(fact)
    return provenance is not None and provenance.corroborated


def main() -> None:
    """Print the figures."""
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else PUBLISHED
    for name, tally in measure(directory).items():
        print(f"{name}: {tally.line}")
    for kind, (whole, said, found) in said_at_all(directory).items():
        print(
            f"{kind} of the complete records said in the dialogues at all: {_share(said, whole)}; "
            f"of these rebuilt: {_share(found, said)}"
        )


if __name__ == "__main__":
    main()
