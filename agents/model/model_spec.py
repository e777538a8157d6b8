"""A model's spec, `URL#MODEL?temperature=0`: which endpoint, which model, how set."""

from __future__ import annotations

import difflib
import json
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from pydantic import Field, ValidationError

from agents.errors import SpecError
from records.medical_record import Paper

_EXAMPLE = "http://127.0.0.1:8000/v1#my-model?temperature=0"
_BODY = "body."
_SECRETS = frozenset({"key", "api_key", "apikey", "token", "password", "secret"})


class ModelSpec(Paper):
    """Which model of which OpenAI-compatible endpoint, and its settings."""

    url: str
    """Base URL, to which `/chat/completions` is added."""
    model: str = Field(min_length=1)
    temperature: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=1)
    """Longest reply, in tokens; None leaves it to the endpoint."""
    top_p: float | None = Field(default=None, gt=0, le=1)
    seed: int | None = None
    reasoning_effort: str | None = None
    timeout: float = Field(default=300.0, gt=0, allow_inf_nan=False)
    """Longest wait for one reply, in seconds."""
    key_env: str = Field(default="OPENAI_API_KEY", pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    """The environment variable that holds the key."""
    body: dict[str, Any] = Field(default_factory=dict)
    """Further fields of the request, as `body.NAME=VALUE`; a value that is JSON is read as such."""

    @classmethod
    def parse(cls, text: str) -> ModelSpec:
        """Read a spec as typed on the command line.

        Raises:
            SpecError: it is not one, or sets something that there is not.
        """
        url, _, rest = text.strip().partition("#")
        model, _, query = rest.partition("?")
        address = urlsplit(url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise SpecError(f"{url!r} is no http(s) address; a model is given as {_EXAMPLE}")
        if address.username or address.password:
            raise SpecError(
                "the address holds a user name or password, which would be written into the run; "
                "set the key in the environment and name the variable with key_env="
            )
        if not model:
            raise SpecError(f"{url} names no model; add one after a #, as in {_EXAMPLE}")
        values: dict[str, Any] = {"body": {}}
        for name, value in parse_qsl(query, keep_blank_values=True):
            if name.startswith(_BODY) and len(name) > len(_BODY):
                values["body"][name.removeprefix(_BODY)] = _json_or_text(value)
            elif name in PARAMETERS:
                values[name] = value
            elif name.lower() in _SECRETS:
                raise SpecError(
                    f"a spec is written into the run, so it holds no {name}; set the key in the "
                    "environment and name the variable with key_env="
                )
            else:
                near = difflib.get_close_matches(name, PARAMETERS, n=2)
                hint = f"did you mean {' or '.join(near)}?" if near else ""
                raise SpecError(
                    f"unknown model parameter {name!r}; {hint or 'there are'} "
                    f"{', '.join(PARAMETERS) + ', body.NAME' if not hint else ''}".strip()
                )
        base = url.rstrip("/").removesuffix("/chat/completions")
        try:
            return cls(url=base, model=model, **values)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"])
            raise SpecError(
                f"model parameter {name}={first['input']}: {first['msg'].lower()}"
            ) from None


PARAMETERS = tuple(name for name in ModelSpec.model_fields if name not in ("url", "model", "body"))
"""What may stand after the question mark."""


def _json_or_text(value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError:
        return value
