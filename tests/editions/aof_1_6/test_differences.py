"""One test for each line of DIFFERENCES.md, called like the line. Scenes are played in both books."""

from __future__ import annotations

from typing import Any

from comparing import arrived, bound, check_tests_and_lines, holds, lines_of, rows_by_line, steps_of

from shieldwall.editions import ruleset
from shieldwall.editions.aof_1_6 import ambush, building_fights, forces, magic, mysterious, setup, shelter
from shieldwall.rulebook.house_rules import defaults
from shieldwall.rules.constants import inches
from shieldwall.rules.features.army_lists import ListedUnit
from shieldwall.rules.steps import deployment

EDITION, LATER = "aof-1.6", "aof-2"
OURS, THEIRS = ruleset(EDITION), ruleset(LATER)
LINES = lines_of("aof_1_6")

Scene = dict[str, Any]
BASE = '1x1"'
DOG: Scene = {"side": "B", "at": [4, 44]}


def test_every_line_has_a_test_and_every_test_a_line() -> None:
    check_tests_and_lines(LINES, globals())


def test_every_line_names_rows() -> None:
    for name, rows in rows_by_line(LINES).items():
        assert any(row.startswith("A16-") for row in rows), name
        assert any(row.startswith("A2-") for row in rows) or "the later book has" in LINES[name], name


def shot(edition: str, dice: Scene, expect: Scene, shooter: Scene | None = None, **target: Any) -> None:
    """One bow shot."""
    archer = {
        "side": "A",
        "stats": "Q4+ D4+",
        "equipment": 'Bow (24", A1)',
        "at": [36, 10],
        **(shooter or {}),
    }
    wolf = {"side": "B", "stats": "Q4+ D5+", "at": [36, 20], **target}
    holds(
        edition,
        defaults={"base": BASE},
        units={"Archer": archer, "Wolf": wolf, "Dog": DOG},
        dice=dice,
        play=[{"activate": "Archer", "action": "hold", "shoot": {"Bow": "Wolf"}}],
        expect=expect,
    )


def charge(
    edition: str, dice: Scene, expect: Scene, charger: Scene | None = None, answer: str = "no", **target: Any
) -> None:
    """One charge."""
    pike = {"side": "A", "stats": "Q4+ D4+", "equipment": "Pike (A1)", "rules": "Tough(6)", "at": [36, 10]}
    wolf = {"side": "B", "stats": "Q4+ D4+", "equipment": "Teeth (A1)", "rules": "Tough(6)", "at": [36, 16]}
    holds(
        edition,
        defaults={"base": BASE},
        units={"Pike": {**pike, **(charger or {})}, "Wolf": {**wolf, **target}, "Dog": DOG},
        dice=dice,
        play=[{"activate": "Pike", "charge": "Wolf"}, {"strike_back": answer}],
        expect=expect,
    )


def test_wounding() -> None:
    """A16-SHOOT-03, A2-SHOOT-15"""
    shot(
        EDITION,
        {"to_hit": [4], "to_wound": [5]},
        {"wounds": 1, "rolls": [{"purpose": "to_wound", "side": "A"}]},
    )
    shot(LATER, {"to_hit": [4], "block": [5]}, {"wounds": 0, "rolls": [{"purpose": "block", "side": "B"}]})


def test_second_die() -> None:
    """A16-DICE-03, A2-DICE-20"""
    weak = {"stats": "Q6+ D4+"}
    shot(EDITION, {"to_hit": [6], "second_die": [3]}, {"hits": 0}, weak, rules="Skirmisher")
    shot(LATER, {"to_hit": [6], "block": [6]}, {"hits": 1}, weak, rules="Stealth")


def test_piercing() -> None:
    """A16-SR-AP-01, A16-SR-GENERAL-01, A2-SR-AP-01"""
    sharp = {"equipment": 'Bow (24", A1, AP(2))'}
    shot(EDITION, {"to_hit": [4], "to_wound": [3]}, {"wounds": 1}, sharp)
    shot(LATER, {"to_hit": [4], "block": [6]}, {"rolls": [{"purpose": "block", "modifier": -2}]}, sharp)
    assert not bound(OURS, "AP").stacks
    assert bound(THEIRS, "AP").stacks


def test_armies() -> None:
    """A16-ARMY-01, A16-ARMY-03, A16-BIG-01, A2-ARMY-02"""
    assert (OURS.constants.points_full, THEIRS.constants.points_full) == (500, 750)
    big = [(ListedUnit(f"Big {number}", is_hero=not number), "Monster") for number in range(3)]
    found = forces.side_problems((big,), 500, defaults(EDITION))
    assert [problem.row for problem in found] == ["A16-ARMY-03"]


def test_terrain() -> None:
    """A16-PREP-02, A2-PREP-03"""
    assert (OURS.constants.terrain_min, THEIRS.constants.terrain_min) == (5, 10)


def test_order() -> None:
    """A16-PREP-03, A2-DEPLOY-01"""
    ours = [step.name for step in OURS.procedures["game"]]
    theirs = [step.name for step in THEIRS.procedures["game"]]
    assert ours.index("deploy.edge") < ours.index("setup.mission_markers") < ours.index("deploy.place")
    assert theirs.index("setup.marker_place") < theirs.index("deploy.edge")
    assert setup.PlaceMission in steps_of(OURS, "game")


def test_scouts() -> None:
    """A16-SR-SCOUT-01, A2-SR-SCOUT-02"""
    names = {step.name for step in OURS.procedures["game"]}
    assert "deploy.scout_place" in names
    assert "deploy.scout_move" not in names
    assert "deploy.late_move" in {step.name for step in THEIRS.procedures["game"]}


def test_vanguard() -> None:
    """A16-SR-VANGUARD-01, A2-SR-SCOUT-02"""
    assert "deploy.vanguard_move" in {step.name for step in OURS.procedures["game"]}
    assert not THEIRS.specials.knows("Vanguard")


def test_ambush() -> None:
    """A16-SR-AMBUSH-02, A16-SR-AMBUSH-03, A2-SR-AMBUSH-02"""
    assert (OURS.constants.ambush_enemy_over, THEIRS.constants.ambush_enemy_over) == (inches(6), inches(9))
    assert {ambush.RollArrival, ambush.ShiftArrival} <= steps_of(OURS, "arrival")
    assert not {ambush.RollArrival, ambush.ShiftArrival} & steps_of(THEIRS, "arrival")


def test_joining() -> None:
    """A16-FORCE-01, A2-SR-HERO-01"""
    units = {
        "Ida": {"side": "A", "rules": "Hero"},
        "Drake": {"side": "A", "kind": "monster"},
        "Wolf": {"side": "B"},
    }
    scene: Scene = {"begin": "set-up", "mission": "king-of-the-hill", "units": units, "until": "deploy_place"}
    holds(EDITION, **scene, dice={"roll_off": [6, 1]}, expect={"never_asked": ["attach"]})
    holds(LATER, **scene, dice={"roll_off": [6, 1]}, expect={"asked": ["attach"]})
    assert deployment.JoinUnits in steps_of(OURS, "game") & steps_of(THEIRS, "game")


def test_missions() -> None:
    """A16-MISSION-02, A16-MISSION-08, A16-MISSION-12, A2-OBJ-11"""
    assert OURS.cites["mission.choose"] == "A16-MISSION-02"
    assert not [key for key in THEIRS.cites if key.startswith("mission.")]


def test_control() -> None:
    """A16-OBJ-05, A2-OBJ-07"""
    units = {"Pike": {"side": "A", "at": [4, 4]}, "Dog": DOG}
    scene: Scene = {
        "units": units,
        "objectives": {"Ford": {"at": [36, 24], "holder": "A"}},
        "until": "end of round",
    }
    holds(EDITION, **scene, expect={"objectives": {"Ford": "none"}})
    holds(LATER, **scene, expect={"objectives": {"Ford": "A"}})
    holds(EDITION, **scene, house_rules={"control-lasts": "on"}, expect={"objectives": {"Ford": "A"}})


def test_secrets() -> None:
    """A16-MYST-01, A16-MYST-08"""
    assert {"mysterious-terrain", "mysterious-markers"} <= set(defaults(EDITION))
    assert not {"mysterious-terrain", "mysterious-markers"} & set(defaults(LATER))
    assert mysterious.FindSecrets in steps_of(OURS, "move.advance")


def test_allies() -> None:
    """A16-MULTI-01, A16-MULTI-06"""
    units = {
        name: {"side": side, "player": player, "at": [10 * player, 4 if side == "A" else 44]}
        for name, side, player in (("P1", "A", 1), ("P2", "A", 2), ("W1", "B", 1), ("W2", "B", 2))
    }
    until = {"until": "end of round"}
    holds(EDITION, units=units, play=[until], expect={"turns": ["A", "B", "A", "B"]})


def test_pace() -> None:
    """A16-SR-FAST-01, A16-SR-SLOW-01, A2-SR-FAST-01"""
    for edition, fast, both in ((EDITION, 9, 6), (LATER, 8, 6)):
        for rules, advance in (("Fast", fast), ("Fast, Slow", both)):
            units = {"Pike": {"side": "A", "rules": rules, "at": [36, 10]}, "Dog": DOG}
            moves = {"advance": advance}
            holds(edition, units=units, measure=[{"moves": "Pike", "is": moves}])


def test_danger() -> None:
    """A16-TERRAIN-03, A16-TERRAIN-04, A2-TERRAIN-13, A2-TERRAIN-20"""
    scene: Scene = {
        "terrain": {"Sand": {"kind": "quicksand", "at": [36, 10], "size": [6, 6]}},
        "units": {"Ogre": {"side": "A", "rules": "Tough(3)", "at": [36, 10]}, "Dog": DOG},
        "play": [{"activate": "Ogre", "action": "hold"}],
    }
    holds(EDITION, **scene, dice={"dangerous": [2]}, expect={"dice_used": {"dangerous": 1}})
    holds(LATER, **scene, expect={"no_rolls": ["dangerous"]})


def test_one_target() -> None:
    """A16-SHOOT-01, A2-SHOOT-05"""
    assert OURS.constants.split_targets == 1
    assert THEIRS.constants.split_targets > 2


def test_unseen() -> None:
    """A16-SR-INDIRECT-02, A2-SR-INDIRECT-03"""
    scene: Scene = {
        "terrain": {"Wall": {"kind": "wall", "outline": [[4, 15], [68, 15], [68, 15.5], [4, 15.5]]}},
        "units": {
            "Mortar": {
                "side": "A",
                "stats": "Q4+ D4+",
                "equipment": 'Mortar (24", A1, Indirect)',
                "at": [36, 10],
            },
            "Wolf": {"side": "B", "at": [36, 22]},
            "Dog": DOG,
        },
        "play": [{"activate": "Mortar", "action": "hold", "shoot": {"Mortar": "Wolf"}}],
        "dice": {"to_hit": [1]},
    }
    holds(EDITION, **scene, expect={"rolls": [{"purpose": "to_hit", "need": 5}]})
    holds(LATER, **scene, expect={"rolls": [{"purpose": "to_hit", "need": 4}]})


def test_blast() -> None:
    """A16-SR-BLAST-01, A2-SR-BLAST-01, A2-SR-BLAST-03"""
    bomb = {"equipment": 'Bow (24", A1, Blast(3))'}
    shot(EDITION, {"to_hit": [4], "to_wound": [1, 1, 1]}, {"dice_used": {"to_wound": 3}}, bomb)
    shot(LATER, {"to_hit": [4], "block": [6]}, {"dice_used": {"block": 1}}, bomb)


def test_sniper() -> None:
    """A16-SR-SNIPER-01, A2-SR-SNIPER-01"""
    assert bound(OURS, "Sniper")("Sniper", 0, "").aims(arrived(1)).ignores_cover == "all"  # type: ignore[union-attr]
    assert bound(THEIRS, "Sniper")("Sniper", 0, "").aims(arrived(1)).ignores_cover == "none"  # type: ignore[union-attr]


def test_buildings() -> None:
    """A16-BUILD-02, A16-BUILD-06, A16-BUILD-10"""
    assert shelter.EnterShelter in steps_of(OURS, "move.advance")
    assert building_fights.NameDefender in steps_of(OURS, "melee")
    assert OURS.policies.terrain_presets()["brick house"].capacity == 11
    assert not any(preset.capacity for preset in THEIRS.policies.terrain_presets().values())
    assert not THEIRS.specials.knows("Transport")


def test_bare_hands() -> None:
    """A16-STAT-04, A2-STAT-10"""
    assert defaults(EDITION)["unarmed-attacks"] == "one"
    assert defaults(LATER)["unarmed-attacks"] == "none"
    charge(EDITION, {"to_hit": [[1]]}, {"dice_used": {"to_hit": 1}}, {"equipment": ""})


def test_fresh() -> None:
    """A16-MELEE-06, A2-FATIGUE-01"""
    charge(EDITION, {"to_hit": [[1]]}, {"units": {"Pike": {"fatigued": False}}})
    charge(LATER, {"to_hit": [[1]]}, {"units": {"Pike": {"fatigued": True}}})


def test_fear() -> None:
    """A16-SR-FEAR-01, A16-SR-FEAR-02, A2-SR-FEAR-01"""
    afraid = {"fear": [1], "to_hit": [[4]]}
    charge(EDITION, afraid, {"hits": {"Wolf": 0}}, rules="Tough(6), Fear")
    dread = {"to_hit": [[1]], "fear_wounds": [6], "morale": [6]}
    charge(LATER, dread, {"events": [{"melee_scored": {"target_score": 3}}]}, rules="Tough(6), Fear")


def test_furious() -> None:
    """A16-SR-FURIOUS-01, A2-SR-FURIOUS-01"""
    angry = {"rules": "Tough(6), Furious"}
    charge(EDITION, {"furious": [4], "to_hit": [[1]], "to_wound": [1]}, {"hits": {"Wolf": 1}}, angry)
    charge(LATER, {"to_hit": [[1, 1]]}, {"no_rolls": ["furious"]}, angry)


def test_phalanx() -> None:
    """A16-SR-PHALANX-01, A2-SR-PHALANX-01"""
    heavy = {"rules": "Tough(6), Impact(1)"}
    dice = {"dangerous": [2], "to_hit": [[1]]}
    charge(EDITION, {**dice, "to_wound": [1]}, {"hits": {"Wolf": 1}}, heavy, rules="Tough(6), Phalanx")
    charge(LATER, dice, {"hits": {"Wolf": 0}}, heavy, rules="Tough(6), Phalanx")


def test_poison() -> None:
    """A16-SR-POISON-01, A2-SR-POISON-01"""
    vile = {"equipment": 'Bow (24", A1, Poison)'}
    shot(EDITION, {"to_hit": [6], "to_wound": [2]}, {"hits": 1, "wounds": 1}, vile)
    shot(LATER, {"to_hit": [6], "block": [6, 6, 6]}, {"hits": 3}, vile)


def test_deadly() -> None:
    """A16-SR-DEADLY-01, A2-SR-DEADLY-01"""
    plain = {"equipment": 'Bow (24", A1, Deadly)'}
    shot(
        EDITION,
        {"to_hit": [4], "to_wound": [6], "morale": [6]},
        {"units": {"Wolf": {"wounds": 3}}},
        plain,
        rules="Tough(6)",
    )
    six = {"equipment": 'Bow (24", A1, Deadly(2))'}
    shot(LATER, {"to_hit": [4], "block": [1]}, {"units": {"Wolf": {"wounds": 2}}}, six, rules="Tough(6)")


def test_fire() -> None:
    """A16-SR-FIREBREATH-01, A2-SR-BREATH-01"""
    assert OURS.specials.knows("Fire Breath")
    assert not THEIRS.specials.knows("Fire Breath")
    assert THEIRS.specials.knows("Breath Attack")


def test_types() -> None:
    """A16-FORCE-05, A16-FORCE-06, A16-FORCE-09, A2-SR-ARTILLERY-01"""
    for kind, advance in (("chariot", 9), ("artillery", 4), ("monster", 6)):
        units = {"Big": {"side": "A", "kind": kind, "at": [36, 10]}, "Dog": DOG}
        holds(EDITION, units=units, measure=[{"moves": "Big", "is": {"advance": advance}}])
        holds(LATER, units=units, measure=[{"moves": "Big", "is": {"advance": 6}}])


def test_wavering() -> None:
    """A16-MORALE-05, A16-MORALE-07, A2-MORALE-11, A2-MORALE-12"""
    charge(
        EDITION, {"to_hit": [[1], [5]], "to_wound": [1]}, {"hits": {"Pike": 1}}, answer="yes", wavering=True
    )
    charge(LATER, {"to_hit": [[1], [5]]}, {"hits": {"Pike": 0}}, answer="yes", wavering=True)
    lost = {"to_hit": [[4]], "to_wound": [4], "morale": [6]}
    charge(EDITION, lost, {"events": [{"morale_tested": {"passed": True}}]}, wavering=True)
    unrolled = {"to_hit": [[4]], "block": [1]}
    charge(LATER, unrolled, {"events": [{"morale_tested": {"passed": False}}]}, wavering=True)


def test_majority() -> None:
    """A16-FORCE-02, A16-FORCE-03, A2-SR-HERO-02"""
    host: Scene = {
        "models": 3,
        "started": 7,
        "stats": "Q5+ D4+",
        "hero": {"name": "Boss", "stats": "Q2+ D6+", "rules": "Hero"},
        "at": [[34.5, 20], [36, 20], [37.5, 20], [39, 20]],
    }
    shot(
        EDITION,
        {"to_hit": [4], "to_wound": [4], "morale": [4]},
        {"units": {"Wolf": {"wavering": True}}},
        **host,
    )
    shot(LATER, {"to_hit": [4], "block": [1], "morale": [4]}, {"asked": ["tester"]}, **host)


def test_wizards() -> None:
    """A16-MAGIC-01, A16-MAGIC-02, A16-MAGIC-03, A2-MAGIC-01, A2-MAGIC-04"""
    assert steps_of(OURS, "casting") >= {magic.RollBest, magic.OpposeOne}
    ours = [step.name for step in OURS.procedures["casting"]]
    theirs = [step.name for step in THEIRS.procedures["casting"]]
    assert ours.index("cast.roll") < ours.index("cast.choose")
    assert theirs.index("cast.choose") < theirs.index("cast.roll")
    assert OURS.procedures["activation"][0].name == "act.cast"
