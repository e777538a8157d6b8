"""Where keys are looked for, and that they are shown nowhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agents.errors import SpecError
from agents.model.keys import Keys
from agents.model.model_spec import ModelSpec
from records.secrets import MASK, masked

NAME = "LAB_KEY"


def spec(key_file: Path | None = None, needed: bool = True) -> ModelSpec:
    return ModelSpec(
        url="http://h/v1",
        model="m",
        provider="lab",
        key_env=NAME,
        key_file=str(key_file) if key_file else None,
        key_needed=needed,
    )


def filed(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_the_places_in_their_order(tmp_path: Path) -> None:
    named = filed(tmp_path / "keys", f"{NAME}=from-the-command\n")
    own = filed(tmp_path / "own", "from-the-table\n")
    filed(tmp_path / ".env", f"# mine\nexport {NAME}='from-dotenv'\n")
    environment = {NAME: "from-environment"}

    def found(key_file: Path | None, environment: dict[str, str], where: Path) -> str | None:
        return Keys(key_file, directory=where, environment=environment).find(spec(own))

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert found(named, environment, tmp_path) == "from-the-command"
    assert found(None, environment, tmp_path) == "from-environment"
    assert found(None, {}, tmp_path) == "from-dotenv"
    assert found(None, {}, elsewhere) == "from-the-table"
    assert found(None, {NAME: ""}, tmp_path) == "from-dotenv"


def test_the_environment_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(NAME, raising=False)
    filed(tmp_path / ".env", f"{NAME}=key-of-the-lab\nOTHER_SECRET=and-another-one\n")
    assert Keys().find(spec()) == "key-of-the-lab"
    assert NAME not in os.environ
    assert masked("key-of-the-lab and-another-one") == f"{MASK} {MASK}"


def test_a_providers_own_file_may_hold_the_key_alone_or_by_name(tmp_path: Path) -> None:
    keys = Keys(directory=tmp_path, environment={})
    assert keys.find(spec(filed(tmp_path / "a", "sk-abc=="))) == "sk-abc=="
    assert keys.find(spec(filed(tmp_path / "b", f"X=1\n{NAME}=sk-def\n"))) == "sk-def"
    with pytest.raises(SpecError, match=NAME):
        keys.find(spec(filed(tmp_path / "c", "OTHER=sk-ghi\n")))


def test_a_key_that_is_needed_and_missing_is_one_line(tmp_path: Path) -> None:
    named = filed(tmp_path / "keys", "OTHER=1\n")
    with pytest.raises(SpecError) as caught:
        Keys(named, directory=tmp_path, environment={}).find(spec())
    said = str(caught.value)
    assert "lab/m needs a key" in said
    for place in (NAME, "the environment", ".env", str(named), "--key-file"):
        assert place in said
    assert "\n" not in said
    assert Keys(directory=tmp_path, environment={}).find(spec(needed=False)) is None


@pytest.mark.parametrize("content", [b"", b"just-a-key", b"\xff\xfe"])
def test_a_named_file_that_holds_no_keys_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "keys"
    path.write_bytes(content)
    with pytest.raises(SpecError) as caught:
        Keys(path, directory=tmp_path, environment={}).find(spec())
    assert str(path) in str(caught.value)
    assert "just-a-key" not in str(caught.value)
    with pytest.raises(SpecError, match="cannot be read"):
        Keys(tmp_path / "nowhere", directory=tmp_path, environment={}).find(spec())
