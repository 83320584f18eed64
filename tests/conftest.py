"""Settings shared by all tests."""

import gc
import os
from collections.abc import Generator, Sequence

import pytest
from hypothesis import settings

# A shared machine may be slow for a moment, which is no failure. The everyday run tries the same examples every
# time, so that a change is judged by what it changed; SHIELDWALL_EXAMPLES=new looks for examples never tried before
# (the soak does), and a failing one prints what repeats it.
settings.register_profile("same", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("new", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("SHIELDWALL_EXAMPLES", "same"))


# Tests make little garbage and keep much (catalogues, grammars, battles): looking for garbage as often as Python does
# by itself takes up to a fifth of their time, nearly all of it to walk through what stays.
RARELY = (20_000, 50, 1_000)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Turn garbage collection off while tests are collected, and freeze them: they live until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*RARELY)
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let one process start with the browser tests and one with the server tests, which mostly wait."""
    processes: int = getattr(config, "workerinput", {}).get("workercount", 1)
    if processes > 1:
        items[:] = in_shares(items, processes)


def in_shares(items: Sequence[pytest.Item], processes: int) -> list[pytest.Item]:
    """Order the tests for `--dist worksteal`, which hands every process an equal stretch to begin with.

    A process that runs out takes over the last tests of another, so those that wait come first in their stretch.
    """
    waiting: dict[str, list[pytest.Item]] = {"browser": [], "server": []}
    others: list[pytest.Item] = []
    for item in items:
        waiting.get(item.path.parent.name, others).append(item)
    size = len(items) // processes
    order: list[pytest.Item] = []
    for first in waiting.values():
        room = max(0, size - len(first))
        order += first + others[:room]
        del others[:room]
    return order + others
