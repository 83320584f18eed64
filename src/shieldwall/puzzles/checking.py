"""Checks whether a puzzle holds with new dice, and whether an answer solves it."""

from __future__ import annotations

from typing import NamedTuple

from shieldwall.analysis.moments import Moment
from shieldwall.analysis.what_if import AsRecorded
from shieldwall.bots.tactician import TacticianBot
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.errors import ShieldwallError
from shieldwall.editions import ruleset
from shieldwall.puzzles.comparing import BATCH, SURE, Contest, Lead, Tried, lead_of
from shieldwall.puzzles.ideas import (
    IdeaKey,
    PuzzleIdea,
    idea_words,
    ideas_of,
    is_about_a_spell,
    key_of,
    reply_to_a_spell,
)
from shieldwall.puzzles.puzzle import Puzzle

BATTLES = 24  # with the answer and with the solution each, if it is none of the known ideas


class CheckedPuzzle(NamedTuple):
    """The verdict of fresh dice on a puzzle: the solution's lead over the next best idea, and the battles with each.

    The puzzle is sure if the solution leads with 99 % confidence, and refuted if it does not lead, or leads by less
    than its file promises, as far as this many battles can tell.
    """

    puzzle: str
    lead: Lead
    battles: int
    is_sure: bool
    is_refuted: bool


class JudgedTry(NamedTuple):
    """A player's answer: in words, the share of battles it wins, and whether it solves the puzzle."""

    words: str
    chance: float
    solved: bool
    is_solution: bool


class LostIdeaError(ShieldwallError):
    """An idea of a puzzle can no longer be played from its position."""


def checked(puzzle: Puzzle, battles: int, seed: str) -> CheckedPuzzle:
    """Play the solution and the next best idea with fresh dice, until the puzzle is sure or refuted, or up to a limit.

    Every look requires as many standard errors as when the puzzle was made.
    """
    contest = Contest(ruleset(puzzle.edition), puzzle.moment(), f"check {seed} {puzzle.id}")
    known = {idea.key: idea for idea in ideas_of(contest.rules, contest.moment)}
    tried = [Tried(_known(puzzle, known, key), []) for key in (puzzle.solution.key, puzzle.others[0].key)]
    played = 0
    while True:
        played = min(battles, played + BATCH)
        for one in tried:
            contest.play(one, played)
        lead = lead_of(tried[0].ends, tried[1].ends)
        is_sure = lead.low > 0
        is_refuted = lead.mean + SURE * lead.error < puzzle.budget.at_least
        if is_sure or is_refuted or played == battles:
            return CheckedPuzzle(puzzle.id, lead, played, is_sure, is_refuted or lead.mean <= 0)


def _known(puzzle: Puzzle, known: dict[IdeaKey, PuzzleIdea], key: IdeaKey) -> PuzzleIdea:
    if key not in known:
        raise LostIdeaError(
            f"puzzle {puzzle.id}: the idea {idea_words(puzzle.position, key)!r} is no longer found in its position; "
            "make the puzzle again with `shieldwall puzzles make`"
        )
    return known[key]


def judged(puzzle: Puzzle, answers: tuple[tuple[str, AnyAnswer], ...]) -> JudgedTry:
    """The verdict on a player's answers in a puzzle, from its position to the end of the activation."""
    rules, moment = ruleset(puzzle.edition), puzzle.moment()._replace(answers=answers)
    idea = _played(moment)
    key = idea.key
    if not is_about_a_spell(moment.decision):
        key = key_of(rules, moment, idea.starter(TacticianBot()), moment.unit)
    words = idea_words(puzzle.position, key)
    if key == puzzle.solution.key:
        return JudgedTry(words, puzzle.solution.chance, True, True)
    known = next((other for other in puzzle.others if other.key == key), None)
    if known is not None:
        return JudgedTry(words, known.chance, False, False)
    contest = Contest(rules, moment, f"judge {puzzle.id}")
    ideas = {one.key: one for one in ideas_of(rules, moment._replace(answers=()))}
    tried = [Tried(_known(puzzle, ideas, puzzle.solution.key), []), Tried(idea, [])]
    for one in tried:
        contest.play(one, BATTLES)
    as_good = lead_of(tried[0].ends, tried[1].ends).mean < puzzle.budget.at_least / 2
    return JudgedTry(words, tried[1].chance, as_good, False)


def _played(moment: Moment) -> PuzzleIdea:
    """What a player did, as an idea that can be repeated."""
    if is_about_a_spell(moment.decision):
        return reply_to_a_spell(moment.decision, moment.answers[0][1])
    return PuzzleIdea(IdeaKey(moment.unit, "move"), lambda then: AsRecorded(moment, then))
