#!/usr/bin/env python3
"""Set up Shieldwall and run its everyday jobs; needs Python 3.11 or newer and nothing else.

python3 dev.py play      play a battle in this terminal (extra words go to `shieldwall battle`)
python3 dev.py test      run the tests (extra words go to pytest: python3 dev.py test -k morale)
python3 dev.py check     style, types and the import law
python3 dev.py bench     measure the speed of the engine (extra words go to bench)
python3 dev.py soak      run the long tests that `test` leaves out
python3 dev.py lock      choose versions anew for requirements/*.in (add --upgrade for newer ones)

Every job first makes sure that .venv holds what requirements/ pins.
"""

import contextlib
import hashlib
import os
import secrets
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "shieldwall-setup"
REQUIREMENTS = ROOT / "requirements"
INSTALLER_LOCK = REQUIREMENTS / "uv.txt"
DEVELOPER_LOCK = REQUIREMENTS / "test.txt"
OLDEST_PYTHON = (3, 11)

Command = Sequence[str | Path]
Job = Callable[[list[str]], int]


class StepFailed(Exception):
    """A step of the set-up ended badly; the message names its command."""


def main(arguments: list[str]) -> int:
    if sys.version_info < OLDEST_PYTHON:
        print("dev.py needs Python 3.11 or newer; this is", sys.version.split()[0], file=sys.stderr)
        return 2
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        print(__doc__)
        return 0
    job = JOBS.get(arguments[0])
    if job is None:
        print(f"dev.py: no job is called {arguments[0]!r}; there are {', '.join(JOBS)}", file=sys.stderr)
        return 2
    try:
        set_up()
        return job(arguments[1:])
    except StepFailed as failure:
        print(f"dev.py: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("dev.py: stopped", file=sys.stderr)
        return 130


# --- the set-up ---------------------------------------------------------------------------------------


def set_up() -> None:
    """Bring .venv in line with the locks; does nothing, quickly, when it already is."""
    if is_set_up():
        return
    with one_set_up_at_a_time():
        if is_set_up():  # another dev.py did the work while this one waited
            return
        started = time.monotonic()
        wanted = fingerprint()
        # A stamp means that the last set-up ended well, so this one only has to add what changed.
        if not (STAMP.exists() and interpreter_runs()):
            create_environment()
        STAMP.unlink(missing_ok=True)
        install_pinned_packages()
        install_shieldwall()
        STAMP.write_text(wanted + "\n", encoding="utf-8")  # last, so that an interrupted set-up starts again
        say(f"set-up ready in {time.monotonic() - started:.1f} s")


def is_set_up() -> bool:
    try:
        return PYTHON.exists() and STAMP.read_text(encoding="utf-8").strip() == fingerprint()
    except OSError:
        return False


def fingerprint() -> str:
    """What .venv depends on: the locks, the package's description, and where the checkout lies."""
    digest = hashlib.sha256(str(ROOT).encode())
    for path in (INSTALLER_LOCK, DEVELOPER_LOCK, ROOT / "pyproject.toml"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@contextlib.contextmanager
def one_set_up_at_a_time() -> Iterator[None]:
    """Two terminals may start dev.py together; the second waits for the first."""
    try:
        import fcntl
    except ImportError:  # Windows: no such lock, and two at once are rare
        yield
        return
    with open(ROOT / "pyproject.toml", "rb") as anchor:
        fcntl.flock(anchor, fcntl.LOCK_EX)
        yield


def interpreter_runs() -> bool:
    """A .venv outlives the Python it was made with; then its interpreter is a dead link."""
    try:
        return subprocess.run([PYTHON, "-c", ""], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def create_environment() -> None:
    say(f"creating .venv with Python {sys.version.split()[0]}")
    shutil.rmtree(VENV, ignore_errors=True)
    if can_import("ensurepip"):
        step([sys.executable, "-m", "venv", VENV])
        pip: list[str | Path] = [PYTHON, "-m", "pip"]
    else:
        step([sys.executable, "-m", "venv", "--without-pip", VENV])
        pip = [*outside_pip(), "--python", PYTHON]
    say("installing uv")
    options = ["--quiet", "--disable-pip-version-check", "--require-hashes"]
    step([*pip, "install", *options, "-r", INSTALLER_LOCK])


def can_import(module: str) -> bool:
    """Asked in a new process: some systems ship an ensurepip that only fails once it is used."""
    probe = f"import {module}; getattr({module}, 'version', str)()"
    return subprocess.run([sys.executable, "-c", probe], capture_output=True, check=False).returncode == 0


def outside_pip() -> list[str | Path]:
    if can_import("pip"):
        return [sys.executable, "-m", "pip"]
    found = shutil.which("pip3") or shutil.which("pip")
    if found is None:
        raise StepFailed("this Python has neither ensurepip nor pip; install one of them (Debian: python3-venv)")
    return [found]


def install_pinned_packages() -> None:
    say("installing the packages that requirements/ pins")
    step([*uv_install(), "--require-hashes", "-r", INSTALLER_LOCK, "-r", DEVELOPER_LOCK])


def install_shieldwall() -> None:
    say("installing shieldwall itself, editable")
    # Its build tool is in the lock: with no build isolation nothing unpinned is ever downloaded.
    step([*uv_install(), "--no-deps", "--no-build-isolation", "--editable", ROOT])


def uv_install() -> list[str | Path]:
    return [PYTHON, "-m", "uv", "pip", "install", "--quiet", "--python", PYTHON]


# --- the jobs -----------------------------------------------------------------------------------------


def play(extra: list[str]) -> int:
    seed = [] if "--seed" in extra else ["--seed", str(secrets.randbelow(1_000_000))]
    return run([PYTHON, "-m", "shieldwall", "battle", *seed, *extra])


def test(extra: list[str]) -> int:
    return run([PYTHON, "-m", "pytest", *workers(extra), *extra])


def soak(extra: list[str]) -> int:
    # The configuration keeps pytest out of tests/soak; this is the one job that goes there.
    return run([PYTHON, "-m", "pytest", "-o", "norecursedirs=.*", *workers(extra), "tests/soak", *extra])


def workers(extra: list[str]) -> list[str]:
    chosen = any(word.startswith(("-n", "--numprocesses", "--pdb")) for word in extra)
    return [] if chosen else ["-n", "2"]


def check(extra: list[str]) -> int:
    """Run every check even when one fails, so that all problems show at once."""
    commands: list[Command] = [
        [PYTHON, "-m", "ruff", "check", "."],
        [PYTHON, "-m", "ruff", "format", "--check", "."],
        [PYTHON, "-m", "mypy", "--strict"],
        [BIN / "lint-imports"],
    ]
    results = [run([*command, *extra]) for command in commands]
    return max(results)


def bench(extra: list[str]) -> int:
    return run([PYTHON, "-m", "bench", *extra])


def lock(extra: list[str]) -> int:
    for name in ("uv", "run", "test"):
        say(f"choosing versions for requirements/{name}.in")
        step([*uv_compile(), *extra, f"{name}.in", "--output-file", f"{name}.txt"], folder=REQUIREMENTS)
    set_up()
    return 0


def uv_compile() -> list[str | Path]:
    options = ["--universal", "--python-version", "3.11", "--generate-hashes", "--quiet"]
    # Neither the registry of this machine nor its folders belong in a file that others read.
    anonymous = ["--no-emit-index-url", "--custom-compile-command", "python3 dev.py lock"]
    return [PYTHON, "-m", "uv", "pip", "compile", "--python", PYTHON, *options, *anonymous]


JOBS: dict[str, Job] = {
    "play": play,
    "test": test,
    "check": check,
    "bench": bench,
    "soak": soak,
    "lock": lock,
}


# --- running commands ---------------------------------------------------------------------------------


def run(command: Command) -> int:
    """Run a job's command in the terminal; says which one it was when it fails."""
    code = subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode
    if code != 0:
        say(f"ended with code {code}: {spelled(command)}")
    return code if code >= 0 else 128 - code


def step(command: Command, folder: Path = ROOT) -> None:
    """Run one step of the set-up, whose failure ends everything."""
    code = subprocess.run(command, cwd=folder, env=environment(), stdout=sys.stderr, check=False).returncode
    if code != 0:
        raise StepFailed(f"this command ended with code {code}, its message is above:\n  {spelled(command)}")


def environment() -> dict[str, str]:
    """The caller's environment, less what would lead Python or uv away from .venv."""
    kept = {name: value for name, value in os.environ.items() if name not in {"PYTHONHOME", "VIRTUAL_ENV"}}
    return kept | {"UV_PYTHON_DOWNLOADS": "never"}


def spelled(command: Command) -> str:
    return shlex.join(str(word) for word in command)


def say(line: str) -> None:
    print(f"dev.py: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
