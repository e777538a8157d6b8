"""The model table: providers and models by name, the user's own file, what a name stands for."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.errors import SpecError
from agents.model.model_spec import ModelSpec, Price, is_model
from agents.model.model_table import ModelTable, own_table

EXPECTED = [
    "openai",
    "deepseek",
    "dashscope",
    "dashscope-intl",
    "mistral",
    "gemini",
    "anthropic",
    "moonshot",
    "zhipu",
    "openrouter",
    "together",
    "groq",
    "vllm",
    "ollama",
    "llamacpp",
    "lmstudio",
]


@pytest.fixture(autouse=True)
def no_table_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "agents.model.model_table.user_config_path", lambda *names, **more: tmp_path / "config"
    )


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_providers_are_there() -> None:
    table = ModelTable.load()
    assert set(EXPECTED) <= set(table.providers)
    for name in EXPECTED:
        spec = table.resolve(f"{name}/anything")
        assert spec.provider == name
        assert spec.url.startswith("http")
        assert not spec.url.endswith("/")
        local = "localhost" in spec.url
        assert spec.key_needed is not local
        assert (spec.price == Price(prompt=0, completion=0)) is local


def test_a_name_is_resolved_with_parameters() -> None:
    spec = ModelTable.load().resolve("openai/gpt-4o-mini?temperature=0.5&max_tokens=80&timeout=9")
    assert (spec.url, spec.model) == ("https://api.openai.com/v1", "gpt-4o-mini")
    assert (spec.temperature, spec.max_tokens, spec.timeout) == (0.5, 80, 9)
    assert spec.key_env == "OPENAI_API_KEY"
    assert spec.tokens_field == "max_completion_tokens"
    assert spec.price is not None
    assert spec.price.cost(1_000_000, 500_000) == pytest.approx(
        spec.price.prompt + spec.price.completion / 2
    )


def test_a_model_may_have_slashes_and_colons_in_its_name() -> None:
    table = ModelTable.load()
    assert table.resolve("openrouter/org/model:free").model == "org/model:free"
    assert table.resolve("ollama/llama3.2:1b").model == "llama3.2:1b"


def test_an_address_still_names_a_model() -> None:
    table = ModelTable.load()
    text = "http://h/v1#org/m?temperature=0"
    assert table.resolve(text) == ModelSpec.parse(text)
    assert table.resolve(text).provider is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("opnai/gpt-4o", "did you mean openai"),
        ("qwen/qwen-plus", "did you mean dashscope?"),
        ("Claude/opus", "did you mean anthropic?"),
        ("zzz/m", "there are openai"),
        ("openai/", "such as openai/gpt"),
        ("openai", "names no model of openai"),
        ("openai/gpt-4o?temprature=0", "did you mean temperature"),
        ("openai/gpt-4o?max_tokens=many", "max_tokens=many"),
        ("openai/gpt-4o?key=abc", "key_env="),
        ("autogen:", "names no file"),
        ("http://h/v1", "names no model"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: str, says: str) -> None:
    with pytest.raises(SpecError) as caught:
        ModelTable.load().resolve(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_model_that_is_not_listed_is_taken_with_one_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = ModelTable.load()
    with caplog.at_level(logging.WARNING):
        spec = table.resolve("openai/gpt-4.1-mnii")
        table.resolve("openai/gpt-4.1-mnii?temperature=0")
        table.resolve("groq/anything")
    assert (spec.model, spec.price) == ("gpt-4.1-mnii", None)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "gpt-4.1-mini" in caplog.text


def test_qwen3_is_asked_not_to_think_where_it_cannot() -> None:
    table = ModelTable.load()
    assert table.resolve("dashscope/qwen3-32b").body == {"enable_thinking": False}
    assert table.resolve("dashscope-intl/qwen3-235b-a22b").body == {"enable_thinking": False}
    assert table.resolve("dashscope/qwen-plus").body == {}
    typed = table.resolve("dashscope/qwen3-32b?body.enable_thinking=true&body.top_k=3")
    assert typed.body == {"enable_thinking": True, "top_k": 3}


def test_ones_own_file_adds_and_overrides(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        """
        [providers.lab]
        url = "http://gpu1:8000/v1/"
        local = true
        temperature = 0
        body = { top_k = 5 }

        [providers.lab.models."med-*"]
        max_tokens = 700
        concurrency = 4
        body = { min_p = 0.1 }

        [providers.lab.models.med-tiny]
        model = "org/Med-Tiny"
        max_tokens = 90
        requests_per_minute = 60
        tokens_per_minute = 9000
        replay_reasoning = true

        [providers.openai]
        key_env = "WORK_KEY"
        key_file = "keys/work.txt"

        [providers.openai.models."gpt-4o"]
        price = { prompt = 1, completion = 2 }

        [providers.deepseek.models."deepseek-flash"]
        price = { prompt = 0.3, completion = 0.6 }
        """,
    )
    table = ModelTable.load(path)
    tiny = table.resolve("lab/med-tiny")
    assert (tiny.url, tiny.model, tiny.max_tokens) == ("http://gpu1:8000/v1", "org/Med-Tiny", 90)
    assert (tiny.requests_per_minute, tiny.tokens_per_minute) == (60, 9000)
    assert (tiny.concurrency, tiny.temperature, tiny.replay_reasoning) == (4, 0, True)
    assert tiny.body == {"top_k": 5, "min_p": 0.1}
    assert tiny.key_env == "LAB_API_KEY"
    assert table.resolve("lab/med-big").max_tokens == 700
    assert table.resolve("lab/other").max_tokens is None
    assert table.resolve("lab/med-tiny?max_tokens=5").max_tokens == 5
    work = table.resolve("openai/gpt-4o")
    assert (work.key_env, work.price) == ("WORK_KEY", Price(prompt=1, completion=2))
    assert work.key_file == str(tmp_path / "keys" / "work.txt")
    assert work.url == "https://api.openai.com/v1"
    assert (
        table.resolve("openai/gpt-4o-mini").price
        == ModelTable.load().resolve("openai/gpt-4o-mini").price
    )
    flash = table.resolve("deepseek/deepseek-flash")
    assert (flash.price, flash.json_formats) == (
        Price(prompt=0.3, completion=0.6),
        ("json_object",),
    )


def test_the_configuration_folder_is_read_and_a_named_file_overrides_it(tmp_path: Path) -> None:
    own_table().parent.mkdir(parents=True)
    own_table().write_text(
        '[providers.lab]\nurl = "http://a/v1"\nlocal = true\n[providers.ollama]\nseed = 3\n',
        encoding="utf-8",
    )
    assert ModelTable.load().resolve("lab/m").url == "http://a/v1"
    table = ModelTable.load(written(tmp_path, '[providers.lab]\nurl = "http://b/v1"\n'))
    assert table.resolve("lab/m").url == "http://b/v1"
    assert table.resolve("ollama/m").seed == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[providers.x", "is no TOML"),
        ("", "names no provider"),
        ("[models.x]", "models: does not belong here"),
        ("providers = 3", "names no provider"),
        ("[providers]\nx = 3", "expected a table"),
        ('[providers."a/b"]\nurl = "http://h"', "no name for a provider"),
        ('[providers."实验室"]\nurl = "http://h"', "no name for a provider"),
        ("[providers.x]\nlocal = true", "providers.x.url: is missing"),
        ('[providers.x]\nurl = "h:80"', "providers.x: 'h:80' is no http(s) address"),
        ('[providers.x]\nurl = "https://me:hidden@h/v1"', "key_env"),
        ('[providers.x]\nurl = "http://h"\nkey = "hidden"', "providers.x.key: a key does not"),
        ('[providers.openai]\napi_key = "hidden"', "key_env, or a file with key_file"),
        ('[providers.openai.body]\ntoken = "hidden"', "providers.openai.body.token"),
        ("[providers.openai]\ntemprature = 0", "did you mean temperature"),
        ('[providers.openai]\ntemperature = "warm"', "providers.openai.temperature"),
        ("[providers.openai]\ntemperature = -1", "temperature=-1"),
        ('[providers.openai]\nkey_env = "sk-hidden"', "providers.openai.key_env"),
        ("[providers.openai.models.m]\nprice = 3", "providers.openai.models.m.price"),
        ("[providers.openai.models.m]\nprice = {prompt = 3}", "m.price.completion: is missing"),
        ("[providers.openai.models.m]\nprice = {promt = 3}", "m.price"),
        ("[providers.openai.models.m]\nmax_tokens = 0", "max_tokens=0"),
        ("[providers.openai.models.m]\nurl = 'http://h'", "m.url: is no setting"),
    ],
)
def test_a_fault_in_ones_own_file_is_one_line_with_its_place(
    tmp_path: Path, text: str, says: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SpecError) as caught:
        ModelTable.load(path)
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert says in said
    assert "\n" not in said
    assert "hidden" not in said


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"nowhere\.toml: cannot be read"):
        ModelTable.load(tmp_path / "nowhere.toml")
    path = tmp_path / "latin.toml"
    path.write_bytes('# caf\u00e9\n[providers.x]\nurl="http://h"'.encode("latin-1"))
    with pytest.raises(SpecError, match="is not UTF-8"):
        ModelTable.load(path)


def test_identity_is_what_decides_replies(tmp_path: Path) -> None:
    table = ModelTable.load()
    one = table.resolve("openai/gpt-4o")
    assert one.identity == table.resolve("openai/gpt-4o?timeout=3&key_env=OTHER").identity
    assert one.identity != table.resolve("openai/gpt-4o?temperature=0").identity
    cheaper = written(
        tmp_path,
        "[providers.openai]\nconcurrency = 2\n"
        '[providers.openai.models."gpt-4o"]\nprice = {prompt = 0, completion = 0}',
    )
    assert ModelTable.load(cheaper).resolve("openai/gpt-4o").identity == one.identity
    elsewhere = written(tmp_path, '[providers.openai]\nurl = "http://proxy/v1"')
    assert ModelTable.load(elsewhere).resolve("openai/gpt-4o").identity != one.identity


@pytest.mark.parametrize(
    ("spec", "model"),
    [
        ("openai/gpt-4o", True),
        ("ollama/llama3.2:1b?temperature=0", True),
        ("http://h/v1#m", True),
        ("h/v1#m", True),
        ("autogen:client.json", True),
        ("http://h/v1", False),
        ("checklist", False),
        ("package.module:Class", False),
        ("exec:./doctor.py --x '#'", False),
        ("human:ann", False),
        ("patient=human:ann+http://h/v1#m", False),
        ("conference(openai/gpt-4o, http://h/v1#m; rounds=4)", False),
    ],
)
def test_a_models_spec_is_told_from_any_other(spec: str, model: bool) -> None:
    assert is_model(spec) is model


TABLE = ModelTable.load()


HEADS = st.sampled_from(["", "openai", "openai/m", "http://h", "http://h/v1#m", "http://u:p@h#m"])
MARKS = st.sampled_from(
    ["", "/", "#", "?", "?max_tokens=", "?body.", "?body.x=", "?key_env=", "%0a"]
)


@given(st.builds("".join, st.tuples(HEADS, MARKS, st.text(max_size=20), MARKS)))
def test_any_text_is_a_model_or_one_line(text: str) -> None:
    said = ""
    try:
        spec = TABLE.resolve(text)
    except SpecError as fault:
        said = str(fault)
    else:
        assert spec.url
        assert spec.model
    assert len(said.splitlines()) <= 1
