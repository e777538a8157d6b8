"""`hospital models`, and models by name, keys and component files in `bench`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hospital.command_line import run
from records.ledger import Ledger
from records.library import bundled_records
from records.readers import write_records
from tests.agents.test_autogen_file import EchoClient
from tests.endpoint_thread import serving
from tests.scripted_endpoint import Answer, ScriptedEndpoint, error
from tests.scripted_hospital import play

KEY = "sk-planted-abcdefghijkl"


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No key and no table of the user's; a directory of one's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LAB_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(
        "agents.model.model_table.user_config_path", lambda *names, **more: tmp_path / "config"
    )


def table(url: str, more: str = "") -> list[str]:
    """Options that name a table with the provider `lab`."""
    text = f'[providers.lab]\nurl = "{url}"\nkey_env = "LAB_KEY"\n{more}\n'
    Path("table.toml").write_text(text, encoding="utf-8")
    return ["--models", "table.toml"]


def bench(doctor: str, *options: str, npc: str = "grounded") -> int:
    if not Path("cases.jsonl").exists():
        english = [record for record in bundled_records() if record.language == "en"]
        write_records(english[:1], Path("cases.jsonl"))
    command = ["bench", "--cases", "cases.jsonl", "--setting", "interaction", "--out", "run"]
    return run([*command, "--doctor", doctor, "--npc", npc, *options])


def everything_written() -> str:
    return "\n".join(
        path.read_text("utf-8", "replace") for path in Path("run").rglob("*") if path.is_file()
    )


def test_the_list_tells_of_keys_but_not_the_keys(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_KEY", KEY)
    options = table("http://h/v1", "[providers.lab.models.m]\nprice = {prompt = 1, completion = 2}")
    assert run(["models", "list", *options]) == 0
    shown = capsys.readouterr().out
    assert "lab/ http://h/v1  LAB_KEY: key set" in shown
    assert "OPENAI_API_KEY: no key" in shown
    assert "OLLAMA_API_KEY: no key needed" in shown
    line = next(line for line in shown.splitlines() if line.startswith("  lab/m"))
    assert line.split() == ["lab/m", "$1", "/", "$2"]
    assert "price unknown" in shown
    assert 'body={"enable_thinking": false}' in shown
    assert KEY not in shown


def test_the_list_tells_what_is_said_of_all_models_that_match(
    capsys: pytest.CaptureFixture[str],
) -> None:
    entry = '[providers.lab.models."med-*"]\nmax_tokens = 9\nprice = {prompt = 1, completion = 2}'
    assert run(["models", "list", "lab", *table("http://h/v1", entry)]) == 0
    told = capsys.readouterr()
    line = next(line for line in told.out.splitlines() if "med-*" in line)
    assert line.split() == ["lab/med-*", "$1", "/", "$2", "max_tokens=9"]
    assert told.err == ""


def test_the_list_as_json_and_of_one_provider(capsys: pytest.CaptureFixture[str]) -> None:
    options = table("http://h/v1", "[providers.lab.models.m]\ntemperature = 0")
    assert run(["models", "list", "lab", "--json", *options]) == 0
    assert json.loads(capsys.readouterr().out) == [
        {
            "provider": "lab",
            "url": "http://h/v1",
            "key_env": "LAB_KEY",
            "key_needed": True,
            "key_set": False,
            "settings": {},
            "models": [{"name": "lab/m", "price": None, "settings": {"temperature": 0.0}}],
        }
    ]
    assert run(["models", "list", "lub", *options]) == 2
    assert "did you mean lab?" in capsys.readouterr().err


def test_check_prints_a_line_for_each_thing(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(lambda body: "Hello.") as endpoint:
        assert run(["models", "check", endpoint.spec()]) == 0
        shown = capsys.readouterr().out
        assert run(["models", "check", endpoint.spec(), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["can_sit"] is True
    assert [f["what"] for f in report["findings"]][:3] == ["connection", "usage", "system prompt"]
    assert shown.count("\n") == len(report["findings"]) + 2
    assert "It can sit in a chair." in shown


@pytest.mark.parametrize(
    ("answer", "code", "says"),
    [
        (error(401, f"wrong key {KEY}"), 2, "status 401: wrong key ***"),
        (error(429, "pay first", code="insufficient_quota"), 3, "pay first"),
    ],
)
def test_check_of_a_model_that_cannot_sit(
    capsys: pytest.CaptureFixture[str], answer: Answer, code: int, says: str
) -> None:
    Path(".env").write_text(f"LAB_KEY={KEY}\n", encoding="utf-8")
    with serving(lambda body: answer) as endpoint:
        assert run(["models", "check", "lab/m", *table(endpoint.url)]) == code
    shown = capsys.readouterr()
    assert says in shown.out
    assert "cannot sit" in shown.out
    assert KEY not in shown.out + shown.err


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("lub/m", "did you mean lab?"),
        ("checklist", "no provider 'checklist'"),
        ("http://h/v1", "names no model"),
        ("lab/m", "lab/m needs a key: no LAB_KEY in the environment"),
        ("lab/m?temprature=1", "did you mean temperature"),
    ],
)
def test_check_of_what_is_no_model(
    capsys: pytest.CaptureFixture[str], spec: str, says: str
) -> None:
    assert run(["models", "check", spec, *table("http://h/v1")]) == 2
    shown = capsys.readouterr()
    assert says in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""


def test_a_key_that_is_missing_is_told_before_anything_is_held(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked: list[Any] = []
    with serving(lambda body: asked.append(body) or "Hello.") as endpoint:
        assert bench("lab/m", *table(endpoint.url)) == 2
    assert "LAB_KEY" in capsys.readouterr().err
    assert not asked
    assert not Path("run").exists()


@pytest.mark.parametrize("place", ["environment", ".env", "--key-file", "key_file"])
def test_a_key_reaches_the_endpoint_and_nothing_else(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    more = ""
    options: list[str] = []
    if place == "environment":
        monkeypatch.setenv("LAB_KEY", KEY)
    elif place == "key_file":
        Path("lab.key").write_text(f"{KEY}\n", encoding="utf-8")
        more = 'key_file = "lab.key"'
    else:
        name = ".env" if place == ".env" else "keys"
        Path(name).write_text(f"LAB_KEY={KEY}\n", encoding="utf-8")
        options = ["--key-file", name] if place == "--key-file" else []
    # The endpoint repeats the key in its error, as some do.
    with serving(lambda body: error(401, f"invalid key {KEY}")) as endpoint:
        code = bench("lab/m", *options, *table(endpoint.url, more))
        sent = {headers["authorization"] for headers in endpoint.headers}
    assert sent == {f"Bearer {KEY}"}
    assert code == 3
    shown = capsys.readouterr()
    assert KEY not in shown.out + shown.err
    assert "invalid key ***" in everything_written()
    assert KEY not in everything_written()


def hold_with(endpoint: ScriptedEndpoint, more: str = "", *options: str) -> int:
    return bench("lab/m", *options, *table(endpoint.url, f"local = true\n{more}"))


def test_a_run_notices_when_a_name_stands_for_another_model(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with serving(play) as endpoint:
        assert hold_with(endpoint) == 0
        assert list(Ledger(Path("run")).config().sources) == ["lab/m"]
        # Speed and price decide no reply.
        assert hold_with(endpoint, "concurrency = 1\nprice = {prompt = 1, completion = 1}") == 0
        held = len(endpoint.requests)
        capsys.readouterr()
        assert hold_with(endpoint, "temperature = 1") == 2
        assert "lab/m has changed since that run began" in capsys.readouterr().err
        assert len(endpoint.requests) == held


@pytest.fixture
def component() -> Iterator[str]:
    """The spec of a client that plays every chair, with a key in its file."""
    module = ModuleType("hospital_test_component")
    module.EchoClient = EchoClient  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
    config = {"model": "echo-1", "api_key": KEY}
    text = json.dumps({"provider": EchoClient.component_provider_override, "config": config})
    Path("client.json").write_text(text, encoding="utf-8")
    EchoClient.asked = []
    yield "autogen:client.json"
    del sys.modules[module.__name__]


def test_a_component_file_in_every_chair(
    capsys: pytest.CaptureFixture[str], component: str
) -> None:
    def says(messages: list[Any], extra: Any) -> str:
        roles = {"SystemMessage": "system", "UserMessage": "user"}
        wire = [{"role": roles.get(m.type, "assistant"), "content": m.content} for m in messages]
        return play({"messages": wire})

    EchoClient.says = staticmethod(says)
    options = ("--judge", component)
    assert bench(component, *options, npc=component) == 0, capsys.readouterr().err
    run_ = Ledger(Path("run"))
    [visit] = run_.visits().values()
    assert visit.ending.markable
    assert visit.doctor == component
    assert visit.usage["doctor"].prompt_tokens
    assert [mark.judge for mark in run_.marks()] == [component]
    assert list(run_.config().sources) == [component]
    assert KEY not in everything_written()
    calls = len(EchoClient.asked)
    assert bench(component, *options, npc=component) == 0
    assert len(EchoClient.asked) == calls
    EchoClient.says = staticmethod(lambda messages, extra: "Hello.")
    assert run(["models", "check", component]) == 0


def test_a_component_that_fails_tells_no_key(
    capsys: pytest.CaptureFixture[str], component: str
) -> None:
    EchoClient.says = staticmethod(lambda messages, extra: ValueError(f"wrong key {KEY}"))
    assert bench(component) == 3
    shown = capsys.readouterr()
    assert KEY not in shown.out + shown.err
    assert "wrong key ***" in everything_written()
    assert KEY not in everything_written()
