"""Routes that bots cache equal fresh ones, and places get the same values compiled and plain."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from second_round import second_round

from shieldwall.armies.demo import demo_setup
from shieldwall.bots import movement, play_game
from shieldwall.bots.board_summary import BoardSummary
from shieldwall.bots.evaluation import Evaluation, EvaluationWeights, Standpoint
from shieldwall.bots.movement import MoveWish, Route, route
from shieldwall.bots.tactician import TacticianBot
from shieldwall.core.state import State, Unit, with_unit
from shieldwall.dice.seeded import SeededDice
from shieldwall.editions import ruleset


@pytest.mark.parametrize("edition", ["regiments-3.5", "aof-2", "skirmish-3.2"])
def test_a_cached_route_equals_a_fresh_search(edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    remembered, found = movement._remembered, [0, 0]

    def compared(
        state: State, unit: Unit, limits: object, wish: MoveWish, reach: float, find: Callable[[], Route]
    ) -> Route:
        asked = []

        def noted() -> Route:
            asked.append(wish)
            return find()

        known = remembered(state, unit, limits, wish, reach, noted)  # type: ignore[arg-type]
        if not asked:
            assert known == find()
        found[not asked] += 1
        return known

    monkeypatch.setattr(movement, "_remembered", compared)
    bots = (TacticianBot(3), TacticianBot(3))
    play_game(ruleset(edition), demo_setup(edition, 3), bots, SeededDice.from_seed(3), seed=3)
    assert found[0]
    assert found[1] >= 10, "hardly any route was remembered, so hardly any was compared"


def test_a_route_is_searched_again_once_a_nearby_unit_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A move nearby makes a unit search again; one far away does not."""
    rules, state = ruleset("aof-2"), second_round("aof-2", 4, "solo").state
    sketch = BoardSummary(rules, state, 0)
    seen = min(sketch.friends, key=lambda one: one.unit.id)
    wish = MoveWish(seen.x, seen.y + (6 if seen.y < 24 else -6))
    asked: list[MoveWish] = []
    walk = movement.walk_route

    def noted(state: State, unit: Unit, limits: object, wish: MoveWish) -> Route:
        asked.append(wish)
        return walk(state, unit, limits, wish)  # type: ignore[arg-type]

    monkeypatch.setattr(movement, "walk_route", noted)

    def go(where: State) -> None:
        route(rules, where, where.units[seen.unit.id], "advance", wish)

    def moved(unit: Unit, dx: int, dy: int) -> State:
        return with_unit(
            state, replace(unit, poses=tuple(replace(p, x=p.x + dx, y=p.y + dy) for p in unit.poses))
        )

    by_distance = sorted(
        (one for one in sketch.seen.values() if one is not seen),
        key=lambda one: (one.x - seen.x) ** 2 + (one.y - seen.y) ** 2,
    )
    near, far = by_distance[0].unit, by_distance[-1].unit
    go(state)
    go(state)
    go(moved(far, 10, 10))
    assert len(asked) == 1
    go(moved(near, 10, 10))
    assert len(asked) == 2


def weighed(edition: str) -> list[list[float]]:
    """The value of several places to every unit of a battle, to the last digit."""
    state = second_round(edition, 4, "solo").state
    found = []
    for side in (0, 1):
        sketch = BoardSummary(ruleset(edition), state, side)
        worth = Evaluation(sketch, EvaluationWeights())
        for seen in sketch.friends:
            places = [Standpoint(seen.x, seen.y, 4500)]
            places += [
                Standpoint(seen.x + dx, seen.y + dy, 1234 * dx % 36000) for dx in (-5, 3) for dy in (-4, 6)
            ]
            found += [list(one) for one in worth.at(seen, places)]
            found.append([worth.gain(seen, down=True), worth.gain(seen, down=False), worth.now()])
            ways = sketch.ways(seen)
            found.append([ways.distance(marker.id, seen.x, seen.y) for marker in sketch.markers])
            legs = [ways.towards(marker.id, seen.x, seen.y, 8.0) for marker in sketch.markers]
            found += [list(leg) for leg in legs if leg is not None]
    return found


@pytest.mark.parametrize("edition", ["regiments-3.5", "aof-2"])
def test_places_get_the_same_values_compiled_and_plain(edition: str) -> None:
    here = str(Path(__file__).parent)
    script = (
        f"import json, sys; sys.path.insert(0, {here!r}); import test_known_routes; "
        f"print(json.dumps(test_known_routes.weighed({edition!r})))"
    )
    plain = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "SHIELDWALL_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(plain.stdout) == weighed(edition)
