"""Playouts: what they must get right, whatever their weights."""

from collections import Counter
from typing import ClassVar

import numpy as np
import pytest
from msgspec.structs import replace
from playout_scene import battle, ends
from second_round import FoundError, second_round

from shieldwall.bots import numbers_for
from shieldwall.bots.board_summary import BoardSummary
from shieldwall.bots.commander import BotTurn
from shieldwall.bots.evaluation import Evaluation
from shieldwall.bots.greedy import EXPENSIVE, FINALISTS, GreedyBot
from shieldwall.bots.movement import Route
from shieldwall.bots.plan import ActivationPlan, ExpectedHarm
from shieldwall.bots.playouts import Playouts
from shieldwall.bots.simulation.battle import (
    ACTED,
    ALIVE,
    DOWN,
    FAILS,
    MODELS,
    WHOLE,
    WOUNDS,
    Deed,
    SimulatedForces,
    Standing,
    finish_off,
    look_up,
    strength,
)
from shieldwall.bots.successive_halving import TRUST, Idea, end_of, play_off, told
from shieldwall.core.answers import Walk
from shieldwall.core.pending import Choice
from shieldwall.core.state import State
from shieldwall.editions import ruleset

EDITION = "regiments-3.5"


def nothing_struck(unit: int, x: float, y: float) -> Deed:
    return Deed(unit, x, y, np.zeros(0, dtype=np.int64), np.zeros((0, 3)))


def test_a_unit_alone_near_a_marker_gets_it() -> None:
    forces, start = battle([(0, 10.0, 10.0), (1, 50.0, 50.0)], [(10.0, 18.0)], strikes=0.0)
    assert (ends(forces, start, rounds_left=0)[:, 0] == 1).all()


def test_nobody_gets_a_marker_that_is_too_far_away() -> None:
    forces, start = battle([(0, 10.0, 10.0), (1, 50.0, 50.0)], [(10.0, 55.0)])
    assert (ends(forces, start, rounds_left=0)[:, 0] == 0).all()


def test_a_marker_that_both_stand_at_is_nobodys() -> None:
    forces, start = battle([(0, 10.0, 10.0), (1, 10.0, 13.0)], [(10.0, 11.5)])
    assert (ends(forces, start, rounds_left=0)[:, 0] == 0).all()


@pytest.mark.parametrize(("lasts", "lead"), [(True, 1), (False, 0)])
def test_a_marker_left_alone_stays_ours_where_control_lasts(lasts: bool, lead: int) -> None:
    forces, start = battle([(0, 50.0, 50.0), (1, 50.0, 58.0)], [(5.0, 5.0)])
    start.holders[0] = 0
    assert (ends(forces, start, rounds_left=0, lasts=lasts)[:, 0] == lead).all()


def test_units_that_have_acted_stay_put_for_the_round() -> None:
    forces, start = battle([(0, 10.0, 10.0), (1, 50.0, 50.0)], [(10.0, 18.0)])
    start.marks[ACTED, 0] = 1
    assert (ends(forces, start, rounds_left=0)[:, 0] == 0).all()


def test_the_chosen_action_is_played_before_the_rest() -> None:
    forces, start = battle([(0, 10.0, 10.0), (1, 50.0, 50.0)], [(30.0, 10.0)])
    assert (ends(forces, start, nothing_struck(0, 10.0, 10.0), rounds_left=0)[:, 0] == 0).all()
    assert (ends(forces, start, nothing_struck(0, 29.0, 10.0), rounds_left=0)[:, 0] == 1).all()


def test_destroyed_units_hold_nothing_and_lose_their_points() -> None:
    forces, start = battle([(0, 10.0, 10.0), (1, 30.0, 30.0)], [(30.0, 30.0)])
    struck = np.array([1], dtype=np.int64)
    spared = ends(forces, start, Deed(0, 10.0, 10.0, struck, np.array([[0.0, 0.0, 0.0]])), rounds_left=0)
    gone = ends(forces, start, Deed(0, 10.0, 10.0, struck, np.array([[1.0, 0.0, 0.0]])), rounds_left=0)
    assert (spared[:, 0] == -1).all()
    assert (gone[:, 0] == 0).all()
    assert (gone[:, 1] == 100.0).all()  # ten wounds at ten points each, nobody against them
    assert (spared[:, 1] == 0.0).all()


def test_the_stronger_side_is_ahead_on_average() -> None:
    forces, start = battle([(0, 20.0, 10.0), (0, 26.0, 10.0), (1, 23.0, 30.0)], [(23.0, 20.0)], strikes=4.0)
    assert ends(forces, start, rounds_left=2, many=200)[:, 0].mean() > 0.2


@pytest.fixture(scope="module")
def found() -> FoundError:
    """A battle in its second round, and the question that is asked."""
    return second_round(EDITION, 4)


@pytest.fixture(scope="module")
def state(found: FoundError) -> State:
    return found.state


def test_playouts_repeat_with_the_same_numbers_and_reward_damage(state: State) -> None:
    sketch = BoardSummary(ruleset(EDITION), state, 0)
    friend, foe = sketch.friends[0], max(sketch.foes, key=lambda seen: seen.card.value)
    rout = [ExpectedHarm(foe.unit.id, 1.0, 0.0, 0.0)]

    def value(harms: list[ExpectedHarm], luck: str = "luck") -> float:
        return Playouts(sketch, numbers_for(luck, 0)).value(friend.unit.id, friend.x, friend.y, harms, 0, 24)

    assert value([]) == value([])
    assert value([]) != value([], "other luck")
    assert value(rout) > value([])
    assert value([*rout, ExpectedHarm(10_000, 1.0, 0.0, 0.0)]) == value(
        rout
    )  # who is not on the table is not looked for


def test_ideas_are_compared_and_listed_best_first(state: State) -> None:
    sketch = BoardSummary(ruleset(EDITION), state, 0)
    plans = [ActivationPlan(seen.unit.id, "hold", f"{seen.unit.name} holds") for seen in sketch.friends[:4]]
    ideas = [Idea(sketch, 5000.0 * (at == 2), plan) for at, plan in enumerate(plans)]
    order = play_off(ideas, Playouts(sketch, numbers_for("off", 0)), 2)
    assert order[0].plan is plans[2]  # its prior outweighs whatever luck brings
    assert [idea.battles for idea in order] == [6, 6, 2, 2]
    shown = told(order)
    assert shown[0].score == max(plan.score for plan in shown)
    assert shown[0].parts[-1][0] == "6 battles"
    assert shown[0].score == pytest.approx(TRUST * 5000.0 + order[0].mean)


def test_a_plan_ends_where_its_path_does_or_is_expected_to(state: State) -> None:
    sketch = BoardSummary(ruleset(EDITION), state, 0)
    seen = sketch.friends[0]
    plan = ActivationPlan(seen.unit.id, "advance", "advances", end=(3.0, 4.0))
    assert end_of(sketch, plan) == (3.0, 4.0)
    assert end_of(sketch, replace(plan, route=Route(Walk(), 5.0, 6.0, 0, True))) == (5.0, 6.0)
    assert end_of(sketch, replace(plan, end=None)) == (seen.x, seen.y)


class Hasty(GreedyBot):
    """A greedy bot with few playouts."""

    glances: ClassVar[int] = 1


def test_the_greedy_bot_looks_at_few_ideas_of_many_units(found: FoundError) -> None:
    bot = Hasty(battles=1)
    decision, state = found.decision, found.state
    assert isinstance(decision, Choice)
    units = [state.units[option.unit] for option in decision.options]
    order = bot.foreseen(BotTurn(ruleset(EDITION), state, decision, numbers_for("look", 0)), units)
    counts = Counter(idea.plan.unit for idea in order)
    assert 2 <= len(order) <= bot.ideas_looked_at
    assert max(counts.values()) <= bot.ideas_each
    assert len(counts) > 1
    walks = [idea.plan for idea in order if idea.plan.action in ("advance", "rush")]
    assert all(plan.route is not None for plan in walks)


def lone_models(wounds: float, harm: float) -> tuple[SimulatedForces, Standing]:
    """Two lone models of opposite sides, far apart, with these wounds and this damage."""
    forces, start = battle([(0, 10.0, 10.0), (1, 20.0, 10.0)], [(30.0, 30.0)], strikes=harm)
    forces.stats[MODELS], forces.stats[WHOLE], start.bodies[WOUNDS] = 1.0, max(1.0, wounds), wounds
    return forces, start


def falls(wounds: float, taken: int, many: int = 1200) -> float:
    """How often a model with so many wounds falls after taking some, over all luck."""
    _, start = lone_models(wounds, 1.0)
    gone = 0
    for _ in range(many):
        start.bodies[WOUNDS, 1], start.marks[ALIVE, 1], start.marks[DOWN, 1] = wounds, 1, 0
        look_up(start, 1, taken)
        gone += int(start.marks[ALIVE, 1] == 0)
    return gone / many


@pytest.mark.parametrize(
    ("wounds", "taken", "chance"),
    [(1.0, 1, 2 / 6), (1.0, 2, 3 / 6), (0.0, 1, 3 / 6), (3.0, 2, 0.0), (3.0, 3, 2 / 6), (1.0, 5, 1.0)],
)
def test_playouts_lose_the_last_model_by_the_wound_table(wounds: float, taken: int, chance: float) -> None:
    assert falls(wounds, taken) == pytest.approx(chance, abs=0.04)


def test_groups_lose_models_in_playouts_and_strike_with_the_rest() -> None:
    forces, start = lone_models(3.0, 1.0)
    forces.stats[MODELS] = 3.0
    assert strength(forces, start, 1) == 1.0
    look_up(start, 1, 1)
    assert strength(forces, start, 1) == pytest.approx(2 / 3)
    assert (start.marks[ALIVE, 1], start.marks[DOWN, 1]) == (1, 0)


@pytest.mark.parametrize(("wounds", "alive"), [(0.0, 0), (-1.0, 0), (2.0, 1)])
def test_a_stunned_model_charged_in_a_playout_dies_unless_tough(wounds: float, alive: int) -> None:
    _, start = lone_models(wounds, 1.0)
    start.marks[DOWN, 1] = 1
    finish_off(start, 1)
    assert start.marks[ALIVE, 1] == alive


@pytest.mark.parametrize(("half", "lead"), [(0.5, -1), (1.0, 0)])
def test_an_army_at_half_strength_may_rout_in_playouts(half: float, lead: int) -> None:
    forces, start = battle([(0, 10.0, 10.0), (1, 40.0, 40.0)], [(40.0, 40.0)])
    forces.stats[MODELS], forces.stats[FAILS] = 1.0, 1.0
    assert (ends(forces, start, rounds_left=0, halves=(0.0, half))[:, 0] == lead).all()


class Weighing(GreedyBot):
    """A greedy bot that notes which charges it evaluates by exact odds, and finds them worthless."""

    def __init__(self) -> None:
        super().__init__(battles=2)
        self.weighed: list[int] = []

    def _charge(self, ask: BotTurn, worth: Evaluation, plan: ActivationPlan) -> ActivationPlan:
        self.weighed.append(plan.unit)
        return replace(plan, score=plan.score - 10_000.0)


def test_charges_of_many_models_get_exact_odds_only_among_the_best_ideas(found: FoundError) -> None:
    ask = BotTurn(ruleset(EDITION), found.state, found.decision, numbers_for("odds", 0))
    sketch, bot = ask.sketch, Weighing()
    foe = max((seen.unit for seen in sketch.foes), key=lambda unit: len(unit.models))
    many = [seen for seen in sketch.friends if len(seen.unit.models) + len(foe.models) >= EXPENSIVE]
    assert len(many) >= 3
    ideas = [
        Idea(
            sketch,
            500.0 - at,
            ActivationPlan(seen.unit.id, "charge", "charges", target=foe.id, end=(seen.x, seen.y)),
        )
        for at, seen in enumerate(many[:3])
    ]
    order = bot._by_odds(ask, Evaluation(sketch, bot.weights), Playouts(sketch, ask.numbers), ideas)
    assert bot.weighed == [seen.unit.id for seen in many[:FINALISTS]]
    assert [idea.plan.score < -5_000 for idea in order] == [True, True, False]
    assert all(idea.battles == bot.battles for idea in order[:FINALISTS])
