"""What a published examiner gives: its recorded results, without refusals and conventions.

Examiners of the published dialogues were played by a model that was told to answer "无异常" for an
examination that is not on record. That answer is no result, nor is "无", "未提供" or a bare name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from records.examinations.examination_lexicon import load_examination_lexicon
from records.examinations.examination_reading import read_names
from records.medical_record import Examination
from records.readers.chinese_examinations import (
    VITAL_SIGNS,
    auxiliary_examinations,
    physical_examination,
)
from records.readers.reading import name_and_result, take_reading
from records.rebuild.dialogues import Said
from records.rebuild.provenance import Place

CONVENTION = re.compile(r"(?:均|都|全部)?(?:无|没有)(?:任何)?异常(?:情况|发现|结果)?")
"""The published answer for an examination that is not on record."""
_NOTHING = re.compile(
    r"[\W_]*|[（(]?等待.*|无|没有|否|xxx|[Xx/\-—]+|暂?(?:无|缺|未|没有?|不)(?:有)?(?:具体|相关|此项|该项|任何|明确|进行|提供|"
    r"提及|提到|做|开|收到|检测|检查|查询|查到|获得|获取|录入|包含|给出|显示|出|回报?|见|到|过|结果|数据|信息|记录|"
    r"资料|内容|描述|报告|的|该|指诊|可用|以上|存在|此|测|定|知|详|数值|结论|安排|预约|完成)*+|待.{0,6}|"
    r"(?:请|需|建议|可|应|将|已预约|已安排).*|.*(?:未提供|未提及|没有提供|没有提及|未收到|无法提供|没有收到|"
    r"无相关|没有相关|暂无|尚未|不在我|未进行|没有进行|未做|无结果|没有结果|进一步检查|请咨询|咨询医生|纳入治疗).*"
)
_COLON = re.compile(r"[:：]")
_HEADING = re.compile(r"^\s*(?:#+\s*([^#\n]+?)\s*#*|\*\*([^*\n]+)\*\*|【([^】]+)】)\s*[:：]?\s*$")
_GENERAL = re.compile(
    r"(?:您的|以下)?(?:的|和|各项|主要|具体|其[他它]|相关|辅助|医学|医疗|实验室|项目|检查|检验|检测|结果|"
    r"报告|如下|信息)++"
)
_PHYSICAL = re.compile(
    r"查体|体格检查|体检|专科检查|(?<!视觉)(?:神经|运动|感觉)系统(?:查体|体格)|生命体征|一般(?:情况|检查)|视诊|触诊|听诊|叩诊"
)
_BULLET = re.compile(r"^(\s*)(?:[-*•·●○]|\d{1,2}[.、)）](?!\d))\s*")
_PROSE = re.compile(
    r"[您你]|请|祝|抱歉|谢|根据|以下是|如下|建议(?!治疗后|短期|随|复查|定期|结合|进一步)|医生|仅供参考|需要预约|"
    r"希望|注意[:：]|^注|如有|以上"
)
_PURPOSE = re.compile(
    r"(?:主要)?(?:用于|包括|以?评估|了解|观察|密切|排除|确定|检测|测量|判断|监测|通过).*|.*(?:等(?:项目|指标|检查)?|情况|水平|参数)$"
)
_WHOLE = re.compile(r"查体|体格检查|体检|查体结果|全身查体")
_UNNAMED = re.compile(
    r"(?:检查|检验|检测|报告|影像)?(?:结果|所见|表现|描述|诊断|提示|印象|意见|结论|报告)|显示|提示"
)
_DATE = re.compile(
    r"初始|随后|初次|首次|复查|(?:入院|术[前后]|治疗[前后])时?|[(（]?\d{4}[-年./]\d{1,2}(?:[-月./]\d{1,2}日?)?[)）]?|\d{1,2}[-月.]\d{1,2}日?"
)
_LONGEST_NAME = 80
_NAMES_ONLY = re.compile(
    r".{0,24}(?:检查|检验|检测|测定|评估|化验|分析|测试|试验|扫描|造影|活检|培养|筛查|"
    r"(?:超声|彩超|B超|CT|MRI|X线|X光|胃镜|肠镜|心电图|常规|功能|片|四项|全套|五项|标志物)(?:检查)?)"
    r"(?:[（(][^()（）]*[)）])?(?:[、和及与或，].{1,24}(?:检查|检测|测定|CT|MRI|超声|常规|功能|图|镜)"
    r"(?:[（(][^()（）]*[)）])?)*"
)


@dataclass(frozen=True)
class Reported:
    """One result as one message gives it."""

    place: Place
    physical: bool
    examination: Examination
    order: int
    """Its position in the message."""


def reported(message: Said) -> Iterator[Reported]:
    """The results that an examiner's message gives, in its order."""
    order = 0
    for physical, text in _blocks(message.text):
        read = _signs(text) if physical else auxiliary_examinations(text)
        for given in read:
            for examination in _plainly(given):
                if _is_result(examination):
                    order += 1
                    sign = physical or examination.category == VITAL_SIGNS or _of_body(examination)
                    yield Reported(message.place, sign, examination, order)


def _plainly(given: Examination) -> Iterator[Examination]:
    """A result under a name of its own: not "结果" or a date; a whole examination by its signs."""
    if _WHOLE.fullmatch(given.name) and len(given.value) > 20:
        yield from physical_examination(given.value)
        return
    path = (given.category or "").split("/")
    general = [i for i, heading in enumerate(path) if _GENERAL.fullmatch(heading)]
    path = [h for h in path[general[-1] + 1 if general else 0 :] if h]
    name = given.name
    if path and _UNNAMED.fullmatch(name):
        name = path.pop()
    elif path and _DATE.fullmatch(name):
        name = f"{path.pop()}（{name.strip('()（）')}）"
    inner = name_and_result(given.value) if given.unit is None else None
    reading = take_reading(inner[1]) if inner and inner[0].isascii() else None
    changed = {"name": name, "category": "/".join(path) or None}
    if given.category == VITAL_SIGNS:
        changed["category"] = VITAL_SIGNS
    yield given.model_copy(update=changed | (vars(reading) if reading else {}))


def _signs(text: str) -> tuple[Examination, ...]:
    """Labelled lists as they are labelled, running sentences by region of the body."""
    lists = "\n".join(
        line for line in text.split("\n") if _BULLET.match(line) and _COLON.search(line)
    )
    rest = "\n".join(line for line in text.split("\n") if line not in lists.split("\n"))
    return (*auxiliary_examinations(lists), *physical_examination(rest))


def _blocks(text: str) -> Iterator[tuple[bool, str]]:
    """The text under each heading with the heading as the head of its list; prose left out."""
    heading: str | None = None
    lines: list[str] = []
    for line in [*text.split("\n"), "#检查项目#"]:
        found = _HEADING.match(line)
        if found:
            if lines:
                yield _block(heading, lines)
            heading = next((g for g in found.groups() if g), "").strip(" :：")
            lines = []
        elif (kept := _without_prose(line)) is not None:
            lines.append(kept)
    if lines:
        yield _block(heading, lines)


def _block(heading: str | None, lines: list[str]) -> tuple[bool, str]:
    if heading is None or _GENERAL.fullmatch(heading):
        return False, "\n".join(lines)
    if _PHYSICAL.search(heading):
        return True, "\n".join(lines)
    return False, "\n".join([f"- {heading}:", *(f"  {line}" for line in lines)])


def _without_prose(line: str) -> str | None:
    """A line of a list as the reader of lists wants it; None for a sentence of the examiner's."""
    line = line.replace("**", "")
    bullet = _BULLET.match(line)
    body = line[bullet.end() :] if bullet else line.strip()
    if not body.strip() or _PROSE.search(body):
        return None
    if not bullet and not _COLON.search(body) and "。" in body and len(body) > 40:
        return None
    return line.rstrip("。； ")


def _of_body(examination: Examination) -> bool:
    """Whether it is a sign of the physical examination: by its words, or by what it names."""
    if _PHYSICAL.search(f"{examination.category or ''}/{examination.name}"):
        return True
    lexicon = load_examination_lexicon()
    kinds: set[str] = set()
    regions = False
    for named in (*read_names(examination.category or ""), *read_names(examination.name)):
        kinds.update(lexicon[concept].kind for concept in named.concepts)
        kinds.update(("modality",) if named.modality else ())
        regions = regions or bool(named.regions)
    if kinds & {"test", "panel", "imaging", "modality"}:
        return False
    return bool(kinds & {"sign", "physical"}) or regions


def _is_result(examination: Examination) -> bool:
    value = examination.value.strip("。；;，, ")
    if not value or CONVENTION.fullmatch(value) or _NOTHING.fullmatch(value):
        return False
    if _UNNAMED.fullmatch(examination.name) or (
        _PURPOSE.fullmatch(value) and not re.search(r"\d|未见|[正异]常|[增升]高|下降|减", value)
    ):
        return False
    if len(value) > _LONGEST_NAME:
        return True
    return not (_NAMES_ONLY.fullmatch(value) and not re.search(r"未见|提示|[无正]常|示", value))
