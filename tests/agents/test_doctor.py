from __future__ import annotations

import json
from typing import Any

import pytest
from autogen_agentchat.messages import TextMessage
from autogen_core import CancellationToken

from agents.doctor import ModelDoctor
from agents.errors import SeatError
from prompts import Prompts
from records.medical_record import Language
from records.visit import DOCTOR, Ending, Protocol, Setting, Trace
from tests.scripted_endpoint import completion, error

PROMPTS = Prompts()


def heard(source: str, content: str) -> list[TextMessage]:
    return [TextMessage(source=source, content=content)]


async def say(doctor: ModelDoctor, *messages: TextMessage) -> TextMessage:
    response = await doctor.on_messages(list(messages), CancellationToken())
    assert isinstance(response.chat_message, TextMessage)
    return response.chat_message


def kinds(message: TextMessage) -> list[str]:
    return [repair["kind"] for repair in json.loads(message.metadata.get("repairs", "[]"))]


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_it_hears_only_what_is_new_and_remembers_the_rest(
    serve: Any, language: Language
) -> None:
    served = await serve(
        [completion("Since when?", reasoning_content="SECRET"), "<think>SECRET</think>An ECG."]
    )
    doctor = ModelDoctor(served.client, PROMPTS, language)
    first = await say(doctor, *heard("patient", "It hurts."))
    second = await say(doctor, *heard("patient", "Since today."))
    assert (first.content, second.content) == ("Since when?", "An ECG.")
    system = PROMPTS.render(language, DOCTOR, "system", protocol="carried")
    assert [(m["role"], m["content"]) for m in served.asked[1]] == [
        ("system", system),
        ("user", "It hurts."),
        ("assistant", "Since when?"),
        ("user", "Since today."),
    ]
    assert "SECRET" not in str(served.asked)
    assert Trace.model_validate_json(first.metadata["trace"]).reasoning == "SECRET"
    assert kinds(second) == ["reasoning_in_content"]


async def test_the_voices_in_the_room_are_told_apart(serve: Any) -> None:
    served = await serve(["Thank you."])
    doctor = ModelDoctor(served.client, PROMPTS, "en")
    await say(doctor, *heard("patient", "They did it."), *heard("examiner", "ECG: normal"))
    assert served.asked[0][1]["content"] == ("They did it.\n\n(Examination results)\nECG: normal")


@pytest.mark.parametrize(
    ("protocol", "setting", "purpose"),
    [
        ("carried", "interaction", "system"),
        ("direct", "interaction", "system"),
        ("carried", "one_step", "system_one_step"),
        ("carried", "zero_turn", "system_one_step"),
    ],
)
async def test_it_is_told_how_the_visit_goes(
    serve: Any, protocol: Protocol, setting: Setting, purpose: str
) -> None:
    served = await serve(["ok"])
    doctor = ModelDoctor(served.client, PROMPTS, "en", protocol, setting)
    await say(doctor, *heard("patient", "It hurts."))
    system = PROMPTS.render("en", DOCTOR, purpose, protocol=protocol)
    assert served.asked[0][0]["content"] == system
    assert ("<to examiner>" in system) == (protocol == "direct")


async def test_row_17_a_doctor_who_goes_on_as_the_patient_is_cut(serve: Any) -> None:
    served = await serve(["Since when?\nPatient: Since today.\nDoctor: I see.", "ok"])
    doctor = ModelDoctor(served.client, PROMPTS, "en")
    message = await say(doctor, *heard("patient", "It hurts."))
    assert message.content == "Since when?"
    assert kinds(message) == ["foreign_turn"]
    await say(doctor, *heard("patient", "Today."))
    assert "I see." not in str(served.asked[1])


async def test_row_17_if_nothing_is_left_it_is_asked_again_once(serve: Any) -> None:
    served = await serve(["Patient: It hurts.", "Since when?", "Patient: a", "Patient: b"])
    doctor = ModelDoctor(served.client, PROMPTS, "en")
    message = await say(doctor, *heard("patient", "It hurts."))
    assert message.content == "Since when?"
    assert kinds(message) == ["foreign_turn", "asked_again"]
    with pytest.raises(SeatError) as caught:
        await say(doctor, *heard("patient", "Today."))
    assert caught.value.ending is Ending.DOCTOR_FAILED


async def test_a_report_is_left_whole(serve: Any) -> None:
    report = "#Symptoms#\nPatient: a man of 40.\n#Diagnosis#\nGout"
    served = await serve([report])
    doctor = ModelDoctor(served.client, PROMPTS, "en")
    message = await say(doctor, *heard("chief_physician", "Your report, please."))
    assert message.content == report
    assert message.metadata == {}


async def test_recall_puts_it_where_an_earlier_one_stood(serve: Any) -> None:
    served = await serve(["ok", "ok", "ok"])
    earlier = ModelDoctor(served.client, PROMPTS, "en")
    await say(earlier, *heard("patient", "It hurts."))
    await say(earlier, *heard("patient", "Today."))
    later = ModelDoctor(served.client, PROMPTS, "en")
    await later.recall(heard("patient", "It hurts."), "ok")
    await say(later, *heard("patient", "Today."))
    assert served.asked[2] == served.asked[1]


@pytest.mark.parametrize(
    ("answers", "role", "ending"),
    [
        (["", ""], DOCTOR, Ending.DOCTOR_FAILED),
        ([completion("", finish_reason="length")] * 2, DOCTOR, Ending.DOCTOR_FAILED),
        ([error(400, "no", code="content_filter")], DOCTOR, Ending.CONTENT_FILTERED),
        ([error(503, "busy")] * 2, "provider", Ending.INFRASTRUCTURE),
    ],
)
async def test_failures_are_attributed(
    serve: Any, answers: list[Any], role: str, ending: Ending
) -> None:
    served = await serve(answers)
    with pytest.raises(SeatError) as caught:
        await say(ModelDoctor(served.client, PROMPTS, "zh"), *heard("patient", "疼。"))
    assert (caught.value.role, caught.value.ending) == (role, ending)
