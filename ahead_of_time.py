"""Compile the modules of COMPILED ahead of time: ordinary annotated Python in, extension modules out.

The sources are plain Python and also run as they are. cython_writer.py translates them, Cython writes C, and the C
compiler of this machine makes the modules, as many at a time as there are processors. Both forms give the same bits: no
fused operations, no fast mathematics, Python's division.

Needs Python 3.11 or newer and Cython; `python ahead_of_time.py` builds what changed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cython_arrays
import cython_writer
from cython_writer import (
    COMPILED,
    ROOT,
    SCRATCH,
    SOURCES,
    BuildError,
    Library,
    signpost,
    translated,
)

BUILT = "built"  # the folder in each package that holds the products
STAMP = "built-from"
SHARED = "shieldwall.geometry._shared"  # what Cython's arrays need, compiled once for all modules
DIRECTIVES = {
    "language_level": "3",
    "infer_types": "True",
    "boundscheck": "False",
    "wraparound": "False",
    "initializedcheck": "False",
    "nonecheck": "False",
    "annotation_typing": "False",
}
MOST_INDICES = 4  # dimensions of an array, one more than the arrays of ARRAYS have
CYTHON = (  # array views are passed by value, so room for the usual eight dimensions costs time
    f"from Cython.Compiler import Options; Options.buffer_max_dims = {MOST_INDICES}\n"
    "from Cython.Compiler.Main import main; main(command_line=1)"
)
FLAGS = ("-O2", "-fPIC", "-ffp-contract=off", "-fno-strict-aliasing", "-fwrapv", "-w", "-DNDEBUG")


def fingerprint(package: str) -> str:
    """A hash of everything the products of a package are made from; shieldwall.geometry.built computes the same."""
    digest = hashlib.sha256(str(sysconfig.get_config_var("EXT_SUFFIX")).encode())
    for folder in dict.fromkeys((COMPILED[0], package)):
        for path in sorted((SOURCES / folder).glob("*.py")):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def own_fingerprint() -> str:
    """A hash of the scripts that build."""
    scripts = (Path(__file__), Path(cython_arrays.__file__), Path(cython_writer.__file__))
    return hashlib.sha256(b"".join(path.read_bytes() for path in scripts)).hexdigest()


def is_built() -> bool:
    """Whether the products match the current sources and these scripts."""
    own = own_fingerprint()
    try:
        return all(
            (SOURCES / package / BUILT / STAMP).read_text(encoding="utf-8").split()
            == [fingerprint(package), own]
            for package in COMPILED
        )
    except OSError:
        return False


def build(work: Path, compiler: Sequence[str]) -> list[str]:
    """Bring the products up to date; returns the names of the modules that had to be compiled."""
    library = Library()
    texts = {unit.name: translated(library, unit) for unit in library.units}
    texts[SCRATCH] = cython_arrays.scratch_module()
    for name, (pyx, pxd) in texts.items():
        _write(work / _file(name, ".pyx"), pyx)
        _write(work / _file(name, ".pxd"), pxd)
    for package in COMPILED:
        for folder in (work / package, *(work / package).parents):
            if folder == work:
                break
            _write(folder / "__init__.pxd", "")
    settings = " ".join(
        [
            *compiler,
            *FLAGS,
            CYTHON,
            *(f"{k}={v}" for k, v in DIRECTIVES.items()),
            _cython_version(),
            sys.version,
        ]
    )
    stale = []
    used = {unit.name: sorted(library.used_by(unit)) for unit in library.units}
    for name in [*texts, SHARED]:
        text = texts[name][0] if name in texts else ""
        heads = "".join(texts[one][1] for one in (SCRATCH, *used.get(name, ())))
        mark = hashlib.sha256((settings + heads + text).encode()).hexdigest()
        if not (_product(name).is_file() and _read(_mark(work, name)) == mark):
            stale.append((name, mark))
    _compile(work, dict(stale), compiler)
    own = own_fingerprint()
    wanted = {_product(name) for name in [SHARED, *texts]}
    wanted |= _put_signposts(library)
    for package in COMPILED:
        folder = SOURCES / package / BUILT
        for path in (*folder.glob("*" + _suffix()), *folder.glob("*.py")):
            if path not in wanted:
                path.unlink()
        _write(folder / STAMP, f"{fingerprint(package)}\n{own}\n")
    return [name for name, _ in stale]


def _put_signposts(library: Library) -> set[Path]:
    """Write the modules that point from joined sources to what they became; returns where they are."""
    found = set()
    for unit in library.units:
        for module in unit.modules if len(unit.modules) > 1 else ():
            path = _product(module.name).with_name(module.path.name)
            _write(path, signpost(unit, module))
            found.add(path)
    return found


def _compile(work: Path, marks: Mapping[str, str], compiler: Sequence[str]) -> None:
    """Compile modules, by name with the mark that each gets when it is done."""
    for name in marks:
        _mark(work, name).unlink(missing_ok=True)
    largest_first = sorted(marks, key=lambda name: -len(_read(work / _file(name, ".pyx"))))
    largest, rest = largest_first[:1], largest_first[1:]
    # Starting Cython takes as long as translating a module: each process translates a share of them. Only the largest
    # goes its own way from the start, since its C takes nearly as long as that of all others together.
    at_once = os.cpu_count() or 1
    most = max(1, at_once - 1)
    shares = [share for k in range(most) if (share := rest[k::most])]

    def make(name: str) -> None:
        _make(work, name, marks[name], compiler)

    def make_alone(name: str) -> None:
        _translate(work, [name])
        make(name)

    with ThreadPoolExecutor(at_once) as pool:
        alone = pool.map(lambda name: _attempt(lambda: make_alone(name)), largest)
        _all_succeed(pool.map(lambda share: _attempt(lambda: _translate(work, share)), shares))
        _all_succeed(pool.map(lambda name: _attempt(lambda: make(name)), rest))
        _all_succeed(alone)


def _attempt(job: Callable[[], None]) -> str:
    """Do a job; returns what went wrong, if anything did."""
    try:
        job()
    except BuildError as error:
        return str(error)
    return ""


def _all_succeed(errors: Iterable[str]) -> None:
    failed = [error for error in errors if error]
    if failed:
        raise BuildError("\n".join(failed))


def _translate(work: Path, names: Sequence[str]) -> None:
    """Let Cython write the C sources of some modules."""
    cython = [sys.executable, "-c", CYTHON, "-3"]
    if SHARED in names:
        c_file = work / _file(SHARED, ".c")
        c_file.parent.mkdir(parents=True, exist_ok=True)
        _run(SHARED, [*cython, f"--generate-shared={c_file}"], work)
    sources = [str(work / _file(name, ".pyx")) for name in names if name != SHARED]
    if sources:
        words = [word for key, value in DIRECTIVES.items() for word in ("-X", f"{key}={value}")]
        _run(", ".join(names), [*cython, *words, f"--shared={SHARED}", "-I", str(work), *sources], work)


def _make(work: Path, name: str, mark: str, compiler: Sequence[str]) -> None:
    """Make a module from its C source."""
    product = _product(name)
    product.parent.mkdir(parents=True, exist_ok=True)
    fresh = product.with_name(product.name + ".new")
    c_file = work / _file(name, ".c")
    _run(name, [*compiler, *FLAGS, *_link_flags(), str(c_file), "-o", str(fresh)], work)
    fresh.replace(product)  # a running process keeps the old one
    _write(_mark(work, name), mark)


def _run(name: str, command: Sequence[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BuildError(f"compiling {name} failed: {' '.join(command)}\n{done.stdout}{done.stderr}")


def _link_flags() -> list[str]:
    flags = ["-shared", "-I" + sysconfig.get_paths()["include"]]
    if sys.platform == "darwin":
        return ["-bundle", "-undefined", "dynamic_lookup", flags[1]]
    if sys.platform == "win32":
        version = "".join(map(str, sys.version_info[:2]))
        return [*flags, f"-L{Path(sys.base_prefix) / 'libs'}", f"-lpython{version}"]
    return [*flags, "-lm"]


def _cython_version() -> str:
    from importlib.metadata import version

    return version("cython")


def _suffix() -> str:
    return str(sysconfig.get_config_var("EXT_SUFFIX"))


def _file(name: str, suffix: str) -> Path:
    return Path(*name.split(".")).with_suffix(suffix)


def _product(name: str) -> Path:
    package, _, stem = name.rpartition(".")
    return SOURCES / Path(*package.split(".")) / BUILT / (stem + _suffix())


def _mark(work: Path, name: str) -> Path:
    return work / f"{name}.mark"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""


def _write(path: Path, text: str) -> None:
    if _read(path) != text or not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def machine_compiler() -> list[str]:
    """The C compiler of this machine: $CC, cc, gcc or clang; empty if there is none."""
    named = os.environ.get("CC", "").split()
    if named and shutil.which(named[0]):
        return named
    return (
        [found] if (found := next((p for n in ("cc", "gcc", "clang") if (p := shutil.which(n))), "")) else []
    )


def main(compiler: list[str]) -> int:
    """Build what changed with the given C compiler, or with that of this machine."""
    try:
        made = build(ROOT / "build" / "ahead-of-time", compiler or machine_compiler() or ["cc"])
        print("compiled:", ", ".join(made) or "nothing, all is up to date")
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
