"""A model that names the diseases of a diagnosis text, as AI Hospital had a model do it."""

from __future__ import annotations

import re
from asyncio import Lock
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace

from autogen_core.models import ChatCompletionClient, UserMessage

from agents.errors import SeatError
from agents.json_reply import json_values
from agents.mind import Mind
from agents.model.meter import Meter
from agents.model.model_failure import FailureKind, ModelFailure
from prompts import Prompts
from records.diseases.disease_names import extract_diseases
from records.medical_record import Language, canonical_hash
from records.message import Repair
from records.visit import CHIEF_PHYSICIAN, Usage

_MOST, _LONGEST = 60, 90
"""Names of a text, and characters of a name; more is a model that repeats itself."""
_BY_RULE = "names_by_rule"
_IN_VAIN = (FailureKind.CONTENT_FILTERED, FailureKind.OUT_OF_TOKENS)
_FIELDS = ("name", "disease", "diagnosis", "疾病", "名称")
_MARK = re.compile(r"^\s*(?:[-*•·]|\(?\d{1,2}[.)、]|（\d{1,2}）)\s*")
_THINK = re.compile(r"<think>.*?</think>", re.S)


@dataclass(frozen=True)
class NamedDiseases:
    """What a model named."""

    names: tuple[str, ...]
    """Each once, in the model's order."""
    repairs: tuple[Repair, ...] = ()
    """What the model client read in spite of, and `names_in_lines`: a list without JSON was read;
    `names_by_rule`: no names could be read, and these are those that the rules find."""
    raw: str = ""
    """The reply as it came."""
    usage: Usage | None = None
    """What the model used; None where that is not counted."""
    cost: float | None = None
    """US dollars; None is unknown."""

    @property
    def by_rule(self) -> bool:
        """True if the names are those of the rules."""
        return any(repair.kind == _BY_RULE for repair in self.repairs)


class DiseaseReader:
    """Names diseases with a model; what cannot be read is left to the rules, with a note.

    Args:
        client: the model's.
        prompts: the request.
    """

    def __init__(self, client: ChatCompletionClient, prompts: Prompts) -> None:
        self._client = client
        self._prompts = prompts

    async def read(self, text: str, language: Language) -> NamedDiseases:
        """Name the diseases that a diagnosis text claims; a blank text is not asked about.

        The rules name them too where the endpoint's filter refuses the text, and where the model
        thought until its limit of tokens: asking again would not help.

        Raises:
            SeatError: there is no reply, and why.
        """
        if not text.strip():
            return NamedDiseases(())
        request = self._prompts.render(language, CHIEF_PHYSICIAN, "extract_diseases", text=text)
        mind = Mind(self._client, CHIEF_PHYSICIAN)
        try:
            reply = await mind.think([UserMessage(content=request, source="records")])
        except SeatError as failure:
            cause = failure.__cause__
            if isinstance(cause, ModelFailure) and cause.kind in _IN_VAIN:
                return _named_by_rule(text, language, failure.reason)
            raise
        named = read_names(reply.text, text, language)
        return replace(named, repairs=(*reply.repairs, *named.repairs))


class MeteredReader:
    """A `DiseaseReader` whose answers say what they cost.

    Args:
        make: makes the reader of one text, whose calls the meter counts.
    """

    def __init__(self, make: Callable[[Meter], DiseaseReader]) -> None:
        self._make = make
        self._reading: defaultdict[tuple[Language, str], Lock] = defaultdict(Lock)

    async def read(self, text: str, language: Language) -> NamedDiseases:
        """Name the diseases that a diagnosis text claims.

        Whoever asks about a text that is being read waits for it: what it said is in the journal
        then, and not paid for twice.

        Raises:
            SeatError: there is no reply, and why.
        """
        meter = Meter()
        async with self._reading[language, text]:
            named = await self._make(meter).read(text, language)
        usage = meter.usage.get(CHIEF_PHYSICIAN)
        return replace(named, usage=usage, cost=meter.cost if meter.cost_complete else None)


def words_of(prompts: Prompts) -> str:
    """Hash of what a model is asked with, whatever else the house says."""
    asked = [
        prompts.render(language, CHIEF_PHYSICIAN, "extract_diseases", text="")
        for language in ("zh", "en")
    ]
    return canonical_hash(asked)[:8]


def read_names(reply: str, text: str, language: Language) -> NamedDiseases:
    """Read a model's list of names, whatever shape it came in.

    Args:
        reply: JSON list of strings or objects, an object that holds one, or lines with marks.
        text: what the names were asked of; the rules read it where the reply holds no list.
        language: the text's.
    """
    answer = _THINK.sub("", reply).rpartition("</think>")[2]
    for opener in "[{":
        for value in json_values(answer, opener):
            found = _listed(value)
            if found is not None:
                return NamedDiseases(_tidy(found), raw=reply)
    marked = [_MARK.sub("", line) for line in answer.splitlines() if _MARK.match(line)]
    if marked:
        return NamedDiseases(_tidy(marked), (Repair(kind="names_in_lines"),), reply)
    return _named_by_rule(text, language, " ".join(answer.split())[:80], reply)


def _named_by_rule(text: str, language: Language, why: str, reply: str = "") -> NamedDiseases:
    repair = Repair(kind=_BY_RULE, detail=why)
    return NamedDiseases(extract_diseases(text, language), (repair,), reply)


def _listed(value: object) -> list[str] | None:
    """The names in a JSON value; None if it holds no list of them."""
    if isinstance(value, dict):
        held = (_listed(inner) for inner in value.values() if isinstance(inner, list))
        return next((names for names in held if names is not None), None)
    if not isinstance(value, list):
        return None
    names = []
    for item in value:
        if isinstance(item, dict):
            item = next((item[field] for field in _FIELDS if field in item), None)
        if not isinstance(item, str):
            return None
        names.append(item)
    return names


def _tidy(names: list[str]) -> tuple[str, ...]:
    plain = (" ".join(name.split()).strip("。.;；,，、 \"'`*") for name in names)
    return tuple(dict.fromkeys(name for name in plain if 1 < len(name) <= _LONGEST))[:_MOST]
