"""What is counted of conferences: rounds, changes for better and worse, flips, settlements."""

from __future__ import annotations

import pytest

from evaluation.conference import mark_conference, summarise_conferences
from records.conference import (
    Change,
    Consultation,
    Contradiction,
    EndedBy,
    Facts,
    Minutes,
    Participant,
    Round,
)
from records.diseases.icd10 import default_terminology
from records.medical_record import Diagnosis, Examination, Finding, MedicalRecord
from records.visit import Ending, Report, Visit

RECORD = MedicalRecord(
    id="r",
    language="en",
    chief_complaint="Fever.",
    findings=(
        Finding(id="f1", symptom="fever", section="chief_complaint", text="Fever"),
        Finding(
            id="f2",
            symptom="cough",
            present=False,
            section="history_of_present_illness",
            text="no cough",
        ),
    ),
    auxiliary_examinations=(
        Examination(id="e1", name="C-reactive protein", value="90", unit="mg/L"),
    ),
    diagnoses=(
        Diagnosis(id="d1", name="Pyelonephritis", icd10="N10"),
        Diagnosis(id="d2", name="Gout", icd10="M10.9", reach="unreachable"),
    ),
)


def visit_of(
    *rounds: Round,
    ended_by: EndedBy | None = "agreement",
    contradictions: tuple[Contradiction, ...] = (),
    facts: Facts | None = None,
    reports: tuple[str, ...] = ("Pneumonia", "Pyelonephritis"),
    final: str = "Pyelonephritis",
    out: dict[int, str] | None = None,
) -> Visit:
    participants = tuple(
        Participant(
            speaker=f"doctor_{i}",
            doctor=f"d{i}",
            consultation=Consultation(
                key=str(i), ending=Ending.DIAGNOSIS_GIVEN, report=Report(diagnosis=diagnosis)
            ),
            out=(out or {}).get(i),
            out_since=-1 if i in (out or {}) else None,
        )
        for i, diagnosis in enumerate(reports, 1)
    )
    minutes = Minutes(
        participants=participants,
        rounds=rounds,
        rounds_held=sum(r.number > 0 for r in rounds),
        contradictions=contradictions,
        facts=facts,
        ended_by=ended_by,
    )
    return Visit(
        key="v",
        record_id="r",
        record_hash=RECORD.content_hash,
        doctor="conference(d1, d2)",
        setting="conference",
        protocol="carried",
        npc="grounded",
        language="en",
        seed=0,
        trial=1,
        prompts_hash="p",
        ending=Ending.DIAGNOSIS_GIVEN,
        report=Report(diagnosis=final) if final else None,
        conference=minutes,
    )


def moved(number: int, speaker: str, took_up: str = "", gave_up: str = "") -> Round:
    change = Change(
        speaker=speaker,
        parts=("diagnosis",),
        took_up=(took_up,) if took_up else (),
        gave_up=(gave_up,) if gave_up else (),
    )
    return Round(number=number, changes=(change,))


def test_changes_count_towards_the_reference_or_away_from_it() -> None:
    visit = visit_of(
        moved(0, "doctor_1", took_up="Acute pyelonephritis"),
        moved(1, "doctor_1", gave_up="Pneumonia"),
        moved(2, "doctor_2", took_up="Asthma", gave_up="Pyelonephritis"),
    )
    marks = mark_conference(visit, RECORD, default_terminology())
    assert (marks.rounds, marks.better, marks.worse, marks.flips) == (2, 2, 2, 0)


def test_a_flip_undoes_a_change_of_the_same_doctor() -> None:
    visit = visit_of(
        moved(1, "doctor_1", took_up="Asthma"),
        moved(2, "doctor_2", gave_up="Asthma"),
        moved(3, "doctor_1", gave_up="Bronchial asthma"),
        moved(4, "doctor_1", took_up="Asthma"),
        ended_by="round_limit",
    )
    marks = mark_conference(visit, RECORD, default_terminology())
    assert (marks.rounds, marks.flips) == (None, 2)


@pytest.mark.parametrize(
    ("asked_of", "question", "claims", "facts", "outcome"),
    [
        (
            "patient",
            "Do you have fever?",
            ("A fever", "No fever"),
            Facts(symptoms="Has a fever."),
            "right",
        ),
        (
            "patient",
            "Do you have fever?",
            ("A fever", "No fever"),
            Facts(symptoms="No fever."),
            "wrong",
        ),
        (
            "patient",
            "Do you have fever?",
            ("A fever", "No fever"),
            Facts(symptoms="A fever. No fever."),
            "wrong",
        ),
        (
            "patient",
            "Do you have fever?",
            ("A fever", "No fever"),
            Facts(symptoms="A rash."),
            "lost",
        ),
        (
            "patient",
            "Do you have a cough?",
            ("A cough", "No cough"),
            Facts(symptoms="No cough."),
            "right",
        ),
        ("patient", "Do you have a cough?", (), Facts(symptoms="A cough."), "wrong"),
        (
            "patient",
            "Do you have diarrhoea?",
            ("Diarrhoea", "No diarrhoea"),
            Facts(symptoms="Diarrhoea."),
            "not_recorded",
        ),
        (
            "examiner",
            "C-reactive protein, please.",
            ("CRP: 90", "CRP: 9"),
            Facts(examinations="CRP: 90"),
            "right",
        ),
        (
            "examiner",
            "C-reactive protein, please.",
            ("CRP: 90", "CRP: 9"),
            Facts(examinations="CRP: 9"),
            "wrong",
        ),
        ("examiner", "C-reactive protein, please.", (), None, "lost"),
        (
            "examiner",
            "Troponin, please.",
            ("Troponin: 9", "Troponin: 1"),
            Facts(examinations="Troponin: 1"),
            "not_recorded",
        ),
    ],
)
def test_a_contradiction_is_settled_as_the_record_says_or_not(
    asked_of: str, question: str, claims: tuple[str, ...], facts: Facts | None, outcome: str
) -> None:
    contradiction = Contradiction.model_validate(
        {
            "question": question,
            "asked_of": asked_of,
            "claims": {f"doctor_{i}": claim for i, claim in enumerate(claims, 1)},
        }
    )
    visit = visit_of(contradictions=(contradiction,), facts=facts)
    marks = mark_conference(visit, RECORD, default_terminology())
    assert [s.outcome for s in marks.settlements] == [outcome]


def test_a_run_is_summed_up_by_conference() -> None:
    visits = [
        visit_of(moved(1, "doctor_1", took_up="Acute pyelonephritis")),
        visit_of(reports=("Pneumonia", "Gout"), ended_by="round_limit", final="Pneumonia"),
        visit_of(
            reports=("Pyelonephritis", "Asthma"), out={2: "doctor_failed"}, ended_by="one_left"
        ),
        visit_of(ended_by=None, final=""),
    ]
    (summary,) = summarise_conferences(visits, {"r": RECORD}, default_terminology())
    assert summary.conferences == 3
    assert summary.rounds == {"1": 1, "none": 2}
    assert summary.ended_by == {"agreement": 1, "one_left": 1, "round_limit": 1}
    assert (summary.better, summary.worse) == (1, 0)
    assert summary.stayed_out == {"d2": 1}
    # Alone: half a hit of one predicted; none of half a counted one; one of one. Gout is out of
    # reach, and naming it counts neither way.
    assert summary.f1_alone == pytest.approx(200 * 1.5 / (1 + 0.5 + 1 + 3))
    assert summary.f1_final == pytest.approx(200 * 2 / (3 + 3))


def test_other_visits_are_no_conferences() -> None:
    visit = visit_of().model_copy(update={"conference": None})
    assert summarise_conferences([visit], {"r": RECORD}, default_terminology()) == ()
    with pytest.raises(ValueError, match="is no conference"):
        mark_conference(visit, RECORD, default_terminology())
