"""A second decorator for kernels: functions that allocate nothing, compiled without reference counts.

Handing arrays from one compiled function to another costs more than a short function does itself, because
every array is counted as used and released again. Functions that only read and write arrays they are given
need none of that. A kernel that makes an array or returns one must be a plain `kernel`; it may call lean
ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from shieldwall.table.compiled import IS_COMPILED, Kernel, compiled

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def lean(function: Callable[Given, Answer]) -> Kernel[Given, Answer]:
    """Compile a scalar function that allocates nothing; plain Python where Numba is missing."""
    if not IS_COMPILED:
        function.py_func = function  # type: ignore[attr-defined]
        return cast("Kernel[Given, Answer]", function)
    return compiled(function, counts=False)
