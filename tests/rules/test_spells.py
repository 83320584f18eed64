"""What spells do: hits, temporary rules, tests, moves; the same spell counts once."""

from __future__ import annotations

from casting_scene import EVERY, FIVE, RANKED, SINGER, SKIRMISH, SPELLS, TROOPER, Scene, Stand
from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import Cast, Pick
from shieldwall.core.frames import Activation, Attack, Source, Volley
from shieldwall.core.state import Effect, RuleRef, Spell
from shieldwall.rules.hooks import UnitContext
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.start import before_round

ENEMY = Stand(1, 30, 20, FIVE)


def spell(name: str, **fields: object) -> tuple[Spell, ...]:
    """All spells, one of them changed."""
    return tuple(replace(known, **fields) if known.name == name else known for known in SPELLS)


def casting(
    rules: Ruleset, name: str, *stands: Stand, spells: tuple[Spell, ...] = SPELLS, **dice: list[int]
) -> Scene:
    """A singer with six tokens has tried a spell on unit 1 with a natural 6."""
    scene = Scene(rules, [Stand(0, 30, 10, tokens=6), *(stands or (ENEMY,))], dice={"cast": [6], **dice})
    scene.state = replace(scene.state, spells=spells)
    scene.activate().cast(name, 1)
    return scene.resolve()


def needed_to_hit(scene: Scene, rules: Ruleset, unit: int = 1, target: int = 0) -> list[int]:
    """What the bows of a unit need to hit, modifier by modifier."""
    models = tuple(model.id for model in scene.state.units[unit].models)
    volley = Volley("Bow", target, (Source(TROOPER, 1, models, 2 * len(models)),), target_models=1)
    fresh = Scene(rules, [])
    fresh.state = scene.state
    fresh.start(Attack("attack", kind="shoot", unit=unit, volley=volley))
    assert fresh.kind == "roll to_hit"
    pool = fresh.roll.pools[0].target
    assert pool is not None
    return [mod.amount for mod in pool.mods]


# --- hits ------------------------------------------------------------------------------------------------


@EVERY
def test_hits_of_a_spell_are_blocked_under_its_own_rules(rules: Ruleset) -> None:
    """R35-SR-CASTER-06, SK32-SR-CASTER-07: the effect is resolved; AP(1) turns blocks of 4+ into 5+."""
    scene = casting(rules, "Bolt", block=[4, 5, 1])
    assert [(event.hits, event.note) for event in scene.of(ev.Hit)] == [(3, "Bolt")]
    assert [(event.blocked, event.wounds) for event in scene.of(ev.Blocked)] == [(1, 2)]
    scene.answer(scene.question.default()) if scene.kind == "casualties" else None
    assert len(scene.state.units[1].models) == 3
    scene.done()


@EVERY
def test_a_spells_hits_need_no_roll_and_cause_no_fatigue(rules: Ruleset) -> None:
    """R35-SR-CASTER-06, SK32-SR-CASTER-07."""
    scene = casting(rules, "Bolt", block=[6, 6, 6])
    assert [event.purpose for event in scene.of(ev.Rolled)] == ["cast", "block"]
    assert scene.kind == "action"


@EVERY
def test_each_target_of_a_spell_blocks_for_itself(rules: Ruleset) -> None:
    """R35-SR-CASTER-06, SK32-SR-CASTER-07."""
    stands = [Stand(0, 30, 10, tokens=6), Stand(1, 26, 20, (TROOPER,)), Stand(1, 34, 20, (TROOPER,))]
    scene = Scene(rules, stands, dice={"cast": [6], "block": [1, 6, 6, 6, 6, 6]})
    scene.state = replace(scene.state, spells=spell("Bolt", targets=2))
    scene.activate().cast("Bolt", 1, 2).resolve()
    assert not scene.state.units[1].models
    assert scene.state.units[2].models


@EVERY
def test_blast_on_a_spell_multiplies_its_hits_up_to_the_models_of_the_target(rules: Ruleset) -> None:
    """R35-SR-CASTER-06, SK32-SR-CASTER-07."""
    blast = spell("Bolt", hits=1, rules=(RuleRef("Blast", 3),))
    assert [e.hits for e in casting(rules, "Bolt", spells=blast, block=[6] * 3).of(ev.Hit)] == [3]
    pair = Stand(1, 30, 20, (TROOPER, TROOPER))
    assert [e.hits for e in casting(rules, "Bolt", pair, spells=blast, block=[6] * 2).of(ev.Hit)] == [2]


@EVERY
def test_deadly_and_bane_of_a_spell_work_as_on_weapons(rules: Ruleset) -> None:
    """R35-SR-CASTER-06, SK32-SR-CASTER-07."""
    deadly = spell("Bolt", hits=1, rules=(RuleRef("Deadly", 2), RuleRef("Bane")))
    scene = casting(rules, "Bolt", Stand(1, 30, 20), spells=deadly, block=[6], block_again=[1])
    assert scene.state.units[1].models[0].wounds == 2
    scene.done()


@EVERY
def test_a_unit_that_a_spell_brought_to_half_tests_at_the_end_of_the_activation(rules: Ruleset) -> None:
    """R35-SR-CASTER-06: a spell and a volley of one activation are one cause."""
    pair = Stand(1, 30, 20, (TROOPER, TROOPER))
    scene = casting(rules, "Bolt", pair, spells=spell("Bolt", hits=1), block=[1], morale=[4])
    scene.answer(scene.question.default()) if scene.kind == "casualties" else None
    assert not scene.of(ev.MoraleTested)
    scene.answer(Pick("advance"), Pick("go")).resolve()
    assert [(event.unit, event.passed) for event in scene.of(ev.MoraleTested)] == [(1, True)]


# --- rules lent for a time -------------------------------------------------------------------------------


@EVERY
def test_the_same_spell_twice_on_a_unit_counts_once(rules: Ruleset) -> None:
    """R35-SR-PRIORITY-04, SK32-SR-GENERAL-02."""
    pair = [Stand(0, 30, 10, (SINGER, SINGER), tokens=2), ENEMY]
    scene = Scene(rules, pair, dice={"cast": [6, 6]}).activate()
    scene.cast("Fog", 1).resolve().cast("Fog", 1, caster=1).resolve()
    assert [event.worked for event in scene.of(ev.SpellCast)] == [True, True]
    assert len(scene.of(ev.EffectBegan)) == 1
    assert needed_to_hit(scene, rules) == [-1]


@EVERY
def test_two_copies_of_one_effect_count_once_however_they_came(rules: Ruleset) -> None:
    """R35-SR-PRIORITY-04, SK32-SR-GENERAL-02."""
    fog = Effect("Fog", 0, "round", (RuleRef("To Hit", -1),))
    scene = Scene(rules, [Stand(0, 30, 10), Stand(1, 30, 20, FIVE, effects=(fog, fog))])
    assert needed_to_hit(scene, rules) == [-1]


@EVERY
def test_different_spells_add_up(rules: Ruleset) -> None:
    """R35-SR-PRIORITY-04, SK32-SR-GENERAL-02: only repeats of one spell are dropped."""
    effects = tuple(Effect(name, 0, "round", (RuleRef("To Hit", -1),)) for name in ("Fog", "Dread"))
    scene = Scene(rules, [Stand(0, 30, 10), Stand(1, 30, 20, FIVE, effects=effects)])
    assert needed_to_hit(scene, rules) == [-2]


@EVERY
def test_armour_piercing_of_a_weapon_and_of_a_spell_add_up(rules: Ruleset) -> None:
    """R35-SR-PRIORITY-05, SK32-SR-GENERAL-03."""
    keen = Effect("Edge", 0, "round", (RuleRef("AP", 1),))
    stands = [Stand(0, 30, 10), Stand(1, 30, 20, (TROOPER,), effects=(keen,))]
    scene = Scene(rules, stands, dice={"to_hit": [6, 6]})
    bow = replace(scene.state.profiles[TROOPER].weapons[1], rules=(RuleRef("AP", 1),))
    archer = replace(scene.state.profiles[TROOPER], weapons=(bow,))
    scene.state = replace(scene.state, profiles=(scene.state.profiles[SINGER], archer))
    volley = Volley("Bow", 0, (Source(TROOPER, 0, (10,), 2),), target_models=1)
    scene.start(Attack("attack", kind="shoot", unit=1, volley=volley)).throw()
    target = scene.roll.pools[0].target
    assert target is not None
    assert (target.modifier, target.needed) == (-2, 6)


@EVERY
def test_values_of_a_rule_from_profile_and_spell_add_up(rules: Ruleset) -> None:
    """R35-SR-PRIORITY-05, SK32-SR-GENERAL-03: Fear(1) and Fear(2) are Fear(3)."""
    dread = Effect("Shroud", 0, "round", (RuleRef("Fear", 2),))
    scene = Scene(rules, [Stand(0, 30, 10, effects=(dread,))])
    feared = replace(scene.state.profiles[SINGER], rules=(RuleRef("Fear", 1),))
    state = replace(scene.state, profiles=(feared, scene.state.profiles[TROOPER]))
    hooks = rules.hooks.of_model(state.units[0], state.units[0].models[0], state.profiles)
    assert [rule.melee_score(UnitContext(state, state.units[0])) for rule in hooks["melee_score"]] == [3]


@EVERY
def test_rules_granted_for_the_round_end_with_it(rules: Ruleset) -> None:
    """R35-SR-CASTER-06, SK32-SR-CASTER-07."""
    fog = Effect("Fog", 0, "round", (RuleRef("To Hit", -1),))
    scene = Scene(rules, [Stand(0, 30, 10), Stand(1, 30, 20, FIVE, effects=(fog,))])
    scene.start(*before_round(scene.state, 1).stack)
    while scene.state.round == 1:
        assert scene.state.units[1].effects
        scene.answer(scene.question.default())
    assert not scene.state.units[1].effects


@EVERY
def test_rules_granted_for_the_activation_end_with_it(rules: Ruleset) -> None:
    """R35-SR-CASTER-06, SK32-SR-CASTER-07."""
    scene = Scene(rules, [Stand(0, 30, 10, tokens=1), ENEMY], dice={"cast": [6]}).activate()
    scene.cast("Skin", 0).resolve()
    assert scene.state.units[0].effects
    scene.answer(Pick("advance"))
    assert scene.state.turn == 1
    assert not scene.state.units[0].effects


@EVERY
def test_a_spell_on_several_friends_helps_each_of_them(rules: Ruleset) -> None:
    """R35-LOS-04, SK32-LOS-09."""
    stands = [Stand(0, 30, 10, tokens=1), ENEMY, Stand(0, 36, 17, FIVE)]
    scene = Scene(rules, stands, dice={"cast": [6]}).activate().cast("Wall", 0, 2).resolve()
    assert [bool(unit.effects) for unit in scene.state.units] == [True, False, True]


# --- tests a spell calls ---------------------------------------------------------------------------------


@EVERY
def test_failing_a_morale_test_called_by_a_spell_means_what_the_spell_says_and_nothing_more(
    rules: Ruleset,
) -> None:
    """SK32-MORALE-03."""
    scene = casting(rules, "Dread", morale=[1])
    unit = scene.state.units[1]
    assert needed_to_hit(scene, rules) == [-1]
    assert not unit.broken
    assert not any(model.stunned for model in unit.models)
    assert [(event.why, event.passed) for event in scene.of(ev.MoraleTested)] == [("spell", False)]
    scene.done()


@EVERY
def test_passing_a_morale_test_called_by_a_spell_has_no_effect(rules: Ruleset) -> None:
    """SK32-MORALE-03."""
    scene = casting(rules, "Dread", morale=[4])
    assert not scene.state.units[1].effects
    assert scene.kind == "action"


@EVERY
def test_a_unit_that_fails_every_test_fails_the_spells_too(rules: Ruleset) -> None:
    """SK32-MORALE-03, R35-MORALE-20."""
    scene = casting(rules, "Dread", Stand(1, 30, 20, FIVE, broken=True))
    assert [effect.name for effect in scene.state.units[1].effects] == ["Dread"]


@EVERY
def test_a_ground_test_called_by_a_spell_hits_every_model(rules: Ruleset) -> None:
    """R35-SR-CASTER-06, SK32-SR-CASTER-07: one wound for each 1, tough models throw more dice."""
    scene = casting(rules, "Quake", dangerous=[1, 2, 3, 4, 5])
    scene.answer(scene.question.default()) if scene.kind == "casualties" else None
    assert len(scene.state.units[1].models) == 4
    tough = casting(rules, "Quake", Stand(1, 30, 20), dangerous=[1, 1, 6])
    assert tough.state.units[1].models[0].wounds == 2


@EVERY
def test_a_failed_ground_test_grants_the_rules_of_the_spell(rules: Ruleset) -> None:
    """SK32-MORALE-03, for ground tests alike."""
    mire = spell("Quake", grants=(RuleRef("Pace", -2),))
    failed = casting(rules, "Quake", spells=mire, dangerous=[1, 2, 2, 2, 2])
    assert [effect.name for effect in failed.state.units[1].effects] == ["Quake"]
    passed = casting(rules, "Quake", spells=mire, dangerous=[2, 2, 2, 2, 2])
    assert not passed.state.units[1].effects


# --- moves and what is left of a target ------------------------------------------------------------------


@EVERY
def test_a_spell_that_moves_a_friend_runs_an_own_move(rules: Ruleset) -> None:
    """R35-SR-CASTER-06, SK32-SR-CASTER-07."""
    scene = Scene(rules, [Stand(0, 30, 10, tokens=1), ENEMY], dice={"cast": [6]})
    scene.activate().cast("Gust", 0).resolve()
    frame = next(frame for frame in scene.state.stack if isinstance(frame, Activation))
    assert frame.moved
    assert frame.action == ""


def test_a_spell_whose_effect_an_edition_does_not_play_is_refused() -> None:
    """R35-SR-CASTER-10."""
    procedures = {name: steps for name, steps in RANKED.procedures.items() if name != "move.spell"}
    rules = RANKED.without("nothing")
    rules.procedures = procedures
    scene = Scene(rules, [Stand(0, 30, 10, tokens=6), ENEMY]).activate().answer(Pick("cast"))
    assert scene.refusals(Cast(0, "Gust", (0,))) == ["cast.list"]
    assert scene.refusals(Cast(0, "Bolt", (1,))) == []


@EVERY
def test_a_target_destroyed_by_the_hits_is_granted_nothing(rules: Ruleset) -> None:
    """R35-SR-CASTER-06, SK32-SR-CASTER-07."""
    both = spell("Bolt", hits=1, grants=(RuleRef("To Hit", -1),))
    scene = casting(
        rules, "Bolt", Stand(1, 30, 20, (TROOPER,)), Stand(1, 60, 40, FIVE), spells=both, block=[1]
    )
    assert not scene.state.units[1].models
    assert not scene.of(ev.EffectBegan)


def test_spell_wounds_of_stunned_models_are_blocked_as_usual() -> None:
    """SK32-WOUND-10: being stunned costs the activation; a spell is no shot that knocks out unasked."""
    scene = Scene(SKIRMISH, [Stand(0, 30, 10, tokens=6), ENEMY], dice={"cast": [6], "block": [6, 6, 6]})
    units = list(scene.state.units)
    units[1] = replace(units[1], models=tuple(replace(model, stunned=True) for model in units[1].models))
    scene.state = replace(scene.state, units=tuple(units))
    scene.activate().cast("Bolt", 1).resolve()
    assert len(scene.state.units[1].models) == 5
