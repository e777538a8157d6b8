"""A model that settles what facts leave open: was an answer relevant, honest, accurate."""

from __future__ import annotations

from autogen_core.models import ChatCompletionClient, UserMessage

from agents.json_reply import json_values
from agents.mind import Mind
from prompts import Prompts
from records.medical_record import Language
from records.views import ExaminerView, PatientView
from records.visit import CHIEF_PHYSICIAN, Unrecorded


class BehaviourJudge:
    """Judges one exchange at a time, blind to who plays.

    Args:
        client: the model's.
        prompts: the requests.
    """

    def __init__(self, client: ChatCompletionClient, prompts: Prompts) -> None:
        self._mind = Mind(client, CHIEF_PHYSICIAN)
        self._prompts = prompts

    async def answer(self, view: PatientView, asked: str, reply: str) -> dict[str, bool]:
        """Whether a patient's reply is `relevant` and `honest`; what cannot be read is left out.

        Raises:
            SeatError: the model failed.
        """
        return await self._ask(
            view.language,
            "judge_answer",
            ("relevant", "honest"),
            knowledge=view.text,
            asked=asked,
            reply=reply,
        )

    async def examination(
        self, view: ExaminerView, asked: str, reply: str, unrecorded: Unrecorded
    ) -> dict[str, bool]:
        """Whether an examiner's reply is `accurate`; what cannot be read is left out.

        Raises:
            SeatError: the model failed.
        """
        recorded = "\n".join(f"{e.name}: {e.reading}" for e in view.examinations)
        return await self._ask(
            view.language,
            "judge_examiner",
            ("accurate",),
            knowledge=recorded,
            asked=asked,
            reply=reply,
            unrecorded=unrecorded,
        )

    async def _ask(
        self, language: Language, purpose: str, wanted: tuple[str, ...], **context: str
    ) -> dict[str, bool]:
        request = self._prompts.render(language, CHIEF_PHYSICIAN, purpose, **context)
        reply = await self._mind.think([UserMessage(content=request, source="analysis")])
        # The verdict stands last; what is quoted before it is no verdict.
        objects = [value for value in json_values(reply.text, "{") if isinstance(value, dict)]
        verdict = objects[-1] if objects else {}
        return {name: verdict[name] for name in wanted if isinstance(verdict.get(name), bool)}
