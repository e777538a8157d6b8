"""A model that names the diseases of a diagnosis text, as AI Hospital had a model do it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autogen_core.models import ChatCompletionClient, UserMessage

from agents.json_reply import json_values
from agents.model.model_reply import Completion
from prompts import Prompts
from records.diseases.disease_names import extract_diseases
from records.medical_record import Language
from records.message import Repair
from records.visit import CHIEF_PHYSICIAN

_MOST, _LONGEST = 60, 90
"""Names of a text, and characters of a name; more is a model that repeats itself."""
_FIELDS = ("name", "disease", "diagnosis", "疾病", "名称")
_MARK = re.compile(r"^\s*(?:[-*•·]|\(?\d{1,2}[.)、]|（\d{1,2}）)\s*")
_THINK = re.compile(r"<think>.*?</think>", re.S)


@dataclass(frozen=True)
class NamedDiseases:
    """What a model named."""

    names: tuple[str, ...]
    """Each once, in the model's order."""
    repairs: tuple[Repair, ...] = ()
    """`names_in_lines`: a list without JSON was read; `names_by_rule`: nothing could be read, and
    the names are those that the rules find."""
    raw: str = ""
    """The reply as it came."""


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

        Raises:
            ModelFailure: there is no reply, and why.
        """
        if not text.strip():
            return NamedDiseases(())
        request = self._prompts.render(language, CHIEF_PHYSICIAN, "extract_diseases", text=text)
        chat = [UserMessage(content=request, source="records")]
        reply = Completion.of(await self._client.create(chat)).text
        return read_names(reply, text, language)


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
    repair = Repair(kind="names_by_rule", detail=" ".join(answer.split())[:80])
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
