from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import hypothesis
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from evaluation.case_scores import Counting
from evaluation.compare import Comparison, Metric, compare
from evaluation.contestants import RunContents
from records.ledger import RunConfig, SharedSettings
from records.mark import DIMENSIONS, DiseaseLink, DiseaseScores, Grade, Letter, Mark
from records.medical_record import Diagnosis, MedicalRecord
from records.visit import Ending, Setting, Visit

FLU = DiseaseLink(name="flu", icd10="J11")
Answer = Letter | None
"""A grade; a capital letter's diagnosis names a disease, `None` is unscored and names none."""


def a_run(
    grades: Mapping[str, Sequence[Answer]],
    *,
    name: str = "run",
    setting: Setting = "interaction",
    judge: str = "rubric",
    terminology: str = "t",
    first: int = 0,
    content: str = "h",
    npc: str = "grounded",
) -> RunContents:
    """Doctors, each with the grades of the cases from `first` on."""
    records, visits, marks = {}, [], []
    for doctor, letters in grades.items():
        for n, letter in enumerate(letters, first):
            case = f"c{n:03}"
            records[case] = MedicalRecord(
                id=case, language="en", diagnoses=(Diagnosis(id="d1", name="flu"),)
            )
            visits.append(
                Visit(
                    key=f"{doctor}-{case}-{setting}",
                    record_id=case,
                    record_hash=content,
                    doctor=doctor,
                    setting=setting,
                    protocol="carried",
                    npc=npc,
                    language="en",
                    seed=0,
                    trial=1,
                    prompts_hash="p",
                    ending=Ending.DIAGNOSIS_GIVEN,
                )
            )
            grade = Grade(grade=letter, reason=None if letter else "unreadable")
            hit = letter in ("A", "B")
            marks.append(
                Mark(
                    visit_key=visits[-1].key,
                    judge=judge,
                    terminology=terminology,
                    grades=dict.fromkeys(DIMENSIONS, grade),
                    diseases=DiseaseScores(
                        predicted=(FLU,) if letter else (),
                        reference=(FLU,),
                        hits=((0, 0),) if hit else (),
                        code_hits=int(hit),
                    ),
                )
            )
    config = RunConfig(
        shared=SharedSettings(prompts_hash="p", npc=npc),
        doctors=tuple(grades),
        settings=(setting,),
        cases=dict.fromkeys(records, content),
    )
    return RunContents(name, config, records, visits, marks)


def joined(*runs: RunContents) -> RunContents:
    first = runs[0]
    return RunContents(
        first.name,
        first.config,
        {case: record for run in runs for case, record in run.records.items()},
        [visit for run in runs for visit in run.visits],
        [mark for run in runs for mark in run.marks],
    )


GOOD_FAIR_POOR = {"fair": "B" * 30, "poor": "D" * 30, "good": "A" * 30}


def by_grades(**grades: str) -> RunContents:
    return a_run({doctor: list(letters) for doctor, letters in grades.items()})  # type: ignore[arg-type]


def test_pairs_stand_in_the_order_of_the_ranking() -> None:
    result = compare([by_grades(**GOOD_FAIR_POOR)])
    assert [(s.name, s.score, s.group) for s in result.standings] == [
        ("good", 100, "a"),
        ("fair", pytest.approx(200 / 3), "b"),
        ("poor", 0, "c"),
    ]
    assert [(p.one, p.other) for p in result.pairs] == [
        ("good", "fair"),
        ("good", "poor"),
        ("fair", "poor"),
    ]
    assert [p.difference for p in result.pairs] == pytest.approx([100 / 3, 100, 200 / 3])
    assert all(
        p.apart and p.cases == 30 and p.detectable == pytest.approx(0, abs=1e-6)
        for p in result.pairs
    )
    assert [p.p_holm for p in result.pairs] == pytest.approx([3 * p.p for p in result.pairs])


def test_against_one_only_its_pairs_are_tested_and_corrected() -> None:
    run = by_grades(**GOOD_FAIR_POOR)
    result = compare([run], against="fair")
    assert [(p.one, p.other) for p in result.pairs] == [("good", "fair"), ("fair", "poor")]
    assert [p.p_holm for p in result.pairs] == pytest.approx([2 * p.p for p in result.pairs])
    assert {s.group for s in result.standings} == {""}
    assert result.fingerprint != compare([run]).fingerprint
    with pytest.raises(ValueError, match=r"nobody is named 'god' here.*fair"):
        compare([run], against="god")


def test_doctors_who_differ_by_chance_are_not_told_apart() -> None:
    result = compare([by_grades(x="ABCD" * 10, y="BADC" * 10)])
    (pair,) = result.pairs
    assert not pair.apart
    assert [s.group for s in result.standings] == ["a", "a"]
    assert pair.detectable is not None
    assert pair.detectable > abs(pair.difference)


def test_a_pair_is_compared_on_its_common_cases() -> None:
    early, late = a_run({"x": ["A"] * 20}), a_run({"y": ["D"] * 20}, first=10)
    (pair,) = compare([joined(early, late)]).pairs
    assert pair.cases == 10


def test_settings_of_one_doctor_are_named_by_themselves() -> None:
    runs = [
        a_run({"x": [letter] * 12}, setting=setting)  # type: ignore[list-item]
        for setting, letter in (("interaction", "C"), ("one_step", "A"))
    ]
    result = compare([joined(*runs)])
    assert [s.name for s in result.standings] == ["one-step", "interaction"]
    both = joined(*runs, a_run({"y": ["B"] * 12}))  # type: ignore[list-item]
    assert [s.name for s in compare([both]).standings] == ["y", "x"]  # interaction alone
    every = compare([both], settings=("interaction", "one_step"))
    assert [s.name for s in every.standings] == ["x, one-step", "y", "x, interaction"]


def test_runs_are_compared_on_cases_that_are_the_same_to_the_letter() -> None:
    old, new = a_run({"x": ["C"] * 12}, name="old"), a_run({"x": ["A"] * 12}, name="new")
    result = compare([old, new])
    assert [s.name for s in result.standings] == ["new", "old"]
    assert result.differing == ()
    other = a_run({"x": ["A"] * 12}, name="new", content="changed")
    with pytest.raises(ValueError, match=r"no two of .* have a case in common"):
        compare([old, other])
    played = a_run({"x": ["A"] * 12}, name="new", npc="a model")
    assert compare([old, played]).differing == ("npc: grounded, a model",)


def test_what_does_not_compare_is_refused() -> None:
    old = a_run({"x": ["C"] * 12}, name="old")
    with pytest.raises(ValueError, match=r"different judges, rubric and other.*--judge"):
        compare([old, a_run({"x": ["A"] * 12}, name="new", judge="other")])
    with pytest.raises(ValueError, match="different terminologies, t and u"):
        compare([old, a_run({"x": ["A"] * 12}, name="new", terminology="u")])
    with pytest.raises(ValueError, match="only x in interaction"):
        compare([old])
    unmarked = RunContents("new", old.config, old.records, old.visits, [])
    with pytest.raises(ValueError, match="new: nothing is marked"):
        compare([old, unmarked])


def test_unscored_is_d_beside_a_grade_and_nothing_beside_another_unscored() -> None:
    run = a_run({"x": ["B", "B", None], "y": ["B", None, None]})
    (pair,) = compare([run]).pairs
    assert (pair.one, pair.cases) == ("x", 2)
    assert pair.difference == pytest.approx(100 / 3)


def test_an_answer_without_a_disease_is_a_wrong_one() -> None:
    run = a_run({"a silent one": ["A", None, None], "wrong": ["A", "D", "D"]})
    result = compare([run], metric="f1")
    (pair,) = result.pairs
    assert (pair.difference, result.silent) == (0, 2)
    assert [s.name for s in result.standings] == ["wrong", "a silent one"]
    published = compare([run], metric="f1", counting=Counting(convention="published"))
    assert published.standings[0].name == "a silent one"  # as the paper counts


letters = st.sampled_from(("A", "B", "C", "D", "D"))


@settings(max_examples=30, deadline=None)
@hypothesis.given(
    st.lists(st.tuples(letters, st.booleans()), min_size=1, max_size=6),
    st.sampled_from(("diagnosis", "f1", "precision", "recall")),
)
def test_silence_never_stands_above_an_answer(
    cases: list[tuple[Letter, bool]], metric: Metric
) -> None:
    hypothesis.assume(any(silent for _, silent in cases))
    answers = [letter for letter, _ in cases]
    twin = [None if silent else letter for letter, silent in cases]
    result = compare([a_run({"a silent one": twin, "answers": answers})], metric=metric)
    assert result.standings[0].name == "answers"


@settings(max_examples=15, deadline=None)
@hypothesis.given(st.data())
def test_nothing_depends_on_the_order_of_the_lines(data: st.DataObject) -> None:
    answers = st.lists(letters, min_size=4, max_size=4)
    run = a_run({doctor: data.draw(answers) for doctor in "xyz"})
    shuffled = RunContents(
        run.name,
        run.config,
        run.records,
        data.draw(st.permutations(run.visits)),
        data.draw(st.permutations(run.marks)),
    )
    one, other = compare([run]), compare([shuffled])
    assert one == other
    _check_groups(one)


def _check_groups(result: Comparison) -> None:
    groups = {s.name: set(s.group) for s in result.standings}
    apart = {frozenset((p.one, p.other)) for p in result.pairs if p.apart}
    for a, b in combinations(groups, 2):
        assert bool(groups[a] & groups[b]) == (frozenset((a, b)) not in apart)
