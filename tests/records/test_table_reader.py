"""Tables of cases: CSV, TSV and workbooks, read through a mapping file."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hospital.bench_command import gather_cases
from hospital.command_line import app
from records.errors import InputError
from records.readers import lint_file, read_records
from records.readers.cells import workbook_rows
from tests.records.case_samples import (
    MAPPING,
    MAPPING_ZH,
    TABLE,
    TABLE_ZH,
    csv_text,
    json_lines,
    workbook,
    workbook_parts,
    zipped,
)

SMALL = 'language = "en"\n[columns]\ndiagnoses = "Diagnosis"\n'
XLS = (
    Path(__file__).resolve().parents[2].parent
    / "shared"
    / "data"
    / "mvme"
    / "icd10_beijing_clinical_v601.xls"
)


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    def write(content: str | bytes, mapping: str | None = SMALL, name: str = "cases.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        if mapping is not None:
            (tmp_path / f"{path.stem}.mapping.toml").write_text(mapping, encoding="utf-8")
        return path

    return write


class TestReading:
    @pytest.mark.parametrize(
        "content",
        [
            csv_text(TABLE),
            "\ufeff" + csv_text(TABLE, ";"),
            csv_text(TABLE, "\t"),
            csv_text(TABLE).encode("utf-16"),
            workbook(TABLE),
        ],
    )
    def test_the_mapping_beside_a_table_is_picked_up(
        self, table: Callable[..., Path], content: str | bytes
    ) -> None:
        first, second = read_records(table(content, MAPPING, "cases"))
        assert (first.id, first.demographics.age_years, first.demographics.sex) == (
            "a",
            34,
            "female",
        )
        assert first.chief_complaint == "Sore throat"
        assert [(f.symptom, f.present) for f in first.findings] == [
            ("Sore throat", True),
            ("Fever", True),
            ("cough", False),
        ]
        assert [(e.id, e.name, e.reading) for e in first.physical_examination] == [
            ("p1", "Temperature", "38.4°C"),
            ("p2", "Throat", "red"),
            ("p3", "Neck", "no nodes"),
        ]
        (protein,) = first.auxiliary_examinations
        assert (protein.reading, protein.reference_range, protein.abnormal) == (
            "12 mg/L",
            "0-5",
            True,
        )
        assert [(d.name, d.icd10) for d in second.diagnoses] == [
            ("Gastroenteritis", "A09"),
            ("Dehydration", "E86"),
        ]
        assert second.demographics.age_years == pytest.approx(0.667)
        assert second.history_of_present_illness is None
        assert not second.physical_examination

    def test_chinese_in_another_encoding(self, table: Callable[..., Path]) -> None:
        content = csv_text(TABLE_ZH, "\t").encode("gb18030")
        (record,) = read_records(table(content, MAPPING_ZH))
        assert (record.id, record.language, record.chief_complaint) == ("甲", "zh", "咳嗽2天")
        assert [f.symptom for f in record.findings if not f.present] == ["发热", "气促"]
        assert [e.name for e in record.auxiliary_examinations] == ["CRP"]

    def test_the_defaults(self, table: Callable[..., Path]) -> None:
        (record,) = read_records(table("Diagnosis\n\nGout\n"))
        assert record.id == "cases-3"
        assert record.source == "cases-3"
        assert record.demographics.age_years is None
        assert not record.findings

    def test_several_columns_make_one_field(self, table: Callable[..., Path]) -> None:
        mapping = SMALL + 'past_history = ["A", "B", "C"]\n'
        (record,) = read_records(table("A,B,C,Diagnosis\nGout,n/a,Asthma\u200b,x\n", mapping))
        assert record.past_history == "Gout\nAsthma\u200b"

    def test_the_header_may_stand_lower_and_the_sheet_be_named(
        self, table: Callable[..., Path]
    ) -> None:
        rows = [["A list of cases"], *TABLE]
        mapping = f'header_row = 2\nsheet = "Cases"\n{MAPPING}'
        assert len(read_records(table(workbook(rows), mapping, "cases.xlsx"))) == 2

    @pytest.mark.skipif(not XLS.is_file(), reason="the published workbook is not here")
    def test_an_old_workbook_is_read(self) -> None:
        rows = workbook_rows(XLS, None)
        assert len(rows) > 40_000
        assert rows[0][0] == 1


class TestRefusals:
    @pytest.mark.parametrize(
        ("content", "mapping", "place", "what"),
        [
            ("Diagnosis\n,\n", SMALL, "cases.csv: row 1", "no row below"),
            ("Diagnosis,Age\nGout,x\n", SMALL + 'age = "Age"\n', "row 2: Age", '"x" is no age'),
            ("Diagnosis,Age\nGout,200\n", SMALL + 'age = "Age"\n', "row 2: Age", "0 to 130"),
            ("Diagnosis,Sex\nGout,K\n", SMALL + 'sex = "Sex"\n', "row 2: Sex", 'male = ["K"]'),
            ("Diagnosis,Id\n-,7\n", SMALL + 'id = "Id"\n', "row 2: Diagnosis", "needs a diagnosis"),
            ("Diagnosis,C\nGout,M10 E11\n", SMALL + 'icd10 = "C"\n', "row 2: C", "2 codes for 1"),
            ("Diagnosis,C\nGout,gout\n", SMALL + 'icd10 = "C"\n', "row 2: C", "no ICD-10 code"),
            ("Diagnosis,Id\na,1\nb,1\n", SMALL + 'id = "Id"\n', "row 3: id", "that of row 2 too"),
            ("Diagnosis\nGout,left\n", SMALL, "cases.csv: row 2", "without a name"),
            ('Diagnosis\n"Gout\n', SMALL, "cases.csv: line 2", "quotation mark"),
            ("Diagnosis,Diagnosis\na,b\n", SMALL, "cases.csv: row 1", "two columns"),
            ("Diagnosis\nGout\n", "header_row = 5\n" + SMALL, "cases.csv: row 5", "is empty"),
            (b"Diagnosis\n\xff\n", SMALL, "cases.csv: line 2", 'encoding = "gb18030"'),
            ("Diagnosis,Note\na,b\n", SMALL, "cases.mapping.toml: ignore", '"Note"'),
            ("Diagnose\na\n", SMALL, "cases.mapping.toml: columns.diagnoses", '"Diagnose"?'),
            ("Diagnosis\na\n", "language = 'en'", "cases.mapping.toml: columns", "is missing"),
            ("Diagnosis\na\n", SMALL + "agee = 'x'\n", "cases.mapping.toml: columns.agee", '"age"'),
            ("Diagnosis\na\n", "colour = 1\n" + SMALL, "cases.mapping.toml: colour", "unknown"),
            ("Diagnosis\na\n", "encoding = 'x'\n" + SMALL, "cases.mapping.toml: encoding", "utf-8"),
            ("Diagnosis\na\n", "delimiter = ' '\n" + SMALL, "cases.mapping.toml: delimiter", '";"'),
            ("Diagnosis\na\n", "language = en", "cases.mapping.toml", "line 1, column"),
        ],
    )
    def test_a_fault_names_its_place_and_what_would_be_right(
        self,
        table: Callable[..., Path],
        content: str | bytes,
        mapping: str,
        place: str,
        what: str,
    ) -> None:
        faults = [str(fault) for fault in lint_file(table(content, mapping))]
        assert any(place in fault and what in fault for fault in faults), faults

    def test_without_a_mapping_a_table_says_how_to_get_one(
        self, table: Callable[..., Path]
    ) -> None:
        for content, name in ((csv_text(TABLE), "a.csv"), (workbook(TABLE), "b.xlsx")):
            (fault, *_) = lint_file(table(content, None, name))
            assert f"{name[0]}.mapping.toml beside it" in fault.what
            assert "--mapping" in fault.what

    def test_json_needs_no_mapping(self, table: Callable[..., Path]) -> None:
        record = {"id": "a", "language": "en", "diagnoses": [{"id": "d1", "name": "Gout"}]}
        path = table(json_lines([record]), SMALL, "cases.jsonl")
        assert read_records(path)[0].id == "a"
        with pytest.raises(InputError, match="needs no mapping"):
            read_records(path, path.with_name("cases.mapping.toml"))

    def test_an_unknown_sheet_names_those_there_are(self, table: Callable[..., Path]) -> None:
        (fault,) = lint_file(table(workbook(TABLE), 'sheet = "X"\n' + MAPPING, "cases.xlsx"))
        assert (fault.record, fault.what) == ("sheet X", "no such sheet; there are Cases")

    def test_a_workbook_of_absurd_size_does_not_take_the_process_down(
        self, table: Callable[..., Path]
    ) -> None:
        parts = {name: text.encode() for name, text in workbook_parts(TABLE).items()}
        sheet = "xl/worksheets/sheet1.xml"
        parts[sheet] = parts[sheet].replace(b'r="J3"', b'r="XFD1048576"')
        (fault,) = lint_file(table(zipped(parts), MAPPING, "cases.xlsx"))
        assert "is damaged" in fault.what

    def test_a_missing_extra_is_named(
        self, table: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
        (fault,) = lint_file(table(workbook(TABLE), MAPPING, "cases.xlsx"))
        assert "pip install 'ai-hospital[tables]'" in fault.what
        assert len(read_records(table(csv_text(TABLE), MAPPING))) == 2


class TestCommands:
    def test_convert_takes_a_mapping_by_name(
        self, table: Callable[..., Path], tmp_path: Path
    ) -> None:
        path = table(csv_text(TABLE), None)
        mapping = tmp_path / "own.toml"
        mapping.write_text(MAPPING, encoding="utf-8")
        out = tmp_path / "out.jsonl"
        arguments = ["records", "convert", str(path), str(out), "--mapping", str(mapping)]
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
        assert "2 records written" in result.output
        assert read_records(out) == read_records(path, mapping)

    def test_bench_takes_tables_among_other_cases(
        self, table: Callable[..., Path], tmp_path: Path
    ) -> None:
        record = {"id": "z", "language": "en", "diagnoses": [{"id": "d1", "name": "Gout"}]}
        own = table(json_lines([record]), None, "own.jsonl")
        path = table(csv_text(TABLE), None)
        mapping = tmp_path / "own.toml"
        mapping.write_text(MAPPING, encoding="utf-8")
        gathered = gather_cases([str(own), str(path)], None, mapping)
        assert [case.id for case in gathered] == ["z", "a", "b"]
