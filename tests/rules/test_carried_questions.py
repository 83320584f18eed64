"""A question is derived once and passed to its step with the answer; a loaded state derives it again."""

from __future__ import annotations

import pytest

from shieldwall.armies.demo import demo_setup
from shieldwall.bots import policy
from shieldwall.core.answers import AnyAnswer, Faces, Pick
from shieldwall.core.codec import decode_state, encode
from shieldwall.core.engine import GameRun, Progress, Rules, Step, begin, submit
from shieldwall.core.frames import Preparation
from shieldwall.core.pending import Choice, ChoiceAbout, Decision, Option, Pending, Roll
from shieldwall.core.state import Seat, Side, State
from shieldwall.dice.seeded import SeededDice
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.ruleset import Ruleset
from shieldwall.table.numbers import TableNumbers

OPTIONS = (Option("left", "Left"), Option("right", "Right"))


class Fork(Step[Rules]):
    """Asks one question and keeps the question it gets back."""

    name = "fork"

    def __init__(self, kind: type[Decision] = Choice) -> None:
        self.kind = kind
        self.handed: list[Pending] = []

    def ask(self, game: GameRun[Rules]) -> Pending | None:
        return Choice("fork", 0, "Left or right?", "", OPTIONS)

    def chosen(self, game: GameRun[Rules], answer: AnyAnswer) -> None:
        self.handed.append(game.question(self.kind))


def at_the_fork(step: Fork) -> tuple[Rules, Progress]:
    rules = Rules()
    rules.procedures = {"way": (step,)}
    seats, sides = (Seat(0, "A"),), (Side(),)
    stack = (Preparation(procedure="way"),)
    state = State("none", (), 1000, 1000, (), seats, sides, (), stack=stack)
    return rules, begin(rules, state)


def test_a_step_gets_the_very_question_that_was_answered() -> None:
    step = Fork()
    rules, asked = at_the_fork(step)
    submit(rules, asked.state, Pick("left"))
    assert step.handed == [asked.pending]


def test_a_loaded_state_derives_its_question_again() -> None:
    step = Fork()
    rules, asked = at_the_fork(step)
    submit(rules, decode_state(encode(asked.state)), Pick("left"))
    (handed,) = step.handed
    assert handed is not asked.pending
    assert isinstance(handed, Choice)
    assert handed.options == OPTIONS


def test_a_step_cannot_read_its_question_as_another_kind() -> None:
    rules, asked = at_the_fork(Fork(ChoiceAbout))
    with pytest.raises(AssertionError, match="expected ChoiceAbout, found Choice"):
        submit(rules, asked.state, Pick("left"))


def answer_to(rules: Ruleset, state: State, pending: Pending, dice: SeededDice) -> AnyAnswer:
    if isinstance(pending, Roll):
        return Faces(dice.faces(pending, state.rolls_made))
    return policy("random").decide(state, pending, TableNumbers(state.rolls_made + len(state.stack)))


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_answer_does_the_same_to_a_loaded_state_at_every_question_of_a_game(edition: str) -> None:
    rules, dice = ruleset(edition), SeededDice.from_seed(5)
    progress = begin(rules, demo_setup(edition, 5))
    answers = 0
    while progress.pending is not None:
        answer = answer_to(rules, progress.state, progress.pending, dice)
        loaded = submit(rules, decode_state(encode(progress.state)), answer)
        progress = submit(rules, progress.state, answer)
        assert loaded.events == progress.events
        assert loaded.state == progress.state
        answers += 1
    assert answers > 60
