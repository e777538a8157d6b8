"""Readers of other people's English cases: AgentClinic NEJM, MediQ, SymptomCheck, triage."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from records.medical_record import HISTORY_SECTIONS, MedicalRecord
from records.readers import lint_file, read_records, write_records
from records.readers.result_list import listed_examinations
from records.readers.vignette import read_vignette, sort_sentence, split_sentences
from tests.records.case_samples import MEDIQ, NEJM, SYMPTOMCHECK, TRIAGE, json_lines

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
published = pytest.mark.skipif(not DATA.is_dir(), reason="the published cases are not here")


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def write(case: dict[str, Any], **changes: Any) -> Path:
        changed = deepcopy(case)
        for name, value in changes.items():
            if value is ...:
                del changed[name]
            else:
                changed[name] = value
        path = tmp_path / "cases"
        path.write_bytes(json_lines([changed]))
        return path

    return write


def told(record: MedicalRecord) -> list[tuple[str, str]]:
    """What the examiner can tell, by name."""
    return [
        (e.name, e.reading) for e in (*record.physical_examination, *record.auxiliary_examinations)
    ]


class TestNejm:
    def test_the_text_is_sorted_and_the_picture_said(self, file: Callable[..., Path]) -> None:
        (record,) = read_records(file(NEJM[0]))
        assert record.demographics.age_years == 30
        assert record.demographics.description == "A 30-year-old man presented to the clinic"
        assert record.chief_complaint == "a 2-day history of wheals on his arms."
        assert record.past_history == "a history of asthma"
        assert record.history_of_present_illness == "He reported no fever."
        assert told(record) == [
            ("Skin", "On physical examination, there were raised pink wheals on both arms."),
            ("Eosinophil count", "600 per cubic millimeter (reference range, 40-500)"),
            ("IgE", "Elevated"),
            ("Skin biopsy", "Dermal edema"),
            (
                "Image of the case",
                "published as a picture, not put in words: https://example.org/image?id=1 "
                "A slide is shown.",
            ),
        ]
        assert record.auxiliary_examinations[0].category == "Laboratory results"
        assert record.auxiliary_examinations[0].reference_range == "40-500"
        assert record.source == "AgentClinic NEJM, case 1; image: https://example.org/image?id=1"

    def test_nobody_sees_an_option(self, file: Callable[..., Path]) -> None:
        (record,) = read_records(file(NEJM[0]))
        assert [d.name for d in record.diagnoses] == ["Urticaria"]
        assert "Scabies" not in record.model_dump_json()
        assert "likely diagnosis" not in record.model_dump_json()

    @pytest.mark.parametrize(
        "said", [None, "", "The text does not include specific instrument readings."]
    )
    def test_results_of_the_text_stand_in_where_none_are_listed(
        self, file: Callable[..., Path], said: str | None
    ) -> None:
        (record,) = read_records(file(NEJM[0], physical_exams=said))
        assert [e.name for e in record.auxiliary_examinations] == [
            "skin biopsy",
            "Image of the case",
        ]

    def test_a_case_without_a_picture_has_no_image(self, file: Callable[..., Path]) -> None:
        (record,) = read_records(file(NEJM[0], image_url=...))
        assert record.source == "AgentClinic NEJM, case 1"
        assert "Image of the case" not in dict(told(record))


class TestMediq:
    def test_the_sentences_are_sorted(self, file: Callable[..., Path]) -> None:
        (record,) = read_records(file(MEDIQ[0]))
        assert record.id == "mediq-7"
        assert record.demographics.sex == "male"
        assert record.chief_complaint == "wheals on his arms"
        assert record.history_of_present_illness == "He denies fever, joint pain, or new drugs"
        assert record.past_history == "His medical history is significant for asthma"
        assert told(record) == [
            ("Skin", "Physical examination reveals raised pink wheals on both arms"),
            ("skin biopsy", "A skin biopsy shows dermal edema."),
        ]
        assert [f.symptom for f in record.findings if not f.present] == [
            "fever",
            "joint pain",
            "drugs",
        ]
        assert "Scabies" not in record.model_dump_json()

    def test_an_answer_that_contradicts_its_mark_counts_and_is_said(
        self, file: Callable[..., Path]
    ) -> None:
        (record,) = read_records(file(MEDIQ[0], answer_idx="B"))
        assert record.diagnoses[0].name == "Urticaria"
        assert record.source is not None
        assert record.source.endswith('the option marked as its answer reads "Scabies"')

    @pytest.mark.parametrize(
        ("patient", "age", "sex"),
        [
            ({"age": "7 months", "gender": "female"}, 0.583, "female"),
            ({"age": "elderly", "gender": "unavailable"}, 30, "male"),
            ({}, 30, "male"),
        ],
    )
    def test_who_the_patient_is(
        self, file: Callable[..., Path], patient: dict[str, str], age: float, sex: str | None
    ) -> None:
        (record,) = read_records(file(MEDIQ[0], patient=patient))
        assert record.demographics.age_years == age
        assert record.demographics.sex == sex


class TestSymptomCheck:
    def test_absent_findings_are_absent(self, file: Callable[..., Path]) -> None:
        (record,) = read_records(file(SYMPTOMCHECK[0]))
        text = record.section_text("history_of_present_illness")
        begin = text.index("\n")
        items = [
            (f.symptom, f.present)
            for f in record.findings
            if f.section == "history_of_present_illness" and (f.start or 0) > begin
        ]
        assert items == [
            ("fever", False),
            ("nausea", False),
            ("vomiting", False),
            ("cough", False),
            ("Normal appetite", True),
            ("chills", False),
        ]
        assert all(
            text[f.start : f.end] in f.text
            for f in record.findings
            if f.section == "history_of_present_illness"
        )

    def test_the_rest(self, file: Callable[..., Path]) -> None:
        (record,) = read_records(file(SYMPTOMCHECK[0]))
        assert record.chief_complaint == "Rash, Itching"
        assert (record.demographics.age_years, record.demographics.sex) == (30, "male")
        assert (record.past_history, record.family_history) == ("None", None)
        (none,) = (f for f in record.findings if f.section == "past_history")
        assert (none.symptom, none.present, none.text) == ("past illness", False, "None")


def test_triage_keeps_the_urgency_in_the_source(file: Callable[..., Path]) -> None:
    (record,) = read_records(file(TRIAGE[0]))
    assert record.chief_complaint == "wheals on his arms for 2 days."
    assert record.source == "Semigran triage vignette 1 (self-care)"
    assert [name for name, _ in told(record)] == ["Skin"]


class TestFaults:
    @pytest.mark.parametrize(
        ("case", "changes", "place", "what"),
        [
            (NEJM, {"question": ...}, "question", "is missing"),
            (NEJM, {"answers": "Urticaria"}, "answers", "no list"),
            (NEJM, {"answers": []}, "answers", "0 options are correct"),
            (NEJM, {"answers": [{"text": "x", "correct": 1}]}, "answers[0].correct", "neither"),
            (NEJM, {"answers": [{"text": "x", "correct": True}] * 2}, "answers", "2 options"),
            (NEJM, {"answers": [{"correct": True}]}, "answers", "has no text"),
            (NEJM, {"image": "x"}, "image", 'did you mean "image_url"?'),
            (MEDIQ, {"answer": ""}, "answer", "is missing"),
            (MEDIQ, {"answer_idx": "Z"}, "answer_idx", "none of the options A, B"),
            (MEDIQ, {"context": []}, "context", "is empty"),
            (MEDIQ, {"context": [1]}, "context", "no list of sentences"),
            (MEDIQ, {"question": "Which drug is best?"}, "question", "asks for no diagnosis"),
            (MEDIQ, {"patient": {"sex": "male"}}, "patient.sex", "unknown field"),
            (SYMPTOMCHECK, {"correct_diagnosis": "-"}, "correct_diagnosis", "is missing"),
            (SYMPTOMCHECK, {"correct_diagnosis": ...}, "correct_diagnosis", "is missing"),
            (
                SYMPTOMCHECK,
                {"presentation": "-", "chief_complaints": ""},
                "presentation",
                "one has to tell",
            ),
            (SYMPTOMCHECK, {"family_histroy": "x"}, "family_histroy", '"family_history"'),
            (TRIAGE, {"urgency_level": "red"}, "urgency_level", "none of em, ne, sc"),
            (TRIAGE, {"case_description": " "}, "case_description", "is missing"),
        ],
    )
    def test_a_fault_names_file_record_field_and_remedy(
        self,
        file: Callable[..., Path],
        case: list[dict[str, Any]],
        changes: dict[str, Any],
        place: str,
        what: str,
    ) -> None:
        path = file(case[0], **changes)
        faults = [str(fault) for fault in lint_file(path)]
        assert len(faults) == 1
        assert faults[0].startswith(f"{path}: line 1")
        assert f": {place}: " in faults[0]
        assert what in faults[0]


class TestSentences:
    @pytest.mark.parametrize(
        ("sentence", "before", "sort"),
        [
            ("On examination, the liver is enlarged.", "history_of_present_illness", "sign"),
            ("The spleen is not felt.", "sign", "sign"),
            ("He has taken aspirin for a week.", "sign", "history_of_present_illness"),
            ("Her medical history includes gout.", "sign", "past_history"),
            ("There is no family history of stroke.", "sign", "family_history"),
            ("Current medications include metformin.", "sign", "medication_history"),
            ("A chest radiograph shows an effusion.", "sign", "result"),
            ("A chest radiograph was ordered.", "sign", "history_of_present_illness"),
            ("Small nodes are palpable in the neck.", "history_of_present_illness", "sign"),
            ("No benefit was seen from rest.", "history_of_present_illness",
             "history_of_present_illness"),
        ],
    )  # fmt: skip
    def test_a_sentence_tells_where_it_belongs(self, sentence: str, before: Any, sort: str) -> None:
        assert sort_sentence(sentence, before) == sort

    def test_sentences_end_at_stops_only(self) -> None:
        text = "Dr. A. Smith saw a node of 1.5 cm, e.g. here. It grew! “Did it?” No."
        assert split_sentences(text) == [
            "Dr. A. Smith saw a node of 1.5 cm, e.g. here.",
            "It grew!",
            "“Did it?”",
            "No.",
        ]

    @given(st.lists(st.text(min_size=1), max_size=6))
    def test_no_word_of_a_case_is_lost_or_doubled(self, sentences: list[str]) -> None:
        case = read_vignette(["A man presents with a cough", *sentences], "\n")
        examinations = (*case.physical_examination, *case.auxiliary_examinations)
        kept = Counter("".join([*case.history.values(), *(e.value for e in examinations)]).split())
        given_ = Counter("".join(s for s in sentences if not s.strip().endswith("?")).split())
        if not any(s.strip().endswith("?") for s in sentences):
            assert "".join(sorted("".join(kept.elements()))) == "".join(
                sorted("".join(given_.elements()))
            )

    @given(
        st.lists(st.sampled_from([*"abA .:;()<%\n", "555", "- ", "1. ", ": "]), max_size=60),
        st.sampled_from("pe"),
    )
    def test_no_word_of_a_list_of_results_is_lost(self, pieces: list[str], prefix: str) -> None:
        text = "".join(pieces)
        assume(not re.search(r":\s+(?:-|\d\d?[.)])\s", text))
        items = listed_examinations(text, prefix)
        kept = "".join(f"{e.category} {e.name} {e.reading} {e.reference_range}" for e in items)
        assert Counter(c for c in text if c in "abA5%<") <= Counter(kept)


@published
class TestPublished:
    @pytest.mark.parametrize(
        ("path", "count"),
        [
            ("agentclinic/agentclinic_nejm.jsonl", 15),
            ("mediq/all_craft_md.jsonl", 140),
            ("symptomcheck/avey_vignettes_even.jsonl", 200),
            ("triage/semigran_vignettes_most.jsonl", 30),
        ],
    )
    def test_all_are_read_and_survive_conversion(
        self, tmp_path: Path, path: str, count: int
    ) -> None:
        records = read_records(DATA / path)
        assert len(records) == count
        assert all(record.findings and record.chief_complaint for record in records)
        for record in records:
            ends: dict[str, int] = {}
            for finding in record.findings:
                assert (finding.start or 0) >= ends.get(finding.section, 0), record.id
                ends[finding.section] = finding.end or 0
        write_records(records, tmp_path / "own.jsonl")
        assert read_records(tmp_path / "own.jsonl") == records

    def test_every_sentence_of_mediq_stands_in_one_place(self) -> None:
        path = DATA / "mediq" / "all_craft_md.jsonl"
        cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for case, record in zip(cases, read_records(path), strict=True):
            texts = [
                *(
                    line
                    for section in HISTORY_SECTIONS
                    for line in record.section_text(section).split("\n")
                ),
                *(value for _, value in told(record)),
            ]
            for sentence in case["context"][1:]:
                if not sentence.strip().endswith("?"):
                    assert texts.count(sentence.strip()) == 1, (record.id, sentence)

    def test_no_wrong_option_is_in_a_record(self) -> None:
        path = DATA / "agentclinic" / "agentclinic_nejm.jsonl"
        cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for case, record in zip(cases, read_records(path), strict=True):
            said = record.model_dump_json(exclude={"diagnoses"}).casefold()
            wrong = [a["text"] for a in case["answers"] if not a["correct"]]
            shown = [w for w in wrong if w.casefold() in said]
            assert all(w.casefold() in case["question"].casefold() for w in shown), record.id

    def test_the_absent_findings_of_symptomcheck_are_absent(self) -> None:
        path = DATA / "symptomcheck" / "avey_vignettes_even.jsonl"
        for record in read_records(path):
            text = record.section_text("history_of_present_illness")
            begin = text.rfind("\n")
            for finding in record.findings:
                if (
                    finding.section == "history_of_present_illness"
                    and 0 <= begin < (finding.start or 0)
                    and not finding.text.startswith("Normal")
                ):
                    assert not finding.present, (record.id, finding.text)
