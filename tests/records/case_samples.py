"""One small file of cases in each format that the readers know, written for the tests."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

OWN: list[dict[str, Any]] = [
    {
        "id": "a",
        "language": "en",
        "demographics": {"age_years": 41, "sex": "female"},
        "chief_complaint": "Itchy eyes for two days, no fever",
        "past_history": "Hay fever",
        "auxiliary_examinations": [
            {"id": "e1", "name": "IgE", "value": "310", "unit": "IU/mL", "reference_range": "0-100"}
        ],
        "diagnoses": [{"id": "d1", "name": "Allergic conjunctivitis", "icd10": "H10.1"}],
    },
    {
        "id": "b",
        "language": "zh",
        "chief_complaint": "腹泻1天，无腹痛、呕吐",
        "diagnoses": [{"id": "d1", "name": "急性肠炎"}],
    },
]
MVME: list[dict[str, Any]] = [
    {
        "id": 3,
        "department": "内科病例",
        "profile": "<病情陈述> 你拉肚子一天了。\n<性别> 男\n<年龄> 30\n<工作与生活> 厨师",
        "medical_record": {
            "一般资料": "- 性别: 男\n- 年龄: 30岁\n- 职业: 厨师",
            "主诉": "腹泻1天。",
            "现病史": "患者昨日进食海鲜后腹泻5次，水样便，无发热、腹痛。",
            "既往史": "体健，否认高血压、糖尿病病史。",
            "查体": "- 体温: 37.1℃\n- 腹部: 腹软，无压痛",
            "辅助检查": "- 血常规:\n  - WBC: 9.8×10^9/L（参考值4-10）\n- 便常规：未见异常",
            "初步诊断": "急性肠炎",
            "诊断结果": "1. 急性肠炎\n2. 轻度脱水",
        },
    }
]
OSCE: list[dict[str, Any]] = [
    {
        "OSCE_Examination": {
            "Objective_for_Doctor": "Assess the patient.",
            "Patient_Actor": {
                "Demographics": "30-year-old male",
                "History": "The patient reports loose stools since yesterday. He denies fever.",
                "Symptoms": {
                    "Primary_Symptom": "Diarrhea",
                    "Secondary_Symptoms": ["Cramps", "Thirst"],
                },
                "Past_Medical_History": "None known.",
            },
            "Physical_Examination_Findings": {
                "Vital_Signs": {"Temperature": "37.1°C", "Heart_Rate": "88 bpm"}
            },
            "Test_Results": {"Stool": {"Culture": "Negative", "White_Cells": "Few"}},
            "Correct_Diagnosis": "Gastroenteritis",
        }
    }
]
NEJM: list[dict[str, Any]] = [
    {
        "image_url": "https://example.org/image?id=1",
        "question": "A 30-year-old man with a history of asthma presented to the clinic with a "
        "2-day history of wheals on his arms. He reported no fever. On physical examination, "
        "there were raised pink wheals on both arms. A skin biopsy showed dermal edema. A slide "
        "is shown. What is the most likely diagnosis?",
        "patient_info": "You are a 30-year-old man with itchy arms.",
        "physical_exams": "Laboratory results: - Eosinophil count: 600 per cubic millimeter "
        "(reference range, 40-500) - IgE: Elevated Biopsy findings: - Skin biopsy: Dermal edema",
        "answers": [
            {"text": "Urticaria", "correct": True},
            {"text": "Scabies", "correct": False},
        ],
    }
]
MEDIQ: list[dict[str, Any]] = [
    {
        "id": 7,
        "question": "Which of the following is the most likely diagnosis for the patient?",
        "context": [
            "A 30-year-old man presents to the clinic with wheals on his arms",
            "He denies fever, joint pain, or new drugs",
            "His medical history is significant for asthma",
            "Physical examination reveals raised pink wheals on both arms",
            "A skin biopsy shows dermal edema.",
        ],
        "options": {"A": "Urticaria", "B": "Scabies"},
        "answer": "Urticaria",
        "answer_idx": "A",
        "facts": ["1. A man has wheals."],
        "patient": {"age": "30 years", "gender": "male"},
    }
]
SYMPTOMCHECK: list[dict[str, Any]] = [
    {
        "correct_diagnosis": "Urticaria",
        "demographics": "30 year old Male",
        "chief_complaints": "Rash, Itching",
        "presentation": "He has had wheals on both arms for two days. They come and go.",
        "absent_findings": "No fever, No nausea or vomiting  No cough, Normal appetite. chills",
        "physical_history": "None",
        "family_history": "-",
        "social_history": "",
    }
]
TRIAGE: list[dict[str, Any]] = [
    {
        "urgency_level": "sc",
        "correct_diagnosis": "Urticaria",
        "case_description": "A 30-year-old man presents with wheals on his arms for 2 days. He "
        "denies fever. On examination, there are raised pink wheals on both arms.",
    }
]
TABLE = [
    ["Case", "Age", "Sex", "Complaint", "Course", "Exam", "Temp", "CRP", "Diagnosis", "Code"],
    ["a", "34", "F", "Sore throat", "Fever for two days, no cough", "Throat: red; Neck: no nodes",
     "38.4", "12", "Tonsillitis", "J03.9"],
    ["b", "8 months", "male", "Vomiting", "", "", "", "", "1. Gastroenteritis 2. Dehydration",
     "A09, E86"],
]  # fmt: skip
MAPPING = """\
language = "en"
[columns]
id = "Case"
age = "Age"
sex = "Sex"
chief_complaint = "Complaint"
history_of_present_illness = "Course"
physical_examination = "Exam"
diagnoses = "Diagnosis"
icd10 = ["Code"]
[physical_examination]
Temperature = {column = "Temp", unit = "°C"}
[auxiliary_examinations]
"C-reactive protein" = {column = "CRP", unit = "mg/L", reference_range = "0-5"}
"""
TABLE_ZH = [
    ["编号", "年龄", "性别", "主诉", "现病史", "查体", "辅助检查", "诊断", "备注"],
    ["甲", "3岁", "女", "咳嗽2天", "无发热、气促", "咽红。双肺呼吸音清", "- CRP: 22mg/L",
     "支气管炎", "x"],
]  # fmt: skip
MAPPING_ZH = """\
language = "zh"
encoding = "gb18030"
ignore = "*"
[columns]
id = "编号"
age = "年龄"
sex = "性别"
chief_complaint = "主诉"
history_of_present_illness = "现病史"
physical_examination = "查体"
auxiliary_examinations = "辅助检查"
diagnoses = "诊断"
"""


@dataclass(frozen=True)
class Sample:
    """A file of cases, with the mapping beside it if it needs one."""

    name: str
    content: bytes
    mapping: bytes | None = None


def json_lines(cases: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases).encode()


def csv_text(rows: list[list[str]], delimiter: str = ",") -> str:
    def quoted(cell: str) -> str:
        return f'"{cell}"' if delimiter in cell else cell

    return "".join(delimiter.join(map(quoted, row)) + "\r\n" for row in rows)


def workbook_parts(rows: list[list[str]]) -> dict[str, str]:
    """The files inside an xlsx workbook of one sheet."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    cells = "".join(
        f'<row r="{r}">'
        + "".join(
            f'<c r="{letters[c]}{r}"><v>{cell}</v></c>'
            if cell.replace(".", "").isdigit()
            else f'<c r="{letters[c]}{r}" t="inlineStr"><is><t>{escape(cell)}</t></is></c>'
            for c, cell in enumerate(row)
        )
        + "</row>"
        for r, row in enumerate(rows, 1)
    )
    schemas = "http://schemas.openxmlformats.org"
    office = f"{schemas}/officeDocument/2006/relationships"
    main = f"{schemas}/spreadsheetml/2006/main"
    package = f"{schemas}/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    return {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kind}.worksheet+xml"/>'
        "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        '<sheet name="Cases" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="rId1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/>'
        "</Relationships>",
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{cells}</sheetData>'
        "</worksheet>",
    }


def zipped(parts: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return buffer.getvalue()


def workbook(rows: list[list[str]]) -> bytes:
    """An xlsx workbook of one sheet named "Cases"."""
    return zipped({name: text.encode() for name, text in workbook_parts(rows).items()})


JSON_SAMPLES = (
    Sample("own", json_lines(OWN)),
    Sample("mvme", json.dumps(MVME, ensure_ascii=False).encode()),
    Sample("osce", json_lines(OSCE)),
    Sample("nejm", json_lines(NEJM)),
    Sample("mediq", json_lines(MEDIQ)),
    Sample("symptomcheck", json_lines(SYMPTOMCHECK)),
    Sample("triage", json_lines(TRIAGE)),
)
TABLE_SAMPLES = (
    Sample("csv", csv_text(TABLE).encode(), MAPPING.encode()),
    Sample("tsv", csv_text(TABLE_ZH, "\t").encode("gb18030"), MAPPING_ZH.encode()),
)
WORKBOOK = Sample("xlsx", workbook(TABLE), MAPPING.encode())
