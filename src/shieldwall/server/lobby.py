"""Creating games, taking seats, and keeping the rooms that are in use."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

from msgspec.structs import replace

from shieldwall.core.codec import decode_state, encode
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.state import State
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.lessons.battles import NoBattleError, set_battle
from shieldwall.rulebook import house_rules
from shieldwall.rules.missions import SIX, UnknownMissionError, check_mission
from shieldwall.server import jobs
from shieldwall.server.armoury import KEPT, ready_cards
from shieldwall.server.budgets import Budgets
from shieldwall.server.clocks import Uptime, clock_of, fresh_clock, ordered_words
from shieldwall.server.cluster import Cluster
from shieldwall.server.connections import SocketSlots
from shieldwall.server.dice_key import commitment_of, new_secret
from shieldwall.server.identity import Player, hashed, new_id, new_invite
from shieldwall.server.lessons_in_play import battle_of
from shieldwall.server.live import now, rules_version
from shieldwall.server.opponents import levels, no_such_bot
from shieldwall.server.pages import GameCard, GameMade, Invitation, Join, Joined, NewGame, Status
from shieldwall.server.present import seat_view, title_of
from shieldwall.server.refusals import NotNowError
from shieldwall.server.rematch import rematch_view
from shieldwall.server.room import MOVED, Room
from shieldwall.server.setup import (
    GUEST,
    ORDERS,
    chosen_army,
    encoded_setup,
    numbered_units,
    prepared,
    set_order,
    set_seats,
    usual_name,
    with_table_seed,
)
from shieldwall.server.storage import (
    BusyError,
    DamagedError,
    GameRow,
    PlayerRow,
    SeatRow,
    StorageError,
    Store,
)
from shieldwall.server.text import clean
from shieldwall.server.worker_process import WorkerDiedError
from shieldwall.server.workers import Workers
from shieldwall.story.missions import mission_words

IDLE_SECONDS = 600
DAMAGED_KEPT = 1000
WAITING_KEPT = 200


class NotFoundError(ShieldwallError):
    """The game does not exist, or the player may not see it."""


class ElsewhereError(Exception):
    """Another server plays this game."""


class _OpeningLock(asyncio.Lock):
    """Held while a game is opened; dropped when nobody waits for it."""

    askers = 0


class Lobby:
    """All games of one server. `cluster` is set if other servers share its database."""

    def __init__(
        self,
        store: Store,
        workers: Workers,
        budgets: Budgets | None = None,
        uptime: Uptime | None = None,
    ) -> None:
        self.store, self.workers = store, workers
        self.uptime = uptime if uptime is not None else Uptime()
        self.budgets = budgets if budgets is not None else Budgets()
        self.places = SocketSlots(self.budgets.limits)
        self.cluster: Cluster | None = None
        self.rooms: dict[str, Room] = {}
        self._opening: dict[str, _OpeningLock] = {}
        self._waiting: dict[str, bytes] = {}  # set-ups of the latest games with an open seat
        self.damaged: dict[str, DamagedError] = {}  # games set aside, not to be tried again

    async def close(self) -> None:
        """Close every room."""
        for room in tuple(self.rooms.values()):
            await room.close()
        self.rooms.clear()

    async def sweep(self) -> int:
        """Close rooms that have been idle; they can be reopened from the database. Returns how many were closed."""
        before = len(self.rooms)
        for game, room in tuple(self.rooms.items()):
            if room.gone:
                del self.rooms[game]
            elif not room.viewers and time.monotonic() - room.used_at > IDLE_SECONDS:
                del self.rooms[game]
                await room.close()
                if self.cluster is not None:
                    await self.cluster.release(game)
        return max(0, before - len(self.rooms))

    async def give_up(self) -> None:
        """This server has lost its lease: other servers may own its games now."""
        for room in tuple(self.rooms.values()):
            await room.close(MOVED)
        self.rooms.clear()

    async def news(self, game: str) -> None:
        """Another server reports that a game's last seat was taken, or news of a rematch."""
        async with self._one_at_a_time(game):
            room = self._open_room(game)
        row = await self.store.game(game)
        if room is not None and room.live is None and row is not None and row.setup:
            room.start(row, await self.store.seats(game))
        elif room is not None and row is not None and row.rematch != room.row.rematch:
            room.rematched(row)

    async def tell(self, game: str) -> None:
        """Notify the viewers of a game, here or on its owner, that it has changed in the database."""
        await self.news(game)
        if self.cluster is not None:
            await self.cluster.tell(game)

    def _open_room(self, game: str) -> Room | None:
        found = self.rooms.get(game)
        return found if found is not None and not found.gone else None

    async def room(self, game: str) -> Room:
        """The room of a game, opened from the database if necessary."""
        found = self._open_room(game)
        if found is not None:
            return found
        async with self._one_at_a_time(game):
            return self._open_room(game) or await self._opened(game)

    @asynccontextmanager
    async def _one_at_a_time(self, game: str) -> AsyncIterator[None]:
        """Prevent concurrent opening: two rooms of one game would contradict each other."""
        lock = self._opening.setdefault(game, _OpeningLock())
        lock.askers += 1
        try:
            async with lock:
                yield
        finally:
            lock.askers -= 1
            if not lock.askers:
                del self._opening[game]

    async def _opened(self, game: str) -> Room:
        """Load a game from the database; a damaged one is set aside."""
        if game in self.damaged:
            raise self.damaged[game]
        await self._require_here(game)
        try:
            found = self.rooms[game] = await self._read(game)
        except (NotFoundError, NotNowError, StorageError, WorkerDiedError):
            raise
        except DamagedError as error:
            self._set_aside(game, error)
            raise
        except Exception as error:  # damaged data can raise anything
            damaged = DamagedError(f"{type(error).__name__}: {error}")
            self._set_aside(game, damaged)
            raise damaged from error
        return found

    def _set_aside(self, game: str, error: DamagedError) -> None:
        """Remember a game that cannot be opened; beyond a limit, the oldest is forgotten and would be tried again."""
        self.damaged[game] = error
        while len(self.damaged) > DAMAGED_KEPT:
            del self.damaged[next(iter(self.damaged))]

    async def _read(self, game: str) -> Room:
        row = await self.store.game(game)
        if row is None:
            raise NotFoundError("there is no such game here")
        seats = await self.store.seats(game)
        provisional = await self._provisional(row, seats)
        found = Room(self.store, self.workers, row, seats, provisional, self.uptime)
        await found.open()
        return found

    async def _require_here(self, game: str) -> None:
        """Refuse a game that another server plays; otherwise claim it before any of it is read."""
        owner = await self.cluster.owner(game) if self.cluster is not None else None
        if owner is not None and self.cluster is not None and owner.id != self.cluster.id:
            raise ElsewhereError

    async def _begun(self, game: str, row: GameRow, seats: list[SeatRow]) -> None:
        """Start a complete game, here or on its owner."""
        try:
            room = await self.room(game)
        except ElsewhereError:
            assert self.cluster is not None
            await self.cluster.tell(game)
            return
        if room.live is None:
            room.start(row, seats)

    async def _provisional(self, row: GameRow, seats: list[SeatRow]) -> State | None:
        if row.setup:
            return None
        known = self._waiting.get(row.id, b"")
        return decode_state(known or await self.workers.office(encoded_setup, row, seats, b""))

    def _wait(self, game: str, setup: bytes) -> None:
        """Remember the set-up of a game until its last seat is taken; beyond a limit, the oldest is forgotten."""
        self._waiting[game] = setup
        while len(self._waiting) > WAITING_KEPT:
            del self._waiting[next(iter(self._waiting))]

    # --- players ---

    async def ensure(self, player: Player) -> PlayerRow:
        """The player's row, written when it is first needed."""
        row = await self.store.player_by_token(player.token_hash)
        if row is None:
            row = PlayerRow(player.id, player.token_hash, GUEST, now())
            await self.store.add_player(row)
        return row

    async def name_of(self, player: Player) -> str:
        """A player's name."""
        row = await self.store.player_by_token(player.token_hash)
        return row.name if row is not None else GUEST

    # --- making games ---

    async def make(self, player: Player, order: NewGame) -> GameMade:
        """A new game. It starts at once unless a friend has yet to join."""
        self._check(order)
        rules = ruleset(order.edition)
        me = await self.ensure(player)
        own = await self.store.armies_of(player.id)
        invite = new_invite() if any(seat.who == "friend" for seat in order.seats) else ""
        game, secret = new_id(), new_secret()
        row = GameRow(
            id=game,
            owner=player.id,
            name=clean(order.name),
            edition=order.edition,
            status="waiting" if invite else "running",
            created=now(),
            changed=now(),
            ordered=encode(with_table_seed(order)),
            setup=b"",
            secret=secret,
            commitment=commitment_of(secret),
            rules_version=rules_version(rules),
            clock=encode(clock).decode() if (clock := fresh_clock(order.clock)) is not None else "",
        )
        seats, setup = await self.workers.office(prepared, row, me, own, hashed(invite) if invite else "")
        if invite:
            self._wait(game, setup)
        else:
            row = replace(row, setup=setup)
        await self.store.add_game(row, seats)
        if not invite:
            await self._begun(game, row, seats)
        mine = tuple(seat.seat for seat in seats if seat.who == "person")
        return GameMade(game, mine, row.commitment, invite)

    async def begin_from(self, row: GameRow, seats: list[SeatRow]) -> GameMade:
        """A game that starts in a given position."""
        await self.store.add_game(row, seats)
        await self._begun(row.id, row, seats)
        mine = tuple(seat.seat for seat in seats if seat.who == "person")
        return GameMade(row.id, mine, row.commitment)

    async def make_set(self, player: Player, key: str, nonce: str) -> GameMade:
        """A new game of a set battle; it starts at once."""
        try:
            battle = await self.workers.engine(lambda: set_battle(key))
        except NoBattleError as error:
            raise NotFoundError(str(error)) from error
        # wait for a starting worker here, not at the first question
        await self.workers.ask(jobs.warm)
        me = await self.ensure(player)
        game, secret = new_id(), battle.secret or new_secret()
        row = GameRow(
            id=game,
            owner=player.id,
            name=clean(battle.title),
            edition=battle.edition,
            status="running",
            created=now(),
            changed=now(),
            ordered=encode(set_order(battle, nonce)),
            setup=encode(replace(battle.start, units=numbered_units(battle.start.units))),
            secret=secret,
            commitment=commitment_of(secret),
            rules_version=rules_version(ruleset(battle.edition)),
        )
        return await self.begin_from(row, set_seats(game, battle, me, nonce))

    def _check(self, order: NewGame) -> None:
        problems: list[str] = ["set battles have their own address"] if order.battle else []
        if order.edition not in EDITIONS:
            problems.append(f"{order.edition!r} cannot be played; there are {', '.join(EDITIONS)}")
        else:
            problems += house_rules.check(order.edition, order.house_rules)
        try:
            check_mission(order.mission)
        except UnknownMissionError as error:
            problems.append(str(error))
        if sum(seat.who == "friend" for seat in order.seats) > 1:
            problems.append("at least one seat must be yours or a bot's")
        if order.clock.kind != "none" and any(seat.who == "bot" for seat in order.seats):
            problems.append("clocks are for games between two people")
        known = {bot.key for bot in levels()}
        bots = [seat.bot for seat in order.seats if seat.who == "bot"]
        problems += [no_such_bot(bot, known) for bot in bots if bot not in known]
        if problems:
            raise NotNowError("malformed", *problems)

    # --- joining ---

    async def invitation(self, player: Player, code: str) -> Invitation:
        """What a link leads to, for the visitor who opens it."""
        seat = await self.store.seat_by_invite(hashed(code))
        row = await self.store.game(seat.game) if seat is not None else None
        if seat is None or row is None:
            raise NotFoundError("this invitation is not valid here")
        rules = ruleset(row.edition)
        others = await self.store.seats(row.id)
        host = next(other for other in others if other.seat != seat.seat)
        theirs = KEPT.decode(host.army).army if host.army else None
        cards = ready_cards(row.edition)
        order = ORDERS.decode(row.ordered)
        mission = order.mission
        return Invitation(
            game=row.id,
            name=title_of(row, others),
            edition=row.edition,
            title=rules.title,
            host="" if host.name == usual_name(host.seat) else host.name,
            seat=seat.seat,
            taken=seat.who != "open",
            armies=cards,
            points=theirs.points if theirs is not None else rules.constants.points_full,
            host_army=host.army_name,
            yours=_part_of(player, host, seat),
            status=_status(row),
            mission=next((known.name for known in SIX if known.id == mission), ""),
            goal=mission_words(mission),
            clock=ordered_words(order.clock),
        )

    async def join(self, player: Player, order: Join) -> Joined:
        """Take the seat a link leads to; the game starts when the last one is taken."""
        seat = await self.store.seat_by_invite(hashed(order.invite))
        row = await self.store.game(seat.game) if seat is not None else None
        if seat is None or row is None:
            raise NotFoundError("this invitation is not valid here")
        if seat.who == "person" and seat.player == player.id:
            return Joined(row.id, seat.seat)
        me = await self.ensure(player)
        own = await self.store.armies_of(player.id)
        army, army_name = await self.workers.office(chosen_army, order.army, row.edition, seat.seat, own)
        taken = replace(
            seat,
            who="person",
            player=player.id,
            name=clean(order.name) or (me.name if me.name != GUEST else seat.name),
            nonce=order.nonce,
            army=army,
            army_name=army_name,
        )
        try:
            await self.store.take_seat(taken)
        except BusyError as error:
            raise NotNowError("busy", "someone else has taken this seat") from error
        await self._start(row.id)
        return Joined(row.id, seat.seat)

    async def _start(self, game: str) -> None:
        """All seats are taken: complete the set-up and start the room."""
        found = await self.store.game(game)
        seats = await self.store.seats(game)
        assert found is not None
        row = found
        if any(seat.who == "open" for seat in seats) or row.setup:
            return
        setup = await self.workers.office(encoded_setup, row, seats, self._waiting.pop(game, b""))
        await self.store.set_setup(game, setup, rules_version(ruleset(row.edition)), now())
        await self._begun(game, replace(row, setup=setup, status="running"), seats)

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
            asked=row.turn_seat,
            out_of_time=row.out_of_time,
            clock=clock.view(self.uptime) if (clock := clock_of(row.clock)) is not None else None,
            rematch=rematch_view(row, seats),
            origin=row.origin,
            battle=battle_of(row),
        )


def _part_of(player: Player, host: SeatRow, seat: SeatRow) -> Literal["", "host", "player"]:
    """A visitor's part in the game behind a link."""
    if seat.who == "person" and seat.player == player.id:
        return "player"
    if host.player != player.id:
        return ""
    return "host" if seat.who == "open" else "player"


def _status(row: GameRow) -> Status:
    known: dict[str, Status] = {"waiting": "waiting", "over": "over"}
    return known.get(row.status, "running")
