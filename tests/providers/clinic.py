"""A run whose every chair is a model of one scripted endpoint, where one role's replies go wrong.

    async with clinic(tmp_path, Faulty("patient", lambda said, body: f"**{said}**")) as run:
        held = await run.hold()   # the run is held, marked and read back from its directory
        held = await run.hold()   # and resumed

All goes through the experiment: seats, settings, ledger, journal, marking. Waits take no time and
are kept in `waits`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.model.model_table import ModelTable
from agents.model.patience import Patience
from agents.seats import Seats
from evaluation.leaderboard import Leaderboard, leaderboard
from hospital.experiment import Progress, run
from prompts import Prompts
from records.ledger import Ledger, LedgerWriter, RunConfig, SharedSettings
from records.mark import Mark
from records.medical_record import Language, MedicalRecord
from records.visit import Message, Protocol, Setting, Visit
from tests.hospital.test_scripted_visit import RECORDS
from tests.scripted_conference import ConferenceScript
from tests.scripted_endpoint import Answer, ScriptedEndpoint, purpose_of
from tests.scripted_hospital import play

PROMPTS = Prompts()
CHAIRS = ("doctor", "patient", "examiner", "judge")
"""Of a consultation and its marking."""
ROLES = (*CHAIRS, "moderator")
LANGUAGES: tuple[Language, ...] = ("en", "zh")
CALLS = {"doctor": 4, "patient": 4, "examiner": 1, "judge": 1}
"""Of a consultation in which all goes well, and its marking."""
MODEL = {"patient": "npc", "examiner": "npc", "moderator": "chair"}
"""By role, the model in its chair; that of doctor and judge is named as they are."""

How = Callable[[str, dict[str, Any]], Answer | Awaitable[Answer]]
"""From what the model would say, and the request, what comes."""


def role_of(body: dict[str, Any]) -> str:
    """Whose call a request is."""
    _, role, purpose = purpose_of(body)
    if role != "chief_physician":
        return role
    return "judge" if purpose == "mark" else "moderator"


class Faulty:
    """Plays the whole hospital; one role's replies go wrong.

    Args:
        role: whose; "" for nobody's.
        how: what comes in the place of its replies.
        times: so many of its first calls; None for all.
    """

    def __init__(self, role: str = "", how: How | None = None, times: int | None = None) -> None:
        self.role = role
        self.how = how
        self.left = float("inf") if times is None else times
        self.calls: Counter[str] = Counter()
        """By role, requests that came."""

    def __call__(self, body: dict[str, Any]) -> Answer | Awaitable[Answer]:
        role = role_of(body)
        self.calls[role] += 1
        meets = body["model"] in ("a", "b", "chair")
        # A script made anew has given no verdict yet, and agrees at once.
        meeting = ConferenceScript(agree_after=0)
        said: str = meeting(body) if meets and role != "judge" else play(body)
        if self.how is None or self.left <= 0 or role != self.role:
            return said
        self.left -= 1
        return self.how(said, body)


@dataclass(frozen=True)
class Held:
    """A run as its directory tells it."""

    visits: tuple[Visit, ...]
    marks: tuple[Mark, ...]
    progress: Progress
    board: Leaderboard

    @property
    def visit(self) -> Visit:
        """The only one."""
        (visit,) = self.visits
        return visit

    @property
    def mark(self) -> Mark:
        """The only one."""
        (mark,) = self.marks
        return mark

    @property
    def essence(self) -> object:
        """All that was said and made of it, but for how it had to be read."""
        said = [[(m.turn, m.role, m.addressee, m.text) for m in v.messages] for v in self.visits]
        ends = [(v.ending, v.report) for v in self.visits]
        return said, ends, [(m.grades, m.diseases) for m in self.marks]

    def said_by(self, role: str) -> list[Message]:
        """Messages of a role."""
        return [m for m in self.visit.messages if m.role == role]

    def repairs(self, role: str) -> dict[str, int]:
        """The repairs of a role's messages as the leaderboard counts them, by kind."""
        counts = [row.counts.get(role, {}) for row in self.board.repairs]
        return counts[0] if counts else {}


class Clinic:
    """A run's directory, and the endpoint behind its chairs."""

    def __init__(
        self,
        directory: Path,
        endpoint: ScriptedEndpoint,
        script: Faulty,
        *,
        language: Language = "en",
        role: str = "doctor",
        parameters: str = "",
        setting: Setting | None = None,
        protocol: Protocol = "carried",
        records: Sequence[MedicalRecord] | None = None,
        max_turns: int = 10,
        npc: str | None = None,
        judge: str | None = None,
        table: ModelTable | None = None,
    ) -> None:
        self.directory = directory
        self.endpoint = endpoint
        self.script = script
        self.waits: list[float] = []
        self._records = list(records or [RECORDS[language]])
        self._table = table
        moderated = role == "moderator"
        one = setting or ("conference" if moderated else "interaction")
        a, b, chair, doctor = (
            self.spec(name, parameters) for name in ("a", "b", "chair", "doctor")
        )
        self.config = RunConfig(
            shared=SharedSettings(
                npc=npc or self.spec("npc", parameters),
                protocol=protocol,
                max_turns=max_turns,
                prompts_hash=PROMPTS.hash,
            ),
            doctors=(
                f"conference({a}, {b}; moderator={chair})" if one == "conference" else doctor,
            ),
            settings=(one,),
            judges=(judge or self.spec("judge", parameters),),
            cases={record.id: record.content_hash for record in self._records},
        )

    def spec(self, model: str, parameters: str = "") -> str:
        """A model's spec, by the table if there is one."""
        return f"mine/{model}" if self._table else self.endpoint.spec(model, parameters)

    async def hold(self, attempts: int = 4) -> Held:
        """Hold and mark what is owed, and read all of it back."""

        async def sleep(seconds: float) -> None:
            self.waits.append(seconds)

        patience = Patience(attempts=attempts, sleep=sleep, clock=lambda: sum(self.waits))
        with LedgerWriter(self.directory, self.config, self._records) as ledger:
            seats = Seats(
                prompts=PROMPTS, journal=ledger.journal, patience=patience, table=self._table
            )
            try:
                progress = await run(ledger, seats, PROMPTS)
            finally:
                await seats.close()
        read = Ledger(self.directory)
        visits, marks = read.visits().values(), read.marks()
        board = leaderboard(visits, marks, read.records().values())
        return Held(tuple(visits), tuple(marks), progress, board)

    def asked(self, role: str) -> list[dict[str, Any]]:
        """The requests of a role."""
        return [body for body in self.endpoint.requests if role_of(body) == role]


@asynccontextmanager
async def clinic(
    directory: Path, script: Faulty | None = None, **options: Any
) -> AsyncIterator[Clinic]:
    """A clinic, until the block ends; `options` are those of `Clinic`."""
    script = script or Faulty()
    options.setdefault("role", script.role)
    async with ScriptedEndpoint(script) as endpoint:
        yield Clinic(directory / "run", endpoint, script, **options)


async def faultless(directory: Path, **options: Any) -> object:
    """What is said, and made of it, where nothing goes wrong; `options` are those of `Clinic`."""
    what = repr(sorted(options.items()))
    if what not in _FAULTLESS:
        async with clinic(directory / "faultless", **options) as run:
            _FAULTLESS[what] = (await run.hold()).essence
    return _FAULTLESS[what]


_FAULTLESS: dict[str, object] = {}
