"""From a copyist's claims to a record in which every fact is a span of the notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from records.diseases.icd10 import default_terminology
from records.medical_record import (
    HISTORY_SECTIONS,
    Demographics,
    Diagnosis,
    DiagnosisRole,
    Finding,
    HistorySection,
    Language,
    MedicalRecord,
    Paper,
)
from records.notes.claims import Claims, text_of
from records.notes.copied_examinations import copy_examinations
from records.notes.copied_findings import copy_findings
from records.notes.verbatim import Notes, Span
from records.readers.people import age_in_years, sex_of
from records.visit import Repair

_ROLES: tuple[DiagnosisRole, ...] = ("primary", "comorbidity", "complication", "history")


class Provenance(Paper):
    """Where in the notes a fact of the record stands."""

    field: str
    """The record's field or the fact's id: "past_history", "f3", "e1", "d1"."""
    start: int
    """Offset in the notes, in characters."""
    end: int
    text: str
    """The notes' words in between."""


@dataclass(frozen=True)
class Transcript:
    """A record made of notes; None if the notes name no diagnosis that was found in them."""

    record: MedicalRecord | None
    provenance: tuple[Provenance, ...]
    repairs: tuple[Repair, ...]
    """What was claimed and dropped or put right, one each."""


def transcribe(
    notes: str, claims: Claims, language: Language, *, id_: str, source: str
) -> Transcript:
    """Make a record of what is claimed, as far as the notes say it in these words.

    Sections are the claimed passages in the order of the notes; findings, results and names are
    spans of the notes; codes are those of equal names alone.
    """
    return _Transcription(Notes.of(notes), claims, language).make(id_, source)


class _Transcription:
    def __init__(self, notes: Notes, claims: Claims, language: Language) -> None:
        self._notes = notes
        self._claims = claims
        self._language = language
        self._repairs: list[Repair] = []
        self._provenance: list[Provenance] = []
        self._taken: list[Span] = []

    def make(self, id_: str, source: str) -> Transcript:
        single = {name: self._single(name) for name in ("department", "patient", "occupation")}
        who = Demographics(
            age_years=age_in_years(single["patient"] or ""),
            sex=sex_of(single["patient"] or ""),
            occupation=single["occupation"],
        )
        sections: dict[HistorySection, str] = {}
        places: dict[HistorySection, list[tuple[int, Span]]] = {}
        for section in HISTORY_SECTIONS[1:]:
            text, where = self._passages(section)
            if text:
                sections[section], places[section] = text, where
        findings, repairs = copy_findings(sections, self._claims.findings, self._language)
        self._repairs.extend(repairs)
        self._place_findings(findings, places)
        examinations = {}
        copying: tuple[tuple[Literal["p", "e"], str, list[Mapping[str, Any]]], ...] = (
            ("p", "physical_examination", self._claims.physical_examination),
            ("e", "auxiliary_examinations", self._claims.auxiliary_examinations),
        )
        for kind, name, claimed in copying:
            copied = copy_examinations(kind, claimed, self._notes)
            self._repairs.extend(copied.repairs)
            for examination, span in copied.examinations:
                self._note(examination.id, span)
            examinations[name] = tuple(examination for examination, _ in copied.examinations)
        diagnoses = tuple(self._diagnoses())
        rationale, _ = self._passages("rationale")
        treatment, _ = self._passages("treatment")
        record = diagnoses and MedicalRecord(
            **dict(sections),
            id=id_,
            language=self._language,
            department=single["department"],
            demographics=who,
            findings=findings,
            physical_examination=examinations["physical_examination"],
            auxiliary_examinations=examinations["auxiliary_examinations"],
            diagnoses=diagnoses,
            rationale=rationale or None,
            treatment=treatment or None,
            source=source,
        )
        return Transcript(record or None, tuple(self._provenance), tuple(self._repairs))

    def _single(self, name: str) -> str | None:
        quotation = self._claims.single.get(name)
        if not quotation:
            return None
        span = self._notes.find(quotation)
        if span is None:
            self._drop(name, quotation)
            return None
        self._note("demographics" if name == "patient" else name, span)
        return self._text(span)

    def _passages(self, name: str) -> tuple[str, list[tuple[int, Span]]]:
        """A section of the passages found, and for each its offset in the section and its span."""
        spans: list[Span] = []
        for quotation in self._claims.passages.get(name, ()):
            span = self._free(quotation)
            if span is None:
                self._drop(name, quotation)
                continue
            self._taken.append(span)
            spans.append(span)
        text = ""
        places: list[tuple[int, Span]] = []
        for span in sorted(spans):
            if text:
                text += "\n"
            places.append((len(text), span))
            text += self._text(span)
            self._note(name, span)
        return text, places

    def _free(self, quotation: str) -> Span | None:
        """A place of the quotation that no section has yet; a passage stands in one alone."""
        rest: list[Span] = []
        at = 0
        for start, end in sorted(self._taken):
            rest.append((at, start))
            at = end
        rest.append((at, len(self._notes.text)))
        return self._notes.find(quotation, rest)

    def _place_findings(
        self, findings: tuple[Finding, ...], places: dict[HistorySection, list[tuple[int, Span]]]
    ) -> None:
        for finding in findings:
            for offset, (start, end) in places[finding.section]:
                own = (finding.start or 0) - offset + start
                if start <= own < end:
                    self._note(finding.id, (own, own + (finding.end or 0) - (finding.start or 0)))

    def _diagnoses(self) -> Iterator[Diagnosis]:
        names: set[str] = set()
        for claimed in self._claims.diagnoses:
            name = text_of(claimed.get("name"))
            span = self._notes.find(name)
            if span is None:
                self._drop("diagnoses", name)
                continue
            text = self._text(span)
            if text in names:
                continue
            names.add(text)
            identity = f"d{len(names)}"
            self._note(identity, span)
            role = text_of(claimed.get("role"))
            usual: DiagnosisRole = "comorbidity" if len(names) > 1 else "primary"
            link = default_terminology().link(text, self._language)
            yield Diagnosis(
                id=identity,
                name=text,
                icd10=link.icd10 if link.how in ("exact", "synonym") else None,
                role=next((known for known in _ROLES if known == role), usual),
            )

    def _text(self, span: Span) -> str:
        return self._notes.text[slice(*span)]

    def _note(self, field: str, span: Span) -> None:
        start, end = span
        self._provenance.append(
            Provenance(field=field, start=start, end=end, text=self._text(span))
        )

    def _drop(self, field: str, quotation: str) -> None:
        self._repairs.append(Repair(kind="not_in_notes", detail=f"{field}: {quotation}"[:200]))
