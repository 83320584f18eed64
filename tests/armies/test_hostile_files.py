"""Whatever a file holds, reading it gives a list, a book or one clear error and leaves the player's folder alone."""

import json
from pathlib import Path

import pytest
from forge_samples import TEXT, as_bytes, book, export_list, resolved
from hypothesis import given, settings
from hypothesis import strategies as st

from shieldwall.armies.check import check_list
from shieldwall.armies.files import BOOK_BYTES, LIST_BYTES, ArmyFileError, read_limited
from shieldwall.armies.forge.export import export_file
from shieldwall.armies.forge.text_form import list_text
from shieldwall.armies.importing import Imported, read_any
from shieldwall.armies.recruit import books_of
from shieldwall.armies.store import save_book, save_list
from shieldwall.core.errors import MalformedError, ShieldwallError

BEES = read_any(as_bytes(book())).books[0]
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from(["", "02", "4+", '12"', "x" * 500, "\u202eevil\x00", "../../etc", "[]", "Tough(3", "-1"]),
    st.text(max_size=20),
)
ANYTHING = st.recursive(
    ODD, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
)


def read(content: bytes) -> Imported | None:
    """Read the content and use the result; None if there was one clear error."""
    try:
        found = read_any(content, books=[BEES])
    except ShieldwallError:
        return None
    if found.army is not None:
        known = books_of(found.army, found.books)
        check_list(found.army, found.books)
        list_text(found.army, known)
        export_file(found.army, known)
    return found


def corrupted(told: object, places: list[int], values: list[object]) -> object:
    """Plain data with some values replaced, counted in the order of a walk through it."""
    wanted = dict(zip(places, values, strict=False))
    counter = iter(range(10_000))

    def walk(value: object) -> object:
        number = next(counter)
        if number in wanted:
            return wanted[number]
        if isinstance(value, dict):
            return {key: walk(inner) for key, inner in value.items()}
        return [walk(inner) for inner in value] if isinstance(value, list) else value

    return walk(told)


CORRUPTIONS = {
    "places": st.lists(st.integers(0, 530), max_size=6, unique=True),
    "values": st.lists(ANYTHING, min_size=6, max_size=6),
}


@given(**CORRUPTIONS)
@settings(max_examples=70)
def test_a_corrupted_book_never_crashes(places: list[int], values: list[object]) -> None:
    read(as_bytes(corrupted(book(), places, values)))


@given(**CORRUPTIONS)
@settings(max_examples=70)
def test_a_corrupted_list_never_crashes(places: list[int], values: list[object]) -> None:
    read(as_bytes(corrupted(export_list(), places, values)))


@given(**CORRUPTIONS)
@settings(max_examples=50)
def test_a_corrupted_resolved_list_never_crashes(places: list[int], values: list[object]) -> None:
    read(as_bytes(corrupted(resolved(), places, values)))


@given(st.lists(st.tuples(st.integers(0, len(TEXT)), st.text(max_size=4)), max_size=8))
@settings(max_examples=70)
def test_corrupted_text_never_crashes(cuts: list[tuple[int, str]]) -> None:
    text = TEXT
    for place, more in cuts:
        text = text[:place] + more + text[place + 1 :]
    read(text.encode("utf-8", "replace"))


@given(st.binary(max_size=300))
def test_random_bytes_never_crash(content: bytes) -> None:
    read(content)


@given(ANYTHING)
def test_json_that_is_no_army_never_crashes(told: object) -> None:
    read(json.dumps(told).encode())


@given(**CORRUPTIONS)
@settings(max_examples=30)
def test_fuzzed_imports_never_change_the_players_folder(
    places: list[int], values: list[object], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHIELDWALL_ARMIES", str(folder))
        save_book(BEES)
        before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        read(as_bytes(corrupted(export_list(), places, values)))
        read(as_bytes(corrupted(book(), places, values)))
        assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "not valid JSON"),
        (b"[1, 2]", "neither an army book nor a list"),
        (b'{"units": []}', "neither|game system"),
        (b"[" * 5000, "nested 5000 levels deep"),
        (b'{"a": ' * 300 + b"1" + b"}" * 300, "nested 300 levels deep"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"just words", "not in a known format"),
        (b"a: &x [1]\nb: *x\n", "aliases"),
        (b"format: shieldwall-list/99\n", "shieldwall-list/1"),
        (b"format: recipe/1\n", "not in a known format"),
        (b"a: [\n", "not valid YAML"),
    ],
)
def test_input_that_is_no_army_is_refused_in_plain_words(content: bytes, message: str) -> None:
    with pytest.raises(MalformedError, match=message):
        read_any(content)


def test_a_list_of_more_than_256_kib_is_refused() -> None:
    told = export_list()
    told["list"]["description"] = "x" * LIST_BYTES
    with pytest.raises(MalformedError, match="256 KiB"):
        read_any(as_bytes(told))
    with pytest.raises(MalformedError, match="256 KiB"):
        read_any((TEXT + "x" * LIST_BYTES).encode())


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    path.write_bytes(b" " * (BOOK_BYTES + 1))
    with pytest.raises(ArmyFileError, match="larger than"):
        read_limited(path, BOOK_BYTES)


def test_hostile_names_are_made_harmless() -> None:
    told = export_list()
    told["list"]["name"] = "../../..\x00/passwd\u202e" + "y" * 500
    told["list"]["units"][0]["customName"] = "[bold]\x1b[31mred\n++ [1pts] ++"
    found = read(as_bytes(told))
    assert found is not None
    assert found.army is not None
    assert len(found.army.name) <= 120
    for text in (found.army.name, found.army.entries[0].name):
        assert not any(ord(letter) < 32 or letter == "\u202e" for letter in text)


def test_ids_that_look_like_paths_stay_in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHIELDWALL_ARMIES", str(tmp_path / "home"))
    evil = read_any(as_bytes(book(uid="../../evil", name="../../../tmp/evil")))
    path = save_book(evil.books[0])
    assert path.resolve().is_relative_to(tmp_path / "home")
    told = export_list()
    told["list"] |= {"name": "/etc/passwd", "id": "../.."}
    found = read_any(as_bytes(told), books=[BEES])
    assert found.army is not None
    assert save_list(found.army).resolve().is_relative_to(tmp_path / "home")


def test_endless_lists_are_cut_off() -> None:
    told = export_list()
    told["list"]["units"] = [told["list"]["units"][3]] * 250
    found = read(as_bytes(told))
    assert found is not None
    assert found.army is not None
    assert len({entry.id for entry in found.army.entries}) == 250
