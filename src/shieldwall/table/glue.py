"""Kernels that are written into their callers instead of being compiled by themselves.

Every compiled kernel carries all it calls through the compiler again, so a tall stack of thin kernels
costs minutes the first time. Thin ones that only other kernels call are `glue`: plain Python still, one
compilation fewer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from shieldwall.table.compiled import IS_COMPILED, Kernel

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def glue(function: Callable[Given, Answer]) -> Kernel[Given, Answer]:
    """Mark a function for use by kernels only; its uncompiled twin is at `.py_func` as usual."""
    if not IS_COMPILED:
        function.py_func = function  # type: ignore[attr-defined]
        return cast("Kernel[Given, Answer]", function)
    import numba

    return cast("Kernel[Given, Answer]", numba.njit(inline="always")(function))
