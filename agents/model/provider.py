"""A provider of the model table, as its TOML says it: an endpoint, and settings of its models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from agents.model.model_spec import JsonFormat, Price
from records.medical_record import Paper


class Settings(Paper):
    """Settings as `ModelSpec` has them; None leaves them as they are."""

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
    tokens_field: Literal["max_tokens", "max_completion_tokens"] | None = None
    json_formats: tuple[JsonFormat, ...] | None = None
    body: dict[str, Any] = Field(default_factory=dict)

    def over(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """These values with what is set here; fields of the body one by one."""
        settings = {name: getattr(self, name) for name in Settings.model_fields}
        own = {name: value for name, value in settings.items() if value is not None}
        return {**values, **own, "body": {**values.get("body", {}), **self.body}}


class ModelEntry(Settings):
    """One model, or all whose names match a pattern."""

    model: str | None = None
    """What the provider calls it, where its name here is another."""


class Provider(Settings):
    """An endpoint by name; its settings hold for all its models that set no other."""

    url: str
    """Base URL, to which `/chat/completions` is added."""
    key_env: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    """None is NAME_API_KEY: no other provider's key is ever sent here."""
    key_file: str | None = None
    local: bool = False
    """A server of one's own: no key is needed, and the price is 0."""
    known_as: tuple[str, ...] = ()
    """Names under which it is looked for in vain."""
    models: dict[str, ModelEntry] = Field(default_factory=dict)

    @property
    def listed(self) -> tuple[str, ...]:
        """Names of the models in the table, patterns left out."""
        return tuple(name for name in self.models if "*" not in name)
