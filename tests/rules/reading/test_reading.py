"""Sentences in our own words, and the blocks they are read into."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shieldwall.core.blocks import (
    BY_VALUE,
    Aura,
    Backfires,
    BeFatigued,
    Block,
    BlocksAgain,
    Boost,
    Coordinates,
    DefenseIs,
    ExtraAttacks,
    ExtraHits,
    ExtraWounds,
    FacesGet,
    Feat,
    Gets,
    Grows,
    Heal,
    Hides,
    HitDice,
    HitsTaken,
    Ignores,
    IgnoresWounds,
    Impulsive,
    Inches,
    InTerrain,
    KeepsAway,
    Lend,
    MayMove,
    MayPass,
    MayPlace,
    Modifier,
    MoveThem,
    PickedEffect,
    Picks,
    PutMarkers,
    Range,
    Recovers,
    RolledEffect,
    RuleRef,
    ShootsAfter,
    StrikeOrder,
    TakeHits,
    TakeTest,
    When,
)
from shieldwall.rules.reading import read, read_spell

MELEE, SHOOT, ATTACK = When(attack="melee"), When(attack="shoot"), When(attack="attack")
CHARGE = When(attack="melee", charging=True)
FAR = When(attack="shoot", over=12_000)
FAR_CHARGE = When(attack="melee", charging=True, over=12_000)
AP1 = RuleRef("AP", 1, True)

EXAMPLES: dict[str, tuple[Block, ...]] = {
    "When charging, this model gets AP(+1).": (Gets(AP1, when=(CHARGE,)),),
    "This model has AP(+2) for shooting.": (Gets(RuleRef("AP", 2, True), when=(SHOOT,)),),
    'This model gains +2 to hit when shooting from beyond 12".': (Modifier("hit", 2, when=(FAR,)),),
    'This model has +1 to hit for melee and moves +2" on Charge actions.': (
        Modifier("hit", 1, when=(MELEE,)),
        Inches(2000, ("charge",)),
    ),
    'Units whose models all have this rule gain +1 to block when shot from beyond 12".': (
        Modifier("block", 1, who="all", when=(FAR,)),
    ),
    'If units most of whose models have this rule are charged or shot from farther than 12" away, attackers '
    "get -1 to hit.": (Modifier("hit", -1, "enemy", "most", (FAR, FAR_CHARGE)),),
    "In melee, attackers get -2 to hit against units whose models all have this rule.": (
        Modifier("hit", -2, "enemy", "all", (MELEE,)),
    ),
    "Units all of whose models have this rule gain +2 to morale.": (Modifier("morale", 2, who="all"),),
    "Its weapons gain AP(+1) against foes with Tough(6) and above.": (
        Gets(AP1, when=(When(target_wounds=(6, 0)),)),
    ),
    "This weapon gains Blast(+2) against units where most of their models have Defense 3+ to 5+.": (
        Gets(RuleRef("Blast", 2, True), "weapon", (When(target_defense=(3, 5)),)),
    ),
    "This weapon has Deadly(+2) against non-Hero models with Tough(3) and above.": (
        Gets(RuleRef("Deadly", 2, True), "weapon", (When(target_wounds=(3, 0), target_without="Hero"),)),
    ),
    "Ignores cover, and hits from natural 6s to hit gain AP(+3).": (
        Ignores("cover"),
        FacesGet(RuleRef("AP", 3, True), 6, "model"),
    ),
    "This weapon scores 2 additional hits on natural 5-6 to hit in melee.": (
        ExtraHits(2, 5, "weapon", (MELEE,)),
    ),
    "When attacking, natural 6s to hit score 1 additional hit (only the first hit counts as a 6).": (
        ExtraHits(1, 6, "model", (ATTACK,)),
    ),
    "For natural 6s to hit in melee, this model rolls +1 attack with that weapon.": (
        ExtraAttacks(1, "hit", 6, "model", (MELEE,)),
    ),
    "On natural 1-2 to block, this weapon causes 1 extra wound.": (ExtraWounds(1, "block", 2, "weapon"),),
    "On natural 6s to hit that are not blocked, this weapon causes 2 extra wounds.": (
        ExtraWounds(2, "hit", 6, "weapon"),
    ),
    "When attacking, targets must reroll natural Defense rolls of 6.": (BlocksAgain(6, "model", (ATTACK,)),),
    "Units whose models all have this rule ignore wounds on a 4+.": (IgnoresWounds(4, who="all"),),
    "When a unit whose models all have this rule suffers wounds, roll one die for each of them. On a 6+ "
    "ignore it. If from spells, it is ignored on a 3+.": (IgnoresWounds(6, 3, "all"),),
    "Hits against units whose models all have this rule get AP(-2), but never below AP(0).": (
        HitsTaken(-2, "all"),
    ),
    "Counts as having Defense X+.": (DefenseIs(BY_VALUE),),
    "This model counts as having Ambush.": (Gets(RuleRef("Ambush")),),
    'Moves +1" on an Advance and +4" on Rush or Charge actions.': (
        Inches(1000, ("advance",)),
        Inches(4000, ("rush", "charge")),
    ),
    'This model has +4" range.': (Range(4000),),
    'Attackers get -3" range when shooting at units whose models all have this rule, and -1" movement when '
    "charging.": (
        Range(-3000, "enemy", "all"),
        Inches(-1000, ("charge",), "enemy", "all"),
    ),
    "Strikes first when charged.": (StrikeOrder(True, when=(CHARGE,)),),
    "The bearer may shoot after rushing.": (ShootsAfter("rush"),),
    "The bearer and its unit gain Stealth.": (Aura((Gets(RuleRef("Stealth"), "unit"),)),),
    "The bearer and its unit gain +1 to hit when shooting.": (
        Aura((Modifier("hit", 1, who="unit", when=(SHOOT,)),)),
    ),
    "The bearer and up to 2 friends chosen before the game gain Shred in melee. If the bearer is slain, they "
    "lose it.": (Aura((Gets(RuleRef("Shred"), "unit", (MELEE,)),), "picked", 2),),
    'Once each activation, before it attacks, choose a friendly unit within 9", and it gains Furious once.': (
        Picks((Lend((Gets(RuleRef("Furious"), "unit"),), "once"),), "friend", "unit", 1, 9000),
    ),
    'Once each activation, before it attacks, choose up to 2 enemy units within 15", and friendly units gain '
    "+1 to hit in melee against them once.": (
        Picks(
            (Lend((Modifier("hit", 1, who="unit", when=(MELEE,)),), "once", True),),
            "enemy",
            "unit",
            2,
            15_000,
        ),
    ),
    'Once each activation, before it attacks, choose an enemy unit with Caster within 18", and it has -2 to '
    "casting until the end of this round.": (
        Picks((Lend((Modifier("casting", -2, who="unit"),), "round"),), reach=18_000, with_rule="Caster"),
    ),
    'Once each activation, before it attacks, choose an enemy unit within 12", and it must take a morale '
    "test. If it fails, it becomes fatigued.": (
        Picks((TakeTest("morale", (BeFatigued("fatigued"),)),), reach=12_000),
    ),
    'Once a game, before it attacks, choose a friendly model with Tough within 6" and remove D3 wounds from '
    "it.": (Picks((Heal(0, 3),), "friend", "model", 1, 6000, with_rule="Tough", often="game"),),
    'Once each activation, choose a friendly model with Artillery within 6", and it may move up to 4".': (
        Picks((MoveThem(4000),), "friend", "model", 1, 6000, with_rule="Artillery", at="activation"),
    ),
    'Once a game, during its activation, choose an enemy unit within 30" in line of sight and place X '
    "markers on it. Friendly units gain +X to hit rolls when attacking it.": (
        Picks(
            (PutMarkers(BY_VALUE, (Modifier("hit", 1, who="unit", when=(ATTACK,)),)),),
            reach=30_000,
            sight=True,
            at="activation",
            often="game",
        ),
    ),
    "At the start of its activation, choose one effect: until the end of its activation models with this "
    'rule either have AP(+1) when attacking or move +2" when charging.': (
        PickedEffect(
            ((Gets(AP1, when=(ATTACK,)),), (Inches(2000, ("charge",)),)), "activated", "activation", "unit"
        ),
    ),
    "When fighting, roll one die and apply one of these to the bearer: on a 1-4 it gains AP(+1), on a 5-6 it "
    "gains +1 to hit.": (RolledEffect(((1, 4), (5, 6)), ((Gets(AP1),), (Modifier("hit", 1),)), "fights"),),
    "Once a game, when a unit whose models all have this rule attacks, you may use this rule to gain +1 to "
    "hit.": (Feat((Modifier("hit", 1, who="unit"),), "attacks", "game", "all"),),
    'If the bearer has Scurry, it moves +3" on an Advance and +5" on a Rush or Charge from Scurry (instead '
    'of +2" and +2").': (Boost("Scurry", (Inches(3000, ("advance",)), Inches(5000, ("rush", "charge")))),),
    "This unit gets one marker each time it destroys an enemy unit. Models with this rule gain AP(+1) for "
    "each marker, at most 3.": (Grows((Gets(AP1),), "destroys a unit", 3),),
    "When it strikes, roll X dice. For each 5+, the enemy suffers one hit with AP(1).": (
        HitDice("fights", 5, BY_VALUE, hits=1, rules=(RuleRef("AP", 1),)),
    ),
    'Once each activation, before it attacks, roll one die. On a 3+ one enemy within 9" and in line of sight '
    "suffers 2 hits with Blast(3).": (
        HitDice(
            "before attacking",
            3,
            1,
            hits=2,
            rules=(RuleRef("Blast", 3),),
            reach=9000,
            sight=True,
            often="activation",
        ),
    ),
    "Each time it suffers a wound in melee, the attacking unit takes 2 hits.": (
        HitDice("wounded in melee", 0, 0, hits=2),
    ),
    'Once a round, units whose models all have this rule may move up to 4" after shooting.': (
        MayMove(4000, "after shooting", "round", "all"),
    ),
    'Once each activation, before it attacks, you may place it anywhere fully within 9" of its position.': (
        MayPlace(9000, "before attacking", 0, "activation", "model"),
    ),
    "If a unit whose models all have this rule is shaken at the start of a round, roll one die. On a 3+ it "
    "recovers.": (Recovers(3, "all"),),
    'Enemies may not use Ambush within 15" of this unit.': (KeepsAway(15_000),),
    'May lie in ambush and come out up to 2" from foes.': (Hides(2000),),
    'When this unit is activated, you may put it down again up to D3+1" away.': (
        MayPlace(1000, "activated", 3, "activation", "unit"),
    ),
    'Once it is deployed, you may put it down again up to 8" away.': (
        MayPlace(8000, "deployed", 0, "game", "model"),
    ),
    "Once each activation, when it flies over foes, choose one of those and throw X dice. Each 5+ deals 3 "
    "hits with AP(2).": (
        HitDice("crosses", 5, BY_VALUE, hits=3, rules=(RuleRef("AP", 2),), often="activation"),
    ),
    'Once it comes out of hiding, roll X dice. For each 5+ one enemy within 4" takes 3 hits.': (
        HitDice("deployed", 5, BY_VALUE, hits=3, reach=4000, each=True, often="game"),
    ),
    'Once per round, when this unit draws back from a melee, pick one enemy within 4" and roll one die for '
    "each model with this rule. Each 5+ deals 1 wound.": (
        HitDice("moved after melee", 5, 0, True, wounds=1, reach=4000, often="round", who="unit"),
    ),
    "Once a game, against wounds on a unit where all models have this rule, you may throw one die for "
    "each and ignore those of a 5+.": (Feat((IgnoresWounds(5, who="unit"),), "takes wounds", "game", "all"),),
    "Gets AP(3), but its unit takes 1 wound for each natural 1 to hit.": (
        Gets(RuleRef("AP", 3)),
        Backfires(who="model"),
    ),
    "Once per round, this unit may pass its turn while the opponent has more units left to activate.": (
        MayPass(),
    ),
    'When this unit ends its activation, a friendly unit within 10" may activate at once, which may not do the '
    "same.": (Coordinates(10_000),),
    "When activated, this model must attack the closest target it can, with +2 to hit.": (Impulsive(2),),
}

SPELLS: dict[str, tuple[Block, ...]] = {
    'Choose an enemy unit within 15", and it suffers 4 hits with AP(1) and Surge. Roll one die per hit and '
    "see if it triggers.": (
        Picks((TakeHits(4, (RuleRef("AP", 1), RuleRef("Surge"))),), reach=15_000, at="", often=""),
    ),
    'Choose up to two enemy models within 24", and they suffer 1 hit with AP(4) each.': (
        Picks((TakeHits(1, (RuleRef("AP", 4),)),), "enemy", "model", 2, 24_000, at="", often=""),
    ),
    'Choose up to three friendly units within 12", and they gain Regeneration once.': (
        Picks(
            (Lend((Gets(RuleRef("Regeneration"), "unit"),), "once"),),
            "friend",
            "unit",
            3,
            12_000,
            at="",
            often="",
        ),
    ),
    'Choose an enemy unit within 18", and it counts as being in difficult terrain once.': (
        Picks((Lend((InTerrain("difficult"),), "once"),), reach=18_000, at="", often=""),
    ),
}

# words whose absence leaves the sense of these sentences as it is
HARMLESS = set(
    re.findall(
        r"\S+",
        """a actions all an and at away by defense each either from fully immediately
    instead it may model's must on only rolls test the then unit units using when""",
    )
)


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_sentence_is_read_into_its_blocks(text: str) -> None:
    found = read("Example", text)
    assert found.missed == ()
    assert found.blocks == EXAMPLES[text]


@pytest.mark.parametrize("text", SPELLS)
def test_a_spell_is_read_into_its_pick(text: str) -> None:
    found = read_spell("Example", text)
    assert found.missed == ()
    assert found.blocks == SPELLS[text]


def test_what_a_rule_is_printed_on_settles_whom_a_text_without_a_subject_means() -> None:
    text = "Gets +1 to hit rolls when attacking."
    assert read("Sure", text, on="weapon").blocks == (Modifier("hit", 1, who="weapon", when=(ATTACK,)),)
    assert read("Sure", text, on="model").blocks == (Modifier("hit", 1, who="model", when=(ATTACK,)),)


def test_inches_quotes_and_spelling_do_not_matter() -> None:
    one = read("A", 'This model gets +1 to hit when shooting at enemies over 9" away.')
    other = read("A", "This model gains +1 to hit whilst shooting at foes more than 9 inches away.")
    assert one.is_whole
    assert one.blocks == other.blocks


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Units where all models have this rule get Haste.",
            "Units whose models all have this rule get Haste.",
        ),
        (
            "Units where most models have this rule get Haste.",
            "Units most of whose models have this rule get Haste.",
        ),
        (
            'Pick one enemy unit within 7", which gets Haste once.',
            'Choose an enemy unit within 7", and it gets Haste once.',
        ),
        (
            "On unmodified 6s to hit, those hits get Haste.",
            "Hits from natural 6s to hit gain Haste.",
        ),
        (
            "Hits on this unit get AP(-1).",
            "Hits against this unit get AP(-1), but never below AP(0).",
        ),
        (
            "When this unit takes wounds, roll one die for each wound. On a 5+ ignore it.",
            "This unit ignores wounds on a 5+.",
        ),
    ],
)
def test_there_is_more_than_one_way_to_say_it(one: str, other: str) -> None:
    assert read("A", one).is_whole
    assert read("A", one).blocks == read("A", other).blocks


def test_names_in_small_letters_need_to_be_known() -> None:
    text = "This model gets furious."
    assert not read("A", text).is_whole
    assert read("A", text, ["Furious"]).blocks == (Gets(RuleRef("furious")),)


def test_what_was_not_understood_is_named_with_the_place_where_reading_stopped() -> None:
    text = "This model gets AP(+1) when charging. It also sings loudly."
    found = read("Choir", text)
    assert not found.is_whole
    assert found.blocks == (Gets(AP1, when=(CHARGE,)),)
    assert [text[miss.start : miss.end] for miss in found.missed] == ["It also sings loudly"]
    assert text[found.missed[0].stopped :].startswith("also")


def test_a_sentence_is_never_half_understood() -> None:
    assert read("A", "This model gets AP(+1) when charging uphill.").blocks == ()
    assert read("A", "This model gets AP(+1) when charging and sings.").blocks == ()


def test_they_after_a_word_about_enemies_is_not_guessed() -> None:
    assert not read("A", "When this model attacks enemies, they get -1 to defense rolls.").is_whole


def test_conditions_that_exclude_each_other_are_not_understood() -> None:
    assert not read("A", "When shooting, this model gets AP(+1) in melee.").is_whole


def test_a_spell_is_a_pick_and_nothing_else() -> None:
    assert not read_spell("A", "This model gets AP(+1) when charging.").is_whole
    assert not read_spell("A", "").is_whole


@pytest.mark.parametrize("text", [*EXAMPLES, *SPELLS])
def test_a_strange_word_in_place_of_any_word_changes_the_blocks_or_is_reported(text: str) -> None:
    before = read("Example", text)
    words = text.split(" ")
    for place, word in enumerate(words):
        changed = [
            *words[:place],
            "wobbly" + word.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'-"),
        ]
        after = read("Example", " ".join([*changed, *words[place + 1 :]]))
        assert after.missed or after.blocks != before.blocks, word


@pytest.mark.parametrize("text", [*EXAMPLES, *SPELLS])
def test_a_strange_word_added_anywhere_is_reported(text: str) -> None:
    words = text.split(" ")
    for place in range(len(words) + 1):
        assert read("Example", " ".join([*words[:place], "wobbly", *words[place:]])).missed, place


@pytest.mark.parametrize("text", [*EXAMPLES, *SPELLS])
def test_a_missing_word_changes_the_blocks_or_is_reported(text: str) -> None:
    before = read("Example", text)
    words = text.split(" ")
    for place, word in enumerate(words):
        if word.strip(".,()").lower() in HARMLESS or (place, word) == (0, "Gets"):
            continue
        if word == "natural" and words[place + 1 : place + 4] in (
            ["Defense", "rolls", "of"],
            ["6s", "to", "hit"],
        ):
            continue  # a roll of 6 is one whose die shows it
        after = read("Example", " ".join([*words[:place], *words[place + 1 :]]))
        assert after.missed or after.blocks != before.blocks, word


@pytest.mark.parametrize("text", [*EXAMPLES, *SPELLS])
def test_another_number_changes_the_blocks_or_is_reported(text: str) -> None:
    before = read("Example", text)
    bracketed = text.find("(instead"), text.find("(only"), text.find('"on rolls')
    end = min([place for place in bracketed if place >= 0], default=len(text))
    for place, sign in enumerate(text[:end]):
        if sign.isdigit() and not text[place - 1].isdigit():
            other = text[:place] + str((int(sign) + 1) % 10) + text[place + 1 :]
            after = read("Example", other)
            assert after.missed or after.blocks != before.blocks, other


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_words_of_texts_in_any_order_never_crash_the_reader_and_every_letter_is_accounted_for(
    data: st.DataObject,
) -> None:
    every = [word for text in (*EXAMPLES, *SPELLS) for word in text.split(" ")]
    text = " ".join(data.draw(st.lists(st.sampled_from(every), max_size=25)))
    found = read("Example", text)
    spans = sorted(
        [(part.start, part.end) for part in found.parts] + [(miss.start, miss.end) for miss in found.missed]
    )
    rest = text
    for start, end in reversed(spans):
        rest = rest[:start] + rest[end:]
    assert rest.strip(" .!") == ""


@given(st.text(max_size=120))
@settings(max_examples=100, deadline=None)
def test_any_text_at_all_can_be_given(text: str) -> None:
    read("Example", text)
    read_spell("Example", text)
