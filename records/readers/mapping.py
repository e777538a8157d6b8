"""The mapping file of a table: which column of it is which field of a record. TOML.

    language = "en"

    [columns]                           # field = column, or several columns, a line each
    id = "Case"
    age = "Age (years)"
    sex = "Sex"
    chief_complaint = "Complaint"
    history_of_present_illness = ["Course", "Other symptoms"]
    diagnoses = "Diagnosis"

    [physical_examination]              # examination = column
    Temperature = {column = "Temp", unit = "°C"}

    [auxiliary_examinations]
    "C-reactive protein" = {column = "CRP", unit = "mg/L", reference_range = "0-5"}

Required are `language` and `columns.diagnoses`; what else the defaults are stands with each field.
"""

from __future__ import annotations

import codecs
import difflib
import re
import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, ValidationError, field_validator

from records.errors import Fault, InputError
from records.medical_record import Language, Paper
from records.readers.own import problems_of

_SUFFIX = ".mapping.toml"


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


Names = Annotated[tuple[str, ...], BeforeValidator(_listed)]
"""One column or several; the cells of several are joined, a line each."""


class Columns(Paper):
    """Which columns hold the fields; a field without a column is absent from the records."""

    id: Names = ()
    """Default: the file's name and the row, as "cases-2"."""
    department: Names = ()
    age: Names = ()
    """A number is years; "8 months" and "3岁" are understood."""
    sex: Names = ()
    """Default words: male, m, man, boy, 男 and female, f, woman, girl, 女; see `male`, `female`."""
    occupation: Names = ()
    description: Names = ()
    background: Names = ()
    """Of the persona, as the two that follow."""
    way_of_speaking: Names = ()
    emotion: Names = ()
    patient_words: Names = ()
    """The complaint in the patient's own words."""
    chief_complaint: Names = ()
    history_of_present_illness: Names = ()
    past_history: Names = ()
    personal_history: Names = ()
    family_history: Names = ()
    medication_history: Names = ()
    physical_examination: Names = ()
    """Free text or a list of signs; single signs have a table of their own."""
    auxiliary_examinations: Names = ()
    """Free text or a list of results; single results have a table of their own."""
    diagnoses: Names = Field(min_length=1)
    """Several in one cell are parted by semicolons, lines or numbers; the first is primary."""
    icd10: Names = ()
    """A code for each diagnosis in their order, parted by semicolons, commas or spaces."""
    rationale: Names = ()
    treatment: Names = ()
    source: Names = ()
    """Default: the file's name and the row."""
    reviewed_by: Names = ()


class ResultColumn(Paper):
    """A column that holds one examination; its cells are values, with or without a unit."""

    column: str
    unit: str | None = None
    """Default: what the cell says behind its number."""
    reference_range: str | None = None
    """Default: what the cell says; a number outside is abnormal."""
    category: str | None = None


def _column(value: object) -> object:
    return {"column": value} if isinstance(value, str) else value


Results = dict[str, Annotated[ResultColumn, BeforeValidator(_column)]]


class Mapping(Paper):
    """A mapping file as a whole."""

    language: Language
    columns: Columns
    physical_examination: Results = Field(default_factory=dict)
    """Signs by name, each with its column."""
    auxiliary_examinations: Results = Field(default_factory=dict)
    """Results by name, each with its column."""
    ignore: Names = ()
    """Columns that are left out on purpose; "*" is all that are not mapped. Default: none."""
    absent: Names = ("-", "--", "/", "n/a", "na", "nan", "null", "不详", "未提供")
    """Cells that say nothing, besides empty ones; compared without regard to case."""
    male: Names = ()
    """Words for the sex besides the usual ones: "1", "M."."""
    female: Names = ()
    sheet: str | None = None
    """Of a workbook. Default: the first."""
    header_row: int = Field(default=1, ge=1)
    """The row with the columns' names."""
    encoding: str = "utf-8"
    """Of a CSV or TSV; UTF-16 with its mark is known by itself."""
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    """Of a CSV or TSV. Default: the one of tab, ; , and | that its first line has most of."""

    @field_validator("encoding")
    @classmethod
    def _is_known(cls, encoding: str) -> str:
        try:
            known = codecs.lookup(encoding)
            known.decode(b"")
        except (LookupError, ValueError, UnicodeError):
            raise ValueError(f'"{encoding}" is no encoding; try utf-8 or gb18030') from None
        if not getattr(known, "_is_text_encoding", True):
            raise ValueError(f'"{encoding}" is no encoding of texts; try utf-8 or gb18030')
        return encoding

    @field_validator("delimiter")
    @classmethod
    def _delimits(cls, delimiter: str | None) -> str | None:
        if delimiter in ('"', "\n", "\r", " ", "\0"):
            raise ValueError('cannot part cells; try ",", ";" or "\\t"')
        return delimiter

    @property
    def named(self) -> dict[str, str]:
        """Every column that is named, each with the place in the mapping that names it first."""
        places: dict[str, str] = {}
        for field in Columns.model_fields:
            for column in getattr(self.columns, field):
                places.setdefault(column, f"columns.{field}")
        for table in ("physical_examination", "auxiliary_examinations"):
            for name, result in getattr(self, table).items():
                places.setdefault(result.column, f"{table}.{name}")
        for column in self.ignore:
            if column != "*":
                places.setdefault(column, "ignore")
        return places

    def columns_faults(self, path: Path, header: list[str]) -> list[Fault]:
        """What does not fit between the mapping and a table's header."""
        faults = []
        for column, place in self.named.items():
            if column not in header:
                near = difflib.get_close_matches(column, header, 1)
                hint = f'did you mean "{near[0]}"?' if near else f"there are {', '.join(header)}"
                faults.append(
                    Fault(path, f'the table has no column "{column}"; {hint}', None, place)
                )
        left = [column for column in header if column and column not in self.named]
        if left and "*" not in self.ignore:
            listed = ", ".join(f'"{column}"' for column in left)
            what = f'nothing is said of {listed}; map each, or list it here, or say ignore = "*"'
            faults.append(Fault(path, what, None, "ignore"))
        return faults


def mapping_beside(path: Path) -> Path | None:
    """The mapping file that lies beside a table: cases.mapping.toml for cases.csv."""
    beside = path.with_name(path.stem + _SUFFIX)
    return beside if beside != path and beside.is_file() else None


def load_mapping(path: Path) -> Mapping:
    """Read a mapping file.

    Raises:
        InputError: it cannot be read, is no TOML, or says what no mapping says; all that it says.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError([Fault(path, "no such file")]) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError([Fault(path, f"cannot be read: {reason}")]) from None
    try:
        value = tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise InputError([Fault(path, "is not UTF-8; save it in UTF-8", f"line {line}")]) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError([Fault(path, f"is not TOML: {' '.join(str(error).split())}")]) from None
    except RecursionError:
        raise InputError([Fault(path, "is not TOML: nested too deeply")]) from None
    except ValueError:
        # What is left is the limit on the digits of a number.
        found = re.search(rb"[0-9_]{4000,}", raw)
        line = raw[: found.start() if found else 0].count(b"\n") + 1
        raise InputError(
            [Fault(path, "a number has thousands of digits", f"line {line}")]
        ) from None
    try:
        return Mapping.model_validate(value)
    except ValidationError as error:
        raise InputError(
            [Fault(path, _hinted(field, what), None, field) for field, what in problems_of(error)]
        ) from None


def _hinted(field: str, what: str) -> str:
    """A message about an unknown field names the fields that a mapping has."""
    if not what.startswith("unknown field"):
        return what
    inside, _, name = field.rpartition(".")
    known = list((Columns if inside == "columns" else Mapping).model_fields)
    near = difflib.get_close_matches(name, known, 1)
    hint = f'did you mean "{near[0]}"?' if near else f"known are {', '.join(known)}"
    return f"unknown field; {hint}"
