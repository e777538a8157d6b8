"""What the checklist Doctor says, in both languages."""

from __future__ import annotations

from dataclasses import dataclass

from records.medical_record import Language


@dataclass(frozen=True)
class ChecklistWords:
    """Its questions, orders and phrases in one language."""

    questions: tuple[str, ...]
    """The fixed history, a message each. From `past_from` on they ask about the past."""
    past_from: int
    """Index of the first question whose answer tells of earlier illnesses and habits."""
    examinations: tuple[str, ...]
    """What every patient is sent for, whatever the complaint: the physical examination by parts
    and a blood count."""
    order: str
    """To the patient; takes `names`."""
    order_again: str
    """To the patient, who came back without results; takes `names`."""
    request: str
    """To the examiner; takes `names`."""
    conclusion: str
    """Takes `diagnosis`, `reasons`, `treatment`; asks nothing, so that the patient can leave."""
    unknown: str
    """The diagnosis where nothing speaks for any disease known."""
    unknown_treatment: str
    no_reasons: str
    nothing: str
    """A report's part with nothing in it."""
    said: str
    found: str
    denied: str
    next_best: str
    known_before: str
    separator: str
    sentence_end: str
    headings: tuple[str, str, str, str, str]
    to_examiner: str
    """The tag that addresses the examiner under protocol `direct`."""


_ZH = ChecklistWords(
    questions=(
        "这个不舒服是什么时候开始的？怎么起的？在什么部位，是什么样的感觉，有多重？"
        "什么情况下加重或减轻？到现在是怎么变化的？",
        "有没有发热、怕冷、出汗、乏力、体重下降、食欲改变？有没有咳嗽、咳痰、咯血、呼吸困难、胸痛、"
        "心悸、头晕、晕厥？",
        "有没有恶心、呕吐、腹痛、腹泻、便秘、黑便？小便怎么样，口渴吗？有没有头痛、视力变化、"
        "麻木、无力、关节痛、背痛、皮疹、腿肿？还有别的不舒服吗？",
        "以前得过什么病？有没有高血压、糖尿病、心脏病？做过手术吗？平时吃什么药？"
        "对药物或食物过敏吗？",
        "吸烟、饮酒吗？做什么工作？如果是女性，末次月经是什么时候，月经规律吗？家里人得过什么病？",
    ),
    past_from=3,
    examinations=(
        "体温",
        "脉搏",
        "呼吸",
        "血压",
        "血氧饱和度",
        "心脏听诊",
        "肺部听诊",
        "腹部触诊",
        "血常规",
    ),
    order="请您去做这些检查：{names}。",
    order_again="我还没有看到结果。请您去做这些检查：{names}。",
    request="请检查并报告：{names}。",
    conclusion="结合您说的情况和检查结果，我的诊断是：{diagnosis}。诊断依据：{reasons}"
    "治疗方案：{treatment}如果症状加重，请马上就诊。",
    unknown="原因未明的疾病",
    unknown_treatment="对症处理，密切观察，症状变化时随诊。",
    no_reasons="现有资料不足以支持某一种具体疾病。",
    nothing="无",
    said="患者诉：",
    found="检查见：",
    denied="否认：",
    next_best="需鉴别：",
    known_before="既往已有：",
    separator="、",
    sentence_end="。",
    headings=("#症状#", "#辅助检查#", "#诊断结果#", "#诊断依据#", "#治疗方案#"),
    to_examiner="<对检查员讲>",
)

_EN = ChecklistWords(
    questions=(
        "When did this start, and how did it come on? Where is it, what does it feel like, and how "
        "bad is it? What makes it better or worse? How has it changed since?",
        "Have you had fever, chills, sweats, tiredness, weight loss or a change of appetite? "
        "Any cough, sputum, coughing up of blood, breathlessness, chest pain, palpitations, "
        "dizziness or fainting?",
        "Any nausea, vomiting, abdominal pain, diarrhoea, constipation or black stools? How is "
        "passing water, and are you thirsty? Any headache, change of vision, numbness, weakness, "
        "joint pain, back pain, rash or leg swelling? Is there anything else?",
        "What illnesses have you had before? High blood pressure, diabetes, heart disease? Any "
        "operations? What medicines do you take? Are you allergic to anything?",
        "Do you smoke or drink alcohol? What is your work? For women, when was your last period, "
        "and are your periods regular? What illnesses run in your family?",
    ),
    past_from=3,
    examinations=(
        "temperature",
        "heart rate",
        "respiratory rate",
        "blood pressure",
        "oxygen saturation",
        "heart auscultation",
        "lung auscultation",
        "abdominal palpation",
        "complete blood count",
    ),
    order="Please have these examinations done: {names}.",
    order_again="I have not seen any results yet. Please have these examinations done: {names}.",
    request="Please examine and report: {names}.",
    conclusion="From what you have told me and what was found, my diagnosis is: {diagnosis}. "
    "The reasons: {reasons} Treatment plan: {treatment} If it gets worse, come back at once.",
    unknown="Illness of unknown cause",
    unknown_treatment="Symptomatic treatment and close observation; review if anything changes.",
    no_reasons="What is known does not speak for any particular disease.",
    nothing="None",
    said="The patient reports: ",
    found="Examination shows: ",
    denied="Denied: ",
    next_best="To be distinguished from: ",
    known_before="Known before: ",
    separator=", ",
    sentence_end=". ",
    headings=(
        "# Symptoms",
        "# Auxiliary examinations",
        "# Diagnosis",
        "# Rationale",
        "# Treatment plan",
    ),
    to_examiner="<to examiner>",
)


def checklist_words(language: Language) -> ChecklistWords:
    """The words of a language."""
    return _ZH if language == "zh" else _EN
