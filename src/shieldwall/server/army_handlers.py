"""HTTP handlers for armies: books, lists, their cost, import and export."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

from shieldwall.editions import EDITIONS
from shieldwall.server import armoury, importing
from shieldwall.server.armoury import BOOK
from shieldwall.server.identity import Player, new_id
from shieldwall.server.live import now
from shieldwall.server.lobby import Lobby, NotFoundError
from shieldwall.server.pages import ArmyCard
from shieldwall.server.reference import (
    ArmyBody,
    ArmyFile,
    ArmyFileText,
    ArmyRepair,
    ArmyReport,
    BookCard,
    BookView,
)
from shieldwall.server.refusals import NotNowError
from shieldwall.server.storage import ArmyRow

T = TypeVar("T")
ARMIES_EACH = 200
BOOKS_EACH = 40


def require_edition(edition: str) -> None:
    """Refuse editions that cannot be played."""
    if edition not in EDITIONS:
        raise NotNowError("malformed", f"{edition[:40]!r} cannot be played; there are {', '.join(EDITIONS)}")


class ArmyHandlers:
    """Handlers of the army pages."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.store = lobby.store
        self.workers = lobby.workers

    # --- books ---

    async def books(self, player: Player, edition: str) -> list[BookCard]:
        """The army books: built-in ones, and those the player imported, which work with any edition."""
        rows = await self._book_rows(player)
        return await self.workers.read(armoury.book_cards, rows, edition)

    async def _book_rows(self, player: Player) -> list[ArmyRow]:
        return [row for row in await self.store.armies_of(player.id) if row.edition == BOOK]

    async def book(self, player: Player, edition: str, book: str) -> BookView:
        """One army book with everything it offers."""
        require_edition(edition)
        return await self.workers.read(armoury.one_book, edition, book, await self._book_rows(player))

    async def add_book(self, player: Player, data: bytes) -> list[BookCard]:
        """Import an army book."""
        found = await self.workers.read(importing.read_books, data)
        rows = await self._book_rows(player)
        if len(rows) + len(found) > BOOKS_EACH:
            raise NotNowError("busy", f"you can have {BOOKS_EACH} books; delete one first")
        await self.lobby.ensure(player)
        for id, text in found:
            known = next((row.id for row in rows if row.name == id), new_id())
            await self.store.save_army(ArmyRow(known, player.id, id, BOOK, text, now()))
        return await self.books(player, "")

    async def delete_book(self, player: Player, book: str) -> list[BookCard]:
        """Delete one of the player's books; lists keep the parts they need."""
        row = next((row for row in await self._book_rows(player) if row.name == book[:80]), None)
        if row is None or not await self.store.delete_army(player.id, row.id):
            raise NotFoundError("you have no such book")
        return await self.books(player, "")

    # --- lists ---

    async def mine(self, player: Player) -> list[ArmyCard]:
        """The player's armies."""
        rows = await self.store.armies_of(player.id)
        if not any(row.edition != BOOK for row in rows):
            return []
        return await self.workers.read(armoury.own_cards, rows)

    async def check_army(self, player: Player, body: ArmyBody) -> ArmyReport:
        """Points and problems of a list that is being built."""
        require_edition(body.army.edition)
        rows = await self._book_rows(player)
        return (await self.workers.read(armoury.judged, "", body.army, rows)).report

    async def repair_army(self, player: Player, body: ArmyBody) -> list[ArmyRepair]:
        """Repairs for the problems of a list that is being built."""
        require_edition(body.army.edition)
        return await self.workers.read(armoury.repairs, body.army, await self._book_rows(player))

    async def save_army(self, player: Player, body: ArmyBody) -> ArmyReport:
        """Save a new list."""
        require_edition(body.army.edition)
        id = await self._id_for_one_more(player)
        judged = await self.workers.read(armoury.judged, id, body.army, await self._book_rows(player))
        return await self._saved(player, judged)

    async def replace_army(self, player: Player, army: str, body: ArmyBody) -> ArmyReport:
        """Save a list over one of the player's."""
        require_edition(body.army.edition)
        rows = await self.store.armies_of(player.id)
        if army not in {row.id for row in rows if row.edition != BOOK}:
            raise NotFoundError("you have no such army")
        own = [row for row in rows if row.edition == BOOK]
        return await self._saved(player, await self.workers.read(armoury.judged, army, body.army, own))

    async def _id_for_one_more(self, player: Player) -> str:
        if len(await self.store.armies_of(player.id)) >= ARMIES_EACH:
            raise NotNowError("busy", f"you can have {ARMIES_EACH} armies; delete one first")
        return new_id()

    async def _saved(self, player: Player, judged: armoury.CheckedList) -> ArmyReport:
        await self.lobby.ensure(player)
        army = judged.report.army
        row = ArmyRow(judged.report.id, player.id, army.name[:80], army.edition, judged.kept, now())
        await self.store.save_army(row)
        return judged.report

    async def rows_for(self, player: Player, army: str) -> list[ArmyRow]:
        """The rows needed to find an army: none for a ready-made one, else the player's own."""
        if army.startswith(armoury.READY):
            return []
        rows = await self.store.armies_of(player.id)
        if army not in {row.id for row in rows}:
            raise NotFoundError("you have no such army")
        return [row for row in rows if row.id == army or row.edition == BOOK]

    async def army(self, player: Player, army: str, edition: str) -> ArmyReport:
        """One army with its cards."""
        rows = await self.rows_for(player, army)
        return await self._found(self.workers.read(armoury.report_on, army, edition, rows))

    @staticmethod
    async def _found(work: Awaitable[T]) -> T:
        try:
            return await work
        except armoury.NoSuchArmyError as error:
            raise NotFoundError(str(error)) from error

    async def copy_army(self, player: Player, army: str, edition: str) -> ArmyReport:
        """Duplicate an army, ready-made or the player's own."""
        rows = await self.rows_for(player, army)
        id = await self._id_for_one_more(player)
        judged = await self._found(self.workers.read(armoury.copied, id, army, edition, rows))
        return await self._saved(player, judged)

    async def delete_army(self, player: Player, army: str) -> list[ArmyCard]:
        """Delete an army."""
        if not await self.store.delete_army(player.id, army):
            raise NotFoundError("you have no such army")
        return await self.mine(player)

    async def import_army(self, player: Player, body: ArmyFileText) -> ArmyReport:
        """Import a list from a file or pasted text, and save it."""
        id = await self._id_for_one_more(player)
        rows = await self._book_rows(player)
        return await self._saved(player, await self.workers.read(importing.read_army, id, body, rows))

    async def army_file(self, player: Player, army: str, edition: str) -> ArmyFile:
        """An army as a file."""
        rows = await self.rows_for(player, army)
        return await self._found(self.workers.read(importing.army_file, army, edition, rows))
