"""What is decided before a game of Age of Fantasy 2."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from shieldwall.armies.demo import demo_setup
from shieldwall.cli.captions import terrain_words
from shieldwall.core.engine import begin
from shieldwall.core.errors import RefusedError
from shieldwall.core.state import Piece
from shieldwall.editions import ruleset
from shieldwall.table.terrain import OPEN, piece

RULES = ruleset("aof-2")
BARE = piece(0, "carpet", at=(36, 24), size=(4, 4), name="Carpet")
OTHER = piece(1, "rug", at=(20, 24), size=(4, 4), name="Rug")


def start(*pieces: Piece) -> None:
    begin(RULES, replace(demo_setup("aof-2", 1), pieces=pieces))


def test_a_game_with_pieces_nobody_spoke_about_does_not_start() -> None:
    """A2-TERRAIN-01: all of them are named."""
    with pytest.raises(RefusedError, match="Carpet") as error:
        start(BARE, OTHER)
    assert "Rug" in str(error.value)
    assert "A2-TERRAIN-01" in str(error.value)


def test_open_is_an_agreement_too() -> None:
    """A2-TERRAIN-01."""
    start(replace(BARE, types=(OPEN,)))


def test_a_player_reads_what_a_piece_does_in_this_book() -> None:
    """A2-TERRAIN-07: a hill of 3 inches is elevation here."""
    hill = piece(0, "hill", at=(36, 24), size=(4, 4), presets=RULES.policies.terrain_presets())
    assert terrain_words(replace(demo_setup("aof-2", 1), pieces=(hill,))) == [
        ("hill", "hill: blocking, elevated")
    ]
