"""What a patient says, but for the facts: greetings, thanks, "not that I noticed", and the order.

The seed chooses among phrasings, so that two visits need not sound alike and one is reproducible.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from agents.offline.english_sentences import Clause, full_sentences
from agents.offline.first_person import denied, in_own_words, sentence
from records.facts.fact_index import index_facts
from records.facts.lexicon import load_lexicon, words
from records.facts.text_content import content
from records.medical_record import Finding, Language
from records.views import PatientView

_PHRASES: dict[Language, dict[str, tuple[str, ...]]] = {
    "zh": {
        "puzzled": (
            "医生，您说的我听不懂，我就是来看病的。",
            "啊？这个我不明白，我只知道自己哪儿不舒服。",
        ),
        "farewell": ("好的，谢谢医生，我知道了。", "明白了，我会照您说的做，谢谢医生。"),
        "acknowledgement": ("好的，医生。", "嗯，知道了。"),
        "request": (
            "您好，医生让我做这些检查：{}。麻烦告诉我结果。",
            "您好，医生要我查{}，请问结果怎么样？",
        ),
        "not_noticed": ("没注意到有{}", "没觉得有{}"),
        "not_felt": ("没觉得{}", "倒没觉得{}"),
        "not_noticed_unnamed": ("这个我没注意到。", "没有注意到这种情况。"),
        "not_known": ("这个我不知道有没有。", "据我所知没有。"),
        "not_sure": ("这个我说不清楚。", "这个我没太留意。"),
        "nothing_else": ("别的没什么了。", "其他的没注意到。"),
        "age": ("我今年{}岁。", "{}岁。"),
        "age_months": ("{}个月大。",),
        "male": ("男的。",),
        "female": ("女的。",),
        "occupation": ("我的职业是{}。", "我是{}。"),
        "no_complaint": ("我不太舒服，想请您看看。",),
    },
    "en": {
        "puzzled": (
            "I'm sorry, I don't follow. I'm just here because I don't feel well.",
            "I don't know what you mean, doctor. I only know how I feel.",
        ),
        "farewell": (
            "Thank you, doctor. I'll do that.",
            "I see. Thank you for explaining, doctor.",
        ),
        "acknowledgement": ("All right, doctor.", "Okay."),
        "said_already": ("It's what I told you just now.",),
        "request": (
            "Hello, the doctor asked me to have these done: {}. Could you tell me the results?",
            "Hi, my doctor wants me to have {}. What are the results?",
        ),
        "not_noticed": ("I haven't noticed any {}", "no {} that I noticed"),
        "not_noticed_unnamed": ("Not that I noticed.", "No, I haven't noticed that."),
        "not_known": ("Not that I know of.", "Not as far as I know."),
        "not_sure": ("I'm not sure about that.", "I couldn't really say."),
        "nothing_else": ("Nothing else that I noticed.", "No, nothing else comes to mind."),
        "age": ("I'm {} years old.", "{} years old."),
        "age_months": ("{} months old.",),
        "male": ("Male.",),
        "female": ("Female.",),
        "occupation": ("I work as: {}.", "My job: {}."),
        "no_complaint": ("I haven't been feeling well.",),
    },
}


def _within(part: Clause, whole: Clause, language: Language) -> bool:
    """Whether a clause says nothing that another does not say."""
    if language == "zh":
        return part[0] in whole[0]
    if part[2] != whole[2]:
        return False
    told = {w for w, _, _ in words(whole[0])}
    if all(w in told for w, _, _ in words(part[0])):
        return True
    named = content(part[0], language)
    return bool(named) and named <= content(whole[0], language)


class Voice:
    """One patient's way of saying things in one reply.

    Args:
        view: whose voice it is.
        seed: of the choices among phrasings.
    """

    def __init__(self, view: PatientView, seed: int) -> None:
        self._view = view
        self._language = view.language
        self._random = random.Random(seed)  # noqa: S311 - phrasings, not secrets
        self._stop = "。" if view.language == "zh" else "."
        self._chosen: dict[str, str] = {}
        self._topics = {f.id: f.topics for f in index_facts(view).facts}

    def _say(self, name: str) -> str:
        return self._random.choice(_PHRASES[self._language][name])

    def _once(self, name: str) -> str:
        """A phrase without a blank: the same one each time in this reply."""
        if name not in self._chosen:
            self._chosen[name] = self._say(name)
        return self._chosen[name]

    def complaint(self) -> str:
        """The opening answer: the complaint in the patient's own words."""
        own = self._view.persona.chief_complaint
        if own:
            return own if self._language == "en" else own.replace("你", "我")
        written = self._view.chief_complaint
        return (
            sentence([in_own_words(written, self._language)], self._language)
            if written
            else self._say("no_complaint")
        )

    def tell(self, findings: Sequence[Finding]) -> str:
        """The facts in the first person, what one of them says already said once; "" for none."""
        kept: list[Clause] = []
        for finding in findings:
            clause = (
                in_own_words(finding.text, self._language)
                if finding.present
                else denied(finding.symptom, finding.text, self._language)
            )
            kin = self._language == "en" and "family" in self._topics.get(finding.id, ())
            told = (clause, "family_history" if kin else finding.section, finding.present)
            if any(_within(told, k, self._language) for k in kept):
                continue
            kept = [k for k in kept if not _within(k, told, self._language)]
            kept.append(told)
        if self._language == "en":
            return full_sentences([k for k in dict.fromkeys(kept) if k[0]])
        return sentence([clause for clause, _, _ in kept], self._language)

    def demographic(self, topic: str | None) -> str | None:
        """An answer from who the patient is; None if that says nothing on the topic."""
        who = self._view.demographics
        if topic == "age" and who.age_years is not None:
            if who.age_years < 2:
                return self._say("age_months").format(round(who.age_years * 12))
            return self._say("age").format(int(who.age_years))
        if topic == "sex" and who.sex:
            return self._say(who.sex)
        if topic == "occupation":
            if who.occupation:
                return self._say("occupation").format(who.occupation)
            background = self._view.persona.background
            return in_own_words(background, self._language) + self._stop if background else None
        return None

    def not_noticed(self, concepts: Sequence[str | None]) -> str:
        """Symptoms that are not on record; named only if they are symptoms that we know.

        An illness is never named, for it could be one that the patient does not know to have.
        """
        lexicon = load_lexicon().concepts
        known = [lexicon[c] for c in concepts if c and lexicon[c].kind == "symptom"]
        names = [in_own_words(c.name(self._language), self._language) for c in known]
        if not names:
            return self._once("not_noticed_unnamed")
        if self._language == "zh":
            # "Without strength" is a lack itself: one does not feel it, rather than lack it.
            names = list(dict.fromkeys(names))
            lacks = [n for n in names if n.startswith(("没", "不"))]
            clauses = [
                self._say(phrase).format("、".join(listed))
                for phrase, listed in (
                    ("not_noticed", [n for n in names if n not in lacks]),
                    ("not_felt", lacks),
                )
                if listed
            ]
            return sentence(clauses, self._language)
        listed = ", ".join(names[:-1]) + " or " + names[-1] if len(names) > 1 else names[0]
        return sentence([self._say("not_noticed").format(listed)], self._language)

    def not_known(self, quality: bool) -> str:
        """A history that is not on record, or a quality of a symptom that is not."""
        return self._once("not_sure" if quality else "not_known")

    def nothing_else(self) -> str:
        """There is nothing left to tell."""
        return self._once("nothing_else")

    def said_already(self) -> str:
        """All that was asked for is in what was said in the same breath."""
        return self._say("said_already")

    def acknowledgement(self) -> str:
        """Nothing was asked."""
        return self._say("acknowledgement")

    def farewell(self) -> str:
        """Thanks at the end of the visit."""
        return self._say("farewell")

    def puzzled(self) -> str:
        """A message that no patient would understand."""
        return self._say("puzzled")

    def request(self, names: Sequence[str]) -> str:
        """The doctor's order, carried to the examiner."""
        return self._say("request").format(("、" if self._language == "zh" else ", ").join(names))

    def join(self, sentences: Sequence[str]) -> str:
        """Several answers in one message."""
        return ("" if self._language == "zh" else " ").join(sentences)
