"""Published logs of our own making, in the shapes of AI Hospital's files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

REFERENCE = {
    "diagnosis": "1. 膝骨关节炎\n2. 高血压病",
    "basis": "膝痛，查体见肿胀。",
    "treatment": "休息。",
}
REPORT = (
    "#症状#\n膝盖疼三天\n#辅助检查#\n膝关节X线：骨赘形成\n#诊断结果#\n膝骨关节炎\n"
    "#诊断依据#\n膝痛，有骨赘\n#治疗方案#\n休息，止痛"
)
ONE_STEP = "#诊断结果#\n1. 膝骨关节炎\n2. 高血压病\n#诊断依据#\n膝痛\n#治疗方案#\n休息"
REFUSAL = "很抱歉，没有检查结果，我无法给出诊断。"
OPENING = "<对医生讲> 您好，我右边膝盖疼了三天了，上楼的时候更疼。"
ORDER = "<对检查员讲> 您好，医生让我做膝关节X线，结果是什么？"
RESULT = "#检查项目#\n- 膝关节X线: 骨赘形成"
LEAVE = "<结束> 谢谢医生，我知道了。"


def dialogue(
    patient: int, *said: tuple[str, str], report: str | None = REPORT, **fields: Any
) -> dict[str, Any]:
    """A consultation: a greeting, what was said as (role, text), and the doctor's report."""
    history: list[dict[str, Any]] = [{"turn": 0, "role": "Doctor", "content": "您好，哪里不舒服？"}]
    turn = 0
    for role, text in said:
        turn += role == "Patient"
        history.append({"turn": turn, "role": role, "content": text})
    if report is not None:
        history.append({"turn": turn, "role": "Doctor", "content": report})
    return {"patient_id": patient, "dialog_history": history, **fields}


def consulted(patient: int, **fields: Any) -> dict[str, Any]:
    """A consultation with an examination and a leave."""
    return dialogue(
        patient,
        ("Patient", OPENING),
        ("Doctor", "请做膝关节X线检查。"),
        ("Patient", ORDER),
        ("Reporter", RESULT),
        ("Doctor", "您得的是膝骨关节炎，请休息。"),
        ("Patient", LEAVE),
        **fields,
    )


def judged(patient: int, text: str = ONE_STEP, **choices: Any) -> dict[str, Any]:
    """A judgement of a report, with the patient's reference."""
    grades = {"diagnosis": "A", "basis": "B", "treatment": "C"} | choices
    return {
        "doctor_name": "GPT-4",
        "model_name": "gpt-4",
        "patient_id": patient,
        "reference_diagnosis": {"patient_id": patient, **REFERENCE},
        "doctor_diagnosis": {"patient_id": patient, "diagnosis": text},
        **{f"{name}_choice": choice for name, choice in grades.items()},
        **{f"{name}_analyis": f"关于{name}" for name in grades},
    }


def conferred(patient: int, rounds: int) -> dict[str, Any]:
    """A conference of two doctors."""
    return {
        "patient_id": patient,
        "final_turn": rounds,
        "diagnosis": "#最终诊断#\n" + ONE_STEP,
        "symptom_and_examination": "##症状##\n(1) 膝盖疼\n\n##辅助检查##\n(1) X线见骨赘",
        "doctor_engine_names": ["gpt-4", "gpt-3.5-turbo-16k"],
        "host_engine_name": "gpt-4",
    }


def write_lines(path: Path, *lines: dict[str, Any]) -> Path:
    """Write objects, one a line."""
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


def write_logs(directory: Path) -> Path:
    """A directory with a file of every kind, of two patients."""
    directory.mkdir(exist_ok=True)
    engine = {"doctor_engine_name": "gpt-4", "patient_engine_name": "gpt-3.5-turbo"}
    write_lines(
        directory / "dialog_history_gpt4.jsonl", consulted(7, **engine), consulted(8, **engine)
    )
    write_lines(
        directory / "dialog_history_qwen_max.jsonl",
        consulted(7, report=REFUSAL),
        dialogue(8, ("Patient", OPENING), ("Doctor", "多久了？")),
    )
    write_lines(
        directory / "onestep_gpt4_made_up.jsonl",
        *({"patient_id": n, "doctor": "Engine.GPT", "diagnosis": ONE_STEP} for n in (7, 8)),
    )
    write_lines(
        directory / "evaluation_made_up_onestep.jsonl", judged(7), judged(8, treatment=None)
    )
    write_lines(
        directory / "doctors_2_agent_parallel_with_critique_discussion_history.jsonl",
        conferred(7, 0),
        conferred(8, 4),
    )
    return directory
