"""Disease names out of Chinese diagnosis text. The text comes without mark-up and numbering."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_ENDINGS = (
    "病|病史|症|症候群|综合征|综合症|炎|炎症|癌|瘤|癌变|瘤变|肉瘤|疮|疹|疱疹|痈|疖|疣|痔|疝|瘘|瘘管|癣|疥|痤疮|痱子"
    "|中毒|毒血症|血症|尿症|骨折|骨裂|损伤|挫伤|扭伤|拉伤|裂伤|割伤|烧伤|烫伤|创伤|外伤|刺伤|咬伤|冻伤|伤"
    "|脱位|半脱位|梗死|梗塞|心梗|脑梗|出血|血肿|贫血|结石|囊肿|息肉|肿大|肿胀|肿块|肿物|包块|结节|占位|占位性病变"
    "|积液|积水|积血|积脓|积气|水肿|狭窄|闭锁|闭塞|梗阻|堵塞|阻塞|衰竭|心衰|肾衰|衰|不全|不足|缺乏|缺乏症|缺损|缺失"
    "|缺如|失调|紊乱|异常|障碍|过敏|过敏反应|感染|休克|哮喘|肥大|肥厚|增生|增厚|增大|硬化|纤维化|钙化|坏死|坏疽"
    "|穿孔|破裂|断裂|撕裂|撕脱|畸形|妊娠|宫外孕|早孕|怀孕|流产|早产|难产|分娩|临产|早破|破膜|早剥|前置胎盘|胎盘低置|血窦"
    "|高血压|低血压|高血糖|低血糖|高血脂|高脂|高热|斑块|血栓|血栓形成|栓塞|麻痹|瘫痪|痉挛|抽搐|惊厥|癫痫|震颤"
    "|头痛|疼痛|绞痛|痛|眩晕|头晕|晕厥|便秘|腹泻|失眠|感冒|流感|流行性感冒|气肿|气胸|扩张|曲张|突出|膨出|脱出|脱垂"
    "|偏曲|弯曲|侧弯|侧凸|退变|变性|退行性变|退行性变化|退行性改变|病变|改变|转移|早搏|颤动|房颤|扑动|阻滞|过速|过缓|心律失常"
    "|心律不齐|返流|反流|窘迫|异位|早泄|阳痿|不孕|不育|闭经|痛经|中风|偏瘫|骨岛|发热|黄疸|腹水|胸水|不良|不耐受"
    "|水痘|天花|疟疾|痢疾|霍乱|伤寒|鼠疫|白喉|百日咳|破伤风|登革热|猩红热|热|抑郁|焦虑|湿疹|内障|青光眼|近视|远视"
    "|散光|斜视|弱视|痛风|未闭|嵌顿|扭转|套叠|粘连|瘢痕|巨大儿|葡萄胎|脓肿|溃疡|糜烂|脑疝|昏迷|瘙痒|腋臭|多毛"
    "|白带异常|紫癜|白斑|白癜风|牛皮癣|斑秃|脱发|耳聋|耳鸣|听力下降|视力下降|亢进|减退|低下|升高|降低|减少|增多|减低"
    "|移位|滑脱|不稳|松动|残留|异物|血瘤|肝硬化|脂肪肝|脾大|肝大|心肌缺血|缺血|供血不足|卒中|痴呆|帕金森|自闭症|多动症"
    "|肺心病|僵硬|挛缩|骨质疏松|疏松|骨质增生|骨赘|骨刺|痉挛|吸收不良|失禁|潴留|尿血|血尿|蛋白尿|便血|咯血|呕血|黑便"
    "|鼻衄|咳嗽|呼吸困难|乏力|疲劳|疲劳综合|反应|应激|状态|危象|后遗症|并发症|低蛋白|畸胎瘤|死胎|胎死宫内|停育|停止发育"
    "|停经|子痫|先兆|宫缩|术后|术后状态|压迫|受压|受累|浸润|阳性|多囊|囊变|憩室|窦道|裂孔|唇裂|腭裂|瓣裂|肛裂|裂"
    "|肺大泡|肺大疱|机化|实变|不张|空洞|骨化|积食|厌食|肥胖|消瘦|营养不良|中暑|溺水|窒息|触电|不适|缺氧|酸中毒|碱中毒"
    "|动脉高压|静脉高压|门脉高压|眼高压|颅内高压|萎缩|脱水|损害|剥离|过少|偏少|过多|植入|停搏|逸搏|房速|室速|室上速"
    "|瘫|新生物|赘生物|流血|受限|麻木|复视|双视|多囊肾|马蹄肾|海绵肾|无功能肾|副脾|低出生体重儿|早产儿|小于胎龄儿|双胎"
    "|结核|尘肺|湿肺|矽肺|衰弱|三阳|扩大|期前收缩|纤颤|室颤|鼻漏|耳漏|抑制|屈光不正|停博|裂开|囊性变|多囊肝|逸搏心律|急产|先露"
    "|脐动脉|绕颈[一二两三四1-4]?周|绕[颈体]|环颈|复发|下垂|劳损|痰栓|退化|偏[高低少]|迟缓|增粗|脱落|软化|缺血灶|钙化灶|密度[灶影]|腔隙灶|增殖灶|软化灶"
    "|宫内死亡|云翳|混浊|浑浊|污染|停滞|缠绕|双子宫|臀位|横位|枕后位|枕横位|滞留|携带者|斑块形成|粥样硬化|流产史|剖宫产史|监督|顺产|破水|停育|龋齿|阻生|阻生齿|智齿|牙痛|室早|房早|[梗死梗塞病结]灶|增快|过快|无力|受损|模糊|急性加重|急性加重期|加重|急性发作|发作|后遗症|绕颈|扭转|肿瘤|恶性肿瘤|良性肿瘤|肿|瘀血|淤血|淤积|瘀斑|外翻|内翻|前突|上斜|反张|糖尿病足|COPD|TIA|DVT|ARDS|MODS|DIC|SLE|AIDS|HIV|GERD|ITP|COVID-19"
)
_DISEASE = re.compile(rf"(?:{_ENDINGS})\Z")
_CODE = re.compile(r"[A-TZ]\d\d(?:\.?\d{1,2})?\Z")
"""An ICD-10 code that stands for its disease."""
_GLOSSED = re.compile(r"[A-Za-z][A-Za-z '-]{2,60}\(([\u3400-\u9fff]{2,20})\)")
_GLOSS = re.compile(r"(?<=[\u3400-\u9fff])\s+[A-Za-z][A-Za-z '-]{3,60}\Z")
"""The English name written after the Chinese one."""
_SUBTYPE = re.compile(r"(?<=.{2})(?<=[病症炎癌瘤征])[\u3400-\u9fff]{1,6}型\Z")
"""A kind written after its disease: 胰腺炎高脂血症型."""

_LEVEL = re.compile(
    r"[,，]?\s*(?:(?:很|极|中|低|高)高?危(?:组)?"
    r"|[ⅠⅡⅢⅣⅤIV1-5一二三四]{1,3}(?:[a-d][1-3]?)?(?:[-~][ⅠⅡⅢⅣIV1-5]{1,3})?\s*(?:级|期|度)"
    r"|Garden\s*[ⅠⅡⅢⅣIV1-4]{1,3}\s*型|(?<=.{3})[轻中重]度|尿毒症期"
    r"|WHO\s*[ⅠⅡⅢⅣIV]{1,3}级|c?p?T\w{1,3}N\w{1,2}M\w{1,2}|心功能\s*[ⅠⅡⅢⅣIV1-4]{1,3}级"
    r"|(?:NYHA|Killip)\s*[ⅠⅡⅢⅣIV1-4]{0,3}级?|(?:分级|分期)|[A-D]\s*[组期级]|(?:急性|慢性|活动"
    r"|恢复|稳定|后遗症|代偿|失代偿|静止|缓解|进展)期)+\Z",
    re.I,
)
_BRACKETS = re.compile(r"[(\[【{〔][^()\[\]【】{}〔〕]*[)\]】}〕]")

_TELLING = re.compile(
    r"[(\[]\s*((?:例如|比如|譬如|如|包括|可能|考虑|疑似|怀疑|合并|伴|并发)[^()\[\]]{2,60})[)\]]"
)
"""Brackets that name more diseases, as examples, possibilities or company: (如心绞痛)."""

_TOLD_APART = re.compile(
    r"(?:需|应|须)?(?:要)?(?:与|和|同)[^。;；\n]{1,60}?(?:相)?鉴别|鉴别诊断.*\Z"
    r"|需(?:要)?鉴别[^。\n]*",
    re.S,
)
_NOT_EXCLUDED = re.compile(
    r"(?:尚|暂|目前|也|并|仍)*(?:不能|不可|未能|无法|难以|不|未)(?:完全|明确)?(?:排除|除外)(?:有"
    r"|是)?|不除外"
)
_EXCLUDED_AFTER = re.compile(
    r"(?:可能性)?(?:已|已经|可|可以|基本|暂|均)*(?:被)?(?:排除|除外)|(?:可能性(?:较|很|不)?(?:小"
    r"|低|大)?(?<=[小低])|可能性不大)\Z"
)
_EXCLUDED = re.compile(
    r"(?:需|应|须|可|已|以|并|待|要|先|进一步|建议|基本|暂)*(?:排除|除外|否认|不支持|不符合"
    r"|不考虑|未见|未发现|未提示|没有|并无|未患|不是)"
    r"|(?<![\w先])无(?!菌|症状|并发症的|合并症的|痛性|脑|肛|精|力|张力|排卵|牙|眼|晶|虹膜|名|功能|法|胸|汗|乳|性细胞)"
)
_EXAMPLES = re.compile(r"(?:例|比|譬)?如|包括|像")
_GIVEN_UP = re.compile(
    r"无法|难以|未能|不能|尚未|暂未|缺乏(?:具体|足够|相关)|没有(?:足够|具体|提供)|并非|不足以"
)
_TALK = re.compile(
    r"根据|建议|请|需要|需(?=进|结|要|等|完|根|做|行|通)|应该|应(?=及|尽|进|由|当)|等待|进一步"
    r"|检查|确定|确认|评估|治疗|可以|因为|由于|结合"
    r"|依据|结果|显示|取决|是否|才能|如果|若|注意|以上|仅|医生|咨询|就医|就诊|观察|随访|提供|信息"
    r"|描述|了解|帮助|是一种|多种原因"
    r"|有关|不排除|正常(?!妊娠|分娩|早孕|.{0,12}(?:引起|导致|所致))|考虑到|目前的?症状|您的|患者的|一般(?!性)|通常|常见|相同|同前|同上"
)
_LEAD = re.compile(
    r"(?:诊断(?:结果|结论)?(?:可能|考虑|应|初步)?(?:为|是|包括|如下|:)|确诊(?:为|是)?"
    r"|(?:可以)?(?:确定|认定)(?:为|是)|(?:高度|初步|首先|主要)?(?:考虑|怀疑|疑似|疑为|疑诊|推测|显示"
    r"|推断|判断|倾向于?|提示|符合|存在|患有|患上|出现|表现为|涉及|属于|包括)"
    r"|可能(?!性)(?:的)?(?:诊断)?(?:是|为|患有?|有|存在|涉及|包括|由)?)"
    r"(?:但不限于|可能|为|是|有|存在|患有?|诊断|以下(?:疾病|问题|情况|几种)?|:|的|一种|由|了"
    r"|\s)*(?=[^\s])"
)
_HEDGED_INSIDE = re.compile(r"(?<=[\u3400-\u9fff])(?:可能的|疑似的|可疑的)(?=[\u3400-\u9fff])")
_HEDGED_JOIN = re.compile(r"(?:并|且|或|也|还)*(?:可能|疑似|疑)(?=伴|合并|并发)")
_HEDGE_START = re.compile(
    r"\A(?:(?:无(?:并发症|合并症)的|其次|首先|其中|同时|另外|此外|以及|并且|而且|并|及|和|与|或者?|伴随着?|伴有?|合并"
    r"|并发|继发(?!性)|也|还|且|则|但|很|最|较|极|高度|例如|比如|如(?!厕)|像|初步|考虑|可能|疑似"
    r"|怀疑|疑似为"
    r"|可疑|疑|临床诊断|诊断|为|是|患有?|存在|有|的|轻微的(?=.{3})|一定程度的|一种|某种|明显的?"
    r"|可能的|潜在的|具体为|主要为|主要是|目前|现|:|\s|\"|“|‘|')+)"
)
_HEDGE_END = re.compile(
    r"(?:\s|\.|。|:|,|\?|？|!|\"|”|’|'|待查|待排查?|待除外|待定|待明确|待确诊|(?:的)?可能性(?:较"
    r"|很|比较)?(?:大|高)?|(?:的)?可能(?:性)?|疑似|可疑|原因待查|(?:首先)?考虑|确诊"
    r"|查因|原因不明|性质(?:未明|不明|待定|待查)|所致|引起|导致|造成|引发|诱发|的(?:情况|问题|表现|症状|征象|征兆|现象|诊断)"
    r"|等(?:情况|问题|症状|疾病)?)+\Z"
)
_AND_MORE = re.compile(
    r"等(?:[^、,，]{0,14}(?:疾病|问题|情况|病变|症状|因素|异常|可能|原因|病))?\Z"
)
_GENERIC = re.compile(
    r"\A(?:(?:其他|其它|相关|某些?|一些|上述|以上|以下|这些|该|任何|何种)(?:的)?.*"
    r"|(?:具体|各种|多种|严重|特定|潜在|原发|不同)(?:的)?(?:疾病|病症?|问题|情况|病变|感染|炎症|损伤|异常|并发症|肿瘤)"
    r"|(?:该|某|此)?疾病|.{0,2}病因|病|症|症状|炎症|感染|损伤|异常|改变|病变|反应|状态|先兆|术后"
    r"|不适|出血|破裂|坏死|肿块|肿物|结节|囊肿|包块|钙化|粘连|狭窄|梗阻|穿孔|骨赘|多?并发症|加重"
    r"|发作|急性加重|浸润|转移|压迫|受压|受累|阳性|残留|反应|先兆|障碍|紊乱|畸形|扭转|嵌顿|升高"
    r"|降低|减少|减退|(?:断端)?移位|活动性出血|糜烂|感染或炎症|炎症或感染|(?:周围)?软组织肿胀"
    r"|无力|受损|模糊|增快|部分机化性改变)\Z"
)
_NO_DISEASE = re.compile(
    r"(?:心功能|孕|G\d|第?\d).{0,12}|.{0,4}(?:检查|治疗|手术|症状|疾病|患者|病人|正常|药物)"
)
"""What terminologies list and a diagnosis does not mean: degrees, weeks, procedures."""
_LEAST_TWO = 5
_RUN_ON_LENGTH = 24
_RUN_ON = re.compile(
    r".{0,36}?(?:综合征|心脏病|肾脏病|糖尿病|高血压病?|心绞痛|心肌梗死|脑梗死|心力衰竭|呼吸衰竭|肾衰竭|关闭不全"
    r"|心肌病|血症|肥胖症|流产|感染|骨折|结石|囊肿|急性加重期?|[肺肝胃肠肾胰囊管]炎|溃疡|积液)(?![后性术伴并])"
)
"""Names written on without a separator, cut after what can only be an end."""
_CAUSE = re.compile(r"(?:所?引起|所?导致|所致|引发|造成|诱发|继发|伴发)(?:的|了)?(?=.)")
_CAUSED_BY = re.compile(
    r"(?:由于?|因|继发于|源于|与)(?P<cause>.{2,30}?)(?:相关的|有关的|(?:所?引起|所?导致|造成|引发"
    r"|诱发)(?:的)?|所致的?)"
)
_HARD = re.compile(r"[,，;；\n]|\.(?=\s|\Z)|。")
_SOFT = re.compile(
    r"(、|/|(?:同时|并且|而且)?(?:伴随着?|并伴随?|伴有|伴发|伴"
    r"|(?<!妊娠)(?<!妊娠期)(?<!怀孕)合并有?|并发|并存在?|并有|并(?!发症))(?!随)"
    r"|(?<=[\u3400-\u9fff])-(?=[\u3400-\u9fff])|以及|和/或|及其?|和|与|或者|或(?!许))"
)
_JOINS = re.compile(r"[^、/-]*[^、/或-]")
"""A connector that may be inside a name, as 伴 in 溃疡伴出血."""
_MOST_JOINED = 4


def names(text: str, known: Callable[[str], bool]) -> Iterator[str]:
    """Yield the diseases of a text, in order, doublets included.

    Connectors do not split a name that is known as it stands.
    """
    found = list(_found(_TOLD_APART.sub("", text), known))
    if not found:
        found = list(_found(_unwrapped(_TOLD_APART.sub("", text)), known))
    if not found:
        found = list(_lone_name(text))
    yield from found


def _found(text: str, known: Callable[[str], bool]) -> Iterator[str]:
    for sentence in re.split(r"[。\n;；!！]", _without_brackets(text)):
        excluding = False
        for clause in (piece.strip() for piece in _HARD.split(sentence)):
            if not clause or (excluding and _EXAMPLES.match(clause)):
                continue
            excluding = bool(_EXCLUDED.search(_NOT_EXCLUDED.sub("", clause)))
            yield from _from_clause(clause, known)


def _without_brackets(text: str) -> str:
    """Drop brackets, innermost first, but write a type before its disease: 糖尿病(2型).

    Of a Latin name with the Chinese one in brackets, Gout(痛风), the Chinese one stays.
    """
    for _ in range(4):
        typed = re.sub(r"([\u3400-\u9fff]{2,12})\(\s*([1-4ⅠⅡⅢⅣ]|I{1,3})\s*型\s*\)", r"\2型\1", text)
        typed = _GLOSSED.sub(r"\1", typed)
        typed = _TELLING.sub(r",\1", typed)
        stripped = _BRACKETS.sub("", typed)
        if stripped == text:
            break
        text = stripped
    return text


def _unwrapped(text: str) -> str:
    """Open the brackets of a text that stands in brackets as a whole."""
    return re.sub(r"[()\[\]【】]", " ", text)


def _from_clause(clause: str, known: Callable[[str], bool]) -> Iterator[str]:
    for claimed in claims(clause):
        yield from _from_list(claimed, known)


def claims(clause: str) -> Iterator[str]:
    """What a clause claims, without what leads to it and what it excludes; talk claims nothing."""
    clause = _NOT_EXCLUDED.sub("考虑", clause)
    clause = _HEDGED_JOIN.sub("", _HEDGED_INSIDE.sub("", clause))
    if _EXCLUDED_AFTER.search(clause) and not re.search(r"考虑", clause):
        clause = _EXCLUDED_AFTER.split(clause, maxsplit=1)[0] if _EXCLUDED.match(clause) else ""
        if not clause:
            return
    excluded = _EXCLUDED.search(clause)
    if excluded:
        clause = clause[: excluded.start()]
    if _GIVEN_UP.search(clause):
        return
    head, colon, tail = clause.partition(":")
    if colon and tail.strip():
        if is_disease(trimmed(head)) and not _TALK.search(head):
            yield from claims(head)
        yield from claims(tail)
        return
    leads = list(_LEAD.finditer(clause))
    pieces = [clause]
    if leads:
        pieces = [clause[: leads[-1].start()], clause[leads[-1].end() :]]
    yield from (piece for piece in pieces if not _TALK.search(piece))


def reason(piece: str) -> str:
    """Why a piece without a name names none."""
    if _TOLD_APART.search(piece):
        return "only told apart"
    claimed = _NOT_EXCLUDED.sub("", piece)
    if _EXCLUDED.search(claimed) or _EXCLUDED_AFTER.search(claimed):
        return "excluded"
    if _LEVEL.search(piece):
        return "a stage or degree"
    return "talk" if _TALK.search(piece) or _GIVEN_UP.search(piece) else "no disease's name"


def without_told_apart(text: str) -> str:
    """Drop the diseases that a diagnosis is only told apart from."""
    return _TOLD_APART.sub("", text)


def _from_list(text: str, known: Callable[[str], bool]) -> Iterator[str]:
    """Split at connectors where both sides are names; else the connector is inside a name."""
    text = _AND_MORE.sub("", text.strip())
    caused = _CAUSED_BY.search(text)
    if caused:
        cause = caused.group("cause")
        after = text[caused.end() :]
        before = text[: caused.start()]
        for piece in (before, cause, after):
            if piece.strip():
                yield from _from_list(piece, known)
        return
    if _CAUSE.search(text):
        for piece in _CAUSE.split(text):
            yield from _from_list(piece, known)
        return
    pieces = _SOFT.split(text)
    held = ""
    beyond = 0
    for i in range(0, len(pieces), 2):
        if i < beyond:
            continue
        joined = 0 if held else _longest_known(pieces[i:], known)
        if joined:
            yield trimmed("".join(pieces[i : i + joined]))
            beyond = i + joined + 1
            continue
        held += pieces[i]
        name = trimmed(held)
        if len(name) > _RUN_ON_LENGTH:
            yield from filter(is_disease, map(trimmed, _RUN_ON.findall(name)))
            held = ""
        elif is_disease(name) or _known_item(name, known):
            yield from _apart(name, known)
            held = ""
        elif _GENERIC.match(name):
            held = ""
        elif i + 1 < len(pieces):
            # "病毒性、细菌性感染" is one name so far; a long piece before 、 was no name at all.
            held = "" if pieces[i + 1] == "、" and len(name) > 8 else held + pieces[i + 1]


def _known_item(name: str, known: Callable[[str], bool]) -> bool:
    """True if a phrase is a disease's name though it does not end as one."""
    apt = len(name) >= 2 and not (_NO_DISEASE.fullmatch(name) or _GENERIC.match(name))
    return apt and known(name)


def _apart(name: str, known: Callable[[str], bool]) -> Iterator[str]:
    """Two known names written on without a separator (脾大脾功能亢进), else the one name."""
    if len(name) >= _LEAST_TWO and not known(name):
        for end in range(len(name) - 2, 1, -1):
            first, second = name[:end], name[end:]
            if is_disease(first) and is_disease(second) and known(first) and known(second):
                yield first
                yield second
                return
    yield name


def _longest_known(pieces: list[str], known: Callable[[str], bool]) -> int:
    """How many pieces from the first are a known name with their connectors; 0 if it is none."""
    most = 1
    while most + 1 < len(pieces) and _JOINS.fullmatch(pieces[most]) and most < 2 * _MOST_JOINED:
        most += 2
    return next((n for n in range(most, 1, -2) if known(trimmed("".join(pieces[:n])))), 0)


def trimmed(piece: str) -> str:
    """A phrase without hedges, stage and subtype at its ends."""
    piece = _AND_MORE.sub("", piece.strip(" .。\"“”'‘’"))
    for _ in range(3):
        before = piece
        piece = _HEDGE_START.sub("", piece)
        piece = _HEDGE_END.sub("", piece)
        piece = _GLOSS.sub("", piece)
        piece = _SUBTYPE.sub("", _LEVEL.sub("", piece)).strip(" .。、\"“”'‘’")
        if piece == before:
            break
    return piece


def is_disease(name: str) -> bool:
    """True if a phrase ends as the names of diseases do, or is a code."""
    return (
        2 <= len(name) <= 40
        and bool(_DISEASE.search(name) or _CODE.match(name))
        and not _GENERIC.match(name)
        and not _GIVEN_UP.search(name)
    )


def _lone_name(text: str) -> Iterator[str]:
    """A text that is one short phrase is a name, whatever its ending."""
    name = trimmed(_without_brackets(text))
    if 2 <= len(name) <= 16 and not re.search(r"[,，。;；:：\n]", name):
        untold = not (_TALK.search(name) or _EXCLUDED.search(name) or _GIVEN_UP.search(name))
        if (
            untold
            and not _GENERIC.match(name)
            and not re.fullmatch(r"[\d\W]*|无|暂无|不详|未知|不明", name)
        ):
            yield name
