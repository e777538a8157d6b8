"""Trying a model out: what it and its endpoint can do, and what the client does about the rest.

Ten or so short calls, each for one question. What a model does once is no proof of what it always
does: "not followed" means in this one try.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

from autogen_core.models import LLMMessage, SystemMessage, UserMessage
from pydantic import BaseModel

from agents.json_reply import json_values
from agents.model.endpoint import Endpoint, connection_to
from agents.model.model_client import ModelClient
from agents.model.model_failure import FailureKind, ModelFailure
from agents.model.model_reply import Completion, read_reply
from agents.model.model_spec import ModelSpec
from agents.model.patience import Patience
from records.medical_record import Paper

_LIMIT = 256
"""Tokens of a reply to most questions, if the spec sets no lower limit."""
_SHORT = 16
_LEFT = "left to the model"
_PATIENCE = Patience(attempts=2, longest_wait=5.0, longest_asked_wait=20.0)

Outcome = Literal["yes", "handled", "no", "failed"]
"""It can; it cannot, and the client makes up for that; it cannot; the call failed."""


class Finding(Paper):
    """One thing that was tried."""

    what: str
    outcome: Outcome
    found: str
    """What the model or its endpoint did, in one line."""
    handling: str = ""
    """What the client does about it; empty if there is nothing to do."""


class ProbeReport(Paper):
    """What was found of a model."""

    spec: str
    url: str
    model: str
    answered: str | None = None
    """The model that the endpoint says answered."""
    findings: tuple[Finding, ...]
    failure: FailureKind | None = None
    """Why no reply came at all; None if one did."""

    @property
    def can_sit(self) -> bool:
        """True if the model can sit in a chair: it answers, and all else is made up for."""
        return self.failure is None


class _Verdict(BaseModel):
    """What the call for an object of a schema asks for."""

    colour: str
    wheels: int


async def probe(text: str, spec: ModelSpec, key: str | None = None) -> ProbeReport:
    """Try a model out; never raises what a model or its endpoint does.

    Args:
        text: the spec as typed.
        spec: what it stands for.
        key: of its endpoint.

    Raises:
        SpecError: an AutoGen component file holds no client.
    """
    trial = _Trial(spec, key or "none")
    try:
        return await trial.report(text)
    finally:
        await trial.close()


class _Trial:
    def __init__(self, spec: ModelSpec, key: str) -> None:
        self.spec = spec
        self.endpoint = Endpoint(spec.url, key, _PATIENCE)
        self.client = ModelClient(spec, self.endpoint)
        self.adaptation = self.endpoint.adaptations[spec.model]
        self.connection = connection_to(spec.url, key)
        self.lessons: list[str] = []
        self.limit = min(_LIMIT, spec.max_tokens or _LIMIT)

    async def close(self) -> None:
        await self.endpoint.close()
        await self.connection.close()

    async def report(self, text: str) -> ProbeReport:
        known = {"spec": text, "url": self.spec.url, "model": self.spec.model}
        began = time.monotonic()
        with self._learning():
            try:
                first = await self._ask("Say hello in one short sentence.")
            except ModelFailure as failure:
                broken = Finding(what="connection", outcome="failed", found=failure.reason)
                return ProbeReport(**known, findings=(broken,), failure=failure.kind)
            took = time.monotonic() - began
            who = first.model or "a model that it does not name"
            findings = [
                Finding(what="connection", outcome="yes", found=f"{who} answered in {took:.1f} s"),
                self._usage(first),
            ]
            tries: tuple[tuple[str, Callable[[], Awaitable[Finding]]], ...] = (
                ("system prompt", self._system),
                ("roles", self._roles),
                ("JSON object", self._json_object),
                ("JSON schema", self._json_schema),
                ("reasoning", self._reasoning),
                ("streaming", self._streaming),
                ("max tokens", self._max_tokens),
                ("temperature", self._temperature),
            )
            for what, attempt in tries:
                findings.append(await self._finding(what, attempt))
            for name in sorted(self.adaptation.dropped - {"temperature"}):
                refused = f"{getattr(self.spec, name)} is refused"
                findings.append(
                    Finding(what=name, outcome="handled", found=refused, handling=_LEFT)
                )
        return ProbeReport(**known, answered=first.model, findings=tuple(findings))

    async def _finding(self, what: str, attempt: Callable[[], Awaitable[Finding]]) -> Finding:
        self.lessons.clear()
        try:
            found = await attempt()
        except ModelFailure as failure:
            return Finding(what=what, outcome="failed", found=failure.reason)
        if self.lessons and not found.handling:
            return found.model_copy(update={"handling": "; ".join(self.lessons)})
        return found

    async def _ask(
        self, said: str, *, system: str | None = None, json: Any = None, **extra: Any
    ) -> Completion:
        messages: list[LLMMessage] = [SystemMessage(content=system)] if system else []
        messages.append(UserMessage(content=said, source="user"))
        return await self.client.create(
            messages, json_output=json, extra_create_args={"max_tokens": self.limit} | extra
        )

    @staticmethod
    def _usage(completion: Completion) -> Finding:
        if completion.usage_known:
            used = completion.usage
            found = f"{used.prompt_tokens} prompt and {used.completion_tokens} completion tokens"
            return Finding(what="usage", outcome="yes", found=found)
        return Finding(
            what="usage",
            outcome="handled",
            found="not reported",
            handling='counted as unknown; costs say "at least"',
        )

    async def _system(self) -> Finding:
        system = "You are a parrot. Whatever is said to you, answer with the one word Lantern."
        completion = await self._ask("Good morning.", system=system)
        followed = "lantern" in completion.text.lower()
        if self.adaptation.system_folded:
            return Finding(
                what="system prompt",
                outcome="handled",
                found="the system role is refused",
                handling="the system prompt opens the first user message",
            )
        return Finding(
            what="system prompt",
            outcome="yes" if followed else "no",
            found="taken and followed" if followed else "taken, and not followed in this try",
        )

    async def _roles(self) -> Finding:
        messages = [
            {"role": "system", "content": "Answer in one short sentence."},
            {"role": "user", "content": "I have a dog."},
            {"role": "user", "content": "What animal do I have?"},
        ]
        request = {"model": self.spec.model, "messages": messages, **self.spec.body}
        request[self.adaptation.tokens_field] = self.limit
        handling = "neighbouring messages of one role are sent as one"
        try:
            await self._raw(request)
        except ModelFailure as failure:
            if failure.kind is not FailureKind.REQUEST:
                raise
            return Finding(
                what="roles",
                outcome="handled",
                found=f"must alternate ({failure.reason})",
                handling=handling,
            )
        return Finding(what="roles", outcome="yes", found="need not alternate", handling=handling)

    async def _raw(self, request: Mapping[str, Any]) -> None:
        """A request past the client, which would set right what is tried here."""
        try:
            read_reply(await self.connection.post(request, self.spec.timeout))
        except ModelFailure as failure:
            if failure.kind not in (FailureKind.EMPTY, FailureKind.OUT_OF_TOKENS):
                raise

    async def _json_object(self) -> Finding:
        asked = 'What colour is a ripe tomato? Answer as a JSON object: {"colour": "…"}'
        listed = "json_object" in self.adaptation.formats
        completion = await self._ask(asked, json=True)
        read = next(json_values(completion.text, "{"), None) is not None
        return self._json("JSON object", "json_object", listed, read, completion)

    async def _json_schema(self) -> Finding:
        asked = (
            "A red bus has six wheels. Give its colour and its number of wheels as a JSON object "
            'with the keys "colour" and "wheels".'
        )
        listed = "json_schema" in self.adaptation.formats
        completion = await self._ask(asked, json=_Verdict)
        values = json_values(completion.text, "{")
        fits = any(isinstance(v, dict) and _fits(v) for v in values)
        return self._json("JSON schema", "json_schema", listed, fits, completion)

    def _json(
        self, what: str, name: str, listed: bool, read: bool, completion: Completion
    ) -> Finding:
        unread = "the reply could not be read as asked"
        if completion.finish_reason == "length":
            unread = "the reply was cut off by the limit of tokens"
        if name in self.adaptation.formats:
            found = "taken and kept to" if read else f"taken; {unread}"
            outcome: Outcome = "yes" if read else "no"
            return Finding(what=what, outcome=outcome, found=found)
        simpler = self.adaptation.formats[-1:] or ("words alone",)
        got = "the reply could be read" if read else unread
        return Finding(
            what=what,
            outcome="handled" if read else "no",
            found=("refused or ignored" if listed else "known not to be taken") + f"; {got}",
            handling=f"asked for by {simpler[0]}, and read tolerantly",
        )

    async def _reasoning(self) -> Finding:
        asked = "Which is larger, 9.11 or 9.9? Answer with the number alone."
        completion = await self._ask(asked)
        kinds = {repair.kind for repair in completion.repairs}
        effort = self.spec.reasoning_effort
        set_to = f" (reasoning_effort={effort})" if effort else ""
        if not completion.thought:
            return Finding(what="reasoning", outcome="yes", found=f"none is shown{set_to}")
        size = f"{len(completion.thought)} characters{set_to}"
        if "reasoning_in_content" in kinds:
            return Finding(
                what="reasoning",
                outcome="handled",
                found=f"shown within the answer, {size}",
                handling="cut out of the answer; no other role sees it",
            )
        replayed = "sent back to it" if self.spec.replay_reasoning else "never sent back"
        return Finding(
            what="reasoning",
            outcome="yes",
            found=f"shown beside the answer, {size}",
            handling=f"kept apart, {replayed}",
        )

    async def _streaming(self) -> Finding:
        pieces, last = 0, None
        said = UserMessage(content="Name the seven days of the week.", source="user")
        extra = {"max_tokens": self.limit}
        async for item in self.client.create_stream([said], extra_create_args=extra):
            if isinstance(item, Completion):
                last = item
            else:
                pieces += 1
        usage = "with usage" if last is not None and last.usage_known else "without usage"
        if pieces > 1:
            return Finding(what="streaming", outcome="yes", found=f"{pieces} pieces, {usage}")
        return Finding(
            what="streaming",
            outcome="handled",
            found=f"the reply came in one piece, {usage}",
            handling="shown when it is whole",
        )

    async def _max_tokens(self) -> Finding:
        asked = "Write out the numbers from one to two hundred in words."
        completion = await self._ask(asked, max_tokens=_SHORT)
        where = f"as {self.adaptation.tokens_field}"
        used = completion.usage.completion_tokens if completion.usage_known else None
        if completion.attempts > 1 and FailureKind.OUT_OF_TOKENS in completion.failures:
            return Finding(
                what="max tokens",
                outcome="handled",
                found=f"kept to {where}; reasoning used all {_SHORT} up",
                handling="asked again with four times the limit",
            )
        if completion.finish_reason == "length":
            return Finding(what="max tokens", outcome="yes", found=f"kept to, {where}")
        if used is not None and used > _SHORT:
            found = f"sent {where} and not kept to: {used} tokens for a limit of {_SHORT}"
            return Finding(what="max tokens", outcome="no", found=found)
        return Finding(what="max tokens", outcome="yes", found=f"sent {where}; the reply was short")

    async def _temperature(self) -> Finding:
        value = self.spec.temperature if self.spec.temperature is not None else 0.0
        await self._ask("Say yes.", temperature=value)
        if "temperature" in self.adaptation.dropped:
            return Finding(
                what="temperature",
                outcome="handled",
                found=f"{value:g} is refused",
                handling=_LEFT,
            )
        return Finding(what="temperature", outcome="yes", found=f"{value:g} is taken")

    @contextmanager
    def _learning(self) -> Iterator[None]:
        """Take down what the client says it learnt, in place of the log."""
        log, lessons = logging.getLogger("agents.model"), self.lessons

        class Notebook(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                lessons.append(record.getMessage())

        notebook = Notebook(logging.WARNING)
        propagated, log.propagate = log.propagate, False
        log.addHandler(notebook)
        try:
            yield
        finally:
            log.removeHandler(notebook)
            log.propagate = propagated


def _fits(value: dict[str, Any]) -> bool:
    try:
        _Verdict.model_validate(value)
    except ValueError:
        return False
    return True
