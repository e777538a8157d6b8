"""What a Doctor of a conference is handed to revise its report on."""

from __future__ import annotations

from collections.abc import Sequence

from autogen_agentchat.messages import BaseChatMessage, TextMessage
from pydantic import ValidationError

from prompts import Prompts
from records.conference import Facts
from records.medical_record import Language, Paper
from records.visit import CHIEF_PHYSICIAN, DOCTOR, Report

_METADATA = "revision"


class Revision(Paper):
    """The moderator's request to revise."""

    own: Report
    """The Doctor's report as it stands."""
    facts: Facts | None = None
    """The merged facts; None where they were not merged, or were told before."""
    others: tuple[Report, ...] = ()
    """The other Doctors' reports, in the order of the conference; nobody is named."""
    disputes: tuple[str, ...] = ()
    """The disputed points, the weightiest first."""

    def message(self, prompts: Prompts, language: Language) -> TextMessage:
        """The request as a Doctor hears it: in words, and in `metadata` for one that reads none."""
        text = prompts.render(
            language,
            DOCTOR,
            "revise",
            facts=self.facts,
            own=self.own.raw,
            others=[other.raw for other in self.others],
            disputes=self.disputes,
        )
        metadata = {_METADATA: self.model_dump_json()}
        return TextMessage(source=CHIEF_PHYSICIAN, content=text, metadata=metadata)

    @classmethod
    def in_messages(cls, messages: Sequence[BaseChatMessage]) -> Revision | None:
        """The request that the last of these messages is, or None."""
        metadata = getattr(messages[-1], "metadata", {}) if messages else {}
        try:
            return cls.model_validate_json(metadata[_METADATA])
        except (KeyError, ValidationError):
            return None
