"""The words by which a doctor's sentence is seen to ask, to tell, or to ask for everything."""

from __future__ import annotations

import re
from dataclasses import dataclass

from records.medical_record import Language


@dataclass(frozen=True)
class Tongue:
    """How one language asks."""

    sentence: re.Pattern[str]
    clause: re.Pattern[str]
    item: re.Pattern[str]
    asks: re.Pattern[str]
    requests: re.Pattern[str]
    """What asks without a question mark."""
    tells: re.Pattern[str]
    invites_list: re.Pattern[str]
    continues: re.Pattern[str]
    excludes: re.Pattern[str]
    consent: re.Pattern[str]
    others: re.Pattern[str]
    complaint: re.Pattern[str]
    story: re.Pattern[str]
    tale: re.Pattern[str]
    """Words for the whole illness, as against one quality of a symptom."""
    tells_of: re.Pattern[str]
    """What asks for all about one thing ("tell me about the rash")."""
    yes_no: re.Pattern[str]
    wh: re.Pattern[str]
    condition: re.Pattern[str]
    marker: re.Pattern[str]
    """What parts the thing spoken of from what is asked of it ("is the rash | itchy?")."""
    formerly: re.Pattern[str]
    function_words: re.Pattern[str]


_I = re.IGNORECASE
_ZH = Tongue(
    sentence=re.compile(r"[^。！!？?；;\n]+[。！!？?；;\n]*"),
    clause=re.compile(r"[^，,：:]+"),
    item=re.compile(r"、|以及|及(?!其)|和|或者|或是|或|还是|与|/|并且|而且|，|,"),
    asks=re.compile(
        r"[？?]|吗|没有?(?=[，,、。]|$)|有没有|有无|是否|是不是|能不能|会不会|什么|哪[里儿些个天年种边侧位一]|怎么|怎样|多久|多长|多少|多大|"
        r"几(?:次|天|个|年|周|岁|分|度|点|时|月|口|支|根|包|斤|胎|片|级)|如何|何时|请问|告诉我|(?:请|能|能否|可以|再|麻烦)(?:您|你|先|再|"
        r"给我|简单|详细|具体)*(?:描述|说|谈|讲|介绍)|"
        r"(?:想|需要|要)(?:再|先|进一步|更详细地?|向您|问您|和您)*(?:了解|知道|问|询问|确认)|"
        r"(?:请|能否|能不能|可以|麻烦)(?:您|你).{0,6}(?:提供|补充|回答|说明|回忆)|还有其他|说一下|介绍一下|(?<=[^，。])呢[。]?$"
    ),
    requests=re.compile(
        r"吗[。.]?$|呢[。.]?$|没有?[。.]?$|告诉我(?!.{0,3}结果)|请问|(?:请|能否|麻烦)(?:您|你|先|再|给我|简单|详细|具体)*(?:描述|"
        r"说|谈|讲|介绍|回答|"
        r"提供|补充)|"
        r"(?:想|需要|要)(?:再|先|进一步|更详细地?|向您|问您|和您)*(?:了解|知道|问|询问|确认)(?=.*(?:您|你|以下|几个|[:：]))"
    ),
    tells=re.compile(
        r"^(?:.{0,8})(?:建议|推荐|请(?:您|你)?(?:尽快|及时|立即|务必|注意|按|放心|不要|保持|遵|继续|定期)|诊断(?:为|是|结果)|治疗方案)|"
        r"检查结果(?:显示|提示|表明)|(?:可能|考虑)(?:是|为|患有|存在)|初步(?:诊断|判断)|如果(?:您|你)?(?:有|还有|出现|"
        r"症状).{0,20}(?:请|随时|及时|告诉|联系)|"
        r"注意|导致|意味|取决|通常|决定是否|欢迎|可能会|咨询医生|(?:了解|观察)是否|如有|随时(?:告诉|联系|向|问|咨询)|(?:完成|做完|检查后|出来后|"
        r"拿到).{0,12}(?:告诉|反馈|结果)|(?:以便|有助于|帮助我们|为了更|"
        r"我.{0,8}(?:能|可以|会|只能).{0,8}(?:提供|帮助))|(?:检查|检测|评估|查看|确定|明确|判断|确认|看看|排除).{0,8}是否|结果(?:告诉|"
        r"反馈)|告诉我.{0,3}结果"
    ),
    invites_list=re.compile(
        r"以下|如下|几个问题|一些问题|下面|这些(?:问题|信息|方面)|(?:了解|问|告诉).{0,12}[：:]\s*$"
    ),
    continues=re.compile(
        r"^\s*(?:\d+[.、)）]\s*)?(?:比如|例如|像是|像|包括|如|以及|或者|还有|另外|还是|有没有)"
    ),
    excludes=re.compile(
        r"除(?:了|去)(?P<what>.+?)(?:之外|以外|外(?!伤)|，|,|(?=还有|有没有|是否|您|你|有无|$))"
    ),
    consent=re.compile(
        r"(?:您|你)?(?:是否)?(?:愿意|同意|能接受|能不能接受|可以接受)|接受(?:这|该|检查|治疗)|可以吗|好吗|行吗|方便吗|可以做(?:这|吗)|能去做|"
        r"是否可以(?:进行|安排|去)|"
        r"有(?:什么|任何|其他)?(?:疑问|问题)(?:吗|要问|需要)|还有(?:什么|其他|别的)?(?:疑问|问题|要问|需要(?:帮|咨|我))|"
        r"明白(?:了)?吗|清楚了吗|觉得(?:这样|怎么样)|同意吗|有什么想问|能.{0,8}(?:去|前往)(?:医院|当地)|可以理解吗"
    ),
    others=re.compile(
        r"(?:其他|其它|别的|另外|任何|额外)(?:的|任何)*(?:不适|不舒服|症状|异常|表现|伴随|感觉|情况|变化|地方不|值得|需要|要补充)|"
        r"还有(?:什么|哪些|没有|其他|别的|哪里|哪儿)|伴随(?:症状|的)|伴有(?:什么|哪些|其他)|同时(?:有|还有)(?:什么|哪些)|其他(?:吗|的吗|的呢)|"
        r"补充|"
        r"(?:相关|伴发)症状|什么(?:其他|别的)|遗漏"
    ),
    complaint=re.compile(
        r"哪[里儿](?:不舒服|不适|不好|难受)|什么(?:不舒服|不适|问题|症状|地方不)|怎么(?:了|不舒服|不好|回事)|主诉|"
        r"(?:主要|目前|现在).{0,6}(?:症状|不适|不舒服|问题|困扰)|为什么来|来(?:看|就)(?:病|诊|医)|身体状况如何|感觉怎么样|有(?:何|"
        r"哪些)(?:症状|不适)|有什么症状"
    ),
    story=re.compile(
        r"(?:描述|说明|介绍|讲|说|谈|详细|具体|告诉).{0,14}(?:症状|病情|情况|经过|不适|过程|感受|发病)|现病史|(?:症状|病情).{0,6}(?:描述|"
        r"详细|具体)|症状有哪些|有哪些症状|哪些症状|"
        r"^\W*(?:您|你|能|能否|可以|请|再|给我|跟我|慢慢|仔细|详细|具体|地|先)*(?:说说|讲讲|谈谈|说一说|讲一讲|"
        r"说一下|讲一下)(?:吗|吧|看)?\W*$"
    ),
    tale=re.compile(r"症状|病情|经过|过程"),
    tells_of=re.compile(r"描述|说说|谈谈|讲讲|介绍|详细|具体说"),
    yes_no=re.compile(r"有没有|有无|是否|是不是|吗|没有[？?]?$"),
    wh=re.compile(
        r"(?<!有没有)什么(?!其他|不适)|哪|怎么|怎样|多久|多长|多少|多大|几|如何|何时|还是"
    ),
    condition=re.compile(
        r"^(?:了)?(?:的)?(?:时候|时(?!间)|后(?!背)|之后|以后|之前|期间|过程中|情况下|前(?!胸|额))"
    ),
    marker=re.compile(
        r"有没有|有无|是否|是不是|(?<!还)是(?=.+还是)|(?<!没)(?<!还)有(?=.+吗)|影响(?=.+吗)|会不会|(?=[疼痛痒肿红麻烫硬]吗)"
    ),
    formerly=re.compile(r"以前|既往|过去|曾经|从前|之前有过|史"),
    function_words=re.compile(
        r"平时|平常|平日|一般|这阵子?|近来|这[两几]天|往常|大概|究竟|到底|通常|当时|那时候?|后来|受影响|影响|不对劲?|不行|费劲|费力|"
        r"顺畅|顺利|顺当|通畅|厉害|严重|难受|什么的|之类|那些|这回|这次|人|"
        r"请问|您|你|有没有|有无|是否|是不是|吗|呢|？|\?|。|什么|哪些|哪里|怎么|怎样|如何|出现过?|感觉到?|觉得|"
        r"其他|其它|别的|还有|以及|或者|比如|例如|等|症状|情况|现象|方面|目前|现在|最近|近期|以前|之前|曾经|"
        r"过(?!敏)|有|的|了|是|在|会|能|吧|这种|这些|那么|请|告诉我|描述|一下|一些|任何|不适|还|也|都|就|"
        r"变化|改变|异常|困难|障碍|毛病|规律|需要|以下|如下|信息|进一步|更|帮助|提供|回答|几个|判断|准确|为了|病情|诊断|增多|减少|没|不|好|我|想|知道|"
        r"了解|明显|特别|"
        r"经常|伴有|伴随|发生|存在|问题|另外|此外|同时|是不|呀|啊|嗯|"
        r"进行|做|相关|类似|史|多|大|小|患者|孩子|宝宝|身体|部位|具体|详细"
    ),
)
_EN_START = (
    r"^\W*(?:\d+[.)]\s*)?(?:(?:and|so|ok(?:ay)?|also|now|next|then|first|finally|lastly|well|"
    r"alright|thank you|thanks|i see|"
    r"great|sorry|understood|got it)[,.]?\s+)*"
)
_EN = Tongue(
    sentence=re.compile(
        r"(?:[^.!?;\n]|(?<=\d)\.(?=\d)|(?<=\b[Dd]r)\.|(?<=e\.g)\.|(?<=\be)\.(?=g))+[.!?;\n]*"
    ),
    clause=re.compile(r"(?:[^,:—–]|,(?=\d{3}))+"),
    item=re.compile(r",|\bor\b|\band\b|/|\bas well as\b|\bplus\b", _I),
    asks=re.compile(
        r"\?|"
        + _EN_START
        + r"(?:what|when|where|how|who|which|why|do|does|did|have|has|had|is|are|was|were|can|"
        r"could|would|will|any|anything|tell me|describe|explain|walk me|share|let me know|"
        r"please (?:tell|describe|share|"
        r"explain|elaborate|give|provide)|could you|elaborate|talk about)\b|\b(?:tell me|"
        r"let me know|i(?:'d| would) like to (?:know|ask|hear|understand)|"
        r"i need to (?:know|ask|understand)|i want to (?:know|ask|understand)|(?:can|could|"
        r"would) you (?:please )?(?:tell|describe|share|explain|elaborate)|please describe|"
        r"do you|have you|did you|are you)\b",
        _I,
    ),
    requests=re.compile(
        r"\b(?:tell me|describe|explain|let me know|walk me through|share|elaborate|"
        r"i(?:'d| would) like to (?:know|ask|hear|understand)|i (?:need|want) to (?:know|ask|"
        r"understand))\b",
        _I,
    ),
    tells=re.compile(
        r"^\W*(?:do not|don['’]t|never)\b|"
        r"\bi (?:recommend|suggest|advise|would recommend|believe you|think you)|you should|"
        r"diagnos(?:is|ed) (?:is|with|as)|treatment plan|"
        r"results? (?:show|indicate|suggest|reveal)|if you (?:have|experience|notice|develop|"
        r"feel|need)|please (?:make sure|take|continue|avoid|follow|rest|go|return|schedule)|"
        r"feel free|it is important|let(?:'s| us) (?:order|get|do|start|proceed)",
        _I,
    ),
    invites_list=re.compile(
        r"following|few (?:more )?questions|some (?:more )?questions|questions?\s*:|(?:about|"
        r"know|ask)\s*:\s*$|these questions",
        _I,
    ),
    continues=re.compile(
        r"^\s*(?:\d+[.)]\s*)?(?:such as|for example|like|including|e\.g|or|any|and)\b", _I
    ),
    excludes=re.compile(
        r"\b(?:besides|apart from|other than|aside from|in addition to|except(?: for)?|"
        r"along with|together with)\b(?P<what>[^,?]+)",
        _I,
    ),
    consent=re.compile(
        r"\b(?:is that (?:ok|okay|alright|all right|fine)|are you (?:willing|comfortable|okay|ok|"
        r"ready|able to (?:go|come|get|do))|"
        r"would you (?:be (?:willing|able|comfortable|open)|agree|like (?:me|to)|mind|consider)|"
        r"does that (?:sound|make sense)|do you (?:understand|agree|have any (?:other |more |"
        r"further )?questions)|"
        r"any (?:other |further )?questions|is there anything (?:else )?(?:you(?:'d|"
        r" would) like to (?:ask|know)|i can)|shall we|can we (?:do|proceed|schedule))",
        _I,
    ),
    others=re.compile(
        r"anything else|\bany(?:thing)? other (?:symptom|problem|complaint|concern|issue|change|"
        r"thing|sign|discomfort)|other symptoms?|associated (?:symptom|sign|with it|feature)|"
        r"accompan|what else|any additional|other (?:problem|complaint|concern|change|issue)s?\b|"
        r"anything (?:more|additional|you(?:'d| would)? (?:like to )?(?:add|mention))|"
        r"^\W*(?:any )?other symptoms|any associated|along with (?:it|this|that|the pain)|"
        r"other than that|any new symptoms|any (?:other )?symptoms (?:besides|apart|other)",
        _I,
    ),
    complaint=re.compile(
        r"brings? you|brought you|what seems|how can i help|how may i help|what(?:'s|"
        r" is) (?:wrong|going on|happening|the (?:problem|matter|issue)|bothering|troubling|"
        r"your (?:main|chief|primary))|"
        r"main (?:concern|complaint|problem|symptom)|chief complaint|how are you (?:feeling|"
        r"doing)|what symptoms|reason for (?:your|this|the) visit|why (?:are|did) you (?:here|"
        r"come)|what(?:'s| has) been bothering",
        _I,
    ),
    story=re.compile(
        r"(?:tell me|describe|explain|share|elaborate|walk me|talk|go over|"
        r"more about)\b.{0,30}\b(?:symptoms?|problem|condition|happen\w*|going on|bothering|"
        r"experienc\w+|concerns?|feeling|illness|complaints?|story|brought|brings)|"
        r"what happened|tell me (?:a bit |a little )?more(?: about (?:it|this|that))?\W*$|"
        r"can you elaborate\W*$|tell me what|"
        r"how did (?:this|it|all this) (?:all )?(?:start|begin)|history of (?:the )?present",
        _I,
    ),
    tale=re.compile(r"symptom|problem|concern|condition|what happened|illness", _I),
    tells_of=re.compile(r"\b(?:tell me|describe|elaborate on|more about|talk about)\b", _I),
    yes_no=re.compile(
        _EN_START + r"(?:do|does|did|have|has|had|is|are|was|were|any|can|could|will)\b", _I
    ),
    wh=re.compile(r"\b(?:what|when did|when was|where|how|which|describe|tell|rate)\b", _I),
    condition=re.compile(
        r"\b(?:when|while|after|before|during|since|upon|following|until|if)\b[^,?]*$", _I
    ),
    marker=re.compile(
        r"^\W*(?:and |so )?(?:is|are|was|were|do|does|did|has|have|had|can)\s+"
        r"(?:the|your|this|that|these|those|his|her)\s",
        _I,
    ),
    formerly=re.compile(r"\bever\b|in the past|history of|previous|before this|prior to this", _I),
    function_words=re.compile(
        r"\b(?:trouble|difficulty|difficulties|problems?|issues?|noticed|experienced|changes?)\b",
        _I,
    ),
)
TONGUES: dict[Language, Tongue] = {"zh": _ZH, "en": _EN}
