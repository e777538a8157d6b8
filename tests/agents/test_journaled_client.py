from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from autogen_core.models import UserMessage

from agents.model.journaled_client import JournaledClient
from agents.model.meter import Meter, MeteredClient
from agents.model.model_failure import ModelFailure
from agents.model.model_reply import Completion
from agents.model.model_spec import Price
from records.journal import Journal
from records.visit import Usage
from tests.scripted_endpoint import completion, error


async def ask(client: Any, content: str = "How are you?", **keywords: Any) -> Completion:
    reply = await client.create([UserMessage(content=content, source="doctor")], **keywords)
    assert isinstance(reply, Completion)
    return reply


async def test_a_reply_is_replayed_and_not_asked_for_again(serve: Any, tmp_path: Path) -> None:
    served = await serve(
        [completion("<think>t</think>Fine.", usage=None), completion("Well.", model="scripted-2")]
    )
    journal = Journal(tmp_path / "journal.jsonl")
    first = JournaledClient(served.client, journal, "visit", "patient")
    paid = [await ask(first), await ask(first)]
    journal.close()

    reopened = Journal(tmp_path / "journal.jsonl")
    second = JournaledClient(served.client, reopened, "visit", "patient")
    replayed = [await ask(second), await ask(second)]
    reopened.close()
    update = {"cached": True, "origin": "journal"}
    assert replayed == [reply.model_copy(update=update) for reply in paid]
    assert [reply.text for reply in replayed] == ["Fine.", "Well."]
    assert (replayed[0].thought, replayed[0].usage_known, replayed[1].model) == (
        "t",
        False,
        "scripted-2",
    )
    assert len(served.asked) == 2


async def test_another_visit_role_content_or_setting_is_another_call(
    serve: Any, tmp_path: Path
) -> None:
    served = await serve(lambda body: "{}")
    journal = Journal(tmp_path / "journal.jsonl")
    await ask(JournaledClient(served.client, journal, "visit", "patient"))
    await ask(JournaledClient(served.client, journal, "other", "patient"))
    await ask(JournaledClient(served.client, journal, "visit", "examiner"))
    await ask(JournaledClient(served.client, journal, "visit", "patient"), "And you?")
    client = JournaledClient(served.client, journal, "visit", "patient")
    await ask(client, extra_create_args={"max_tokens": 9})
    await ask(client, json_output=True)
    journal.close()
    assert len(served.asked) == 6


async def test_a_failure_is_not_kept(serve: Any, tmp_path: Path) -> None:
    served = await serve([error(400, "no"), "ok"])
    journal = Journal(tmp_path / "journal.jsonl")
    with pytest.raises(ModelFailure):
        await ask(JournaledClient(served.client, journal, "visit", "patient"))
    assert (await ask(JournaledClient(served.client, journal, "visit", "patient"))).text == "ok"
    journal.close()


async def test_a_reply_that_ended_the_visit_is_asked_for_again(serve: Any, tmp_path: Path) -> None:
    served = await serve(["bad", "good"])
    journal = Journal(tmp_path / "journal.jsonl")
    client = MeteredClient(
        JournaledClient(served.client, journal, "visit", "patient"), Meter(), "patient"
    )
    await ask(client)
    client.forget_last()
    again = JournaledClient(served.client, journal, "visit", "patient")
    assert (await ask(again)).text == "good"
    journal.close()


async def test_the_meter_counts_by_role_and_replayed_replies_too(
    serve: Any, tmp_path: Path
) -> None:
    served = await serve(
        ["a", completion("b", model="scripted-2"), completion("c", usage=None), "d"]
    )
    journal = Journal(tmp_path / "journal.jsonl")
    for _ in range(2):
        meter = Meter()
        doctor, patient = (
            MeteredClient(JournaledClient(served.client, journal, "visit", role), meter, role)
            for role in ("doctor", "patient")
        )
        await ask(doctor, "1")
        await ask(doctor, "2")
        await ask(patient, "3")
        await ask(patient, "4")
        assert meter.usage == {
            "doctor": Usage(calls=2, prompt_tokens=20, completion_tokens=10),
            "patient": Usage(calls=2, prompt_tokens=None, completion_tokens=None),
        }
        assert meter.models == {
            "doctor": ("scripted-1", "scripted-2"),
            "patient": ("scripted-1",),
        }
    journal.close()
    assert len(served.asked) == 4


async def test_a_price_that_is_known_by_now_holds_for_replies_kept_before(
    serve: Any, tmp_path: Path
) -> None:
    served = await serve(["a"])
    journal = Journal(tmp_path / "journal.jsonl")
    costs = []
    for price in (None, Price(prompt=1e6, completion=1e6)):
        meter = Meter()
        client = JournaledClient(served.client, journal, "visit", "doctor")
        await ask(MeteredClient(client, meter, "doctor", price))
        costs.append((meter.cost, meter.cost_complete))
    journal.close()
    assert costs == [(None, False), (15, True)]
