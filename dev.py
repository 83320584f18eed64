#!/usr/bin/env python3
"""Set up Shieldwall and run development tasks. Needs only Python 3.11 or newer.

python3 dev.py play      play in the browser (extra arguments go to `shieldwall play`)
python3 dev.py test      run the tests (extra arguments go to pytest: python3 dev.py test -k morale)
python3 dev.py lab       install what charts, DataFrames and clusters need
python3 dev.py check     check style, formatting, types and imports (--fix fixes style and formatting)
python3 dev.py bench     run benchmarks (extra arguments go to bench)
python3 dev.py soak      run the long tests that `test` leaves out
python3 dev.py docs      build the documentation into build/docs
python3 dev.py wheel     build dist/ (a wheel and a source archive) and test the wheel in an empty environment
python3 dev.py lock      pin the versions for requirements/*.in again (--upgrade for newer ones)

Every task first updates .venv to what requirements/ pins (for play and lab only what they need) and compiles the
geometry (ahead_of_time.py); play and test also build the page in web/.
"""

import contextlib
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ahead_of_time

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMPS = {
    "play": VENV / "shieldwall-setup-play",
    "lab": VENV / "shieldwall-setup-lab",
    "test": VENV / "shieldwall-setup",
    "docs": VENV / "shieldwall-setup-docs",
}
REQUIREMENTS = ROOT / "requirements"
INSTALLER_LOCK = REQUIREMENTS / "uv.txt"
LOCKS = {
    "play": (INSTALLER_LOCK, REQUIREMENTS / "run.txt", REQUIREMENTS / "build.txt"),
    "lab": (INSTALLER_LOCK, REQUIREMENTS / "lab.txt", REQUIREMENTS / "build.txt"),
    "test": (INSTALLER_LOCK, REQUIREMENTS / "test.txt"),
    "docs": (INSTALLER_LOCK, REQUIREMENTS / "docs.txt"),
}
COMPILER_LOCK = REQUIREMENTS / "zig.txt"
NODE_LOCK = REQUIREMENTS / "node.txt"
OLDEST_PYTHON = (3, 11)
OLDEST_NODE = (20, 19)
WEB = ROOT / "web"
PAGE = ROOT / "src" / "shieldwall" / "server" / "static"
DIST = ROOT / "dist"
PAGE_STAMP = PAGE / "built-from"
DAY = 24 * 60 * 60  # seconds
# The first one draws without a window, which takes half as long.
BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)

Command = Sequence[str | Path]
Job = Callable[[list[str]], int]


class StepFailed(Exception):
    """A step of the set-up failed; the message names its command."""


def main(arguments: list[str]) -> int:
    if sys.version_info < OLDEST_PYTHON:
        print("dev.py needs Python 3.11 or newer; this is", sys.version.split()[0], file=sys.stderr)
        return 2
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        print(__doc__)
        return 0
    job = JOBS.get(arguments[0])
    if job is None:
        print(f"dev.py: there is no task {arguments[0]!r}; there are {', '.join(JOBS)}", file=sys.stderr)
        return 2
    try:
        if job is not lock:  # which must also work when the locks are what is broken
            set_up(
                arguments[0] if arguments[0] in LOCKS else "test", page=job in (play, test), tests=job is test
            )
        return job(arguments[1:])
    except StepFailed as failure:
        print(f"dev.py: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("dev.py: stopped", file=sys.stderr)
        return 130


# --- the set-up ---------------------------------------------------------------------------------------


def set_up(stage: str = "test", page: bool = False, tests: bool = False) -> None:
    """Update .venv to the pinned versions and the compiled modules to their sources; quick if nothing changed.

    The stage "play" installs what playing needs, "lab" also what charts and tables need, "test" everything but
    what "docs" builds the documentation with. The page is built at the same time, unless its Node comes with .venv.
    """
    with ThreadPoolExecutor(2) as beside:
        early = beside.submit(build_page) if page and machine_node() is not None else None
        is_new = install(stage)
        if is_new and tests:
            beside.submit(write_bytecode)
        compile_geometry()
        if early is not None:
            early.result()
        elif page:
            build_page()


def install(stage: str) -> bool:
    """Install what a stage needs; False if it was installed."""
    if is_set_up(stage):
        return False
    with one_set_up_at_a_time():
        if is_set_up(stage):  # another dev.py did the work while this one waited
            return False
        started = time.monotonic()
        wanted = fingerprint(stage)
        # A stamp means that the last set-up ended well, so this one only has to add what changed.
        # The interpreter is tried because a .venv may outlive the Python it was made with.
        if not (any(stamp.exists() for stamp in STAMPS.values()) and succeeds([PYTHON, "-c", ""])):
            create_environment()
        for stamp in STAMPS.values():
            stamp.unlink(missing_ok=True)
        install_pinned_packages(stage)
        install_shieldwall()
        STAMPS[stage].write_text(wanted + "\n", encoding="utf-8")  # last: an interrupted set-up starts again
        say(f"set-up ready in {time.monotonic() - started:.1f} s")
        return True


def write_bytecode() -> None:
    """Write the bytecode of packages, sources and tests, which otherwise every process of the tests would do."""
    succeeds([PYTHON, "-m", "pytest", "--collect-only", "-qq"])  # what fails here fails again in the tests


def is_set_up(stage: str) -> bool:
    """Whether .venv has everything a stage needs; each stage includes the earlier ones."""
    if not PYTHON.exists():
        return False
    stages = list(STAMPS)
    for enough in stages[stages.index(stage) :]:
        with contextlib.suppress(OSError):
            if STAMPS[enough].read_text(encoding="utf-8").strip() == fingerprint(enough):
                return True
    return False


def fingerprint(stage: str) -> str:
    """Hash of what .venv depends on: the pinned versions, pyproject.toml, and the path of the checkout."""
    digest = hashlib.sha256(str(ROOT).encode())
    for path in (*LOCKS[stage], ROOT / "pyproject.toml"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def compile_geometry() -> None:
    """Compile the modules whose sources changed since the last time."""
    if ahead_of_time.is_built():
        return
    with one_set_up_at_a_time():
        if ahead_of_time.is_built():
            return
        started = time.monotonic()
        compiler = ahead_of_time.machine_compiler()
        if not compiler:
            if not succeeds([PYTHON, "-m", "ziglang", "version"]):
                say("this machine has no C compiler; installing one into .venv")
                step([*uv_install(), "--require-hashes", "-r", COMPILER_LOCK])
            compiler = [str(PYTHON), "-m", "ziglang", "cc"]
        say("compiling the geometry")
        step([PYTHON, ROOT / "ahead_of_time.py", *compiler])
        say(f"compiled in {time.monotonic() - started:.1f} s")


@contextlib.contextmanager
def one_set_up_at_a_time(anchor: Path = ROOT / "pyproject.toml") -> Iterator[None]:
    """Lock against a second dev.py in another terminal, which waits for the first; the page has a lock of its own."""
    try:
        import fcntl
    except ImportError:  # Windows: no such lock, and two at once are rare
        yield
        return
    with open(anchor, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def create_environment() -> None:
    say(f"creating .venv with Python {sys.version.split()[0]}")
    shutil.rmtree(VENV, ignore_errors=True)
    options = [] if succeeds([sys.executable, "-c", "import ensurepip"]) else ["--without-pip"]
    step([sys.executable, "-m", "venv", *options, str(VENV)])
    say("installing uv")
    step([*pip_install(), "-r", INSTALLER_LOCK])


def install_pinned_packages(stage: str) -> None:
    say("installing the packages that requirements/ pins")
    locks: Command = [word for lock in LOCKS[stage] for word in ("-r", lock)]
    try:
        step([*uv_install(), "--require-hashes", *locks])
    except StepFailed:
        # uv does not read pip's settings, and some machines reach packages only through those.
        say("uv could not do it; trying again with pip, which is slower")
        step([*pip_install(), *locks])


def install_shieldwall() -> None:
    say("installing shieldwall itself, editable")
    # Its build tool is in the lock: with no build isolation nothing unpinned is ever downloaded.
    step([*uv_install(), "--no-deps", "--no-build-isolation", "--editable", ROOT])


def uv_install() -> list[str | Path]:
    return [PYTHON, "-m", "uv", "pip", "install", "--quiet", "--python", PYTHON]


def pip_install() -> list[str | Path]:
    return [*pip(), "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]


def pip() -> list[str | Path]:
    """The pip of .venv, or another one that installs into .venv if Python came without ensurepip."""
    if succeeds([PYTHON, "-m", "pip", "--version"]):
        return [PYTHON, "-m", "pip"]
    if succeeds([sys.executable, "-m", "pip", "--version"]):
        return [sys.executable, "-m", "pip", "--python", PYTHON]
    found = shutil.which("pip3") or shutil.which("pip")
    if found is None:
        raise StepFailed("this Python has neither ensurepip nor pip; install one (Debian: python3-venv)")
    return [found, "--python", PYTHON]


# --- the page -----------------------------------------------------------------------------------------


def build_page() -> None:
    """Build the client in web/ if it changed."""
    if not (WEB / "package.json").is_file() or is_page_built():
        return
    with one_set_up_at_a_time(WEB / "package.json"):
        if is_page_built():
            return
        wanted = page_fingerprint()
        node = node_folder()
        path = os.pathsep.join([str(node), os.environ.get("PATH", "")])
        installed = WEB / "node_modules" / ".shieldwall-lock"
        lock_text = (WEB / "package-lock.json").read_text(encoding="utf-8")
        if not (installed.is_file() and installed.read_text(encoding="utf-8") == lock_text):
            say("installing what the page is built with")
            step([node / "npm", "ci"], folder=WEB, PATH=path)
            installed.write_text(lock_text, encoding="utf-8")
        say("building the page")
        with tempfile.TemporaryDirectory(prefix=".page-", dir=WEB / "node_modules") as beside:
            out = Path(beside)
            step(
                [node / "npm", "run", "build", "--", "--outDir", out, "--emptyOutDir"], folder=WEB, PATH=path
            )
            put_page(out, PAGE)
        PAGE_STAMP.write_text(wanted + "\n", encoding="utf-8")


def put_page(built: Path, page: Path) -> None:
    """Replace the page while a server may be serving the old one.

    Every part is there before index.html names it, and the old parts stay for a day: open pages load some
    of them late.
    """
    files = sorted(path.relative_to(built) for path in built.rglob("*") if path.is_file())
    for name in sorted(files, key=lambda name: name == Path("index.html")):
        (page / name).parent.mkdir(parents=True, exist_ok=True)
        fresh = page / name.with_name(f".{name.name}.new")
        shutil.copyfile(built / name, fresh)
        fresh.replace(page / name)
    for old in page.rglob("*"):
        if old.is_file() and old.relative_to(page) not in files and old.stat().st_mtime < time.time() - DAY:
            old.unlink()


def is_page_built() -> bool:
    try:
        return PAGE_STAMP.read_text(encoding="utf-8").strip() == page_fingerprint()
    except OSError:
        return False


def page_fingerprint() -> str:
    """Hash of every file in web/ that the built page depends on."""
    digest = hashlib.sha256()
    for path in sorted(WEB.rglob("*")):
        inside = path.relative_to(WEB)
        if path.is_file() and inside.parts[0] not in {"node_modules", "tests", "dist"}:
            digest.update(str(inside).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def machine_node() -> Path | None:
    """Path of the machine's own Node, if it is recent enough."""
    found = shutil.which("node")
    is_recent = found and shutil.which("npm") and node_version(found) >= OLDEST_NODE
    return Path(found).parent if found and is_recent else None


def node_folder() -> Path:
    """Path of a recent enough Node: the machine's own, or one pinned for .venv."""
    own = machine_node()
    if own is not None:
        return own
    if not (BIN / "node").exists():
        say("this machine has no Node that is new enough; installing one into .venv")
        step([*pip_install(), "-r", NODE_LOCK])
    return BIN


def node_version(node: str) -> tuple[int, ...]:
    printed = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(int(part) for part in re.findall(r"\d+", printed)[:2])


def browser() -> str:
    """A Chromium for the browser tests: $CHROMIUM, one on this machine, Debian's, or playwright's."""
    named = os.environ.get("CHROMIUM", "")
    found = named or next((path for name in BROWSERS if (path := shutil.which(name))), "")
    if found:
        return found
    say("no Chromium found; installing one for the tests of the page")
    rights = [] if hasattr(os, "geteuid") and os.geteuid() == 0 else ["sudo", "--non-interactive"]
    if shutil.which("apt-get") and (not rights or shutil.which("sudo")):
        install: Command = [*rights, "apt-get", "install", "--yes", "--no-install-recommends"]
        if succeeds([*rights, "apt-get", "update"]):
            for name in BROWSERS[:2]:
                if succeeds([*install, name]):
                    return shutil.which(name) or ""
    step([PYTHON, "-m", "playwright", "install", "chromium"])
    ask = "from playwright.sync_api import sync_playwright as p; print(p().start().chromium.executable_path)"
    printed = subprocess.run([PYTHON, "-c", ask], capture_output=True, text=True, check=False).stdout.split()
    return printed[-1] if printed else ""


# --- the jobs -----------------------------------------------------------------------------------------


def play(extra: list[str]) -> int:
    return run([PYTHON, "-m", "shieldwall.cli.main", "play", *extra])


def test(extra: list[str]) -> int:
    return run([PYTHON, "-m", "pytest", *workers(extra), *extra], CHROMIUM=browser())


def lab(extra: list[str]) -> int:
    """Do nothing: the set-up has already run."""
    if extra:
        raise StepFailed(f"lab takes no arguments, but was given {spelled(extra)}")
    say("charts, tables of many games and clusters can be used now")
    return 0


def soak(extra: list[str]) -> int:
    # The configuration keeps pytest out of tests/soak; this is the one job that goes there.
    pytest: Command = [PYTHON, "-m", "pytest", "-o", "norecursedirs=.*", *workers(extra)]
    everything = [] if any(word.startswith("tests/") for word in extra) else ["tests/soak"]
    return run([*pytest, *everything, *extra])


def workers(extra: list[str]) -> list[str]:
    chosen = any(word.startswith(("-n", "--numprocesses", "--pdb")) for word in extra)
    # One process more than processors: tests of the server and of the page mostly wait.
    processes = (os.cpu_count() or 1) + 1
    return [] if chosen else ["-n", str(processes), "--dist", "worksteal"]


def check(extra: list[str]) -> int:
    """Run every check even if one fails, to show all problems at once."""
    mend = extra == ["--fix"]
    if extra and not mend:
        raise StepFailed(f"check takes only --fix, not {spelled(extra)}")
    checks: dict[str, Command] = {
        "style": [PYTHON, "-m", "ruff", "check", *(["--fix"] if mend else []), "."],
        "layout": [PYTHON, "-m", "ruff", "format", *([] if mend else ["--check"]), "."],
        "types": [PYTHON, "-m", "mypy", "--strict"],
        "import law": [BIN / "lint-imports", "--no-logo"],
    }
    results = {}
    for name, command in checks.items():
        say(f"checking {name}")
        results[name] = run(command)
    failed = [name for name, code in results.items() if code != 0]
    say(f"not clean: {', '.join(failed)}" if failed else "all checks are clean")
    return 1 if failed else 0


def bench(extra: list[str]) -> int:
    return run([PYTHON, "-m", "bench", *extra])


def docs(extra: list[str]) -> int:
    """Build the documentation, with Sphinx warnings as errors."""
    out = ROOT / "build" / "docs"
    code = run([PYTHON, "-m", "sphinx", "-W", "--keep-going", "-q", *extra, ROOT / "docs", out])
    if code == 0:
        say(f"the documentation is in {out / 'index.html'}")
    return code


def wheel(extra: list[str]) -> int:
    """Build a wheel and a source archive into dist/, and test each in an empty environment."""
    if extra:
        raise StepFailed(f"wheel takes no arguments, but was given {spelled(extra)}")
    build_page()
    shutil.rmtree(DIST, ignore_errors=True)
    step([PYTHON, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", DIST])
    for archive in sorted(DIST.iterdir()):
        say(f"trying out {archive.name} ({archive.stat().st_size / 1e6:.1f} MB)")
        with tempfile.TemporaryDirectory(prefix="shieldwall-") as beside:
            try_out(archive, Path(beside))
    say("both can be installed with pip and play: " + ", ".join(one.name for one in sorted(DIST.iterdir())))
    return 0


def try_out(archive: Path, folder: Path) -> None:
    """Install an archive into an empty environment, and run what a new user would run first."""
    fresh = folder / "environment"
    python = fresh / PYTHON.relative_to(VENV)
    step([PYTHON, "-m", "uv", "venv", "--quiet", "--python", sys.executable, fresh])
    install: Command = [PYTHON, "-m", "uv", "pip", "install", "--quiet", "--python", python]
    builds = archive.suffix != ".whl"
    locks = [REQUIREMENTS / "run.txt", *([REQUIREMENTS / "build.txt"] if builds else [])]
    step([*install, "--require-hashes", *(word for lock in locks for word in ("-r", lock))])
    step([*install, "--no-deps", *(["--no-build-isolation"] if builds else []), archive])
    # No compiler, no node and nothing of this checkout may be found from here on.
    step([python, ROOT / "tests" / "installed.py"], folder, PATH=str(python.parent))


def lock(extra: list[str]) -> int:
    if not succeeds([PYTHON, "-m", "uv", "--version"]):
        create_environment()
    for name in ("uv", "run", "lab", "build", "test", "docs", "node", "zig"):
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
    "lab": lab,
    "check": check,
    "bench": bench,
    "soak": soak,
    "docs": docs,
    "wheel": wheel,
    "lock": lock,
}


# --- running commands ---------------------------------------------------------------------------------


def run(command: Command, **settings: str) -> int:
    """Run a task's command in the terminal; report the command if it fails."""
    code = subprocess.run(command, cwd=ROOT, env=environment() | settings, check=False).returncode
    if code != 0:
        say(f"ended with code {code}: {spelled(command)}")
    return code if code >= 0 else 128 - code


def step(command: Command, folder: Path = ROOT, **settings: str) -> None:
    """Run one step of the set-up; a failure ends the program."""
    given = environment() | settings
    code = subprocess.run(command, cwd=folder, env=given, stdout=sys.stderr, check=False).returncode
    if code != 0:
        raise StepFailed(f"this command ended with code {code}, its message is above:\n  {spelled(command)}")


def succeeds(command: Command) -> bool:
    """Run a command quietly."""
    try:
        return subprocess.run(command, env=environment(), capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def environment() -> dict[str, str]:
    """The caller's environment, without variables that would lead Python or uv away from .venv.

    Bytecode is kept even if the caller's Python writes none, because every task starts many processes;
    it is stored in .venv, so that the source tree stays clean.
    """
    unwanted = {"PYTHONHOME", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE"}
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    if "PYTHONDONTWRITEBYTECODE" in os.environ:
        kept.setdefault("PYTHONPYCACHEPREFIX", str(VENV / "bytecode"))
    return kept | {"UV_PYTHON_DOWNLOADS": "never"}


def spelled(command: Command) -> str:
    return shlex.join(str(word) for word in command)


def say(line: str) -> None:
    print(f"dev.py: {line}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
