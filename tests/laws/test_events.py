"""Laws about events: only they change the state of a game, and each defines its own effect."""

from __future__ import annotations

import ast
import typing
from collections.abc import Iterable

import pytest

from shieldwall.core.event import Event
from shieldwall.core.events import AnyEvent
from tests.laws.sources import modules, nodes

WRITERS = {"shieldwall.core.engine.GameRun.emit", "shieldwall.odds.walk.WalkedGame._write"}


def writes_of_a_state(module: str) -> list[str]:
    """Where a method of a `GameRun` sets its state, or anything sets the state of a `game`."""
    found = []
    for kind in nodes(module, ast.ClassDef):
        runs = kind.name == "GameRun" or any("GameRun" in ast.unparse(base) for base in kind.bases)
        for method in kind.body if runs else ():
            where = f"{module}.{kind.name}.{getattr(method, 'name', '')}"
            if not where.endswith("__init__"):
                found += [where] * sets_state(ast.walk(method), "self")
    return found + [module] * sets_state(nodes(module, ast.Attribute), "game")


def sets_state(code: Iterable[ast.AST], holder: str) -> bool:
    """Whether one of some nodes assigns to `holder.state`."""
    stored = (n for n in code if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store))
    return any(
        one.attr == "state" and isinstance(one.value, ast.Name) and one.value.id == holder for one in stored
    )


def test_only_events_change_the_state_of_a_game() -> None:
    found = {where for module in modules() for where in writes_of_a_state(module)}
    assert found == WRITERS


@pytest.mark.parametrize("kind", typing.get_args(AnyEvent), ids=lambda kind: kind.__name__)
def test_an_event_says_itself_what_it_changes(kind: type[Event]) -> None:
    """No event inherits from one that changes something, so that its fields and its effect stand in one place."""
    assert kind.__bases__ == (Event,)
