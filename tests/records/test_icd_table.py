"""Tables of ICD-10 names in the layouts that users have."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.diseases.icd_table import IcdRow, read_icd_table, who_code
from records.diseases.terminology import Terminology
from records.errors import InputError

BEIJING = (
    Path(__file__).resolve().parents[2].parent
    / "shared"
    / "data"
    / "mvme"
    / "icd10_beijing_clinical_v601.xls"
)
ROWS = (("A00", "霍乱"), ("A00.000x001", "古典生物型霍乱"), ("A17.0†", "结核性脑膜炎"))


def written(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("A00", "A00"),
        ("A00.0", "A00.0"),
        (" A00.000x001 ", "A00.0"),
        ("A17.0†", "A17.0"),
        ("G01*", "G01"),
        ("A54.807+I39.8*", "A54.8"),
        ("G35xx08", "G35"),
        ("K20.x", "K20"),
        ("I219", "I21.9"),
        ("C7A.0", "C7A.0"),
        ("M800000/3", None),
        ("M8170/3", None),
        ("霍乱", None),
        ("ABC", None),
        ("A00 霍乱", None),
        ("", None),
    ],
)
def test_a_cell_gives_the_code_as_who_writes_it(cell: str, code: str | None) -> None:
    assert who_code(cell) == code


@given(st.text(max_size=30))
def test_any_cell_is_a_code_or_none(cell: str) -> None:
    code = who_code(cell)
    assert code is None or (len(code) in (3, 5) and code == code.upper())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_columns_are_found_by_their_content(tmp_path: Path, encoding: str, separator: str) -> None:
    lines = [("序号", "章", "名称", "编码"), ("", "", "某些传染病和寄生虫病", "")]
    lines += [(str(i), "第一章", name, code) for i, (code, name) in enumerate(ROWS, 1)]
    text = "".join(separator.join(line) + "\r\n" for line in lines)
    rows = read_icd_table(written(tmp_path / "table.txt", text, encoding))
    assert [(row.own, row.name) for row in rows] == list(ROWS)
    assert [row.code for row in rows] == ["A00", "A00.0", "A17.0"]


def test_a_kind_of_tumour_is_a_name_without_a_code(tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", "M81,骨质疏松\nM8170/3,肝细胞癌\nC22.0,肝细胞性肝癌\n")
    assert read_icd_table(table)[1] == IcdRow(None, "M8170/3", "肝细胞癌")
    terminology = Terminology.of_table(table)
    assert terminology.names == ("骨质疏松", "肝细胞癌", "肝细胞性肝癌")
    assert terminology.link("肝细胞癌", "zh").icd10 == "C22.0"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no column of ICD-10 codes"),
        ("name,other\nfever,cold\n", "no column of ICD-10 codes"),
        ("A00\nA01\n", "no column of names"),
        ("A00,1\nA01,2\n", "no column of names"),
        ('A00,"never closed\n', "no row of a table"),
    ],
)
def test_another_table_is_refused_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        read_icd_table(written(tmp_path / "t.csv", text))
    assert "\n" not in str(caught.value)
    assert "t.csv" in str(caught.value)


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_icd_table(tmp_path / "absent.csv")
    with pytest.raises(InputError):
        read_icd_table(tmp_path)
    (tmp_path / "t.csv").write_bytes(b"\x81\x00\xff\xfe\x80")
    with pytest.raises(InputError, match="neither utf-8 nor gb18030"):
        read_icd_table(tmp_path / "t.csv")


def test_the_tables_names_win_and_the_bundled_ones_follow(tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", "J99.901,肺炎\nX,痛风\nK25.9,胃溃疡\n")
    terminology = Terminology.of_table(table)
    assert terminology.names == ("肺炎", "胃溃疡")
    assert terminology.link("肺炎", "zh").icd10 == "J99.9"
    assert terminology.link("痛风", "zh").icd10 == "M10.9"
    assert terminology.link("Gout", "en").icd10 == "M10"
    other = Terminology.of_table(written(tmp_path / "u.csv", "J99.901,肺炎\nK25.9,胃炎\n"))
    assert other.hash != terminology.hash


@pytest.mark.skipif(not BEIJING.is_file(), reason="the Beijing table is not here")
def test_the_beijing_table_is_read_whole() -> None:
    pytest.importorskip("python_calamine")
    rows = read_icd_table(BEIJING)
    assert len(rows) == 40_473  # One row of its 40,474 holds no code.
    assert len({row.name for row in rows}) == 37_644
    kinds_of_tumours = [row.own for row in rows if row.code is None]
    assert all("/" in own for own in kinds_of_tumours)
