"""What the pages for getting better ask for and get: analyses of games, battles played on from a moment."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from shieldwall.analysis import Analysis
from shieldwall.server.pages import Body, Nonce


class AnalysisView(Struct, frozen=True):
    """How far the analysis of a game is, and what it found so far. Steps are numbers of commands, as in the replay.

    `words` says what is being done, or why nothing came of it.
    """

    game: str
    status: Literal["none", "working", "done", "failed"]
    words: str = ""
    found: Analysis | None = None


class WhatIf(Body, frozen=True):
    """Play on from a moment of a game: after command `seq`, on one side, against a bot."""

    seq: Annotated[int, Meta(ge=1, le=2**31)]
    side: Annotated[int, Meta(ge=0, le=1)]
    nonce: Nonce
    bot: Annotated[str, Meta(max_length=40)] = "tactician"
