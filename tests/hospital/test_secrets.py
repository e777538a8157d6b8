"""A key that an endpoint repeats wherever it can reaches no file, no log and no terminal."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agents.model.patience import Patience
from hospital.command_line import run
from records.ledger import Ledger
from records.library import bundled_records
from records.readers import write_records
from records.visit import Ending
from tests.endpoint_thread import serving
from tests.scripted_endpoint import Answer, Raw, ScriptedEndpoint, completion, error
from tests.scripted_hospital import play

KEY = "planted/0123456789+abcdef=="
ENDINGS = {
    "told": "diagnosis_given",
    "refused": "infrastructure",
    "broken": "infrastructure",
    "html": "infrastructure",
    "filtered": "content_filtered",
    "empty": "doctor_failed",
}
"""By model, what becomes of its visit."""


def answer(body: dict[str, Any], endpoint: ScriptedEndpoint) -> Answer:
    """Says the key that came with the request, in every way."""
    said = endpoint.headers[-1]["authorization"]
    assert said == f"Bearer {KEY}"
    match body["model"]:
        case "refused":
            return error(401, f"{said} is wrong", code=said)
        case "broken":
            return error(500, f"no such {said}")
        case "html":
            return Raw(f"<html>{said}</html>")
        case "filtered":
            return error(400, f"{said} {KEY}", code="content_filter")
        case "empty":
            return completion("", reasoning_content="", model=said, finish_reason=said)
    text = f"{play(body)}\n{said}"
    return completion(text, model=KEY, reasoning_content=said, finish_reason=KEY)


def place(where: str, directory: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Put the key where a user may have it; the options that this takes."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    if where == "environment":
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
    elif where == ".env":
        (directory / ".env").write_text(f"OPENAI_API_KEY='{KEY}'\n", encoding="utf-8")
    else:
        (directory / "keys").write_text(f"OPENAI_API_KEY='{KEY}'\n", encoding="utf-8")
        return ["--key-file", "keys"]
    return []


@pytest.mark.parametrize("where", ["environment", ".env", "key file"])
def test_a_failing_run_shows_its_key_nowhere(
    tmp_path: Path,
    where: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("agents.model.endpoint.Patience", partial(Patience, 2, 0.0))
    monkeypatch.setattr("records.secrets._kept", set())
    caplog.set_level(logging.DEBUG)
    write_records([r for r in bundled_records() if r.language == "en"][:1], Path("case.jsonl"))
    with serving(lambda body: answer(body, endpoint)) as endpoint:
        command = ["bench", "--cases", "case.jsonl", "--out", "run", "--cache", "cache"]
        command += ["--setting", "zero_turn", "--judge", endpoint.spec("told")]
        command += [part for model in ENDINGS for part in ("--doctor", endpoint.spec(model))]
        assert run([*command, *place(where, tmp_path, monkeypatch)]) == 3
        assert run(["show", "run"]) == 0
        for key in Ledger(Path("run")).visits():
            assert run(["show", "run", key]) == 0
        assert run(["leaderboard", "run", "--json"]) == 0
    visits = Ledger(Path("run")).visits().values()
    endings = {v.doctor.partition("#")[2]: v.ending for v in visits}
    assert endings == {model: Ending(ending) for model, ending in ENDINGS.items()}
    told = capsys.readouterr()
    written = {
        str(path): path.read_text(encoding="utf-8")
        for folder in ("run", "cache")
        for path in Path(folder).rglob("*")
        if path.is_file()
    }
    # What was said came that far, and was masked.
    for name in ("visits", "marks", "journal", "calls"):
        assert "***" in written[f"run/{name}.jsonl"]
    assert any("***" in text for name, text in written.items() if name.startswith("cache"))
    shown = {"output": told.out, "errors": told.err, "log": caplog.text}
    found = [
        (name, part)
        for name, text in (written | shown).items()
        for part in (KEY, KEY[:18], KEY.replace("/", "\\/"))
        if part in text
    ]
    assert found == []
