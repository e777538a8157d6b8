"""The methods paragraph in English and Chinese, as plain text in which citations are marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from evaluation.citations import BUNDLED, OTHER
from evaluation.methods import Methods, SourceCount
from evaluation.paper_table import latex
from evaluation.paper_tables import words_of
from records.medical_record import Language

_OPEN, _CLOSE = "\ue000", "\ue001"
_MARKED = re.compile(f"{_OPEN}(.*?){_CLOSE}")


def methods_text(methods: Methods, language: Language) -> list[str]:
    """The paragraphs; a citation stands in them as `as_latex` and `as_markdown` know it."""
    return _english(methods) if language == "en" else _chinese(methods)


def cited(paragraphs: Iterable[str]) -> set[str]:
    """The keys that paragraphs cite."""
    found = (match for text in paragraphs for match in _MARKED.findall(text))
    return {key for keys in found for key in keys.split(",")}


def as_latex(paragraphs: Iterable[str]) -> str:
    """LaTeX, a paragraph a block."""
    return _rendered(paragraphs, latex, lambda keys: rf"~\cite{{{keys}}}")


def as_markdown(paragraphs: Iterable[str]) -> str:
    """Markdown with pandoc's citations."""

    def cite(keys: str) -> str:
        return " [" + "; ".join(f"@{key}" for key in keys.split(",")) + "]"

    return _rendered(paragraphs, lambda text: text, cite)


def _rendered(
    paragraphs: Iterable[str], plain: Callable[[str], str], cite: Callable[[str], str]
) -> str:
    blocks = []
    for text in paragraphs:
        # Every second part is the keys of a citation.
        parts = _MARKED.split(text)
        # Spaces at the ends of a part would be lost where line breaks become spaces.
        blocks.append("".join(cite(p) if n % 2 else _padded(p, plain) for n, p in enumerate(parts)))
    return "\n\n".join(blocks) + "\n"


def _padded(part: str, plain: Callable[[str], str]) -> str:
    before = " " if part.startswith(" ") else ""
    after = " " if part.endswith(" ") and part.strip() else ""
    return f"{before}{plain(part.strip())}{after}"


def _cite(*keys: str) -> str:
    return f"{_OPEN}{','.join(keys)}{_CLOSE}"


def _english(m: Methods) -> list[str]:
    shared = m.shared
    words = words_of("en")
    sources = _listed([_source_en(source) for source in m.sources], "and")
    settings = _listed([words[setting].lower() for setting in m.settings], "and")
    absent = "without abnormality" if shared.unrecorded == "normal" else "unavailable"
    carrier = "the patient" if shared.protocol == "carried" else "the doctor"
    times = "once" if m.trials == 1 else f"{m.trials} times"
    setup = (
        f"We measured {_listed(list(m.doctors), 'and')} with Hospital {m.program}, which follows AI"
        f" Hospital{_cite('aihospital')}, on {m.cases} cases: {sources}. Each case was held"
        f" {times} a doctor in each of these settings: {settings}. Patient and examiner were played"
        f" by {shared.npc} (wording {shared.prompts_hash}); requests for examinations were taken to"
        f" the examiner by {carrier}, an examination that is not on record was reported as"
        f" {absent}, and a consultation ended after at most {shared.max_turns} rounds. The seed of"
        f" the visits was {shared.seed}."
        f"{_answered(m, ' The endpoints named these models: ', '; ', '.')}"
        f" Of {m.visits} visits {m.marked} are marked; they ended thus: {_endings(m)}."
        f"{_versions(m, ' Visits were held by version ', ', marked by version ', '.')}"
    )
    wording = f" (wording {', '.join(m.judge_words)})" if m.judge_words else ""
    unscored = (
        "counts as D (convention published)"
        if m.counting.convention == "published"
        else "is left out of the mean, and its coverage is reported (convention strict)"
    )
    marks = (
        f"Marks are those of {m.judge}{wording}, which graded symptoms, examinations, diagnosis,"
        " rationale and treatment of each report from A to D without knowing whose it was. A mark"
        " is the mean of the grades (A = 4 to D = 1), less 1, divided by 3, times 100; an unscored"
        f" grade {unscored}. A doctor that declined or failed is marked as having made no"
        " diagnosis. Rows are ranked by diagnosis, where a visit without a gradable answer counts"
        " as D. Trials of a case are averaged before cases are."
    )
    if m.counting.matching == "code":
        matched = (
            f"linked to ICD-10{_cite('icd10')} and matched one to one by three-character category"
        )
    else:
        matched = f"matched one to one by shared candidate names{_cite('aihospital')}"
    linked = "" if m.linked is None else f"; {100 * m.linked:.1f}% of the references have a code"
    left_out = (
        f" {m.left_out} reference diagnoses that the patient tells of, or that nothing on record"
        " leads to, are left out, and so are predictions that hit them."
        if m.left_out
        else " All reference diagnoses count."
    )
    literal = (
        " Only reports with the published headings to the letter count."
        if m.counting.literal_headings
        else ""
    )
    diseases = (
        f"Diseases named in the diagnosis were {matched} (matching {m.counting.matching},"
        f" terminology {m.terminology or 'not recorded'}, extraction"
        f" {m.extraction or 'by older rules'}{linked}); recall, precision and F1 are"
        f" micro averages.{left_out}{literal}"
    )
    return [setup, marks, diseases, _statistics_en(m)]


def _statistics_en(m: Methods) -> str:
    text = (
        f"Intervals are 95% percentile bootstrap intervals over cases{_cite('bootstrap')}"
        f" ({m.iterations:,} resamples, seed {m.seed}); half-widths are upper bound less mean."
    )
    if m.tried_again:
        text += (
            f" pass^k is the unbiased estimate of the chance that all of k trials succeed"
            f"{_cite('taubench')}, success being a diagnosis graded A or B."
        )
    c = m.comparison
    if c is not None:
        metric = words_of("en")[c.metric]
        text += (
            f" Doctors were compared pairwise on common cases by {metric.lower()} with a paired"
            f" bootstrap ({c.iterations:,} resamples), corrected for {len(c.pairs)} comparisons"
            f" after Holm{_cite('holm')}; doctors that share a letter{_cite('piepho')} are not told"
            " apart at 0.05."
        )
        if c.detectable is not None:
            text += (
                f" With 80% power, these cases tell apart true differences from {c.detectable:.1f}"
                " points (median over pairs)."
            )
    return f"{text} Fingerprint of the figures: {m.fingerprint}."


def _source_en(source: SourceCount) -> str:
    names = {BUNDLED: "the bundled library", OTHER: "the users' own files"}
    name = names.get(source.family, source.family)
    language = "Chinese" if source.language == "zh" else "English"
    return f"{source.cases} of {name}{_cite(source.cite) if source.cite else ''} in {language}"


def _chinese(m: Methods) -> list[str]:
    shared = m.shared
    words = words_of("zh")
    sources = "、".join(_source_zh(source) for source in m.sources)
    settings = "、".join(words[setting] for setting in m.settings)
    absent = "未见异常" if shared.unrecorded == "normal" else "无此项结果"
    carrier = "患者" if shared.protocol == "carried" else "医生本人"
    setup = (
        f"我们用 Hospital {m.program}（遵循 AI Hospital{_cite('aihospital')}）评测了"
        f" {'、'.join(m.doctors)}，共 {m.cases} 个病例：{sources}。"
        f"每个病例由每位医生在以下场景中各接诊 {m.trials} 次：{settings}。"
        f"患者与检查员由 {shared.npc} 扮演（提示词 {shared.prompts_hash}）；"
        f"检查申请由{carrier}转达检查员，病历中没有的检查报告为“{absent}”，"
        f"问诊至多 {shared.max_turns} 轮。就诊的随机种子为 {shared.seed}。"
        f"{_answered(m, '接口所报的模型为：', '；', '。')}"
        f"{m.visits} 次就诊中有 {m.marked} 次得到评分；结束方式：{_endings(m)}。"
        f"{_versions(m, '就诊由版本 ', '，评分由版本 ', ' 完成。')}"
    )
    wording = f"（提示词 {', '.join(m.judge_words)}）" if m.judge_words else ""
    unscored = (
        "计为 D（published 约定）"
        if m.counting.convention == "published"
        else "不计入均值，并报告其覆盖率（strict 约定）"
    )
    marks = (
        f"评分者为 {m.judge}{wording}，在不知医生身份的情况下，对每份报告的症状、检查、诊断、"
        "依据与治疗五项给出 A 至 D 的等级。"
        "得分为等级（A = 4 至 D = 1）的均值减 1、除以 3、乘以 100；"
        f"无法评分的等级{unscored}。拒绝作答或失败的医生按未作诊断计。"
        "各行按诊断得分排序，排序时没有可评分回答的就诊计为 D。"
        "同一病例的多次试验先取平均，再对病例取平均。"
    )
    matched = (
        f"链接到 ICD-10{_cite('icd10')}，并按三位类目一一匹配"
        if m.counting.matching == "code"
        else f"按共有的候选名称一一匹配{_cite('aihospital')}"
    )
    linked = "" if m.linked is None else f"；{100 * m.linked:.1f}% 的参考诊断有编码"
    left_out = (
        f"患者自述已知的、或病历中无从得出的参考诊断 {m.left_out} 个不计，命中它们的预测也不计。"
        if m.left_out
        else "所有参考诊断均计入。"
    )
    literal = "仅计入标题与公开代码逐字相同的报告。" if m.counting.literal_headings else ""
    diseases = (
        f"诊断中的疾病名称{matched}（匹配方式 {m.counting.matching}，术语表"
        f" {m.terminology or '未记录'}，疾病提取 {m.extraction or '旧规则'}{linked}）；"
        f"召回率、精确率与 F1 为微平均。{left_out}{literal}"
    )
    return [setup, marks, diseases, _statistics_zh(m)]


def _statistics_zh(m: Methods) -> str:
    text = (
        f"区间为对病例重抽样的 95% 百分位自助法区间{_cite('bootstrap')}"
        f"（{m.iterations:,} 次重抽样，种子 {m.seed}）；半宽为上界减均值。"
    )
    if m.tried_again:
        text += (
            f"pass^k 为 k 次试验全部成功之概率的无偏估计{_cite('taubench')}，"
            "成功指诊断评为 A 或 B。"
        )
    c = m.comparison
    if c is not None:
        text += (
            f"医生之间在共同病例上按{words_of('zh')[c.metric]}两两比较，采用配对自助法"
            f"（{c.iterations:,} 次重抽样），"
            f"并按 Holm 法{_cite('holm')}校正 {len(c.pairs)} 次比较；"
            f"共有字母{_cite('piepho')}的医生在 0.05 水平上不可区分。"
        )
        if c.detectable is not None:
            text += (
                f"以 80% 的检验效能，这些病例可检出 {c.detectable:.1f} 分以上的真实差值"
                "（各对的中位数）。"
            )
    return f"{text}图表指纹：{m.fingerprint}。"


def _source_zh(source: SourceCount) -> str:
    names = {
        BUNDLED: "自带病例库",
        OTHER: "用户自备文件",
        "MVME, rebuilt from published dialogues": "由公开对话重建的 MVME",
    }
    name = names.get(source.family, source.family)
    language = "中文" if source.language == "zh" else "英文"
    return f"{name}{_cite(source.cite) if source.cite else ''} {source.cases} 例（{language}）"


def _answered(m: Methods, before: str, between: str, after: str) -> str:
    if not m.models:
        return ""
    told = between.join(f"{role} {', '.join(names)}" for role, names in m.models.items())
    return f"{before}{told}{after}"


def _versions(m: Methods, held: str, marked: str, after: str) -> str:
    """By which versions of this program, where the logs say."""
    if not m.held_by:
        return ""
    by = f"{marked}{', '.join(m.marked_by)}" if m.marked_by else ""
    return f"{held}{', '.join(m.held_by)}{by}{after}"


def _endings(m: Methods) -> str:
    return ", ".join(f"{ending} {n}" for ending, n in m.endings.items())


def _listed(items: list[str], last: str) -> str:
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"
