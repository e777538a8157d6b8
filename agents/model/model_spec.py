"""A model's spec: which endpoint, which model, how set, and what the endpoint is like.

Typed as `URL#MODEL?temperature=0`, as `PROVIDER/MODEL?temperature=0` (a provider of the model
table), or as `autogen:FILE`.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

from pydantic import Field, ValidationError

from agents.errors import SpecError
from records.medical_record import Paper, canonical_hash

AUTOGEN = "autogen:"
"""How the spec of an AutoGen component file begins."""

SECRETS = frozenset({"key", "api_key", "apikey", "token", "password", "secret"})
"""Names of what belongs neither in a spec nor in a table."""

JsonFormat = Literal["json_schema", "json_object"]

_EXAMPLE = "http://127.0.0.1:8000/v1#my-model?temperature=0"
_BODY = "body."
_TABLE_NAME = re.compile(r"[A-Za-z][\w.-]*/[^/]")
_ADDRESS = re.compile(r"[^\s#]*#")
_NO_MODEL = re.compile(r"exec:|human:|[a-z_]+[(=]")


class Price(Paper):
    """What a model costs, in US dollars per million tokens."""

    prompt: float = Field(ge=0, allow_inf_nan=False)
    completion: float = Field(ge=0, allow_inf_nan=False)

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """US dollars for so many tokens."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


class ModelSpec(Paper):
    """Which model of which OpenAI-compatible endpoint, and its settings."""

    url: str
    """Base URL, to which `/chat/completions` is added."""
    model: str = Field(min_length=1)
    provider: str | None = None
    """Name in the model table; None for a model given by address."""
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
    key_file: str | None = None
    """A file that holds the key, from the user's model table."""
    key_needed: bool = False
    """True if without a key nothing need be asked; False sends one where there is one."""
    requests_per_minute: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    tokens_per_minute: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    concurrency: int | None = Field(default=None, ge=1)
    """Calls under way at once."""
    component: str | None = None
    """Of an AutoGen component file, the hash of its content."""
    replay_reasoning: bool = False
    """Send a reply's reasoning back as `reasoning_content`; most refuse it."""
    price: Price | None = None
    """None if unknown."""
    tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """The request's field that `max_tokens` is sent in."""
    json_formats: tuple[JsonFormat, ...] = ("json_schema", "json_object")
    """Response formats that the model takes."""
    body: dict[str, Any] = Field(default_factory=dict)
    """Further fields of the request, as `body.NAME=VALUE`; a value that is JSON is read as such."""

    @property
    def identity(self) -> str:
        """Hash of what decides the replies; price, limits, time limit and key are not in it."""
        return canonical_hash(self.model_dump(mode="json", include=_DECIDING))

    @classmethod
    def parse(cls, text: str) -> ModelSpec:
        """Read a `URL#MODEL` spec as typed on the command line.

        Raises:
            SpecError: it is not one, or sets something that there is not.
        """
        url, _, rest = text.strip().partition("#")
        model, _, query = rest.partition("?")
        check_address(url)
        if not model:
            raise SpecError(f"{url!r} names no model; add one after a #, as in {_EXAMPLE}")
        base = url.rstrip("/").removesuffix("/chat/completions")
        return cls.of({"url": base, "model": model}, query)

    @classmethod
    def of(cls, known: Mapping[str, Any], query: str = "") -> ModelSpec:
        """What is known of a model, with the parameters that were typed after a question mark.

        Raises:
            SpecError: a parameter is not one, or has no such value.
        """
        values: dict[str, Any] = dict(known) | {"body": dict(known.get("body", {}))}
        for name, value in parse_qsl(query, keep_blank_values=True):
            if name.startswith(_BODY) and len(name) > len(_BODY):
                values["body"][name.removeprefix(_BODY)] = _json_or_text(value)
            elif name in PARAMETERS:
                values[name] = value
            elif name.lower() in SECRETS:
                raise SpecError(
                    f"a spec is written into the run, so it holds no {name}; set the key in the "
                    "environment and name the variable with key_env="
                )
            else:
                near = difflib.get_close_matches(name, PARAMETERS, n=2)
                hint = f"did you mean {' or '.join(near)}?" if near else "there are"
                every = "" if near else f" {', '.join(PARAMETERS)}, body.NAME"
                raise SpecError(f"unknown model parameter {name!r}; {hint}{every}")
            if name == "key_env":
                values["key_needed"] = True
        try:
            return cls(**values)
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"])
            if name == "key_env":
                # A key that was typed in its place must not be shown.
                raise SpecError("key_env= is the name of a variable, not the key itself") from None
            given = " ".join(str(first["input"]).split())
            raise SpecError(f"model parameter {name}={given}: {first['msg'].lower()}") from None


PARAMETERS = (
    "temperature",
    "max_tokens",
    "top_p",
    "seed",
    "reasoning_effort",
    "timeout",
    "key_env",
    "requests_per_minute",
    "tokens_per_minute",
    "concurrency",
    "replay_reasoning",
)
"""What may stand after the question mark."""

_DECIDING = {
    "url",
    "model",
    "component",
    "temperature",
    "max_tokens",
    "top_p",
    "seed",
    "reasoning_effort",
    "replay_reasoning",
    "body",
}


def check_address(url: str) -> None:
    """Check that an address is one of http(s) and holds no secret.

    Raises:
        SpecError: it is not; the message does not repeat the secret.
    """
    try:
        address = urlsplit(url)
    except ValueError:
        raise SpecError(f"{url!r} is no http(s) address; a model is given as {_EXAMPLE}") from None
    if address.username or address.password or SECRETS & {n for n, _ in parse_qsl(address.query)}:
        raise SpecError(
            "the address holds a user name, password or key, which would be written into the run; "
            "set the key in the environment and name the variable with key_env="
        )
    if address.scheme not in ("http", "https") or not address.hostname:
        raise SpecError(f"{url!r} is no http(s) address; a model is given as {_EXAMPLE}")


def is_model(spec: str) -> bool:
    """True if a seat's spec names a model, rightly or not, and not a class or a command."""
    if _NO_MODEL.match(spec):
        return False
    return bool(spec.startswith(AUTOGEN) or _TABLE_NAME.match(spec) or _ADDRESS.match(spec))


def _json_or_text(value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError:
        return value
