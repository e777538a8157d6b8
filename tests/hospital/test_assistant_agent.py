"""An AutoGen `AssistantAgent` sits in the Doctor's chair unchanged, made by a user's function."""

import importlib
from pathlib import Path

import pytest

from agents.seats import Seats
from hospital.consultation import consultation
from hospital.experiment import hold
from hospital.stream import VisitResult
from prompts import Prompts
from records.library import bundled_records
from records.visit import Ending, VisitOrder
from tests.scripted_endpoint import ScriptedEndpoint

MODULE = """
from autogen_agentchat.agents import AssistantAgent
from agents.model.model_client import Endpoint, ModelClient
from agents.model.model_spec import ModelSpec

SPEC = ModelSpec.parse({spec!r})
ENDPOINT = Endpoint.of(SPEC)

def assistant(language):
    client = ModelClient(SPEC, ENDPOINT)
    return AssistantAgent("doctor", client, system_message="You are a careful physician.")
"""
LINES = (
    "Do you have a fever?",
    "You have gastritis. I recommend omeprazole.",
    "# Symptoms\nache\n# Diagnosis\ngastritis\n# Treatment plan\nomeprazole",
)


async def test_an_assistant_agent_sees_a_patient_and_goes_on_from_a_transcript(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(body: dict[str, object]) -> str:
        messages = body["messages"]
        assert isinstance(messages, list)
        return LINES[sum(m["role"] == "assistant" for m in messages)]

    record = next(r for r in bundled_records() if r.language == "en")
    prompts = Prompts()
    async with ScriptedEndpoint(script) as endpoint:
        (tmp_path / "assistants.py").write_text(
            MODULE.format(spec=endpoint.spec()), encoding="utf-8"
        )
        monkeypatch.syspath_prepend(tmp_path)
        order = VisitOrder(
            record_id=record.id,
            record_hash=record.content_hash,
            language="en",
            setting="interaction",
            doctor="assistants:assistant",
            npc="grounded",
            prompts_hash=prompts.hash,
        )
        seats = Seats(prompts=prompts)
        visit = await hold(order, record, seats, prompts)
        assert visit.ending is Ending.DIAGNOSIS_GIVEN, visit.failure
        assert visit.report is not None
        assert visit.report.diagnosis == "gastritis"
        asked = len(endpoint.requests)
        assert asked == len(LINES)
        # The same up to the report: its model context is filled without a call.
        seated = seats.seat(order)
        stream = consultation(order, record, seated, prompts, visit.messages[:-1])
        results = [item async for item in stream if isinstance(item, VisitResult)]
        assert len(endpoint.requests) == asked + 1
        assert endpoint.requests[-1]["messages"] == endpoint.requests[asked - 1]["messages"]
        assert results[0].visit.messages == visit.messages
        await seated.close()
        await seats.close()
        await importlib.import_module("assistants").ENDPOINT.close()
