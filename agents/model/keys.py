"""Where an endpoint's key is looked for; the key itself goes nowhere but to that endpoint.

Looked in, in this order: the file named on the command line, the environment, `.env` in the working
directory, the file that the model table names for the provider.
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from dotenv import dotenv_values

from agents.errors import SpecError
from agents.model.model_spec import ModelSpec
from records.secrets import keep_secret

_TELLING = ("KEY", "TOKEN", "SECRET", "PASSWORD")


class Keys:
    """The user's keys, by the name of the variable that holds them.

    Args:
        key_file: of `NAME=VALUE` lines, named on the command line.
        directory: whose `.env` is read. [default: the working directory]
        environment: [default: the process's]
    """

    def __init__(
        self,
        key_file: Path | None = None,
        *,
        directory: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._key_file = key_file
        self._dotenv = (directory or Path()) / ".env"
        self._environment = os.environ if environment is None else environment

    def find(self, spec: ModelSpec) -> str | None:
        """The key of a model's endpoint; None if there is none, and it may do without.

        Raises:
            SpecError: it needs one: the message says which and where it was looked for. Or a file
                of keys cannot be read.
        """
        name = spec.key_env
        key = self._named.get(name) or self._environment.get(name) or self._beside.get(name)
        if not key and spec.key_file:
            key = _one_key(Path(spec.key_file).expanduser(), name)
        if key and (key := key.strip()):
            keep_secret(key)
            return key
        if spec.key_needed:
            who = f"{spec.provider}/{spec.model}" if spec.provider else spec.url
            files = [str(path) for path in (self._key_file, spec.key_file) if path]
            looked = ", ".join(["the environment", ".env in the working directory", *files])
            raise SpecError(
                f"{who} needs a key: no {name} in {looked}; "
                f"set {name}, or name a file of NAME=VALUE lines with --key-file"
            )
        return None

    @cached_property
    def _named(self) -> dict[str, str]:
        if self._key_file is None:
            return {}
        found = _read(self._key_file)
        if not found:
            raise SpecError(f"{self._key_file}: holds no key; write lines such as OPENAI_API_KEY=…")
        return found

    @cached_property
    def _beside(self) -> dict[str, str]:
        return _read(self._dotenv) if self._dotenv.is_file() else {}


def _one_key(path: Path, name: str) -> str:
    """The key in a provider's own file: alone on its line, or under the variable's name."""
    text = _text(path)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1 and "=" not in lines[0].rstrip("="):
        return lines[0]
    return _read(path).get(name, "")


def _read(path: Path) -> dict[str, str]:
    values = dotenv_values(stream=io.StringIO(_text(path)), interpolate=False)
    found = {name: value for name, value in values.items() if value}
    for name, value in found.items():
        if any(sign in name.upper() for sign in _TELLING):
            keep_secret(value)
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SpecError(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise SpecError(f"{path}: is not UTF-8") from None
