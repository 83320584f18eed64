"""Older logs stay readable and playable, also when the state has gained fields."""

import hashlib
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace
from toy import TOY, toy_setup

from shieldwall.core import codec
from shieldwall.core.codec import HASH_LENGTH, decode_state, encode, state_hash, without_defaults
from shieldwall.core.frames import Melee, Round
from shieldwall.core.state import Piece, Pose
from shieldwall.replay import read_log, table_hash, verify

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.jsonl"))


def test_there_is_a_corpus() -> None:
    assert len(CORPUS) >= 2


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_log_of_the_corpus_still_plays_as_it_was_written(path: Path) -> None:
    """A failure here means that players' logs no longer replay: fix it, or write a migration."""
    verdict = verify(read_log(path), TOY)
    assert verdict.ok, str(verdict.first_wrong)


class Small(Struct, frozen=True):
    name: str
    size: int = 0


class Grown(Struct, frozen=True):
    name: str
    size: int = 0
    mood: str = "calm"
    friends: tuple[str, ...] = ()


class Line(Struct, frozen=True, array_like=True):
    x: int
    y: int = 0
    z: int = 0


def test_a_field_added_with_a_default_does_not_change_a_fingerprint() -> None:
    assert without_defaults(Small("a", 3)) == without_defaults(Grown("a", 3)) == {"name": "a", "size": 3}
    assert without_defaults(Grown("a", mood="angry")) == {"name": "a", "mood": "angry"}
    assert without_defaults(Line(1)) == [1]
    assert without_defaults(Line(0, 0, 5)) == [0, 0, 5]
    assert without_defaults((Line(1, 2), "x", None)) == [[1, 2], "x", None]


def test_a_whole_fingerprint_sees_what_is_being_done() -> None:
    state = toy_setup()
    doing = [replace(state, stack=(frame,)) for frame in (Round("x"), Round("x", step="late"), Melee("x"))]
    assert len({state_hash(one) for one in (state, *doing)}) == 4


def test_a_fingerprint_sees_the_table_and_not_the_program_counter() -> None:
    state = toy_setup()
    assert table_hash(replace(state, stack=(Round("round", step="late"),))) == table_hash(state)
    unit = state.units[0]
    for other in (
        replace(unit, poses=(Pose(1, 1), *unit.poses[1:])),
        replace(unit, broken=True),
        replace(unit, models=unit.models[1:]),
        replace(unit, name="Others"),
    ):
        changed = replace(state, units=(other, *state.units[1:]))
        assert table_hash(changed) != table_hash(state)
    assert table_hash(replace(state, round=1)) != table_hash(state)


def test_a_fingerprint_survives_a_round_trip_through_json() -> None:
    state = toy_setup()
    again = msgspec.json.decode(msgspec.json.encode(state), type=type(state))
    assert table_hash(again) == table_hash(state)


def test_a_fingerprint_put_together_from_remembered_parts_is_that_of_the_whole() -> None:
    state = toy_setup()
    for one in (
        state,
        replace(state, round=2, finished=True),
        replace(state, markers=(), options=(("a", "b"),)),
    ):
        whole = hashlib.sha256(encode(without_defaults(replace(one, profiles=(), units=()))))
        for part in (*one.units, *one.profiles):
            whole.update(encode(without_defaults(part)))
        assert state_hash(one) == state_hash(one) == whole.hexdigest()[:HASH_LENGTH]


def test_fingerprints_of_games_in_turn_encode_the_terrain_of_each_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server switches between games: the cache of one must not evict that of another."""
    encoded = Counter[str]()
    usual = codec.without_defaults

    def counting(value: object) -> object:
        encoded[type(value[0]).__name__ if isinstance(value, tuple) and value else ""] += 1
        return usual(value)

    wood = Piece(1, "Wood", "wood", ((0, 0), (5000, 0), (5000, 5000)))
    games = [decode_state(encode(replace(toy_setup(), pieces=(wood,)))) for _ in range(2)]
    monkeypatch.setattr(codec, "without_defaults", counting)
    for number in range(4):
        for game in games:
            table_hash(replace(game, round=number))
    assert encoded["Piece"] == len(games)
