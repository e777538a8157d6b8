"""A table of cases, one a row, read through a mapping file: CSV, TSV or a workbook."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from records.errors import Fault, InputError
from records.findings.splitter import split_findings
from records.medical_record import (
    HISTORY_SECTIONS,
    Demographics,
    Diagnosis,
    Examination,
    MedicalRecord,
    Persona,
    Sex,
)
from records.readers.cells import is_workbook, text_rows, workbook_rows
from records.readers.chinese_examinations import auxiliary_examinations, physical_examination
from records.readers.foreign import ShapeError
from records.readers.mapping import Mapping, ResultColumn, load_mapping
from records.readers.people import age_in_years, sex_of
from records.readers.reading import take_reading
from records.readers.reference import reference_diagnoses
from records.readers.result_list import listed_examinations, told_signs

_MALE = {"male", "m", "m.", "man", "boy", "男", "男性"}
_FEMALE = {"female", "f", "f.", "woman", "girl", "女", "女性"}
_PLAIN = (
    "chief_complaint",
    "history_of_present_illness",
    "past_history",
    "personal_history",
    "family_history",
    "medication_history",
)


@dataclass(frozen=True)
class Row:
    """One row of a table."""

    place: str
    """ "row 3", as a spreadsheet counts."""
    number: int
    cells: dict[str, str]


@dataclass(frozen=True)
class CaseTable:
    """The rows of a table file with the mapping that they are read through."""

    path: Path
    mapping: Mapping
    rows: tuple[Row, ...]
    faults: tuple[Fault, ...]
    """Of rows that are longer than the header."""

    def read(self, row: Row) -> MedicalRecord:
        """Read one row; raises `foreign.ShapeError` with all that is wrong with it."""
        return _Case(self, row).record()


def load_table(path: Path, raw: bytes, mapping_path: Path) -> CaseTable:
    """Read a table's rows through a mapping file.

    Raises:
        InputError: the mapping or the table cannot be read, or they do not fit.
    """
    mapping = load_mapping(mapping_path)
    if is_workbook(raw):
        rows = workbook_rows(path, mapping.sheet)
    else:
        rows = text_rows(path, raw, mapping.encoding, mapping.delimiter)
    header = next((cells for number, cells in rows if number == mapping.header_row), None)
    if header is None:
        what = f"row {mapping.header_row} is empty; it is to hold the names of the columns"
        raise InputError([Fault(path, what, f"row {mapping.header_row}")])
    place = f"row {mapping.header_row}"
    twice = sorted({name for name in header if name and header.count(name) > 1})
    if twice:
        what = f'two columns are named "{twice[0]}"; give each a name of its own'
        raise InputError([Fault(path, what, place)])
    faults = mapping.columns_faults(mapping_path, header)
    if faults:
        raise InputError(faults)
    below = [(number, cells) for number, cells in rows if number > mapping.header_row]
    if not below:
        raise InputError([Fault(path, "has no row below the names of the columns", place)])
    fitting, wrong = [], []
    for number, cells in below:
        beyond = [
            cell for i, cell in enumerate(cells) if cell and (i >= len(header) or not header[i])
        ]
        if beyond:
            what = (
                f'"{beyond[0][:40]}" stands in a column without a name; name it or quote the cell'
            )
            wrong.append(Fault(path, what, f"row {number}"))
            continue
        named = {name: cell for name, cell in zip(header, cells, strict=False) if name}
        fitting.append(Row(f"row {number}", number, named))
    return CaseTable(path, mapping, tuple(fitting), tuple(wrong))


class _Case:
    """One row on its way to a record; what is wrong with it is collected."""

    def __init__(self, table: CaseTable, row: Row) -> None:
        self._mapping = table.mapping
        self._row = row
        self._name = f"{table.path.stem}-{row.number}"
        self._absent = {word.casefold() for word in self._mapping.absent}
        self._problems: list[tuple[str, str]] = []

    def record(self) -> MedicalRecord:
        """The record; raises `foreign.ShapeError` with all that is wrong."""
        language = self._mapping.language
        diagnoses = self._diagnoses()
        demographics = self._demographics()
        if self._problems:
            raise ShapeError(self._problems)
        record = MedicalRecord(
            id=self._text("id") or self._name,
            language=language,
            department=self._text("department"),
            demographics=demographics,
            persona=Persona(
                background=self._text("background"),
                way_of_speaking=self._text("way_of_speaking"),
                emotion=self._text("emotion"),
                chief_complaint=self._text("patient_words"),
            ),
            **{field: self._text(field) for field in _PLAIN},
            physical_examination=self._signs(),
            auxiliary_examinations=self._results(),
            diagnoses=diagnoses,
            rationale=self._text("rationale"),
            treatment=self._text("treatment"),
            source=self._text("source") or self._name,
            reviewed_by=self._text("reviewed_by"),
        )
        sections = {section: record.section_text(section) for section in HISTORY_SECTIONS}
        return record.model_copy(update={"findings": split_findings(sections, language)})

    def _cell(self, column: str) -> str | None:
        cell = self._row.cells.get(column, "")
        return cell if cell and cell.casefold() not in self._absent else None

    def _columns(self, field: str) -> tuple[str, ...]:
        columns: tuple[str, ...] = getattr(self._mapping.columns, field)
        return columns

    def _text(self, field: str) -> str | None:
        """The cells of a field's columns, a line each; None if they say nothing."""
        cells = (self._cell(column) for column in self._columns(field))
        return "\n".join(cell for cell in cells if cell) or None

    def _wrong(self, field: str, what: str) -> None:
        self._problems.append((", ".join(self._columns(field)), what))

    def _demographics(self) -> Demographics:
        said, sex = self._text("age"), self._text("sex")
        age = age_in_years(said) if said else None
        if said and age is None:
            age = age_in_years(f"{said} old")
        if said and age is None:
            self._wrong("age", f'"{said[:40]}" is no age; write years, or "8 months", "3 days"')
        elif age is not None and not 0 <= age <= 130:
            self._wrong("age", f'"{said}" is no age of a person; expected 0 to 130 years')
            age = None
        return Demographics(
            age_years=age,
            sex=self._sex(sex) if sex else None,
            occupation=self._text("occupation"),
            description=self._text("description"),
        )

    def _sex(self, text: str) -> Sex | None:
        word = text.casefold()
        for sex, words, own in (
            ("male", _MALE, self._mapping.male),
            ("female", _FEMALE, self._mapping.female),
        ):
            if word in words or word in {w.casefold() for w in own}:
                return "male" if sex == "male" else "female"
        said = sex_of(text)
        if said is None:
            what = f'"{text[:40]}" is no sex; write male or female, or say male = ["{text[:20]}"]'
            self._wrong("sex", f"{what} in the mapping")
        return said

    def _diagnoses(self) -> tuple[Diagnosis, ...]:
        found = reference_diagnoses(self._text("diagnoses") or "", self._mapping.language)
        if not found:
            self._wrong("diagnoses", "is empty; a case needs a diagnosis")
            return ()
        codes = [code for code in re.split(r"[\s,;，；、]+", self._text("icd10") or "") if code]
        if not codes:
            return found
        if len(codes) != len(found):
            what = f"{len(codes)} codes for {len(found)} diagnoses; give one for each, in order"
            self._wrong("icd10", what)
            return ()
        for code in codes:
            if not re.fullmatch(r"[A-Z]\d[0-9A-Z](\.[0-9A-Za-z]{1,4})?", code):
                self._wrong("icd10", f'"{code[:20]}" is no ICD-10 code; one reads "J18.9" or "I63"')
                return ()
        return tuple(
            diagnosis.model_copy(update={"icd10": code})
            for diagnosis, code in zip(found, codes, strict=True)
        )

    def _signs(self) -> tuple[Examination, ...]:
        text = self._text("physical_examination") or ""
        read = physical_examination if self._mapping.language == "zh" else told_signs
        return self._numbered("p", self._mapping.physical_examination, read(text))

    def _results(self) -> tuple[Examination, ...]:
        text = self._text("auxiliary_examinations") or ""
        if self._mapping.language == "zh":
            told = auxiliary_examinations(text)
        else:
            told = listed_examinations(text, "e")
        return self._numbered("e", self._mapping.auxiliary_examinations, told)

    def _numbered(
        self, prefix: str, columns: dict[str, ResultColumn], told: Iterable[Examination]
    ) -> tuple[Examination, ...]:
        """Those that have a column of their own before those of the text."""
        single = [
            _examination(name, result, cell)
            for name, result in columns.items()
            if (cell := self._cell(result.column))
        ]
        return tuple(
            examination.model_copy(update={"id": f"{prefix}{i}"})
            for i, examination in enumerate((*single, *told), 1)
        )


def _examination(name: str, result: ResultColumn, cell: str) -> Examination:
    reading = take_reading(cell)
    abnormal = reading.abnormal
    if abnormal is None and result.reference_range and reading.reference_range is None:
        again = take_reading(f"{cell} (reference range {result.reference_range})")
        abnormal = again.abnormal
    return Examination(
        id="e1",
        name=name,
        category=result.category,
        value=reading.value,
        unit=reading.unit or (result.unit if re.search(r"\d", reading.value) else None),
        reference_range=reading.reference_range or result.reference_range,
        abnormal=abnormal,
        note=reading.note,
    )
