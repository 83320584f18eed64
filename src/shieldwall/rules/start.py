"""Putting a state at the beginning of a game, or at the beginning of a turn in the middle of one."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.engine import step_after
from shieldwall.core.frames import Preparation, Round
from shieldwall.core.state import State
from shieldwall.rules.ruleset import Ruleset


def at_start(state: State) -> State:
    """The state with its stack at the very beginning: objectives, deployment, rounds."""
    return replace(state, stack=(Preparation(procedure="game"),))


def resume(state: State, round_number: int, turn: int) -> State:
    """The state with its stack at a turn of the given side in the given round."""
    stack = (
        Preparation(procedure="game", step="game.rounds"),
        Round(procedure="round", step="round.turns"),
    )
    return replace(state, stack=stack, round=round_number, turn=turn)


def before_round(state: State, round_number: int) -> State:
    """The state with its stack just before the given round begins."""
    stack = (Preparation(procedure="game", step="game.rounds"),)
    return replace(state, stack=stack, round=round_number - 1)


def before_terrain(state: State) -> State:
    """The state with its stack at the roll-off of players who place terrain in turns."""
    return replace(state, stack=(Preparation(procedure="game"), Preparation(procedure="terrain")))


def before_deployment(rules: Ruleset, state: State) -> State:
    """The state with its stack at the roll-off for deployment, or after it if both sides have their edges."""
    has_edges = all(side.edge for side in state.sides)
    at = step_after(rules, "game", "deploy.edge") if has_edges else "deploy.rolloff"
    return replace(state, stack=(Preparation(procedure="game", step=at),))
