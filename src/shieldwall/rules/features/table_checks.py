"""What must be settled about the table before a game can begin, where a book insists on it."""

from __future__ import annotations

from shieldwall.core.errors import RefusedError
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.table.terrain import untyped_pieces


class RefuseUntyped(TrunkStep):
    """A game with pieces of terrain about which nothing was agreed does not start; "open" is an agreement, too."""

    name = "setup.types"

    def go(self, game: Play) -> None:
        cite = game.rules.cite("setup.types")
        unsettled = untyped_pieces(game.state)
        if unsettled:
            raise RefusedError(
                tuple(
                    (f"nobody agreed what {piece.name} (piece {piece.id}) does", cite) for piece in unsettled
                )
            )
