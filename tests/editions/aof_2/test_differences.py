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
from shieldwall.core.frames import Activation
from shieldwall.core.state import Side
from shieldwall.editions import ruleset
from shieldwall.editions.aof_2 import policies, terrain
from shieldwall.editions.aof_2.forces import merge_problems, roster_problems
from shieldwall.editions.aof_2.special_rules import RendingSixes
from shieldwall.editions.skirmish_3_2.movement import MeetHazards
from shieldwall.rules.constants import Constants, inches
from shieldwall.rules.features.army_lists import ListedUnit
from shieldwall.rules.features.roster import ForceRoster
from shieldwall.rules.hooks import PrintedContext
from shieldwall.rules.special import loose_armies, nerve
from shieldwall.rules.steps import activation, attack
from shieldwall.table.bases import default_base
from shieldwall.table.sight_methods import OPEN, SightMethod

EDITION = "aof-2"
OURS = ruleset(EDITION)
PLAIN = plain_policies()
TRUNK = Constants(table=(0, 0))
LINES = lines_of("aof_2")


def test_every_line_has_a_test_and_every_test_a_line() -> None:
    check_tests_and_lines(LINES, globals())


def test_every_line_names_rows() -> None:
    for name, rows in rows_by_line(LINES).items():
        assert any(row.startswith("A2-") for row in rows), name


def holds(text: str) -> None:
    holds_as_written(EDITION, text)


def steps(procedure: str) -> list[str]:
    return [step.name for step in OURS.procedures[procedure]]


def kinds_of_steps() -> set[type]:
    return {type(step) for procedure in OURS.procedures.values() for step in procedure}


SHOT = """
dice: {%s}
play: [{activate: Pike, action: hold, shoot: {Bow: Wolf}%s}]
expect: {%s}
units:
  Pike: {side: A, stats: Q4+ D4+, equipment: 'Bow (24", A1)', at: [36, 10]}
  Wolf: {side: B, stats: Q4+ D4+, at: [36, 20]%s}
"""
CHARGE = """
dice: {%s}
play: [{activate: Pike, charge: Wolf%s}]
expect: {%s}
units:
  Pike: {side: A, stats: Q4+ D4+, equipment: Axe (A1), at: [36, 10]}
  Wolf: {side: B, stats: Q4+ D4+, equipment: Teeth (A1), at: [36, 19]%s}
"""


def test_table() -> None:
    """A2-PREP-01, A2-ARMY-02."""
    constants = OURS.constants
    assert constants.table == (inches(72), inches(48))
    assert (constants.points_starter, constants.points_full) == (750, 750)
    assert TRUNK.points_full == 1500


def test_untyped() -> None:
    """A2-TERRAIN-01."""
    assert isinstance(OURS.procedures["game"][0], policies.RefuseUntyped)


def test_presets() -> None:
    """A2-TERRAIN-15, A2-TERRAIN-16."""
    scene = "{terrain: {Piece: {kind: %s, outline: [[30, 14], [42, 14], [42, 16], [30, 16]]}}, "
    scene += "units: {Pike: {side: A, at: [36, 10]}, Wolf: {side: B, at: [36, 20]}}, "
    scene += "measure: [{sight: [Pike, Wolf], is: %s}, {terrain: Piece, is: {contain: [%s]}}]}"
    holds(scene % ("forest", "true", "cover, difficult"))
    holds(scene % ("river", "true", "difficult"))
    holds(scene % ("hill", "false", "elevated"))
    assert PLAIN.terrain_presets()["forest"] != terrain.PRESETS["forest"]


def test_heights() -> None:
    """A2-TERRAIN-07, A2-TERRAIN-08."""
    scene = "{terrain: {Hill: {kind: hill, height: %s, outline: [[20, 12], [50, 12], [50, 40], [20, 40]]}}, "
    scene += "units: {Pike: {side: A, base: 1mm, at: [36, 10]}}, "
    scene += "measure: [{legal: {activate: Pike, action: advance, walk: [36, 16, 0, %s]}, is: %s}]}"
    holds(scene % (2.9, 2.9, "true"))
    holds(scene % (3, 3, "false"))
    assert not OURS.policies.terrain_limits().elevated_stops


def test_bases() -> None:
    """A2-STAT-01, A2-STAT-03."""
    assert (OURS.policies.base_family(), PLAIN.base_family()) == ("oval", "round")
    shapes = {
        kind: default_base(kind, "oval").shape for kind in ("infantry", "cavalry", "monster", "artillery")
    }
    assert shapes == {"infantry": "round", "cavalry": "oval", "monster": "oval", "artillery": "rect"}


def test_lists() -> None:
    """A2-ARMY-03, A2-ARMY-04, A2-ARMY-05."""
    many = tuple(ListedUnit("Troll", 75) for _ in range(10))
    assert roster_problems(ForceRoster(many, (), (), (), ("ours",)), 750, {}) == ()
    assert roster_problems(ForceRoster(many, (), (), (), ("ours", "theirs")), 750, {}) != ()
    assert merge_problems(many[0], many[1]) == []


def test_markers() -> None:
    """A2-OBJ-04."""
    assert not OURS.policies.markers_must_be_reached()
    assert PLAIN.markers_must_be_reached()


def test_sergeants() -> None:
    """A2-CMD-02, A2-CMD-03."""
    assert steps("game").index("setup.picks") < steps("game").index("setup.marker_count")
    for pick, hits in (("shooting", 1), ("melee", 0)):
        text = SHOT.replace("equipment:", f"command: [Sergeant], picks: {{sergeant: {pick}}}, equipment:", 1)
        holds(text % ("to_hit: [3]" + (", block: [6]" if hits else ""), "", f"hits: {hits}", ""))


def test_heroes() -> None:
    """A2-SR-HERO-01."""
    text = """
    begin: set-up
    units:
      Ida: {side: A, rules: 'Hero, Tough(9)'}
      Bo: {side: A, rules: Hero}
      Troll: {side: A, rules: Tough(6)}
      Wolf: {side: B}
      Dog: {side: B}
    dice: {marker_count: [1], roll_off: [6, 2, 5, 3]}
    until: attach
    expect: {pending: {kind: attach, options: [none, Troll]}}
    """
    holds(text)


def test_scouts() -> None:
    """A2-SR-SCOUT-01, A2-SR-SCOUT-02, A2-SR-SCOUT-03."""
    assert OURS.policies.rolls_for_late_units()
    assert not PLAIN.rolls_for_late_units()
    game = steps("game")
    assert game.index("deploy.late_move") == game.index("deploy.late_place") + 1


def test_ambush() -> None:
    """A2-SR-AMBUSH-02, A2-SR-AMBUSH-03."""
    assert (OURS.constants.ambush_edge_within, OURS.constants.ambush_enemy_over) == (0, inches(9))
    assert bound(OURS, "Ambush")("Ambush", 0, "").may_seize(arrived(4), 4)


def test_next_round() -> None:
    """A2-ROUND-05."""
    state = replace(
        demo_setup(EDITION, 1), sides=(Side(dry_at=2, last_turn_at=4), Side(dry_at=3, last_turn_at=3))
    )
    assert OURS.policies.next_starter(state) == 1
    assert PLAIN.next_starter(replace(state, options=())) == 0


def test_wipe_out() -> None:
    """A2-OBJ-11."""
    assert steps("activation")[-1] == steps("closing")[-1] == "game.wiped_out"


def test_models() -> None:
    """A2-MOVE-02, A2-FORM-02, A2-FORM-03."""
    constants = OURS.constants
    assert (constants.coherency_link, constants.coherency_spread) == (inches(2), inches(6))
    scene = "{units: {Pike: {side: A, models: 2, at: [[24, 10], [26, 10]]}}, measure: ["
    scene += "{legal: {activate: Pike, action: advance, walk: {Pike/1: [23, 10]}}, is: true}, "
    scene += "{legal: {activate: Pike, action: advance, walk: {Pike/1: [22.9, 10]}}, is: false}]}"
    holds(scene)


def test_clusters() -> None:
    """A2-FORM-02."""
    scene = "{house_rules: {coherency-shape: %s}, "
    scene += "units: {Pike: {side: A, models: 4, at: [[10, 10], [11, 10], [15, 10], [16, 10]]}}, "
    scene += "measure: [{coherency: Pike, is: %s}]}"
    holds(scene % ("letter", "true"))
    holds(scene % ("chain", "false"))


def test_mates() -> None:
    """A2-MOVE-08."""
    assert TRUNK.mates_obstruct
    scene = "{units: {Pike: {side: A, models: 2, at: [[24, 10], [24, 11.5]]}}, "
    holds(
        scene + "measure: [{legal: {activate: Pike, action: advance, walk: {Pike/1: [24, 13]}}, is: true}]}"
    )


def test_mending() -> None:
    """A2-FORM-05."""
    scene = "{units: {Pike: {side: A, models: 2, at: [[24, 10], [29, 10]]}}, "
    holds(scene + "measure: [{actions: Pike, is: [advance, rush]}]}")


def test_gaps() -> None:
    """A2-TERRAIN-06."""
    assert MeetHazards not in kinds_of_steps()
    scene = "{terrain: {Crack: {kind: chasm, depth: 6, outline: [[10, 12], [60, 12], [60, 13], [10, 13]]}}, "
    scene += "units: {Pike: {side: A, at: [36, 10]}}, "
    holds(scene + "measure: [{legal: {activate: Pike, action: rush, walk: [36, 15]}, is: false}]}")


LAVA = "terrain: {Lava: {kind: lava, outline: [[20, 12], [50, 12], [50, 14], [20, 14]]}}, "


def test_ground_tests() -> None:
    """A2-TERRAIN-12, A2-TERRAIN-20."""
    assert activation.GroundTests not in kinds_of_steps()
    stays = "units: {Pike: {side: A, at: [36, 13]}}, play: [{activate: Pike, action: hold}], "
    holds("{" + LAVA + stays + "expect: {no_rolls: [dangerous]}}")
    moves = "dice: {dangerous: [2]}, units: {Pike: {side: A, at: [36, 10]}}, "
    moves += "play: [{activate: Pike, action: rush, walk: [[36, 15], [36, 11], [36, 13]]}], "
    holds("{" + LAVA + moves + "expect: {dice_used: {dangerous: 1}}}")


def test_tests_on_the_way() -> None:
    """A2-MORALE-18."""
    for move in ("advance", "rush", "charge", "react", "consolidate"):
        assert steps(f"move.{move}")[-1] == "move.morale"


def test_sight() -> None:
    """A2-LOS-01, A2-LOS-02, A2-LOS-03."""
    lines = OURS.policies.sight_method(demo_setup(EDITION, 1))
    assert lines == replace(OPEN, name="between-bases", heights="of the ground")
    assert isinstance(lines, SightMethod)
    assert (lines.front_arc, lines.seen_over, lines.perimeter) == (False, "lower than both", "bases")


def test_cover() -> None:
    """A2-TERRAIN-09."""
    text = SHOT.replace("units:", "terrain: {Wood: {kind: forest, at: [36, 20], size: [6, 4]}}\nunits:")
    holds(text % ("to_hit: [4]", "", "hits: 0, rolls: [{purpose: to_hit, modifier: -1}]", ""))
    assert OURS.policies.cover_policy() == "crowd"


def test_groups() -> None:
    """A2-SHOOT-05."""
    text = """
    units:
      Pike: {side: A, equipment: 'Bow (24", A1), Gun (24", A1), Sling (24", A1)', at: [36, 10]}
      Wolf: {side: B, at: [36, 20]}
      Cat: {side: B, at: [30, 20]}
      Owl: {side: B, at: [42, 20]}
    dice: {to_hit: [1, 1, 1]}
    play: [{activate: Pike, action: hold, shoot: [{Bow: Wolf}, {Gun: Cat}, {Sling: Owl}]}]
    expect: {counts: {declared: 3}}
    """
    holds(text)


def test_blast() -> None:
    """A2-SR-BLAST-03."""
    text = SHOT.replace('Bow (24", A1)', 'Bow (24", A2, Blast(3))')
    holds(text % ("to_hit: [4, 4], block: [6, 6, 6, 6]", "", "hits: 4", ", models: 4"))
    assert attack.MultiplyHits not in kinds_of_steps()


def test_breath() -> None:
    """A2-SR-BREATH-01, A2-SR-BREATH-02, A2-SR-BREATH-03."""
    given = bound(OURS, "Breath Attack")("Breath Attack", 0, "").weapons(PrintedContext())
    assert [(weapon.attacks, weapon.reach) for weapon in given] == [(3, inches(12)), (3, 0)]


def test_artillery() -> None:
    """A2-SR-ARTILLERY-01."""
    holds(SHOT % ("to_hit: [4], block: [2]", "", "blocked: 1", ", rules: Artillery"))


def test_stealth() -> None:
    """A2-SR-STEALTH-01."""
    holds(SHOT.replace("[36, 20]", "[36, 13]") % ("to_hit: [4]", "", "hits: 0", ", rules: Stealth"))


def test_sniper() -> None:
    """A2-SR-SNIPER-01, A2-SR-SNIPER-02."""
    aiming = bound(OURS, "Sniper")("Sniper", 0, "").aims(arrived(1))
    assert aiming is not None
    assert (aiming.picks_model, aiming.rank) == (True, 9)


def test_poison() -> None:
    """A2-SR-POISON-01."""
    text = SHOT.replace('Bow (24", A1)', 'Bow (24", A1, Poison)')
    holds(text % ("to_hit: [6], block: [6, 6, 6]", "", "hits: 3", ", rules: Tough(6)"))


def test_rending() -> None:
    """A2-SR-RENDING-01, A2-SR-RENDING-02."""
    text = SHOT.replace('Bow (24", A1)', 'Bow (24", A1, Rending, AP(1))')
    holds(
        text % ("to_hit: [6], block: [5]", "", "rolls: [{purpose: block, modifier: -4}]", ", rules: Tough(6)")
    )
    assert bound(OURS, "Rending") is RendingSixes


def test_casualties() -> None:
    """A2-SHOOT-19."""
    spread = ", models: 3, at: [[33, 20], [36, 20], [39, 20]]"
    text = SHOT.replace(", at: [36, 20]", "")
    refused = ", casualties: [Wolf/2], refused: [A2-SHOOT-19]}, {casualties: [Wolf/3]"
    holds(text % ("to_hit: [4], block: [1]", refused, "units: {Wolf: {models: 2}}", spread))


def test_contact() -> None:
    """A2-MOVE-09, A2-ACT-06."""
    touching = ", rules: Tough(6)}\n  Cat: {side: B, at: [37, 18]"
    refused = ", charge_path: [36, 18], refused: [A2-MOVE-09]}, {charge_path: [36, 18], refused: [Cat]"
    holds(
        CHARGE.replace("expect: {%s}", "until: charge_path\nexpect: {%s}")
        % ("", refused, "counts: {moved: 0}", touching)
    )
    corridor = """
    terrain:
      Lava: {kind: lava, outline: [[20, 12], [50, 12], [50, 14], [20, 14]]}
      West: {kind: mountain, outline: [[30, 11], [35.3, 11], [35.3, 24], [30, 24]]}
      East: {kind: mountain, outline: [[36.7, 11], [42, 11], [42, 24], [36.7, 24]]}
    units:
      Pike: {side: A, models: 2, equipment: Axe (A1), at: [[36, 10], [36, 8.5]]}
      Wolf: {side: B, rules: Tough(6), at: [36, 19]}
    dice: {dangerous: [1, 2], morale: [6], to_hit: [1]}
    play: [{activate: Pike, charge: Wolf, casualties: [Pike/1]}]
    expect: {no_events: [charge_failed], dice_used: {to_hit: 1}}
    """
    holds(corridor)


def test_reaction() -> None:
    """A2-MELEE-05."""
    text = """
    units:
      Pike: {side: A, equipment: Axe (A1), at: [36, 10]}
      Wolf: {side: B, wavering: true, models: 2, at: [[36, 19], [37.5, 20]]}
    dice: {to_hit: [[1]]}
    play: [{activate: Pike, charge: Wolf, charge_path: [36, 18]}]
    expect: {events: [{moved: {unit: Wolf, how: react}}]}
    """
    holds(text)


def test_reach() -> None:
    """A2-MELEE-06."""
    text = """
    units:
      Pike: {side: A, equipment: Axe (A1), at: [36, 10]}
      Wolf: {side: B, models: 2, rules: Immobile, equipment: Teeth (A1), at: [[36, 19], [36, 21]]}
    dice: {to_hit: [[1], [1, 1]]}
    play: [{activate: Pike, charge: Wolf, charge_path: [36, 18], strike_back: yes}]
    expect: {dice_used: {to_hit: 3}}
    """
    holds(text)


def test_blows_together() -> None:
    """A2-MELEE-22."""
    text = CHARGE.replace("Axe (A1)", "'Axe (A1), Claw (A1)'")
    order = "events: [{blocked: {unit: Wolf}}, {blocked: {unit: Wolf}}, {wounded: {unit: Wolf}}]"
    dice = "to_hit: [[4], [4]], block: [1, 1], morale: [6]"
    holds(text % (dice, ", strike_back: no", order, ", rules: Tough(6)"))


def test_impact() -> None:
    """A2-SR-IMPACT-01."""
    assert OURS.policies.tired_models_crash()
    assert not PLAIN.tired_models_crash()
    text = CHARGE.replace("Axe (A1)", "'Bow (9\", A1)', rules: Impact(2), fatigued: true")
    outcome = "hits: 2, no_rolls: [impact]"
    holds(text % ("block: [6, 6]", ", strike_back: no", outcome, ", rules: Tough(6)"))


def test_furious() -> None:
    """A2-SR-FURIOUS-01."""
    text = CHARGE.replace("Axe (A1)", "'Axe (A1), Claw (A1)', rules: Furious")
    outcome = "asked: [extra_attack], events: [{declared: {group: Claw, attacks: 2}}]"
    steps_taken = ", extra_attack: Claw, strike_back: no"
    holds(text % ("to_hit: [[1], [1, 1]]", steps_taken, outcome, ", rules: Tough(6)"))


def test_phalanx() -> None:
    """A2-SR-PHALANX-01, A2-SR-PHALANX-02."""
    text = CHARGE.replace("Axe (A1)", "Axe (A1), rules: Furious")
    outcome = "dice_used: {dangerous: 1, to_hit: 1}"
    holds(text % ("dangerous: [2], to_hit: [1]", ", strike_back: no", outcome, ", rules: Phalanx"))


def test_scores() -> None:
    """A2-CMD-04, A2-SR-FEAR-01."""
    text = CHARGE.replace("Axe (A1)", "Axe (A1), rules: 'Musician, Battle Standard, Fear'")
    outcome = "events: [{melee_scored: {score: 5, target_score: 0}}]"
    dice = "to_hit: [1], fear_wounds: [6], morale: [6]"
    holds(text % (dice, ", strike_back: no", outcome, ", rules: Tough(6)"))


def test_survivors() -> None:
    """A2-RESOLVE-07."""
    text = CHARGE.replace("Axe (A1)", "Axe (A4), rules: Tough(1)")
    spots = [[x, y] for y in (19, 20, 21) for x in (35, 36, 37)]
    models = f", models: 9, at: {spots}"
    text = text.replace(", at: [36, 19]", "")
    dice = "to_hit: [[4, 4, 4, 4], [4, 1, 1, 1, 1]], block: [[1, 1, 1, 1], [1]]"
    holds(text % (dice, ", strike_back: yes", "no_rolls: [morale]", models))
    literal = "house_rules: {survivor-test: literal}\n" + text
    holds(literal % (dice + ", morale: [6]", ", strike_back: yes", "dice_used: {morale: 1}", models))


def test_parting() -> None:
    """A2-CONSOL-02, A2-CONSOL-03."""
    outcome = "units: {Pike: {at: [36, 17]}}"
    holds(CHARGE % ("to_hit: [1]", ", charge_path: [36, 18], strike_back: no", outcome, ", rules: Tough(6)"))
    holds(
        CHARGE
        % (
            "to_hit: [4], block: [1]",
            ", charge_path: [36, 18], consolidate: [39, 18]",
            "units: {Pike: {at: [39, 18]}}",
            "",
        )
    )


@pytest.mark.parametrize("state", ["wavering", "fatigued"])
def test_wavering(state: str) -> None:
    """A2-MORALE-11, A2-FATIGUE-01."""
    text = CHARGE.replace("Teeth (A1)", f"Teeth (A2), {state}: true, rules: Tough(6)")
    text = text.replace("equipment: Axe (A1)", "rules: Tough(6), equipment: Axe (A1)")
    holds(text % ("to_hit: [[1], [5, 6]], block: [6]", ", strike_back: yes", "hits: 1", ""))


def test_fearless() -> None:
    """A2-SR-FEARLESS-01."""
    assert (bound(OURS, "Fearless"), bound(OURS, "Fearless").scope) == (loose_armies.FearlessBonus, "most")
    assert "morale_failed" not in loose_armies.FearlessBonus("Fearless", 0, "").hooks


def test_regeneration() -> None:
    """A2-SR-REGEN-01."""
    assert bound(OURS, "Regeneration") is nerve.RegenerationModel
    assert not OURS.saves_by_unit


def test_wizards() -> None:
    """A2-MAGIC-03, A2-MAGIC-04, A2-MAGIC-05, A2-MAGIC-06."""
    assert steps("casting")[:5] == ["cast.choose", "cast.oppose", "cast.roll", "cast.stop", "cast.use"]
    state = demo_setup(EDITION, 1)
    assert not PLAIN.can_cast(OURS, state, state.units[0], Activation(procedure="activation"))


def test_disputes() -> None:
    """A2-DICE-02."""
    state = replace(demo_setup(EDITION, 1), round=1, turn=1)
    assert OURS.policies.dispute_sides(state) == (1, 0)
    assert PLAIN.dispute_sides(state) == (0, 1)
    assert "ordering" not in OURS.procedures
