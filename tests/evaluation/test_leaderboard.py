from __future__ import annotations

import json
from itertools import permutations

import pytest

from evaluation.leaderboard import Leaderboard, leaderboard
from records.mark import DIMENSIONS, DiseaseLink, DiseaseScores, Grade, Letter, Mark
from records.medical_record import Diagnosis, MedicalRecord
from records.visit import Ending, Setting, Visit

CASES = tuple(
    MedicalRecord(id=i, language="en", diagnoses=(Diagnosis(id="d1", name="flu"),)) for i in "abc"
)


def visit(
    case: str,
    doctor: str = "x",
    setting: Setting = "interaction",
    trial: int = 1,
    ending: Ending = Ending.DIAGNOSIS_GIVEN,
) -> Visit:
    return Visit(
        key=f"{case}-{doctor}-{setting}-{trial}",
        record_id=case,
        record_hash="h",
        doctor=doctor,
        setting=setting,
        protocol="carried",
        npc="grounded",
        language="en",
        seed=0,
        trial=trial,
        prompts_hash="p",
        ending=ending,
    )


def marked(
    of: Visit,
    grade: Letter | None,
    *,
    judge: str = "rubric",
    predicted: int = 1,
    hits: int = 0,
    linked: bool = True,
) -> Mark:
    reason = None if grade else "unreadable"
    return Mark(
        visit_key=of.key,
        judge=judge,
        grades={d: Grade(grade=grade, reason=reason) for d in DIMENSIONS},
        diseases=DiseaseScores(
            predicted=(DiseaseLink(name="flu", icd10="J11"),) * predicted,
            reference=(DiseaseLink(name="flu", icd10="J11" if linked else None),),
            hits=((0, 0),) * hits,
        ),
    )


def board(*pairs: tuple[Visit, Mark | None], judge: str | None = None) -> Leaderboard:
    return leaderboard(
        [v for v, _ in pairs], [m for _, m in pairs if m is not None], CASES, judge=judge
    )


def given(v: Visit, grade: Letter | None, **scores: int | bool | str) -> tuple[Visit, Mark]:
    return v, marked(v, grade, **scores)  # type: ignore[arg-type]


def test_a_row_by_hand() -> None:
    result = board(
        given(visit("a"), "A", hits=1, predicted=2),
        given(visit("b"), "C", predicted=2),
        given(visit("c"), None, predicted=0, linked=False),
    )
    (row,) = json.loads(result.model_dump_json())["rows"]
    assert list(row) == ["doctor", "setting", "visits", "marks", "diseases", "pass_rates"]
    assert (row["doctor"], row["setting"], row["visits"]) == ("x", "interaction", 3)
    assert list(row["marks"]) == list(DIMENSIONS)
    mark = row["marks"]["diagnosis"]
    assert mark["mean"] == pytest.approx((100 + 100 / 3) / 2)
    assert mark["half_width"] == pytest.approx(100 / 3)
    assert mark["coverage"] == pytest.approx(2 / 3)
    diseases = row["diseases"]
    half_width = diseases.pop("f1_half_width")
    assert 100 / 3 < 200 / 7 + half_width <= 200 / 3  # of (1, 2, 1), the best of all resamples
    assert diseases.pop("every_reference")["f1"] == pytest.approx(200 / 7)
    assert diseases.pop("equal_codes")["f1"] == pytest.approx(200 / 7)
    assert diseases == pytest.approx(
        {
            "cases": 3,
            "predicted_mean": 4 / 3,
            "recall": 100 / 3,
            "precision": 25,
            "f1": 200 / 7,
            "linked": 2 / 3,
            "left_out": 0,
        }
    )
    assert result.unmarked == 0


def test_trials_are_averaged_within_their_case_first() -> None:
    result = board(
        given(visit("a", trial=1), "A", hits=1),
        given(visit("a", trial=2), "A", hits=1),
        given(visit("a", trial=3), "D"),
        given(visit("b"), "D"),
    )
    (row,) = result.rows
    assert row.visits == 4
    assert row.marks["symptoms"].mean == pytest.approx((200 / 3 + 0) / 2)
    assert row.diseases.recall == pytest.approx(100 * (2 / 3) / 2)
    assert row.diseases.predicted_mean == 1
    assert result.cases == 2


def test_share_is_taken_over_cases_that_have_floor_and_ceiling() -> None:
    result = board(
        given(visit("a"), "B", hits=1),
        given(visit("a", setting="one_step"), "A", hits=1),
        given(visit("a", setting="zero_turn"), "D"),
        given(visit("b"), "D"),  # no ceiling: not in the share
        given(visit("b", setting="zero_turn"), "D"),
    )
    (share,) = result.share
    assert share.cases == 1
    assert share.shares == pytest.approx({**dict.fromkeys(DIMENSIONS, 2 / 3), "f1": 1.0})


def test_there_is_no_share_without_a_way_up() -> None:
    flat = board(
        given(visit("a"), "B"),
        given(visit("a", setting="one_step"), "B"),
        given(visit("a", setting="zero_turn"), "B"),
    )
    downhill = board(
        given(visit("a"), "B"),
        given(visit("a", setting="one_step"), "C"),
        given(visit("a", setting="zero_turn"), "A", hits=1),
    )
    alone = board(given(visit("a"), "B"))
    for result in (flat, downhill, alone):
        assert set(result.share[0].shares.values()) == {None}


def test_a_share_beyond_the_ends_of_a_short_way_is_not_told() -> None:
    # Twenty cases, one grade apart on one of them: a way of 100/60 points.
    def of_twenty(inside: Letter, up: int) -> float | None:
        cases = [CASES[0].model_copy(update={"id": f"c{n}"}) for n in range(20)]
        pairs = []
        for n, case in enumerate(cases):
            higher = n < up
            pairs += [
                given(visit(case.id), inside if n < 2 else "C"),
                given(visit(case.id, setting="one_step"), "B" if higher else "C"),
                given(visit(case.id, setting="zero_turn"), "C"),
            ]
        result = leaderboard([v for v, _ in pairs], [m for _, m in pairs], cases)
        return result.share[0].shares["diagnosis"]

    assert of_twenty("B", up=1) is None  # 200%
    assert of_twenty("D", up=1) is None  # -200%
    assert of_twenty("C", up=1) == pytest.approx(0)
    assert of_twenty("B", up=2) == pytest.approx(1)
    assert of_twenty("A", up=3) == pytest.approx(4 / 3)  # of a way of five points
    assert of_twenty("A", up=2) is None


def test_reasons_of_failures_are_counted_by_ending_the_commonest_first() -> None:
    def failed(case: str, trial: int, ending: Ending, why: str | None) -> Visit:
        return visit(case, trial=trial, ending=ending).model_copy(update={"failure": why})

    visits = [
        failed("a", 1, Ending.DOCTOR_FAILED, "a rare one"),
        failed("b", 1, Ending.DOCTOR_FAILED, "timeout"),
        failed("b", 2, Ending.DOCTOR_FAILED, "timeout"),
        failed("c", 1, Ending.DOCTOR_FAILED, None),
        failed("c", 2, Ending.BUDGET, "spent"),
        visit("c", trial=3),
    ]
    (endings,) = leaderboard(visits, [], CASES).endings
    assert endings.counts == {"budget": 1, "diagnosis_given": 1, "doctor_failed": 4}
    assert list(endings.failures["doctor_failed"].items()) == [("timeout", 2), ("a rare one", 1)]
    assert endings.failures["budget"] == {"spent": 1}
    assert "diagnosis_given" not in endings.failures


def test_rows_stand_by_setting_then_diagnosis_then_name() -> None:
    pairs = [
        given(visit("a", "good", "zero_turn"), "A"),
        given(visit("a", "good", "conference"), "A"),
        given(visit("a", "twin"), "B"),
        given(visit("a", "good"), "B"),
        given(visit("a", "poor"), "C"),
        given(visit("a", "good", "one_step"), "A"),
    ]
    expected = [
        ("good", "interaction"),
        ("twin", "interaction"),
        ("poor", "interaction"),
        ("good", "one_step"),
        ("good", "zero_turn"),
        ("good", "conference"),
    ]
    results = [board(*order) for order in list(permutations(pairs))[::97]]
    assert [(r.doctor, r.setting) for r in results[0].rows] == expected
    assert all(result == results[0] for result in results)


def test_nothing_is_gained_by_silence() -> None:
    result = board(
        given(visit("a", "abstains"), None, predicted=0),
        given(visit("b", "abstains"), "B"),
        given(visit("a", "answers"), "C"),
        given(visit("b", "answers"), "B"),
        given(visit("a", "declines", ending=Ending.DOCTOR_DECLINED), "D", predicted=0),
        given(visit("a", "is_wrong"), "D"),
        (visit("a", "unmarked"), None),
    )
    assert [row.doctor for row in result.rows] == [
        "answers",
        "abstains",
        "is_wrong",
        "declines",
        "unmarked",
    ]
    abstains = result.rows[1].marks["diagnosis"]
    assert abstains.mean == pytest.approx(200 / 3)
    assert abstains.coverage == 0.5


def test_visits_without_a_mark_are_counted_and_shown_by_their_ending() -> None:
    result = board(
        given(visit("a"), "A"),
        (visit("b", ending=Ending.PATIENT_FAILED), None),
        (visit("c", ending=Ending.CONTENT_FILTERED), None),
    )
    (row,) = result.rows
    assert (row.visits, result.unmarked) == (3, 2)
    assert row.marks["treatment"].coverage == pytest.approx(1 / 3)
    assert result.endings[0].counts == {
        "content_filtered": 1,
        "diagnosis_given": 1,
        "patient_failed": 1,
    }


def test_one_judge_is_shown_and_its_latest_mark_counts() -> None:
    v = visit("a")
    marks = [marked(v, "D"), marked(v, "A", judge="other"), marked(v, "B")]
    first = leaderboard([v], marks, CASES)
    assert (first.judge, first.judges) == ("rubric", ("rubric", "other"))
    assert first.rows[0].marks["diagnosis"].mean == pytest.approx(200 / 3)
    assert leaderboard([v], marks, CASES, judge="other").rows[0].marks["diagnosis"].mean == 100
    with pytest.raises(ValueError, match=r"nobody.*rubric, other"):
        leaderboard([v], marks, CASES, judge="nobody")
    unmarked = leaderboard([v], [], CASES, judge="rubric")
    assert (unmarked.judge, unmarked.unmarked) == ("rubric", 1)


def test_a_run_without_marks_has_rows_without_means() -> None:
    result = board((visit("a"), None))
    (row,) = result.rows
    assert result.judge is None
    assert (row.marks["symptoms"].mean, row.marks["symptoms"].coverage) == (None, 0)
    assert row.diseases.f1 is None


def test_visits_of_other_records_are_left_out() -> None:
    assert board(given(visit("z"), "A")).rows == ()
