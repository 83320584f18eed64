"""A list with a fifth more points is found better within 200 games."""

from msgspec.structs import replace

from shieldwall.armies import cost_of, ready_list, recruit
from shieldwall.armies.recruit import books_of
from shieldwall.lab.compare import compare_lists
from shieldwall.lab.games import HANDED_IN, hand_in
from shieldwall.lab.series import Runner, SeriesPlan

EDITION, NAME = "regiments-3.5", "kilnfolk-1500"


def test_a_fifth_more_points_shows_within_200_games() -> None:
    whole = ready_list(EDITION, NAME)
    books = books_of(whole)
    fewer = whole
    for entry in reversed(whole.entries):  # units are taken out until the other list has a fifth more
        left = tuple(one for one in fewer.entries if one is not entry)
        less = replace(fewer, entries=left)
        if entry.joins or any(one.joins == entry.id for one in whole.entries):
            continue
        if cost_of(whole, books) / cost_of(less, books) <= 1.25:
            fewer = less
    more = cost_of(whole, books) / cost_of(fewer, books)
    assert 1.1 <= more <= 1.25
    hand_in(EDITION, "fewer", recruit(fewer))
    found, _ = compare_lists(EDITION, (NAME, "fewer"), SeriesPlan(games=200), Runner(workers=2))
    HANDED_IN.clear()
    print(
        f"{more:.2f} times the points: {100 * found.score:.1f} % ({100 * found.low:.1f} to {100 * found.high:.1f})"
    )
    assert found.low > 0.5
