"""One test for each line of DIFFERENCES.md, called like the line."""

from __future__ import annotations

import pytest
from comparing import (
    arrived,
    bound,
    check_tests_and_lines,
    holds_as_written,
    lines_of,
    plain_policies,
    rows_by_line,
)
from msgspec.structs import replace

from shieldwall.armies.demo import demo_setup
from shieldwall.armies.muster import MusteredArmy, UnitSpec, muster
from shieldwall.core.engine import begin
from shieldwall.core.errors import RefusedError
from shieldwall.editions import ruleset
from shieldwall.editions.skirmish_3_2.forces import check_force
from shieldwall.editions.skirmish_3_2.policies import SIGN_BY_SIDE
from shieldwall.editions.skirmish_3_2.special_rules import LanceTwo, StealthByShooter
from shieldwall.rulebook.house_rules import defaults
from shieldwall.rules.constants import Constants, inches
from shieldwall.rules.special import hitting, nerve, piercing
from shieldwall.rules.steps import activation, deployment, melee

EDITION = "skirmish-3.2"
OURS = ruleset(EDITION)
PLAIN = plain_policies()
TRUNK = Constants(table=(0, 0))
LINES = lines_of("skirmish_3_2")


def test_every_line_has_a_test_and_every_test_a_line() -> None:
    check_tests_and_lines(LINES, globals())


def test_every_line_names_rows() -> None:
    for name, rows in rows_by_line(LINES).items():
        assert any(row.startswith("SK32-") for row in rows), name


def holds(text: str) -> None:
    holds_as_written(EDITION, text)


def steps(procedure: str) -> list[str]:
    return [step.name for step in OURS.procedures[procedure]]


SHOT = """
dice: {%s}
play: [{activate: Pike, action: hold, shoot: {Bow: Wolf}%s}]
expect: {%s}
units:
  Pike: {side: A, stats: Q4+ D4+, equipment: 'Bow (24", A1)', at: [24, 10]}
  Wolf: {side: B, stats: Q4+ D4+, at: [24, 20]%s}
"""
CHARGE = """
dice: {%s}
play: [{activate: Pike, charge: Wolf%s}]
expect: {%s}
units:
  Pike: {side: A, stats: Q4+ D4+, equipment: Axe (A1), at: [24, 10]}
  Wolf: {side: B, stats: Q4+ D4+, equipment: Teeth (A1), at: [24, 19]%s}
"""


def test_table() -> None:
    """SK32-PREP-01, SK32-PREP-02."""
    assert OURS.constants.table == (inches(48), inches(48))
    scene = "{table: [36, 36], units: {Pike: {side: A, at: [18, 3]}, Dog: {side: B, at: [4, 33]}}, "
    holds(scene + "measure: [{zone: A, is: [0, 0, 36, 6]}]}")


def test_sizes() -> None:
    """SK32-ARMY-02, SK32-ARMY-03, SK32-PREP-05."""
    constants = OURS.constants
    assert (constants.points_starter, constants.points_full, constants.terrain_advised) == (150, 250, 20)
    assert (TRUNK.points_starter, TRUNK.points_full, TRUNK.terrain_advised) == (750, 1500, 15)


def test_refused_tables() -> None:
    """SK32-PREP-02, SK32-LOS-13."""
    assert steps("game")[0] == "setup.table"
    small = replace(demo_setup(EDITION, 1), width=inches(24), depth=inches(24))
    with pytest.raises(RefusedError, match="SK32-PREP-02"):
        begin(OURS, small)


def test_edges() -> None:
    """SK32-OBJ-05, SK32-DEPLOY-03."""
    scene = (
        "{begin: set-up, house_rules: {free-deployment-axis: %s}, units: {Pike: {side: A}, Dog: {side: B}}, "
    )
    scene += "measure: [{marker: [6, 24], is: %s}]}"
    holds(scene % ("'off'", "true"))
    holds(scene % ("'on'", "false"))


def test_solid_ground() -> None:
    """SK32-OBJ-07."""
    assert OURS.policies.keeps_markers_off_blocking()
    assert not PLAIN.keeps_markers_off_blocking()


def test_command() -> None:
    """SK32-CMD-01."""
    roles = [UnitSpec("Pike", "Q4+ D4+", command=(role,)) for role in ("Sergeant", "Banner")]
    mustered = muster(OURS, [MusteredArmy("A list", tuple(roles))])
    found = check_force(mustered.units, mustered.profiles, 250, defaults(EDITION))
    assert [problem.cite for problem in found] == ["SK32-CMD-01"]


def test_ruler() -> None:
    """SK32-MEAS-05."""
    assert OURS.policies.measures_heights()
    assert not PLAIN.measures_heights()


def test_scouts() -> None:
    """SK32-SR-SCOUT-01, SK32-SR-SCOUT-02, SK32-SR-SCOUT-03."""
    assert OURS.policies.rolls_for_late_units()
    assert not PLAIN.rolls_for_late_units()
    game = steps("game")
    assert game.index("deploy.late_move") == game.index("deploy.late_place") + 1


def test_ambush() -> None:
    """SK32-SR-AMBUSH-03, SK32-SR-AMBUSH-04, SK32-SR-AMBUSH-05."""
    assert (OURS.constants.ambush_edge_within, OURS.constants.ambush_enemy_over) == (0, inches(9))
    rule = OURS.specials.bindings["Ambush"].rule("Ambush", 0, "")
    assert rule.may_seize(arrived(3), 4)
    assert not rule.may_seize(arrived(4), 4)


def test_models() -> None:
    """SK32-MOVE-02, SK32-FORM-01, SK32-FORM-04."""
    scene = "{units: {Pike: {side: A, models: 2, at: [[24, 10], [25.5, 10]]}}, measure: ["
    scene += "{legal: {activate: Pike, action: advance, walk: {Pike/1: [24, 11]}}, is: true}, "
    scene += "{legal: {activate: Pike, action: advance, walk: {Pike/1: [24, 12]}}, is: false}]}"
    holds(scene)


def test_mates() -> None:
    """SK32-MOVE-05."""
    scene = "{house_rules: {unit-mates-block: %s}, "
    scene += "units: {Pike: {side: A, models: 2, at: [[24, 10], [24, 11.5]]}}, "
    scene += "measure: [{legal: {activate: Pike, action: advance, walk: {Pike/1: [24, 13]}}, is: %s}]}"
    holds(scene % ("'on'", "false"))
    holds(scene % ("'off'", "true"))


def test_mending() -> None:
    """SK32-FORM-05."""
    scene = "{units: {Pike: {side: A, models: 2, at: [[24, 10], [29, 10]]}}, "
    holds(scene + "measure: [{actions: Pike, is: [advance, rush]}]}")


LEAP = """
terrain: {Crack: {kind: chasm, depth: 6, outline: [[20, 12], [28, 12], [28, 15], [20, 15]]}}
units:
  Pike: {side: A, stats: Q4+ D4+, rules: '%s', equipment: 'Bow (24", A1)', at: [24, 10]}
  Wolf: {side: B, at: [24, 30]}
dice: {%s}
play: [{activate: Pike, action: advance, walk: [24, 19]%s}]
expect: {%s}
"""


def test_jumps() -> None:
    """SK32-MOVE-13, SK32-MOVE-14, SK32-MOVE-15."""
    holds(LEAP % ("", "jump: [[3, 3]]", ", shoot: none", "units: {Pike: {at: [24, 19]}}"))


def test_falls() -> None:
    """SK32-MOVE-16, SK32-MOVE-19, SK32-MOVE-21, SK32-MOVE-22."""
    expected = "rolls: [{purpose: block, modifier: -2}], never_asked: [targets]"
    holds(LEAP % ("", "jump: [[3, 2]], block: [6]", "", expected))


def test_sure_feet() -> None:
    """SK32-SR-FLYING-04, SK32-SR-STRIDER-02."""
    holds(LEAP % ("Flying", "", ", shoot: none", "no_rolls: [jump]"))
    holds(LEAP % ("Strider", "jump: [[2, 2]]", ", shoot: none", "units: {Pike: {at: [24, 19]}}"))


def test_ground_tests() -> None:
    """SK32-TERRAIN-17."""
    text = """
    terrain:
      Lava: {kind: lava, outline: [[20, 12], [28, 12], [28, 14], [20, 14]]}
      Pit: {kind: quicksand, outline: [[20, 15], [28, 15], [28, 16], [20, 16]]}
    units: {Pike: {side: A, at: [24, 10]}}
    dice: {dangerous: [2, 1], wound_effect: [1]}
    play: [{activate: Pike, action: rush, walk: [[24, 13], [24, 11.2], [24, 18]]}]
    expect: {units: {Pike: {at: [24, 14.5], tolerance: 0.02, stunned: true}}}
    """
    holds(text)


def test_sight() -> None:
    """SK32-LOS-02, SK32-LOS-04."""
    scene = "{house_rules: {sight-method: %s}, "
    scene += "terrain: {Wall: {kind: wall, height: 1.1, outline: [[0, 15], [48, 15], [48, 16], [0, 16]]}}, "
    scene += "units: {Pike: {side: A, base: 32mm, at: [24, 10]}, Wolf: {side: B, base: 32mm, at: [24, 20]}}, "
    scene += "measure: [{sight: [Pike, Wolf], is: %s}]}"
    for method, seen in (("basic", "true"), ("top-down", "false"), ("volumetric", "true")):
        holds(scene % (method, seen))
    behind = "{units: {Pike: {side: A, at: [24, 20], facing: 0}, Wolf: {side: B, at: [24, 10]}}, "
    holds(behind + "measure: [{sight: [Pike, Wolf], is: true}]}")


def test_strips() -> None:
    """SK32-LOS-07."""
    scene = "{house_rules: {units-block-sight: %s}, "
    scene += "units: {Pike: {side: A, at: [24, 10]}, Wolf: {side: B, at: [24, 20]}, "
    scene += (
        "Guard: {side: A, kind: large infantry, base: '1x1\"', models: 2, at: [[23.1, 15], [24.9, 15]]}}, "
    )
    scene += "measure: [{sight: [Pike, Wolf], is: %s}]}"
    holds(scene % ("strips", "false"))
    holds(scene % ("bases", "true"))


def test_cover() -> None:
    """SK32-TERRAIN-12."""
    scene = "{terrain: {Wood: {kind: forest, outline: [[20, %s], [28, %s], [28, 24], [20, 24]]}}, "
    scene += "units: {Pike: {side: A, at: [24, 10]}, Wolf: {side: B, at: [24, 20]}}, "
    scene += "measure: [{cover: [Pike, Wolf], is: %s}]}"
    holds(scene % (20, 20, "in"))
    holds(scene % (20.1, 20.1, "none"))


def test_blast() -> None:
    """SK32-SR-BLAST-03, SK32-SR-BLAST-04, SK32-SR-BLAST-06."""
    text = """
    units:
      Pike: {side: A, stats: Q4+ D4+, equipment: 'Bomb (24", A1, Blast(3))', at: [24, 10]}
      Wolf: {side: B, rules: Tough(3), at: [24, 20]}
      Dog: {side: B, rules: Tough(3), at: [28, 20]}
    dice: {to_hit: [4], block: [6, 6]}
    play: [{activate: Pike, action: hold, shoot: {Bomb: Wolf}}]
    expect: {events: [{hit: {target: Wolf, hits: 1, note: spread}}, {hit: {target: Dog, hits: 1, note: spread}}]}
    """
    holds(text)


def test_stealth() -> None:
    """SK32-SR-STEALTH-01."""
    assert bound(OURS, "Stealth") is StealthByShooter


def test_indirect() -> None:
    """SK32-SR-INDIRECT-03."""
    text = """
    units:
      Pike: {side: A, models: 2, stats: Q4+ D4+, equipment: 'Mortar (24", A1, Indirect)', at: [[24, 10], [25.5, 10]]}
      Wolf: {side: B, rules: Tough(6), at: [24, 30]}
    dice: {to_hit: [4, 4], block: [6]}
    play: [{activate: Pike, action: advance, walk: {Pike/2: [25.5, 11]}, shoot: {Mortar: Wolf}}]
    expect: {hits: 1}
    """
    holds(text)


def test_relentless() -> None:
    """SK32-SR-RELENTLESS-01."""
    assert bound(OURS, "Relentless") is hitting.ExtraHitOnHold


def test_last_model() -> None:
    """SK32-WOUND-20, SK32-WOUND-21, SK32-WOUND-22."""
    assert OURS.last_model_stands
    outcome = "units: {Wolf: {models: 1, wounds: 0}}, no_rolls: [wound_effect]"
    holds(SHOT % ("to_hit: [4], block: [1]", "", outcome, ", models: 2"))


def test_checks() -> None:
    """SK32-WOUND-01, SK32-WOUND-02, SK32-WOUND-03, SK32-SR-TOUGH-02."""
    holds(
        SHOT
        % ("to_hit: [4], block: [1], wound_effect: [4]", ", push: no", "units: {Wolf: {stunned: true}}", "")
    )
    holds(SHOT % ("to_hit: [4], block: [1], wound_effect: [5]", "", "units: {Wolf: {alive: false}}", ""))


def test_stunned() -> None:
    """SK32-WOUND-10, SK32-WOUND-11."""
    stunned = (
        "{turn: B, units: {Pike: {side: A, at: [24, 10]}, Wolf: {side: B, stunned: true, at: [24, 20]}}, "
    )
    stunned += "play: [{activate: Wolf}], "
    holds(stunned + "expect: {units: {Wolf: {stunned: false, activated: true}}, never_asked: [path]}}")
    lava = "{terrain: {Lava: {kind: lava, outline: [[20, 8], [28, 8], [28, 12], [20, 12]]}}, "
    lava += "dice: {dangerous: [1], wound_effect: [1]}, "
    lava += "units: {Pike: {side: A, at: [24, 10]}}, play: [{activate: Pike}], "
    holds(lava + "expect: {units: {Pike: {stunned: true}}, no_events: [{action_chosen: {unit: Pike}}]}}")


def test_knock_outs() -> None:
    """SK32-WOUND-14, SK32-WOUND-15, SK32-SR-TOUGH-03, SK32-SR-TOUGH-04."""
    gone = "units: {Wolf: {alive: false}}, no_rolls: [block, wound_effect]"
    holds(SHOT % ("to_hit: [4]", "", gone, ", stunned: true"))
    holds(CHARGE % ("", "", gone, ", stunned: true"))
    tough = ", stunned: true, rules: Tough(3)"
    holds(SHOT % ("to_hit: [4], block: [6]", "", "units: {Wolf: {wounds: 1}}", tough))
    holds(CHARGE % ("to_hit: [[1]]", "", "units: {Wolf: {wounds: 1}}", tough))


def test_pushes() -> None:
    """SK32-WOUND-17, SK32-WOUND-18."""
    dice = "to_hit: [4], block: [1], wound_effect: [1], push: [4]"
    holds(SHOT % (dice, ", push: yes, push_path: [24, 22]", "units: {Wolf: {at: [24, 22]}}", ""))


def test_dread() -> None:
    """SK32-SR-FEAR-01."""
    assert bound(OURS, "Fear") is nerve.FearSum


def test_regeneration() -> None:
    """SK32-SR-REGENERATION-01."""
    assert bound(OURS, "Regeneration").scope == "model"
    assert not OURS.saves_by_unit


def test_rending() -> None:
    """SK32-SR-RENDING-02."""
    assert bound(OURS, "Rending") is piercing.RendingFour


def test_reaction() -> None:
    """SK32-MELEE-07."""
    text = """
    units:
      Pike: {side: A, equipment: Axe (A1), at: [24, 10]}
      Wolf: {side: B, models: 2, at: [[24, 19], [25.5, 20]]}
    dice: {to_hit: [[1]]}
    play: [{activate: Pike, charge: Wolf, charge_path: [24, 18]}]
    expect: {events: [{moved: {unit: Wolf, how: react}}]}
    """
    holds(text)


def test_reach() -> None:
    """SK32-MELEE-09."""
    assert OURS.constants.strike_reach == inches(2)
    text = """
    units:
      Pike: {side: A, equipment: Axe (A1), at: [24, 10]}
      Wolf: {side: B, models: 2, rules: Immobile, equipment: Teeth (A1), at: [[24, 19], [24, 21]]}
    dice: {to_hit: [[1], [1, 1]]}
    play: [{activate: Pike, charge: Wolf, charge_path: [24, 18], strike_back: yes}]
    expect: {dice_used: {to_hit: 3}}
    """
    holds(text)


@pytest.mark.parametrize(
    ("choice", "order"), [("early", ("Wolf", "Pike")), ("later, strike_back: yes", ("Pike", "Wolf"))]
)
def test_counter(choice: str, order: tuple[str, str]) -> None:
    """SK32-SR-COUNTER-01."""
    text = CHARGE.replace("Teeth (A1)", "'Spear (A1, Counter)'")
    first, second = (f"{{declared: {{unit: {name}, attacks: 1}}}}" for name in order)
    holds(text % ("to_hit: [[1], [1]]", f", counter_now: {choice}", f"events: [{first}, {second}]", ""))


def test_kept_weapons() -> None:
    """SK32-SR-LIMITED-01."""
    text = CHARGE.replace("Axe (A1)", "'Flask (A3, Limited), Axe (A1)'")
    holds(text % ("to_hit: [[1]]", ", limited_now: no, strike_back: no", "counts: {weapon_used: 0}", ""))


def test_one_check() -> None:
    """SK32-MELEE-12, SK32-MELEE-19."""
    text = CHARGE.replace("Axe (A1)", "'Axe (A1), Claw (A1)'")
    dice = "to_hit: [[4], [4]], block: [1, 1], wound_effect: [1]"
    outcome = "units: {Wolf: {wounds: 2, stunned: true}}, never_asked: [strike_back]"
    holds(text % (dice, ", push: no", outcome, ""))


def test_first_hits() -> None:
    """SK32-SR-DEADLY-02."""
    text = CHARGE.replace("Axe (A1)", "'Maul (A1, Deadly(3))', rules: Impact(1)")
    order = "events: [{declared: {group: Maul}}, {declared: {group: Impact}}]"
    holds(text % ("to_hit: [[1]], impact: [1]", ", strike_back: no", order, ""))


def test_fatigue() -> None:
    """SK32-FATIGUE-04."""
    text = """
    units:
      Pike: {side: A, models: 3, equipment: Axe (A1), at: [[24, 10], [24, 8.2], [24, 6.4]]}
      Wolf: {side: B, rules: Tough(6), at: [24, 23]}
    dice: {to_hit: [[1, 1]]}
    play: [{activate: Pike, charge: Wolf}]
    expect: {models: {Pike/1: {fatigued: true}, Pike/2: {fatigued: true}, Pike/3: {fatigued: false}}}
    """
    holds(text)


def test_lance() -> None:
    """SK32-SR-LANCE-01."""
    assert bound(OURS, "Lance") is LanceTwo


def test_no_result() -> None:
    """SK32-MORALE-02, SK32-CONSOL-02."""
    kinds = {type(step) for procedure in OURS.procedures.values() for step in procedure}
    assert not kinds & {melee.MeleeResult, activation.Checkpoint}


def test_rout_tests() -> None:
    """SK32-MORALE-04, SK32-ROUND-11."""
    closing = steps("closing")
    assert closing.index("close.rout") < len(closing) - 1 - closing[::-1].index("close.markers")


def test_heroes() -> None:
    """SK32-SR-HERO-01, SK32-SR-HERO-02."""
    assert not any(isinstance(step, deployment.JoinUnits) for step in OURS.procedures["game"])
    assert bound(OURS, "Hero") is nerve.HeroAura


def test_auras() -> None:
    """SK32-CMD-03, SK32-CMD-04."""
    assert bound(OURS, "Musician").scope == bound(OURS, "Banner").scope == "aura"
    assert OURS.constants.aura_within == inches(12)


def test_fearless() -> None:
    """SK32-SR-FEARLESS-01."""
    assert bound(OURS, "Fearless").scope == "most"


def test_tokens() -> None:
    """SK32-SR-CASTER-09."""
    assert (SIGN_BY_SIDE.free_sign, SIGN_BY_SIDE.from_model) == (False, True)


def test_disputes() -> None:
    """SK32-DICE-02, SK32-SR-GENERAL-01."""
    state = replace(demo_setup(EDITION, 1), round=1, turn=1)
    assert OURS.policies.dispute_sides(state) == (1, 0)
    assert PLAIN.dispute_sides(state) == (0, 1)
    assert "ordering.rolloff" not in steps("ordering")


def test_wipe_out() -> None:
    """SK32-MISSION-02."""
    assert steps("activation")[-1] == steps("closing")[-1] == "game.wiped_out"
