"""A new game from an order: seats with their armies, and the state before the first command.

Everything here runs in a worker, because lists and tables come from untrusted players.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from shieldwall.armies import MusteredArmy, fresh_state
from shieldwall.core.codec import decode_state, encode
from shieldwall.core.state import Piece, State, Unit
from shieldwall.editions import ruleset
from shieldwall.lessons.battles import SetBattle
from shieldwall.lessons.lesson import NONCES
from shieldwall.rules.missions import check_mission
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.armoury import KEPT, army_for, mustered, ready_cards
from shieldwall.server.dice_key import new_nonce
from shieldwall.server.opponents import levels
from shieldwall.server.pages import NewGame, SeatOrder
from shieldwall.server.storage import ArmyRow, GameRow, PlayerRow, SeatRow
from shieldwall.server.tables import pieces_for
from shieldwall.server.text import clean

ORDERS: msgspec.json.Decoder[NewGame] = msgspec.json.Decoder(NewGame)
GUEST = "Guest"


def usual_name(seat: int) -> str:
    """What people are called in a battle until they say their names."""
    return f"Player {seat + 1}"


def prepared(
    row: GameRow, me: PlayerRow, own: Sequence[ArmyRow], invite_hash: str
) -> tuple[list[SeatRow], bytes]:
    """The seats of a new game, and its state as far as it is known: a friend's army may be missing."""
    order = ORDERS.decode(row.ordered)
    seats = [_seat(row.id, n, seat, me, order, own, invite_hash) for n, seat in enumerate(order.seats)]
    return seats, encoded_setup(row, seats)


def set_order(battle: SetBattle, nonce: str) -> NewGame:
    """The stored form of a set battle's order: its key determines the rest."""
    seats = (SeatOrder("me"), SeatOrder("bot", bot=battle.bot))
    return NewGame(
        battle.edition, seats, nonce, mission=battle.start.mission, setup="at_once", battle=battle.key
    )


def set_seats(game: str, battle: SetBattle, me: PlayerRow, nonce: str) -> list[SeatRow]:
    """The seats of a set battle, the player first. Fixed dice use fixed nonces."""
    mine, theirs = (nonce, new_nonce()) if not battle.secret else NONCES
    label = next((bot.label for bot in levels() if bot.key == battle.bot), battle.sides[1])
    automatic = " ".join(battle.automatic)
    person = SeatRow(game, 0, "person", me.name, me.id, army_name=battle.sides[0], nonce=mine)
    other = SeatRow(game, 1, "bot", label, bot=battle.bot, army_name=battle.sides[1], nonce=theirs)
    return [replace(person, automatic=automatic), other]


def encoded_setup(row: GameRow, seats: list[SeatRow], earlier: bytes = b"") -> bytes:
    """The state before the first command, as it is stored.

    `earlier` is the same with a seat still open, if available: its table need not be generated again.
    """
    pieces = decode_state(earlier).pieces if earlier else None
    return encode(setup_state(ruleset(row.edition), row, seats, pieces))


def chosen_army(key: str, edition: str, seat: int, own: Sequence[ArmyRow]) -> tuple[bytes, str]:
    """The army a player chose, or the default one for the seat, in stored form, and its name."""
    kept = army_for(key or _usual_army(edition, seat), edition, {row.id: row for row in own})
    return encode(kept), kept.army.name


def with_table_seed(order: NewGame) -> NewGame:
    """The order with the table's seed fixed, so that both players get the same table."""
    table = order.table
    if table.kind == "generate" and not table.seed:
        table = replace(table, seed=1 + secrets.randbelow(2**31 - 1))
    return replace(order, table=table)


def _seat(
    game: str,
    number: int,
    seat: SeatOrder,
    me: PlayerRow,
    order: NewGame,
    own: Sequence[ArmyRow],
    invite_hash: str,
) -> SeatRow:
    base = SeatRow(game=game, seat=number, who="open", name="")
    if seat.who == "friend":
        return replace(base, name=clean(seat.name) or "Friend", invite_hash=invite_hash)
    army, army_name = chosen_army(seat.army, order.edition, number, own)
    base = replace(base, army=army, army_name=army_name)
    if seat.who == "me":
        name = clean(seat.name) or (me.name if me.name != GUEST else usual_name(number))
        return replace(base, who="person", name=name, player=me.id, nonce=order.nonce)
    label = next(bot.label for bot in levels() if bot.key == seat.bot)
    alike = sum(other.who == "bot" and other.bot == seat.bot for other in order.seats)
    name = clean(seat.name) or (f"{label} {number + 1}" if alike > 1 else label)
    return replace(base, who="bot", name=name, bot=seat.bot, nonce=new_nonce())


def _usual_army(edition: str, seat: int) -> str:
    """A ready-made army for a seat that names none; the two sides get different ones."""
    cards = ready_cards(edition)
    if not cards:
        return ""
    most = max(card.points for card in cards)
    big = [card for card in cards if card.points > most * 0.8]
    return big[seat % len(big)].id


def setup_state(
    rules: Ruleset, row: GameRow, seats: list[SeatRow], pieces: tuple[Piece, ...] | None = None
) -> State:
    """The game before it starts; sides with an open seat have no army yet. Without `pieces` its table is generated."""
    order = ORDERS.decode(row.ordered)
    width, depth = rules.constants.table
    armies = [mustered(KEPT.decode(seat.army)) if seat.army else _nobody(seat.name) for seat in seats]
    state = fresh_state(
        rules,
        width,
        depth,
        pieces if pieces is not None else pieces_for(rules, order.table),
        armies,
        seats=[seat.name for seat in seats],
        options=dict(order.house_rules),
    )
    return replace(state, mission=check_mission(order.mission), units=numbered_units(state.units))


def numbered_units(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """Number the units of a side that share a name, so that labels, questions, reasons and the log agree."""
    wanted = Counter((unit.side, unit.name) for unit in units)
    seen: Counter[tuple[int, str]] = Counter()
    named = []
    for unit in units:
        key = (unit.side, unit.name)
        seen[key] += 1
        named.append(replace(unit, name=f"{unit.name} {seen[key]}") if wanted[key] > 1 else unit)
    return tuple(named)


def _nobody(name: str) -> MusteredArmy:
    return MusteredArmy(name, ())
