"""One decorator for all kernels: compiled by Numba where it is installed, plain Python where it is not.

A kernel is a scalar function over flat arrays; its uncompiled twin is always at `.py_func`. Both give the same
bits: no fastmath, no parallel loops, no fused operations. Compiling all of them takes minutes once, so plain Python
runs until that has been done on purpose: `shieldwall warm-up` compiles everything and leaves a stamp beside the
machine code.
SHIELDWALL_NUMBA=1 compiles whatever is called, stamp or not; SHIELDWALL_NO_NUMBA=1 never compiles.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from shieldwall.table.warmth import HERE, is_warm

Given = ParamSpec("Given")
Answer_co = TypeVar("Answer_co", covariant=True)

NOT_KERNELS = ("table.compiled", "table.lean", "table.warmth")
FOLDERS_KEPT = 80  # some three times as many as there are files of kernels
_IMPORTED = re.compile(r"^from shieldwall\.(table\.\w+|bots\.kernels\w*) import", re.MULTILINE)


class Kernel(Protocol[Given, Answer_co]):
    """What `kernel` returns: call it like the function it was made from."""

    @property
    def py_func(self) -> Callable[Given, Answer_co]: ...

    def __call__(self, *args: Given.args, **kwargs: Given.kwargs) -> Answer_co: ...


def _numba() -> Any:
    """The compiler, or None where it is missing, switched off, or has not been warmed up."""
    if not is_warm():
        return None
    try:
        import numba
    except ImportError:
        return None
    return numba


_compiler = _numba()
IS_COMPILED = _compiler is not None


def is_behind() -> bool:
    """Whether somebody has compiled the kernels since this process began, which therefore runs them plain."""
    return not IS_COMPILED and is_warm()


def kernel(function: Callable[Given, Answer_co]) -> Kernel[Given, Answer_co]:
    """Compile a scalar function at its first call and remember the machine code on disk."""
    if _compiler is None:
        function.py_func = function  # type: ignore[attr-defined]
        return cast("Kernel[Given, Answer_co]", function)
    return compiled(function, counts=True)


def compiled(function: Callable[Given, Answer_co], counts: bool) -> Kernel[Given, Answer_co]:
    """The function as a dispatcher of Numba, with machine code kept on disk; `counts`: who uses an array.

    Said for each of them, since a function that does not say it does as the one that called it first.
    """
    with _cache_beside_its_imports(function.__module__):
        dispatcher = _compiler.njit(cache=True, _nrt=counts)(function)
    dispatcher.get_call_template = _without_constants(dispatcher.get_call_template)
    return cast("Kernel[Given, Answer_co]", dispatcher)


def _without_constants(template_for: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Numba compiles a version of its own for every constant that another kernel hands over; one for all will do.

    That would be every fourth compilation, and what is gained by knowing the constant is gained by inlining as well.
    """
    plain = _compiler.types.unliteral

    def template(given: Any, named: Any) -> Any:
        return template_for(
            tuple(plain(one) for one in given), {name: plain(one) for name, one in dict(named).items()}
        )

    return template


@contextmanager
def _cache_beside_its_imports(module: str) -> Iterator[None]:
    """Numba notices that a kernel's own file changed, not that a kernel or constant it imports did.

    So the machine code of a module that imports others of the table lies in a folder named after their text.
    """
    stamp = _text_of_imports(module)
    before = _compiler.config.CACHE_DIR
    if stamp and (before or os.access(HERE, os.W_OK)):
        folder = Path(before or HERE / "__pycache__") / f"kernels-{stamp}"
        if not folder.exists():
            _forget_old_code(folder.parent)
        _compiler.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        _compiler.config.CACHE_DIR = before


def _forget_old_code(parent: Path) -> None:
    """Whoever edits kernels leaves a folder behind each time; only the newest are kept."""
    folders = sorted(parent.glob("kernels-*"), key=_age, reverse=True)
    for folder in folders[FOLDERS_KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)  # another process may be doing the same


def _age(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0


_stamps: dict[str, str] = {}


def _text_of_imports(module: str) -> str:
    """A fingerprint of every module with kernels that `module` imports, directly or not; "" where there is none."""
    if module not in _stamps:
        source = Path(getattr(sys.modules.get(module), "__file__", None) or "")
        names: dict[str, bytes] = {}
        waiting = _imports(source.read_bytes()) if source.is_file() else []
        while waiting:
            name = waiting.pop()
            path = HERE.parent / f"{name.replace('.', '/')}.py"
            if name not in names and path.is_file():
                names[name] = path.read_bytes()
                waiting += _imports(names[name])
        names = {name: text for name, text in names.items() if name not in NOT_KERNELS}
        text = b"\0".join(names[name] for name in sorted(names))
        _stamps[module] = hashlib.sha256(text).hexdigest()[:12] if names else ""
    return _stamps[module]


def _imports(source: bytes) -> list[str]:
    return _IMPORTED.findall(source.decode())
