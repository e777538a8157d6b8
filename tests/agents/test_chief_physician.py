from __future__ import annotations

import json
from typing import Any

import pytest

from agents.chief_physician import ModelChiefPhysician
from agents.errors import SeatError
from agents.npc import Opinion
from prompts import Prompts
from records.library import bundled_records
from records.mark import DIMENSIONS
from records.medical_record import Language, MedicalRecord
from records.views import MarkingView
from records.visit import CHIEF_PHYSICIAN, Ending, Report
from tests.scripted_endpoint import completion, error

REPORT = Report(symptoms="Belly ache", diagnosis="Gastric ulcer", treatment="Omeprazole")


def marks(**changed: str) -> str:
    grades = dict.fromkeys(DIMENSIONS, "B") | changed
    return json.dumps({d: {"analysis": f"about {d}", "grade": g} for d, g in grades.items()})


def record_in(language: Language, **changed: Any) -> MedicalRecord:
    record = next(r for r in bundled_records() if r.language == language)
    return record.model_copy(update=changed)


async def opinion(
    serve: Any, answers: list[Any], record: MedicalRecord | None = None
) -> tuple[Opinion, Any]:
    served = await serve(answers)
    judge = ModelChiefPhysician(lambda: served.client, Prompts(), name="spec")
    view = MarkingView(record=record or record_in("en"))
    return await judge.judge(view, REPORT), served


def letters(given: Opinion) -> dict[str, str | None]:
    return {dimension: grade.grade for dimension, grade in given.grades.items()}


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_five_grades_with_their_analysis(serve: Any, language: Language) -> None:
    record = record_in(language)
    given, served = await opinion(serve, [marks(diagnosis="D")], record)
    assert letters(given) == dict.fromkeys(DIMENSIONS, "B") | {"diagnosis": "D"}
    assert given.grades["symptoms"].analysis == "about symptoms"
    assert given.raw == marks(diagnosis="D")
    asked = str(served.asked)
    assert REPORT.diagnosis in asked
    assert all(diagnosis.name in asked for diagnosis in record.diagnoses)


async def test_row_21_what_cannot_be_read_is_asked_for_once_more(serve: Any) -> None:
    given, served = await opinion(serve, [marks(rationale="B or C"), marks(rationale="C")])
    assert letters(given) == dict.fromkeys(DIMENSIONS, "B") | {"rationale": "C"}
    assert [message["role"] for message in served.asked[1]] == ["user", "assistant", "user"]
    assert "rationale" in served.asked[1][-1]["content"]
    assert given.raw.count("about rationale") == 2


async def test_row_21_then_it_is_unscored_with_the_reason(serve: Any) -> None:
    given, served = await opinion(serve, [marks(rationale="E"), marks(rationale="F", symptoms="A")])
    assert letters(given) == dict.fromkeys(DIMENSIONS, "B") | {"rationale": None}
    assert "'F'" in (given.grades["rationale"].reason or "")
    assert len(served.asked) == 2


async def test_row_22_a_cut_reply_is_asked_for_with_a_larger_limit(serve: Any) -> None:
    cut = completion("Symptoms\nGrade: B\n\nExaminations\nMost of", finish_reason="length")
    given, served = await opinion(serve, [cut, marks()])
    assert letters(given) == dict.fromkeys(DIMENSIONS, "B")
    assert served.asked[0] == served.asked[1]
    assert served.endpoint.requests[1]["max_tokens"] > 4096
    given, _ = await opinion(serve, [cut, cut])
    assert letters(given) == dict.fromkeys(DIMENSIONS) | {"symptoms": "B"}
    assert "cut" in (given.grades["treatment"].reason or "")


async def test_row_22_the_larger_limit_is_larger_than_what_was_cut(serve: Any) -> None:
    cut = completion(
        "Symptoms\nGrade: B\n",
        finish_reason="length",
        usage={"prompt_tokens": 10, "completion_tokens": 16000},
    )
    given, served = await opinion(serve, [cut, marks()])
    assert letters(given) == dict.fromkeys(DIMENSIONS, "B")
    assert served.endpoint.requests[1]["max_tokens"] == 32000


async def test_row_22_where_a_larger_limit_is_refused_what_was_read_stands(serve: Any) -> None:
    cut = completion("Symptoms\nGrade: B\n\nExaminations\nMost of", finish_reason="length")
    refused = error(400, "max_tokens is too large: this model supports at most 4096")
    given, _ = await opinion(serve, [cut, *[refused] * 3])
    assert letters(given) == dict.fromkeys(DIMENSIONS) | {"symptoms": "B"}
    assert "cut" in (given.grades["diagnosis"].reason or "")
    assert given.raw.startswith("Symptoms")


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_the_analysis_is_asked_for_before_the_grade(serve: Any, language: Language) -> None:
    _, served = await opinion(serve, [marks()], record_in(language))
    asked = served.asked[0][-1]["content"]
    assert asked.rindex('"analysis"') < asked.rindex('"grade"')


async def test_what_the_record_has_no_reference_for_is_unscored(serve: Any) -> None:
    record = record_in("en", treatment=None, rationale=None, auxiliary_examinations=())
    given, _ = await opinion(serve, [marks()], record)
    assert letters(given) == {
        "symptoms": "B",
        "examinations": None,
        "diagnosis": "B",
        "rationale": None,
        "treatment": None,
    }
    assert "treatment" in (given.grades["treatment"].reason or "")


async def test_a_judge_that_fails_is_the_moderator_s_or_the_provider_s(serve: Any) -> None:
    with pytest.raises(SeatError) as caught:
        await opinion(serve, ["", ""])
    assert (caught.value.role, caught.value.ending) == (CHIEF_PHYSICIAN, Ending.MODERATOR_FAILED)
    with pytest.raises(SeatError) as caught:
        await opinion(serve, [error(500, "oops")] * 2)
    assert caught.value.ending is Ending.INFRASTRUCTURE
