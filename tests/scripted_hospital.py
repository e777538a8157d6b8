"""A script for `ScriptedEndpoint` that plays every chair of the hospital, in both languages.

One model behind all chairs: which one is asked is told by the prompt that the request begins with.
The doctor asks once, orders an electrocardiogram, and concludes; everyone keeps to the format.
"""

from __future__ import annotations

import json
from typing import Any

from records.mark import DIMENSIONS
from records.medical_record import Language
from tests.scripted_endpoint import purpose_of

DOCTOR_LINES: dict[Language, tuple[str, str, str]] = {
    "en": (
        "Since when do you have it?",
        "Please have an electrocardiogram done.",
        "You have a gastric ulcer. Take omeprazole 20 mg twice daily.",
    ),
    "zh": (
        "这样多久了？",
        "请去做一个心电图。",
        "您得的是胃溃疡，请口服奥美拉唑治疗。",
    ),
}
REPORTS: dict[Language, str] = {
    "en": "#Symptoms#\nBelly ache\n#Auxiliary examinations#\nElectrocardiogram\n#Diagnosis#\n"
    "Gastric ulcer\n#Rationale#\nThe ache\n#Treatment plan#\nOmeprazole",
    "zh": "#症状#\n腹痛\n#辅助检查#\n心电图\n#诊断结果#\n胃溃疡\n#诊断依据#\n腹痛\n"
    "#治疗方案#\n奥美拉唑",
}
_PATIENT: dict[Language, dict[str, str]] = {
    "en": {
        "answer": "<to doctor> For some days.",
        "carry": "<to examiner> An electrocardiogram, please.",
        "end": "<end> Thank you, doctor.",
    },
    "zh": {
        "answer": "<对医生讲> 有几天了。",
        "carry": "<对检查员讲> 我要做心电图。",
        "end": "<结束> 谢谢医生。",
    },
}
_NAMED: dict[Language, str] = {"en": '["electrocardiogram"]', "zh": '["心电图"]'}


def play(body: dict[str, Any]) -> str:
    """What the model says, whoever it is asked to be."""
    written, role, purpose = purpose_of(body)
    language: Language = "zh" if written == "zh" else "en"
    messages = body["messages"]
    heard = messages[-1]["content"]
    if role == "doctor":
        if purpose == "system_one_step" or REPORTS[language].splitlines()[0] in heard:
            return REPORTS[language]
        said = sum(message["role"] == "assistant" for message in messages)
        return DOCTOR_LINES[language][min(said, 2)]
    if role == "patient":
        _, order, conclusion = DOCTOR_LINES[language]
        lines = _PATIENT[language]
        # What the model heard last may follow on other words addressed to it.
        if heard.endswith(conclusion):
            return lines["end"]
        return lines["carry"] if heard.endswith(order) else lines["answer"]
    if role == "examiner":
        return _NAMED[language]
    return json.dumps({dimension: {"analysis": "…", "grade": "B"} for dimension in DIMENSIONS})
