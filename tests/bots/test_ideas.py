"""The parts of thinking bots: mean damage, routes around terrain, legal paths, assignments, settings."""

import math
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from shieldwall.armies.demo import demo_setup
from shieldwall.bots import numbers_for, play_game, policy
from shieldwall.bots.board_summary import BoardSummary, spot_of
from shieldwall.bots.distance_field import ways_of
from shieldwall.bots.evaluation import Evaluation, EvaluationWeights, Standpoint
from shieldwall.bots.expected_damage import melee_wounds, shooting_wounds
from shieldwall.bots.greedy import GreedyBot
from shieldwall.bots.movement import MoveWish, end_of, route
from shieldwall.bots.registry import BotSettingError
from shieldwall.bots.search import SearchBot
from shieldwall.core.answers import AnyAnswer, March
from shieldwall.core.engine import Progress
from shieldwall.core.pending import Choice, Decision, Pending
from shieldwall.core.state import Marker, Piece, State, Unit
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset
from shieldwall.odds import preview
from shieldwall.rules.features.block_limits import march_limits
from shieldwall.rules.steps.targets import Targets
from shieldwall.table.block_moves import check_march
from shieldwall.table.formations import block_pose

EDITION = "regiments-3.5"


class Stops:
    """Keeps the states in which an activation was asked for."""

    def __init__(self) -> None:
        self.found: list[tuple[State, Decision]] = []

    def began(self, progress: Progress) -> None:
        """Nothing yet."""

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        if isinstance(pending, Choice) and pending.kind == "activate":
            self.found.append((before, pending))


@pytest.fixture(scope="module")
def stops() -> list[tuple[State, Decision]]:
    notes = Stops()
    bots = [policy("solo"), policy("solo")]
    play_game(
        ruleset(EDITION), demo_setup(EDITION, 9), bots, SeededDice.from_seed(9), seed=9, watchers=[notes]
    )
    return notes.found


def test_mean_wounds_are_those_of_the_exact_odds(stops: list[tuple[State, Decision]]) -> None:
    """For one weapon group firing from where its unit stands, the estimate equals the exact mean."""
    rules, met = ruleset(EDITION), 0
    for state, _ in stops[:: max(1, len(stops) // 12)]:
        for unit in state.units:
            if unit.place != "table" or not unit.models:
                continue
            question = Targets(rules, state, unit)
            if not question.has_any or len(question.groups) != 1:
                continue
            (key, target), bearers = next(iter(question.legal.items()))
            group = question.groups[key]
            if len(bearers) != len(group.bearers) or question.aiming[key].picks_model:
                continue
            exact = preview(rules, state, unit.id, "hold", target=target)
            brief = next(one for one in exact.targets if one.unit == target)
            foe = state.units[target]
            if brief.destroyed > 0.01:
                continue  # wounds beyond the last model are lost
            near = min(distance for _, distance in bearers) / 1000
            guessed = [
                shooting_wounds(rules, state, unit, foe, near),
                shooting_wounds(rules, state, replace(unit), foe, near),
            ]
            assert guessed[0] == guessed[1]
            assert (
                brief.wounds <= guessed[0] * 1.35 + 0.05
            )  # the plain estimate ignores cover and standing still
            assert brief.wounds >= guessed[0] * 0.4 - 0.05
            met += 1
    assert met >= 3


def test_a_charge_that_hits_harder_is_guessed_to_hurt_more(stops: list[tuple[State, Decision]]) -> None:
    rules = ruleset(EDITION)
    state, _ = stops[0]
    mine = [u for u in state.units if u.side == 0 and u.place == "table" and len(u.models) > 2]
    foe = next(u for u in state.units if u.side == 1 and u.place == "table")
    for unit in mine:
        whole = melee_wounds(rules, state, unit, foe)
        half = melee_wounds(rules, state, replace(unit, models=unit.models[: len(unit.models) // 2]), foe)
        assert half <= whole


@settings(max_examples=40, deadline=None)
@given(at=st.integers(0, 10**6), x=st.floats(1, 71), y=st.floats(1, 47), facing=st.integers(0, 35999))
def test_every_route_is_legal_and_ends_where_it_says(
    stops: list[tuple[State, Decision]], at: int, x: float, y: float, facing: int
) -> None:
    rules = ruleset(EDITION)
    state, _ = stops[at % len(stops)]
    units = [unit for unit in state.units if unit.place == "table" and unit.models]
    unit = units[at // 7 % len(units)]
    action = ("advance", "rush", "hold")[at % 3]
    found = route(rules, state, unit, action, MoveWish(x, y, facing))
    assert isinstance(found.answer, March)
    result = check_march(state, unit.id, found.answer.legs, march_limits(rules, state, unit, action))
    assert not found.answer.legs or result.is_legal
    end = end_of(block_pose(unit), found.answer.legs)
    assert math.hypot(end.x / 1000 - found.x, end.y / 1000 - found.y) < 0.01
    assert end.heading == found.heading


def test_routes_lead_around_impassable_terrain() -> None:
    wall = Piece(
        0, "Wall", "wall", ((20000, 0), (22000, 0), (22000, 40000), (20000, 40000)), 3000, ("impassable",)
    )
    state = replace(demo_setup(EDITION, 1), pieces=(wall,), markers=(Marker(id=0, x=36000, y=6000),))
    ways = ways_of(state)
    assert ways.distance(0, 30, 6) == pytest.approx(6, abs=1.6)
    assert ways.distance(0, 10, 6) > 60  # up to the end of the wall and down again; the ruler says 26
    assert ways.distance(0, 10, 46) < ways.distance(0, 10, 6)


def test_being_at_a_marker_is_worth_more_than_being_near_it(stops: list[tuple[State, Decision]]) -> None:
    rules = ruleset(EDITION)
    state, _ = stops[-1]
    side = 0
    sketch = BoardSummary(rules, state, side)
    worth = Evaluation(sketch, EvaluationWeights())
    foes_gone = [foe for foe in sketch.foes if not foe.unit.broken]
    assert foes_gone is not None
    for marker in sketch.markers:
        if any(gap <= 12 for gap, _ in sketch.near(marker)):
            continue
        seen = sketch.friends[0]
        spots = [Standpoint(marker.x / 1000, marker.y / 1000 + off, 0) for off in (0, 9)]
        (there, _), (away, _) = worth.at(seen, spots)
        assert there >= away


@pytest.mark.parametrize(
    "bad", ["search:depth=3", "search:seconds=0", "search:seconds=soon", "solo:speed=2", "greedy:battles=0"]
)
def test_unknown_bot_settings_are_refused_with_a_message(bad: str) -> None:
    with pytest.raises(BotSettingError):
        policy(bad)


def test_settings_reach_the_bots() -> None:
    greedy = policy("greedy:battles=5")
    assert isinstance(greedy, GreedyBot)
    assert greedy.battles == 5
    bot = policy("search:playouts=7")
    assert isinstance(bot, SearchBot)
    assert (bot.playouts, bot.seconds) == (7, 0.0)
    timed = policy("search:seconds=0.25")
    assert isinstance(timed, SearchBot)
    assert timed.seconds == 0.25


class HastySearch(SearchBot):
    """A search bot with few playouts."""

    glances: ClassVar[int] = 1

    def __init__(self, playouts: int) -> None:
        super().__init__(0, playouts)
        self.battles = 2


class HastyGreedy(GreedyBot):
    """A greedy bot with few playouts."""

    glances: ClassVar[int] = 1


@pytest.mark.slow
def test_search_repeats_its_answers_and_only_makes_legal_plans(stops: list[tuple[State, Decision]]) -> None:
    for (state, decision), plays in ((stops[len(stops) // 2], False), (stops[-3], True)):
        bots = [HastySearch(playouts=6), HastySearch(playouts=6)]
        answers = [bot.decide(state, decision, numbers_for("again", decision.seat)) for bot in bots]
        assert answers[0] == answers[1]
        assert not decision.check(answers[0])
        assert bots[0].thought is not None
        told = [name for one in bots[0].thought.considered for name, _ in one.parts]
        assert any("playouts" in name for name in told) == plays, "in the last round alone"


@pytest.mark.slow
def test_the_greedy_bot_looks_at_every_urgent_unit_once_before_any_twice(
    stops: list[tuple[State, Decision]],
) -> None:
    state, decision = stops[len(stops) // 2]
    assert isinstance(decision, Choice)
    bot = HastyGreedy(battles=2)
    bot.decide(state, decision, numbers_for("look", decision.seat))
    assert bot.thought is not None
    assert bot.thought.considered[0].parts
    assert all(math.isfinite(one.score) for one in bot.thought.considered)


def test_the_middle_of_a_block_is_where_it_stands(stops: list[tuple[State, Decision]]) -> None:
    unit: Unit = next(u for u in stops[0][0].units if u.block is not None and u.place == "table")
    assert unit.block is not None
    assert spot_of(unit) == (unit.block.x / 1000, unit.block.y / 1000)
