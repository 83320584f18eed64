"""The thinking bots' evaluation: outcomes for units, paths as wide as a unit, markers, and when playouts overrule."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from second_round import second_round

from shieldwall.armies.demo import demo_setup
from shieldwall.bots.board_summary import BoardSummary, card_of
from shieldwall.bots.distance_field import ways_of
from shieldwall.bots.evaluation import Evaluation, EvaluationWeights, Standpoint, place_rows
from shieldwall.bots.movement import MoveWish, first_leg
from shieldwall.bots.outcome_estimates import OutcomeEstimate, by_blows, by_shots
from shieldwall.bots.plan import ActivationPlan
from shieldwall.bots.search import SearchCandidate
from shieldwall.bots.simulation.places import put_gaps
from shieldwall.core.state import Marker, Piece, State
from shieldwall.editions import ruleset

EDITION = "regiments-3.5"
RULES = ruleset(EDITION)
ARMY = 1000.0


@pytest.fixture(scope="module")
def middle() -> State:
    """A battle at the beginning of its second round."""
    return second_round(EDITION, 4, "solo").state


@given(few=st.floats(0, 12), more=st.floats(0, 12), behind=st.floats(-8, 8))
def test_more_wounds_never_make_a_unit_safer(middle: State, few: float, more: float, behind: float) -> None:
    unit = next(unit for unit in middle.units if unit.place == "table" and len(unit.models) >= 5)
    card = card_of(RULES, middle, unit)
    low, high = sorted((few, more))
    for weak, strong in (
        (by_shots(RULES, middle, unit, card, low), by_shots(RULES, middle, unit, card, high)),
        (
            by_blows(RULES, middle, unit, card, low, behind),
            by_blows(RULES, middle, unit, card, high, behind),
        ),
    ):
        for fate in (weak, strong):
            assert 0 <= fate.gone <= 1
            assert 0 <= fate.down <= 1
            assert fate.gone + fate.down <= 1 + 1e-9
        assert strong.gone >= weak.gone - 1e-9


def two_walls(gap: int) -> State:
    """A barrier across the whole table with one opening, and a marker behind it."""
    low = Piece(
        0, "Wall", "wall", ((30000, 0), (33000, 0), (33000, 20000), (30000, 20000)), 3000, ("impassable",)
    )
    top = 20000 + gap
    high = Piece(
        1, "Wall", "wall", ((30000, top), (33000, top), (33000, 48000), (30000, 48000)), 3000, ("impassable",)
    )
    return replace(demo_setup(EDITION, 1), pieces=(low, high), markers=(Marker(id=0, x=50000, y=8000),))


def test_a_gap_is_a_way_for_narrow_units_only() -> None:
    state = two_walls(4000)
    narrow, wide = ways_of(state, 0.5), ways_of(state, 3.5)
    assert narrow.distance(0, 10, 8) < 62
    assert wide.distance(0, 10, 8) > narrow.distance(0, 10, 8) + 15
    assert ways_of(state, 0.6) is narrow


def test_the_first_leg_leads_around_an_obstacle() -> None:
    state = two_walls(9000)
    wish = MoveWish(50, 8, None, 0)
    leg = first_leg(state, wish, 20, 8, 12, 0.5)
    ways = ways_of(state, 0.5)
    assert (leg.x, leg.y) != (wish.x, wish.y)
    assert ways.is_free(20, 8, leg.x, leg.y)
    assert ways.distance(0, leg.x, leg.y) < ways.distance(0, 20, 8) - 6
    assert first_leg(state, wish, 40, 8, 12, 0.5) is wish


def test_markers_gain_when_an_enemy_is_gone_and_never_when_a_friend_is(middle: State) -> None:
    sketch = BoardSummary(RULES, middle, 0)
    worth = Evaluation(sketch, EvaluationWeights())
    assert all(worth.gain(foe, down=False) >= -1e-6 for foe in sketch.foes)
    assert all(worth.gain(friend, down=False) <= 1e-6 for friend in sketch.friends)
    assert worth.by_fate(sketch.foes[0], OutcomeEstimate(0.0, 0.0)) == 0.0


def test_standing_at_a_free_marker_is_worth_more_than_standing_short_of_it(middle: State) -> None:
    free = replace(middle, markers=(Marker(id=0, x=36000, y=24000),))
    sketch = BoardSummary(RULES, free, 0)
    worth, seen = Evaluation(sketch, EvaluationWeights()), BoardSummary(RULES, free, 0).friends[0]
    there, short = Standpoint(36, 24, 0), Standpoint(36, 16, 0)
    gaps = np.empty((2, 1))
    for at, place in enumerate((there, short)):
        put_gaps(worth.terms, worth.weighed(seen), place_rows(seen, (place,)), 0, gaps[at])
    assert gaps[0, 0] < sketch.seize < gaps[1, 0]
    (at_marker, _), (near, _) = worth.at(seen, (there, short))
    assert at_marker > near


def test_a_carried_marker_counts_for_its_carriers_side_and_is_dropped_with_it(middle: State) -> None:
    units = [seen.unit.id for seen in BoardSummary(RULES, middle, 0).friends]
    carried = replace(middle, markers=(Marker(id=0, x=36000, y=24000, holder=0, carrier=units[0]),))
    mine, theirs = (
        Evaluation(BoardSummary(RULES, carried, 0), EvaluationWeights()),
        Evaluation(BoardSummary(RULES, carried, 1), EvaluationWeights()),
    )
    assert not mine.sketch.markers
    assert mine.now() > 0 > theirs.now()
    assert mine.gain(mine.sketch.seen[units[0]], down=False) < 0
    assert mine.gain(mine.sketch.seen[units[1]], down=False) == 0


def test_ones_own_marker_cannot_be_won_where_markers_are_destroyed(middle: State) -> None:
    own = Marker(id=0, x=36000, y=24000, owner=0)
    sabotage = replace(middle, mission="sabotage", markers=(own,))
    sketch = BoardSummary(RULES, sabotage, 0)
    worth = Evaluation(sketch, EvaluationWeights())
    assert worth.now() <= 0
    theirs = Evaluation(
        BoardSummary(RULES, replace(sabotage, markers=(replace(own, owner=1),)), 0), EvaluationWeights()
    )
    assert theirs.now() >= 0


def candidate(prior: float, *results: float) -> SearchCandidate:
    return SearchCandidate(ActivationPlan(0, "hold", "holds"), prior, list(results))


def test_only_clear_playouts_overrule_the_prior() -> None:
    best = candidate(100.0)
    assert candidate(80.0).lead(best, ARMY) == -20.0
    played = candidate(100.0, *([0.0] * 12))
    assert candidate(80.0, *([200.0] * 12)).lead(played, ARMY) > 0
    assert candidate(20.0, 60.0).lead(candidate(100.0, 0.0), ARMY) < 0
