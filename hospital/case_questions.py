"""What `hospital records add` asks and says, in the language of the case."""

from __future__ import annotations

from records.medical_record import HistorySection, Language

LANGUAGE = "Language of the case / 病例的语言 (zh, en)"

SECTIONS: tuple[HistorySection, ...] = (
    "chief_complaint",
    "history_of_present_illness",
    "past_history",
    "personal_history",
    "family_history",
    "medication_history",
)

_WORDS: dict[str, tuple[str, str]] = {
    "language": ("语言", "Language"),
    "id": ("病例编号", "Id of the case"),
    "id_taken": ("这个编号已有，请换一个。", "This id is taken; choose another."),
    "department": ("科室（可空）", "Department (may be empty)"),
    "age": ("年龄，如 46、7个月、5天（可空）", "Age, such as 46, 7 months, 5 days (may be empty)"),
    "age_unread": (
        "没有看懂。写作 46、2岁3个月 或 5天，0 到 130 岁。",
        "Not understood. Write 46, 18 months or 5 days, from 0 to 130 years.",
    ),
    "sex": ("性别，男 或 女（可空）", "Sex, m or f (may be empty)"),
    "sex_unread": ("请写 男 或 女。", "Write m or f."),
    "occupation": ("职业（可空）", "Occupation (may be empty)"),
    "description": (
        "还要说明什么，如“由母亲代述”（可空）",
        'Anything else, such as "history from his mother" (may be empty)',
    ),
    "persona.chief_complaint": (
        "用患者自己的话说，哪里不舒服",
        "What troubles the patient, in the patient's own words",
    ),
    "persona.background": ("患者的背景（可空）", "The patient's background (may be empty)"),
    "persona.way_of_speaking": ("说话方式（可空）", "Way of speaking (may be empty)"),
    "persona.emotion": ("情绪（可空）", "Mood (may be empty)"),
    "several_lines": ("可写多行，空行结束", "several lines, an empty one ends"),
    "chief_complaint": ("主诉", "Chief complaint"),
    "history_of_present_illness": ("现病史", "History of present illness"),
    "past_history": ("既往史", "Past history"),
    "personal_history": ("个人史", "Personal and social history"),
    "family_history": ("家族史", "Family history"),
    "medication_history": ("用药史", "Medication history"),
    "persona": ("患者自己的话", "The patient's own words"),
    "findings": ("从中读出的事实（+ 有，- 无）：", "Facts read from it (+ present, - absent):"),
    "findings_none": ("没有读出事实。", "No fact was read from it."),
    "findings_ask": (
        "回车确认；或：3 改有无；3=名称 改名；-3 删除；+原文 补充",
        "Enter if right; or: 3 flips it; 3=NAME renames; -3 drops; +WORDS adds words of the text",
    ),
    "findings_number": ("没有这个编号。", "There is no such number."),
    "findings_not_there": (
        "这段文字里没有这几个字，或与已有的事实重叠。",
        "The text does not have these words, or they overlap another fact.",
    ),
    "findings_unread": ("没有看懂。", "Not understood."),
    "physical": ("体格检查，一项一项写", "Physical examination, one sign at a time"),
    "auxiliary": ("辅助检查，一项一项写", "Auxiliary examinations, one result at a time"),
    "examination.name": ("项目（空行结束）", "What was examined (empty ends)"),
    "examination.category": ("类别，如“血常规”", 'Group, such as "Blood count"'),
    "examination.value": ("结果，如 39.3 ℃", "Result, such as 39.3 °C"),
    "examination.range": ("参考范围（可空）", "Reference range (may be empty)"),
    "examination.abnormal": ("异常吗（是、否，可空）", "Abnormal (y, n, may be empty)"),
    "needed": ("这一项不能空。", "This one is needed."),
    "yes_no": ("请写 是 或 否。", "Write y or n."),
    "keep": ("就这样保留吗（是、否）", "Keep it as it is (y, n)"),
    "demographics": ("科室、年龄、性别", "Department, age, sex"),
    "diagnoses": ("诊断，主要的在前", "Diagnoses, the main one first"),
    "diagnosis.name": ("诊断（空行结束）", "Diagnosis (empty ends)"),
    "diagnosis.needed": ("至少要有一个诊断。", "A case needs at least one diagnosis."),
    "diagnosis.code": (
        "ICD-10 编码：序号、编码，或 - 不编码",
        "ICD-10 code: a number, a code, or - for none",
    ),
    "diagnosis.no_code": (
        "ICD-10（WHO 2019）没有这个编码。",
        "ICD-10 (WHO 2019) has no such code.",
    ),
    "diagnosis.unlinked": ("没有找到相近的编码。", "No code was found for it."),
    "diagnosis.role": (
        "主要 p、合并 c、并发症 x、既往 h",
        "Primary p, comorbidity c, complication x, history h",
    ),
    "rationale": ("诊断依据", "Rationale of the diagnoses"),
    "treatment": ("治疗方案", "Treatment"),
    "fault": ("有误", "fault"),
    "warning": ("请再看", "look again"),
    "save": (
        "有误未改：是 仍要保存，否 留作草稿，序号 重写这一部分",
        "There are faults: y saves it so, n keeps the draft, a number writes that part anew",
    ),
    "saved": ("已写入", "Written to"),
    "draft": (
        "草稿已留在 {draft}；用 --resume 接着写。",
        "The draft is kept in {draft}; --resume takes it up.",
    ),
}


def say(key: str, language: Language) -> str:
    """A question or remark."""
    return _WORDS[key][0 if language == "zh" else 1]
