"""What the page shows: every unit has a distinct name, and a turn is shown as over only when it is."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import Pick
from shieldwall.core.engine import submit
from shieldwall.core.state import State
from shieldwall.server.log_lines import line_view, lines_of, rolls_of
from shieldwall.server.present import units_near
from shieldwall.server.setup import numbered_units
from shieldwall.story import Names, Story, StoryLine
from tests.odds.scenes import scene

TWINS = """
scenario: Twins
edition: regiments-3.5
spells: {Bolt: {cost: 1, range: 18, hits: 2}}
units:
  One: {side: A, rules: Caster(3), tokens: 3, spells: [Bolt], front: [24, 10]}
  Two: {side: A, models: 3, front: [30, 10]}
  Foe: {side: B, rules: Tough(6), front: [24, 20], facing: 180}
"""


def twins() -> State:
    _, state, _ = scene(TWINS)
    units = tuple(replace(unit, name="Wolves") if unit.side == 0 else unit for unit in state.units)
    return replace(state, units=numbered_units(units))


def test_units_of_one_name_are_numbered_and_others_are_not() -> None:
    state = twins()
    assert [unit.name for unit in state.units] == ["Wolves 1", "Wolves 2", "Foe"]
    assert Names(state).unit(0) == "Wolves 1", "not numbered twice"


def test_a_model_named_like_its_numbered_unit_is_one_of_it() -> None:
    state = twins()
    profiles = tuple(replace(profile, name="Wolves") for profile in state.profiles)
    named = Names(replace(state, profiles=profiles))
    assert named.member(1, state.units[1].models[0].id) == "one of Wolves 2"


def test_a_turn_is_not_called_over_while_a_spell_is_being_chosen() -> None:
    rules, state, _ = scene(TWINS)
    story = Story(state, dice=False)
    picked = submit(rules, state, Pick("u0"))
    assert lines_of(story, state, tuple(picked.events)) == (), "the sentence waits for what comes of it"
    state = picked.state
    chosen = submit(rules, state, Pick("cast"))
    assert not chosen.events
    assert lines_of(story, state, tuple(chosen.events)) == ()


def test_inches_on_the_page_have_the_mark_of_a_tape() -> None:
    line = StoryLine('Wolves rushed 3.8".', "move", (), 1, 0)
    assert line_view(line).text == "Wolves rushed 3.8″."


def test_dice_that_hope_for_low_faces_are_not_called_one_or_more() -> None:
    low = ev.ThrownPool((2, 5), ("stunned", "stunned", "stunned", "out", "out", "out"))
    high = ev.ThrownPool((2, 5), ("fail", "fail", "fail", "pass", "pass", "pass"))
    state = twins()
    rolls = (
        ev.Rolled("wound_effect", 0, (low,), cite="SK32-WOUND-01"),
        ev.Rolled("to_hit", 0, (high,), cite="R35-SHOOT-15"),
    )
    told = rolls_of(state, rolls)
    assert [roll.pools[0].needed for roll in told] == [0, 4]
    assert [[die.good for die in roll.pools[0].dice] for roll in told] == [[False, True], [True, False]]


def test_the_log_spells_its_dice_so_that_they_are_still_there_when_a_page_is_opened_again() -> None:
    state = twins()
    hit = ev.ThrownPool((2, 5, 6), ("fail", "fail", "fail", "pass", "pass", "pass"), "", 4)
    events: tuple[ev.AnyEvent, ...] = (
        ev.Rolled("to_hit", 0, (hit,), cite="R35-SHOOT-15"),
        ev.Hit(unit=0, target=2, hits=2, cite="R35-SHOOT-15"),
    )
    lines = lines_of(Story(state, dice=False), state, events)
    assert [line.thrown for line in lines] == ["to hit 4+: 6 5 | 2"]


def test_each_line_of_the_log_has_the_dice_that_it_tells_of() -> None:
    state = twins()
    high = ("fail", "fail", "fail", "pass", "pass", "pass")
    hit, block = ev.ThrownPool((5, 6), high, "", 4), ev.ThrownPool((1, 4), high, "", 4)
    nerve = ev.ThrownPool((2,), high, "", 4)
    events: tuple[ev.AnyEvent, ...] = (
        ev.Declared(unit=0, target=2, group="Spear", attacks=2, cite="R35-MELEE-18"),
        ev.Rolled("to_hit", 0, (hit,), cite="R35-MELEE-20"),
        ev.Hit(unit=0, target=2, hits=2, cite="R35-MELEE-20"),
        ev.Rolled("block", 0, (block,), cite="R35-MELEE-22"),
        ev.Blocked(unit=2, blocked=1, wounds=1),
        ev.Wounded(unit=2, model=state.units[2].models[0].id, wounds=1),
        ev.Rolled("morale", 0, (nerve,), cite="R35-MORALE-06"),
        ev.MoraleTested(unit=2, passed=False, why="melee"),
    )
    lines = lines_of(Story(state, dice=False), state, events)
    assert [line.thrown for line in lines] == [
        "to hit 4+: 6 5 | –; to block 4+: 4 | 1",
        "",
        "nerve 4+: – | 2",
    ]
    fear = ev.ThrownPool((3,), ("1", "2", "3", "4", "5", "6"))
    alone = lines_of(Story(state, dice=False), state, (ev.Rolled("fear", 0, (fear,)), ev.RoundEnded(1, 0)))
    assert [line.thrown for line in alone] == ["fear: 3"]


def test_a_broken_unit_is_not_advised_to_hold_a_marker() -> None:
    """R35-MORALE-18: shaken units do not seize, even if the position was already cached."""
    rules, state, _ = scene("""
scenario: A marker
edition: regiments-3.5
objectives: {Ford: [24, 13]}
units:
  Pikes: {side: A, models: 5, front: [24, 10]}
  Wolves: {side: B, models: 5, front: [24, 16], facing: 180}
""")
    assert units_near(rules, state, state.markers[0]) == (0, 1)
    fled = ev.Broke(unit=0).apply(state)
    assert units_near(rules, fled, fled.markers[0]) == (1,)
