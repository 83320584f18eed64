"""The match loop: whole games, watchers, illegal answers, endless games, secrets."""

import time

import pytest
from toy import TOY, Block, ToyRules, toy_setup

from shieldwall.bots import GameStuckError, IllegalAnswerError, RandomBot, match, play_game, seen_by
from shieldwall.core.answers import AnyAnswer, Faces, Pick
from shieldwall.core.engine import GameRun, Progress, Rules, submit_checked
from shieldwall.core.events import ActivationEnded
from shieldwall.core.frames import Casting
from shieldwall.core.pending import Decision, Numbers, Pending, Roll
from shieldwall.core.state import State
from shieldwall.core.values import Counts
from shieldwall.dice import SeededDice

BOTS = (RandomBot(), RandomBot())


class Notes:
    """Remembers everything it sees."""

    def __init__(self) -> None:
        self.progress: list[Progress] = []
        self.answers: list[AnyAnswer] = []

    def began(self, progress: Progress) -> None:
        self.progress.append(progress)

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        assert self.progress[-1].state is before
        assert self.progress[-1].pending is pending
        self.progress.append(progress)
        self.answers.append(answer)


def test_random_bots_play_a_game_to_its_end() -> None:
    notes = Notes()
    result = play_game(TOY, toy_setup(), BOTS, SeededDice.from_seed(1), notes, seed=1)
    assert result.state.finished
    assert result.winner == result.state.winner
    assert result.answers == len(notes.answers)
    assert result.rolls == sum(isinstance(answer, Faces) for answer in notes.answers)
    ended = sum(isinstance(event, ActivationEnded) for p in notes.progress for event in p.events)
    assert result.turns == ended


def test_a_seed_repeats_a_game_and_another_one_does_not() -> None:
    played = [play_game(TOY, toy_setup(), BOTS, SeededDice.from_seed(s), seed=s) for s in (3, 3, 4)]
    assert played[0] == played[1]
    assert played[0] != played[2]


def test_watching_a_game_does_not_change_it() -> None:
    plain = play_game(TOY, toy_setup(), BOTS, SeededDice.from_seed(2), seed=2)
    watched = play_game(
        TOY, toy_setup(), BOTS, SeededDice.from_seed(2), Notes(), seed=2, watchers=[Notes()], trusting=False
    )
    assert plain == watched


def test_a_game_can_be_resumed_in_the_middle() -> None:
    notes = Notes()
    whole = play_game(TOY, toy_setup(), BOTS, SeededDice.from_seed(5), notes, seed=5)
    middle = notes.progress[7].state

    class Again:
        name = "again"
        samples_only = True

        def __init__(self) -> None:
            self.left = [a for a in notes.answers[7:] if not isinstance(a, Faces)]

        def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
            return self.left.pop(0)

    again = Again()
    assert play_game(TOY, middle, (again, again), SeededDice.from_seed(5)).state == whole.state


class Stubborn:
    """Always gives the same answer."""

    name = "stubborn"
    samples_only = False

    def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
        return Pick("u99")


def test_an_illegal_answer_names_the_bot_the_question_and_the_reason() -> None:
    with pytest.raises(IllegalAnswerError) as caught:
        play_game(TOY, toy_setup(), (Stubborn(), Stubborn()), SeededDice.from_seed(1))
    message = str(caught.value)
    assert "stubborn answered 'activate'" in message
    assert "'u99' is not possible here" in message


def test_an_endless_game_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    class Circle(Block):
        def rolled(self, game: GameRun[Rules], counts: tuple[Counts, ...]) -> None:
            game.jump("toy.hit")

    monkeypatch.setattr(match, "ANSWERS_AT_MOST", 500)
    with pytest.raises(GameStuckError, match="more than 500 answers and still in round 1"):
        play_game(ToyRules(Circle()), toy_setup(), BOTS, SeededDice.from_seed(1))


def test_a_bot_sees_the_state_itself_unless_something_is_secret() -> None:
    state = toy_setup()
    assert seen_by(state, 0) is state
    casting = Casting("cast", unit=0, model=0, bidders=(0, 12), bids=(2, 0), next=1)
    sealed = State(**{**{f: getattr(state, f) for f in state.__struct_fields__}, "stack": (casting,)})
    seen = seen_by(sealed, 1).stack[0]
    assert isinstance(seen, Casting)
    assert seen.bids == (0, 0)
    own = seen_by(sealed, 0).stack[0]
    assert isinstance(own, Casting)
    assert own.bids == (2, 0)


@pytest.mark.slow
def test_the_driver_costs_little_beside_the_engine() -> None:
    """The loop adds about 1 us to engine, dice and sampling; the limit leaves room for a busy machine."""
    best = min(overhead_per_answer() for _ in range(5))
    assert best < 4e-6


def overhead_per_answer() -> float:
    steps: list[tuple[State, Pending, AnyAnswer]] = []

    class Collect:
        def began(self, progress: Progress) -> None: ...

        def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
            steps.append((before, pending, answer))

    setup, dice = toy_setup(8), SeededDice.from_seed(1)
    for seed in range(20):
        play_game(TOY, setup, BOTS, dice, Collect(), seed=seed)
    started = time.thread_time()
    for seed in range(20):
        play_game(TOY, setup, BOTS, dice, seed=seed)
    whole = time.thread_time() - started
    numbers = match.numbers_for(0, 0)
    started = time.thread_time()
    for before, pending, answer in steps:
        if isinstance(pending, Roll):
            dice.faces(pending, before.rolls_made)
        else:
            pending.sample(numbers)
        submit_checked(TOY, before, pending, answer)
    return (whole - (time.thread_time() - started)) / len(steps)
