"""Settings shared by all tests."""

import gc
import os
from collections.abc import Generator

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
