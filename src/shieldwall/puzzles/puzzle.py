"""Puzzle files: a position, the idea that wins it, the results of the others, and the evidence (docs/puzzles.md)."""

from __future__ import annotations

import datetime
import math
from functools import cache
from pathlib import Path
from typing import Literal, get_args

import msgspec
from msgspec import Struct

from shieldwall.analysis.moments import Moment
from shieldwall.core.codec import encode
from shieldwall.core.engine import pending_of
from shieldwall.core.errors import MalformedError, ShieldwallError
from shieldwall.core.pending import Decision
from shieldwall.core.state import State
from shieldwall.editions import ruleset
from shieldwall.puzzles.ideas import IdeaKey
from shieldwall.rulebook.conversion import decode_json

FORMAT = "shieldwall-puzzle/1"
FOLDER = Path(__file__).parent / "data"
DAY_ONE = datetime.date(2024, 1, 1)

PuzzleKind = Literal["charge", "target", "marker", "order", "spell"]
KINDS: tuple[PuzzleKind, ...] = get_args(PuzzleKind)


class RatedIdea(Struct, frozen=True):
    """An idea with the share of battles it won, a draw counted as half a win."""

    key: IdeaKey
    words: str
    chance: float


class PlayoutBudget(Struct, frozen=True):
    """How certain the solution is: over `battles` with each of the two best ideas it leads the second by `lead`, and by
    at least `at_least` with 99 % confidence. `seed` and `bot` say which battles were played.
    """

    battles: int
    lead: float
    at_least: float
    seed: str
    bot: str = "tactician"


class Puzzle(Struct, frozen=True):
    """One puzzle. `source` is the game the position comes from."""

    format: str
    id: str
    kind: PuzzleKind
    grade: int
    edition: str
    side: int
    title: str
    task: str
    hint: str
    explanation: str
    why: str
    solution: RatedIdea
    others: tuple[RatedIdea, ...]
    budget: PlayoutBudget
    source: str
    position: State

    def moment(self) -> Moment:
        """The position as a decision."""
        waits = pending_of(ruleset(self.edition), self.position)
        if not isinstance(waits, Decision):
            raise MalformedError(f"puzzle {self.id}", ["nothing is asked in its position"])
        return Moment(0, 0, self.position, waits, (), ())


class NoSuchPuzzleError(ShieldwallError):
    """There is no puzzle of this name."""


def write_puzzle(puzzle: Puzzle, folder: Path) -> Path:
    """Write a puzzle into a folder, under its id."""
    file = folder / f"{puzzle.id}.json"
    head = {name: getattr(puzzle, name) for name in Puzzle.__struct_fields__ if name != "position"}
    text = msgspec.json.format(encode(head), indent=1).decode().rstrip().removesuffix("}").rstrip()
    file.write_text(f'{text},\n "position": {encode(puzzle.position).decode()}\n}}\n', encoding="utf-8")
    return file


def read_puzzle(data: bytes, name: str) -> Puzzle:
    """A puzzle from its file; errors name what is wrong with it."""
    try:
        found = decode_json(data, Puzzle)
    except msgspec.DecodeError as error:
        raise MalformedError(name, [str(error)]) from error
    if found.format != FORMAT:
        raise MalformedError(name, [f"its format is {found.format!r}; this program reads {FORMAT!r}"])
    return found


@cache
def puzzles() -> dict[str, Puzzle]:
    """All built-in puzzles, easy ones first."""
    files = sorted(FOLDER.glob("*.json"))
    found = [read_puzzle(file.read_bytes(), file.name) for file in files]
    found.sort(key=lambda puzzle: (puzzle.grade, puzzle.id))
    return {puzzle.id: puzzle for puzzle in found}


def puzzle(id: str) -> Puzzle:
    """One puzzle."""
    known = puzzles()
    if id not in known:
        raise NoSuchPuzzleError(
            f"there is no puzzle {id!r}; there are {len(known)}, from {min(known, default='none')} on"
        )
    return known[id]


def puzzle_of_the_day(day: datetime.date) -> str:
    """The puzzle of a date: all take turns, and consecutive ones differ in grade."""
    ids = sorted(puzzles())
    if not ids:
        return ""
    step = next(step for step in range(7, 7 + len(ids)) if math.gcd(step, len(ids)) == 1)
    return ids[(day - DAY_ONE).days * step % len(ids)]
