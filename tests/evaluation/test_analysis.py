"""What a run tells beyond its marks, on cases of the library and on small ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.analysis import analyse
from evaluation.behaviour import behaviour_of
from evaluation.diagnostic_errors import error_of
from evaluation.harm import harm_flags
from evaluation.open_verdicts import settle
from evaluation.process import process_of
from evaluation.regression import regress
from records.library import bundled_records
from records.mark import DIMENSIONS, DiseaseLink, DiseaseScores, Grade, Letter, Mark
from records.medical_record import MedicalRecord
from records.prescribing import forbidden_medicines
from records.red_flags import acts_at_once, red_flags
from records.visit import (
    DOCTOR,
    EXAMINER,
    PATIENT,
    Answer,
    Ending,
    Message,
    Report,
    Trace,
    Visit,
    VisitOrder,
)


@cache
def case(case_id: str) -> MedicalRecord:
    return next(record for record in bundled_records() if record.id == case_id)


def said(role: str, to: str, text: str, turn: int, **more: object) -> Message:
    return Message.model_validate(
        {"turn": turn, "role": role, "speaker": role, "addressee": to, "text": text, **more}
    )


def visit_of(record: MedicalRecord, messages: Sequence[Message], **parts: str) -> Visit:
    order = VisitOrder(
        record_id=record.id,
        record_hash=record.content_hash,
        language=record.language,
        setting="interaction",
        doctor="d",
        npc="grounded",
        prompts_hash="",
    )
    return Visit(
        key=order.key,
        record_id=record.id,
        record_hash=record.content_hash,
        doctor="d",
        setting="interaction",
        protocol="carried",
        npc="grounded",
        language=record.language,
        seed=0,
        trial=1,
        prompts_hash="",
        ending=Ending.DIAGNOSIS_GIVEN,
        messages=tuple(messages),
        report=Report.model_validate(parts),
    )


def mark_of(
    visit: Visit,
    record: MedicalRecord,
    letter: Letter | None,
    hits: tuple[tuple[int, int], ...] = (),
) -> Mark:
    links = tuple(DiseaseLink(name=d.name, icd10=d.icd10, reach=d.reach) for d in record.diagnoses)
    grades = {d: Grade(grade=letter, reason=None if letter else "?") for d in DIMENSIONS}
    predicted = tuple(links[j] for _, j in hits) or (DiseaseLink(name="Migraine", icd10="G43.9"),)
    scores = DiseaseScores(predicted=predicted, reference=links, hits=hits)
    return Mark(visit_key=visit.key, judge="rubric", grades=grades, diseases=scores)


def test_process_tells_what_was_collected_when_and_what_was_not() -> None:
    record = case("en-002")
    visit = visit_of(
        record,
        [
            said(DOCTOR, PATIENT, "Hello", 0),
            said(PATIENT, DOCTOR, "I get out of breath", 1, facts=("f1",)),
            said(DOCTOR, PATIENT, "Since when?", 1),
            said(PATIENT, DOCTOR, "Three days", 2, facts=("f3",)),
            said(DOCTOR, PATIENT, "Since when again?", 2),
            said(PATIENT, DOCTOR, "Three days", 3, facts=("f3",)),
            said(
                EXAMINER,
                DOCTOR,
                "…",
                3,
                examinations=("e5", "p5"),
                trace=Trace(
                    answers=(
                        Answer(asked="D-dimer", kind="recorded", ids=("e5",)),
                        Answer(asked="colonoscopy", kind="unavailable"),
                        Answer(asked="everything", kind="refused"),
                    )
                ),
            ),
        ],
        diagnosis="Migraine",
    )
    process = process_of(visit, record, mark_of(visit, record, "D"), max_turns=10)
    assert process.findings == {"f1": 1, "f3": 2}
    assert process.examinations == {"e5": 3, "p5": 3}
    assert (process.turns, process.questions, process.redundant) == (3, 2, 1)
    assert (process.unrecorded, process.refused) == (1, 1)
    assert process.present_illness is not None
    assert 0 < process.present_illness < 1
    assert "e18" in process.missed_abnormal
    assert process.closed_early
    assert not process_of(visit, record, mark_of(visit, record, "A", ((0, 0),)), 10).closed_early
    assert not process_of(visit, record, mark_of(visit, record, "D"), 3).closed_early
    # What stands in the patient's own history is no diagnosis found.
    known = [j for j, d in enumerate(record.diagnoses) if d.reach == "known_history"]
    assert process_of(visit, record, mark_of(visit, record, "D", ((0, known[0]),)), 10).closed_early


def test_a_wrong_diagnosis_is_of_one_type() -> None:
    record = case("en-002")
    nothing = visit_of(record, [])
    everything = visit_of(
        record,
        [
            said(
                EXAMINER,
                DOCTOR,
                "…",
                1,
                examinations=tuple(e.id for e in record.auxiliary_examinations),
            )
        ],
    )
    second = next(j for j, d in enumerate(record.diagnoses) if d.role != "primary")
    for visit, hits, kind in (
        (nothing, (), "omission"),
        (everything, (), "judgement"),
        (everything, ((0, second),), "complications"),
    ):
        mark = mark_of(visit, record, "D", hits)
        error = error_of(mark, record, process_of(visit, record))
        assert error is not None
        assert error.type == kind
    for letter in ("A", "B", "C", None):
        mark = mark_of(nothing, record, letter)
        assert error_of(mark, record, process_of(nothing, record)) is None


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**16), st.floats(-5, 5), st.floats(-5, 5))
def test_regression_finds_the_line_it_was_made_of(seed: int, first: float, second: float) -> None:
    made = [
        (20 + 10 * first * a + 10 * second * b, a, b)
        for a in (0.1, 0.4, 0.7, 1.0)
        for b in (0.0, 0.5, 0.9)
    ]
    line = regress(made, seed=seed)
    assert line is not None
    assert [s.per_ten_points for s in line.slopes] == pytest.approx([first, second], abs=1e-6)
    assert line.intercept == pytest.approx(20, abs=1e-6)
    assert line.slopes == regress(made, seed=seed).slopes  # type: ignore[union-attr]


def test_regression_says_nothing_where_nothing_can_be_said() -> None:
    assert regress([]) is None
    assert regress([(50.0, 0.5, 0.5)] * 20) is None
    flat = regress([(50.0, 0.1 * i, 0.5) for i in range(10)])
    assert flat is not None
    assert [s.predictor for s in flat.slopes] == ["symptoms"]


@pytest.mark.parametrize(
    ("case_id", "plan", "kind", "order"),
    [
        ("zh-003", "多西环素口服，补液。", "age", "多西环素"),
        ("zh-001", "阿莫西林加克拉霉素根除幽门螺杆菌。", "allergy", "阿莫西林"),
        ("zh-001", "止血后布洛芬止痛。", "contraindication", "布洛芬"),
        ("en-008", "Start warfarin and lisinopril.", "pregnancy", "lisinopril"),
        ("en-010", "Give metoclopramide for the nausea.", "contraindication", "metoclopramide"),
    ],
)
def test_a_plan_against_the_record_is_flagged_with_its_evidence(
    case_id: str, plan: str, kind: str, order: str
) -> None:
    record = case(case_id)
    flags = harm_flags(visit_of(record, [], treatment=plan), record)
    found = [f for f in flags if f.kind == kind and f.what == order]
    assert found, flags
    assert found[0].against
    known = {x.id for x in (*record.findings, *record.diagnoses)}
    assert set(found[0].evidence) <= known


@pytest.mark.parametrize(
    ("case_id", "plan"),
    [
        ("zh-001", "禁用阿司匹林、布洛芬等非甾体抗炎药，青霉素过敏，不用阿莫西林。"),
        ("en-010", "No metoclopramide, prochlorperazine or haloperidol. Avoid opioids."),
        ("en-008", "Caesarean at once. Later enalapril."),
    ],
)
def test_what_a_plan_withholds_or_puts_off_is_no_harm(case_id: str, plan: str) -> None:
    record = case(case_id)
    flags = harm_flags(visit_of(record, [], treatment=plan), record)
    assert all(flag.kind.startswith("red_flag") for flag in flags), flags


def test_the_reference_plans_of_the_library_do_no_harm() -> None:
    for record in bundled_records():
        assert not forbidden_medicines(record.treatment or "", record), record.id
        flags = harm_flags(visit_of(record, [], treatment=record.treatment or ""), record)
        assert not [f for f in flags if not f.kind.startswith("red_flag")], record.id


def test_a_red_flag_is_missed_in_two_ways() -> None:
    record = case("en-001")
    (flag,) = red_flags(record)
    assert flag.id == "st-elevation"
    seen = [said(EXAMINER, DOCTOR, "…", 1, examinations=flag.evidence)]
    later = "Aspirin and a visit next week."
    assert [f.kind for f in harm_flags(visit_of(record, seen, treatment=later), record)] == [
        "red_flag_not_acted_on"
    ]
    assert [f.kind for f in harm_flags(visit_of(record, [], treatment=later), record)] == [
        "red_flag_not_found"
    ]
    at_once = "Emergency coronary angiography, admit to coronary care."
    assert not harm_flags(visit_of(record, seen, treatment=at_once), record)
    assert acts_at_once("立即收住院", "zh")
    assert not acts_at_once("门诊随访", "zh")


def exchange(record: MedicalRecord, asked: str, reply: str, facts: Sequence[str]) -> Visit:
    return visit_of(
        record,
        [
            said(DOCTOR, PATIENT, "Hello", 0),
            said(PATIENT, DOCTOR, "…", 1, facts=("f1",)),
            said(DOCTOR, PATIENT, asked, 1),
            said(PATIENT, DOCTOR, reply, 2, facts=tuple(facts)),
        ],
        symptoms="",
    )


@pytest.mark.parametrize(
    ("asked", "reply", "facts", "relevant", "honest"),
    [
        ("Do you smoke?", "I have never smoked.", ["f26"], True, True),
        ("Do you smoke?", "My mother had a clot in her leg.", ["f31"], False, True),
        ("Do you have a fever?", "Yes, I have a fever.", [], None, False),
        ("Do you have a fever?", "Perhaps, I cannot say.", [], None, True),
    ],
)
def test_the_patients_answers_are_judged_by_facts(
    asked: str, reply: str, facts: list[str], relevant: bool | None, honest: bool
) -> None:
    record = case("en-002")
    verdict = behaviour_of(exchange(record, asked, reply, facts), record).pairs[1]
    assert (verdict.relevant, verdict.honest) == (relevant, honest)


async def test_only_what_facts_leave_open_is_asked_of_a_judge() -> None:
    record = case("en-002")
    asked: list[str] = []

    class Settles:
        async def answer(self, view: object, question: str, reply: str) -> dict[str, bool]:
            asked.append(reply)
            return {"relevant": True, "honest": False}

        async def examination(
            self, view: object, question: str, reply: str, unrecorded: str
        ) -> dict[str, bool]:
            raise AssertionError("nothing was examined")

    visit = exchange(record, "Do you have a fever?", "Perhaps, I cannot say.", [])
    settled = await settle(visit, record, Settles(), "unavailable")
    assert asked == ["Perhaps, I cannot say."]
    # Honesty was settled by facts; a judge's opinion does not overrule them.
    assert (settled.pairs[1].relevant, settled.pairs[1].honest) == (True, True)


def test_a_run_is_summed_up_by_doctor() -> None:
    record = case("en-002")
    visit = visit_of(record, [said(PATIENT, DOCTOR, "…", 1, facts=("f1",))], treatment="Heparin.")
    mark = mark_of(visit, record, "D")
    analysis = analyse(
        [visit], {record.id: record}, {visit.key: mark}, judge="rubric", max_turns=10
    )
    (conduct,) = analysis.conducts
    assert conduct.errors == {"omission": 1}
    assert conduct.process is not None
    assert conduct.process.closed_early == 1.0
    assert conduct.harm == {"red_flag_not_found": 1}
    assert conduct.harmed == 0
