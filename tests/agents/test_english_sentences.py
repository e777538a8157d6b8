from __future__ import annotations

import pytest

from agents.offline.english_sentences import full_sentences
from agents.offline.first_person import denied, in_own_words
from records.medical_record import HistorySection


@pytest.mark.parametrize(
    ("clause", "section", "said"),
    [
        ("Breathlessness", "chief_complaint", "I have breathlessness."),
        ("Headache for 3 weeks", "chief_complaint", "I've had a headache for 3 weeks."),
        ("short of breath on hills", "history_of_present_illness", "I'm short of breath on hills."),
        ("did not pass out", "history_of_present_illness", "I did not pass out."),
        ("aches when I walk", "history_of_present_illness", "It aches when I walk."),
        ("Hernia repair at 50", "past_history", "I had a hernia repair at 50."),
        ("Metformin 1 g daily", "medication_history", "I take metformin 1 g daily."),
        ("My ribs are sore", "history_of_present_illness", "My ribs are sore."),
        ("Never smoked", "personal_history", "I've never smoked."),
    ],
)
def test_a_clause_becomes_a_sentence(clause: str, section: HistorySection, said: str) -> None:
    assert full_sentences([(clause, section, True)]) == said


def test_what_begins_alike_is_listed() -> None:
    told = full_sentences(
        [
            ("Fatigue", "chief_complaint", True),
            ("flank pain", "chief_complaint", True),
            ("no fever", "history_of_present_illness", False),
            ("no cough", "history_of_present_illness", False),
        ]
    )
    assert told == "I have fatigue and flank pain. No fever, no cough."


def test_nothing_is_said_of_nothing() -> None:
    assert full_sentences([]) == ""


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        ("Amoxicillin gave her a rash", "Amoxicillin gave me a rash"),
        ("Her heart has been racing", "my heart has been racing"),
        ("which she often forgets", "I often forget"),
        ("She lives alone and manages everything", "I live alone and manage everything"),
    ],
)
def test_the_first_person(clause: str, said: str) -> None:
    assert in_own_words(clause, "en").lower() == said.lower()


def test_an_adjective_is_denied_as_one() -> None:
    assert denied("painful", "Not painful", "en") == "not painful"
    assert denied("sore throat", "no sore throat", "en") == "no sore throat"
