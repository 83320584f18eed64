"""Games that start in the middle: from a moment of another game, or from a given position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shieldwall.core.codec import encode
from shieldwall.editions import ruleset
from shieldwall.server.dice_key import commitment_of, new_nonce, new_secret
from shieldwall.server.identity import new_id
from shieldwall.server.live import now, rules_version
from shieldwall.server.pages import NewGame, SeatOrder
from shieldwall.server.storage import GameRow, SeatRow
from shieldwall.server.text import clean


class StartPosition(NamedTuple):
    """A position to start from, and its origin."""

    edition: str
    state: bytes
    name: str
    origin: str
    battle: str = ""  # the key by which the page recognises a set battle; "" for others


class SeatTaker(NamedTuple):
    """Who takes a seat: the player (`bot` is empty) or a bot, with the army already on the table."""

    name: str
    bot: str = ""
    army: bytes = b""
    army_name: str = ""


def game_from(
    beginning: StartPosition, owner: str, nonce: str, sitters: Sequence[SeatTaker]
) -> tuple[GameRow, list[SeatRow]]:
    """A new game that starts in a position, with a new dice key."""
    game, secret, at = new_id(), new_secret(), now()
    order = NewGame(beginning.edition, (SeatOrder("me"), SeatOrder("me")), nonce, battle=beginning.battle)
    row = GameRow(
        id=game,
        owner=owner,
        name=clean(beginning.name),
        edition=beginning.edition,
        status="running",
        created=at,
        changed=at,
        ordered=encode(order),
        setup=beginning.state,
        secret=secret,
        commitment=commitment_of(secret),
        rules_version=rules_version(ruleset(beginning.edition)),
        origin=beginning.origin,
    )
    seats = [
        SeatRow(
            game=game,
            seat=number,
            who="bot" if sitter.bot else "person",
            name=sitter.name,
            player="" if sitter.bot else owner,
            bot=sitter.bot,
            army=sitter.army,
            army_name=sitter.army_name,
            nonce=new_nonce() if sitter.bot else nonce,
        )
        for number, sitter in enumerate(sitters)
    ]
    return row, seats
