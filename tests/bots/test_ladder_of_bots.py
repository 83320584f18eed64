"""The bots by name: each plays whole games of every edition, repeats itself, and says why it did what it did."""

import pytest

from shieldwall.armies.demo import demo_setup
from shieldwall.bots import BOTS, UnknownBotError, numbers_for, play_game, policy, thought_of
from shieldwall.bots.invariants import Judge
from shieldwall.core.answers import AnyAnswer, Faces
from shieldwall.core.engine import Progress, begin, submit
from shieldwall.core.pending import Decision, Pending, Roll
from shieldwall.core.state import State
from shieldwall.dice import SeededDice
from shieldwall.editions import EDITIONS, ruleset

QUICK = [name for name in BOTS if name not in ("random", "greedy", "search")]
EDITION = "regiments-3.5"


def test_an_unknown_bot_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(UnknownBotError, match="no bot called 'soloo'; there are: random, solo"):
        policy("soloo")


@pytest.mark.parametrize("name", QUICK)
def test_a_bot_breaks_no_law_and_its_answers_pass_every_check(name: str) -> None:
    rules = ruleset(EDITION)
    judge = Judge(rules)
    bots = [policy(name, 1), policy(name, 1)]
    dice = SeededDice.from_seed(5)
    result = play_game(rules, demo_setup(EDITION, 5), bots, dice, seed=5, watchers=[judge], trusting=False)
    assert result.state.finished
    assert judge.problems == []


@pytest.mark.parametrize("name", QUICK)
def test_a_seed_repeats_a_bots_game_whatever_it_played_before(name: str) -> None:
    rules, used = ruleset(EDITION), policy(name, 1)
    setup = demo_setup(EDITION, 2)
    first = play_game(rules, setup, [used, policy("random")], SeededDice.from_seed(2), seed=2)
    play_game(rules, demo_setup(EDITION, 3), [used, policy("random")], SeededDice.from_seed(3), seed=3)
    again = play_game(rules, setup, [used, policy("random")], SeededDice.from_seed(2), seed=2)
    assert (first.winner, first.answers, first.rolls) == (again.winner, again.answers, again.rolls)


class Thoughts:
    """Collects a bot's explanation of each choice of an action."""

    def __init__(self, bots: list[object]) -> None:
        self.bots = bots
        self.seen: list[str] = []

    def began(self, progress: Progress) -> None:
        """Nothing to note."""

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        if isinstance(pending, Decision) and pending.kind == "activate":
            thought = thought_of(self.bots[pending.seat])
            if thought is not None:
                names = [unit.name for unit in before.units if unit.seat == pending.seat]
                assert any(name in thought.why for name in names)
                scores = [one.score for one in thought.considered]
                assert scores, thought.why
                assert scores[0] == max(scores), thought
                self.seen.append(thought.why)


@pytest.mark.parametrize("name", QUICK)
def test_every_activation_explains_its_alternatives_and_choice(name: str) -> None:
    bots = [policy(name), policy("random")]
    notes = Thoughts(list(bots))
    play_game(
        ruleset(EDITION), demo_setup(EDITION, 4), bots, SeededDice.from_seed(4), seed=4, watchers=[notes]
    )
    assert len(notes.seen) > 10
    assert all(sentence.endswith(".") for sentence in notes.seen)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_ready_made_list_is_deployed_by_a_thinking_bot(edition: str) -> None:
    """Up to the first turn, with every list of the smallest size: heroes, auras, scouts and ambushers included."""
    from shieldwall.armies import ready_lists
    from shieldwall.lab.games import setup_of

    ready = ready_lists(edition)
    small = [one.id for one in ready if one.points == min(one.points for one in ready)]
    for first, second in zip(small, small[1:] + small[:1], strict=True):
        rules = ruleset(edition)
        progress = begin(rules, setup_of(edition, (first, second), 5))
        dice, bots = SeededDice.from_seed(5), [policy("tactician"), policy("solo")]
        while progress.pending is not None and progress.state.round < 1:
            pending = progress.pending
            if isinstance(pending, Roll):
                answer: AnyAnswer = Faces(dice.faces(pending, progress.state.rolls_made))
            else:
                answer = bots[pending.seat].decide(progress.state, pending, numbers_for(5, pending.seat))
            progress = submit(rules, progress.state, answer)
        assert progress.state.round == 1
