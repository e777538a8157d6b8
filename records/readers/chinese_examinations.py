"""Itemise the examinations of a Chinese case: bullets nested in bullets, or plain sentences.

The two texts of a case, 查体 and 辅助检查, are written in many shapes: "- 名: 值" lists, headings
with or without a colon, results without a name under the name of their study, several results in
one line, or running sentences. Every word of a text comes out in exactly one item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from records.medical_record import Examination
from records.readers.reading import is_measurement, name_and_result, take_reading

VITAL_SIGNS = "生命体征"
_VITAL = re.compile(
    r"^(?P<name>(?:体温|脉搏|脉率|心率|呼吸频率|呼吸|血压|血氧饱和度|指脉氧|氧饱和度|SpO2|身高|"
    r"体重|体重指数|BMI"
    r"|T|P|R|BP|HR))\s*[:：为]?\s*(?P<result>\d.*)$",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"^(?P<name>[^:：，。；;]{1,40}?)\s*[:：]\s*(?P<rest>.*)$", re.DOTALL)
_BULLET = re.compile(
    r"^(?P<indent>\s*)(?P<bullet>[-*•·●○]|\d{1,2}[.、)）](?!\d))?\s*(?P<text>.*?)\s*$"
)
_STUDY_RESULT = re.compile(
    r"^(?P<name>.{1,30}?(?:图|超|声|CT|MRI|片|镜|检[测查]|测定|试验|抗体|抗原|"
    r"培养)(?:[(（][^()（）]*[)）])?)"
    r"\s*(?:-|—)?(?P<rest>(?:检查)?(?:提示|示|显示|未见|无|均?正常|阴性|阳性|弱阳性|"
    r".{0,8}大于正常).*|"
    r"[A-Za-z]+均?(?:大于|小于|高于|低于)正常.*)$"
)
# Region of the body by the words that name it; the first region named in a clause has it.
_REGIONS: tuple[tuple[str, str], ...] = (
    ("皮肤黏膜", r"皮肤|皮疹|[黏粘]膜(?=无|未|黄|苍|有)|巩膜|黄染|瘀[点斑]|出血点|蜘蛛痣|肝掌"),
    ("淋巴结", r"淋巴结"),
    ("眼", r"眼|瞳孔|视力|视野|结膜|角膜|对光反射"),
    ("头面部", r"头颅|头部|面容|面部|口角|鼻唇沟|口唇|口腔|伸舌|咽|扁桃体|耳|鼻"),
    ("颈部", r"颈|甲状腺|气管"),
    ("胸部", r"胸|肺|呼吸音|啰音|罗音|语颤|痰鸣|乳房"),
    ("心脏", r"心[率律音浊界脏前尖]|杂音|P2|A2"),
    ("腹部", r"腹|肝|脾|Murphy|墨菲|肠鸣|移动性浊音|反跳痛|包块|肾区"),
    ("脊柱四肢", r"脊柱|四肢|肢|关节|腰椎|水肿|浮肿|杵状指"),
    (
        "神经系统",
        r"神经|肌力|肌张力|反射|巴[宾彬氏]|病理征|脑膜刺激征|克氏征|布氏征|感觉|共济|颅神经|脑神经",
    ),
    ("一般情况", r"神[志清]|精神|发育|营养|体位|查体合作|自主|一般情况|意识|反应|言语|步入|推入"),
)


@dataclass
class _Node:
    """One line of a nested list and the lines below it."""

    text: str
    indent: int
    children: list[_Node] = field(default_factory=list)


@dataclass(frozen=True)
class _Item:
    name: str
    category: str | None
    text: str


def physical_examination(text: str, heading: str = "查体") -> tuple[Examination, ...]:
    """Items p1, p2, …: vital signs each for itself, the rest by label or region of the body."""
    items = [
        item
        for node in _walk(_tree(text))
        for sentence in _sentences(node.text)
        for item in _signs(sentence, heading)
    ]
    return _numbered(items, "p")


def auxiliary_examinations(text: str) -> tuple[Examination, ...]:
    """Items e1, e2, …: a result with its name, under the headings that it stands below."""
    items = [item for node in _tree(text) for item in _results(node, ())]
    return _numbered(items, "e")


def _numbered(items: list[_Item], prefix: str) -> tuple[Examination, ...]:
    examinations = []
    for i, item in enumerate(items, 1):
        reading = take_reading(item.text)
        examinations.append(
            Examination(
                id=f"{prefix}{i}",
                name=item.name,
                category=item.category,
                value=reading.value,
                unit=reading.unit,
                reference_range=reading.reference_range,
                abnormal=reading.abnormal,
                note=reading.note,
            )
        )
    return tuple(examinations)


def _tree(text: str) -> list[_Node]:
    roots: list[_Node] = []
    above: list[_Node] = []
    for line in text.split("\n"):
        parts = _BULLET.match(line)
        if parts is None or not parts["text"]:
            continue
        indent = len(parts["indent"].expandtabs(4)) * 2 + (1 if parts["bullet"] else 0)
        node = _Node(parts["text"], indent)
        while above and above[-1].indent >= indent:
            above.pop()
        (above[-1].children if above else roots).append(node)
        above.append(node)
    return roots


def _walk(nodes: list[_Node]) -> Iterator[_Node]:
    for node in nodes:
        yield node
        yield from _walk(node.children)


def _results(node: _Node, headings: tuple[str, ...]) -> Iterator[_Item]:
    text = node.text.rstrip("。；;")
    labelled = _LABELLED.match(text)
    if node.children:
        name = (labelled["name"] if labelled else text).strip()
        below = (*headings, name)
        if labelled and labelled["rest"].strip():
            yield from _named(name, labelled["rest"].strip(), headings)
        for child in node.children:
            yield from _results(child, below)
    elif labelled:
        rest = labelled["rest"].strip()
        if rest:
            yield from _named(labelled["name"].strip(), rest, headings)
        else:
            # A heading with nothing under it: still on the paper, so still an item.
            yield _Item(labelled["name"].strip(), _category(headings), "")
    else:
        yield from _unnamed(text, headings)


def _named(name: str, rest: str, headings: tuple[str, ...]) -> Iterator[_Item]:
    """A result with its name; a line of several measurements is a panel of that name."""
    pieces = [piece.strip() for piece in re.split(r"[,，、；;](?!\d{3}(?!\d))\s*", rest)]
    panel = [name_and_result(piece) for piece in pieces]
    if len(pieces) > 1 and all(panel):
        for found in panel:
            if found:
                yield _Item(found[0], _category((*headings, name)), found[1])
    else:
        yield _Item(name, _category(headings), rest)


def _unnamed(text: str, headings: tuple[str, ...]) -> Iterator[_Item]:
    """A result without a colon: its name is its own first word, or the study it stands below."""
    measured = name_and_result(text)
    study = _STUDY_RESULT.match(text)
    if measured and not re.search(r"[，。；]", text):
        yield _Item(measured[0], _category(headings), measured[1])
    elif study:
        yield _Item(study["name"].strip(), _category(headings), study["rest"].strip())
    elif headings:
        yield _Item(headings[-1], _category(headings[:-1]), text)
    else:
        yield _Item("辅助检查", None, text)


def _category(headings: tuple[str, ...]) -> str | None:
    return "/".join(headings) or None


def _sentences(text: str) -> Iterator[str]:
    for sentence in re.split(r"[。；;]", text):
        if sentence.strip():
            yield sentence.strip()


def _signs(sentence: str, heading: str) -> Iterator[_Item]:
    vital = _vital_sign(sentence)
    if vital:
        yield vital
        return
    labelled = _LABELLED.match(sentence)
    if labelled and labelled["rest"].strip():
        yield _Item(labelled["name"].strip(), heading, labelled["rest"].strip())
        return
    region, held = "一般情况", ""
    for clause in re.findall(r"[^，,]+[，,]?", sentence):
        vital = _vital_sign(clause.strip("，, "))
        named = next((name for name, words in _REGIONS if re.search(words, clause)), None)
        if held and (vital or (named and named != region)):
            yield _Item(region, heading, held.strip("，, "))
            held = ""
        if vital:
            yield vital
            region = "心脏" if vital.name == "心率" else region
            continue
        region = named or region
        held += clause
    if held.strip("，, "):
        yield _Item(region, heading, held.strip("，, "))


def _vital_sign(text: str) -> _Item | None:
    found = _VITAL.match(text.strip().rstrip("。"))
    # "心率80次/分，律齐" holds a vital sign and more; the more belongs to another item.
    if found is None or re.search(r"[，,]", text) or not is_measurement(found["result"]):
        return None
    return _Item(found["name"], VITAL_SIGNS, found["result"].strip())
