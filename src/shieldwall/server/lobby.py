"""Making games, taking seats, and keeping the rooms that are in use."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from typing import Literal

import msgspec
from msgspec.structs import replace

from shieldwall.armies import Army, fresh_state
from shieldwall.core.codec import encode
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.state import State, Unit
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rulebook import house_rules
from shieldwall.rules.missions import SIX, UnknownMissionError, check_mission
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.armoury import KEPT, army_for, mustered, ready_cards
from shieldwall.server.dice_key import commitment_of, new_nonce, new_secret
from shieldwall.server.identity import Player, hashed, new_id, new_invite
from shieldwall.server.live import now, rules_version
from shieldwall.server.opponents import levels, no_such_bot
from shieldwall.server.pages import GameCard, GameMade, Invitation, Join, Joined, NewGame, SeatOrder, Status
from shieldwall.server.present import seat_view, title_of
from shieldwall.server.refusals import NotNowError
from shieldwall.server.room import Room
from shieldwall.server.storage import ArmyRow, BusyError, GameRow, PlayerRow, SeatRow, Store
from shieldwall.server.tables import pieces_for
from shieldwall.server.text import clean
from shieldwall.server.workers import Workers
from shieldwall.story.missions import mission_words

ORDERS: msgspec.json.Decoder[NewGame] = msgspec.json.Decoder(NewGame)
IDLE_SECONDS = 600
GUEST = "Guest"


class NotFoundError(ShieldwallError):
    """There is no such game, or it is not for whoever asks."""


class Lobby:
    """All games of one server."""

    def __init__(self, store: Store, workers: Workers) -> None:
        self.store, self.workers = store, workers
        self.rooms: dict[str, Room] = {}
        self._opening: dict[str, asyncio.Lock] = {}

    async def close(self) -> None:
        """Close every room."""
        for room in tuple(self.rooms.values()):
            await room.close()
        self.rooms.clear()

    async def sweep(self) -> None:
        """Close rooms that nobody has used for a while; they come back from the database."""
        for game, room in tuple(self.rooms.items()):
            if not room.viewers and time.monotonic() - room.used_at > IDLE_SECONDS:
                del self.rooms[game]
                await room.close()

    async def room(self, game: str) -> Room:
        """The room of a game, opened from the database where needed."""
        found = self.rooms.get(game)
        if found is not None:
            return found
        async with self._opening.setdefault(game, asyncio.Lock()):
            found = self.rooms.get(game)
            if found is None:
                row = await self.store.game(game)
                if row is None:
                    raise NotFoundError("there is no such game here")
                seats = await self.store.seats(game)
                found = Room(self.store, self.workers, row, seats, await self._provisional(row, seats))
                await found.open()
                self.rooms[game] = found
        self._opening.pop(game, None)
        return found

    async def _provisional(self, row: GameRow, seats: list[SeatRow]) -> State | None:
        if row.setup:
            return None
        return await self.workers.engine(lambda: setup_state(ruleset(row.edition), row, seats))

    # --- players ---

    async def ensure(self, player: Player) -> PlayerRow:
        """The row of a player, written the first time it is needed."""
        row = await self.store.player_by_token(player.token_hash)
        if row is None:
            row = PlayerRow(player.id, player.token_hash, GUEST, now())
            await self.store.add_player(row)
        return row

    async def name_of(self, player: Player) -> str:
        """What a player goes by."""
        row = await self.store.player_by_token(player.token_hash)
        return row.name if row is not None else GUEST

    # --- making games ---

    async def make(self, player: Player, order: NewGame) -> GameMade:
        """A new game. It begins at once unless a friend is still to come."""
        self._check(order)
        rules = ruleset(order.edition)
        me = await self.ensure(player)
        own = {row.id: row for row in await self.store.armies_of(player.id)}
        invite = new_invite() if any(seat.who == "friend" for seat in order.seats) else ""
        game, secret = new_id(), new_secret()
        seats = [self._seat(game, n, seat, me, order, own, invite) for n, seat in enumerate(order.seats)]
        row = GameRow(
            id=game,
            owner=player.id,
            name=clean(order.name),
            edition=order.edition,
            status="waiting" if invite else "running",
            created=now(),
            changed=now(),
            ordered=encode(self._with_table(order)),
            setup=b"",
            secret=secret,
            commitment=commitment_of(secret),
            rules_version=rules_version(rules),
        )
        state = await self.workers.engine(lambda: setup_state(rules, row, seats))
        if not invite:
            row = replace(row, setup=encode(state))
        await self.store.add_game(row, seats)
        if not invite:
            await self.room(game)
        mine = tuple(seat.seat for seat in seats if seat.who == "person")
        return GameMade(game, mine, row.commitment, invite)

    @staticmethod
    def _with_table(order: NewGame) -> NewGame:
        """The order with the table's seed settled, so that both players get the same table."""
        table = order.table
        if table.kind == "generate" and not table.seed:
            table = replace(table, seed=1 + secrets.randbelow(2**31 - 1))
        return replace(order, table=table)

    def _check(self, order: NewGame) -> None:
        problems: list[str] = []
        if order.edition not in EDITIONS:
            problems.append(f"{order.edition!r} cannot be played; there are {', '.join(EDITIONS)}")
        else:
            problems += house_rules.check(order.edition, order.house_rules)
        try:
            check_mission(order.mission)
        except UnknownMissionError as error:
            problems.append(str(error))
        if sum(seat.who == "friend" for seat in order.seats) > 1:
            problems.append("one seat at least must be yours or a bot's")
        known = {bot.key for bot in levels(self.workers.compiled)}
        bots = [seat.bot for seat in order.seats if seat.who == "bot"]
        problems += [no_such_bot(bot, known) for bot in bots if bot not in known]
        if problems:
            raise NotNowError("malformed", *problems)

    @staticmethod
    def _seat(
        game: str,
        number: int,
        seat: SeatOrder,
        me: PlayerRow,
        order: NewGame,
        own: dict[str, ArmyRow],
        invite: str,
    ) -> SeatRow:
        base = SeatRow(game=game, seat=number, who="open", name="")
        if seat.who == "friend":
            return replace(base, name=clean(seat.name) or "Friend", invite_hash=hashed(invite))
        kept = army_for(seat.army or _usual_army(order.edition, number), order.edition, own)
        base = replace(base, army=encode(kept), army_name=kept.army.name)
        if seat.who == "me":
            name = clean(seat.name) or (
                me.name if me.name != GUEST or number == 0 else f"Player {number + 1}"
            )
            return replace(base, who="person", name=name, player=me.id, nonce=order.nonce)
        label = next(bot.label for bot in levels(compiled=True) if bot.key == seat.bot)
        alike = sum(other.who == "bot" and other.bot == seat.bot for other in order.seats)
        name = clean(seat.name) or (f"{label} {number + 1}" if alike > 1 else label)
        return replace(base, who="bot", name=name, bot=seat.bot, nonce=new_nonce())

    # --- joining ---

    async def invitation(self, player: Player, code: str) -> Invitation:
        """What a link leads to, for whoever opens it."""
        seat = await self.store.seat_by_invite(hashed(code))
        row = await self.store.game(seat.game) if seat is not None else None
        if seat is None or row is None:
            raise NotFoundError("this invitation is not known here")
        rules = ruleset(row.edition)
        others = await self.store.seats(row.id)
        host = next(other for other in others if other.seat != seat.seat)
        theirs = KEPT.decode(host.army).army if host.army else None
        cards = ready_cards(row.edition)
        mission = ORDERS.decode(row.ordered).mission
        return Invitation(
            game=row.id,
            name=title_of(row, others),
            edition=row.edition,
            title=rules.title,
            host="" if host.name == GUEST else host.name,
            seat=seat.seat,
            taken=seat.who != "open",
            armies=cards,
            points=theirs.points if theirs is not None else rules.constants.points_full,
            host_army=host.army_name,
            yours=_part_of(player, host, seat),
            status=_status(row),
            mission=next((known.name for known in SIX if known.id == mission), ""),
            goal=mission_words(mission),
        )

    async def join(self, player: Player, order: Join) -> Joined:
        """Take the seat a link leads to; the game begins when the last one is taken."""
        seat = await self.store.seat_by_invite(hashed(order.invite))
        row = await self.store.game(seat.game) if seat is not None else None
        if seat is None or row is None:
            raise NotFoundError("this invitation is not known here")
        if seat.who == "person" and seat.player == player.id:
            return Joined(row.id, seat.seat)
        me = await self.ensure(player)
        own = {r.id: r for r in await self.store.armies_of(player.id)}
        kept = army_for(order.army or _usual_army(row.edition, seat.seat), row.edition, own)
        taken = replace(
            seat,
            who="person",
            player=player.id,
            name=clean(order.name) or (me.name if me.name != GUEST else seat.name),
            nonce=order.nonce,
            army=encode(kept),
            army_name=kept.army.name,
        )
        try:
            await self.store.take_seat(taken)
        except BusyError as error:
            raise NotNowError("busy", "somebody else has taken this seat") from error
        await self._start(row.id)
        return Joined(row.id, seat.seat)

    async def _start(self, game: str) -> None:
        """All seats are taken: settle the set-up and let the room begin."""
        found = await self.store.game(game)
        seats = await self.store.seats(game)
        assert found is not None
        row = found
        if any(seat.who == "open" for seat in seats) or row.setup:
            return
        rules = ruleset(row.edition)
        state = await self.workers.engine(lambda: setup_state(rules, row, seats))
        await self.store.set_setup(game, encode(state), rules_version(rules), now())
        row = replace(row, setup=encode(state), status="running")
        room = self.rooms.get(game)
        if room is not None:
            room.start(row, seats)
        else:
            await self.room(game)

    # --- lists ---

    async def cards(self, player: Player) -> list[GameCard]:
        """The games of a player, newest first."""
        return [await self.card(row, player) for row in await self.store.games_of(player.id)]

    async def card(self, row: GameRow, player: Player) -> GameCard:
        """One game as a card."""
        seats = await self.store.seats(row.id)
        rules = ruleset(row.edition)
        mine = tuple(seat.seat for seat in seats if seat.who == "person" and seat.player == player.id)
        return GameCard(
            id=row.id,
            name=title_of(row, seats),
            edition=row.edition,
            title=rules.title,
            status=_status(row),
            round=row.round,
            rounds=rules.constants.rounds,
            seats=tuple(seat_view(None, seat) for seat in seats),
            mine=mine,
            my_turn=row.turn_seat in mine,
            winner=row.winner,
            resigned=row.resigned,
            score=tuple(int(part) for part in row.score.split()),
            created=row.created,
            changed=row.changed,
            watch_only=row.watch_only,
        )


def _part_of(player: Player, host: SeatRow, seat: SeatRow) -> Literal["", "host", "player"]:
    """What a player has to do with a link already."""
    if seat.who == "person" and seat.player == player.id:
        return "player"
    if host.player != player.id:
        return ""
    return "host" if seat.who == "open" else "player"


def _status(row: GameRow) -> Status:
    known: dict[str, Status] = {"waiting": "waiting", "over": "over"}
    return known.get(row.status, "running")


def _usual_army(edition: str, seat: int) -> str:
    """A ready-made army for a seat that names none: the two sides get different ones."""
    cards = ready_cards(edition)
    if not cards:
        return ""
    most = max(card.points for card in cards)
    big = [card for card in cards if card.points > most * 0.8]
    return big[seat % len(big)].id


def setup_state(rules: Ruleset, row: GameRow, seats: list[SeatRow]) -> State:
    """The game about to begin; sides whose seat is open have no army yet."""
    order = ORDERS.decode(row.ordered)
    width, depth = rules.constants.table
    armies = [mustered(KEPT.decode(seat.army)) if seat.army else _nobody(seat.name) for seat in seats]
    state = fresh_state(
        rules,
        width,
        depth,
        pieces_for(rules, order.table),
        armies,
        seats=[seat.name for seat in seats],
        options=dict(order.house_rules),
    )
    return replace(state, mission=check_mission(order.mission), units=told_apart(state.units))


def told_apart(units: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """Units of one side that share a name, numbered: plates, questions, reasons and the log then say the same."""
    wanted = Counter((unit.side, unit.name) for unit in units)
    seen: Counter[tuple[int, str]] = Counter()
    named = []
    for unit in units:
        key = (unit.side, unit.name)
        seen[key] += 1
        named.append(replace(unit, name=f"{unit.name} {seen[key]}") if wanted[key] > 1 else unit)
    return tuple(named)


def _nobody(name: str) -> Army:
    return Army(name, ())
