"""The model table: providers and their models by name, `models.toml` and the user's own.

    [providers.NAME]                  # url, key_env, key_file, key_needed, local, and any setting
    [providers.NAME.models."MODEL"]   # settings of one model, or of all that match MODEL with a *

Later files override earlier ones field by field: ours, `models.toml` in the user's configuration
folder, and the file named on the command line.
"""

from __future__ import annotations

import difflib
import fnmatch
import logging
import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from platformdirs import user_config_path
from pydantic import Field

from agents.errors import SpecError
from agents.model.model_spec import AUTOGEN, JsonFormat, ModelSpec, Price
from records.medical_record import Paper

_log = logging.getLogger(__name__)

_SECRETS = frozenset({"key", "api_key", "apikey", "token", "password", "secret"})


class Settings(Paper):
    """Settings of one model, or of all of a provider's; None leaves them as they are."""

    temperature: float | None = None
    max_tokens: int | None = None
    top_p: float | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    timeout: float | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    concurrency: int | None = None
    replay_reasoning: bool | None = None
    price: Price | None = None
    tokens_field: str | None = None
    json_formats: tuple[JsonFormat, ...] | None = None
    refuses: tuple[str, ...] | None = None
    body: dict[str, Any] = Field(default_factory=dict)

    def over(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """These values with what is set here; fields of the body one by one."""
        own = {
            name: value
            for name in Settings.model_fields
            if (value := getattr(self, name)) is not None
        }
        return {**values, **own, "body": {**values.get("body", {}), **self.body}}


class ModelEntry(Settings):
    """One model, or a pattern of names."""

    model: str | None = None
    """What the provider calls it, where its name here is another."""


class Provider(Settings):
    """An endpoint by name."""

    url: str
    key_env: str = "OPENAI_API_KEY"
    key_file: str | None = None
    local: bool = False
    """A server of one's own: no key needed, price 0."""
    models: dict[str, ModelEntry] = Field(default_factory=dict)

    @property
    def listed(self) -> tuple[str, ...]:
        """Names of the models in the table, patterns left out."""
        return tuple(name for name in self.models if "*" not in name)


class ModelTable:
    """Providers by name."""

    def __init__(self, providers: Mapping[str, Provider]) -> None:
        self.providers = dict(providers)
        self._warned: set[str] = set()

    @classmethod
    def load(cls, user_file: Path | None = None) -> ModelTable:
        """Ours, the configuration folder's, and the file that the user named.

        Raises:
            SpecError: a file cannot be read or holds what does not belong there: which, and where.
        """
        tree: dict[str, Any] = {}
        ours = tomllib.loads(files("agents.model").joinpath("models.toml").read_text("utf-8"))
        _merge(tree, ours)
        own = user_config_path("hospital", appauthor=False) / "models.toml"
        for path in (*((own,) if own.is_file() else ()), *((user_file,) if user_file else ())):
            _merge(tree, _read(path))
        return cls(
            {name: Provider.model_validate(entry) for name, entry in tree["providers"].items()}
        )

    def resolve(self, text: str) -> ModelSpec:
        """The model that a spec names: `PROVIDER/MODEL`, `URL#MODEL`, or `autogen:FILE`.

        A model that the table does not list is taken as typed, with one warning: providers bring
        new ones every week.

        Raises:
            SpecError: it names none; the message has the nearest names.
        """
        text = text.strip()
        if text.startswith(AUTOGEN):
            path, _, query = text.partition("?")
            known = {"url": path, "model": path.removeprefix(AUTOGEN), "provider": "autogen"}
            return ModelSpec.of(known, query)
        head, _, query = text.partition("?")
        if "#" in head:
            return ModelSpec.parse(text)
        name, _, model = head.partition("/")
        provider = self.providers.get(name)
        if provider is None:
            raise SpecError(f"no provider {name!r}; {_near(name, self.providers)}")
        if not model:
            listed = provider.listed[:3]
            like = f", such as {', '.join(f'{name}/{m}' for m in listed)}" if listed else ""
            raise SpecError(f"{text!r} names no model of {name}; write {name}/MODEL{like}")
        values: dict[str, Any] = {
            "url": provider.url.rstrip("/"),
            "model": model,
            "provider": name,
            "key_env": provider.key_env,
            "key_file": provider.key_file,
            "key_needed": not provider.local,
        }
        if provider.local:
            values["price"] = Price(prompt=0, completion=0)
        values = provider.over(values)
        for pattern, entry in provider.models.items():
            if pattern == model or ("*" in pattern and fnmatch.fnmatchcase(model, pattern)):
                values = entry.over(values)
                values["model"] = entry.model or model
        if provider.listed and model not in provider.listed:
            self._warn(name, model, provider)
        return ModelSpec.of(values, query)

    def _warn(self, name: str, model: str, provider: Provider) -> None:
        if model not in self._warned:
            self._warned.add(model)
            hint = _near(model, provider.listed)
            _log.warning(
                "%s/%s is not in the model table, asking for it all the same; %s", name, model, hint
            )


def _near(name: str, names: Iterable[str]) -> str:
    known = list(names)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"


def _merge(tree: dict[str, Any], more: Mapping[str, Any]) -> None:
    for name, value in more.items():
        if isinstance(value, Mapping) and isinstance(tree.get(name), dict):
            _merge(tree[name], value)
        else:
            tree[name] = value


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SpecError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise SpecError(f"{path}: is no TOML: {error}") from None
