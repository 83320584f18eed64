"""What the page is told about units after a step: everything that looks different, and nothing more."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.state import Effect, Marker, RuleRef, State
from shieldwall.rules.ruleset import Ruleset
from shieldwall.scenario.build import build, started
from shieldwall.scenario.load import load_text
from shieldwall.server.archive import PlayedCommand
from shieldwall.server.match import Began, CarriedOut
from shieldwall.server.present import board_view, score_of
from shieldwall.server.results import marker_stories
from shieldwall.server.storage import CommandRow

SCENE = """
scenario: Aboard
edition: aof-1.6
units:
  Barge: {side: A, stats: Q4+ D5+, rules: 'Tough(6), Transport(6)', at: [36, 10]}
  Pikes: {side: A, models: 3, stats: Q3+ D4+, at: [[36, 14], [37.2, 14], [38.4, 14]]}
  Wolves: {side: B, models: 2, stats: Q4+ D4+, at: [[36, 30], [37.2, 30]]}
"""


def scene() -> tuple[Ruleset, State]:
    loaded, faults = load_text(SCENE)
    assert not faults, faults
    scenario = loaded[0].scenario
    built = build(scenario)
    return built.ruleset, started(scenario, built)


def test_a_carrier_shows_its_passengers_although_only_they_changed() -> None:
    rules, before = scene()
    barge, pikes, wolves = before.units
    aboard = replace(pikes, place="inside", inside=barge.id, poses=())
    after = replace(before, units=(barge, aboard, wolves))
    told = {unit.name: unit for unit in board_view(rules, after, before).units}
    assert set(told) == {"Barge", "Pikes"}
    assert [(b.key, b.label, b.count) for b in told["Barge"].badges] == [("carrying", "Carries Pikes", 1)]
    back = {unit.name: unit for unit in board_view(rules, before, after).units}
    assert set(back) == {"Barge", "Pikes"}
    assert back["Barge"].badges == ()


def test_effects_say_what_they_lend_and_how_long() -> None:
    rules, before = scene()
    glazed = replace(before.units[1], effects=(Effect("Glaze", 0, "round", (RuleRef("Regeneration"),)),))
    after = replace(before, units=(before.units[0], glazed, before.units[2]))
    [pikes] = board_view(rules, after, before).units
    assert [b.label for b in pikes.badges] == ["Glaze: Regeneration until the round ends"]


def test_a_hero_who_joined_is_neither_carried_nor_lost() -> None:
    rules, alone = scene()
    barge, pikes, wolves = alone.units
    hero = replace(barge, models=barge.models[:1])
    before = replace(alone, units=(replace(hero, cost=40), replace(pikes, cost=60), wolves))
    after = ev.Attached(unit=pikes.id, joined=hero.id, slot=-1).apply(before)
    told = {unit.name: unit for unit in board_view(rules, after, before).units}
    assert [badge.key for badge in told["Pikes"].badges] == ["joined"]
    mine = score_of(after)[0]
    assert (mine.units_left, mine.units_start, mine.points_left) == (1, 1, 100)
    fallen = replace(after.units[pikes.id], models=pikes.models, attached=-1)
    left = score_of(replace(after, units=(after.units[0], fallen, wolves)))[0]
    assert (left.units_left, left.units_start, left.points_left) == (1, 1, 60)


def test_a_round_counts_the_markers_as_they_are_when_the_next_one_begins() -> None:
    rules, state = scene()
    bare = replace(state, markers=(Marker(0, 36000, 24000),), round=1)
    taken, lost = (replace(bare, markers=(Marker(0, 36000, 24000, holder=side),)) for side in (0, 1))
    steps: list[tuple[State, tuple[ev.AnyEvent, ...]]] = [
        (bare, (ev.RoundBegan(round=1, starter=0),)),
        (bare, (ev.RoundEnded(round=1, starter=0),)),  # a rout test is thrown before markers are counted
        (taken, (ev.MarkerFlipped(marker=0, holder=0, before=-1), ev.RoundBegan(round=2, starter=0))),
        (taken, (ev.RoundEnded(round=2, starter=0),)),
        (lost, (ev.MarkerFlipped(marker=0, holder=1, before=0), ev.GameEnded(winner=1, markers=(0, 1)))),
    ]
    row = CommandRow("g", 1, 0, "c", b"", "", b"", "", "")
    played = [
        PlayedCommand(row, Began(), bare, CarriedOut(after, events, (), None)) for after, events in steps
    ]
    [story] = marker_stories(rules, played, lost)
    assert story.by_round == (0, 1)


def test_a_marker_says_in_words_who_decided_it() -> None:
    """Held, left alone since, contested by both sides, or not counted yet when the battle ended."""
    rules, state = scene()
    spots = {"pikes": (36_000, 14_000), "far": (2_000, 2_000), "both": (37_000, 22_000)}
    markers = (
        Marker(0, *spots["pikes"], holder=0),
        Marker(1, *spots["far"], holder=0),
        Marker(2, *spots["pikes"]),
        Marker(3, *spots["far"]),
        Marker(4, *spots["both"]),
    )
    pikes, wolves = state.units[1], state.units[2]
    near = replace(wolves, poses=tuple(replace(pose, y=24_000) for pose in wolves.poses))
    ahead = replace(pikes, poses=tuple(replace(pose, y=20_000) for pose in pikes.poses))
    apart = replace(state, markers=markers)
    words = [story.words for story in marker_stories(rules, [], apart)]
    assert words[:4] == [
        "held by Pikes",
        "taken earlier, nobody near at the end",
        "not yet taken by Pikes",
        "nobody took it",
    ]
    met = replace(apart, units=(state.units[0], ahead, near))
    assert marker_stories(rules, [], met)[4].words == "contested by Pikes and Wolves"
