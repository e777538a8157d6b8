from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.facts.lexicon import Concept, Lexicon, load_lexicon
from records.facts.negation import is_negated, negated_spans
from records.medical_record import Language


def named(text: str, language: Language) -> list[str]:
    return [c.id for m in load_lexicon().mentions(text, language) for c in m.concepts]


def test_lay_and_clinical_words_of_both_languages_are_one_concept() -> None:
    assert "fever" in named("昨晚开始发烧", "zh")
    assert "fever" in named("无发热", "zh")
    assert "fever" in named("She was feverish", "en")
    assert "dyspnea" in named("喘不上气", "zh")
    assert "dyspnea" in named("short of breath", "en")


def test_english_inflections_are_found() -> None:
    assert "headache" in named("the headaches", "en")
    assert "vomiting" in named("he vomited twice", "en")
    assert "weight_loss" in named("losing weight", "en")


def test_the_longest_word_wins_and_mentions_do_not_overlap() -> None:
    text = "下腹痛和胸痛"
    mentions = load_lexicon().mentions(text, "zh")
    assert [text[m.start : m.end] for m in mentions] == ["下腹痛", "胸痛"]


def test_a_word_that_only_contains_another_is_not_a_mention() -> None:
    assert "site_head" not in named("握紧拳头", "zh")
    assert "gout" in named("痛风", "zh")
    assert "pain" not in named("痛风", "zh")


def test_a_symptom_of_a_place_belongs_to_the_symptom_and_to_its_groups() -> None:
    ancestors = load_lexicon().ancestors("chest_pain")
    assert {"chest_pain", "pain", "g_cardiac"} <= ancestors
    assert "headache" not in ancestors


def test_every_parent_head_and_site_is_a_concept() -> None:
    concepts = load_lexicon().concepts
    named_elsewhere = {
        other
        for c in concepts.values()
        for other in (*c.parents, c.head, c.site)
        if other is not None
    }
    assert named_elsewhere <= set(concepts)


def test_both_languages_have_a_word_for_every_concept() -> None:
    concepts = load_lexicon().concepts.values()
    assert [c.id for c in concepts if not (c.zh and c.en)] == []
    assert sum(c.kind in ("symptom", "circumstance", "condition") for c in concepts) >= 350


def test_a_lexicon_of_ones_own() -> None:
    lexicon = Lexicon([Concept("hum", "symptom", ("嗡嗡",), ("humming",))])
    (mention,) = lexicon.mentions("a humming noise", "en")
    assert (mention.concept.id, mention.start, mention.end) == ("hum", 2, 9)


def test_a_name_may_leave_room_for_words_between_its_own() -> None:
    assert "dysuria" in named("Does it sting at all when you pass water?", "en")
    assert "dysuria" not in named("a sting. You pass water", "en")
    lexicon = Lexicon([Concept("hum", "symptom", ("嗡嗡",), ("noise", "(hums|buzzes) ~ ear"))])
    assert [m.end for m in lexicon.mentions("it hums loudly in my ears, then", "en")] == [25]
    assert lexicon.mentions("it hums and then my ear aches", "en") == ()


def test_what_goes_on_with_a_name_shares_its_first_word() -> None:
    assert {"red_eye", "dry_eye"} <= set(named("Are your eyes red or dry?", "en"))


def test_british_and_american_spellings_are_one() -> None:
    assert "diarrhea" in named("diarrhoea", "en")
    assert "vaccination" in named("Are his immunisations up to date?", "en")
    assert "anemia" in named("anaemia", "en")


@pytest.mark.parametrize("language", ["zh", "en"])
@given(
    text=st.text(alphabet=st.sampled_from("发热咳嗽头痛无，。 fever and cough,.'’-0"), max_size=60)
)
def test_mentions_are_ordered_spans_of_the_text(text: str, language: Language) -> None:
    last = 0
    for mention in load_lexicon().mentions(text, language):
        assert last <= mention.start < mention.end <= len(text)
        last = mention.end


@pytest.mark.parametrize(
    ("text", "language", "word", "denied"),
    [
        ("无发热、咳嗽", "zh", "咳嗽", True),
        ("无发热，但有咳嗽", "zh", "咳嗽", False),
        ("无明显诱因出现胸闷", "zh", "胸闷", False),
        ("全身无力", "zh", "无力", False),
        ("没有恶心呕吐。肚子疼", "zh", "肚子疼", False),
        ("Denies fever, chills or cough", "en", "cough", True),
        ("No fever but she has a cough", "en", "cough", False),
        ("not only fever", "en", "fever", False),
        ("He has never had a seizure", "en", "seizure", True),
    ],
)
def test_a_denial_covers_its_list_and_no_more(
    text: str, language: Language, word: str, denied: bool
) -> None:
    assert is_negated(text, text.index(word), language) is denied


@pytest.mark.parametrize("language", ["zh", "en"])
@given(text=st.text(alphabet=st.sampled_from("无不没有但，。发热no but, .denies"), max_size=60))
def test_denied_spans_lie_in_the_text_in_order(text: str, language: Language) -> None:
    last = 0
    for start, end in negated_spans(text, language):
        assert last <= start < end <= len(text)
        last = end
