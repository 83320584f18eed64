"""HTTP messages of analyses, battles continued from a moment of another, and puzzles."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from shieldwall.analysis import Analysis
from shieldwall.server.pages import Body, Nonce


class AnalysisView(Struct, frozen=True):
    """The progress and findings of a game's analysis. Steps are command numbers, as in the replay.

    `words` says what is being done, or why it failed.
    """

    game: str
    status: Literal["none", "working", "done", "failed"]
    words: str = ""
    found: Analysis | None = None


class WhatIf(Body, frozen=True):
    """Continue from a moment of a game: after command `seq`, on one side, against a bot."""

    seq: Annotated[int, Meta(ge=1, le=2**31)]
    side: Annotated[int, Meta(ge=0, le=1)]
    nonce: Nonce
    bot: Annotated[str, Meta(max_length=40)] = "tactician"


class PuzzleCard(Struct, frozen=True):
    """One puzzle in the list. `edition_title` is the name of its rulebook."""

    id: str
    kind: str
    grade: int
    edition: str
    edition_title: str
    title: str


class PuzzleList(Struct, frozen=True):
    """All puzzles, easy ones first; `by_day` has their ids in the order of days, from 1 January 2024 on."""

    puzzles: tuple[PuzzleCard, ...]
    by_day: tuple[str, ...]


class PuzzleView(Struct, frozen=True):
    """The task of a puzzle, with an optional hint."""

    id: str
    kind: str
    grade: int
    edition: str
    edition_title: str
    title: str
    side: int
    task: str
    hint: str


class IdeaView(Struct, frozen=True):
    """An idea with the share of battles it wins."""

    words: str
    chance: float


class PuzzleSolution(Struct, frozen=True):
    """The solution of a puzzle, the other ideas, and how certain it is."""

    id: str
    explanation: str
    solution: IdeaView
    others: tuple[IdeaView, ...]
    battles: int
    at_least: float


class PuzzleTry(Body, frozen=True):
    """Try a puzzle; `nonce` is the player's part of the dice key."""

    nonce: Nonce


class PuzzleAnswer(Body, frozen=True):
    """What was played in a try: the game it was played in."""

    game: Annotated[str, Meta(max_length=40)]


class PuzzleVerdict(Struct, frozen=True):
    """The verdict on a try: `waiting` until its activation is over. `chance` is the share of battles the idea wins."""

    status: Literal["waiting", "solved", "wrong"]
    words: str = ""
    chance: float = 0.0
    best: float = 0.0
