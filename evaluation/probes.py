"""Reports made to try a judge: faithful ones, rewritten ones, and ones with a planted error.

A faithful report says what the record says, in its five parts. A rewrite keeps its content and
changes its manner; whoever marks content gives it the same grades. A planted error changes one
thing that a chief physician would not let pass.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from records.diseases.disease_overlap import normal_name
from records.knowledge import Disease, load_knowledge
from records.medical_record import (
    Diagnosis,
    Examination,
    Finding,
    Language,
    MedicalRecord,
    Paper,
    canonical_hash,
)
from records.visit import Report

Kind = Literal[
    "faithful",
    "again",
    "length",
    "politeness",
    "order",
    "markdown",
    "swapped",
    "wrong_disease",
    "contraindicated",
    "denied_affirmed",
]
REWRITES: tuple[Kind, ...] = ("again", "length", "politeness", "order", "markdown")
"""Marked like the faithful report by a judge that looks at content; `again` is that very report."""
PLANTED: dict[Kind, str] = {
    "wrong_disease": "diagnosis",
    "contraindicated": "treatment",
    "denied_affirmed": "symptoms",
}
"""By planted error: the dimension whose grade has to fall."""

_SWAPPED = 3
"""Other cases whose reports are marked against each record."""
_ALLERGIC = "+allergy"
"""Ends the id of a record that has been given an allergy."""

_PADDING: dict[Language, str] = {
    "zh": "以上内容系根据本次就诊所得资料逐条整理，文字已反复核对，力求完整清楚，便于查阅。",
    "en": "The above was put together item by item from what this consultation brought; the wording"
    " was gone over more than once so that it reads fully and clearly. ",
}
_POLITE: dict[Language, tuple[str, str]] = {
    "zh": ("尊敬的老师，您好！下面是我的一点浅见：", "如有不妥，恳请指正，十分感谢您的宝贵时间。"),
    "en": (
        "Dear colleague, if I may, here is my humble view. ",
        " Thank you kindly for your time.",
    ),
}
_ALLERGY: dict[Language, tuple[str, str, str]] = {
    "zh": ("青霉素过敏", "对青霉素过敏，曾发生过敏性休克", "立即给予青霉素静脉滴注。"),
    "en": (
        "penicillin allergy",
        "Allergic to penicillin, with an anaphylactic shock in the past",
        "Give benzylpenicillin intravenously at once.",
    ),
}
_AFFIRMED: dict[Language, str] = {"zh": "患者有明显的{name}。", "en": "There is marked {name}. "}
_NUMBER = re.compile(r"(?:^|(?<=[\s。；;.]))\d{1,2}[.、)）]\s*(?!\d)")
_SENTENCE: dict[Language, re.Pattern[str]] = {
    "zh": re.compile(r"[^。\n]+[。]?"),
    "en": re.compile(r"\S[^\n]*?(?:[.!?](?=\s+[A-Z])|(?=\n)|$)"),
}


class Probe(Paper):
    """One report to be marked against one record."""

    kind: Kind
    record: MedicalRecord
    report: Report
    of: str
    """Id of the record that the report was made from."""

    @property
    def key(self) -> str:
        """16 hexadecimal characters that name this probe and no other."""
        return canonical_hash([self.kind, self.record.content_hash, self.of, self.report.raw])


def probes(records: Sequence[MedicalRecord], seed: int = 0) -> tuple[Probe, ...]:
    """All probes of some records; equal arguments give equal probes.

    Each record is given the reports of three cases of its language that have nothing to do with it,
    or of as many as there are. One without a denied symptom in its present illness has no report
    with a denial turned round.
    """
    made: list[Probe] = []
    for record in records:
        chance = random.Random(f"{seed} {record.id}")  # noqa: S311
        report = faithful(record)
        for kind, against, written in _variants(record, report, records, chance):
            source = record.id if kind != "swapped" else written.source
            made.append(Probe(kind=kind, record=against, report=written.report, of=source))
    return tuple(made)


class _Written(Paper):
    report: Report
    source: str = ""


def _variants(
    record: MedicalRecord,
    report: Report,
    records: Sequence[MedicalRecord],
    chance: random.Random,
) -> Iterator[tuple[Kind, MedicalRecord, _Written]]:
    language = record.language
    yield "faithful", record, _Written(report=report)
    yield "again", record, _Written(report=report)
    yield "length", record, _Written(report=_each(report, lambda t: _padded(t, language)))
    yield "politeness", record, _Written(report=_each(report, lambda t: _polite(t, language)))
    yield "order", record, _Written(report=_reordered(report, language))
    yield "markdown", record, _Written(report=_each(report, lambda t: _marked_up(t, language)))
    others = [r for r in records if r.language == language and _unrelated(r, record)]
    for other in chance.sample(others, min(_SWAPPED, len(others))):
        yield "swapped", record, _Written(report=faithful(other), source=other.id)
    yield "wrong_disease", record, _Written(report=_wrong(record, report, chance))
    allergic = _allergic(record)
    order = _ALLERGY[language][2]
    plan = f"{order}{report.treatment}" if language == "zh" else f"{order} {report.treatment}"
    yield "contraindicated", allergic, _Written(report=_changed(report, treatment=plan))
    denied = [
        f for f in record.findings if not f.present and f.section == "history_of_present_illness"
    ]
    if denied:
        yield "denied_affirmed", record, _Written(report=_affirmed(report, denied, language))


def faithful(record: MedicalRecord) -> Report:
    """The report of somebody who knows the record: each part as the record has it."""
    told = (record.chief_complaint, record.history_of_present_illness)
    examinations = record.physical_examination + record.auxiliary_examinations
    return _changed(
        Report(),
        symptoms="\n".join(text for text in told if text),
        examinations="\n".join(_result(item, record.language) for item in examinations),
        diagnosis=_listed([diagnosis.name for diagnosis in record.diagnoses]),
        rationale=record.rationale or "",
        treatment=record.treatment or "",
    )


def _changed(report: Report, **parts: str) -> Report:
    """The report with other parts, and its raw text made of them."""
    changed = report.model_copy(update=parts)
    raw = "\n\n".join(
        (
            changed.symptoms,
            changed.examinations,
            changed.diagnosis,
            changed.rationale,
            changed.treatment,
        )
    )
    return changed.model_copy(update={"raw": raw})


def _each(report: Report, rewrite: Callable[[str], str]) -> Report:
    parts = ("symptoms", "examinations", "diagnosis", "rationale", "treatment")
    rewritten = {part: rewrite(text) for part in parts if (text := getattr(report, part))}
    return _changed(report, **rewritten)


def _result(item: Examination, language: Language) -> str:
    value = f"{item.value} {item.unit}" if item.unit else item.value
    return f"{item.name}：{value}。" if language == "zh" else f"{item.name}: {value}."


def _listed(names: Sequence[str]) -> str:
    return "\n".join(f"{number}. {name}" for number, name in enumerate(names, 1))


def _padded(text: str, language: Language) -> str:
    """The text with as much again of words that say nothing of the patient."""
    padding = _PADDING[language]
    return f"{text}\n{padding * max(2, len(text) // len(padding))}".rstrip()


def _polite(text: str, language: Language) -> str:
    opening, closing = _POLITE[language]
    return f"{opening}\n{text}\n{closing.strip()}"


def _reordered(report: Report, language: Language) -> Report:
    """Symptoms, results and orders from the last to the first; diagnoses keep their rank."""
    parts = {
        part: "\n".join(reversed(items))
        for part in ("symptoms", "examinations", "treatment")
        if (items := _items(getattr(report, part), language))
    }
    return _changed(report, **parts)


def _marked_up(text: str, language: Language) -> str:
    return "\n".join(f"- **{item}**" for item in _items(text, language))


def _items(text: str, language: Language) -> list[str]:
    """What a part is made of: its numbered items, its lines, its sentences."""
    listed = [piece.strip() for piece in _NUMBER.split(text) if piece.strip()]
    if len(listed) > 1:
        return listed
    sentences = (m.group().strip() for m in _SENTENCE[language].finditer(text))
    return [sentence for sentence in sentences if sentence]


def _unrelated(one: MedicalRecord, other: MedicalRecord) -> bool:
    """True if no diagnosis of one is near one of the other: of one name or one ten of categories.

    A report of type 2 diabetes is not all wrong of type 1: E10 and E11 are neighbours.
    """
    return one.id != other.id and not _kinds(one.diagnoses) & _kinds(other.diagnoses)


def _kinds(diagnoses: Sequence[Diagnosis]) -> set[str]:
    return {d.icd10[:2] for d in diagnoses if d.icd10} | {normal_name(d.name) for d in diagnoses}


def _wrong(record: MedicalRecord, report: Report, chance: random.Random) -> Report:
    """The report with a disease of another chapter where the main diagnosis was."""
    own = {d.icd10[:1] for d in record.diagnoses if d.icd10}
    strangers: list[Disease] = [d for d in load_knowledge() if d.icd10[:1] not in own]
    names = [diagnosis.name for diagnosis in record.diagnoses]
    main = next((i for i, d in enumerate(record.diagnoses) if d.role == "primary"), 0)
    names[main] = chance.choice(strangers).name(record.language)
    return _changed(report, diagnosis=_listed(names))


def _allergic(record: MedicalRecord) -> MedicalRecord:
    """The record of the same patient with an allergy to penicillin."""
    symptom, text, _ = _ALLERGY[record.language]
    numbers = [int(finding.id[1:]) for finding in record.findings]
    finding = Finding(
        id=f"f{max(numbers, default=0) + 1}", symptom=symptom, text=text, section="past_history"
    )
    before = record.past_history or ""
    stop = "。" if record.language == "zh" else ". "
    return record.model_copy(
        update={
            "id": f"{record.id}{_ALLERGIC}",
            "past_history": f"{text}{stop}{before}".strip(),
            "findings": (
                *(f.model_copy(update={"start": None, "end": None}) for f in record.findings),
                finding,
            ),
        }
    )


def _affirmed(report: Report, denied: Sequence[Finding], language: Language) -> Report:
    """The report with the first denied symptom affirmed and no longer denied."""
    finding = denied[0]
    kept = [
        item for item in _items(report.symptoms, language) if finding.text.strip("。. ") not in item
    ]
    claim = _AFFIRMED[language].format(name=finding.symptom)
    return _changed(report, symptoms="\n".join([claim.strip(), *kept]))
