"""Every ready-made list of every edition plays whole battles, each against the next of its size."""

import sys
from pathlib import Path

import pytest

from shieldwall import armies
from shieldwall.editions import EDITIONS

sys.path.insert(0, str(Path(__file__).parent.parent / "armies"))
from ready_games import play_ready

PAIRS = [
    (edition, ready.id, other.id)
    for edition in EDITIONS
    for size in sorted({ready.points for ready in armies.ready_lists(edition)})
    for same in [[ready for ready in armies.ready_lists(edition) if ready.points == size]]
    for ready, other in zip(same, [*same[1:], same[0]], strict=True)
]


@pytest.mark.parametrize(("edition", "first", "second"), PAIRS)
def test_every_ready_made_list_plays_a_whole_battle(edition: str, first: str, second: str) -> None:
    result, problems = play_ready(edition, first, second, seed=11)
    assert problems == ()
    assert result.state.finished
