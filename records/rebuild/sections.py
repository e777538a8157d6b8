"""The section of a history that a spoken clause belongs to."""

from __future__ import annotations

import re

from records.medical_record import HistorySection

_KIN = (
    r"家族|家里(?:人|有|没)|家人|遗传|父亲|母亲|爸爸|妈妈|父母|爷爷|奶奶|外公|外婆|姥姥|姥爷|兄弟|姐妹|"
    r"哥哥|弟弟|姐姐|妹妹|直系|亲属|亲戚"
)
_ILL = r"史|病|癌|瘤|高血压|高血脂|过敏|遗传|类似|症状|去世|健康|患|中风|哮喘|结核|情况"
# A relative who only speaks of the patient, or cares for it, is no family history.
_SPEAKS = re.compile(rf"(?:{_KIN})(?:也|都|们)?(?:说|觉得|告诉|带|发现|给|帮|陪|看|让|送|每天)")
_FAMILY = re.compile(rf"(?:{_KIN}).{{0,14}}(?:{_ILL})|遗传")
_RULES: tuple[tuple[HistorySection, re.Pattern[str]], ...] = (
    ("past_history", re.compile(r"过敏(?!性?(?:鼻炎|皮炎|紫癜))|输血|预防接种|疫苗")),
    (
        "medication_history",
        re.compile(
            r"(?:服用|吃过?|用过?|口服|服|使用)(?:了|着|什么|任何|其他|一些|过)*.{0,10}(?:药|片|胶囊|素|丸)|"
            r"服用|口服|服药|吃药|用药|药物(?!过敏)|打针|输液|胰岛素"
        ),
    ),
    (
        "personal_history",
        re.compile(
            r"吸烟|抽烟|烟酒|饮酒|喝酒|酗酒|职业|退休|农民|工人|工作|上班|结婚|已婚|未婚|离异|月经|怀孕|孕|"
            r"分娩|生产过|流产|胎|末次|绝经|避孕|旅行|出差|外地|疫区|接触(?:史|过)|性生活|生活(?:习惯|比较)|"
            r"饮食习惯|锻炼|运动习惯|出生"
        ),
    ),
    (
        "past_history",
        re.compile(
            r"病史|既往|慢性(?:病|疾病)|手术|住院|外伤史|糖尿病|高血压|高血脂|冠心病|心脏病|肝炎|结核|"
            r"以前(?!开始).{0,8}(?:得|患|有过|没有|也)|曾经|基础病|身体.{0,4}健康"
        ),
    ),
)


def section_of(text: str) -> HistorySection:
    """The section that the words of a clause say it belongs to, else the present illness."""
    if _FAMILY.search(text) and not _SPEAKS.search(text):
        return "family_history"
    for section, words in _RULES:
        if words.search(text):
            return section
    return "history_of_present_illness"
