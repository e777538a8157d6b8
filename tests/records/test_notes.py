"""Notes as records: every fact is a span of the notes, whatever was claimed of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.medical_record import Language, MedicalRecord
from records.notes import Transcript, locate, transcribe
from records.notes.claims import Claims

NOTES = {
    "en": (
        "Respiratory clinic. Man, 61 years old, retired welder.\n"
        "Complaint: cough for three weeks.\n"
        "History: Cough for three weeks with yellow sputum.  No fever, no chest pain. He has lost\n"
        "5 kg.\nPast: Asthma as a child. Denies diabetes.\n"
        "Examination: Temp 36.8 °C. Crackles at the left base.\n"
        "Blood count: Hb 12.1 g/dL (13.0-17.0), WBC 9.4 x10^9/L. Hb was 14.2 g/dL in May.\n"
        "Chest X-ray: left lower lobe mass.\n"
        "Diagnosis: lung cancer; asthma. Because of the mass and the weight loss.\n"
        "Plan: CT and bronchoscopy.\n"
    ),
    "zh": (
        "呼吸科　患者男，61岁，退休焊工。\n主诉：咳嗽3周。\n"
        "现病史：咳嗽3周，咳黄痰，无发热，无胸痛，体重下降5kg。\n既往史：幼时哮喘。否认糖尿病。\n"
        "查体：体温36.8℃，左下肺可闻及湿啰音。\n"
        "血常规：血红蛋白 121g/L（参考值130-175），白细胞 9.4×10^9/L。\n胸片：左下肺占位。\n"
        "诊断：肺癌；哮喘。依据：左下肺占位，体重下降。\n治疗：胸部CT、支气管镜检查。\n"
    ),
}
CLAIMS: dict[str, dict[str, Any]] = {
    "en": {
        "department": "Respiratory clinic",
        "patient": "Man, 61 years old",
        "occupation": "retired welder",
        "chief_complaint": ["cough for three weeks."],
        "history_of_present_illness": [
            "Cough for three weeks with yellow sputum. No fever, no chest pain. He has lost 5 kg."
        ],
        "past_history": ["Asthma as a child. Denies diabetes."],
        "findings": [
            {"text": "No fever", "symptom": "fever", "present": False},
            {"text": "He has lost 5 kg", "symptom": "weight loss", "present": True},
        ],
        "physical_examination": [
            {"name": "Temp", "value": "36.8", "unit": "°C", "quote": "Temp 36.8 °C"},
            {"name": "left base", "value": "Crackles", "quote": "Crackles at the left base"},
        ],
        "auxiliary_examinations": [
            {
                "name": "Hb",
                "value": "12.1",
                "unit": "g/dL",
                "reference_range": "13.0-17.0",
                "category": "Blood count",
                "quote": "Hb 12.1 g/dL (13.0-17.0)",
            },
            {"name": "WBC", "value": "9.4", "unit": "x10^9/L", "quote": "WBC 9.4 x10^9/L"},
            {"name": "Hb", "value": "14.2 g/dL", "quote": "Hb was 14.2 g/dL in May"},
            {
                "name": "Chest X-ray",
                "value": "left lower lobe mass",
                "quote": "Chest X-ray: left lower lobe mass",
            },
        ],
        "diagnoses": [
            {"name": "lung cancer", "role": "primary"},
            {"name": "asthma", "role": "history"},
        ],
        "rationale": ["Because of the mass and the weight loss."],
        "treatment": ["CT and bronchoscopy."],
    },
    "zh": {
        "department": "呼吸科",
        "patient": "男，61岁",
        "occupation": "退休焊工",
        "chief_complaint": ["咳嗽3周。"],
        "history_of_present_illness": ["咳嗽3周，咳黄痰，无发热，无胸痛，体重下降5kg。"],
        "past_history": ["幼时哮喘。否认糖尿病。"],
        "findings": [
            {"text": "无发热", "symptom": "发热", "present": False},
            {"text": "体重下降5kg", "symptom": "体重下降", "present": True},
        ],
        "physical_examination": [
            {"name": "体温", "value": "36.8", "unit": "℃", "quote": "体温36.8℃"},
            {"name": "左下肺", "value": "湿啰音", "quote": "左下肺可闻及湿啰音"},
        ],
        "auxiliary_examinations": [
            {
                "name": "血红蛋白",
                "value": "121",
                "unit": "g/L",
                "reference_range": "130-175",
                "category": "血常规",
                "quote": "血红蛋白 121g/L(参考值130-175)",
            },
            {"name": "白细胞", "value": "9.4", "unit": "×10^9/L", "quote": "白细胞 9.4×10^9/L"},
            {"name": "胸片", "value": "左下肺占位", "quote": "胸片：左下肺占位"},
        ],
        "diagnoses": [{"name": "肺癌", "role": "primary"}, {"name": "哮喘", "role": "history"}],
        "rationale": ["左下肺占位，体重下降。"],
        "treatment": ["胸部CT、支气管镜检查。"],
    },
}


def made(language: Language, **changes: Any) -> Transcript:
    claims = Claims.read(CLAIMS[language] | changes)
    assert claims is not None
    return transcribe(NOTES[language], claims, language, id_="n1", source="notes")


def record_of(transcript: Transcript) -> MedicalRecord:
    assert transcript.record is not None
    return transcript.record


@pytest.mark.parametrize("language", ["zh", "en"])
def test_faithful_claims_become_a_record_without_repairs(language: Language) -> None:
    transcript = made(language)
    record = record_of(transcript)
    assert transcript.repairs == ()
    assert (record.demographics.age_years, record.demographics.sex) == (61, "male")
    assert [(d.icd10 or "")[:3] for d in record.diagnoses] == ["C34", "J45"]
    assert [d.role for d in record.diagnoses] == ["primary", "history"]
    assert {f.present for f in record.findings} == {True, False}
    names = {f.symptom: f.present for f in record.findings}
    assert names["fever" if language == "en" else "发热"] is False
    assert names["weight loss" if language == "en" else "体重下降"] is True
    # What no claim covered was read by the splitter.
    assert any(("sputum" in f.text or "黄痰" in f.text) and f.present for f in record.findings)
    first = record.auxiliary_examinations[0]
    assert first.abnormal is True
    assert first.category in ("Blood count", "血常规")


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_fact_has_its_place_in_the_notes(language: Language) -> None:
    transcript = made(language)
    record, notes = record_of(transcript), NOTES[language]
    assert all(notes[p.start : p.end] == p.text for p in transcript.provenance)
    placed = {p.field for p in transcript.provenance}
    facts = (*record.findings, *record.physical_examination, *record.auxiliary_examinations)
    assert {fact.id for fact in (*facts, *record.diagnoses)} <= placed
    for finding in record.findings:
        text = record.section_text(finding.section)
        assert text[finding.start : finding.end] in notes
        place = next(p for p in transcript.provenance if p.field == finding.id)
        assert place.text == text[finding.start : finding.end]


def test_a_passage_that_is_wrapped_in_the_notes_is_theirs_word_for_word() -> None:
    record = record_of(made("en"))
    assert record.history_of_present_illness is not None
    assert record.history_of_present_illness in NOTES["en"]
    assert "lost\n5 kg" in record.history_of_present_illness


def test_the_words_around_a_result_are_kept() -> None:
    may = record_of(made("en")).auxiliary_examinations[2]
    assert (may.value, may.unit, may.note) == ("14.2", "g/dL", None)
    sign = record_of(made("zh")).physical_examination[1]
    assert sign.note == "(左下肺可闻及湿啰音)"


@pytest.mark.parametrize(
    ("changes", "gone"),
    [
        ({"department": "Oncology ward"}, "Oncology"),
        ({"past_history": ["Asthma as a child.", "Smokes 20 a day."]}, "Smokes"),
        ({"findings": [{"text": "night sweats", "symptom": "sweats"}]}, "sweats"),
        ({"treatment": ["Start cisplatin."]}, "cisplatin"),
        ({"diagnoses": [{"name": "lung cancer"}, {"name": "tuberculosis"}]}, "tuberculosis"),
        ({"auxiliary_examinations": [{"name": "CRP", "value": "88", "quote": "CRP 88"}]}, "CRP"),
        (
            {"auxiliary_examinations": [{"name": "Hb", "value": "2.1", "quote": "Hb 12.1"}]},
            "Hb: 2.1",
        ),
        (
            {
                "auxiliary_examinations": [
                    {"name": "WBC", "value": "9.4", "unit": "mg/L", "quote": "WBC 9.4"}
                ]
            },
            "mg/L",
        ),
    ],
)
def test_what_the_notes_do_not_say_is_dropped_and_counted(
    changes: dict[str, Any], gone: str
) -> None:
    transcript = made("en", **changes)
    assert gone.split(":")[-1].strip() not in record_of(transcript).model_dump_json().replace(
        "12.1", ""
    )
    assert [gone in repair.detail for repair in transcript.repairs] == [True]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_denied_clause_is_absent_whatever_was_claimed(language: Language) -> None:
    text, symptom = ("No fever", "fever") if language == "en" else ("无发热", "发热")
    transcript = made(language, findings=[{"text": text, "symptom": symptom, "present": True}])
    assert [repair.kind for repair in transcript.repairs] == ["polarity_corrected"]
    found = next(f for f in record_of(transcript).findings if f.text == text)
    assert not found.present


def test_a_finding_is_not_named_for_what_its_words_do_not_say() -> None:
    claimed = {"text": "Asthma as a child", "symptom": "haemoptysis", "present": True}
    transcript = made("en", findings=[claimed])
    assert [repair.kind for repair in transcript.repairs] == ["symptom_renamed"]
    assert all(f.symptom != "haemoptysis" for f in record_of(transcript).findings)


def test_notes_without_a_diagnosis_that_is_found_make_no_record() -> None:
    assert made("en", diagnoses=[{"name": "tuberculosis"}]).record is None
    assert made("en", diagnoses=[]).record is None


@pytest.mark.parametrize(
    ("quotation", "text", "found"),
    [
        ("12", "Hb 112, 12.5, 12", "12"),
        ("mass", "a massive mass", "mass"),
        ("左肺，占位", "（左肺, 占 位）", "左肺, 占 位"),
        ("“no” – pain", 'has "No"-pain', '"No"-pain'),
        ("ＷＢＣ 5", "wbc  5.", "wbc  5"),
        ("", "text", None),
        ("absent", "text", None),
    ],
)
def test_quotations_are_found_for_all_spaces_and_widths(
    quotation: str, text: str, found: str | None
) -> None:
    span = locate(quotation, text)
    assert (text[slice(*span)] if span else None) == found


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["cough", "Hb", "12.1", "asthma"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["name", "text", "value", "quote", "unit", "present", "symptom", "role"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(sorted(CLAIMS["en"])), _JSON, max_size=8))
def test_no_claim_breaks_it_and_none_adds_a_word(changes: dict[str, Any]) -> None:
    transcript = made("en", **changes)
    for place in transcript.provenance:
        assert NOTES["en"][place.start : place.end] == place.text
    if transcript.record is not None:
        for one in transcript.record.auxiliary_examinations:
            assert one.name in NOTES["en"]
            assert one.value in NOTES["en"]
