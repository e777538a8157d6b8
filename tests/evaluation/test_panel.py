from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.agreement import krippendorff_alpha, quadratic_kappa
from evaluation.chosen_marks import choose_marks, usual_judge
from evaluation.model_family import families_of
from evaluation.panel import look_at_panel
from evaluation.panel_marks import is_panel, panel_marks, panel_members, panel_name
from records.ledger import RunConfig, SharedSettings
from records.mark import DIMENSIONS, Grade, Letter, Mark
from records.visit import Ending, Visit

GPT = "https://api.example/v1#gpt-4o?temperature=0"
QWEN = "dashscope/qwen-max"


def grade(letter: str) -> Grade:
    letters: dict[str, Letter] = {"A": "A", "B": "B", "C": "C", "D": "D"}
    if letter in letters:
        return Grade(grade=letters[letter])
    return Grade(grade=None, reason="unreadable")


def mark(visit: str, judge: str, diagnosis: str, *, others: str = "B", version: str = "") -> Mark:
    grades = {d: grade(diagnosis if d == "diagnosis" else others) for d in DIMENSIONS}
    return Mark(visit_key=visit, judge=judge, grades=grades, judge_version=version)


def visit(key: str, doctor: str, *answered: str) -> Visit:
    return Visit(
        key=key,
        record_id=key,
        record_hash="h",
        doctor=doctor,
        setting="one_step",
        protocol="carried",
        npc="grounded",
        language="en",
        seed=0,
        trial=1,
        prompts_hash="p",
        models_answered={"doctor": answered} if answered else {},
        ending=Ending.DIAGNOSIS_GIVEN,
    )


def panel_grade(*letters: str) -> str | None:
    marks = {f"j{n}": {"v": mark("v", f"j{n}", letter)} for n, letter in enumerate(letters)}
    (combined,) = panel_marks(marks)
    return combined.grades["diagnosis"].grade


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ("ABD", "B"),
        ("AAD", "A"),
        ("AB", "B"),
        ("AD", "D"),
        ("ABCD", "C"),
        ("A-", "A"),
        ("A--", None),
        ("AB-", "B"),
        ("--", None),
    ],
)
def test_the_median_and_the_lower_of_two_middle_ones(letters: str, expected: str | None) -> None:
    assert panel_grade(*letters) == expected
    assert panel_grade(*reversed(letters)) == expected


def test_a_grade_nobody_could_give_says_how_many_could() -> None:
    marks = {j: {"v": mark("v", j, letter)} for j, letter in (("a", "A"), ("b", "-"), ("c", "-"))}
    (combined,) = panel_marks(marks)
    assert combined.grades["diagnosis"].reason == "1 of 3 judges could grade it"
    assert combined.judge == "panel(a, b, c)"


def test_a_run_of_several_judges_shows_its_panel_once_all_have_marked() -> None:
    shared = SharedSettings(prompts_hash="p")
    config = RunConfig(
        shared=shared, doctors=("d",), settings=("one_step",), judges=("a", "b"), cases={}
    )
    both = [mark("v", "a", "A"), mark("v", "b", "D")]
    assert usual_judge(config, both) == panel_name(["a", "b"])
    assert usual_judge(config, both[:1]) is None
    assert usual_judge(config, []) is None
    assert usual_judge(config.model_copy(update={"judges": ("a",)}), both) is None
    assert usual_judge(config.model_copy(update={"imported": "mvme"}), both) is None


def test_a_visit_that_one_judge_marked_has_no_mark_of_the_panel() -> None:
    marks = [mark("v1", "a", "A"), mark("v1", "b", "B"), mark("v2", "a", "A")]
    chosen = choose_marks(marks, "panel")
    assert set(chosen.latest) == {"v1"}
    assert chosen.judge == "panel(a, b)"
    assert chosen.judges == ("a", "b")
    panel = look_at_panel([visit("v1", "x"), visit("v2", "x")], marks)
    assert panel.alone == 1


def test_a_panel_of_those_named_alone() -> None:
    marks = [mark("v", "a", "A"), mark("v", "b", "B"), mark("v", "c", "D")]
    named = choose_marks(marks, "panel(a, b)").latest["v"].grades["diagnosis"].grade
    assert (named, choose_marks(marks, "panel").latest["v"].grades["diagnosis"].grade) == ("B", "B")
    assert choose_marks(marks, "panel(a, c)").latest["v"].grades["diagnosis"].grade == "D"


@pytest.mark.parametrize(
    ("judge", "told"),
    [("panel", "at least two"), ("panel(a, b)", "no marks by b"), ("panel(a)", "a alone")],
)
def test_a_panel_that_cannot_be_seated_says_why(judge: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        choose_marks([mark("v", "a", "A")], judge)


def test_the_names_of_panels() -> None:
    assert is_panel("panel")
    assert is_panel("panel(a, b)")
    assert not is_panel("panelist/model")
    assert panel_members("panel") is None
    assert panel_members(panel_name(["a", "b#c"])) == ("a", "b#c")


def test_marks_by_different_rules_do_not_mix() -> None:
    marks = [mark("v1", "rubric", "A", version="1"), mark("v2", "rubric", "A", version="2")]
    with pytest.raises(ValueError, match=r"1 \(1 marks\), 2 \(1 marks\).*--again"):
        choose_marks(marks)
    again = [*marks, mark("v1", "rubric", "B", version="2")]
    chosen = choose_marks(again)
    assert (chosen.version, chosen.latest["v1"].grades["diagnosis"].grade) == ("2", "B")


def test_kappa_of_a_known_table() -> None:
    # By hand: squared differences 1 of 4 pairs; by chance (all 16 pairs) 2.0 a pair.
    one, other = [0, 1, 2, 3], [0, 1, 2, 2]
    by_chance = sum((a - b) ** 2 for a in one for b in other) / 16
    assert quadratic_kappa(one, other) == pytest.approx(1 - 0.25 / by_chance)
    assert quadratic_kappa([0, 3], [3, 0]) == pytest.approx(-1.0)
    assert quadratic_kappa([], []) is None
    assert quadratic_kappa([2, 2], [2, 2]) is None


def test_alpha_of_a_published_example() -> None:
    # Krippendorff (2011), section C: interval data of four observers, alpha = 0.849.
    observers: list[list[int | None]] = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    assert krippendorff_alpha(observers) == pytest.approx(0.849, abs=0.0005)
    assert krippendorff_alpha([[1, None], [None, 2]]) is None
    assert krippendorff_alpha([[2, 2], [2, 2]]) is None


@given(st.lists(st.integers(0, 3), min_size=2, max_size=30))
def test_full_agreement_is_one(ranks: Sequence[int]) -> None:
    expected = 1.0 if len(set(ranks)) > 1 else None
    assert quadratic_kappa(ranks, ranks) == expected
    assert krippendorff_alpha([ranks, ranks]) == expected


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30))
def test_kappa_takes_no_side(pairs: Sequence[tuple[int, int]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    forth, back = quadratic_kappa(one, other), quadratic_kappa(other, one)
    assert forth == (None if back is None else pytest.approx(back))


@pytest.mark.parametrize(
    ("name", "families"),
    [
        (GPT, {"gpt"}),
        ("openai/o3-mini", {"gpt"}),
        (QWEN, {"qwen"}),
        ("http://gpt-host/v1#claude-sonnet-4", {"claude"}),
        ("deepseek/deepseek-chat", {"deepseek"}),
        ("http://h/v1#DeepSeek-R1-Distill-Qwen-7B", {"deepseek", "qwen"}),
        ("zhipu/glm-4-plus", {"glm"}),
        ("openrouter/meta-llama/llama-3-70b", {"llama"}),
        ("gpt-3.5-turbo", {"gpt"}),
        ("wenxin-4.0", {"ernie"}),
        ("http://h/v1#ernie-4.0-8k", {"ernie"}),
        ("google/gemini-2.5-pro", {"gemini"}),
        ("mistral-large", {"mistral"}),
        ("rubric", set()),
        ("checklist", set()),
        ("http://h/v1#my-model", set()),
    ],
)
def test_families(name: str, families: set[str]) -> None:
    assert families_of([name]) == families


def test_a_judge_of_the_doctor_s_own_family_is_told() -> None:
    visits = [visit("v1", "openai/gpt-4o-mini"), visit("v2", "http://h/v1#x", "qwen2.5-72b")]
    marks = [mark(v, judge, letter) for v in ("v1", "v2") for judge, letter in ((GPT, "A"),)]
    marks += [mark(v, QWEN, "D", others="B") for v in ("v1", "v2")]
    panel = look_at_panel(visits, marks)
    told = {(kin.judge, kin.doctor): kin for kin in panel.kin}
    assert set(told) == {(GPT, "openai/gpt-4o-mini"), (QWEN, "http://h/v1#x")}
    # One dimension of five is 100 points apart.
    assert told[GPT, "openai/gpt-4o-mini"].difference == pytest.approx(20)
    assert told[QWEN, "http://h/v1#x"].difference == pytest.approx(-20)


def test_agreement_by_dimension() -> None:
    letters = [("A", "A"), ("B", "C"), ("A", "D"), ("C", "C")]
    marks = [
        mark(f"v{n}", judge, letter)
        for n, pair in enumerate(letters)
        for judge, letter in zip("ab", pair, strict=True)
    ]
    panel = look_at_panel([visit(f"v{n}", "x") for n in range(4)], marks)
    found = panel.agreement["diagnosis"]
    assert (found.visits, found.within_one) == (4, 0.75)
    (pair,) = found.pairs
    assert pair.kappa == pytest.approx(quadratic_kappa([3, 2, 3, 1], [3, 1, 0, 1]) or 0.0)
    assert panel.agreement["symptoms"].within_one == 1.0
    assert panel.agreement["symptoms"].alpha is None
