"""Other ways to one report, to compare the discussion with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from agents.offline.joint_report import joint_report
from hospital.meeting import Meeting
from hospital.stream import Said
from records.conference import Strategy
from records.diseases.icd10 import default_terminology


async def vote(talk: Meeting) -> AsyncIterator[Said]:
    """The majority of the linked diagnoses, without a word exchanged."""
    if talk.discussing:
        reports = list(talk.reports.values())
        talk.end("vote")
        yield talk.conclude_with(joint_report(reports, talk.order.language, default_terminology()))


async def revise(talk: Meeting) -> AsyncIterator[Said]:
    """Each sees the others' reports once and revises; then a vote. There is no moderator."""
    if talk.discussing:
        talk.turn = 1
        async for said in talk.revise(1):
            yield said
        async for said in vote(talk):
            yield said


async def summary(talk: Meeting) -> AsyncIterator[Said]:
    """The moderator writes the final report from the first ones."""
    if talk.discussing:
        talk.end("summary")
        async for said in talk.conclude():
            yield said


STRATEGIES: dict[Strategy, Callable[[Meeting], AsyncIterator[Said]]] = {
    "vote": vote,
    "revise": revise,
    "summary": summary,
}
"""By name in a spec, all but the discussion itself."""
