"""What can be asked about a symptom beyond its presence, and which clauses answer it.

For each attribute and language, one pattern reads the question and one the record's clause.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from records.medical_record import Language

Attribute = Literal[
    "onset",
    "duration",
    "frequency",
    "course",
    "site",
    "character",
    "severity",
    "trigger",
    "cause",
    "effect",
    "relief",
    "radiation",
]


@dataclass(frozen=True)
class AttributeWords:
    """How an attribute is asked for and how a record states it."""

    question: re.Pattern[str]
    answer: re.Pattern[str]


_ZH_TIME = (
    r"[\d一二两三四五六七八九十半数几多]+\s*个?多?(?:余|来)?(?:年|月|周|星期|天|日|小时|分钟|秒|h)(?![龄纪])"
    r"|昨|前天|今[天早晨]|当日|近[日来期]|最近|自幼|出生后|生后|上周|上个月|去年|前年|刚才|今年|"
    r"早上|凌晨|上午|下午|\d{4}年"
)
_EN_NUM = (
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|few|couple|many|"
    r"past|last)"
)
_EN_TIME = (
    rf"\b{_EN_NUM}(?:\s+of)?[\s-]+(?:\d+\s+|\w+\s+)?(?:second|minute|hour|day|night|week|month|"
    rf"year)s?\b"
    r"|\bago\b|\bsince\b|\byesterday\b|\btoday\b|\bthis morning\b|\blast (?:night|week|month|"
    r"year)\b"
    r"|\brecent(?:ly)?\b|\bsudden(?:ly)?\b|\bat the age of\b|\bat birth\b|\bbegan\b|\bstarted\b"
    r"|\bonset\b|\bweek[s-]|\bchronic\b"
)
_ZH_MORE = r"加重|加剧|恶化|严重了|更严重|越来越|厉害|更疼|更痛|更明显"
_ZH_LESS = r"缓解|减轻|好转|改善|消失|好一?些|好一?点|自行停|停下来|自己好|自愈|(?<!不)舒服"
_EN_MORE = r"wors\w*|aggravat\w*|exacerbat\w*|provok\w*|increas\w*|intensif\w*"
_EN_LESS = (
    r"reliev\w*|relief|better|improv\w*|alleviat\w*|eas(?:e|es|ed)\b|resolv\w*|subsid\w*|"
    r"go(?:es)? away|went away"
)

_ZH: dict[Attribute, tuple[str, str]] = {
    "onset": (
        r"什么时间|什么时候(?!会|最|更|比较|容易|爱|好犯|犯|.{0,4}(?:厉害|明显|严重|疼|痛|加重|发作))|"
        r"是?先.{1,6}还是|一下子|慢慢|猛然|忽然|冷不丁|哪会儿|从啥时|啥时|打什么时候|多会儿|有多少日子|"
        r"何时|啥时候|几时|多久(?:以前|之前|前)|开始的?时间|起病|发病时间|"
        r"哪[天年]|"
        r"从.{0,6}开始|"
        r"怎么开始|开始出现|发生时间|出现时间|突然.{0,6}还是|首次出现|突然(?:出现|发生|开始)",
        _ZH_TIME + r"|突然|逐渐|急性|缓慢",
    ),
    "duration": (
        r"多久(?!一[次回]|犯|发作)|多长时间|多少时间|多长日子|多少日子|多少[天年个]|有日子|有年头|"
        r"好多[天年]|多长(?=[，,？?]|$)|持续.{0,4}时间|(?<![这近前])几[天个年周]|多少[天年周小月]|时长|病程|一直持续|持续了",
        _ZH_TIME + r"|持续",
    ),
    "frequency": (
        r"偶尔|一直.{0,4}还是|多久(?:一[次回]|犯|发作)|[几多][少]?[回趟阵]|隔多|勤吗|老犯|频率|频繁|多少次|几次|次数|经常|间隔|偶尔还是|每天都|每次|多长时间一次",
        r"次|反复|经常|偶[尔有]|每[天日次晚周月]|阵发|间断|间歇|频繁|持续(?!约|了|.{0,4}(?:分钟|小时))|常|时有|"
        r"又(?:开始|犯|发|出现)|没一会",
    ),
    "course": (
        r"[轻好]些|轻点|见轻|见重|见好|轻了|重了|越发|转好|比.{0,6}(?:[重轻好]|厉害)|好点没|好些没|好没好|消下去|消了|变化|越来越|逐渐|进展|有没有加重|是否加重|加重.{0,4}(?:吗|还是)|持续性?(?:的)?还是|间歇|一阵|一直|"
        r"有所?(?:好转|改善|缓解)|好些|减轻了|突然加重|持续存在|阵发|恶化|改变|发展|退了|退下|退吗|(?<!有)[长变增]大|大了|缩小|变小|小了",
        _ZH_MORE
        + "|"
        + _ZH_LESS
        + r"|进行性|逐渐|突然|持续|反复|间断|阵发|再次|一直|进展|增大|扩大|迁延|渐",
    ),
    "site": (
        r"哪[条只根块片处半头]|啥(?:地方|位置|部位)|靠哪|哪[里儿](?!.{0,4}(?:看|治|查|做|住|工作|开刀|手术|人|去))|哪个(?:部位|地方|位置|关节)|什么(?:部位|地方|位置)|部位|位置|哪一?[边侧]|左[边侧]还是右|对称|一样|两[边侧条只].{0,3}都|"
        r"具体.{0,4}(?:部位|位置|地方)|一侧还是|两[边侧]都",
        r"位于|部位|左|右|双侧|两[边侧]|侧|心前区|周围",
    ),
    "character": (
        r"是.{0,3}[黄白红黑绿清稀稠干].{0,2}还是|怎么个|啥样|啥颜色|啥色|什么色|发什么颜色|稠吗|稀吗|像什么|是啥|"
        r"的是什么|是什么(?:样|颜色|东西)|什么样|怎么样的|怎样的|性质|什么感觉|是.{0,5}痛还是|刺痛|钝痛|胀痛还是|绞痛|隐痛|描述.{0,12}(?:感觉|性质|"
        r"特点|疼|痛)|"
        r"颜色|性状|形状|外观|大小|特点|质地|气味|粘稠|什么性|样子|多大|类型|"
        r"(?:出血|血|月经|痰|尿|分泌物|呕吐物|经|便)的?量",
        r"刺痛|胀痛|绞痛|隐痛|钝痛|压榨|烧灼|灼|跳痛|酸|闷|针刺|撕裂|搏动|阵发|持续|性质|"
        r"[黄白红黑绿褐清脓血粘黏稠稀水]|很多|不多|较多|少量|大小|约|核桃|厘米|cm|质|量[多少中大]?|样|干|软|硬|形",
    ),
    "severity": (
        r"重吗|多重|能忍|忍得|受得了|受得住|扛得住|吃得消|耽误|严重吗|多严重|程度|多[疼痛]|几分|[1一0零]\s*(?:到|至|-|~|—)\s*(?:10|十)|多少度|最高|几度|影响.{0,8}(?:生活|睡眠|活动|工作|"
        r"走路)|"
        r"剧烈|厉害吗|多厉害|是否严重|能忍受|能否忍受|有多(?:疼|痛|严重|厉害|重)|轻重|强度|体温",
        r"剧烈|剧痛|(?<!更)严重|轻[微度]?|中度|重度|最高|℃|\d+\s*度|(?<!无)明显|难忍|可忍|厉害|\d分|热峰|低热|高热|甚|较重|不能|影响",
    ),
    "trigger": (
        r"什么时候.{0,4}(?:容易|爱|犯|重|轻|多)|(?:容易|爱|好)(?:犯|发作)|一.{1,4}就|见重|见轻|白天|早上.*晚|"
        r"(?:夜里|晚上|早晨|早上|饭前|饭后|饿|吃完|躺|坐|站).{0,6}(?:还是|重吗|厉害吗)|还是.{0,5}(?:晚上|夜里|饭后|吃完)|"
        r"(?<!有没有)(?<!是否)(?<!有无)(?:加重|加剧)|什么情况|哪些情况|什么时候会|有关|因素|相关|活动(?:后|时)|更(?:严重|明显|厉害|疼|痛)|"
        r"什么时候.{0,4}(?:疼|痛|发作|觉得|咳|厉害|重|明显)|什么规律|[疼痛]醒|半夜|空腹.{0,3}(?:还是|或)",
        r"(?:后|时|累|动|夜|晚|冷|饭|餐|躺|卧|立|走|空腹).{0,10}(?:"
        + _ZH_MORE
        + r"|明显|发作)|劳累|情绪激动|一累|一激动|活动后|运动后|进食后|饭后|餐后|空腹|夜间|晚上|"
        r"寒冷|多在|诱因为|的时候|起立|站起|时(?:明显|加重|出现)",
    ),
    "cause": (
        r"怎么(?:来|起|得|引|闹|回事|伤)|咋(?:弄|伤|摔|回事|来|得|起)|为什么会|为啥|因为什么|"
        r"诱因|诱发|引起|原因|导致|怎么(?:受伤|弄|造成|摔|伤|发生|搞|开始)|如何(?:受伤|发生|摔)|起因|"
        r"(?:之前|发病前|起病前).{0,8}(?:做|吃|发生|有没有|着凉|劳累)|什么事|触发|受伤的?(?:过程|经过|情况)|"
        r"在做什么|什么情况下.{0,4}(?:出现|发生|开始|发病|受伤)",
        r"诱因|因(?!此|发热|.{0,6}[天日月年]$)|受凉|摔|撞|骑|砸|劳累|情绪激动|感冒后|进食.{0,6}后|饮酒后|运动后|活动后|搬|提(?:重|东西|水)|用力|(?<!伤)后(?:出现|突发|开始|感)|"
        r"咬|跌|坠|烫",
    ),
    "effect": (
        r"管事|顶用|顶事|(?:吃|用|喝|打|输)[完了过].{0,8}(?:怎么样|如何|怎样)|疗效|见效|起效|好使|灵吗|奏效|效果|管用|有效|有没有用|有用吗|起作用|(?:吃|用|服|治疗).{0,6}(?:好转|缓解|好一?[些点]|减轻|改善)",
        _ZH_LESS + r"|效|不见好|未见|退热|退烧|控制",
    ),
    "relief": (
        r"见轻|见好|缓过来|缓过劲|缓一|能缓|能好|会好|怎么才|怎样才|好受|舒坦|能停|会停|停下来|"
        r"缓解|减轻|好转|好一?[点些]|自己(?:停|好|缓解|消)|自行|舒服[点些一]|改善|消失|怎么处理|消退|止[痛住]",
        _ZH_LESS,
    ),
    "radiation": (
        r"串[到着]|跑到|带着.{0,5}[疼痛]|连着.{0,5}[疼痛]|往.{0,5}[走放窜传串]|放射|扩散|传到|转移|牵[涉扯]|其他(?:部位|地方)(?:也|疼|痛)|蔓延|窜",
        r"放射|扩散|牵涉|牵扯|转移|蔓延|窜|传到|渐及|至.{0,4}部",
    ),
}
_EN: dict[Attribute, tuple[str, str]] = {
    "onset": (
        r"\bwhen (?:did|was|were|do you first|have)|since when|how long ago|\bstart(?:ed)?\b|"
        r"\bbegin|\bbegan\b|"
        r"\bonset\b|first notic|first (?:appear|occur|happen|develop)|come on (?:sudden|gradual)|"
        r"sudden",
        _EN_TIME + r"|gradual|insidious|acute|immediate|\bnew[ -]",
    ),
    "duration": (
        r"how long|duration|\blast(?:ed|ing|s)?\b(?! (?:time|menstrual|period|meal|week|month|"
        r"year|night))|"
        r"how many (?:day|week|month|year|hour|minute)|for how",
        _EN_TIME + r"|\blast(?:s|ed|ing)\b|\bfor\b.{0,20}(?:day|week|month|year|hour|minute)",
    ),
    "frequency": (
        r"how (?:often|frequent|many times)|frequency|how many (?:episodes|times|stools|bowel)|"
        r"times (?:a|per)|every day|"
        r"come and go|constant|how regular|more often|less often|more frequent|how regularly",
        r"\btimes?\b|daily|every|episod|intermittent|constant|occasional|recurr|frequen|"
        r"per (?:day|week|month|night)|"
        r"often|sometimes|always|continuous|persistent|most days|once|twice|nightly|weekends|"
        r"\beach\b",
    ),
    "course": (
        r"(?:getting|gotten|become|becoming|been|got) (?:any )?(?:worse|better)|chang(?:e|ed|"
        r"ing) (?:over|since|in (?:size|intensity|severity))|progress|"
        r"come and go|comes and goes|constant|intermittent|improv(?:ed|ing)|wors(?:en(?:ed|ing)|"
        r"e or better)|"
        r"better or worse|sudden|gradual|evolv|over time|same since|has it changed|have (?:they|"
        r"these|the).{0,20}changed|clear(?:s|ed)? up|go(?:es|ne)? away|"
        r"\b(?:bigger|smaller|larger)\b|\bgrown?\b|growing",
        _EN_MORE
        + "|"
        + _EN_LESS
        + r"|progress|gradual|sudden|constant|intermittent|persist|recurr|continu|"
        r"come and go|escalat|develop|rapid|decreas|grow|resolv|episod|enlarg|bigger|"
        r"larger|spread",
    ),
    "site": (
        r"\bwhere\b(?!.*\b(?:travel|live|work|been|go|from)\b)|which (?:side|part|area|joint|leg|"
        r"arm|eye|ear|knee|one)|location|"
        r"\blocated\b|point to|what part|one side|both sides|\bsides?\b",
        r"",
    ),
    "character": (
        r"feel like|what kind|describe (?:the|your|it|this|what|how)|character|quality|\bsharp\b|"
        r"\bdull\b|colou?r|consistency|"
        r"what type|look like|what sort|smell|odor|\bsize\b|how (?:big|large|much)|appearance|"
        r"nature of|what (?:is|does|do) .{0,25}(?:like|look)|amount|burning",
        r"sharp|dull|burning|cramp|stab|throb|ach(?:e|ing)\b|pressure|squeez|tight|shoot|tear|"
        r"colic|crush|gnaw|"
        r"water|blood|mucus|yellow|green|black|brown|white|clear|purple|violaceous|thick|foul|"
        r"smell|"
        r"\bcm\b|\bmm\b|size|round|flat|raised|firm|soft|hard|mobile|fixed|color|like|red\b|necro|"
        r"erythemat|milk|curd|bilious|purulent|ulcer|vesic|scal|pustul|productive|dry\b|large|small|massive|painless|painful|deep",
    ),
    "severity": (
        r"how (?:bad|severe|intense|painful|high|strong|serious)|\bscale\b|severity|intens|"
        r"\brate\b|1 to 10|out of (?:10|ten)|"
        r"one to ten|affect(?:ing|ed|s)?\b.{0,30}(?:daily|life|sleep|work|activit)|interfer|"
        r"can't you do|"
        r"worst|highest|what was (?:the|your) temperature",
        r"severe|mild|moderate|intens|\d+/10|out of|°|worst|excruciat|unbearable|significant|"
        r"extreme|\bbad\b|"
        r"slight|massive|disrupt|unable|difficulty|marked|profuse|heavy|noticeable|interfer",
    ),
    "trigger": (
        r"\b(?:worse|harder)\b(?! over)|worsen|"
        r"aggravat|bring(?:s)?.{0,8} on\b|provok|exacerbat|set it off|"
        r"associated with (?:eating|food|activity|movement|exertion|meals)|related to|"
        r"circumstances|(?:happen|occur|hurt|come) (?:more )?(?:when|after|with|at night)|"
        r"after (?:eating|meals|exercise)|make it worse|particular time|wakes? you|"
        r"\bmakes? (?:a|any) difference|"
        r"\bsets? .{0,30}\boff\b|time of (?:the )?day|worst time|at (?:its|their) worst|"
        r"when .{0,25}\bworst\b|makes? .{0,30}\b(?:worse|flare)",
        r"(?:wors\w*|especially)(?: \w+){0,3} (?:with|after|when|on|during|by|at|in|upon|while|"
        r"following)\b|"
        r"aggravat|exacerbat|provok|induced|brought on|comes with|"
        r"with (?:movement|activity|exertion|exercise|inspiration|deep|eating|meals|each|"
        r"sustained|physical)|"
        r"\ba?wak(?:e|en|ing|ened|es)s?\b|"
        r"(?:after|during|on|while|when) (?:\w+ ){0,3}(?:exertion|activit|exercis|eating|meals?|"
        r"walk|stairs|"
        r"bend|chew|brush|movement|lifting|urinat|bowel|intercourse)|wakes|at night|"
        r"towards the end|in the (?:morning|evening|afternoon)|end of the day|when (?:she|"
        r"he|i)\b",
    ),
    "cause": (
        r"trigger|\bcaus|how did .{0,40}(?:happen|injur|hurt|occur|fall|start|begin)|"
        r"what were you doing|"
        r"what (?:happened|led)|precipitat|anything that (?:start|caus)|doing when|"
        r"lead(?:ing)? up to|"
        r"\bwhat (?:brought|set) .{0,30}\b(?:on|off)\b|what brought on|"
        r"before (?:the|this|it|your)\b.{0,20}(?:start|beg[ai]n|came|happen)|bring(?:s)? (?:it|"
        r"this|them) on|brought (?:it|this) on",
        r"after\b|trigger|while\b|during\b|following\b|precipitat|caused|because|due to|"
        r"possible cause|"
        r"collision|accident|caught|struck|kicked|\bhit\b|twist|landed|\bfell\b|\bfall\b|bite|"
        r"participat|lifting|exercising|playing|"
        r"without injury|"
        r"came on|increased (?:physical )?activity",
    ),
    "effect": (
        r"(?:did|does|has|have) (?:it|that|they|any of (?:it|them|those)|the \w+|"
        r"this).{0,12}(?:help|work)|effective|"
        r"any (?:effect|benefit|relief)|respond|\btouch(?:ed)? (?:it|the)|"
        r"ma(?:de|ke) (?:any|a|much) "
        r"difference|(?:do|does|did|have|has) (?:the |your |any )?(?:painkiller|tablet|medic\w+|"
        r"antibiotic|inhaler|cream|treatment|pill|drug)s? (?:\w+ )?(?:help|work)(?:ed)?",
        _EN_LESS + r"|help|relief|effect|respond|no change|not changed|did not|minimal|resolv",
    ),
    "relief": (
        r"\bbetter\b|reliev|relief|(?<!need )(?<!needs )helps?\b(?! you)|"
        r"alleviat|\bease|improv|tried(?! to)|go away|"
        r"resolve|make it (?:better|stop)|\bsettles?\b|\bsoothes?\b|take the edge off|calms?\b|"
        r"\btouched it\b",
        _EN_LESS + r"|no relief|minimal",
    ),
    "radiation": (
        r"radiat|spread|travel(?:s)? (?:to|any|down|up|else)|go any ?where|move (?:any|to|else|"
        r"around)|anywhere else|other (?:area|part)s?|elsewhere|does (?:it|the pain) (?:go|move|"
        r"travel|shoot)",
        r"radiat|spread|\bdown (?:the|his|her|my)\b|into (?:the|his|her|my)\b|shoot|migrat|"
        r"travel(?:s|ing)? (?:to|down)|toward|extend",
    ),
}


@lru_cache(maxsize=2)
def attribute_words(language: Language) -> dict[Attribute, AttributeWords]:
    """The patterns of a language; an empty answer pattern means that any body site answers."""
    table = _ZH if language == "zh" else _EN
    return {
        name: AttributeWords(
            re.compile(question, re.IGNORECASE),
            re.compile(answer or r"(?!)", re.IGNORECASE),
        )
        for name, (question, answer) in table.items()
    }
