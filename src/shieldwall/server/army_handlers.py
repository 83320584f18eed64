"""The HTTP side of armies: books, lists, what they cost, and how they come in and go out."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.armies import Book
from shieldwall.armies.book_file import write_book
from shieldwall.core.codec import encode
from shieldwall.core.errors import ShieldwallError
from shieldwall.editions import EDITIONS
from shieldwall.server import armoury, importing
from shieldwall.server.armoury import BOOK, Kept
from shieldwall.server.identity import Player, new_id
from shieldwall.server.live import now
from shieldwall.server.lobby import Lobby, NotFoundError
from shieldwall.server.pages import ArmyCard
from shieldwall.server.reference import (
    ArmyBody,
    ArmyFile,
    ArmyFinding,
    ArmyReport,
    ArmyText,
    BookCard,
    BookView,
)
from shieldwall.server.refusals import NotNowError
from shieldwall.server.storage import ArmyRow
from shieldwall.server.text import clean

ARMIES_EACH = 200
BOOKS_EACH = 40


def require_edition(edition: str) -> None:
    """Refuse editions that cannot be played."""
    if edition not in EDITIONS:
        raise NotNowError("malformed", f"{edition[:40]!r} cannot be played; there are {', '.join(EDITIONS)}")


class ArmyHandlers:
    """Answers the army pages."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.store = lobby.store
        self.workers = lobby.workers

    # --- books ---

    async def books(self, player: Player, edition: str) -> list[BookCard]:
        """The army books: ours, and those the player brought along, which go with any edition."""
        ours = await self.workers.engine(armoury.books)
        own = await self._own_books(player)
        cards = [BookCard(b.id, b.name, e, b.about, len(b.units), True) for b in own for e in EDITIONS]
        return [card for card in (*ours, *cards) if edition in ("", card.edition)]

    async def _own_books(self, player: Player) -> tuple[Book, ...]:
        rows = await self.store.armies_of(player.id)
        return await self.workers.engine(lambda: armoury.own_books(rows))

    async def book(self, player: Player, edition: str, book: str) -> BookView:
        """One army book with all it offers."""
        require_edition(edition)
        own = {found.id: found for found in await self._own_books(player)}
        if book in own:
            return await self.workers.engine(lambda: armoury.view_of(edition, own[book]))
        return await self.workers.engine(lambda: armoury.book_view(edition, book))

    async def add_book(self, player: Player, data: bytes) -> list[BookCard]:
        """Bring an army book along."""
        found = await self.workers.office(importing.read_books, data)
        rows = [row for row in await self.store.armies_of(player.id) if row.edition == BOOK]
        if len(rows) + len(found) > BOOKS_EACH:
            raise NotNowError("busy", f"{BOOKS_EACH} books are the most; delete one first")
        await self.lobby.ensure(player)
        for book in found:
            known = next((row.id for row in rows if row.name == book.id[:80]), new_id())
            text = write_book(book).encode()
            await self.store.save_army(ArmyRow(known, player.id, book.id[:80], BOOK, text, now()))
        return await self.books(player, "")

    async def delete_book(self, player: Player, book: str) -> list[BookCard]:
        """Throw a book of one's own away; lists keep what they need of it."""
        rows = await self.store.armies_of(player.id)
        row = next((row for row in rows if row.edition == BOOK and row.name == book[:80]), None)
        if row is None or not await self.store.delete_army(player.id, row.id):
            raise NotFoundError("that book is not among yours")
        return await self.books(player, "")

    # --- lists ---

    async def mine(self, player: Player) -> list[ArmyCard]:
        """My armies."""
        rows = await self.store.armies_of(player.id)
        lists = [row for row in rows if row.edition != BOOK]
        return await self.workers.engine(lambda: [armoury.own_card(row, rows) for row in lists])

    async def _kept(self, player: Player, body: ArmyBody) -> Kept:
        require_edition(body.army.edition)
        own = await self._own_books(player)
        return await self.workers.engine(lambda: armoury.kept_with(armoury.cleaned(body.army), own))

    async def check_army(self, player: Player, body: ArmyBody) -> ArmyReport:
        """Points and problems of a list that is being built."""
        kept = await self._kept(player, body)
        return await self.workers.engine(lambda: armoury.report_of("", kept))

    async def save_army(self, player: Player, body: ArmyBody) -> ArmyReport:
        """Save a new list."""
        return await self._saved(player, "", await self._kept(player, body))

    async def replace_army(self, player: Player, army: str, body: ArmyBody) -> ArmyReport:
        """Save a list over one of mine."""
        if army not in {row.id for row in await self.store.armies_of(player.id) if row.edition != BOOK}:
            raise NotFoundError("that army is not among yours")
        return await self._saved(player, army, await self._kept(player, body))

    async def _saved(
        self, player: Player, id: str, kept: Kept, remarks: tuple[ArmyFinding, ...] = ()
    ) -> ArmyReport:
        if not id:
            if len(await self.store.armies_of(player.id)) >= ARMIES_EACH:
                raise NotNowError("busy", f"{ARMIES_EACH} armies are the most; delete one first")
            id = new_id()
        kept = replace(kept, army=replace(kept.army, id=id))
        report = await self.workers.engine(lambda: armoury.report_of(id, kept, remarks))
        await self.lobby.ensure(player)
        row = ArmyRow(id, player.id, kept.army.name[:80], kept.army.edition, encode(kept), now())
        await self.store.save_army(row)
        return report

    async def find(self, player: Player, army: str, edition: str = "") -> Kept:
        """An army of mine, or a ready-made one."""
        rows = {row.id: row for row in await self.store.armies_of(player.id)}
        if not army.startswith(armoury.READY) and army not in rows:
            raise NotFoundError("that army is not among yours")
        for known in (edition,) if edition else EDITIONS:
            try:
                return armoury.list_named(army, known, rows)
            except ShieldwallError:
                continue
        raise NotFoundError("there is no such army")

    async def army(self, player: Player, army: str, edition: str) -> ArmyReport:
        """One army with its cards."""
        found = await self.find(player, army, edition)
        return await self.workers.engine(lambda: armoury.report_of(army, found))

    async def copy_army(self, player: Player, army: str, edition: str) -> ArmyReport:
        """Duplicate an army, ready-made or one's own."""
        found = await self.find(player, army, edition)
        name = clean(f"{found.army.name} (copy)", 80)
        return await self._saved(player, "", replace(found, army=replace(found.army, name=name)))

    async def delete_army(self, player: Player, army: str) -> list[ArmyCard]:
        """Throw an army away."""
        if not await self.store.delete_army(player.id, army):
            raise NotFoundError("that army is not among yours")
        return await self.mine(player)

    async def import_army(self, player: Player, body: ArmyText) -> ArmyReport:
        """Read a list from a file or pasted text and save it."""
        own = await self._own_books(player)
        kept, remarks = await self.workers.engine(lambda: importing.read_army(body, own))
        return await self._saved(player, "", kept, remarks)

    async def army_file(self, player: Player, army: str, edition: str) -> ArmyFile:
        """An army as a file."""
        found = await self.find(player, army, edition)
        return await self.workers.engine(lambda: importing.army_file(found.army))
