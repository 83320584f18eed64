"""HTTP handlers, one method per request. Each only translates: it asks a room, the store or a worker."""

from __future__ import annotations

from functools import cache

from fastapi import Response

from shieldwall import __version__
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rulebook.catalogue import UnknownRowError
from shieldwall.rulebook.house_rules import house_rules
from shieldwall.rules.missions import SIX
from shieldwall.server import archive, armoury, importing, library, rematch, results, tables
from shieldwall.server.army_handlers import ArmyHandlers, require_edition
from shieldwall.server.damage import StoredGame, on_stored_game
from shieldwall.server.dice_key import check_throws
from shieldwall.server.identity import Player
from shieldwall.server.lesson_handlers import LessonHandlers
from shieldwall.server.lobby import Lobby, NotFoundError
from shieldwall.server.opponents import levels
from shieldwall.server.pages import (
    ChoiceView,
    EditionView,
    GameCard,
    GameMade,
    Home,
    HouseRuleView,
    Invitation,
    InviteCode,
    Join,
    Joined,
    MissionView,
    NewGame,
    Opened,
    RematchOrder,
    Rename,
    SizeView,
    TableProposal,
    TableRequest,
    TerrainKind,
)
from shieldwall.server.reference import (
    DiceProof,
    OddsAnswer,
    OddsRequest,
    RowView,
    RulesFound,
    SideBySide,
    ThrowView,
)
from shieldwall.server.refusals import NotNowError
from shieldwall.server.storage import CommandRow, GameRow, SeatRow
from shieldwall.server.text import clean
from shieldwall.server.workers import Encoded
from shieldwall.story.missions import mission_words

EDITION_WORDS = {
    True: "Ranked regiments: facing, flanks, charges that matter.",
    False: "Loose units: every model moves on its own.",
}


class Handlers:
    """Handlers of one server."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.store = lobby.store
        self.workers = lobby.workers
        self.armies = ArmyHandlers(lobby)
        self.teaching = LessonHandlers(lobby)

    # --- home ---

    async def home(self, player: Player) -> Home:
        """Everything the first page shows."""
        editions = await self.workers.engine(lambda: tuple(edition_view(edition) for edition in EDITIONS))
        return Home(
            version=__version__,
            player=await self.lobby.name_of(player),
            editions=editions,
            bots=levels(),
            games=tuple(await self.lobby.cards(player)),
            armies=tuple(await self.armies.mine(player)),
        )

    async def rename(self, player: Player, body: Rename) -> Home:
        """Change the player's name."""
        await self.lobby.ensure(player)
        await self.store.rename_player(player.id, clean(body.name) or "Guest")
        return await self.home(player)

    # --- games ---

    async def make_game(self, player: Player, body: NewGame) -> GameMade:
        """Set up a battle."""
        return await self.lobby.make(player, body)

    async def games(self, player: Player) -> list[GameCard]:
        """My games, newest first."""
        return await self.lobby.cards(player)

    async def _row(self, game: str) -> GameRow:
        row = await self.store.game(game)
        if row is None:
            raise NotFoundError("there is no such game here")
        return row

    async def game(self, player: Player, game: str) -> GameCard:
        """One game."""
        return await self.lobby.card(await self._row(game), player)

    async def hide_game(self, player: Player, game: str) -> list[GameCard]:
        """Take a game off the player's list."""
        row = await self._row(game)
        await self.lobby.ensure(player)
        await self.store.hide_game(player.id, row.id)
        return await self.lobby.cards(player)

    async def invitation(self, player: Player, body: InviteCode) -> Invitation:
        """What an invitation leads to."""
        return await self.lobby.invitation(player, body.invite)

    async def join(self, player: Player, body: Join) -> Joined:
        """Take the open seat of a game."""
        return await self.lobby.join(player, body)

    async def rematch(self, player: Player, game: str, body: RematchOrder) -> GameCard:
        """Offer a rematch, or agree to one."""
        row = await self._row(game)
        await rematch.ask(self.lobby, player, row, body)
        await self.lobby.tell(game)
        return await self.game(player, game)

    async def decline_rematch(self, player: Player, game: str) -> GameCard:
        """Decline a rematch, or withdraw an offer."""
        row = await self._row(game)
        await rematch.decline(self.lobby, player, row)
        await self.lobby.tell(game)
        return await self.game(player, game)

    # --- afterwards ---

    async def _begun(self, game: str) -> StoredGame:
        row = await self._row(game)
        commands = await self.store.commands(game)
        if not commands:
            raise NotNowError("waiting", "the game has not started yet")
        return StoredGame(row, await self.store.seats(game), commands)

    async def shown(self, game: str) -> StoredGame:
        """A game that has started and may be viewed from both sides."""
        stored = await self._begun(game)
        if stored.row.status != "over" and not stored.row.watch_only:
            self._require_open(stored.row, stored.seats)
        return stored

    async def result(self, player: Player, game: str) -> Encoded:
        """How a battle ended, and why."""
        row, _, commands = stored = await self._begun(game)
        return await self.workers.office_encoded(on_stored_game, stored, results.result_of, row, commands)

    async def replay(self, player: Player, game: str) -> Encoded:
        """A complete game, step by step."""
        row, seats, commands = stored = await self.shown(game)
        return await self.workers.office_encoded(
            on_stored_game, stored, results.replay_of, row, seats, commands
        )

    @staticmethod
    def _require_open(row: GameRow, seats: list[SeatRow]) -> None:
        """Refuse running games between people: a replay would reveal sealed choices."""
        if sum(seat.who == "person" for seat in seats) > 1 and len({seat.player for seat in seats}) > 1:
            raise NotNowError("waiting", "the replay of a game between people opens when it is over")

    async def file(self, player: Player, game: str) -> Response:
        """The game as a file for any other Shieldwall."""
        row, seats, commands = stored = await self._begun(game)
        if row.status != "over":
            self._require_open(row, seats)
        data = await self.workers.office(on_stored_game, stored, archive.file_of, row, seats, commands)
        name = f"shieldwall-{row.edition}-{row.id[:8]}.jsonl"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(data, media_type="application/x-ndjson", headers=headers)

    async def open_file(self, player: Player, data: bytes) -> Opened:
        """Watch a game from a file."""
        read = await self.workers.office(importing.read_game, data)
        me = await self.lobby.ensure(player)
        return await importing.store_game(self.store, me.id, read)

    async def dice(self, player: Player, game: str) -> Encoded:
        """Proof of the dice."""
        row, seats, commands = stored = await self._begun(game)
        return await self.workers.office_encoded(on_stored_game, stored, dice_proof, row, seats, commands)

    # --- tables and rules ---

    async def terrain(self, player: Player, edition: str) -> list[TerrainKind]:
        """Terrain that can be placed."""
        require_edition(edition)
        return await self.workers.read(terrain_job, edition)

    async def table(self, player: Player, body: TableRequest) -> TableProposal:
        """A table to preview before playing."""
        require_edition(body.edition)
        return await self.workers.office(table_job, body)

    async def rules(self, player: Player, words: str, edition: str, limit: int) -> RulesFound:
        """Search the rules."""
        return await self.workers.read(library.found, words, edition, limit)

    async def rule(self, player: Player, id: str) -> RowView:
        """One rule."""
        try:
            return await self.workers.read(library.single, id)
        except UnknownRowError as error:
            raise NotFoundError(str(error)) from error

    async def compare(self, player: Player, words: str) -> SideBySide:
        """The editions side by side."""
        return await self.workers.read(library.side_by_side, words)

    # --- odds ---

    async def odds(self, player: Player, body: OddsRequest) -> OddsAnswer:
        """The odds of an attack."""
        require_edition(body.edition)
        own = await self.armies.rows_for(player, body.attacker.army)
        theirs = await self.armies.rows_for(player, body.target.army)
        try:
            return await self.workers.office(importing.odds_of, body, own, theirs)
        except armoury.NoSuchArmyError as error:
            raise NotFoundError(str(error)) from error


def terrain_job(edition: str) -> list[TerrainKind]:
    """Terrain that can be placed; runs in a worker."""
    return list(tables.terrain_kinds(ruleset(edition)))


def table_job(body: TableRequest) -> TableProposal:
    """A table; runs in a worker."""
    return tables.proposal(ruleset(body.edition), body.table)


def dice_proof(row: GameRow, seats: list[SeatRow], commands: list[CommandRow]) -> DiceProof:
    """Proof of the dice; runs in a worker."""
    throws = archive.throws_of(commands)
    nonces = tuple(seat.nonce for seat in seats if seat.nonce)  # games from files may have dice without a key
    count = sum(len(throw.faces) for throw in throws)
    if row.watch_only and not row.secret:
        words = "This game came from a file without the key of its dice."
        return DiceProof(row.id, row.commitment, (), "", len(throws), count, None, words)
    if row.status != "over" and not row.watch_only:
        words = "The commitment fixes all dice; the key is revealed when the game is over."
        return DiceProof(row.id, row.commitment, nonces, "", len(throws), count, None, words)
    problems = check_throws(row.secret, row.commitment, nonces, throws)
    words = (
        problems[0] if problems else f"All {count} dice follow from the key that was fixed before the game."
    )
    shown = tuple(ThrowView(throw.number, throw.purpose, throw.faces) for throw in throws)
    key = row.secret.hex()
    return DiceProof(row.id, row.commitment, nonces, key, len(throws), count, not problems, words, shown)


@cache
def edition_view(edition: str) -> EditionView:
    """An edition with everything needed for a quick battle."""
    rules = ruleset(edition)
    blocks = rules.policies.uses_blocks()
    limits = rules.constants
    return EditionView(
        id=edition,
        title=rules.title,
        words=EDITION_WORDS[blocks],
        blocks=blocks,
        table=limits.table,
        sizes=(
            SizeView("starter", "Small battle", limits.points_starter),
            SizeView("full", "Full battle", limits.points_full),
        ),
        armies=armoury.ready_cards(edition),
        missions=(
            MissionView("", "Standard", mission_words("")),
            *(MissionView(mission.id, mission.name, mission_words(mission.id)) for mission in SIX),
        ),
        house_rules=tuple(
            HouseRuleView(
                rule.name,
                rule.question,
                rule.default,
                tuple(ChoiceView(choice.value, choice.meaning) for choice in rule.choices),
                tuple(rule.edition_rows),
            )
            for rule in house_rules(edition)
        ),
    )
