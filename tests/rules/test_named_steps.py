"""States name the steps that their procedures have reached; older states number them."""

from __future__ import annotations

import copy
from itertools import islice

import pytest
from msgspec.structs import replace

import shieldwall as sw
from shieldwall.api.position import to_text
from shieldwall.armies.demo import demo_setup
from shieldwall.bots import play_game, policy
from shieldwall.core.codec import decode_state, encode
from shieldwall.core.engine import GameRun, Progress, Step, pending_of
from shieldwall.core.errors import MalformedError
from shieldwall.core.frames import END
from shieldwall.core.pending import Decision, Pending
from shieldwall.core.state import State
from shieldwall.dice.seeded import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.ruleset import Ruleset
from tests.corpus.takes import old_numbers


class Watcher:
    """Keeps every state of a game in which something is asked."""

    def __init__(self) -> None:
        self.states: list[State] = []

    def began(self, progress: Progress) -> None:
        self.states.append(progress.state)

    def went(self, before: State, pending: Pending, answer: object, progress: Progress) -> None:
        if progress.pending is not None:
            self.states.append(progress.state)


def states_of(edition: str) -> list[State]:
    seen = Watcher()
    bots = (policy("random"), policy("random"))
    play_game(
        ruleset(edition), demo_setup(edition, 3), bots, SeededDice.from_seed(3), watchers=[seen], seed=3
    )
    return list(islice(seen.states, 0, None, 7))


def numbered(state: State) -> State:
    """The state as it was written before its steps were named."""
    numbers = zip(state.stack, old_numbers(state), strict=True)
    return replace(state, stack=tuple(replace(frame, step=at) for frame, at in numbers))


def has_numbers(state: State) -> bool:
    """Whether every step of the state is older than the names."""
    rules = ruleset(state.ruleset)
    return all(frame.step in ("", END, *rules.numbered_steps(frame.procedure)) for frame in state.stack)


def question(rules: Ruleset, state: State) -> tuple[str, str]:
    pending = pending_of(rules, state)
    assert pending is not None
    return type(pending).__name__, pending.kind if isinstance(pending, Decision) else pending.purpose


@pytest.mark.parametrize("edition", EDITIONS)
def test_steps_of_a_procedure_have_different_names(edition: str) -> None:
    for procedure, steps in ruleset(edition).procedures.items():
        names = [step.name for step in steps]
        assert len(set(names)) == len(names), procedure
        assert not {"", END} & set(names), procedure


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_state_with_numbers_is_read_as_the_one_with_names(edition: str) -> None:
    rules = ruleset(edition)
    for state in states_of(edition):
        older = decode_state(encode(numbered(state)))
        assert all(type(frame.step) is int for frame in older.stack)
        assert question(rules, older) == question(rules, state)
        if has_numbers(state):
            assert GameRun(rules, older).rest() == state


def with_idle_steps(rules: Ruleset) -> Ruleset:
    """A later version, in which every procedure has a new step before each existing one."""
    later = copy.copy(rules)
    later.__dict__.pop("_plans", None)
    later.procedures = {
        procedure: tuple(one for at, step in enumerate(steps) for one in (idle(at), step))
        for procedure, steps in rules.procedures.items()
    }
    return later


def idle(number: int) -> Step[Ruleset]:
    step = Step[Ruleset]()
    step.name = f"idle.{number}"
    return step


@pytest.mark.parametrize("edition", EDITIONS)
def test_new_steps_in_the_middle_leave_saved_states_where_they_were(edition: str) -> None:
    rules = ruleset(edition)
    later = with_idle_steps(rules)
    for state in states_of(edition):
        for saved in (state, numbered(state)):
            assert question(later, decode_state(encode(saved))) == question(rules, state)


def test_a_step_that_is_gone_is_named() -> None:
    state = states_of("aof-2")[0]
    lost = replace(state, stack=(*state.stack[:-1], replace(state.stack[-1], step="melee.duel")))
    with pytest.raises(MalformedError, match=r"has no step 'melee\.duel' in this version"):
        pending_of(ruleset("aof-2"), lost)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_line_of_the_older_format_is_read(edition: str) -> None:
    state = [state for state in states_of(edition) if has_numbers(state)][-1]
    line = to_text(numbered(state)).replace("sw2", "sw1", 1)
    assert sw.Game.from_text(line).state == state
    assert sw.Game.from_text(line).text() == to_text(state)
