"""Searching the catalogue by words."""

import pytest

from shieldwall import rulebook

R35, SK32, A2 = "R35", "SK32", "A2"  # see test_catalogue_rows.py: ids are not spelled out here


def found(words: str, edition: str | None = None, limit: int = 20) -> list[str]:
    return [row.id for row in rulebook.search(words, edition, limit)]


@pytest.mark.parametrize(
    ("words", "edition", "group"),
    [
        ("fatigue", "regiments-3.5", "R35-FATIGUE"),
        ("wavering natural 6 melee", "aof-2", "A2-MORALE"),
        ("jump dice gap", "skirmish-3.2", "SK32-MOVE"),
        ("transport destroyed", "regiments-3.4", "R34-SR-TRANSPORT"),
        ("king of the hill", "aof-1.6", "A16-MISSION"),
        ("seize marker within 3 end of round", "aof-2", "A2-OBJ"),
        ("ambush reserve", "skirmish-3.2", "SK32-SR-AMBUSH"),
    ],
)
def test_obvious_words_find_the_obvious_rule_first(words: str, edition: str, group: str) -> None:
    assert found(words, edition)[0].startswith(group)


@pytest.mark.parametrize(
    ("question", "edition", "group"),
    [
        ("How do I win?", "regiments-3.5", "R35-MISSION"),
        ("can I shoot after rushing", "regiments-3.5", "R35-ACT"),
        ("What happens when a unit is shaken?", "regiments-3.5", "R35-MORALE"),
        ("what does a shaken unit do", "aof-2", "A2-MORALE"),
        ("when does the game end", "regiments-3.5", "R35-ROUND"),
        ("where do objectives go", "regiments-3.5", "R35-OBJ"),
        ("my wizard wants to cast", "aof-1.6", "A16-"),
    ],
)
def test_questions_find_rules_by_what_they_ask_for(question: str, edition: str, group: str) -> None:
    assert found(question, edition)[0].startswith(group)


def test_endings_make_no_difference() -> None:
    assert found("charging flanks", "regiments-3.5") == found("charge flank", "regiments-3.5")


def test_rows_with_every_word_come_before_rows_with_some() -> None:
    words = {"flank", "morale"}
    ranked = rulebook.search("flank morale", "regiments-3.5", limit=500)
    texts = [" ".join([r.id, r.section, r.rule, *r.checks, r.ruling or ""]).lower() for r in ranked]
    complete = [all(word in text for word in words) for text in texts]
    assert complete == sorted(complete, reverse=True)
    assert len(set(complete)) == 2, "the search must also have found rows with one word only"


def test_the_rule_text_weighs_more_than_a_mention_in_a_check() -> None:
    ranked = rulebook.search("quicksand", limit=500)
    in_rule = ["quicksand" in row.rule.lower() for row in ranked]
    assert in_rule == sorted(in_rule, reverse=True)
    assert len(set(in_rule)) == 2, "some rows must mention it outside the rule only"


def test_an_id_finds_its_row_first() -> None:
    assert found(f"{SK32}-SR-BLAST-04")[0] == f"{SK32}-SR-BLAST-04"


def test_a_word_finds_longer_words_but_the_whole_word_first() -> None:
    ranked = found("pass", "regiments-3.5")
    a_pass, turn_passes = ranked.index(f"{R35}-MORALE-06"), ranked.index(f"{R35}-ROUND-06")
    assert a_pass < turn_passes


def test_capitals_and_brackets_make_no_difference() -> None:
    assert found("TOUGH(X)", "aof-2") == found("tough x", "aof-2")


def test_equal_rows_come_in_the_order_of_their_ids() -> None:
    assert found("strider", limit=3) == [
        f"{A2}-SR-STRIDER-01",
        f"{R35}-SR-STRIDER-01",
        f"{SK32}-SR-STRIDER-01",
    ]


def test_the_edition_narrows_the_search() -> None:
    assert {row.edition for row in rulebook.search("charge", "aof-1.6")} == {"aof-1.6"}
    assert len({row.edition for row in rulebook.search("charge", limit=2000)}) == 5


def test_the_limit_cuts_the_same_ranking() -> None:
    assert found("charge", limit=3) == found("charge", limit=10)[:3]
    assert len(found("charge", limit=3)) == 3


@pytest.mark.parametrize("words", ["", "   ", "()", "xyzzy"])
def test_no_words_or_unheard_words_find_nothing(words: str) -> None:
    assert found(words) == []
