"""Every kind of event has a description."""

import typing

import pytest
from msgspec.structs import replace
from toy import toy_setup

from shieldwall.core import events as ev
from shieldwall.core.state import Effect, Model, Piece, Pose, RuleRef, Seat, State
from shieldwall.core.values import Mod, labels_from
from shieldwall.story import TELLERS, Names, tell
from shieldwall.story.story import KINDS

HIT_ROLL = ev.Rolled(
    purpose="to_hit",
    seat=0,
    rolls=(ev.ThrownPool((6, 1, 4, 3, 2, 5), labels_from(3), "Bow", 4, (Mod(1, "aim", "R35-DICE-18"),)),),
    cite="R35-SHOOT-15",
)

MILL = Piece(7, "Mill", "building", ((0, 0), (4000, 0), (4000, 4000), (0, 4000)))
HOUSE = replace(MILL, id=2, name="Building")  # numbers of pieces need not start at 0
STOOD = toy_setup().units[0].poses
TURNED = tuple(replace(pose, heading=9000) for pose in STOOD)

TOLD: list[tuple[ev.AnyEvent, str]] = [
    (HIT_ROLL, "To hit, Bow, 6 dice, 4+ (+1 aim): 6 5 4 3 | 2 1."),
    (ev.RolledOff(winner=1, purpose="first turn"), "Blue won the roll-off for first turn."),
    (
        ev.MarkerPlaced(marker=1, x=12500, y=24000, side=0),
        'Red put marker 2 down, 12.5" across and 24" up.',
    ),
    (ev.MarkerFlipped(marker=1, holder=0, before=1), "Red took marker 2 from Blue."),
    (ev.MarkerFlipped(marker=1, holder=-1, before=1), "Marker 2 is contested."),
    (ev.MissionChosen(mission="relic-hunt"), "The mission is Relic Hunt."),
    (ev.MarkerTaken(marker=1, unit=0), "Red Archers 1 picked up marker 2."),
    (
        ev.MarkerDropped(marker=1, x=12500, y=24000),
        'Marker 2 was dropped, 12.5" across and 24" up.',
    ),
    (ev.MarkerGone(marker=1, side=0), "Red destroyed marker 2."),
    (
        ev.SecretFound(unit=0, result=4, marker=1),
        "Red Archers 1 explored marker 2: the ground around it is difficult.",
    ),
    (
        ev.SecretFound(unit=0, result=1, marker=1),
        "Red Archers 1 explored marker 2: nothing special.",
    ),
    (
        ev.SecretFound(unit=0, result=6, piece=7),
        "Red Archers 1 explored Mill: units that charge into it fight worse.",
    ),
    (ev.Garrisoned(unit=0, piece=7), "Red Archers 1 went into Mill."),
    (ev.Garrisoned(unit=0, piece=2), "Red Archers 1 went into the building."),
    (ev.LeftBuilding(unit=0, piece=7, poses=STOOD), "Red Archers 1 came out of Mill."),
    (ev.EdgeChosen(side=0, edge="south"), "Red took the south edge."),
    (ev.FirstSideSet(side=1), "Blue deploys first and will have the first turn."),
    (ev.Attached(unit=0, joined=1, slot=0), "Red Archers 2 joined Red Archers 1."),
    (ev.HeldBack(unit=0, how="ambush"), "Red Archers 1 stayed off the table (ambush)."),
    (ev.HeldBack(unit=0, how="copy"), "Red Archers 1 will arrive in the next round."),
    (
        ev.LeftTable(unit=0, how="ambush"),
        "Red Archers 1 left the table, to come out of ambush in the next round.",
    ),
    (
        ev.CalledUp(unit=1, by=0, rule="Howl(Archers [2])"),
        "Red Archers 1 brought Red Archers 2 into the battle (Howl(Archers [2])).",
    ),
    (
        ev.UnitPlaced(unit=0, poses=(Pose(1000, 2000), Pose(3000, 2000)), how="copy"),
        'arrived at the edge of the table, 2" across',
    ),
    (
        ev.PickMade(unit=0, what="sergeant", value="melee"),
        "Red Archers 1 chose melee for their sergeant.",
    ),
    (
        ev.UnitPlaced(unit=0, poses=(Pose(1000, 2000), Pose(3000, 2000)), how="arrival"),
        'came out of ambush, 2" across',
    ),
    (ev.Boarded(unit=0, carrier=1), "Red Archers 1 got into Red Archers 2."),
    (
        ev.LeftCarrier(unit=0, carrier=1, poses=STOOD, how="advance"),
        "Red Archers 1 got out of Red Archers 2.",
    ),
    (ev.Wrecked(unit=1), "Red Archers 2 was wrecked with passengers inside."),
    (ev.SizesRecorded(units=(4, 1)), "Starting armies: Red 4 units and Blue 1 unit."),
    (ev.RostersRecorded(), "The models of every unit were recorded, as lost ones may come back."),
    (ev.RoundBegan(round=2, starter=1), "Round 2: Blue has the first turn."),
    (ev.RoundEnded(round=2, starter=0), "Round 2 is over."),
    (ev.TurnPassed(side=0), "It is Red's turn."),
    (
        ev.TurnGiven(unit=0, rule="Patience"),
        "Red Archers 1 (Red) passed the turn and may act later (Patience).",
    ),
    (
        ev.TurnGiven(unit=0, rule="Drum", to=1),
        "Red Archers 1 (Red) let Red Archers 2 act at once (Drum).",
    ),
    (ev.RanDry(side=0), "Red has no unit left to activate this round."),
    (ev.Activated(unit=5), "Blue Archers 2 (Blue) took their turn."),
    (ev.ActionChosen(unit=5, action="rush"), "Blue Archers 2 (Blue) rushed."),
    (ev.ActivationEnded(unit=5), "Blue Archers 2 finished."),
    (ev.Moved(unit=0, poses=(Pose(0, 0),), used=5500, how="advance"), 'Red Archers 1 advanced 5.5".'),
    (ev.Moved(unit=0, poses=TURNED, used=0, how="pivot"), "Red Archers 1 turned."),
    (ev.Moved(unit=0, poses=(Pose(0, 0),), used=0, how="advance"), "Red Archers 1 set out."),
    (ev.Moved(unit=0, poses=STOOD, used=0, how="advance"), "Red Archers 1 stayed where they were."),
    (ev.Moved(unit=0, poses=(Pose(0, 0),), used=0, how="fall"), "Red Archers 1 landed at the bottom."),
    (ev.Moved(unit=0, poses=(Pose(0, 0),), used=2000, how="push"), 'Red Archers 1 got pushed 2".'),
    (
        ev.Moved(unit=0, poses=(Pose(0, 0),), used=3000, how="spell"),
        'Red Archers 1 was moved 3" by the spell.',
    ),
    (
        ev.Moved(unit=0, poses=(Pose(0, 0),), used=2600, how="react"),
        'Red Archers 1 moved 2.6" into contact with the charger.',
    ),
    (ev.Moved(unit=0, poses=(Pose(0, 0),), used=3000, how="rule"), 'Red Archers 1 moved again, 3".'),
    (ev.Moved(unit=0, poses=(Pose(0, 0),), used=3000, how="led"), 'Red Archers 1 was moved 3".'),
    (ev.Aligned(unit=0, pose=Pose(0, 0), target=4, target_pose=Pose(0, 0), arc="rear"), "in the rear"),
    (ev.ChargeFailed(unit=0, target=4, why="the way was blocked"), "fell short: the way was blocked."),
    (ev.Declared(unit=0, target=4, group="Bow", attacks=6), "Red Archers 1 shot at Blue Archers 1 with Bow."),
    (ev.Declared(unit=0, target=4, group="Knife", attacks=6), "struck at Blue Archers 1 with Knife."),
    (ev.Declared(unit=0, target=4, group="charge", attacks=0), "Red Archers 1 charged Blue Archers 1."),
    (
        ev.VolleyLost(unit=0, target=4, group="Bow"),
        "Bow of Red Archers 1 had no target left in Blue Archers 1.",
    ),
    (ev.Hit(unit=0, target=4, hits=1), "Red Archers 1 scored 1 hit on Blue Archers 1."),
    (ev.Blocked(unit=4, blocked=2, wounds=3), "Blue Archers 1 blocked 2 and took 3 wounds."),
    (ev.Blocked(unit=4, blocked=0, wounds=1), "Blue Archers 1 blocked none and took 1 wound."),
    (ev.Blocked(unit=4, blocked=3, wounds=0), "Blue Archers 1 blocked all 3."),
    (ev.Blocked(unit=4, blocked=1, wounds=0), "Blue Archers 1 blocked it."),
    (ev.Ignored(unit=4, wounds=1), "Blue Archers 1 shrugged off 1 wound."),
    (ev.Wounded(unit=4, model=12, wounds=1), "Archer of Blue Archers 1 took 1 wound (1 of 1)."),
    (ev.Wounded(unit=4, model=12, wounds=3), "took 3 wounds (2 more than it can take)."),
    (ev.Removed(unit=4, models=(12, 13), cause="wounds"), "Blue Archers 1: 2 × Archer fell, 1 left."),
    (ev.Removed(unit=4, models=(12,), cause="danger"), "Archer was lost to dangerous ground, 2 left."),
    (ev.Destroyed(unit=4, cause="wounds"), "That was the last of Blue Archers 1."),
    (ev.Destroyed(unit=4, cause="routed"), "Blue Archers 1 routed."),
    (ev.Stunned(unit=4, models=(12,)), "Blue Archers 1: Archer was stunned."),
    (ev.Recovered(unit=4), "Blue Archers 1 recovered."),
    (ev.Broke(unit=4), "Blue Archers 1 lost their nerve."),
    (
        ev.MoraleTested(unit=4, passed=True, why="wounds"),
        "Blue Archers 1 passed a morale test (after wounds).",
    ),
    (ev.Tired(unit=4), "Blue Archers 1 became fatigued."),
    (ev.Tired(unit=4, models=(12, 13)), "Blue Archers 1: 2 × Archer became fatigued."),
    (ev.Tired(unit=4, models=(12, 13, 14)), "Blue Archers 1 became fatigued."),
    (ev.Rested(), "Fatigue ended for all units."),
    (ev.MeleeScored(unit=0, score=2, target=4, target_score=5), "Blue Archers 1 won the melee, 5 to 2."),
    (ev.MeleeScored(unit=0, score=2, target=4, target_score=2), "was a draw at 2."),
    (ev.TokensGained(unit=0, model=0, now=3), "Archer of Red Archers 1 holds 3 spell tokens."),
    (ev.TokensSpent(unit=0, model=0, tokens=1, push=-1), "spent 1 spell token (-1 to the casting roll)."),
    (
        ev.SpellCast(unit=0, model=0, spell="Gust", targets=(4, 5), worked=True),
        "cast Gust on Blue Archers 1 and Blue",
    ),
    (ev.SpellCast(unit=0, model=0, spell="Gust", targets=(4,), worked=False), "failed to cast Gust on Blue"),
    (ev.SpellOpposed(unit=0, model=0, spell="Gust", stopped=True), "stopped Gust."),
    (ev.SpellOpposed(unit=0, model=0, spell="Gust", stopped=False), "could not stop Gust."),
    (
        ev.EffectBegan(unit=4, effect=Effect("Haste", 0, "round")),
        "Haste lies on Blue Archers 1 until the round ends.",
    ),
    (
        ev.EffectBegan(unit=4, effect=Effect("Haste", 0, "melee", (RuleRef("Fast"), RuleRef("Impact", 2)))),
        "Haste lends Blue Archers 1 Fast, Impact(2) for this melee.",
    ),
    (
        ev.EffectBegan(unit=4, effect=Effect("Harbour Light", 0, "round", (RuleRef("To Hit", 1),))),
        "Harbour Light lends Blue Archers 1 +1 to hit until the round ends.",
    ),
    (ev.EffectEnded(unit=4, until="round"), "Effects on Blue Archers 1 ended with the round."),
    (ev.EffectEnded(unit=4, until="once", name="War Cry"), "War Cry on Blue Archers 1 was used up."),
    (ev.Healed(unit=0, model=0, wounds=1), "Archer of Red Archers 1 recovered from 1 wound."),
    (ev.Restored(unit=0, models=(Model(0, 0),)), "Red Archers 1 got back 1 model."),
    (ev.Restored(unit=0, models=(Model(0, 0), Model(1, 0))), "Red Archers 1 got back 2 models."),
    (ev.TokensGained(unit=0, model=0, now=0), "Archer of Red Archers 1 has no spell token left."),
    (ev.WeaponUsed(unit=0, model=0, key="weapon 0"), "Archer of Red Archers 1 used Bow."),
    (ev.WeaponUsed(unit=0, model=0, key="cast"), "Archer of Red Archers 1 tried a spell."),
    (ev.WeaponUsed(unit=0, model=-1, key="Fire"), "Red Archers 1 used Fire."),
    (ev.Jumped(unit=0, model=0, landed=False), "jumped and missed the landing."),
    (ev.Fell(unit=0, model=0, height=4000), 'Archer of Red Archers 1 fell 4".'),
    (ev.Ruled(question="hills", ruling="cover"), "The players settled 'hills': cover."),
    (ev.GameEnded(winner=0, markers=(3, 1)), "Red won the battle, 3 to 1 markers."),
    (ev.GameEnded(winner=1, markers=(1, 3)), "Blue won the battle, 3 to 1 markers."),
    (ev.GameEnded(winner=-1, markers=(1, 1)), "The battle ended in a draw, 1 to 1 markers."),
]


@pytest.mark.parametrize(("event", "words"), TOLD, ids=lambda value: type(value).__name__)
def test_an_event_is_described_in_plain_words(event: ev.AnyEvent, words: str) -> None:
    told = tell(event, replace(toy_setup(), pieces=(MILL, HOUSE)))
    assert words in told
    assert told.endswith(".")
    assert told[0].isupper()


def test_every_event_type_has_an_entry_in_the_table() -> None:
    kinds = set(typing.get_args(ev.AnyEvent))
    assert set(TELLERS) == kinds
    assert set(KINDS) <= kinds


def test_every_event_type_is_tried_here() -> None:
    assert {type(event) for event, _ in TOLD} == set(typing.get_args(ev.AnyEvent))


def test_units_of_the_same_name_are_numbered() -> None:
    state = renamed(toy_setup(2), {0: "Wolves", 1: "Wolves", 2: "Wolves", 3: "Giant"})
    names = Names(state)
    assert [names.unit(i) for i in range(4)] == ["Red's Wolves 1", "Red's Wolves 2", "Blue's Wolves", "Giant"]


def renamed(state: State, names: dict[int, str]) -> State:
    return replace(state, units=tuple(replace(unit, name=names[unit.id]) for unit in state.units))


def test_a_side_of_several_players_is_named_by_all_of_them() -> None:
    state = replace(toy_setup(), seats=(Seat(0, "Ann"), Seat(0, "Ben"), Seat(1, "Cleo")))
    assert Names(state).side(0) == "Ann and Ben"


def test_rolls_that_are_no_tests_show_all_faces_as_thrown() -> None:
    faces = ("1", "2", "3", "4", "5", "6")
    rolled = ev.Rolled(
        purpose="roll_off", seat=0, rolls=(ev.ThrownPool((3,), faces), ev.ThrownPool((5,), faces))
    )
    assert tell(rolled, toy_setup()) == "Roll-off: 3 against 5."


def test_pools_thrown_together_keep_their_weapons_apart() -> None:
    """R35-DICE-06"""
    pools = (
        ev.ThrownPool((2, 4, 6), labels_from(4), "Rifle", 4),
        ev.ThrownPool((5,), labels_from(4), "Cannon", 4),
    )
    rolled = ev.Rolled(purpose="to_hit", seat=0, rolls=pools)
    assert tell(rolled, toy_setup()) == "To hit: Rifle, 3 dice, 4+: 6 4 | 2; Cannon, 1 die, 4+: 5 | -."


def test_a_lone_model_called_like_its_unit_is_named_once() -> None:
    state = renamed(toy_setup(1, 1), {0: "Archer", 1: "Giant"})
    assert tell(ev.Fell(unit=0, model=0, height=2000), state) == 'Archer fell 2".'
    assert tell(ev.Removed(unit=0, models=(0,), cause="wounds"), state) == "Archer fell."
    assert tell(ev.Removed(unit=1, models=(1,), cause="wounds"), state) == "Giant: Archer fell."


def test_models_called_like_their_unit_are_counted() -> None:
    state = renamed(toy_setup(1, 4), {0: "Archer", 1: "Giant"})
    assert tell(ev.Removed(unit=0, models=(0, 1), cause="wounds"), state) == "Archer: 2 fell, 2 left."
    assert tell(ev.Wounded(unit=0, model=1, wounds=1), state) == "One of Archer took 1 wound (1 of 1)."
