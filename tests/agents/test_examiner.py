from __future__ import annotations

from typing import Any

import pytest

from agents.errors import SeatError
from agents.examiner import ModelExaminer
from prompts import Prompts
from records.medical_record import Examination, Language
from records.views import ExaminerView
from records.visit import DOCTOR, EXAMINER, PATIENT, Ending, Message, Unrecorded
from tests.scripted_endpoint import error

PROMPTS = Prompts()
VIEWS: dict[Language, ExaminerView] = {
    "en": ExaminerView(
        record_id="r",
        language="en",
        physical_examination=(Examination(id="p1", name="Temperature", value="38.2", unit="°C"),),
        auxiliary_examinations=(
            Examination(id="e1", name="Complete blood count", value="White cells 14"),
            Examination(id="e2", name="Chest X-ray", value="Shadow on the left"),
        ),
    ),
    "zh": ExaminerView(
        record_id="r",
        language="zh",
        physical_examination=(Examination(id="p1", name="体温", value="38.2", unit="℃"),),
        auxiliary_examinations=(
            Examination(id="e1", name="血常规", value="白细胞14"),
            Examination(id="e2", name="胸部X线", value="左侧阴影"),
        ),
    ),
}


async def reply(
    serve: Any,
    request: str,
    answer: Any,
    language: Language = "en",
    unrecorded: Unrecorded = "unavailable",
) -> tuple[Message, Any]:
    served = await serve([answer, answer])
    examiner = ModelExaminer(served.client, PROMPTS, unrecorded)
    asked = Message(turn=3, role=PATIENT, speaker=PATIENT, addressee=EXAMINER, text=request)
    (message,) = await examiner.reply(VIEWS[language], [asked], seed=1)
    return message, served


def answers(message: Message) -> list[tuple[str, str, tuple[str, ...]]]:
    assert message.trace is not None
    return [(a.asked, a.kind, a.ids) for a in message.trace.answers]


@pytest.mark.parametrize(
    ("language", "request_", "answer", "text"),
    [
        (
            "en",
            "A CBC and a chest film, please.",
            '["CBC", "chest film"]',
            "- Complete blood count: White cells 14\n- Chest X-ray: Shadow on the left",
        ),
        (
            "zh",
            "我要做血常规和胸片。",
            '```json\n["血常规", "胸片"]\n```',
            "- 血常规：白细胞14\n- 胸部X线：左侧阴影",
        ),
    ],
)
async def test_the_model_names_and_the_record_answers(
    serve: Any, language: Language, request_: str, answer: str, text: str
) -> None:
    message, served = await reply(serve, request_, answer, language)
    assert message.text == text
    assert message.examinations == ("e1", "e2")
    assert (message.role, message.addressee, message.turn) == (EXAMINER, DOCTOR, 3)
    assert [kind for _, kind, _ in answers(message)] == ["recorded", "recorded"]
    assert message.repairs == ()
    asked = str(served.asked)
    assert request_ in asked
    assert "Shadow" not in asked
    assert "阴影" not in asked


@pytest.mark.parametrize(
    ("unrecorded", "kind", "text"),
    [
        ("unavailable", "unavailable", "- MRI of the head: no result available"),
        ("normal", "assumed_normal", "- MRI of the head: no abnormality"),
    ],
)
async def test_what_is_not_on_record_is_answered_by_the_convention(
    serve: Any, unrecorded: Unrecorded, kind: str, text: str
) -> None:
    message, _ = await reply(
        serve, "An MRI of the head.", '["MRI of the head"]', unrecorded=unrecorded
    )
    assert message.text == text
    assert answers(message) == [("MRI of the head", kind, ())]


async def test_a_name_that_no_lexicon_knows_is_an_examination_all_the_same(serve: Any) -> None:
    message, _ = await reply(serve, "我要查抗核周因子。", '["抗核周因子"]', "zh")
    assert answers(message) == [("抗核周因子", "unavailable", ())]


@pytest.mark.parametrize(
    ("language", "request_", "answer"),
    [
        ("en", "Give me everything you have.", "[]"),
        ("en", "Give me everything you have.", '["everything"]'),
        ("en", "Give me all my results.", '["all results", "Complete blood count", "Chest X-ray"]'),
        ("zh", "把所有结果都给我。", "[]"),
        ("zh", "把所有结果都给我。", '["所有结果"]'),
        ("zh", "把所有结果都给我。", '["血常规", "胸部X线"]'),
    ],
)
async def test_row_25_fishing_is_refused_even_if_the_model_falls_for_it(
    serve: Any, language: Language, request_: str, answer: str
) -> None:
    message, _ = await reply(serve, request_, answer, language)
    assert message.text == PROMPTS.render(language, EXAMINER, "refuse")
    assert message.examinations == ()
    assert [kind for _, kind, _ in answers(message)] == ["refused"]


@pytest.mark.parametrize("answer", ["I cannot do that.", '{"tests": 1}', "[1, 2]", '["CBC'])
async def test_an_unreadable_list_falls_back_to_our_own_reading(serve: Any, answer: str) -> None:
    message, _ = await reply(serve, "A CBC, please.", answer)
    assert message.examinations == ("e1",)
    assert [repair.kind for repair in message.repairs] == ["examinations_unreadable"]
    vague, _ = await reply(serve, "Give me everything.", answer)
    assert vague.examinations == ()


async def test_the_model_s_own_words_never_reach_the_doctor(serve: Any) -> None:
    message, _ = await reply(
        serve, "A CBC.", 'The patient has pneumonia. ["CBC"] The X-ray shows it.'
    )
    assert message.text == "- Complete blood count: White cells 14"


async def test_a_filtered_request_ends_the_visit_as_the_examiner_s(serve: Any) -> None:
    with pytest.raises(SeatError) as caught:
        await reply(serve, "A CBC.", error(400, "no", code="content_filter"))
    assert (caught.value.role, caught.value.ending) == (EXAMINER, Ending.CONTENT_FILTERED)
