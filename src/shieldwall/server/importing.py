"""Imported files and text: recorded games and army lists. Also odds between two units of lists."""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec.structs import replace

from shieldwall.armies import books_of
from shieldwall.armies.book_file import write_book
from shieldwall.armies.factions import FACTIONS
from shieldwall.armies.importing import read_any
from shieldwall.armies.list_file import write_list
from shieldwall.armies.recruit import troops_of
from shieldwall.armies.troops import Troop
from shieldwall.core.codec import encode
from shieldwall.core.errors import MalformedError, ShieldwallError
from shieldwall.core.grammar import does
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.odds import briefly
from shieldwall.odds.duel import Terms, duel_of_troops
from shieldwall.odds.preview import LIGHT, brief_of
from shieldwall.replay import parse_log, verify
from shieldwall.server import armoury
from shieldwall.server.archive import FromFile, from_log
from shieldwall.server.armoury import CheckedList, StoredList, checked_with, cleaned, own_books
from shieldwall.server.identity import new_id
from shieldwall.server.live import now
from shieldwall.server.outcomes import outcome_of
from shieldwall.server.pages import NewGame, Opened, SeatOrder
from shieldwall.server.reference import ArmyFile, ArmyFileText, ArmyFinding, Fighter, OddsAnswer, OddsRequest
from shieldwall.server.storage import ArmyRow, CommandRow, GameRow, SeatRow, Store
from shieldwall.server.text import clean

ANSWERS_AT_MOST = 20_000
LINES_AT_MOST = 45_000  # each answer with its effects


# --- games ---


def read_game(data: bytes) -> tuple[FromFile, tuple[str, ...]]:
    """The game in a file, replayed to the end; a file that does not play as recorded is refused."""
    if data.count(b"\n") > LINES_AT_MOST:
        raise MalformedError("game file", [f"more than {LINES_AT_MOST} lines, which no game has"])
    log = parse_log(data, "game file")
    if log.header.ruleset not in EDITIONS:
        raise MalformedError("game file", [f"there is no edition {log.header.ruleset!r}"])
    if log.footer.answers_given > ANSWERS_AT_MOST:
        raise MalformedError("game file", [f"{log.footer.answers_given} answers are more than any game has"])
    try:
        verdict = verify(log)
    except ShieldwallError:
        raise
    except Exception as error:  # a forged starting state may lead anywhere
        raise MalformedError("game file", [f"its game cannot be played: {type(error).__name__}"]) from error
    if not verdict.ok:
        raise MalformedError("game file", [str(verdict.first_wrong)])
    return from_log(log), verdict.notes


async def store_game(store: Store, owner: str, read: tuple[FromFile, tuple[str, ...]]) -> Opened:
    """Store a game from a file, to be watched."""
    found, notes = read
    game, at = new_id(), now()
    row = _file_row(found, game, owner, at)
    names = [clean(seat.name) for seat in found.setup.seats]
    players = list(found.players) + names[len(found.players) :]
    nonces = [*(found.revealed.nonces if found.revealed else ()), *[""] * len(names)]
    seats = [
        SeatRow(game=game, seat=seat, who="bot", name=name, bot=clean(players[seat], 40), nonce=nonces[seat])
        for seat, name in enumerate(names)
    ]
    last = len(found.commands)
    row = replace(row, head=last, winner=found.winner if found.finished else None)
    commands = [
        CommandRow(
            game=game,
            seq=seq,
            actor=command.actor,
            client_command_id=f"file-{seq:08}",
            payload=command.payload,
            rules_version=found.version,
            dice=command.dice,
            state_hash=command.state_hash,
            at=at,
            told=command.told,
        )
        for seq, command in enumerate(found.commands, start=1)
    ]
    await store.add_game(row, seats, commands)
    return Opened(game, f"{row.name}: {last} steps", notes)


def _file_row(found: FromFile, game: str, owner: str, at: str) -> GameRow:
    rules = ruleset(found.setup.ruleset)
    names = [clean(seat.name) for seat in found.setup.seats]
    order = NewGame(rules.id, (SeatOrder("me"), SeatOrder("me")), "0" * 32)
    return GameRow(
        id=game,
        owner=owner,
        name=clean(f"{' against '.join(names)} (from a file)"),
        edition=rules.id,
        status="over" if found.finished else "running",
        created=at,
        changed=at,
        ordered=encode(order),
        setup=encode(found.setup),
        secret=bytes.fromhex(found.revealed.secret) if found.revealed else b"",
        commitment=found.commitment if found.revealed else "",  # without its key it proves nothing
        rules_version=found.version,
        watch_only=True,
    )


# --- armies ---


def read_army(id: str, body: ArmyFileText, rows: Sequence[ArmyRow]) -> CheckedList:
    """A list in any common form: our own files, Army Forge files and shares, pasted text."""
    books = own_books(rows)
    text = body.text.strip()
    if not text:
        raise MalformedError("army list", ["the text is empty; paste a list or choose a file"])
    found = read_any(text.encode(), "army list", books=books, edition=body.edition)
    if found.army is None:
        raise MalformedError("army list", ["this is an army book, not a list; import it as a book"])
    army = replace(found.army, name=body.name) if body.name else found.army
    remarks = tuple(ArmyFinding("note", f"{remark.kind}: {remark.text}", "") for remark in found.remarks)
    return checked_with(id, cleaned(army), (*found.books, *books), remarks)


def read_books(data: bytes) -> list[tuple[str, bytes]]:
    """The books in a file with their ids, in stored form; a list brings those it needs."""
    found = read_any(data, "army book").books
    if not found:
        raise MalformedError("army book", ["no army book was found in this file"])
    return [(book.id[:80], write_book(book).encode()) for book in found if book.id not in FACTIONS]


def army_file(id: str, edition: str, rows: Sequence[ArmyRow]) -> ArmyFile:
    """A list as a file."""
    army = armoury.found(id, edition, rows).army
    return ArmyFile(f"{clean(army.name) or 'army'}.yaml", write_list(army))


# --- odds ---


def odds_of(body: OddsRequest, own: Sequence[ArmyRow], theirs: Sequence[ArmyRow]) -> OddsAnswer:
    """The odds of an attack between two units of lists, in the open or in cover."""
    began = time.perf_counter()
    first = armoury.found(body.attacker.army, body.edition, own)
    second = armoury.found(body.target.army, body.edition, theirs)
    rules = ruleset(body.edition)
    attacker, defender = _alone(first, body.attacker), _alone(second, body.target)
    charging, size = body.action == "charge", len(attacker.soldiers)
    if not charging and not any(weapon.reach for soldier in attacker.soldiers for weapon in soldier.weapons):
        raise ShieldwallError(f"{does(attacker.name, 'have', size)} no ranged weapon; try a charge")
    moved = body.action == "advance"
    terms = Terms(charging, body.distance / 1000, body.arc, cover=body.cover, moved=moved)
    odds = duel_of_troops(rules, attacker, defender, terms).odds(LIGHT)
    found = briefly(odds, 0)
    target = next((brief for brief in found.targets if brief.unit == 1), None)
    hit = outcome_of(target or brief_of(odds, 1))
    took = round((time.perf_counter() - began) * 1000, 1)
    side = f"the {body.arc} of " if body.arc != "front" else ""
    verb, at = ("charge", f" {side}") if charging else ("shoot", " at ")
    words = f"{does(attacker.name, verb, size)}{at}{defender.name}: {hit.words}"
    return OddsAnswer(words, hit, outcome_of(found.own), found.exact, took)


def _alone(kept: StoredList, fighter: Fighter) -> Troop:
    army = kept.army
    if fighter.unit >= len(army.entries):
        raise ShieldwallError(f"{army.name} has {len(army.entries)} units; there is no number {fighter.unit}")
    entry = replace(army.entries[fighter.unit], joins="")  # a joined hero is also asked about alone
    guests = [other for other in army.entries if other.joins == entry.id]
    alone = replace(army, entries=(entry, *guests))
    troop = troops_of(alone, books_of(army, kept.read_books))[0]
    if 0 < fighter.models < len(troop.soldiers):
        troop = replace(troop, soldiers=troop.soldiers[: fighter.models])
    return troop
