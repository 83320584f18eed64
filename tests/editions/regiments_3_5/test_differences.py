"""One test for each line of DIFFERENCES.md, called like the line."""

from __future__ import annotations

import pytest
from comparing import arrived, bound, check_tests_and_lines, holds, lines_of, rows_by_line, steps_of

from shieldwall.armies.demo import demo_setup
from shieldwall.editions import ruleset
from shieldwall.editions.skirmish_3_2 import falls, wound_effects
from shieldwall.editions.skirmish_3_2.policies import SIGN_BY_SIDE
from shieldwall.editions.skirmish_3_2.special_rules import AmbushLastRound, StealthByShooter
from shieldwall.rules.constants import Constants, degrees, inches
from shieldwall.rules.features import block, block_joining, loose, loose_melee, rulings
from shieldwall.rules.features.tokens import FREE_SIGN
from shieldwall.rules.special import aiming, hitting, moving, nerve, piercing
from shieldwall.rules.steps import activation, deployment, markers

OURS, LOOSE, OLD = ruleset("regiments-3.5"), ruleset("skirmish-3.2"), ruleset("regiments-3.4")


LINES = lines_of("regiments_3_5")


def test_every_line_has_a_test_and_every_test_a_line() -> None:
    check_tests_and_lines(LINES, globals())


def test_every_line_names_rows() -> None:
    for name, rows in rows_by_line(LINES).items():
        assert any(row.startswith("R35-") for row in rows), name


def archers(**more: object) -> dict[str, object]:
    return {"side": "A", "models": 4, "equipment": 'Bow (24", A1)', "front": [36, 10], **more}


def wolves(**more: object) -> dict[str, object]:
    return {"side": "B", "models": 5, "stats": "Q4+ D4+", "front": [36, 22], "facing": 180, **more}


SHOOT = [{"activate": "Archers", "action": "hold", "shoot": {"Bow": "Wolves"}}]


def test_table() -> None:
    """R35-SETUP-01, R35-DEPLOY-03, R35-DEPLOY-06."""
    assert OURS.constants.table == (inches(72), inches(48))
    assert LOOSE.constants.table == (inches(48), inches(48))
    small = {"table": [40, 40], "edges": {"A": "south", "B": "north"}}
    for edition, depth, place in (
        ("regiments-3.5", 12, {"front": [20, 6]}),
        ("skirmish-3.2", 8, {"at": [20, 6]}),
    ):
        units = {"Pikes": {"side": "A", **place}}
        holds(edition, **small, units=units, measure=[{"zone": "A", "is": [0, 0, 40, depth]}])


def test_sizes() -> None:
    """R35-ARMY-02, R35-SETUP-04, R35-SETUP-05."""
    constants = OURS.constants
    assert (constants.points_starter, constants.points_full) == (750, 1500)
    assert (constants.terrain_min, constants.terrain_advised) == (10, 15)
    assert (LOOSE.constants.points_starter, LOOSE.constants.terrain_advised) == (150, 20)


def test_flat_ruler() -> None:
    """R35-MEAS-02, R35-MEAS-03."""
    assert not OURS.policies.measures_heights()
    assert LOOSE.policies.measures_heights()


def test_heroes_join() -> None:
    """R35-SR-HERO-01, R35-SR-HERO-07, R35-FORM-09, R35-FORM-11."""
    assert {block_joining.JoinBlocks, block_joining.HeroSlot} <= steps_of(OURS, "game")
    assert not any(issubclass(step, deployment.JoinUnits) for step in steps_of(LOOSE, "game"))
    assert (bound(OURS, "Hero"), bound(LOOSE, "Hero")) == (nerve.HeroJoins, nerve.HeroAura)


def test_command() -> None:
    """R35-CMD-02, R35-CMD-04, R35-CMD-05."""
    assert bound(OURS, "Musician").scope == bound(OURS, "Banner").scope == "any"
    assert bound(LOOSE, "Musician").scope == bound(LOOSE, "Banner").scope == "aura"
    assert (bound(OURS, "Sergeant"), bound(LOOSE, "Sergeant")) == (
        hitting.SergeantSixes,
        hitting.SergeantBonus,
    )


def test_ranks() -> None:
    """R35-FORM-03..08."""
    units = {"Wolves": wolves(models=7, started=10), "Archers": archers()}
    holds("regiments-3.5", units=units, measure=[{"rows": "Wolves", "is": [5, 2]}])
    assert OURS.policies.uses_blocks()
    assert not LOOSE.policies.uses_blocks()


def test_facing() -> None:
    """R35-MOVE-07, R35-MOVE-09, R35-MOVE-24, R35-MORALE-19."""
    ours = OURS.constants
    assert (ours.pivot_hold, ours.pivot_move, ours.pivot_idle) == (degrees(180), degrees(90), degrees(90))
    trunk = Constants(table=(0, 0))
    assert (trunk.pivot_hold, trunk.pivot_move, trunk.pivot_idle) == (0, 0, 0)
    assert OURS.procedures["move.hold"]
    assert not LOOSE.procedures["move.hold"]


def test_half_moves() -> None:
    """R35-MOVE-10."""
    units = {"Archers": archers(), "Wolves": wolves(front=[36, 40])}
    march = {"activate": "Archers", "action": "advance"}
    measure = [
        {"legal": {**march, "march": ["left 3"]}, "is": True},
        {"legal": {**march, "march": ["left 3.1"]}, "is": False},
    ]
    holds("regiments-3.5", units=units, measure=measure)
    assert OURS.constants.half_moves
    assert not LOOSE.constants.half_moves


def test_low_walls() -> None:
    """R35-TERRAIN-28, R35-TERRAIN-08."""
    assert (OURS.constants.climb_free, LOOSE.constants.climb_free) == (inches(1), 0)
    assert "fall" not in OURS.procedures
    assert LOOSE.procedures["fall"] == falls.FALL


def test_scouts() -> None:
    """R35-SR-SCOUT-02, R35-SR-SCOUT-03."""
    assert loose.ScoutMove in steps_of(LOOSE, "game")
    assert loose.ScoutMove not in steps_of(OURS, "game")
    assert (OURS.policies.rolls_for_late_units(), LOOSE.policies.rolls_for_late_units()) == (False, True)
    assert OURS.constants.scout_within == inches(12)


def test_ambush() -> None:
    """R35-SR-AMBUSH-03, R35-SR-AMBUSH-05, R35-SR-AMBUSH-06."""
    assert (OURS.constants.ambush_edge_within, LOOSE.constants.ambush_edge_within) == (inches(6), 0)
    ours, theirs = bound(OURS, "Ambush"), bound(LOOSE, "Ambush")
    assert (ours, theirs) == (moving.AmbushRoundOfArrival, AmbushLastRound)
    assert not ours("Ambush", 0, "").may_seize(arrived(2), 4)
    assert theirs("Ambush", 0, "").may_seize(arrived(2), 4)


def test_arc() -> None:
    """R35-LOS-01, R35-LOS-06."""
    behind = {"Archers": archers(), "Wolves": wolves(front=[36, 2])}
    holds("regiments-3.5", units=behind, measure=[{"targets": "Archers", "is": []}])
    loose_ones = {
        "Archer": {"side": "A", "equipment": 'Bow (24", A1)', "at": [24, 20]},
        "Wolf": {"side": "B", "at": [24, 8]},
    }
    holds("skirmish-3.2", units=loose_ones, measure=[{"targets": "Archer", "is": ["Wolf"]}])
    between = {
        "Archers": archers(models=1),
        "Wall": {"side": "A", "models": 10, "front": [36, 16]},
        "Wolves": wolves(models=1),
    }
    holds("regiments-3.5", units=between, measure=[{"targets": "Archers", "is": []}])


def test_cover() -> None:
    """R35-TERRAIN-13, R35-TERRAIN-14, R35-TERRAIN-17."""
    assert (OURS.policies.cover_policy(), LOOSE.policies.cover_policy()) == ("ranks", "loose")


def test_stealth() -> None:
    """R35-SR-STEALTH-01: one model at 9.0 inches spoils the rule for all its mates."""
    assert (bound(OURS, "Stealth"), bound(LOOSE, "Stealth")) == (hitting.Stealth, StealthByShooter)


def test_relentless() -> None:
    """R35-SR-RELENTLESS-01: it works after an Advance."""
    units = {"Archers": archers(rules="Relentless", front=[36, 9]), "Wolves": wolves()}
    play = [{"activate": "Archers", "action": "advance", "march": ["forward 1"], "shoot": {"Bow": "Wolves"}}]
    holds(
        "regiments-3.5",
        units=units,
        play=play,
        dice={"to_hit": [6, 1, 1, 1], "block": [6, 6]},
        expect={"hits": 2},
    )
    assert bound(LOOSE, "Relentless") is hitting.ExtraHitOnHold


def test_blast() -> None:
    """R35-SR-BLAST-02."""
    assert (bound(OURS, "Blast"), bound(LOOSE, "Blast")) == (aiming.BlastByModels, aiming.BlastSpread)
    units = {"Archers": archers(models=1, equipment='Bow (24", A1, Blast(3))'), "Wolves": wolves(models=2)}
    dice = {"to_hit": [4], "block": [[6, 6]]}
    holds("regiments-3.5", units=units, play=SHOOT, dice=dice, expect={"hits": 2, "never_asked": ["spread"]})


def test_takedown() -> None:
    """R35-SR-TAKEDOWN-01, R35-SR-TAKEDOWN-02."""
    assert OURS.specials.knows("Takedown")
    assert not LOOSE.specials.knows("Takedown")


def test_own_rules() -> None:
    """R35-SR-ARTILLERY-02, R35-SR-BANE-02, R35-SR-ENTRENCHED-01, R35-SR-SURGE-01, R35-SR-THRUST-01,
    R35-SR-UNSTOPPABLE-02.
    """
    ours, theirs = set(OURS.specials.bindings), set(LOOSE.specials.bindings)
    new = {"Artillery", "Bane", "Entrenched", "Surge", "Takedown", "Thrust", "Unstoppable"}
    assert ours - theirs == new
    assert theirs - ours == {"Lance", "Poison"}


def test_losses() -> None:
    """R35-WOUND-01, R35-WOUND-02."""
    units = {"Archers": archers(models=1), "Wolves": wolves(models=1), "Dogs": wolves(front=[10, 44])}
    dice = {"to_hit": [4], "block": [1]}
    expect = {"units": {"Wolves": {"alive": False}}, "no_rolls": ["wound_effect"]}
    holds("regiments-3.5", units=units, play=SHOOT, dice=dice, expect=expect)
    assert wound_effects.CheckAfterAttack in steps_of(LOOSE, "attack")
    assert (OURS.last_model_stands, LOOSE.last_model_stands) == (False, True)


def test_rending() -> None:
    """R35-SR-RENDING-02."""
    assert (bound(OURS, "Rending"), bound(LOOSE, "Rending")) == (
        piercing.RendingPlusFour,
        piercing.RendingFour,
    )


def test_regeneration() -> None:
    """R35-SR-REGENERATION-01."""
    assert OURS.saves_by_unit
    assert not LOOSE.saves_by_unit
    assert (bound(OURS, "Regeneration").scope, bound(LOOSE, "Regeneration").scope) == ("all", "model")


def test_closing() -> None:
    """R35-MELEE-06, R35-MELEE-07, R35-MELEE-08."""
    assert block.CloseUp in steps_of(OURS, "melee")
    assert loose_melee.React in steps_of(LOOSE, "melee")
    assert loose_melee.React not in steps_of(OURS, "melee")


def melee(**more: object) -> dict[str, object]:
    """Ten pikes charge five wolves, all on one inch bases."""
    pikes = {"side": "A", "models": 10, "equipment": "Pike (A1)", "base": '1x1"', "front": [36, 10]}
    charged = wolves(equipment="Claw (A1)", base='1x1"', front=[36, 18], **more)
    return {"Pikes": pikes, "Wolves": charged, "Dogs": wolves(front=[10, 44])}


CHARGE = [{"activate": "Pikes", "charge": "Wolves"}]
MISSES = [1] * 10


def test_two_rows() -> None:
    """R35-MELEE-10: ten strike in two rows of five, though five of them touch nobody."""
    dice = {"to_hit": [MISSES], "morale": [6]}
    holds(
        "regiments-3.5",
        units=melee(),
        play=[*CHARGE, {"strike_back": "no"}],
        dice=dice,
        expect={"dice_used": {"to_hit": 10}},
    )
    assert OURS.constants.striking_rows == 2


@pytest.mark.parametrize(("facing", "modifier"), [(90, -1), (0, -2)], ids=["flank", "rear"])
def test_flanks(facing: int, modifier: int) -> None:
    """R35-MELEE-14, R35-MORALE-13, R35-MORALE-14."""
    units = melee(stats="Q4+ D2+")
    place = {"front": None, "at": [36, 20.5] if facing else [36, 18.5], "facing": facing}
    units["Wolves"] = {**units["Wolves"], **place}  # type: ignore[dict-item]
    expect = {"never_asked": ["strike_back"], "rolls": [{"purpose": "morale", "modifier": modifier}]}
    holds("regiments-3.5", units=units, play=CHARGE, dice={"to_hit": [MISSES], "morale": [6]}, expect=expect)


def test_blow_order() -> None:
    """R35-SHOOT-10, R35-MELEE-17."""
    assert OURS.policies.orders_blows()
    assert not LOOSE.policies.orders_blows()


def test_fatigue() -> None:
    """R35-FATIGUE-01."""
    unit = demo_setup("regiments-3.5", 1).units[0]
    some = (unit.models[0].id,)
    assert OURS.policies.tire(unit, some) == ()  # nobody named: the whole unit
    assert LOOSE.policies.tire(unit, some) == some


def test_result() -> None:
    """R35-RESOLVE-02, R35-RESOLVE-03, R35-SR-FEAR-01: two full rows against one and five times Fear(2)."""
    dice = {"to_hit": [MISSES], "morale": [6]}
    units = melee(stats="Q4+ D2+", rules="Fear(2)")
    scored = [{"melee_scored": {"score": 2, "target_score": 11}}]
    play = [*CHARGE, {"strike_back": "no"}]
    holds("regiments-3.5", units=units, play=play, dice=dice, expect={"events": scored})
    assert (bound(OURS, "Fear"), bound(LOOSE, "Fear")) == (nerve.FearScore, nerve.FearSum)


def test_parting() -> None:
    """R35-CONSOL-02, R35-CONSOL-03."""
    dice = {"to_hit": [MISSES], "morale": [6]}
    play = [*CHARGE, {"strike_back": "no"}]
    expect = {"units": {"Pikes": {"front": [36, 17]}}}
    holds("regiments-3.5", units=melee(stats="Q4+ D2+"), play=play, dice=dice, expect=expect)
    assert (OURS.constants.separate, OURS.constants.survivor_move) == (inches(1), inches(3))
    assert (OURS.constants.pivot_survivor, LOOSE.constants.pivot_survivor) == (degrees(180), 0)


def test_half_strength() -> None:
    """R35-MORALE-01, R35-MORALE-07."""
    units = {"Archers": archers(), "Wolves": wolves(models=6, started=10), "Dogs": wolves(front=[10, 44])}
    dice = {"to_hit": [4, 1, 1, 1], "block": [1], "morale": [3]}
    holds("regiments-3.5", units=units, play=SHOOT, dice=dice, expect={"units": {"Wolves": {"shaken": True}}})
    assert activation.Checkpoint in steps_of(OURS, "activation")
    assert activation.Checkpoint not in steps_of(LOOSE, "activation")


def test_routing() -> None:
    """R35-MORALE-12."""
    units = melee(stats="Q4+ D2+", started=10)
    play = [*CHARGE, {"strike_back": "no"}]
    expect = {"events": [{"destroyed": {"unit": "Wolves", "cause": "routed"}}]}
    holds("regiments-3.5", units=units, play=play, dice={"to_hit": [MISSES], "morale": [3]}, expect=expect)


def test_fearless() -> None:
    """R35-SR-FEARLESS-01."""
    assert (bound(OURS, "Fearless"), bound(LOOSE, "Fearless")) == (nerve.FearlessAll, nerve.FearlessMost)


def test_tokens() -> None:
    """R35-SR-CASTER-08."""
    assert (FREE_SIGN.free_sign, FREE_SIGN.from_model) == (True, False)
    assert (SIGN_BY_SIDE.free_sign, SIGN_BY_SIDE.from_model) == (False, True)
    bids = [step for step in OURS.procedures["casting"] if step.name == "cast.bid"]
    assert [step.tokens for step in bids] == [FREE_SIGN]  # type: ignore[attr-defined]


def test_disputes() -> None:
    """R35-DICE-02."""
    assert OURS.procedures["ruling"] == rulings.RULINGS["ruling"]
    assert OURS.policies.dispute_sides(demo_setup("regiments-3.5", 1)) == (0, 1)


def test_markers() -> None:
    """R35-OBJ-02, R35-OBJ-06."""
    assert markers.WhoPlacesFirst in steps_of(OURS, "game")
    assert markers.WhoPlacesFirst not in steps_of(OLD, "game")
    house = {"House": {"kind": "building", "outline": [[30, 20], [36, 20], [36, 26], [30, 26]]}}
    units = {"Archers": archers(), "Wolves": wolves(front=[60, 44])}
    holds("regiments-3.5", terrain=house, units=units, measure=[{"marker": [33, 23], "is": False}])


def test_ambush_distance() -> None:
    """R35-SR-AMBUSH-04."""
    assert (OURS.constants.ambush_enemy_over, OLD.constants.ambush_enemy_over) == (inches(9), 0)


def test_casting_arc() -> None:
    """R35-SR-CASTER-07."""
    (ours,) = [step for step in OURS.procedures["casting"] if step.name == "cast.bid"]
    (theirs,) = [step for step in OLD.procedures["casting"] if step.name == "cast.bid"]
    assert ours.tokens.any_direction  # type: ignore[attr-defined]
    assert not theirs.tokens.any_direction  # type: ignore[attr-defined]


def test_new_rules() -> None:
    """R35-SR-TAKEDOWN-01, R35-SR-BANE-02, R35-SR-THRUST-01, R35-SR-ARTILLERY-01, R35-SR-SURGE-01,
    R35-SR-UNSTOPPABLE-01.
    """
    ours, theirs = set(OURS.specials.bindings), set(OLD.specials.bindings)
    assert ours - theirs == {"Artillery", "Bane", "Surge", "Takedown", "Thrust", "Unstoppable"}
    assert theirs - ours == {"Lance", "Poison", "Sniper", "Transport"}


def test_other_meanings() -> None:
    """R35-SR-RELENTLESS-01, R35-SR-RENDING-02, R35-SR-REGENERATION-01, R35-SR-FEARLESS-01, R35-CMD-02."""
    both = set(OURS.specials.bindings) & set(OLD.specials.bindings)
    different = {name for name in both if bound(OURS, name) is not bound(OLD, name)}
    assert different == {"Relentless", "Rending", "Regeneration", "Fearless", "Sergeant"}
