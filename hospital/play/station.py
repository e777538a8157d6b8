"""An OSCE station: a case with a task, a time and a checklist, written in YAML.

The checklist is scored by rule, from the ids of facts and examinations that the visit stated and
from the report; after the objective structured clinical examination (Harden et al., BMJ 1975).
"""

from __future__ import annotations

import csv
import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

import yaml
from pydantic import Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from hospital.play.credit import credit
from records.diseases.disease_overlap import predicted_links
from records.diseases.icd10 import default_terminology
from records.errors import Fault, InputError
from records.mark import DIMENSIONS, Mark
from records.medical_record import Language, MedicalRecord, Paper
from records.visit import Visit

_BUNDLED = Path(__file__).parent / "stations"
_UNKNOWN = "extra_forbidden"
_SOURCES = ("facts", "examinations", "diagnosis", "treatment")


class Item(Paper):
    """One line of a checklist; exactly one of `facts`, `examinations`, `diagnosis`, `treatment`."""

    item: str = Field(min_length=1)
    points: float = Field(default=1.0, gt=0)
    needs: int = Field(default=1, ge=1)
    """How many of the facts or examinations; any one by default."""
    facts: tuple[str, ...] = ()
    examinations: tuple[str, ...] = ()
    diagnosis: str | None = Field(default=None, pattern=r"^[A-Z]\d[0-9A-Z]")
    """A code or 3-character category that a diagnosis of the report is linked to."""
    treatment: tuple[str, ...] = ()
    """Words of which the treatment plan has any, in any case."""

    @model_validator(mode="after")
    def _asks_for_one_thing(self) -> Item:
        given = [name for name in _SOURCES if getattr(self, name)]
        if len(given) != 1:
            raise ValueError(f"an item has exactly one of {', '.join(_SOURCES)}")
        if self.needs > max(len(self.facts), len(self.examinations), 1):
            raise ValueError("an item cannot need more than it lists")
        return self


class Station(Paper):
    """A station as its file has it."""

    name: str = Field(min_length=1)
    language: Language
    case: str
    """Id of the case."""
    cases: tuple[str, ...] = ("library",)
    """Files of cases, beside the station's, or `library`."""
    task: str
    """What the candidate reads before it goes in."""
    minutes: float = Field(default=10.0, gt=0)
    """For the consultation."""
    report_minutes: float = Field(default=5.0, gt=0)
    """For the report, after it."""
    checklist: tuple[Item, ...] = Field(min_length=1)

    @property
    def points(self) -> float:
        """What can be scored."""
        return sum(item.points for item in self.checklist)


def bundled_stations() -> tuple[str, ...]:
    """Names of the stations that come with the program."""
    return tuple(sorted(path.stem for path in _BUNDLED.glob("*.yaml")))


def read_station(where: str) -> Station:
    """Read a station's file, or a bundled one by name.

    Raises:
        InputError: there is none, or it is no station; says what and where.
    """
    bundled = _BUNDLED / f"{where}.yaml"
    path = bundled if where in bundled_stations() else Path(where)
    try:
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
        station = Station.model_validate(value)
    except FileNotFoundError:
        names = ", ".join(bundled_stations())
        raise InputError([Fault(where, f"there is no such station; bundled are {names}")]) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError([Fault(where, f"cannot be read: {error}")]) from None
    except yaml.YAMLError as error:
        raise InputError(
            [Fault(where, f"not valid YAML: {' '.join(str(error).split())}")]
        ) from None
    except ValidationError as error:
        # A field that there is not is often one that is missing, mistyped: it comes first.
        errors = sorted(error.errors(include_url=False), key=lambda e: e["type"] != _UNKNOWN)
        faults = [
            Fault(where, f"{'.'.join(map(str, e['loc'])) or 'file'}: {_plainly(e)}") for e in errors
        ]
        raise InputError(faults) from None
    beside = tuple(c if c == "library" else str(path.parent / c) for c in station.cases)
    return station.model_copy(update={"cases": beside})


def _plainly(error: ErrorDetails) -> str:
    """What is wrong with a field, in the words of whoever wrote the file."""
    if error["type"] == "missing":
        return "is missing"
    if error["type"] == _UNKNOWN:
        fields = Station.model_fields if len(error["loc"]) == 1 else Item.model_fields
        near = difflib.get_close_matches(str(error["loc"][-1]), fields, n=1)
        return f"there is no such field{f'; did you mean {near[0]}?' if near else ''}"
    if error["type"] in ("model_type", "dict_type"):
        return "fields were expected, as in 'name: …'"
    return error["msg"].removeprefix("Value error, ")


def check_station(station: Station, record: MedicalRecord, where: str) -> None:
    """Check that a station asks for what its case has.

    Raises:
        InputError: it names facts or examinations that are not on record, or another language.
    """
    if record.language != station.language:
        what = f"language is {station.language}, but case {record.id} is {record.language}"
        raise InputError([Fault(where, what)])
    facts = {f.id for f in record.findings}
    examinations = {e.id for e in (*record.physical_examination, *record.auxiliary_examinations)}
    faults = [
        Fault(where, f"checklist item {item.item!r}: {missing} is not in case {record.id}")
        for item in station.checklist
        for missing in sorted({*item.facts} - facts | {*item.examinations} - examinations)
    ]
    if faults:
        raise InputError(faults)


async def score(station: Station, visit: Visit, record: MedicalRecord) -> tuple[bool, ...]:
    """Which items of the checklist a visit with the station's case has, in their order."""
    credited = await credit(visit, record)
    report = visit.report
    links = (
        predicted_links(report.diagnosis, station.language, default_terminology()) if report else ()
    )
    codes = [link.icd10 for link in links if link.icd10]
    plan = report.treatment.casefold() if report else ""

    def has(item: Item) -> bool:
        if item.facts:
            return len(credited.facts & {*item.facts}) >= item.needs
        if item.examinations:
            return len(credited.examinations & {*item.examinations}) >= item.needs
        if item.diagnosis:
            return any(code.startswith(item.diagnosis) for code in codes)
        return any(word.casefold() in plan for word in item.treatment)

    return tuple(has(item) for item in station.checklist)


def total(station: Station, done: Sequence[bool]) -> float:
    """Points of the items that are done."""
    return sum(item.points for item, yes in zip(station.checklist, done, strict=True) if yes)


async def write_results(
    path: Path,
    station: Station,
    record: MedicalRecord,
    visits: Iterable[Visit],
    marks: Iterable[Mark],
) -> None:
    """Write the cohort's results: a line for each candidate's visit, in the order of the run.

    Columns: candidate, attempt, ending, minutes, points, of, percent, each item of the checklist
    (1 or 0), and the first judge's grades. A text that a spreadsheet would reckon with is quoted
    with an apostrophe (OWASP, "CSV Injection").
    """
    first: dict[str, Mark] = {}
    for one in marks:
        first.setdefault(one.visit_key, one)
    draft = path.with_name(path.name + ".draft")
    with draft.open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.writer(file)
        items = [item.item for item in station.checklist]
        head = ["candidate", "attempt", "ending", "minutes", "points", "of", "percent"]
        table.writerow([*head, *map(_inert, items), *DIMENSIONS])
        for visit in visits:
            if visit.human is None or visit.human.station != station.name:
                continue
            done = await score(station, visit, record)
            points = total(station, done)
            mark = first.get(visit.key)
            grades = [mark.grades[d].grade or "" if mark else "" for d in DIMENSIONS]
            line = [
                _inert(visit.doctor.partition(":")[2]),
                visit.trial,
                visit.ending.value,
                f"{visit.seconds / 60:.1f}",
                f"{points:g}",
                f"{station.points:g}",
                f"{100 * points / station.points:.1f}",
            ]
            table.writerow([*line, *(int(yes) for yes in done), *grades])
    draft.replace(path)


def _inert(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.lstrip()[:1] in _FORMULA or text[:1] in "\t\r\n" else text


_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
