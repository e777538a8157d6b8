"""Checklist Doctors that know or ask less, and how a checklist Doctor revises in a conference."""

from __future__ import annotations

import pytest
from autogen_core import CancellationToken

from agents.errors import SpecError
from agents.offline.checklist import ChecklistDoctor
from agents.offline.checklist_spec import ChecklistSpec, is_checklist
from agents.offline.checklist_words import checklist_words
from agents.revision import Revision
from prompts import Prompts
from records.conference import Facts
from records.medical_record import Language
from records.report_parser import read_report
from records.visit import Report
from tests.agents.test_checklist import say

PROMPTS = Prompts()
ULCER = Facts(
    symptoms="Pain in the upper abdomen at night, relieved by food. Black stools.",
    examinations="Gastroscopy: an ulcer of the duodenal bulb 0.8 cm with a clot",
)


def doctor_of(spec: str, language: Language = "en") -> ChecklistDoctor:
    asked = ChecklistSpec.parse(spec)
    return ChecklistDoctor(language, asked.knowledge, spec=asked)


async def revised(doctor: ChecklistDoctor, revision: Revision) -> Report:
    message = revision.message(PROMPTS, "en")
    response = await doctor.on_messages([message], CancellationToken())
    return read_report(response.chat_message.to_model_text()).report


def diagnoses(*names: str) -> tuple[Report, ...]:
    return tuple(Report(diagnosis=name) for name in names)


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_one_asks_fewer_questions_and_one_examines_first(language: Language) -> None:
    words = checklist_words(language)
    few = doctor_of("checklist(questions=1)", language)
    assert (await say(few)).content == words.questions[0]
    assert words.examinations[0] in (await say(few)).content
    hasty = doctor_of("checklist(first=examinations)", language)
    assert words.examinations[0] in (await say(hasty)).content
    assert (await say(hasty)).content == words.questions[0]


async def test_one_knows_a_department_by_its_name_in_either_language() -> None:
    english, chinese = (
        ChecklistSpec.parse(f"checklist(department={name})")
        for name in ("Cardiology", "心血管内科")
    )
    assert english.knowledge is not None
    assert english.knowledge == chinese.knowledge
    assert {d.department["en"] for d in english.knowledge} == {"Cardiology"}


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("checklist(question=2)", "did you mean questions?"),
        ("checklist(questions=6)", "a number from 0 to 5"),
        ("checklist(first=report)", "questions or examinations"),
        ("checklist(department=Cardiolgy)", "did you mean Cardiology?"),
        ("checklist(questions=2", "is no checklist"),
    ],
)
def test_what_is_wrong_with_a_variant_is_named(spec: str, says: str) -> None:
    assert is_checklist(spec)
    with pytest.raises(SpecError, match=says.replace("?", r"\?")):
        ChecklistSpec.parse(spec)


async def test_merged_facts_take_the_place_of_its_own() -> None:
    doctor = doctor_of("checklist")
    report = await revised(doctor, Revision(own=Report(diagnosis="Migraine"), facts=ULCER))
    assert "duodenal ulcer" in report.diagnosis.lower()
    assert "Black stools" in report.symptoms
    assert "ulcer of the duodenal bulb" in report.examinations


async def test_it_takes_up_what_something_speaks_for() -> None:
    doctor = doctor_of("checklist")
    own = await revised(doctor, Revision(own=Report(), facts=ULCER))
    others = diagnoses("Migraine", "Chronic gastritis")
    report = await revised(doctor, Revision(own=own, others=others))
    assert "Migraine" not in report.diagnosis
    assert set(own.diagnosis.splitlines()) <= set(report.diagnosis.splitlines())


async def test_an_opinion_that_everybody_shares_stands() -> None:
    doctor = doctor_of("checklist")
    own = await revised(doctor, Revision(own=Report(), facts=ULCER))
    others = diagnoses(own.diagnosis, own.diagnosis)
    report = await revised(doctor, Revision(own=own, others=others, disputes=("the dose",)))
    assert report.diagnosis == own.diagnosis


async def test_a_disputed_point_is_looked_into() -> None:
    """What most colleagues hold needs less behind it once a point names it."""
    taken = []
    for disputes in ((), ("Irritable bowel syndrome (K58): held by doctor 2, doctor 3",)):
        doctor = doctor_of("checklist")
        own = await revised(doctor, Revision(own=Report(), facts=ULCER))
        others = diagnoses(*["Irritable bowel syndrome"] * 2)
        report = await revised(doctor, Revision(own=own, others=others, disputes=disputes))
        taken.append("Irritable bowel syndrome" in report.diagnosis)
    assert taken == [False, True]


async def test_what_it_knows_nothing_of_is_taken_over_from_a_majority() -> None:
    doctor = doctor_of("checklist(department=Dermatology)")
    own = await revised(doctor, Revision(own=Report(), facts=ULCER))
    most = diagnoses("Duodenal ulcer", "Duodenal ulcer", "Gout")
    assert "Duodenal ulcer" in (await revised(doctor, Revision(own=own, others=most))).diagnosis
    half = diagnoses("Duodenal ulcer", "Gout")
    assert "Duodenal ulcer" not in (await revised(doctor, Revision(own=own, others=half))).diagnosis


async def test_the_same_request_gets_the_same_answer() -> None:
    revision = Revision(own=Report(), facts=ULCER, others=diagnoses("Gout", "Chronic gastritis"))
    first, second = [await revised(doctor_of("checklist"), revision) for _ in range(2)]
    assert first == second
