"""Puzzles: positions of played games in which one idea is clearly better than all others, made and checked by the
engine."""

from shieldwall.puzzles.checking import CheckedPuzzle, JudgedTry, checked, judged
from shieldwall.puzzles.ideas import IdeaKey
from shieldwall.puzzles.puzzle import (
    NoSuchPuzzleError,
    PlayoutBudget,
    Puzzle,
    RatedIdea,
    puzzle,
    puzzle_of_the_day,
    puzzles,
    read_puzzle,
    write_puzzle,
)

__all__ = [
    "CheckedPuzzle",
    "IdeaKey",
    "JudgedTry",
    "NoSuchPuzzleError",
    "PlayoutBudget",
    "Puzzle",
    "RatedIdea",
    "checked",
    "judged",
    "puzzle",
    "puzzle_of_the_day",
    "puzzles",
    "read_puzzle",
    "write_puzzle",
]
