from __future__ import annotations

import json
from itertools import permutations

import hypothesis
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from evaluation.leaderboard import Leaderboard, leaderboard
from records.ledger import RunConfig, SharedSettings
from records.mark import DIMENSIONS, Convention, DiseaseLink, DiseaseScores, Grade, Letter, Mark
from records.medical_record import Diagnosis, MedicalRecord, Reach
from records.visit import Ending, Message, Repair, Report, Setting, Usage, Visit

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


WAYS = ("answers", "refuses", "fails", "empty", "unscored", "no mark")


@st.composite
def a_doctor_and_its_silent_twin(draw: st.DrawFn) -> list[tuple[Visit, Mark | None]]:
    """`answers` has random grades; of `silent`, any of them are refused, empty or unscored."""
    pairs: list[tuple[Visit, Mark | None]] = []
    for case in "abc"[: draw(st.integers(1, 3))]:
        for trial in range(1, draw(st.integers(1, 2)) + 1):
            grade = draw(st.sampled_from(("A", "B", "C", "D", "D", "D")))
            pairs.append(given(visit(case, "answers", trial=trial), grade))
            way = draw(st.sampled_from(WAYS))
            twin = visit(case, "a silent one", trial=trial)
            if way == "answers":
                pairs.append(given(twin, grade))
            elif way in ("refuses", "fails"):
                ending = Ending.DOCTOR_DECLINED if way == "refuses" else Ending.DOCTOR_FAILED
                refused = visit(case, "a silent one", trial=trial, ending=ending)
                refused = refused.model_copy(update={"report": Report(diagnosis="I cannot say.")})
                pairs.append(given(refused, "D", predicted=0))
            elif way == "empty":
                pairs.append(given(twin, "D", predicted=0))
            elif way == "unscored":
                pairs.append(given(twin, None, predicted=draw(st.integers(0, 1))))
            else:
                pairs.append((twin, None))
    return pairs


@settings(max_examples=150, deadline=None)
@hypothesis.given(a_doctor_and_its_silent_twin(), st.sampled_from(("strict", "published")))
def test_who_is_silent_never_ranks_above_who_answers_and_is_wrong(
    pairs: list[tuple[Visit, Mark | None]], convention: Convention
) -> None:
    result = leaderboard(
        [v for v, _ in pairs],
        [m for _, m in pairs if m is not None],
        CASES,
        convention=convention,
    )
    ranked = [row.doctor for row in result.rows]
    silent = [m for v, m in pairs if v.doctor == "a silent one"]
    answering = [m for v, m in pairs if v.doctor == "answers"]
    same = all(
        one is not None
        and other is not None
        and (one.grades, one.diseases) == (other.grades, other.diseases)
        for one, other in zip(silent, answering, strict=True)
    )
    if not same:
        assert ranked == ["answers", "a silent one"]


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


def test_conventions_differ_in_what_an_unscored_grade_is() -> None:
    pairs = [given(visit("a"), "A"), given(visit("b"), None)]
    visits, marks = [v for v, _ in pairs], [m for _, m in pairs]
    strict = leaderboard(visits, marks, CASES).rows[0].marks["treatment"]
    published = leaderboard(visits, marks, CASES, convention="published").rows[0].marks["treatment"]
    assert (strict.mean, strict.coverage) == (100, 0.5)
    assert (published.mean, published.coverage) == (50, 0.5)
    # What the judge was not asked for is nobody's D.
    unasked = [m.model_copy(update={"grades": {"diagnosis": m.grades["diagnosis"]}}) for m in marks]
    row = leaderboard(visits, unasked, CASES, convention="published").rows[0]
    assert (row.marks["treatment"].mean, row.marks["diagnosis"].mean) == (None, 50)


def scored(of: Visit, reach: Reach | None, **fields: object) -> Mark:
    """Two references, of which the first, hit by the first of two predictions, has this reach."""
    diseases = DiseaseScores(
        predicted=(DiseaseLink(name="gout", icd10="M10.9"), DiseaseLink(name="flu", icd10="J11.1")),
        reference=(
            DiseaseLink(name="gout", icd10="M10.9", reach=reach),
            DiseaseLink(name="flu", icd10="J11"),
        ),
        hits=((0, 0), (1, 1)),
    )
    return marked(of, "B").model_copy(update={"diseases": diseases, **fields})


@pytest.mark.parametrize("reach", ["known_history", "unreachable"])
def test_the_headline_leaves_out_what_nobody_can_find(reach: Reach) -> None:
    v = visit("a")
    diseases = leaderboard([v], [scored(v, reach)], CASES).rows[0].diseases
    assert (diseases.recall, diseases.precision, diseases.left_out) == (100, 100, 1)
    assert diseases.predicted_mean == 2
    assert diseases.every_reference is not None
    assert diseases.equal_codes is not None
    assert diseases.equal_codes.f1 == 0  # the other is of the category alone
    published = leaderboard([v], [scored(v, reach)], CASES, convention="published")
    assert published.rows[0].diseases.left_out == 0


def test_reach_is_the_record_s_where_the_mark_has_none() -> None:
    v = visit("a")
    record = MedicalRecord(
        id="a",
        language="en",
        diagnoses=(
            Diagnosis(id="d1", name="gout", reach="known_history"),
            Diagnosis(id="d2", name="flu"),
        ),
    )
    assert leaderboard([v], [scored(v, None)], [record]).rows[0].diseases.left_out == 1
    assert leaderboard([v], [scored(v, "inferable")], [record]).rows[0].diseases.left_out == 0
    # The record has one diagnosis where the mark knew two: its places say nothing.
    assert leaderboard([v], [scored(v, None)], CASES).rows[0].diseases.left_out == 0


def test_published_matching_has_scores_of_its_own_or_says_how_to_get_them() -> None:
    v = visit("a")
    other = DiseaseScores(
        predicted=(DiseaseLink(name="gout"),), reference=(DiseaseLink(name="flu"),)
    )
    mark = scored(v, None, diseases_published=other)
    diseases = leaderboard([v], [mark], CASES, matching="published").rows[0].diseases
    assert (diseases.f1, diseases.predicted_mean, diseases.equal_codes) == (0, 1, None)
    with pytest.raises(ValueError, match="hospital mark"):
        leaderboard([v], [scored(v, None)], CASES, matching="published")


def test_only_literal_headings_count_if_asked_for() -> None:
    literal = visit("a").model_copy(
        update={"report": Report(diagnosis="x", raw="#诊断结果#\nx\n#诊断依据#\ny")}
    )
    other = visit("b").model_copy(update={"report": Report(diagnosis="x", raw="# 诊断 #\nx")})
    pairs = [given(literal, "B", hits=1), given(other, "B")]
    visits, marks = [v for v, _ in pairs], [m for _, m in pairs]
    assert leaderboard(visits, marks, CASES).rows[0].diseases.recall == 50
    row = leaderboard(visits, marks, CASES, literal_headings=True).rows[0]
    assert (row.diseases.cases, row.diseases.recall) == (1, 100)
    assert row.marks["diagnosis"].coverage == 1  # the marks are of all


def test_terminologies_are_not_mixed() -> None:
    pairs = [(visit(case), marked(visit(case), "B")) for case in "ab"]
    visits = [v for v, _ in pairs]
    marks = [
        m.model_copy(update={"terminology": name})
        for (_, m), name in zip(pairs, ("one", "two"), strict=True)
    ]
    with pytest.raises(ValueError, match=r"one \(1 marks\), two \(1 marks\).*mark all visits"):
        leaderboard(visits, marks, CASES)
    again = [*marks, marks[0].model_copy(update={"terminology": "two"})]
    assert leaderboard(visits, again, CASES).terminology == "two"


def test_trials_succeed_together_or_not() -> None:
    result = board(
        given(visit("a", trial=1), "A"),
        given(visit("a", trial=2), "B"),
        given(visit("a", trial=3), "C"),
        given(visit("b", trial=1), "B"),
        given(visit("b", trial=2), None),
    )
    rates = result.rows[0].pass_rates
    assert [(one.k, one.cases) for one in rates] == [(1, 2), (2, 2)]
    assert [one.rate for one in rates] == pytest.approx([(2 / 3 + 1 / 2) / 2, (1 / 3 + 0) / 2])
    assert board(given(visit("a"), "A")).rows[0].pass_rates == ()


def test_repairs_versions_and_costs_are_told() -> None:
    def said(role: str, *kinds: str) -> Message:
        return Message(
            turn=1,
            role=role,
            speaker=role,
            addressee="doctor",
            text="…",
            repairs=tuple(Repair(kind=kind) for kind in kinds),
        )

    usage = {"doctor": Usage(calls=2, prompt_tokens=10, completion_tokens=5)}
    one = visit("a").model_copy(
        update={
            "messages": (
                said("patient", "foreign_turn", "asked_again"),
                said("patient", "asked_again"),
            ),
            "models_answered": {"doctor": ("m-1",), "patient": ("p",)},
            "usage": usage,
            "cost": 0.25,
        }
    )
    other = visit("b").model_copy(
        update={
            "messages": (said("doctor", "reply_cut"),),
            "models_answered": {"doctor": ("m-2",), "patient": ("p",)},
            "usage": {"doctor": Usage(calls=1)},
        }
    )
    judged = marked(one, "B").model_copy(
        update={"usage": Usage(calls=1, prompt_tokens=7, completion_tokens=1), "cost": 0.5}
    )
    result = leaderboard([one, other, visit("c", "free")], [judged], CASES)
    (repairs,) = result.repairs
    assert repairs.counts == {
        "doctor": {"reply_cut": 1},
        "patient": {"asked_again": 2, "foreign_turn": 1},
    }
    assert list(repairs.counts["patient"]) == ["asked_again", "foreign_turn"]
    (versions,) = result.versions
    assert (versions.role, versions.spec) == ("doctor", "x")
    assert versions.answered == {"m-1": 1, "m-2": 1}
    of_doctor, of_judge = result.spending
    assert (of_doctor.calls, of_doctor.prompt_tokens, of_doctor.cost) == (3, 10, 0.25)
    assert not of_doctor.tokens_complete
    assert not of_doctor.cost_complete
    assert (of_judge.doctor, of_judge.cost, of_judge.cost_complete) == (None, 0.5, True)


def test_a_fingerprint_names_what_the_figures_depend_on() -> None:
    config = RunConfig(
        shared=SharedSettings(prompts_hash="p"),
        doctors=("x",),
        settings=("interaction",),
        cases={"a": "h"},
    )
    v = visit("a")

    def of(config: RunConfig = config, **options: object) -> str:
        mark = marked(v, "B")
        return leaderboard([v], [mark], CASES, config=config, **options).fingerprint  # type: ignore[arg-type]

    assert of() == of()
    changed = config.model_copy(update={"cases": {"a": "other"}})
    every = [of(), of(changed), of(seed=1), of(convention="published"), of(literal_headings=True)]
    assert len(set(every)) == len(every)
    assert all(len(one) == 12 for one in every)
    assert leaderboard([v], [], CASES).fingerprint == ""
