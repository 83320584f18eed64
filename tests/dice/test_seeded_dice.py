"""Seeded dice: known vectors, fairness, purity and speed."""

import hashlib
import hmac
import os
import pickle
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rolls import plain

from shieldwall.core.pending import Roll
from shieldwall.core.values import FACE_LABELS, Pool
from shieldwall.dice import SeededDice, commitment, key_from_seed, random_key

COUNTING_KEY = bytes(range(32))
KNOWN_TO_HIT_0 = (5, 4, 5, 6, 2, 2, 4, 4, 1, 6)
KNOWN_MORALE_41 = (4, 4, 6)
KNOWN_SEED_7 = (5, 3, 2, 3, 2, 6)


def faces_by_the_book(key: bytes, purpose: str, number: int, dice: int) -> tuple[int, ...]:
    """The documented recipe, written a second time with the standard library's HMAC."""
    faces: list[int] = []
    counter = 0
    while len(faces) < dice:
        block = hmac.new(key, f"{number}|{purpose}|{counter}".encode(), hashlib.sha256).digest()
        faces += [byte % 6 + 1 for byte in block if byte < 252]
        counter += 1
    return tuple(faces[:dice])


def test_known_faces_never_change() -> None:
    dice = SeededDice(COUNTING_KEY)
    assert dice.faces(plain(10), 0) == KNOWN_TO_HIT_0
    assert dice.faces(plain(3, "morale"), 41) == KNOWN_MORALE_41
    assert SeededDice.from_seed(7).faces(plain(6, "roll_off"), 2) == KNOWN_SEED_7


@given(
    st.binary(min_size=32, max_size=32),
    st.sampled_from(["to_hit", "spell:fire|1", "block"]),
    st.integers(0, 5000),
    st.integers(0, 120),
)
def test_faces_follow_the_documented_recipe(key: bytes, purpose: str, number: int, dice: int) -> None:
    assert SeededDice(key).faces(plain(dice, purpose), number) == faces_by_the_book(
        key, purpose, number, dice
    )


def test_R35_DICE_04_every_one_of_6000_dice_shows_1_to_6() -> None:
    """R35-DICE-04, SK32-DICE-04, A2-DICE-04"""
    faces = SeededDice.from_seed("R35-DICE-04").faces(plain(6000), 0)
    assert len(faces) == 6000
    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert all(type(face) is int for face in faces)


def test_R35_DICE_05_a_roll_has_as_many_dice_as_it_asks_for() -> None:
    """R35-DICE-05: having 10 to 20 dice is advice, never a limit."""
    assert len(SeededDice.from_seed(1).faces(plain(25), 3)) == 25


def test_R35_DICE_06_pools_thrown_together_keep_their_order() -> None:
    """R35-DICE-06"""
    together = Roll("to_hit", 0, (Pool(3, FACE_LABELS), Pool(1, FACE_LABELS)), "R35-DICE-06")
    dice = SeededDice.from_seed(5)
    assert dice.faces(together, 9) == dice.faces(plain(4), 9)


def test_faces_are_fair_by_chi_square() -> None:
    dice = SeededDice.from_seed("fair")
    counts = [0] * 6
    pairs = [0] * 36
    for number in range(6000):
        first, second, *rest = dice.faces(plain(10), number)
        pairs[(first - 1) * 6 + second - 1] += 1
        for face in (first, second, *rest):
            counts[face - 1] += 1
    assert chi_square(counts) < 20.5  # 5 degrees of freedom, 1 in 1000
    assert chi_square(pairs) < 66.6  # 35 degrees of freedom, 1 in 1000


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def test_rolls_do_not_depend_on_what_was_asked_before() -> None:
    dice = SeededDice.from_seed(3)
    forwards = [dice.faces(plain(7), number) for number in range(50)]
    backwards = [dice.faces(plain(7), number) for number in reversed(range(50))]
    assert forwards == backwards[::-1]
    assert dice.faces(plain(7, "block"), 0) != forwards[0]
    assert SeededDice.from_seed(4).faces(plain(7), 0) != forwards[0]


def test_a_longer_roll_begins_with_the_shorter_one() -> None:
    dice = SeededDice.from_seed(3)
    assert dice.faces(plain(200), 8)[:5] == dice.faces(plain(5), 8)


def test_seeds_may_be_numbers_or_words() -> None:
    assert key_from_seed(7) == key_from_seed("7")
    assert key_from_seed("seven") != key_from_seed("Seven")
    assert len(random_key()) == 32
    assert random_key() != random_key()


def test_a_commitment_is_the_sha256_of_the_key() -> None:
    assert commitment(COUNTING_KEY) == hashlib.sha256(COUNTING_KEY).hexdigest()
    assert SeededDice(COUNTING_KEY).commitment == commitment(COUNTING_KEY)
    assert COUNTING_KEY.hex() not in repr(SeededDice(COUNTING_KEY))


def test_a_short_key_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes, not 3"):
        SeededDice(b"abc")


def test_dice_can_be_sent_to_another_process() -> None:
    dice = SeededDice.from_seed(11)
    assert pickle.loads(pickle.dumps(dice)).faces(plain(9), 1) == dice.faces(plain(9), 1)


@pytest.mark.slow
def test_faces_do_not_depend_on_hash_randomisation() -> None:
    script = (
        "from shieldwall.dice import SeededDice; from shieldwall.core.pending import Roll;"
        "from shieldwall.core.values import Pool, FACE_LABELS;"
        "print(SeededDice.from_seed('x').faces(Roll('block', 0, (Pool(50, FACE_LABELS),), ''), 6))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1", "4242")
    }
    assert len(printed) == 1
