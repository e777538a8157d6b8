"""The terminal's phrases in Chinese."""

from __future__ import annotations

from hospital.play.phrases import PlayWords

CHINESE = PlayWords(
    waiting_room="候诊室",
    patient="患者",
    comes_in="就诊者：{who}",
    choose="请哪一位？输入编号，直接回车为第一位，m 为换一批：",
    others_please=("m", "换", "换一批"),
    no_such_number="编号为 1 到 {n}，m 为换一批；/退出 离开。",
    years="{age}岁",
    male="男",
    female="女",
    unknown="未注明",
    welcome="您是医生：直接输入的话即对患者说。此外：\n"
    "/查体 腹部   /检查 血常规   /病历   /报告（最后）   /帮助（全部命令）",
    help="""\
直接输入         对患者说话
/查体 腹部       体格检查：部位或体征
/检查 胸片       按名称开具辅助检查，可一次多项
/病历            目前已知的情况
/笔记 [文字]     私人笔记；带文字则添加一条
/鉴别 [甲、乙]   私人的鉴别诊断清单，可能性大的在前
/提示            下一步问什么或查什么（计入记录）
/撤回            撤回上一轮（计入记录）
/报告 [编辑]     结束问诊并书写报告；编辑：在自己的编辑器中书写
/保存            就诊保存在何处（每一句都已即时保存）
/退出            离开；用 “hospital play --resume” 继续
Tab 键           补全命令和检查名称
上箭头           调出输入过的内容
英文命令         /examine /order /chart /notes /differential /hint /undo
                 /report /save /quit /help""",
    you="医生",
    roles={
        "doctor": "医生",
        "patient": "患者",
        "examiner": "检查员",
        "chief_physician": "主任医师",
    },
    unknown_command="没有命令 {command}；输入 /帮助 查看。",
    near_command="没有命令 {command}；是否想输入 {near}？",
    needs="请说明内容，例如：{example}",
    physical="体格检查：{what}",
    closing="谢谢，目前需要了解的就是这些。",
    report_begins="报告共五部分，每部分以回车结束，可以留空。\n"
    "/撤回 返回问诊，/退出 保留已写内容留待以后。",
    report_begins_exam="报告共五部分，每部分以回车结束，可以留空。",
    hand_in="提交吗？回车：提交；1 到 5：修改该部分：",
    closed="问诊已结束；/撤回 可返回问诊。",
    yes=("", "y", "yes", "是", "提交"),
    report_time_over="时间到，已写的内容已提交。",
    no_editor="没有使用编辑器：请设置 EDITOR，或在此书写。",
    parts={
        "symptoms": "症状",
        "examinations": "辅助检查",
        "diagnosis": "诊断结果",
        "rationale": "诊断依据",
        "treatment": "治疗方案",
    },
    report_empty="报告是空的。请至少写出诊断，或用 /退出 留待以后。",
    chart="病历",
    complaint="主诉",
    nothing_known="尚无内容。",
    said="自述",
    denied="阴性",
    signs="体征",
    results="检查结果",
    abnormal="异常",
    reference_range="参考值 {range}",
    notes="笔记",
    no_notes="还没有笔记；/笔记 文字 可添加一条。",
    noted="已记下。",
    differential="鉴别诊断",
    no_differential="还没有清单；/鉴别 甲、乙 可设定，可能性大的在前。",
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
    examinations_missed="从未开具且有异常：{items}",
    unremarkable_missed="从未开具且无异常：{n} 项",
    within_reach="可得出诊断的时机：按规则，从第 {turn} 轮起，已得到的信息把该诊断排在首位。",
    never_within_reach="可得出诊断的时机：按规则，已得到的信息始终未把该诊断排在首位。",
    linked="ICD-10 诊断对照",
    hit="正确：{name}",
    extra="病历中没有：{name}",
    not_found="遗漏：{name}",
    others="其他医生的同一病例",
    nothing="无",
    separator="；",
    comma="，",
    listed="您的清单：该诊断在第 {turn} 轮列入，排第 {place}（共 {of} 项）",
    top_at_once="您的清单：该诊断在第 {turn} 轮列入，并直接排在首位",
    top_since="从第 {turn} 轮起排在首位",
    not_top="最后排第 {place}",
    stop="。",
    unlisted_again="最后的清单中已没有它",
    never_listed="您的清单：其中从未有过该诊断。",
    run_is_in="就诊记录在 {path}",
    npc_welcome={
        "patient": "您是患者。请根据您的卡片，用自己的话回答医生。",
        "examiner": "您是检查员。请报告所申请项目的记录结果。",
    },
    npc_help={
        "patient": """\
直接输入      回答医生
/卡片         您的卡片
/参考         规则患者会怎么说
/告辞 [话]    告辞，问诊结束
/撤回         撤回上一次回答
/退出         离开；用 “hospital play --resume” 继续
英文命令      /card /suggest /end /undo /quit /help""",
        "examiner": """\
直接输入      向医生报告结果
/卡片         全部记录结果
/参考         规则检查员会怎么报告
/撤回         撤回上一次回复
/退出         离开；用 “hospital play --resume” 继续
英文命令      /card /suggest /undo /quit /help""",
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
    letters_of="{part}：{letters}",
    agreement="{of} 项中 {same} 项评级相同，{near} 项相差一级。",
    checklist="清单：{points} 分，满分 {of} 分",
    still_waiting="（尚无回答；Ctrl-C 可离开，内容不会丢失）",
    being_marked="{judge} 正在评分……",
    gave_out="{role}：没有得到回答（{why}）",
    not_marked="{judge} 未能评分（{why}）。补评请用：",
    watch_keys="空格暂停，q 离开。",
    paused="已暂停。空格继续，q 离开。",
    goes_on="继续。",
)
