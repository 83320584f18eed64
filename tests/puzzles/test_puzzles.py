"""Puzzles: every file is valid, solutions hold with fresh dice, and answers are judged by their playouts."""

from __future__ import annotations

import datetime
import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from shieldwall.analysis.what_if import activation
from shieldwall.bots.policy import Policy
from shieldwall.bots.tactician import TacticianBot
from shieldwall.cli.main import main
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.errors import MalformedError
from shieldwall.core.pending import Decision, Numbers
from shieldwall.core.state import State
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.puzzles import Puzzle, checked, judged, puzzle_of_the_day, puzzles, read_puzzle, write_puzzle
from shieldwall.puzzles.comparing import lead_of
from shieldwall.puzzles.ideas import IdeaKey, idea_words, ideas_of, is_about_a_spell
from shieldwall.puzzles.late_moments import late_game
from shieldwall.puzzles.making import MARGIN
from shieldwall.puzzles.words import outcome_words

RECHECKED = 10
BATTLES = 600  # at most; most solutions are clearly ahead after twenty
EVERYDAY = "2026-11-18"  # the soak has other puzzles and other dice every day


def of_the_day(count: int, day: str = EVERYDAY) -> list[Puzzle]:
    """Some puzzles at random; the date is the seed."""
    known = list(puzzles().values())
    return random.Random(day).sample(known, min(count, len(known)))


class Noting:
    """Plays like another bot, and notes the answers."""

    name = "noting"
    samples_only = False

    def __init__(self, other: Policy) -> None:
        self.other = other
        self.answers: list[tuple[str, AnyAnswer]] = []

    def decide(self, view: State, decision: Decision, numbers: Numbers) -> AnyAnswer:
        answer = self.other.decide(view, decision, numbers)
        self.answers.append((decision.kind, answer))
        return answer


def answers_for(puzzle: Puzzle, key: IdeaKey) -> tuple[tuple[str, AnyAnswer], ...]:
    """The answers of a player with this idea."""
    rules, moment = ruleset(puzzle.edition), puzzle.moment()
    idea = next(idea for idea in ideas_of(rules, moment) if idea.key == key)
    noting = Noting(idea.starter(TacticianBot()))
    activation(rules, moment, noting, key.unit, "as somebody plays it")
    return tuple(noting.answers[:1] if is_about_a_spell(moment.decision) else noting.answers)


def test_every_file_is_sound() -> None:
    for puzzle in puzzles().values():
        moment = puzzle.moment()
        assert moment.side == puzzle.side, puzzle.id
        assert puzzle.edition in EDITIONS, puzzle.id
        assert puzzle.grade in (1, 2, 3), puzzle.id
        assert puzzle.budget.at_least >= MARGIN, puzzle.id
        assert puzzle.solution.chance - puzzle.others[0].chance >= MARGIN, puzzle.id
        assert all(other.key != puzzle.solution.key for other in puzzle.others), puzzle.id
        for words in (puzzle.title, puzzle.task, puzzle.hint, puzzle.explanation):
            assert (words and words[-1] in ".?") or words == puzzle.title, (puzzle.id, words)


def test_solutions_hold_with_fresh_dice() -> None:
    for puzzle in of_the_day(RECHECKED):
        found = checked(puzzle, BATTLES, EVERYDAY)
        assert found.is_sure, (puzzle.id, found.lead)
        assert not found.is_refuted, (puzzle.id, found.lead)


def test_the_answer_played_is_judged() -> None:
    puzzle = of_the_day(1)[0]
    good = judged(puzzle, answers_for(puzzle, puzzle.solution.key))
    assert good.solved
    assert good.is_solution
    second = puzzle.others[0]
    bad = judged(puzzle, answers_for(puzzle, second.key))
    assert not bad.solved
    assert (bad.words, bad.chance) == (second.words, second.chance)


def test_an_unlisted_idea_is_judged_by_playouts() -> None:
    puzzle = of_the_day(1)[0]
    second = puzzle.others[0]
    forgetful = replace(puzzle, others=tuple(replace(second, key=IdeaKey(-1, "move")) for _ in range(2)))
    bad = judged(forgetful, answers_for(puzzle, second.key))
    assert not bad.solved
    assert bad.chance < puzzle.solution.chance


def test_a_puzzle_comes_back_from_its_file_and_a_damaged_one_says_why(tmp_path: Path) -> None:
    puzzle = next(iter(puzzles().values()))
    data = write_puzzle(puzzle, tmp_path).read_bytes()
    assert read_puzzle(data, "again") == puzzle
    with pytest.raises(MalformedError, match="its format is 'other/9'"):
        read_puzzle(data.replace(puzzle.format.encode(), b"other/9"), "damaged.json")


def test_every_day_has_a_puzzle_that_differs_from_the_day_before() -> None:
    first = datetime.date(2026, 11, 18)
    days = [puzzle_of_the_day(first + datetime.timedelta(days=day)) for day in range(len(puzzles()))]
    assert set(days) == set(puzzles())
    assert len(set(days[:2])) == 2


def test_a_lead_knows_its_confidence() -> None:
    from shieldwall.analysis.what_if import BattleEnd

    won, lost = BattleEnd(1.0, (), frozenset()), BattleEnd(0.0, (), frozenset())
    clear = lead_of([won] * 40, [lost] * 40)
    even = lead_of([won, lost] * 20, [lost, won] * 20)
    assert clear.mean == 1.0
    assert clear.low > 0.9
    assert even.mean == 0.0
    assert even.low < -0.4


def test_outcomes_do_not_count_draws_as_wins() -> None:
    from shieldwall.analysis.what_if import BattleEnd

    def ends(*scores: float) -> list[BattleEnd]:
        return [BattleEnd(score, (), frozenset()) for score in scores]

    assert outcome_words(ends(1, 1)) == "wins every battle"
    assert outcome_words(ends(0.5, 0.5)) == "always ends in a draw"
    assert outcome_words(ends(0, 0)) == "loses every battle"
    assert outcome_words(ends(0, 0.5)) == "never wins and draws 50 % of the battles"
    assert outcome_words(ends(1, 0.5, 0, 0)) == "wins 25 % of the battles and draws 25 %"
    assert outcome_words(ends(1, 0)) == "wins 50 % of the battles"


@pytest.mark.parametrize("edition", ["skirmish-3.2", "aof-2"])
def test_games_with_casters_ask_whether_to_stop_each_spell(edition: str) -> None:
    """Tokens are spent all or none, a wizard tries or does not."""
    games = (late_game(edition, seed, with_casters=True) for seed in range(40))
    game, moments = next(
        (game, moments)
        for game in games
        if game is not None and (moments := [moment for way in game.ways for moment in way.spells])
    )
    for moment in moments:
        assert is_about_a_spell(moment.decision)
        keys = [idea.key for idea in ideas_of(game.rules, moment)]
        assert len(set(keys)) == len(keys) == 2
        words = {idea_words(moment.state, key) for key in keys}
        assert words & {"spend no tokens", "let it happen"}


def test_making_refuses_a_kind_or_an_edition_that_does_not_exist(tmp_path: Path) -> None:
    assert main(["puzzles", "make", str(tmp_path), "--kind", "riddle"]) == 2
    assert main(["puzzles", "make", str(tmp_path), "--edition", "chess"]) == 2


def test_the_commands_list_show_and_check(capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = next(iter(puzzles().values()))
    assert main(["puzzles", "list"]) == 0
    assert puzzle.id in capsys.readouterr().out
    assert main(["puzzles", "show", puzzle.id]) == 0
    assert puzzle.explanation not in capsys.readouterr().out
    assert main(["puzzles", "show", puzzle.id, "--solution"]) == 0
    assert puzzle.explanation in capsys.readouterr().out
    assert main(["puzzles", "check", puzzle.id]) == 0
    assert "holds" in capsys.readouterr().out
    assert main(["puzzles", "show", "no-such-puzzle"]) == 2
