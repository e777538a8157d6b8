"""Details that tell who the patient or the staff were: names, numbers, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from records.lint.remark import Remark, fault
from records.lint.texts import texts
from records.medical_record import MedicalRecord

_SURNAME = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蔡蒋余于杜叶程"
    "苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝"
    "龚邵万钱严覃武戴莫孔向汤"
)
"""The commonest surnames; a word of two or three characters that begins with another is no name."""
_UNNAMED = r"(?![某××XＸ*＊○〇])"
_PATTERNS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    (
        "a name",
        re.compile(
            r"(?:(?:患者|病人|患儿|母亲|父亲|家属|联系人|医师|医生|主任|作者)?姓名|"
            r"(?:主治|住院|主任|副主任|经治|接诊|报告|审核|手术)(?:医师|医生)|签名|记录者)"
            rf"\s*[:：]\s*[{_SURNAME}]{_UNNAMED}[一-龥]{{1,2}}(?![一-龥])"
        ),
        "leave it out",
    ),
    (
        "a name",
        re.compile(
            rf"(?:患者|病人|患儿)[{_SURNAME}](?:{_UNNAMED}[一-龥]){{1,2}}"
            r"(?=[，,、\s]*(?:男|女)[性，,、\s])"
        ),
        'write "患者"',
    ),
    (
        "a name",
        re.compile(
            r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof)\b\.?\s+(?!X\b|Y\b|Z\b)[A-Z][a-z]+\b(?!['’]s\s)"
        ),
        'write "the patient" or "the doctor"',
    ),
    (
        "a name",
        re.compile(
            r"\b(?:[Pp]atient(?:['’]s)? [Nn]ame|[Ff]ull [Nn]ame|Name)\s*[:=]\s*[A-Z][a-z]+"
            r"|\b[Mm]y name is [A-Z][a-z]+"
            r"|\b(?:man|woman|boy|girl|patient|lady|gentleman),? (?:named|called) [A-Z][a-z]+"
        ),
        "leave it out",
    ),
    ("an e-mail address", re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), "leave it out"),
    (
        "an identity number",
        re.compile(r"(?<!\d)[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dXx]"),
        "leave it out",
    ),
    (
        "a record number",
        re.compile(
            r"(?:住院|病历|病案|门诊|就诊|登记|检查|影像|身份证|医保|社保|病理|床)(?:卡)?号(?:码)?"
            r"\s*[:：]?\s*[A-Za-z]{0,3}\d{2,}"
            r"|\b(?:MRN|NHS|SSN|[Mm]edical [Rr]ecord|[Hh]ospital|[Cc]ase|[Pp]atient|[Aa]ccession)"
            r"\s*(?:[Nn]o\.?|[Nn]umber|#|ID|id)?\s*[:#]\s*[A-Z]{0,3}\d{4,}"
            r"|\bMRN\s*\d{4,}"
        ),
        "leave it out",
    ),
    (
        "a telephone number",
        re.compile(
            r"(?<![\d.])1[3-9]\d{9}(?![\d.])|(?<!\d)0\d{2,3}[-－]\d{7,8}(?!\d)"
            r"|(?<![\d.\-/])\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}(?![\d\-/])"
            r"|(?<!\d)\+\d{1,3}[ -]\d{2,4}[ -]\d{3,4}[ -]?\d{3,4}(?!\d)"
            r"|(?:电话|手机|联系方式|[Tt]el(?:ephone)?|"
            r"[Pp]hone)(?:号码?)?\s*[:：.]\s*\+?\d[\d -]{6,}"
        ),
        "leave it out",
    ),
    (
        "an address",
        re.compile(
            r"(?:家庭)?(?:住址|地址)\s*[:：]\s*[一-龥]{2,}|(?:路|街|巷)\d+号(?:楼|院|室|\d)"
        ),
        "leave it out or name the region alone",
    ),
    (
        "a date of birth",
        re.compile(r"(?:出生(?:日期|年月)|\bDOB|[Dd]ate of birth)\s*[:：]?\s*\d{1,4}[-/.年]\d"),
        "give the age alone",
    ),
)


def check_identity(record: MedicalRecord) -> Iterator[Remark]:
    """Remarks on what would tell who someone is; the detail itself is not repeated whole."""
    for field, text in texts(record):
        if field.startswith("findings."):
            continue  # Their words are those of the sections.
        for what, pattern, right in _PATTERNS:
            found = pattern.search(text)
            if found:
                begins = found[0][: max(4, len(found[0]) // 2)]
                yield fault("identity", field, f'holds {what} ("{begins}…"); {right}')
