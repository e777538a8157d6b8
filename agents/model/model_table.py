"""The model table: providers and their models by name, `models.toml` and the user's own.

    [providers.NAME]                  # url, key_env, key_file, local, and any setting
    [providers.NAME.models."MODEL"]   # settings of one model, or of all that match MODEL with a *

Later files override earlier ones field by field: ours, `models.toml` in the user's configuration
folder, and the file named on the command line.
"""

from __future__ import annotations

import difflib
import fnmatch
import logging
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from platformdirs import user_config_path
from pydantic import ValidationError

from agents.errors import SpecError
from agents.model.model_spec import AUTOGEN, SECRETS, ModelSpec, Price, check_address
from agents.model.provider import ModelEntry, Provider

_log = logging.getLogger(__name__)

_ANY = "*"
"""Stands for any model of a provider."""


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
        tree = tomllib.loads(files("agents.model").joinpath("models.toml").read_text("utf-8"))
        providers = _providers(tree, "models.toml")
        own = own_table()
        for path in (*([own] if own.is_file() else []), *([user_file] if user_file else [])):
            _merge(tree, _read(path))
            providers = _providers(tree, path)
        return cls(providers)

    def resolve(self, text: str) -> ModelSpec:
        """The model that a spec names: `PROVIDER/MODEL`, `URL#MODEL`, or `autogen:FILE`.

        A model that the table does not list is taken as typed, with one warning: providers bring
        new ones every week.

        Raises:
            SpecError: it names none; the message has the nearest names.
        """
        text = text.strip()
        head, _, query = text.partition("?")
        if text.startswith(AUTOGEN):
            from agents.model.autogen_file import component_values

            return ModelSpec.of(component_values(head), query)
        if "#" in text.partition("/")[0] or "://" in head:
            return ModelSpec.parse(text)
        name, _, model = head.partition("/")
        provider = self.provider(name)
        if not model:
            listed = [f"{name}/{each}" for each in provider.listed[:3]]
            like = f", such as {', '.join(listed)}" if listed else ""
            raise SpecError(f"{text!r} names no model of {name}; write {name}/MODEL{like}")
        if provider.listed and model not in (*provider.listed, _ANY):
            self._warn(name, model, provider.listed)
        return ModelSpec.of(_values(name, provider, model), query)

    def provider(self, name: str) -> Provider:
        """A provider by name.

        Raises:
            SpecError: there is none; the message has the nearest names.
        """
        if name not in self.providers:
            raise SpecError(f"no provider {name!r}; {self._like(name)}")
        return self.providers[name]

    def listed(self) -> Iterator[tuple[str, ModelSpec]]:
        """Every model that is listed, with its name here, a provider at a time."""
        for name, provider in self.providers.items():
            for model in provider.listed:
                yield f"{name}/{model}", ModelSpec.of(_values(name, provider, model))

    def _like(self, name: str) -> str:
        for provider, entry in self.providers.items():
            if name.lower() in (provider, *entry.known_as):
                return f"did you mean {provider}?"
        return _near(name, self.providers)

    def _warn(self, name: str, model: str, listed: Iterable[str]) -> None:
        if f"{name}/{model}" in self._warned:
            return
        self._warned.add(f"{name}/{model}")
        near = difflib.get_close_matches(model, listed, n=3)
        hint = f"; near it are {', '.join(near)}" if near else ""
        _log.warning("the model table lists no %s/%s, asking for it as typed%s", name, model, hint)


def own_table() -> Path:
    """Where the user's own table is looked for, `hospital/models.toml` in the usual folder."""
    return user_config_path("hospital", appauthor=False) / "models.toml"


def _values(name: str, provider: Provider, model: str) -> dict[str, Any]:
    """What the table says of a model."""
    values: dict[str, Any] = {
        "url": provider.url.rstrip("/"),
        "provider": name,
        "model": model,
        "key_env": provider.key_env or f"{re.sub(r'[^A-Z0-9]+', '_', name.upper())}_API_KEY",
        "key_file": provider.key_file,
        "key_needed": not provider.local,
    }
    if provider.local:
        values["price"] = Price(prompt=0, completion=0)
    values = provider.over(values)
    # A pattern says what holds for many, so the model's own entry comes last.
    for pattern in sorted(provider.models, key=lambda pattern: pattern == model):
        if pattern == model or fnmatch.fnmatchcase(model, pattern):
            entry = provider.models[pattern]
            values = entry.over(values)
            values["model"] = entry.model or values["model"]
    return values


def _providers(tree: Mapping[str, Any], path: str | Path) -> dict[str, Provider]:
    """The providers of a merged tree; a fault is the last file's."""
    found = {}
    for name, entry in tree["providers"].items():
        where = f"providers.{name}"
        try:
            provider = Provider.model_validate(entry)
            check_address(provider.url)
            found[name] = provider
            for model in provider.models:
                ModelSpec.of(_values(name, provider, model))
        except ValidationError as error:
            raise _fault(path, where, error) from None
        except SpecError as error:
            raise SpecError(f"{path}: {where}: {error}") from None
    return found


def _fault(path: str | Path, where: str, error: ValidationError) -> SpecError:
    first = error.errors(include_url=False)[0]
    place = [str(part) for part in first["loc"]]
    what = first["msg"].lower()
    if first["type"] == "extra_forbidden":
        known: Iterable[str] = Price.model_fields if "price" in place else ModelEntry.model_fields
        if len(place) == 1:
            known = Provider.model_fields
        what = f"is no setting; {_near(place[-1], known)}"
    elif first["type"] == "missing":
        what = "is missing"
    return SpecError(f"{path}: {'.'.join([where, *place])}: {what}")


def _read(path: Path) -> dict[str, Any]:
    """A table of the user's; paths of key files in it are taken from its own folder.

    Raises:
        SpecError: it cannot be read, holds a key, or is no table of providers.
    """
    try:
        tree = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SpecError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise SpecError(f"{path}: is not UTF-8") from None
    except ValueError as error:
        raise SpecError(f"{path}: is no TOML: {error}") from None
    _refuse_keys(path, tree, ())
    others = [name for name in tree if name != "providers"]
    if others or not isinstance(tree.get("providers"), dict):
        what = f"{others[0]}: does not belong here" if others else "names no provider"
        raise SpecError(f"{path}: {what}; a table begins with [providers.NAME]")
    for name, entry in tree["providers"].items():
        if not isinstance(entry, dict):
            raise SpecError(f"{path}: providers.{name}: expected a table, [providers.{name}]")
        if not re.fullmatch(r"[A-Za-z][\w.-]*", name) or name == "autogen":
            raise SpecError(f"{path}: providers.{name}: is no name for a provider")
        if isinstance(file := entry.get("key_file"), str):
            entry["key_file"] = str(path.parent / Path(file).expanduser())
    return tree


def _refuse_keys(path: Path, tree: Mapping[str, Any], place: tuple[str, ...]) -> None:
    for name, value in tree.items():
        here = (*place, name)
        if name.lower() in SECRETS and place[-1:] not in (("providers",), ("models",)):
            raise SpecError(
                f"{path}: {'.'.join(here)}: a key does not belong in this file; name the variable "
                "that holds it with key_env, or a file with key_file"
            )
        if isinstance(value, Mapping):
            _refuse_keys(path, value, here)


def _merge(tree: dict[str, Any], more: Mapping[str, Any]) -> None:
    for name, value in more.items():
        if isinstance(value, Mapping) and isinstance(tree.get(name), dict):
            _merge(tree[name], value)
        else:
            tree[name] = value


def _near(name: str, names: Iterable[str]) -> str:
    known = list(names)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
