"""The spec of a conference: what can be written, and what is said of what cannot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.conference_spec import ConferenceSpec, canonical, consultation_trial
from agents.errors import SpecError
from agents.seats import check_spec, sources

NAMES = st.sampled_from(
    [
        "checklist",
        "checklist(questions=2, first=examinations)",
        "http://127.0.0.1:1/v1#m?temperature=0&body.x=1",
        "exec:node doctor.js --who 'a; b', c",
        "exec:sh -c (",
        "my_doctor:Curious",
        "maker/model",
    ]
)


def test_a_spec_names_doctors_and_options() -> None:
    spec = ConferenceSpec.parse(
        "conference(checklist(questions=2, first=examinations), 'exec:a b, c', http://x/v1#m?a=1;"
        " rounds=2, disputes=off; facts=off, moderator=http://x/v1#chair)"
    )
    assert spec.doctors == (
        "checklist(questions=2, first=examinations)",
        "exec:a b, c",
        "http://x/v1#m?a=1",
    )
    assert (spec.rounds, spec.disputes, spec.facts) == (2, False, False)
    assert spec.seats == (*spec.doctors, "http://x/v1#chair")


@given(
    st.lists(NAMES, min_size=2, max_size=8),
    st.integers(0, 20),
    st.booleans(),
    st.booleans(),
    NAMES,
)
def test_what_is_written_is_read_back(
    doctors: list[str], rounds: int, disputes: bool, facts: bool, moderator: str
) -> None:
    spec = ConferenceSpec(
        doctors=tuple(doctors), rounds=rounds, disputes=disputes, facts=facts, moderator=moderator
    )
    assert ConferenceSpec.parse(str(spec)) == spec
    assert canonical(str(spec)) == str(spec)


@given(st.text(alphabet="conferece(),;='\" ab", max_size=30))
def test_anything_else_is_refused_in_one_line(text: str) -> None:
    try:
        read = str(ConferenceSpec.parse(f"conference({text})"))
    except SpecError as error:
        read = f"refused: {error}"
    assert "\n" not in read
    assert read.startswith("refused: ") or ConferenceSpec.parse(read)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("conference(a)", "2 to 8 doctors, not 1"),
        (f"conference({', '.join('abcdefghi')})", "2 to 8 doctors, not 9"),
        ("conference(a,, b)", "nothing between two separators"),
        ("conference(a, b", "write conference(checklist"),
        ("conference(a, (b)", ") is missing"),
        ("conference(a, b; round=2)", "did you mean rounds?"),
        ("conference(a, b; rounds=-1)", "a number from 0 to 20"),
        ("conference(a, b; disputes=no)", "it is on or off"),
        ("conference(a, b; rounds=1, rounds=2)", "rounds is set twice"),
        ("conference(a, b; strategy=poll)", "there are discuss, vote, revise, summary"),
        ("conference(a, b; strategy=vote, rounds=2)", "strategy=vote has no rounds"),
        ("conference(a, b; strategy=revise, moderator=rubric)", "strategy=revise has no moderator"),
        ("conference(a, conference(b, c))", "cannot sit in a conference"),
        ("conference(a, b; moderator=)", "names nobody"),
    ],
)
def test_what_is_wrong_is_named(text: str, says: str) -> None:
    with pytest.raises(SpecError) as raised:
        ConferenceSpec.parse(text)
    assert says in str(raised.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("conference(checklist, nobody)", "no doctor 'nobody'"),
        ("conference(checklist, checklist(questions=9))", "a number from 0 to 5"),
        ("conference(checklist, checklist; moderator=chair)", "no judge 'chair'"),
    ],
)
def test_a_members_spec_is_checked_before_anything_is_held(text: str, says: str) -> None:
    check_spec("conference(checklist, checklist(questions=2))", "doctor")
    with pytest.raises(SpecError) as raised:
        check_spec(text, "doctor")
    assert says in str(raised.value)


def test_a_member_that_changes_is_another_doctor() -> None:
    member = "tests.agents.conftest:Nobody"
    found = sources((f"conference(checklist, {member.replace('conftest:Nobody', 'conftest:x')})",))
    assert list(found) == ["tests.agents.conftest:x"]


def test_a_doctor_that_sits_twice_has_consultations_of_its_own() -> None:
    doctors = ("a", "b", "a")
    trials = [[consultation_trial(doctors, i, t) for i in range(3)] for t in (1, 2)]
    assert trials == [[1, 1, 2], [3, 2, 4]]
