"""The Examiner with a model: the model names what is asked for, the record alone answers.

Two steps, as in AI Hospital (arXiv 2402.09742, section 2.1): name the examinations of a request,
refusing one that names none; give back the recorded result of each, word for word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from autogen_core.models import ChatCompletionClient, UserMessage

from agents.json_reply import json_values
from agents.mind import Mind
from agents.model.model_reply import Completion
from prompts import Prompts
from records.views import ExaminerView
from records.visit import (
    CHIEF_PHYSICIAN,
    DOCTOR,
    EXAMINER,
    Answer,
    Message,
    Repair,
    Trace,
    Unrecorded,
)

_MOST_NAMES = 40
_LONGEST_NAME = 100
_SWEEPING = re.compile(
    r"\b(?:all|any|each|every\w*|anything|whatever|whichever|complete set|results?)\b"
    r"|^\W*(?:the |some |more |other )?(?:tests?|exam(?:ination)?s?|labs?|scans?|work-?up)\W*$"
    r"|所有|全部|任何|一切|各项|各种|全套|结果"
    r"|^\W*(?:相关|其他|进一步)?(?:的)?(?:检查|检验|化验|检测)\W*$",
    re.IGNORECASE,
)
"""What names no examination, whatever a model took it for."""


class ModelExaminer:
    """An `Npc` over `ExaminerView`.

    Args:
        client: the model's; it is shown the request and nothing of the record.
        prompts: the request to name examinations, and the words of reports and refusals.
        unrecorded: what is said of an examination that is not on record.
    """

    def __init__(
        self,
        client: ChatCompletionClient,
        prompts: Prompts,
        unrecorded: Unrecorded = "unavailable",
    ) -> None:
        self._mind = Mind(client, EXAMINER)
        self._prompts = prompts
        self._unrecorded = unrecorded

    async def reply(
        self, view: ExaminerView, transcript: Sequence[Message], seed: int
    ) -> tuple[Message, ...]:
        """Report the results that the last message asks for, to the doctor.

        The seed is not used: nothing here is left to chance but the model.

        Raises:
            SeatError: the model failed.
        """
        from records.examinations.requests import match_request

        asked = transcript[-1]
        prompt = self._prompts.render(
            view.language, EXAMINER, "name_examinations", request=asked.text
        )
        completion = await self._mind.think([UserMessage(content=prompt, source=asked.role)])
        repairs = list(completion.repairs)
        own = match_request(asked.text, view.examinations, view.language)
        names = _names(completion)
        found: list[tuple[str, tuple[str, ...]]] = []
        if names is None:
            repairs.append(Repair(kind="examinations_unreadable"))
            found = [] if own.vague else [(item.asked, item.ids) for item in own.items]
        else:
            # Where our own reading finds no examination named, the model may not have made any up.
            invented = [n for n in names if own.vague and not _stands_in(n, asked.text)]
            if invented:
                detail = ", ".join(invented)[:200]
                repairs.append(Repair(kind="examinations_invented", detail=detail))
            for name in names:
                if name in invented:
                    continue
                match = match_request(name, view.examinations, view.language)
                ids = dict.fromkeys(i for item in match.items for i in item.ids)
                # A name that our reading does not know may still be one, but "all" is not.
                if match.items or not _SWEEPING.search(name):
                    found.append((name, tuple(ids)))
        return (self._message(view, asked, found, completion, tuple(repairs)),)

    def _message(
        self,
        view: ExaminerView,
        asked: Message,
        found: list[tuple[str, tuple[str, ...]]],
        completion: Completion,
        repairs: tuple[Repair, ...],
    ) -> Message:
        by_id = {item.id: item for item in view.examinations}
        ids = tuple(dict.fromkeys(i for _, some in found for i in some))
        missing = [name for name, some in found if not some]
        absent = "assumed_normal" if self._unrecorded == "normal" else "unavailable"
        if found:
            text = self._prompts.render(
                view.language,
                EXAMINER,
                "report_results",
                results=[by_id[i] for i in ids],
                missing=missing,
                unrecorded=self._unrecorded,
            )
            answers = tuple(
                Answer(asked=name, kind="recorded" if some else absent, ids=some)
                for name, some in found
            )
        else:
            text = self._prompts.render(view.language, EXAMINER, "refuse")
            answers = (Answer(asked=asked.text, kind="refused"),)
        return Message(
            turn=asked.turn,
            role=EXAMINER,
            speaker=EXAMINER,
            addressee=CHIEF_PHYSICIAN if asked.role == CHIEF_PHYSICIAN else DOCTOR,
            text=text,
            examinations=ids,
            repairs=repairs,
            trace=Trace(
                answers=answers,
                raw=completion.text if repairs else None,
                reasoning=completion.thought,
            ),
        )


def _names(completion: Completion) -> list[str] | None:
    """The names that the model listed, each once; None if its reply holds no list."""
    for value in json_values(completion.text, "["):
        if isinstance(value, list) and all(isinstance(name, str) for name in value):
            names = (name.strip()[:_LONGEST_NAME] for name in value)
            return list(dict.fromkeys(name for name in names if name))[:_MOST_NAMES]
    return None


def _stands_in(name: str, request: str) -> bool:
    """True if the request holds the name, whatever its case, width and spacing."""
    return _plain(name) in _plain(request)


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())
