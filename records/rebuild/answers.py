"""What a published patient tells of itself: its answers without echo, courtesy and requests.

Patients of the published dialogues were played by a model. Once results and diagnosis are out, they
mostly repeat them, thank, and promise to follow the advice; none of that is history.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from records.addressing import cut_foreign_turns, end_token, split_addressed
from records.rebuild.dialogues import Said
from records.visit import DOCTOR, PATIENT

_ASKS = re.compile(
    r"[?？]|吗|有没有|有无|是否|是不是|请(?:您|你)?.{0,8}(?:描述|告诉|回答|说明|提供|补充)|哪[些里种]|"
    r"什么(?!问题|疑问)|多久|如何"
)
_NUMBERING = re.compile(r"^\s*(?:[-*•·#]+\s*|[(（]?\d{1,2}\s*[.、)）:：](?!\d)\s*)+")
_MARKUP = re.compile(r"[*_`#]{1,3}")
_SENTENCE = re.compile(r"[^。！!？?；;\n]+[。！!？?；;]?")
_GREETING = re.compile(
    r"^(?:(?:医生|老?大夫|您好|你好|医生您好|好的?|嗯|哦|是的?|对的?|不是的?|没有|没|没错|有的?|会的?|"
    r"当然|明白了?|谢谢(?:医生|您)?|除此之外|另外|目前)[，,。！!、]\s*)+"
)
_COURTESY = re.compile(
    r"谢|祝[您你愿]|辛苦|放心|麻烦[您你]|关心和|您的(?:关心|帮助|建议|解[释答])|(?:这些|以上)信息|"
    r"希望(?!能吃)|期待|再见|不客气|保重"
)
_ASKS_BACK = re.compile(
    r"[?？]$|请问|能否|可否|可不可以|能不能|是否需要|该怎么|怎么办|应该(?:怎么|如何)|想(?:知道|问|"
    r"了解|咨询)|(?:请|能|可以|是否|[您你]).{0,8}告诉我|吗[。]?$"
)
_INTENT = re.compile(
    r"我(?:们)?(?:一定|也|还|同时|明天|马上|立刻)?(?:会(?!觉|感|疼|痛|咳|出|头|有|恶|呕|喘|发|流|拉|胸|"
    r"突|时|经|因|失|醒|不)|将|愿意|同意|打算|准备|去做|尽快|明白|了解|知道了|理解|考虑|需要(?:做|进行|"
    r"去|尽快|进一步|立即|注意)|应该|可以(?:做|去|接受|配合))|如果|若有|及时(?:就医|联系|告|向)|"
    r"尽快|按照[您医你]|遵[循照医]|配合(?:您|医|治|检)|随时(?:联系|向|告|与|和)"
)
_ECHO = re.compile(
    r"根据|医生(?:建议|认为|说|诊断|提到|还说|让)|建议|治疗方案|诊断|检查(?:结果|报告|显示|发现|提示)|"
    r"结果(?:显示|提示|正常|表明|是|为)|[您你](?:说|提到|认为|的建议)|可能(?:是|患|由|与|存在|需)|"
    r"需要.{0,12}(?:治疗|手术|检查|复查|评估|休息)|(?:应|要)(?:避免|注意|保持|定期)|定期"
)
_ADVISED = re.compile(
    r"(?:医生|[您你])(?:建议|说|提到|认为)|(?<![没曾])(?<!之前)(?<!没有)(?:进行|去做|做)(?![了过]).{0,14}检查[，,。]?$"
)
_TURNS = re.compile(r"但|不过|只是|目前|现在|我(?!们?(?:会|将|也会|还会|可以))")
_NOT_OWN = re.compile(
    r"[您]|抱歉|误解|角色|等待|^(?:至于|关于|对于)|避免|继续(?=服|监|观|保|关)|如有|一旦|以便|评估|"
    r"(?:注意|尽量|保持|多)(?:休息|观察|喝水|吃|喝|保持|良好|定时|规律|心态|联系|沟通|个人卫生|饮食)|看看是?否|以?了解(?!了)|^确保|沟通|^通过|按时|乐观|安排|预约|^如(?!厕)|戒[烟酒]等|"
    r"^(?:比如|例如)?.{0,4}(?:CT|MRI|X光|B超|检查).{0,8}$|^(?:进行|治疗|检查(?!结果|显示|发现|报告|后)|就医)"
)
_DANGLING = re.compile(
    r"(?:在|从|自从|当)?[^，]{0,12}(?:之前|之后|的时候|以来|期间|时候)|相比(?:之下)?.{0,6}"
)
_SINCE = re.compile(r"^(?:因为|所以|因此|由于)(?=我|是|.{4})")
_SEEN = re.compile(r"[看视眼听]|意识|神志|说话|吐字|口齿")
_NO_ANSWER = re.compile(r"[\W_]*(?:结束|没有|是的?|以上.*|无)?[\W_]*")
_PAST = re.compile(
    r"曾|之前|以前|去年|前年|后来|当时|过去|外院|上次|别的医院|其他医院|当地|诊所|[年月周天日]前"
)
"""What a doctor said before this visit is history, not an echo."""
_UNKNOWN = re.compile(
    r"不(?:太|是很|是特别|大)?(?:清楚|确定|知道|记得|了解|懂|明白)|没(?:有)?(?:注意|留意|测|量过|查过|"
    r"称过|做过.{0,6}检查|去过医院检查)|无法(?:确定|回答|提供)|说不(?:清|上来|好)"
)


@lru_cache(maxsize=1024)
def told(message: Said) -> tuple[str, ...]:
    """The sentences with which a patient's message tells of the patient, in its own words."""
    text, _ = end_token(message.text)
    text, _ = cut_foreign_turns(text, PATIENT)
    spoken = dict(split_addressed(text, DOCTOR, "zh").parts).get(DOCTOR, "")
    if not message.opening and not _ASKS.search(message.asked):
        return ()
    return tuple(_sentences(spoken, message))


def _sentences(text: str, message: Said) -> Iterator[str]:
    for line in _MARKUP.sub("", text).split("\n"):
        for found in _SENTENCE.finditer(_NUMBERING.sub("", line)):
            sentence = _NUMBERING.sub("", found.group().strip())
            if not message.opening:
                sentence = _GREETING.sub("", sentence)
            else:
                sentence = re.sub(
                    r"^(?:(?:医生|老?大夫|您好|你好|医生您好)[，,。！!、]\s*)+", "", sentence
                )
            if _is_told(sentence, message):
                kept = "，".join(_own_pieces(sentence, message)).strip("，。！；;!、 ")
                if kept:
                    yield kept


def _is_told(sentence: str, message: Said) -> bool:
    if _COURTESY.search(sentence) or _ASKS_BACK.search(sentence):
        return False
    return not (message.told and _ECHO.search(sentence) and not _PAST.search(sentence))


def _own_pieces(sentence: str, message: Said) -> Iterator[str]:
    """The pieces between commas, without what is unknown, intended or the doctor's."""
    intended = False
    for piece in re.split(r"[，,](?!\d{3})", sentence.rstrip("。！；;!")):
        piece = _SINCE.sub("", piece.strip())
        if _NO_ANSWER.fullmatch(piece) or (_UNKNOWN.search(piece) and not _SEEN.search(piece)):
            continue
        if message.opening or (
            _PAST.search(sentence) and "您" not in sentence and "医生说" in piece
        ):
            yield piece
            continue
        # "我会复查，并与医生讨论": what continues an intention is one too.
        if _NOT_OWN.search(piece) or (_DANGLING.fullmatch(piece) and piece == sentence):
            continue
        intended = bool(_INTENT.search(piece) or _ADVISED.search(piece)) or (
            intended and not _TURNS.match(piece)
        )
        if not intended and not (
            message.told and re.match(r"并(?:且|与|向|在|了解|进一步)|一旦", piece)
        ):
            yield piece
