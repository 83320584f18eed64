"""Settings shared by all tests."""

import gc
import os
from collections.abc import Generator, Sequence
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import settings

# A shared machine may be slow for a moment, which is no failure. The everyday run tries the same examples every
# time, so that a change is judged by what it changed; SHIELDWALL_EXAMPLES=new looks for examples never tried before
# (the soak does), and a failing one prints what repeats it.
settings.register_profile("same", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("new", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("SHIELDWALL_EXAMPLES", "same"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays until the end: nobody looks for garbage in it, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let some processes begin with the tests that wait for browsers and servers, and the others keep the
    processors busy meanwhile.
    """
    processes: int = getattr(config, "workerinput", {}).get("workercount", 1)
    items[:] = in_shares(items, processes)


def in_shares(items: Sequence[pytest.Item], processes: int) -> list[pytest.Item]:
    """The tests in an order of which each process gets an equal stretch (pytest-xdist's `worksteal`).

    With four processes two begin with the browser, one with the server and one with neither.
    """
    starts: list[list[pytest.Item]] = [[] for _ in range(max(1, processes - 1))]
    browsers = cycle(starts[: max(1, len(starts) - 1)])
    share_of: dict[Path, list[pytest.Item]] = {}
    others: list[pytest.Item] = []
    for item in items:
        folder = item.path.parent.name
        if folder == "browser":
            if item.path not in share_of:
                share_of[item.path] = next(browsers)
            share_of[item.path].append(item)
        elif folder == "server":
            starts[-1].append(item)
        else:
            others.append(item)
    size = len(items) // processes
    order: list[pytest.Item] = []
    for start in starts:
        room = max(0, size - len(start))
        order += start + others[:room]
        del others[:room]
    return order + others
