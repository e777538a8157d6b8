"""What the terminal says to a person in a chair, in both languages."""

from __future__ import annotations

from dataclasses import dataclass

from records.medical_record import Language

NEVER_CARE: dict[Language, str] = {
    "zh": "仅供研究与教学，不得用于诊疗。",
    "en": "For research and training. Never for care.",
}


@dataclass(frozen=True)
class PlayWords:
    """The phrases of one language; names in braces are filled in."""

    waiting_room: str
    patient: str
    choose: str
    no_such_number: str
    years: str
    male: str
    female: str
    unknown: str
    welcome: str
    help: str
    you: str
    roles: dict[str, str]
    unknown_command: str
    near_command: str
    needs: str
    physical: str
    closing: str
    report_begins: str
    parts: dict[str, str]
    report_empty: str
    chart: str
    nothing_known: str
    said: str
    denied: str
    signs: str
    results: str
    abnormal: str
    reference_range: str
    notes: str
    no_notes: str
    noted: str
    differential: str
    no_differential: str
    hint_ask: str
    hint_examine: str
    no_hint: str
    took_back: str
    nothing_to_take_back: str
    saved: str
    left: str
    resumed: str
    not_in_exam: str
    time_left: str
    time_over: str
    marks: str
    missed: str
    facts_missed: str
    examinations_missed: str
    within_reach: str
    never_within_reach: str
    linked: str
    hit: str
    extra: str
    not_found: str
    others: str
    nothing: str
    separator: str
    calibration: str
    run_is_in: str
    npc_welcome: dict[str, str]
    npc_help: dict[str, str]
    card: str
    background: str
    way_of_speaking: str
    emotion: str
    history: str
    suggestion: str
    leave: str
    chief_welcome: str
    record_has: str
    report_says: str
    grade: str
    grade_menu: str
    analysis: str
    checklist: str


_EN = PlayWords(
    waiting_room="Waiting room",
    patient="Patient",
    choose="Whom do you see? A number, or Enter for the first: ",
    no_such_number="There are numbers 1 to {n}.",
    years="{age} years",
    male="male",
    female="female",
    unknown="not stated",
    welcome="You are the doctor. Type to speak to the patient; /help lists the commands.",
    help="""\
Plain text                  speaks to the patient
/examine abdomen            physical examination of a region or sign
/order chest x-ray, CBC     auxiliary examinations, by name
/chart                      what is known so far
/notes [text]               your private notes; with text, adds one
/differential [a, b, c]     your private list of guesses, likeliest first
/hint                       what to ask or order next
/undo                       take back your last turn
/report [edit]              close the consultation and write the report; edit: in your editor
/save                       where the visit is kept (it is kept after every line)
/quit                       leave; "hospital play --resume" goes on
Tab completes commands and names of examinations; the up arrow brings back what you typed.""",
    you="doctor",
    roles={
        "doctor": "Doctor",
        "patient": "Patient",
        "examiner": "Examiner",
        "chief_physician": "Chief physician",
    },
    unknown_command="There is no command {command}; /help lists them.",
    near_command="There is no command {command}; did you mean {near}?",
    needs="Say what, as in: {example}",
    physical="Physical examination: {what}",
    closing="Thank you, that is all I need to know for now.",
    report_begins="The report, in five parts. Enter goes on to the next; /undo takes you back.",
    parts={
        "symptoms": "Symptoms",
        "examinations": "Auxiliary examinations",
        "diagnosis": "Diagnosis",
        "rationale": "Rationale",
        "treatment": "Treatment plan",
    },
    report_empty="The report is empty. Write at least a diagnosis, or /quit to leave it for later.",
    chart="Chart",
    nothing_known="Nothing yet.",
    said="Says",
    denied="Denies",
    signs="Signs",
    results="Results",
    abnormal="abnormal",
    reference_range="reference {range}",
    notes="Notes",
    no_notes="No notes yet; /notes TEXT adds one.",
    noted="Noted.",
    differential="Differential",
    no_differential="No list yet; /differential NAME, NAME, … sets it, likeliest first.",
    hint_ask="Ask about: {what}",
    hint_examine="Think of: {what}",
    no_hint="Nothing stands out so far. Ask openly for the course of the illness.",
    took_back="Taken back.",
    nothing_to_take_back="There is nothing to take back.",
    saved="Kept in {path}",
    left="The visit is kept. To go on:",
    resumed="Going on where you left.",
    not_in_exam="Not in an examination.",
    time_left="{minutes} min left",
    time_over="The time is over. Write the report now.",
    marks="Marks by {judge}",
    missed="What was missed",
    facts_missed="Never asked: {items}",
    examinations_missed="Never ordered: {items}",
    within_reach="The diagnosis was within reach from turn {turn} on.",
    never_within_reach="What came out did not suffice to tell the diagnosis by rule.",
    linked="Diagnoses by ICD-10",
    hit="right: {name}",
    extra="not in the record: {name}",
    not_found="missed: {name}",
    others="Others on this case",
    nothing="nothing",
    separator="; ",
    calibration="The diagnosis was number {place} of your list in turn {turn}.",
    run_is_in="The visit is in {path}",
    npc_welcome={
        "patient": "You are the patient. Answer the doctor in your own words, from your card.",
        "examiner": "You are the examiner. Report what is on record for what is requested.",
    },
    npc_help={
        "patient": """\
Plain text    answers the doctor
/card         your card
/suggest      what the grounded patient would say
/end [words]  take your leave, which ends the consultation
/undo         take back your last answer
/quit         leave; "hospital play --resume" goes on""",
        "examiner": """\
Plain text    reports results to the doctor
/card         all results on record
/suggest      what the grounded examiner would report
/undo         take back your last reply
/quit         leave; "hospital play --resume" goes on""",
    },
    card="Your card",
    background="Background",
    way_of_speaking="Way of speaking",
    emotion="Mood",
    history="History",
    suggestion="It might be said so:",
    leave="Thank you, doctor. Goodbye.",
    chief_welcome="You are the chief physician. Grade each part of the report against the record: "
    "A (agrees) to D (nothing in common); - abstains.",
    record_has="The record",
    report_says="The report",
    grade="{part}: A, B, C, D or -? ",
    grade_menu="A, B, C or D; - abstains.",
    analysis="Why (Enter: nothing): ",
    checklist="Checklist: {points} of {of} points",
)
_ZH = PlayWords(
    waiting_room="候诊室",
    patient="患者",
    choose="请哪一位？输入编号，直接回车为第一位：",
    no_such_number="编号为 1 到 {n}。",
    years="{age}岁",
    male="男",
    female="女",
    unknown="未注明",
    welcome="您是医生。直接输入即对患者说话；输入 /help 查看命令。",
    help="""\
直接输入                    对患者说话
/examine 腹部               体格检查（部位或体征）
/order 胸片、血常规         按名称开具辅助检查
/chart                      目前已知的情况
/notes [文字]               私人笔记；带文字则添加一条
/differential [甲、乙、丙]  私人的鉴别诊断清单，可能性大的在前
/hint                       下一步问什么或查什么
/undo                       撤回上一轮
/report [edit]              结束问诊并书写报告；edit：在编辑器中书写
/save                       就诊保存在何处（每一句都已即时保存）
/quit                       离开；用 “hospital play --resume” 继续
Tab 键补全命令和检查名称；上箭头调出输入过的内容。
命令也可用中文：/查体 /检查 /病历 /笔记 /鉴别 /提示 /撤回 /报告 /保存 /退出 /帮助""",
    you="医生",
    roles={
        "doctor": "医生",
        "patient": "患者",
        "examiner": "检查员",
        "chief_physician": "主任医师",
    },
    unknown_command="没有命令 {command}；输入 /help 查看。",
    near_command="没有命令 {command}；是否想输入 {near}？",
    needs="请说明内容，例如：{example}",
    physical="体格检查：{what}",
    closing="谢谢，目前需要了解的就是这些。",
    report_begins="报告共五部分。回车进入下一部分；/undo 返回问诊。",
    parts={
        "symptoms": "症状",
        "examinations": "辅助检查",
        "diagnosis": "诊断结果",
        "rationale": "诊断依据",
        "treatment": "治疗方案",
    },
    report_empty="报告是空的。请至少写出诊断，或用 /quit 留待以后。",
    chart="病历",
    nothing_known="尚无内容。",
    said="自述",
    denied="否认",
    signs="体征",
    results="检查结果",
    abnormal="异常",
    reference_range="参考值 {range}",
    notes="笔记",
    no_notes="还没有笔记；/notes 文字 可添加一条。",
    noted="已记下。",
    differential="鉴别诊断",
    no_differential="还没有清单；/differential 甲、乙 可设定，可能性大的在前。",
    hint_ask="可以问：{what}",
    hint_examine="可以考虑：{what}",
    no_hint="从目前所知看不出重点，请让患者讲讲病情经过。",
    took_back="已撤回。",
    nothing_to_take_back="没有可撤回的内容。",
    saved="保存在 {path}",
    left="就诊已保存。继续请用：",
    resumed="从上次离开处继续。",
    not_in_exam="考试中不可使用。",
    time_left="剩余 {minutes} 分钟",
    time_over="时间到，请书写报告。",
    marks="{judge} 的评分",
    missed="遗漏之处",
    facts_missed="从未问到：{items}",
    examinations_missed="从未开具：{items}",
    within_reach="从第 {turn} 轮起已可得出诊断。",
    never_within_reach="按规则，已得到的信息不足以得出诊断。",
    linked="ICD-10 诊断对照",
    hit="正确：{name}",
    extra="病历中没有：{name}",
    not_found="遗漏：{name}",
    others="其他医生的同一病例",
    nothing="无",
    separator="；",
    calibration="第 {turn} 轮时，该诊断在您的清单中排第 {place}。",
    run_is_in="就诊记录在 {path}",
    npc_welcome={
        "patient": "您是患者。请根据您的卡片，用自己的话回答医生。",
        "examiner": "您是检查员。请报告所申请项目的记录结果。",
    },
    npc_help={
        "patient": """\
直接输入      回答医生
/card         您的卡片
/suggest      规则患者会怎么说
/end [话]     告辞，问诊结束
/undo         撤回上一次回答
/quit         离开；用 “hospital play --resume” 继续
命令也可用中文：/卡片 /参考 /告辞 /撤回 /退出 /帮助""",
        "examiner": """\
直接输入      向医生报告结果
/card         全部记录结果
/suggest      规则检查员会怎么报告
/undo         撤回上一次回复
/quit         离开；用 “hospital play --resume” 继续
命令也可用中文：/卡片 /参考 /撤回 /退出 /帮助""",
    },
    card="您的卡片",
    background="背景",
    way_of_speaking="说话方式",
    emotion="情绪",
    history="病史",
    suggestion="可以这样说：",
    leave="谢谢医生，再见。",
    chief_welcome="您是主任医师。请对照病历给报告的每一部分评级：A（一致）至 D（毫无共同之处）；"
    "- 为弃权。",
    record_has="病历",
    report_says="报告",
    grade="{part}：A、B、C、D 或 -？",
    grade_menu="请输入 A、B、C 或 D；- 为弃权。",
    analysis="理由（直接回车：无）：",
    checklist="清单：{points} 分，满分 {of} 分",
)
_WORDS: dict[Language, PlayWords] = {"zh": _ZH, "en": _EN}


def play_words(language: Language) -> PlayWords:
    """The phrases of a language."""
    return _WORDS[language]
