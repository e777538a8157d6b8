from __future__ import annotations

import pytest

from agents.errors import SeatError
from agents.npc import Opinion
from evaluation.marking import linked, mark
from records.diseases.published_matching import PublishedMatcher
from records.diseases.terminology import Terminology
from records.mark import DIMENSIONS, DiseaseLink, Grade
from records.medical_record import Diagnosis, Language, MedicalRecord
from records.views import MarkingView
from records.visit import Ending, Report, Visit

RECORD = MedicalRecord(
    id="r", language="en", diagnoses=(Diagnosis(id="d1", name="Gout", icd10="M10.9"),)
)
REPORT = Report(diagnosis="Gout", symptoms="A swollen toe.", raw="…")


class OnlyGout:
    def link(self, name: str, language: Language) -> DiseaseLink:
        return DiseaseLink(name=name, icd10="M10.9" if name.casefold() == "gout" else None)

    def knows(self, name: str, language: Language) -> bool:
        return False


class Judge:
    """Gives what it was told to, and remembers the reports it was handed."""

    name = "strict"

    def __init__(self, opinion: Opinion | SeatError) -> None:
        self.opinion = opinion
        self.seen: list[Report] = []

    async def judge(self, view: MarkingView, report: Report) -> Opinion:
        self.seen.append(report)
        if isinstance(self.opinion, SeatError):
            raise self.opinion
        return self.opinion


def generous() -> Judge:
    grades = {d: Grade(grade="A", analysis=d) for d in DIMENSIONS}
    return Judge(Opinion(grades=grades, raw="all fine"))


def visit(ending: Ending, report: Report | None, record_id: str = "r") -> Visit:
    return Visit(
        key="k",
        record_id=record_id,
        record_hash="h",
        doctor="x",
        setting="interaction",
        protocol="carried",
        npc="grounded",
        language="en",
        seed=0,
        trial=1,
        prompts_hash="p",
        ending=ending,
        report=report,
    )


@pytest.mark.parametrize("ending", [Ending.DIAGNOSIS_GIVEN, Ending.ROUND_LIMIT])
async def test_a_report_is_graded_and_its_diseases_scored(ending: Ending) -> None:
    judge = generous()
    result = await mark(
        visit(ending, REPORT), MarkingView(record=RECORD), judge, terminology=OnlyGout()
    )
    assert judge.seen == [REPORT.model_copy(update={"raw": ""})]
    assert (result.visit_key, result.judge, result.raw) == ("k", "strict", "all fine")
    assert result.grades == judge.opinion.grades  # type: ignore[union-attr]
    assert result.diseases.predicted == (DiseaseLink(name="Gout", icd10="M10.9"),)
    assert (result.diseases.hits, result.diseases.code_hits) == (((0, 0),), 1)


@pytest.mark.parametrize(
    ("ending", "report"),
    [
        (Ending.DOCTOR_DECLINED, None),
        (Ending.DOCTOR_DECLINED, REPORT),
        (Ending.DOCTOR_FAILED, None),
        (Ending.DIAGNOSIS_GIVEN, None),
        (Ending.ROUND_LIMIT, Report(raw=" \n")),
    ],
)
async def test_no_diagnosis_is_graded_d_without_asking(
    ending: Ending, report: Report | None
) -> None:
    judge = generous()
    result = await mark(
        visit(ending, report), MarkingView(record=RECORD), judge, terminology=OnlyGout()
    )
    assert judge.seen == []
    assert [g.grade for g in result.grades.values()] == ["D"] * 5
    assert tuple(result.grades) == DIMENSIONS
    assert all("no diagnosis" in g.analysis for g in result.grades.values())
    assert result.diseases.predicted == ()
    assert result.diseases.hits == ()
    reference = DiseaseLink(name="Gout", icd10="M10.9", reach="inferable")
    assert result.diseases.reference == (reference,)


async def test_a_dimension_that_the_judge_left_out_is_unscored() -> None:
    judge = Judge(Opinion(grades={"diagnosis": Grade(grade="B")}))
    result = await mark(
        visit(Ending.DIAGNOSIS_GIVEN, REPORT),
        MarkingView(record=RECORD),
        judge,
        terminology=OnlyGout(),
    )
    assert tuple(result.grades) == DIMENSIONS
    assert result.grades["diagnosis"].grade == "B"
    assert result.grades["symptoms"].grade is None
    assert result.grades["symptoms"].reason


async def test_the_judge_sees_the_parts_and_not_who_wrote_them() -> None:
    report = Report(diagnosis="Gout", raw="As a model made by Someone I say:\nDiagnosis: Gout")
    unparted = Report(raw="It hurts in the toe.")
    judge = generous()
    for given in (report, unparted):
        await mark(visit(Ending.DIAGNOSIS_GIVEN, given), MarkingView(record=RECORD), judge)

    assert judge.seen == [Report(diagnosis="Gout"), unparted]


async def test_a_part_that_was_not_asked_for_is_not_graded() -> None:
    asked = ("diagnosis", "rationale", "treatment")
    report = REPORT.model_copy(update={"symptoms": "", "asked": asked})
    for ending in (Ending.DIAGNOSIS_GIVEN, Ending.DOCTOR_DECLINED):
        result = await mark(visit(ending, report), MarkingView(record=RECORD), generous())

        assert tuple(result.grades) == asked


async def test_both_protocols_stand_side_by_side_under_their_terminology() -> None:
    terminology = Terminology.from_pairs([("M10.9", "Gout"), ("M13.9", "Arthritis of the toe")])
    report = Report(diagnosis="Gouty arthritis of the big toe")
    result = await mark(
        visit(Ending.DIAGNOSIS_GIVEN, report),
        MarkingView(record=RECORD),
        generous(),
        terminology=terminology,
        matcher=PublishedMatcher(["Gout", "Gouty toe"]),
    )

    assert result.terminology == terminology.hash
    assert result.diseases_published is not None
    assert result.diseases_published.hits == ((0, 0),)
    assert result.diseases.hits == ()
    again = linked(result, visit(Ending.DIAGNOSIS_GIVEN, report), RECORD, terminology=OnlyGout())
    assert again.grades == result.grades
    assert (again.terminology, again.diseases_published) == ("", None)


@pytest.mark.parametrize("ending", [e for e in Ending if not e.markable])
async def test_what_is_not_marked_is_refused(ending: Ending) -> None:
    with pytest.raises(ValueError, match=ending.value):
        await mark(visit(ending, REPORT), MarkingView(record=RECORD), generous())


async def test_another_visits_record_is_refused() -> None:
    with pytest.raises(ValueError, match="not of r"):
        await mark(
            visit(Ending.DIAGNOSIS_GIVEN, REPORT, "other"), MarkingView(record=RECORD), generous()
        )


async def test_a_judges_failure_is_the_callers_to_decide_about() -> None:
    judge = Judge(SeatError("chief_physician", Ending.INFRASTRUCTURE, "no answer"))
    with pytest.raises(SeatError, match="no answer"):
        await mark(
            visit(Ending.DIAGNOSIS_GIVEN, REPORT),
            MarkingView(record=RECORD),
            judge,
            terminology=OnlyGout(),
        )
