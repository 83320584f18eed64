"""Finds a list or a book by what the player calls it: a file, a ready-made list, one of their own, a faction."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from msgspec.structs import replace

from shieldwall.armies.book import Book
from shieldwall.armies.factions import FACTIONS, NoArmyError, book, ready_list, ready_lists
from shieldwall.armies.files import BOOK_BYTES, ArmyFileError, read_limited
from shieldwall.armies.forge.report import Remark
from shieldwall.armies.forge.systems import fit, key_of
from shieldwall.armies.importing import Imported, read_any, share_link
from shieldwall.armies.list_file import write_list
from shieldwall.armies.overlay import as_played
from shieldwall.armies.store import saved_books, saved_lists
from shieldwall.editions import EDITIONS, known_editions, no_edition, ruleset

PASTED = "-"
NAME_MOST = 400  # letters; anything longer is the content of a file, not its name
THE_TEXT_ITSELF = (
    "this is the text of a list, not a name; save it as a file and name that, or paste it into "
    "`shieldwall army import -`"
)


def find_army(name: str, *, books: Sequence[str] = (), edition: str = "") -> Imported:
    """What a name refers to, with all remarks about it.

    A file comes first, `-` is pasted text; then `edition/id` of a ready-made list, a list in the player's own
    folder, one of our factions together with an edition, and a book in the player's folder. `books` are files of army
    books to use in addition to those in the player's folder.
    """
    edition = original_of(edition)
    told = [read_any(read_limited(Path(book), BOOK_BYTES), Path(book).name) for book in books]
    known = [*saved_books(), *_only_books(told, books)]
    if name == PASTED:
        pasted = sys.stdin.buffer.read(BOOK_BYTES + 1)
        return _with_books(read_any(pasted, "the pasted text", books=known, edition=edition), told)
    if "\n" in name or len(name) > NAME_MOST:
        raise NoArmyError(THE_TEXT_ITSELF)
    if link := share_link(name):
        raise NoArmyError(f"{name} {link}")
    path = Path(name)
    if path.is_file():
        found = read_any(read_limited(path, BOOK_BYTES), path.name, books=known, edition=edition)
        return _with_books(found, told)
    named = (
        _ready(name, edition)
        or _own(name, known, edition)
        or _faction(name, edition)
        or _own_book(name, known, edition)
    )
    if named is not None:
        return named
    raise NoArmyError(_nothing_of_that_name(name, [army.name for _, army in saved_lists()]))


def original_of(edition: str) -> str:
    """The built-in edition whose lists an edition uses: itself, or the original of a variant; empty stays empty."""
    if not edition or edition in EDITIONS:
        return edition
    if edition not in known_editions():
        raise NoArmyError(no_edition(edition))
    return ruleset(edition).like


def _nothing_of_that_name(name: str, own: Sequence[str]) -> str:
    """An error that says what was given, what is accepted, and what may have been meant."""
    if not name.strip():
        return f"no list given; give a file, - for pasted text, or a ready-made list such as {_example()}"
    ready = [f"{edition}/{one.id}" for edition in EDITIONS for one in ready_lists(edition)]
    named = [one for one in ready if one.endswith(f"/{name}")]
    if len(named) == 1:
        return f"{name} is a ready-made list of {named[0].partition('/')[0]} only; write {named[0]}"
    if named:
        return f"{name} is a ready-made list in several editions; choose one: {' or '.join(named)}"
    what = "a folder, not" if Path(name).is_dir() else "neither a file nor"
    near = get_close_matches(name, [*ready, *own, *FACTIONS], n=3, cutoff=0.7)
    tip = f"; did you mean {' or '.join(near)}?" if near else ""
    return (
        f"{name!r} is {what} a ready-made list (such as {_example()}), a list or book of yours or a "
        f"faction ({', '.join(FACTIONS)} with --edition); `shieldwall army list` shows what there is{tip}"
    )


def _only_books(told: Sequence[Imported], names: Sequence[str]) -> list[Book]:
    for name, one in zip(names, told, strict=True):
        if one.army is not None:
            raise ArmyFileError(f"{name} is a list, not an army book")
    return [found for one in told for found in one.books]


def _with_books(found: Imported, told: Sequence[Imported]) -> Imported:
    """A list with remarks about its units from the books given with it, and about books it has no use for."""
    if found.army is None:
        return found
    taken = {entry.unit for entry in found.army.entries}
    names = {unit.name for source in found.books for unit in source.units if unit.id in taken}
    about = [remark for one in told for remark in one.remarks if remark.text.partition(":")[0] in names]
    about += [_unused(one, found) for one in told if not any(source in found.books for source in one.books)]
    return replace(found, remarks=tuple(dict.fromkeys((*found.remarks, *about))))


def _unused(given: Imported, found: Imported) -> Remark:
    """That a book was given which is not the one of the list, and for whom it is."""
    title = " and ".join(f"{one.name} {one.version} ({one.system})" for one in given.books)
    wanted = [
        f"{ref.name or ref.id} {ref.version}".strip() for ref in (found.army.books if found.army else ())
    ]
    used = f"; the list was made with {', '.join(wanted)}" if wanted else ""
    return Remark("left out", f"the given book is not used: it is for {title}{used}")


def _ready(name: str, edition: str) -> Imported | None:
    named, _, ready = name.rpartition("/")
    told = named or edition
    if told not in EDITIONS or ready not in {known.id for known in ready_lists(told)}:
        return None
    if edition not in ("", told):
        other = f"{edition}/{ready}"
        is_there = ready in {known.id for known in ready_lists(edition)}
        tip = f"; {edition} has {other}" if is_there else ""
        raise NoArmyError(f"{name} is a list for {told} and cannot be played in {edition}{tip}")
    army = ready_list(told, ready)
    return Imported(army, (book(army.books[0].id, told),), ())


def _own(name: str, known: Sequence[Book], edition: str) -> Imported | None:
    for stem, army in saved_lists():
        called = (
            stem,
            stem.rpartition("-")[0],
            army.name,
            army.id,
        )  # a file's name ends in a part that makes it unique
        if name.casefold() in map(str.casefold, called):
            return read_any(write_list(army).encode(), stem, books=known, edition=edition)
    return None


def _own_book(name: str, known: Sequence[Book], edition: str) -> Imported | None:
    """A book in the player's folder, the newest of its name; translated to an edition if one is named.

    Of books for several games, one for the game of that edition is meant.
    """
    found = [one for one in known if name.casefold() in (one.id.casefold(), one.name.casefold())]
    if not found or not name:
        return None
    if edition:
        found.sort(key=lambda one: fit(one.written_for or one.system, key_of(edition)))
    return Imported(None, (as_played(found[-1], edition) if edition else found[-1],), ())


def _faction(name: str, edition: str) -> Imported | None:
    if name not in FACTIONS:
        return None
    if not edition:
        raise NoArmyError(f"{name} needs an edition: --edition {' or '.join(EDITIONS)}")
    return Imported(None, (book(name, edition),), ())


def _example() -> str:
    return f"{EDITIONS[-1]}/{ready_lists(EDITIONS[-1])[0].id}"
