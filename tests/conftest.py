"""Settings shared by all tests."""

import os

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

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
    "test_played_odds.py",
    "test_ready_battles.py",
    "test_rough_twins.py",
    "test_sight_twins.py",
    "test_twins.py",
)


# What one worker works through, so that few kernels are compiled by both. In this order: the worker that is done with
# blocks goes on with Age of Fantasy, whose kernels the other one has compiled by then.
GROUPS = (("block", "regiments"), ("skirmish", "loose"), ("aof",))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that need compiled kernels, and leave them out where nothing is compiled."""
    skip = pytest.mark.skip(reason="kernels run as plain Python in this pass")
    for item in items:
        if item.path.name in COMPILED_FILES:
            item.add_marker(pytest.mark.compiled)
            if not IS_COMPILED:
                item.add_marker(skip)
    if IS_COMPILED:
        items.sort(key=lambda item: _group(item.nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> LoadScopeScheduling | None:
    """Workers of the compiled pass take groups; in all other runs they take tests as they come."""
    return ByKernels(config, log) if config.getvalue("dist") == "loadscope" else None


class ByKernels(LoadScopeScheduling):
    """A group goes to one worker; what belongs to none goes to whoever has nothing left to do."""

    def _split_scope(self, nodeid: str) -> str:
        group = _group(nodeid)
        return GROUPS[group][0] if group < len(GROUPS) else nodeid


def _group(nodeid: str) -> int:
    """The number of the group a test belongs to; one too high where it belongs to none."""
    return next((at for at, words in enumerate(GROUPS) if any(word in nodeid for word in words)), len(GROUPS))
