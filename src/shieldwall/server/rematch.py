"""Rematches: offered by one player, accepted by the other, with a new dice key.

An offer is stored with the finished game, so it survives a reload. The new game and the note that it exists are written
in one transaction, so two players who accept at the same time get one game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.codec import encode
from shieldwall.editions import ruleset
from shieldwall.server.clocks import fresh_clock
from shieldwall.server.dice_key import commitment_of, new_nonce, new_secret
from shieldwall.server.identity import Player, new_id
from shieldwall.server.lessons_in_play import battle_of
from shieldwall.server.live import now, rules_version
from shieldwall.server.pages import NewGame, RematchOrder
from shieldwall.server.refusals import NotNowError
from shieldwall.server.setup import ORDERS, encoded_setup, with_table_seed
from shieldwall.server.storage import GameRow, SeatRow
from shieldwall.server.views import RematchView

if TYPE_CHECKING:
    from shieldwall.server.lobby import Lobby

TRIES = 3


class Offer(Struct, frozen=True):
    """What the seat `seat` has offered or declined; `game` is the new game once both agree."""

    seat: int
    swap: bool
    nonce: str
    declined: bool = False
    game: str = ""


OFFERS: msgspec.json.Decoder[Offer] = msgspec.json.Decoder(Offer)


def rematch_view(row: GameRow, seats: list[SeatRow]) -> RematchView | None:
    """The state of a rematch; None if nobody has offered one."""
    if not row.rematch:
        return None
    offer = OFFERS.decode(row.rematch)
    name = next((seat.name for seat in seats if seat.seat == offer.seat), "")
    state: Literal["offered", "declined", "made"] = "declined" if offer.declined else "offered"
    if offer.game:
        state = "made"
    return RematchView(state, offer.seat, name, offer.swap, offer.game)


async def ask(lobby: Lobby, player: Player, game: GameRow, order: RematchOrder) -> None:
    """Offer a rematch, or accept the one offered; without another player it starts at once."""
    for _ in range(TRIES):
        row, seats, mine = await _ended(lobby, player, game)
        if battle_of(row):
            raise NotNowError(
                "over", "this battle was set up beforehand; start it again from where you found it"
            )
        before = OFFERS.decode(row.rematch) if row.rematch else None
        if before is not None and before.game:
            return
        others = [seat for seat in seats if seat.who == "person" and seat.player != player.id]
        if before is not None and before.declined and before.seat not in mine:
            raise NotNowError("over", f"{_name(seats, before.seat)} does not want a rematch")
        offer = Offer(mine[0], order.swap, order.nonce)
        if not others:
            done = await _made(lobby, row, seats, offer, {player.id: order.nonce})
        elif (
            before is not None
            and not before.declined
            and before.seat not in mine
            and before.swap == order.swap
        ):
            nonces = {player.id: order.nonce, others[0].player: before.nonce}
            done = await _made(lobby, row, seats, before, nonces)
        else:
            done = await lobby.store.set_rematch(row.id, row.rematch, encode(offer).decode())
        if done:
            return
    raise NotNowError("busy", "the other player was faster; look again")


async def decline(lobby: Lobby, player: Player, game: GameRow) -> None:
    """Decline an offer, or withdraw one's own."""
    row, _, mine = await _ended(lobby, player, game)
    before = OFFERS.decode(row.rematch) if row.rematch else None
    if before is None or before.game or before.declined:
        return
    after = (
        "" if before.seat in mine else encode(replace(before, seat=mine[0], nonce="", declined=True)).decode()
    )
    await lobby.store.set_rematch(row.id, row.rematch, after)


async def _ended(lobby: Lobby, player: Player, game: GameRow) -> tuple[GameRow, list[SeatRow], list[int]]:
    """The stored game, its seats and the player's seats; refuses strangers and unfinished games."""
    row = await lobby.store.game(game.id)
    assert row is not None
    seats = await lobby.store.seats(row.id)
    mine = [seat.seat for seat in seats if seat.who == "person" and seat.player == player.id]
    if not mine or row.watch_only:
        raise NotNowError("not_your_seat", "you did not play this game")
    if row.status != "over":
        raise NotNowError("waiting", "a rematch is possible once the game is over")
    return row, seats, mine


def _name(seats: list[SeatRow], seat: int) -> str:
    return next((row.name for row in seats if row.seat == seat), "")


async def _made(
    lobby: Lobby, old: GameRow, seats: list[SeatRow], offer: Offer, nonces: dict[str, str]
) -> bool:
    """Set up the new game; False if somebody else has done so in the meantime."""
    id, secret, order = new_id(), new_secret(), _another_table(ORDERS.decode(old.ordered))
    clock = fresh_clock(order.clock)
    row = GameRow(
        id=id,
        owner=old.owner,
        name=old.name,
        edition=old.edition,
        status="running",
        created=now(),
        changed=now(),
        ordered=encode(order),
        setup=b"",
        secret=secret,
        commitment=commitment_of(secret),
        rules_version=rules_version(ruleset(old.edition)),
        clock=encode(clock).decode() if clock is not None else "",
    )
    fresh = [_seat(id, seat, seats[1 - n] if offer.swap else seat, nonces) for n, seat in enumerate(seats)]
    row = replace(row, setup=await lobby.workers.office(encoded_setup, row, fresh))
    return await lobby.store.add_rematch(old, encode(replace(offer, nonce="", game=id)).decode(), row, fresh)


def _another_table(order: NewGame) -> NewGame:
    """A generated table is generated again; a hand-made one is reused."""
    table = order.table
    return (
        with_table_seed(replace(order, table=replace(table, seed=0))) if table.kind == "generate" else order
    )


def _seat(game: str, place: SeatRow, taker: SeatRow, nonces: dict[str, str]) -> SeatRow:
    """A seat of the new game: the army stays in place, and `taker` sits down there."""
    return replace(
        taker,
        game=game,
        seat=place.seat,
        army=place.army,
        army_name=place.army_name,
        invite_hash="",
        nonce=nonces.get(taker.player) or new_nonce(),
    )
