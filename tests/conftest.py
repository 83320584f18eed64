"""Settings shared by all tests."""

import os

import pytest
from hypothesis import settings

from shieldwall.table.compiled import IS_COMPILED

# A shared machine may be slow for a moment, which is no failure. The everyday run tries the same examples every
# time, so that a change is judged by what it changed; SHIELDWALL_EXAMPLES=new looks for examples never tried before
# (the soak does), and a failing one prints what repeats it.
settings.register_profile("same", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("new", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("SHIELDWALL_EXAMPLES", "same"))

# Files whose tests compare compiled kernels with plain Python, or would take minutes without compiled ones;
# `dev.py test` runs them in a pass of their own.
COMPILED_FILES = (
    "test_block_twins.py",
    "test_compiled.py",
    "test_compiled_games.py",
    "test_duel.py",
    "test_editions_replayed.py",
    "test_generated_places.py",
    "test_generator.py",
    "test_ladder.py",
    "test_ladder_of_bots.py",
    "test_ready_battles.py",
    "test_rough_twins.py",
    "test_sight_twins.py",
    "test_twins.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that need compiled kernels, and leave them out where nothing is compiled.

    Those of blocks and those of loose units go to different workers, so that few kernels are compiled twice.
    """
    skip = pytest.mark.skip(reason="kernels run as plain Python in this pass")
    for item in items:
        if item.path.name in COMPILED_FILES:
            item.add_marker(pytest.mark.compiled)
            is_loose = "loose" in str(item.path) or any(name in item.name for name in ("skirmish", "aof"))
            item.add_marker(pytest.mark.xdist_group("loose" if is_loose else "block"))
            if not IS_COMPILED:
                item.add_marker(skip)
