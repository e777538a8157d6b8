"""`hospital analyse` on a run of the offline doctor, and with a model that settles what is open."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hospital.command_line import run
from tests.scripted_endpoint import ScriptedEndpoint


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run") / "run"
    assert (
        run(["bench", "--limit", "3", "--setting", "interaction,one_step", "--out", str(out)]) == 0
    )
    return out


@pytest.fixture
def endpoint() -> Iterator[ScriptedEndpoint]:
    """An endpoint on a loop of its own, for commands that run a loop themselves."""

    def script(body: dict[str, Any]) -> str:
        return 'It says so. {"relevant": false, "honest": true}'

    served = ScriptedEndpoint(script)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(served.__aenter__(), loop).result()
    yield served
    asyncio.run_coroutine_threadsafe(served.__aexit__(), loop).result()
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_tables_and_json(held: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(["analyse", str(held)]) == 0
    shown = capsys.readouterr().out
    for part in ("Process:", "Behaviour, in percent", "Diagnoses graded D", "checklist"):
        assert part in shown
    assert run(["analyse", str(held), "--json"]) == 0
    analysis = json.loads(capsys.readouterr().out)
    assert [c["setting"] for c in analysis["conducts"]] == ["interaction", "one_step"]
    interaction, one_step = analysis["conducts"]
    assert interaction["behaviour"]["honesty"] == 1.0
    assert interaction["behaviour"]["accuracy"] == 1.0
    assert one_step["process"] is None
    assert len(analysis["visits"]) == 6


def test_what_is_open_is_settled_once_and_kept(
    held: Path, endpoint: ScriptedEndpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert run(["analyse", str(held), "--json"]) == 0
    before = json.loads(capsys.readouterr().out)["conducts"][0]["behaviour"]
    assert before["open"] > 0
    command = ["analyse", str(held), "--json", "--settle", endpoint.spec("judge")]
    assert run(command) == 0
    after = json.loads(capsys.readouterr().out)["conducts"][0]["behaviour"]
    assert after["open"] == 0
    assert after["relevance"] < before["relevance"]
    assert after["honesty"] == before["honesty"]
    assert len(endpoint.requests) == before["open"]
    assert run(command) == 0
    assert len(endpoint.requests) == before["open"]


def test_bad_input_is_one_line(
    held: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["analyse", str(tmp_path)]) == 2
    assert "no run here" in capsys.readouterr().err
    assert run(["analyse", str(held), "--judge", "nobody"]) == 2
    assert "nobody" in capsys.readouterr().err
    assert run(["analyse", str(held), "--settle", "nobody"]) == 2
    assert "nobody" in capsys.readouterr().err
