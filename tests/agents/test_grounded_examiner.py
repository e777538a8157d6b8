"""The Examiner without a model says what is on record, under both conventions."""

from __future__ import annotations

import pytest

from agents.offline.grounded_examiner import GroundedExaminer
from records.medical_record import Examination, Language
from records.views import ExaminerView
from records.visit import Message, Unrecorded


def view(language: Language) -> ExaminerView:
    zh = language == "zh"
    return ExaminerView(
        record_id="r1",
        language=language,
        physical_examination=(
            Examination(
                id="p1",
                name="体温" if zh else "Temperature",
                category="生命体征" if zh else "Vital Signs",
                value="38.4",
                unit="℃",
            ),
        ),
        auxiliary_examinations=(
            Examination(
                id="e1",
                name="血红蛋白" if zh else "Hemoglobin",
                category="血常规" if zh else "Complete Blood Count",
                value="92",
                unit="g/L",
                reference_range="115-150",
            ),
            Examination(
                id="e2",
                name="所见" if zh else "Findings",
                category="胸部CT" if zh else "Chest CT",
                value="右肺上叶结节" if zh else "Nodule in the right upper lobe",
            ),
            Examination(id="e3", name="ANCA", value="待结果" if zh else "pending"),
        ),
    )


async def ask(
    text: str, language: Language = "zh", unrecorded: Unrecorded = "unavailable"
) -> Message:
    said = Message(turn=3, role="patient", speaker="patient", addressee="examiner", text=text)
    (message,) = await GroundedExaminer(unrecorded).reply(view(language), (said,), 7)
    return message


async def test_a_result_is_given_with_unit_and_range_to_the_doctor() -> None:
    message = await ask("请查血常规")
    assert message.text == "- 血红蛋白：92 g/L（参考范围：115-150）"
    assert (message.role, message.speaker, message.addressee) == ("examiner", "examiner", "doctor")
    assert message.turn == 3
    assert message.examinations == ("e1",)
    assert message.trace is not None
    assert [(a.asked, a.kind, a.ids) for a in message.trace.answers] == [
        ("血常规", "recorded", ("e1",))
    ]


async def test_the_reply_is_in_the_records_language() -> None:
    assert (
        await ask("查一下血红蛋白", "en")
    ).text == "- Hemoglobin: 92 g/L (reference range: 115-150)"
    assert (await ask("chest CT")).text == "- 胸部CT – 所见：右肺上叶结节"


async def test_several_results_stand_under_what_was_asked_for() -> None:
    record = view("zh")
    urine = Examination(id="e4", name="蛋白", category="尿常规", value="2+")
    more = record.auxiliary_examinations[0].model_copy(
        update={"id": "e5", "name": "血小板", "value": "210", "unit": None, "reference_range": None}
    )
    record = record.model_copy(
        update={"auxiliary_examinations": (*record.auxiliary_examinations, urine, more)}
    )
    said = Message(
        turn=1, role="doctor", speaker="doctor", addressee="examiner", text="CBC和尿常规"
    )
    (message,) = await GroundedExaminer().reply(record, (said,), 0)
    assert message.text.splitlines() == [
        "- 血常规：",
        "  - 血红蛋白：92 g/L（参考范围：115-150）",
        "  - 血小板：210",
        "- 尿常规 – 蛋白：2+",
    ]
    assert message.examinations == ("e1", "e5", "e4")


async def test_a_pending_result_is_given_as_recorded() -> None:
    assert (await ask("ANCA")).text == "- ANCA：待结果"


@pytest.mark.parametrize(
    ("unrecorded", "text", "kind"),
    [
        ("unavailable", "- 胃镜：没有这项检查的结果", "unavailable"),
        ("normal", "- 胃镜：未见异常", "assumed_normal"),
    ],
)
async def test_what_is_not_on_record(unrecorded: Unrecorded, text: str, kind: str) -> None:
    message = await ask("胃镜", unrecorded=unrecorded)
    assert message.text == text
    assert message.examinations == ()
    assert message.trace is not None
    assert [a.kind for a in message.trace.answers] == [kind]


async def test_a_vague_request_is_refused_and_told_so() -> None:
    message = await ask("把所有结果都告诉我")
    assert message.examinations == ()
    assert message.addressee == "doctor"
    assert message.trace is not None
    assert [a.kind for a in message.trace.answers] == ["refused"]
    recorded = view("zh").examinations
    assert not any(e.value in message.text for e in recorded)


async def test_nothing_else_than_the_request_is_told() -> None:
    message = await ask("体温和CBC")
    assert message.examinations == ("p1", "e1")
    assert "结节" not in message.text
    assert "待结果" not in message.text


async def test_a_result_asked_for_twice_is_told_once() -> None:
    message = await ask("血常规，还有血红蛋白")
    assert message.text.count("92") == 1
    assert message.trace is not None
    assert [a.ids for a in message.trace.answers] == [("e1",), ("e1",)]


async def test_the_seed_changes_nothing() -> None:
    said = Message(turn=1, role="doctor", speaker="doctor", addressee="examiner", text="CBC, ANCA")
    examiner = GroundedExaminer()
    replies = [await examiner.reply(view("en"), (said,), seed) for seed in (0, 1, 99)]
    assert replies[0] == replies[1] == replies[2]
