"""Who the patient is, as far as it says so itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from records.medical_record import Demographics, Sex
from records.readers.people import age_in_years
from records.rebuild.answers import told
from records.rebuild.dialogues import Said

_AGE = re.compile(
    r"(?:^|[，,。])(?:我|(?:我)?(?:今年|现在|目前)|我的年龄|年龄|宝宝|孩子)(?:今年|现在|目前|是|才|已经|的|有|为|：|:|一[个位名])*"
    r"(?:男性?|女性?)?[，,]?(?:今年)?(?P<age>\d{1,3}(?:岁(?:\d{1,2}个?月)?|个月(?!前|来|了)))(?!的?时候|[那时]|开始|左右[就时开])"
)
_SEX = re.compile(
    r"(?:我|性别|患者|年龄)[^，。]{0,14}?(?:是|为|：|:)?(?:一?[个位名])?[^，。]{0,8}?"
    r"(?P<sex>男性|女性|男孩|女孩|男人|女人|男的|女的|男生|女生|男士|女士)(?!朋友|儿|生殖|激素)|"
    r"(?:^|[，。])(?P<bare>男|女)性?[，。]?(?:今年)?\d"
)
_WORK = re.compile(
    r"我(?:是|的职业是|的工作是)(?:一?[个位名])?(?P<work>农民|工人|教师|老师|学生|司机|厨师|医生|护士|职员|公务员|"
    r"家庭主妇|个体户|会计|保安|保洁员|清洁工|自由职业者?|退休(?:工人|教师|职工|人员|干部|农民)|中学生|小学生|大学生)"
)


def demographics_of(messages: Sequence[Said]) -> Demographics:
    """Age, sex and occupation that the patient states; what dialogues differ in is left out.

    Then the description holds what was said, contradiction and all.
    """
    sentences = {(m.place.dialogue, s) for m in messages for s in told(m)}
    ages = _said(sentences, _AGE, "age")
    sexes = _said(sentences, _SEX, "sex", "bare")
    work = _said(sentences, _WORK, "work")
    kinds: set[Sex] = {"female" if "女" in s else "male" for s in sexes}
    described = [*(ages if len(ages) > 1 else ()), *(sexes if len(kinds) > 1 else ())]
    return Demographics(
        age_years=age_in_years(ages[0]) if len(ages) == 1 else None,
        sex=kinds.pop() if len(kinds) == 1 else None,
        occupation=work[0] if len(work) == 1 else None,
        description="；".join(described) or None,
    )


def _said(
    sentences: Iterable[tuple[str, str]], pattern: re.Pattern[str], *names: str
) -> tuple[str, ...]:
    """What the pattern finds, each wording once, those of most dialogues first."""
    found = {
        (dialogue, next(v for n in names if (v := m[n])))
        for dialogue, sentence in sentences
        for m in pattern.finditer(sentence)
    }
    counted = Counter(value for _, value in found)
    return tuple(sorted(counted, key=lambda value: (-counted[value], value)))
