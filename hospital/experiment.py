"""The experiment: many visits, held and marked side by side, that a kill cannot spoil.

What is owed is found by comparing the orders with the ledger, so that the same call begins a run,
resumes it, and extends it.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field

from agents.conference_seats import Convened, convene
from agents.errors import SeatError
from agents.npc import Judge
from agents.seats import Seated, Seats, needs_model
from evaluation.linking import Linking
from evaluation.marking import mark
from hospital.conference import conference
from hospital.consultation import consultation
from hospital.consultation_book import ConsultationBook, visit_of
from hospital.garbage import rare_collections
from hospital.one_step import one_step
from hospital.settling import settle_all
from hospital.stream import Said, VisitResult
from hospital.zero_turn import zero_turn
from prompts import Prompts
from records.ledger import LedgerWriter
from records.medical_record import MedicalRecord
from records.secrets import masked
from records.views import MarkingView
from records.visit import Ending, Setting, Visit, VisitOrder

_log = logging.getLogger(__name__)

SettingLoop = Callable[..., AsyncIterator[Said | VisitResult]]

SETTINGS: dict[Setting, SettingLoop] = {
    "interaction": consultation,
    "one_step": one_step,
    "zero_turn": zero_turn,
}
"""The settings of one Doctor; the conference has other people, see `stream`."""


@dataclass
class Progress:
    """How far a run is; one object, updated in place."""

    total: int
    done: int = 0
    """Orders with a final ending, those of earlier processes included."""
    earlier: int = 0
    """Of these, the ones that an earlier process held."""
    unmarked: Counter[str] = field(default_factory=Counter)
    """Markable visits whose judge failed, by judge and reason."""
    unfinished: dict[Ending, Counter[str]] = field(default_factory=dict)
    """Orders that this process left owed, by ending and reason."""
    filtered: Counter[str] = field(default_factory=Counter)
    """Orders that are settled and get no mark, as an endpoint filtered what someone else than the
    doctor said, by reason."""

    @property
    def complete(self) -> bool:
        """True if nothing is owed, neither a visit nor a mark."""
        return self.done == self.total and not self.unmarked

    @property
    def all_marked(self) -> bool:
        """True if every order has a visit with a mark."""
        return self.complete and not self.filtered

    def leave(self, ending: Ending, reason: str) -> None:
        """Note an order that stays owed."""
        self.unfinished.setdefault(ending, Counter())[reason] += 1


async def stream(
    order: VisitOrder,
    record: MedicalRecord,
    seats: Seats,
    prompts: Prompts,
    book: ConsultationBook | None = None,
) -> AsyncIterator[Said | VisitResult]:
    """Seat the people of an order, hold its setting, and let them go.

    Args:
        order: what is to happen.
        record: the case it names.
        seats: the factory of players.
        prompts: the words of the house.
        book: consultations that a conference need not hold again.
    """
    people: Seated | Convened
    if order.setting == "conference":
        people = convene(seats, order)
        items = conference(order, record, people, prompts, book)
    else:
        people = seats.seat(order)
        items = SETTINGS[order.setting](order, record, people, prompts)
    try:
        async for item in items:
            yield item
    finally:
        try:
            await people.close()
        except Exception as error:
            # It has said what it had to say; the visit stands.
            _log.warning("%s does not close: %s", order.doctor, masked(str(error)))


async def hold(
    order: VisitOrder,
    record: MedicalRecord,
    seats: Seats,
    prompts: Prompts,
    book: ConsultationBook | None = None,
) -> Visit:
    """Hold one visit to its ending; a consultation that is in the book is not held again."""
    book = ConsultationBook() if book is None else book
    if order.setting != "interaction":
        return await _to_its_ending(stream(order, record, seats, prompts, book))
    async with book.claim(order.key) as held:
        if held is not None and held.taken_from is None:
            return visit_of(held, order)
        visit = await _to_its_ending(stream(order, record, seats, prompts))
        book.add_visit(visit)
        return visit


async def _to_its_ending(items: AsyncIterator[Said | VisitResult]) -> Visit:
    async for item in items:
        if isinstance(item, VisitResult):
            return item.visit
    raise RuntimeError("a setting ended without a visit")


async def run(
    ledger: LedgerWriter,
    seats: Seats,
    prompts: Prompts,
    *,
    orders: Sequence[VisitOrder] | None = None,
    linking: Linking | None = None,
    concurrency: int = 8,
    earlier_runs: Iterable[tuple[str, Sequence[Visit]]] = (),
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Hold and mark all that a run still owes of what is wanted of it now.

    Once the budget is used up no visit with a model is begun; those under way end for it.

    Args:
        ledger: the run, held by this process.
        seats: the factory of players and judges.
        prompts: the words of the house.
        orders: only these of the run; None for all.
        linking: how diseases are scored; by our own terminology and its codes if None.
        concurrency: visits under way at once.
        earlier_runs: other runs by name, whose consultations conferences need not hold again.
        on_progress: called after each visit and mark.

    Returns:
        The state at the end; `complete` is False if anything is still owed.

    Raises:
        SpecError: a seat's spec names nothing; before any visit.
        OSError: the ledger cannot be written.
    """
    config = ledger.wanted
    records = ledger.records()
    cases = [records[record_id] for record_id in config.cases]
    orders = config.orders(cases) if orders is None else orders
    budget = seats.clients.budget
    terminology, matcher = (linking.terminology, linking.matcher) if linking else (None, None)
    convention = linking.convention if linking else "strict"
    visits = ledger.visits()
    book = ConsultationBook(visits.values())
    for name, held in earlier_runs:
        book.take_from(name, held)
    marked = {(m.visit_key, m.judge) for m in ledger.marks()}
    judges = [seats.judge(spec) for spec in config.judges]
    # Made once: a record is checked anew each time that it is put into a view.
    views = {name: MarkingView(record=record) for name, record in records.items()}
    settled = {key for key, visit in visits.items() if visit.ending.final}
    earlier = sum(order.key in settled for order in orders)
    progress = Progress(total=len(orders), done=earlier, earlier=earlier)
    on_progress(progress)

    async def settle(order: VisitOrder) -> None:
        visit = visits.get(order.key)
        if visit is None or not visit.ending.final:
            if budget.used_up is not None and needs_model(order):
                progress.leave(Ending.BUDGET, budget.used_up)
                return
            visit = await hold(order, records[order.record_id], seats, prompts, book)
            if visit.ending is Ending.CANCELLED:
                progress.leave(visit.ending, visit.failure or "")
                return
            await ledger.keep_visit(visit)
            if not visit.ending.final:
                progress.leave(visit.ending, visit.failure or "")
                on_progress(progress)
                return
            progress.done += 1
        if not visit.markable:
            progress.filtered[f"by {visit.failed_by}: {visit.failure}"] += 1
        else:
            for judge in judges:
                if (visit.key, judge.name) not in marked:
                    await add_mark(visit, judge)
        on_progress(progress)

    async def add_mark(visit: Visit, judge: Judge) -> None:
        try:
            view = views[visit.record_id]
            made = await mark(visit, view, judge, terminology=terminology, matcher=matcher)
            await ledger.keep_mark(made.model_copy(update={"convention": convention}))
        except SeatError as failure:
            progress.unmarked[f"{judge.name}: {failure.reason}"] += 1

    with rare_collections():
        await settle_all(orders, settle, concurrency)
    return progress
