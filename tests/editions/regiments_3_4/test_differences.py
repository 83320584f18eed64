"""One test for each line of DIFFERENCES.md, called like the line; nothing else differs from Regiments 3.5."""

from __future__ import annotations

import msgspec
from comparing import ABOUT_THE_PAGE, bound, check_tests_and_lines, holds, lines_of, rows_by_line, steps_of

from shieldwall.editions import ruleset
from shieldwall.editions.regiments_3_4 import boarding, carried_blocks, disembarking, policies, second_placing
from shieldwall.editions.regiments_3_4.policies import FRONT_ONLY
from shieldwall.rulebook.house_rules import defaults
from shieldwall.rules.constants import inches
from shieldwall.rules.features import block, carry_wreck, wipe_out
from shieldwall.rules.features.tokens import FREE_SIGN
from shieldwall.rules.special import hitting, nerve, piercing
from shieldwall.rules.steps import activation, markers

OURS, LATER = ruleset("regiments-3.4"), ruleset("regiments-3.5")
OLD, NEW = OURS.id, LATER.id
LINES = lines_of("regiments_3_4")
ABOUT_THE_COMPARISON = {
    "no_other_number_differs",
    "no_other_rule_differs",
    "no_other_step_differs",
    "no_other_switch_differs",
}


def archers(**more: object) -> dict[str, object]:
    return {"side": "A", "models": 3, "equipment": 'Bow (24", A1)', "front": [36, 10], **more}


def wolves(**more: object) -> dict[str, object]:
    return {"side": "B", "models": 6, "stats": "Q4+ D6+", "front": [36, 15], "facing": 180, **more}


DOGS = {"side": "B", "front": [60, 44], "facing": 180}
SHOOT = [{"activate": "Archers", "action": "hold", "shoot": {"Bow": "Wolves"}}]


def shot(edition: str, shooters: dict[str, object], targets: dict[str, object], **more: object) -> None:
    """The archers hold and shoot at the wolves."""
    holds(edition, units={"Archers": shooters, "Wolves": targets, "Dogs": DOGS}, play=SHOOT, **more)


# the page itself


def test_every_line_has_a_test_and_every_test_a_line() -> None:
    check_tests_and_lines(LINES, globals(), ABOUT_THE_PAGE | ABOUT_THE_COMPARISON)


def test_every_line_names_rows() -> None:
    """Of both books."""
    for name, rows in rows_by_line(LINES).items():
        assert {row[:3] for row in rows} == {"R34", "R35"}, name


def test_no_other_number_differs() -> None:
    ours, theirs = msgspec.to_builtins(OURS.constants), msgspec.to_builtins(LATER.constants)
    assert {name for name in ours if ours[name] != theirs[name]} == {"terrain_advised", "ambush_enemy_over"}


def test_no_other_rule_differs() -> None:
    ours, theirs = OURS.specials.bindings, LATER.specials.bindings
    assert set(ours) - set(theirs) == {"Lance", "Poison", "Sniper", "Transport"}
    assert set(theirs) - set(ours) == {"Artillery", "Bane", "Surge", "Takedown", "Thrust", "Unstoppable"}
    changed = {name for name in set(ours) & set(theirs) if ours[name].rule is not theirs[name].rule}
    assert changed == {"Fearless", "Regeneration", "Relentless", "Rending", "Sergeant"}


def test_no_other_step_differs() -> None:
    names = set(OURS.procedures) | set(LATER.procedures)
    changed = {name: steps_of(OURS, name) ^ steps_of(LATER, name) for name in names}
    assert {name: steps for name, steps in changed.items() if steps} == {
        "game": {
            markers.WinnerPlacesFirst,
            markers.WhoPlacesFirst,
            boarding.LoadCarriers,
            second_placing.PlaceAgain,
        },
        "activation": {
            activation.ChooseAction,
            disembarking.ChooseActionOrStay,
            block.CarryOutBlock,
            carried_blocks.CarryOutOrDisembark,
            wipe_out.EndIfWipedOut,
        },
        "move.advance": {block.MarchStep, boarding.MarchOrBoardStep, boarding.GetIn},
        "move.rush": {block.MarchStep, boarding.MarchOrBoardStep, boarding.GetIn},
        "move.charge": {boarding.MarchOrBoardStep, boarding.GetIn},
        "melee": {
            boarding.ChargeAboard,
            carried_blocks.LeaveToCharge,
            policies.PartToGap,
            block.PartBlocks,
        },
        "leave": {disembarking.GetOut},
        "wreck": {type(step) for step in OURS.procedures["wreck"]},
    }


def test_no_other_switch_differs() -> None:
    ours, theirs = defaults(OLD), defaults(NEW)
    assert set(ours) - set(theirs) == {"ambush-distance", "casting-arc", "rending-ap", "wipe-out"}
    missing = {
        "ambush-acts-at-once",
        "cover-against-spells",
        "decorative-parts",
        "stay-in-contact",
        "terrain-mode",
    }
    assert set(theirs) - set(ours) == missing
    assert all(ours[name] == theirs[name] for name in set(ours) & set(theirs))


# before the battle

SETUP = {
    "begin": "set-up",
    "units": {"Pikes": {"side": "A", "models": 5}, "Dogs": {"side": "B", "models": 5}},
    "dice": {"marker_count": [1], "roll_off": [2, 5]},
}


def test_marker_first() -> None:
    """R34-OBJ-02, R35-OBJ-02."""
    holds(OLD, **SETUP, until="marker", expect={"pending": {"kind": "marker", "side": "B"}})
    holds(NEW, **SETUP, until="marker_first", expect={"pending": {"kind": "marker_first", "side": "B"}})


def test_marker_reach() -> None:
    """R34-OBJ-04, R35-OBJ-06."""
    house = {"House": {"kind": "building", "outline": [[30, 17], [40, 17], [40, 31], [30, 31]]}}
    for edition, legal in ((OLD, True), (NEW, False)):
        measure = [{"marker": [35, 24], "is": legal}]
        holds(edition, begin="set-up", terrain=house, units=SETUP["units"], measure=measure)


def test_terrain_advice() -> None:
    """R34-SETUP-02, R35-SETUP-05."""
    assert OURS.constants.terrain_min == LATER.constants.terrain_min == OURS.constants.terrain_advised == 10
    assert LATER.constants.terrain_advised == 15


def test_terrain_turns() -> None:
    """R34-SETUP-02, R35-SETUP-34."""
    assert "terrain-mode" in defaults(NEW)
    assert "terrain-mode" not in defaults(OLD)


def test_loading() -> None:
    """R34-SR-TRANSPORT-02, R35-DEPLOY-04."""
    wagon = {"side": "A", "rules": "Transport(6), Tough(6)", "kind": "monster"}
    units = {"Wagon": wagon, "Crew": {"side": "A", "models": 5}, "Dogs": {"side": "B"}}
    dice = {"marker_count": [1], "roll_off": [5, 2, 5, 2]}
    scene = {"begin": "set-up", "units": units, "dice": dice, "until": "activate"}
    holds(OLD, **scene, expect={"asked": ["load"], "counts": {"placed": 3}})
    holds(NEW, **scene, expect={"never_asked": ["load"], "counts": {"placed": 3}})


def test_scouts() -> None:
    """R34-SR-SCOUT-02, R35-SR-SCOUT-02: the first spot lies in the zone; a second one follows."""
    units = {
        "Rangers": {"side": "A", "models": 5, "base": '1x1"', "rules": "Scout"},
        "Pikes": {"side": "A", "at": None},
        "Dogs": {"side": "B"},
    }
    dice = {"marker_count": [1], "roll_off": [5, 2, 5, 2]}
    setup = {"begin": "set-up", "units": units, "dice": dice}
    before = [{"until": "edge"}, {"edge": "south"}, {"deploy": "Pikes", "place": [60, 6]}]
    late = {"deploy": "Rangers", "place": [20, 23.5]}
    holds(NEW, **setup, play=[*before, late], expect={"units": {"Rangers": {"front": [20, 24]}}})
    twice = [{**late, "refused": ["R34-DEPLOY-04"]}, {"place": [20, 11.5]}, {"place": [20, 23.5, 0]}]
    holds(OLD, **setup, play=[*before, *twice], expect={"units": {"Rangers": {"front": [20, 24]}}})


def test_ambush_distance() -> None:
    """R34-SR-AMBUSH-03, R35-SR-AMBUSH-04: five inches from an enemy."""
    assert (OURS.constants.ambush_enemy_over, LATER.constants.ambush_enemy_over) == (0, inches(9))
    units = {
        "Runners": {"side": "A", "models": 5, "base": '1x1"', "rules": "Ambush", "reserve": "ambush"},
        "Wolves": {"side": "B", "models": 5, "base": '1x1"', "at": [11.5, 24, 90]},
    }
    arrive = {"arrive": "Runners", "place": [5.5, 24, 90]}
    scene = {"begin": "round", "round": 2, "starter": "A", "units": units}
    holds(OLD, **scene, play=[arrive], expect={"units": {"Runners": {"place": "table"}}})
    holds(NEW, **scene, play=[{**arrive, "refused": ["R35-SR-AMBUSH-04"]}])


def test_ambush_activation() -> None:
    """R34-SR-AMBUSH-02, R35-SR-AMBUSH-07."""
    assert "ambush-acts-at-once" in defaults(NEW)
    assert "ambush-acts-at-once" not in defaults(OLD)


# rounds and the end

WAGON = {"side": "A", "base": '3x3"', "rules": "Transport(6), Tough(6)", "at": [36, 10]}


def test_passengers() -> None:
    """R34-ROUND-04, R35-ROUND-07."""
    units = {
        "Wagon": {**WAGON, "activated": True},
        "Crew": {"side": "A", "models": 5, "inside": "Wagon"},
        "Dogs": {**DOGS, "activated": True},
    }
    holds(
        OLD, units=units, expect={"round": 1, "pending": {"kind": "action", "options": {"contain": ["stay"]}}}
    )
    assert disembarking.ChooseActionOrStay not in steps_of(LATER, "activation")


def test_wipe_out() -> None:
    """R34-MISSION-01, R35-MISSION-02."""
    assert wipe_out.EndIfWipedOut in steps_of(OURS, "activation")
    assert defaults(OLD)["wipe-out"] == "play-on"
    assert "wipe-out" not in defaults(NEW)


def test_boarding() -> None:
    """R34-SR-TRANSPORT-03, R35-MOVE-02."""
    units = {
        "Wagon": WAGON,
        "Crew": {"side": "A", "models": 5, "base": '1x1"', "front": [36, 3.5]},
        "Dogs": DOGS,
    }
    march = {"activate": "Crew", "action": "advance", "march": ["forward 5"]}
    holds(OLD, units=units, play=[march], expect={"units": {"Crew": {"place": "inside"}}})
    holds(NEW, units=units, play=[{**march, "refused": ["R35-MOVE-02"]}])


def test_wrecks() -> None:
    """R34-SR-TRANSPORT-05, R35-WOUND-01."""
    assert OURS.procedures["wreck"][0].name == carry_wreck.NextPassenger.name
    assert "wreck" not in LATER.procedures


def test_parting() -> None:
    """R34-CONSOL-02, R35-CONSOL-05."""
    assert "stay-in-contact" in defaults(NEW)
    assert "stay-in-contact" not in defaults(OLD)


def test_stepping_back() -> None:
    """R34-CONSOL-02, R35-CONSOL-03: a charge into the rear cuts the last row down."""
    units = {
        "Orcs": {"side": "A", "models": 5, "equipment": "Axe (A2)", "at": [36, 14.5, 0], "base": '1x1"'},
        "Wolves": wolves(models=10, front=[36, 21], facing=0, base='1x1"'),
    }
    dice = {"to_hit": [6, 6, 6, 6, 6, 1, 1, 1, 1, 1], "block": [1, 1, 1, 1, 1], "morale": [6]}
    for edition, front in ((OLD, 19), (NEW, 18)):
        play = [{"activate": "Orcs", "charge": "Wolves"}]
        holds(edition, units=units, dice=dice, play=play, expect={"units": {"Orcs": {"front": [36, front]}}})


# sight and magic

SPARK = {"Spark": {"cost": 1, "range": 18, "hits": 1}}


def test_casting_arc() -> None:
    """R34-SR-CASTER-07, R35-SR-CASTER-07: a target behind the caster."""
    orm = {"side": "A", "rules": "Caster(2)", "tokens": 2, "spells": ["Spark"], "front": [36, 20]}
    units = {"Orm": orm, "Wolves": wolves(front=[36, 10])}
    for edition, legal in ((OLD, False), (NEW, True)):
        measure = [{"legal": {"activate": "Orm", "cast": {"Spark": "Wolves"}}, "is": legal}]
        holds(edition, spells=SPARK, units=units, measure=measure)


def test_meddling_arc() -> None:
    """R34-SR-CASTER-08, R35-SR-CASTER-08: a token holder who looks away."""
    casts = [step for step in OURS.procedures["casting"] if step.name == "cast.bid"]
    assert [step.tokens for step in casts] == [FRONT_ONLY]  # type: ignore[attr-defined]
    assert (FRONT_ONLY.any_direction, FREE_SIGN.any_direction) == (False, True)
    orm = {"side": "A", "rules": "Caster(2)", "tokens": 1, "spells": ["Spark"], "front": [36, 10]}
    hedda = {"side": "B", "rules": "Caster(2)", "tokens": 2, "front": [44, 20], "facing": 0}
    units = {"Orm": orm, "Wolves": wolves(front=[36, 20]), "Hedda": hedda}
    scene = {"spells": SPARK, "units": units, "play": [{"activate": "Orm", "cast": {"Spark": "Wolves"}}]}
    holds(OLD, **scene, dice={"cast": [4], "block": [6]}, expect={"never_asked": ["bid"]})
    holds(NEW, **scene, dice={"cast": [4], "block": [6]}, expect={"asked": ["bid"]})


def test_spell_cover() -> None:
    """R34-TERRAIN-03, R35-TERRAIN-16."""
    assert "cover-against-spells" in defaults(NEW)
    assert "cover-against-spells" not in defaults(OLD)


def test_fancy_parts() -> None:
    """R34-LOS-01, R35-LOS-08."""
    assert "decorative-parts" in defaults(NEW)
    assert "decorative-parts" not in defaults(OLD)


# special rules


def test_sniper() -> None:
    """R34-SR-SNIPER-01, R35-SR-TAKEDOWN-01: a two hits with Sniper, and not with Takedown."""
    for edition, rule, dice, hits in (
        (OLD, "Sniper", {"to_hit": [2], "block": [6]}, 1),
        (NEW, "Takedown", {"to_hit": [2]}, 0),
    ):
        shooter = archers(models=1, stats="Q5+ D4+", equipment=f'Bow (24", A1, {rule})')
        shot(edition, shooter, wolves(), dice=dice, expect={"hits": hits})


def test_poison() -> None:
    """R34-SR-POISON-02, R35-SR-BANE-02."""
    assert bound(OURS, "Poison") is bound(LATER, "Bane") is piercing.Bane


def test_lance() -> None:
    """R34-SR-LANCE-01, R35-SR-THRUST-01."""
    assert bound(OURS, "Lance") is bound(LATER, "Thrust") is piercing.Thrust


def test_relentless() -> None:
    """R34-SR-RELENTLESS-01, R35-SR-RELENTLESS-01: at five inches on a Hold."""
    for edition, hits in ((OLD, 2), (NEW, 1)):
        dice = {"to_hit": [6, 1, 1], "block": [6] * hits}
        shot(edition, archers(rules="Relentless"), wolves(), dice=dice, expect={"hits": hits})


def test_rending() -> None:
    """R34-SR-RENDING-02, R35-SR-RENDING-02: AP(1) and a six."""
    for edition, modifier in ((OLD, -4), (NEW, -5)):
        shooters = archers(models=1, equipment='Bow (24", A1, AP(1), Rending)')
        expect = {"rolls": [{"purpose": "block", "modifier": modifier}]}
        shot(edition, shooters, wolves(), dice={"to_hit": [6], "block": [6]}, expect=expect)


def test_regeneration() -> None:
    """R34-SR-REGENERATION-01, R35-SR-REGENERATION-01: the last trooper has it, the hero does not."""
    assert (bound(OURS, "Regeneration").scope, bound(LATER, "Regeneration").scope) == ("model", "all")
    hero = {"name": "Ida", "stats": "Q4+ D6+", "rules": "Hero, Tough(3)"}
    for edition, dice in ((OLD, {"regeneration": [5]}), (NEW, {})):
        scene = {"to_hit": [4, 1, 1], "block": [1], **dice}
        shot(
            edition,
            archers(),
            wolves(rules="Regeneration", hero=hero),
            dice=scene,
            expect={"ignored": len(dice)},
        )


def test_fearless() -> None:
    """R34-SR-FEARLESS-01, R35-SR-FEARLESS-01: all but the hero have it."""
    assert (bound(OURS, "Fearless"), bound(LATER, "Fearless")) == (nerve.FearlessMost, nerve.FearlessAll)
    hero = {"name": "Ida", "stats": "Q4+ D6+", "rules": "Hero, Tough(3)"}
    for edition, dice, shaken in ((OLD, {"fearless": [4]}, False), (NEW, {}, True)):
        scene = {"to_hit": [4, 1, 1], "block": [1], "morale": [2], **dice}
        targets = wolves(rules="Fearless", hero=hero, started=14)
        shot(edition, archers(), targets, dice=scene, expect={"units": {"Wolves": {"shaken": shaken}}})


def test_sergeant() -> None:
    """R34-CMD-02, R35-CMD-02: a three hits at 4+; a six hits once."""
    assert (bound(OURS, "Sergeant"), bound(LATER, "Sergeant")) == (
        hitting.SergeantBonus,
        hitting.SergeantSixes,
    )
    for edition, face, hits in ((OLD, 3, 1), (NEW, 3, 0), (OLD, 6, 1), (NEW, 6, 2)):
        dice = {"to_hit": [face], "block": [6] * hits} if hits else {"to_hit": [face]}
        shot(edition, archers(models=1, command=["Sergeant"]), wolves(), dice=dice, expect={"hits": hits})


def test_transport() -> None:
    """R34-SR-TRANSPORT-01, R35-ROUND-07."""
    assert OURS.specials.knows("Transport")
    assert not LATER.specials.knows("Transport")


def test_later_rules() -> None:
    """R34-PREP-01, R35-SR-ARTILLERY-01, R35-SR-SURGE-01, R35-SR-UNSTOPPABLE-01."""
    for name in ("Artillery", "Surge", "Unstoppable"):
        assert LATER.specials.knows(name)
        assert not OURS.specials.knows(name)
