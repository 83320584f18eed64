"""The bots' random numbers: known vectors, fairness, separate streams."""

from collections import Counter

from shieldwall.bots import SplitMix, numbers_for
from shieldwall.dice import SeededDice


def test_the_published_vectors_of_splitmix64() -> None:
    numbers = SplitMix(1234567)
    assert [numbers.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_below_takes_the_same_steps_and_stays_below() -> None:
    one, two = SplitMix(9), SplitMix(9)
    for limit in (1, 2, 3, 7, 10, 1000, 10**12):
        assert one.below(limit) == two.next() * limit >> 64
        assert 0 <= one.below(limit) < limit
        two.next()


def test_below_is_fair_by_chi_square() -> None:
    numbers = numbers_for("fair", 0)
    counts = Counter(numbers.below(10) for _ in range(20_000))
    assert sum((counts[i] - 2000) ** 2 / 2000 for i in range(10)) < 27.9  # 9 degrees of freedom, 1 in 1000


def test_seats_and_seeds_do_not_share_numbers() -> None:
    drawn = {
        tuple(numbers.below(1000) for _ in range(8))
        for numbers in (numbers_for(seed, seat) for seed in range(20) for seat in (0, 1))
    }
    assert len(drawn) == 40


def test_a_bots_numbers_are_not_the_dice_of_the_same_seed() -> None:
    key = SeededDice.from_seed(5).key
    assert numbers_for(5, 0).state != int.from_bytes(key[:8], "big")


def test_a_generator_resumes_from_its_state() -> None:
    numbers = SplitMix(77)
    for drawn in range(300):
        again = SplitMix(numbers.state)
        assert again.next() == numbers.next(), drawn


def test_a_thousand_numbers_match_the_plain_recipe() -> None:
    numbers, state, mask = SplitMix(2**64 - 3), 2**64 - 3, 2**64 - 1
    for _ in range(1000):
        state = (state + 0x9E3779B97F4A7C15) & mask
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
        assert numbers.next() == mixed ^ (mixed >> 31)
