"""A consultation is held once, however many want it; streams run side by side."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from hospital.consultation_book import ConsultationBook, consultation_of, visit_of
from hospital.side_by_side import side_by_side
from records.conference import Consultation
from records.visit import Ending, VisitOrder

ORDER = VisitOrder(
    record_id="r",
    record_hash="h",
    language="en",
    setting="interaction",
    doctor="checklist",
    npc="grounded",
    prompts_hash="p",
)


async def numbers(*values: int, failing: bool = False) -> AsyncIterator[int]:
    for value in values:
        await asyncio.sleep(0)
        yield value
    if failing:
        raise ValueError("broken")


async def test_streams_are_heard_as_they_speak() -> None:
    heard = [n async for n in side_by_side([numbers(1, 2, 3), numbers(10, 20), numbers()])]
    assert [n for n in heard if n < 10] == [1, 2, 3]
    assert [n for n in heard if n >= 10] == [10, 20]
    assert heard != [1, 2, 3, 10, 20]


async def test_a_stream_that_breaks_stops_the_others() -> None:
    stopped = False

    async def endless() -> AsyncIterator[int]:
        nonlocal stopped
        try:
            while True:
                await asyncio.sleep(0)
                yield 0
        finally:
            stopped = True

    with pytest.raises(ValueError, match="broken"):
        async for _ in side_by_side([endless(), numbers(1, failing=True)]):
            pass
    assert stopped


@pytest.mark.parametrize(
    ("ending", "held"), [(Ending.DIAGNOSIS_GIVEN, 1), (Ending.INFRASTRUCTURE, 3)]
)
async def test_who_wants_what_another_holds_waits_for_it(ending: Ending, held: int) -> None:
    book = ConsultationBook()
    times = 0

    async def want() -> None:
        nonlocal times
        async with book.claim(ORDER.key) as known:
            if known is None:
                await asyncio.sleep(0)
                times += 1
                book.add(Consultation(key=ORDER.key, ending=ending))

    await asyncio.gather(want(), want(), want())
    assert times == held


async def test_what_another_run_held_is_marked_and_never_hides_ones_own() -> None:
    visit = visit_of(Consultation(key=ORDER.key, ending=Ending.ROUND_LIMIT), ORDER)
    assert consultation_of(visit).key == ORDER.key
    book = ConsultationBook()
    book.take_from("before", [visit])
    async with book.claim(ORDER.key) as known:
        assert known is not None
        assert known.taken_from == "before"
    own = ConsultationBook([visit])
    own.take_from("before", [visit])
    async with own.claim(ORDER.key) as known:
        assert known is not None
        assert known.taken_from is None
