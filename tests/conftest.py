"""Settings shared by all tests."""

import pytest
from hypothesis import settings

from shieldwall.table.compiled import IS_COMPILED

# A failing example prints what repeats it. A shared machine may be slow for a moment, which is no failure.
settings.register_profile("shieldwall", deadline=None, print_blob=True)
settings.load_profile("shieldwall")

# Files whose tests compare compiled kernels with plain Python, or would take minutes without compiled ones;
# `dev.py test` runs them in a pass of their own.
COMPILED_FILES = (
    "test_block_twins.py",
    "test_compiled.py",
    "test_compiled_games.py",
    "test_generator.py",
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
            item.add_marker(
                pytest.mark.xdist_group(
                    "loose" if "loose" in str(item.path) or "skirmish" in item.name else "block"
                )
            )
            if not IS_COMPILED:
                item.add_marker(skip)
