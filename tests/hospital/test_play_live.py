"""Models' replies on the terminal as they come."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from agents.seats import Seats
from hospital.consultation import consultation
from hospital.play.hanging import labelled
from hospital.play.live import Live
from hospital.play.watch_desk import WatchDesk
from hospital.play.words import play_words
from hospital.stream import VisitResult
from prompts import Prompts
from records.library import bundled_records
from records.visit import VisitOrder
from tests.paper import Paper
from tests.scripted_endpoint import Events, ScriptedEndpoint, streamed
from tests.scripted_hospital import play


def letters(body: dict[str, Any]) -> Events | str:
    text = play(body)
    return streamed(*text) if body.get("stream") else text


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize(("case", "said"), [("en-001", "For some days."), ("zh-001", "有几天了。")])
async def test_replies_are_shown_as_they_come_and_once(case: str, said: str, plain: bool) -> None:
    record = next(r for r in bundled_records() if r.id == case)
    prompts, paper = Prompts(), Paper(plain=plain)
    async with ScriptedEndpoint(letters) as endpoint:
        seats = Seats(prompts=prompts)
        order = VisitOrder(
            record_id=record.id,
            record_hash=record.content_hash,
            language=record.language,
            setting="interaction",
            doctor=endpoint.spec(),
            npc=endpoint.spec(),
            prompts_hash=prompts.hash,
        )
        desk = WatchDesk(paper, record)
        with desk.live.listening():
            async for item in consultation(order, record, seats.seat(order), prompts):
                if isinstance(item, VisitResult):
                    visit = item.visit
                else:
                    desk.hear(item.message)
        await seats.close()
    assert visit.ending == "diagnosis_given"
    # The grounding of the record is the message, and it stands on the terminal exactly once.
    name = play_words(record.language).roles["patient"]
    assert paper.text.count(f"{labelled(name)}{said}") == sum(
        m.text == said for m in visit.messages
    )
    assert "<" not in paper.text
    assert any(piece == said[1] for piece in paper.pieces) is not plain
    assert [bool(body.get("stream")) for body in endpoint.requests].count(True) > 0 or plain


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (["<to ", "doctor> I", " feel ", "ill."], "I feel ill."),
        (["I feel ill. ", "<en", "d>"], "I feel ill."),
        (["Temperature <", "38 for two days", ", then more than that, then less again."], None),
        (["＜对医生", "讲＞", "不舒服"], "不舒服"),
    ],
)
def test_tags_are_never_shown_however_they_are_cut(
    pieces: Iterable[str], shown: str | None
) -> None:
    paper = Paper()
    live = Live(paper, {"patient": "Patient"})
    pieces = list(pieces)
    for piece in pieces:
        live.hear("patient", piece)
    whole = shown if shown is not None else "".join(pieces)
    assert paper.text.rstrip() == f"Patient: {whole}"
    assert live.has_shown("patient", whole)
    assert not live.has_shown("patient", whole)


def test_a_repaired_message_is_shown_in_full() -> None:
    paper = Paper()
    live = Live(paper, {"patient": "Patient"})
    live.hear("patient", "I feel ill. Doctor: Take this.")
    assert not live.has_shown("patient", "I feel ill.")
    assert paper.text.endswith("\n")
