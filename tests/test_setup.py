"""The project itself: a newcomer's commands work, and the locks are valid everywhere."""

import ast
import importlib
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import shieldwall
from shieldwall.cli import main as command_line
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.extras import extra_package

ROOT = Path(__file__).resolve().parent.parent
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;]+)")

each_lock = pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "shieldwall", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def requirements_of(lock: Path) -> list[str]:
    """One string per package: its pin and everything that continues it."""
    joined = lock.read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in joined.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def names_in(requirements: list[str]) -> set[str]:
    return {re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0].lower() for line in requirements}


def test_version_is_the_one_on_the_command_line() -> None:
    answer = run("--version")
    assert answer.returncode == 0
    assert answer.stdout.strip() == f"shieldwall {shieldwall.__version__}"


def test_help_lists_every_command_that_exists() -> None:
    answer = run("--help")
    assert answer.returncode == 0, answer.stderr
    listed = set(re.findall(r"^  (\w[\w-]*)  ", answer.stdout, flags=re.MULTILINE))
    present = {name for name, place in command_line.COMMANDS.items() if command_line.is_present(place)}
    assert listed == present


def test_help_loads_no_command_and_none_of_the_engine() -> None:
    program = (
        "import sys; from shieldwall.cli.main import main; main(['--help']);"
        "print(*(name for name in sys.modules if name.startswith('shieldwall')))"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(answer.stdout.splitlines()[-1].split()) == {
        "shieldwall",
        "shieldwall.cli",
        "shieldwall.cli.groups",
        "shieldwall.cli.main",
        "shieldwall.cli.streams",
    }


def test_command_without_a_module_is_left_out_of_the_help() -> None:
    place = command_line.CommandEntry("shieldwall.cli.never_written", "app", "Not there.")
    assert "phantom" not in command_line.command_tree({"phantom": place}).commands


def test_unknown_command_is_refused_with_a_message() -> None:
    answer = run("no-such-command")
    assert answer.returncode == 2
    assert "There is no command 'no-such-command'; there are: play, serve, games, battle" in answer.stderr
    assert "Traceback" not in answer.stderr


# A sub-command that fails with an error the user can fix, and another that fails because of a bug.
FAILING_COMMANDS = """
from shieldwall.core.errors import ShieldwallError
def mendable(): raise ShieldwallError("no such edition")
def bug(): raise ZeroDivisionError
"""


@pytest.fixture
def failing_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "failing_commands.py").write_text(FAILING_COMMANDS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    places = {
        name: command_line.CommandEntry("failing_commands", name, "Fails.") for name in ("mendable", "bug")
    }
    tree = command_line.command_tree(places)
    monkeypatch.setattr(command_line, "command_tree", lambda: tree)
    monkeypatch.delenv("SHIELDWALL_DEBUG", raising=False)


@pytest.mark.usefixtures("failing_commands")
def test_our_own_error_is_one_message_and_code_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["mendable"]) == 2
    assert capsys.readouterr().err == "shieldwall: no such edition\n"


@pytest.mark.usefixtures("failing_commands")
def test_our_own_error_shows_its_traceback_when_debugging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHIELDWALL_DEBUG", "1")
    with pytest.raises(Exception, match="no such edition"):
        command_line.main(["mendable"])


@pytest.mark.usefixtures("failing_commands")
def test_bug_is_never_dressed_up_as_a_message() -> None:
    with pytest.raises(ZeroDivisionError):
        command_line.main(["bug"])


def test_app_with_a_single_command_stays_a_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "import typer\napp = typer.Typer()\n@app.command()\ndef show(name: str): print('shown', name)\n"
    (tmp_path / "one_command_app.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    tree = command_line.command_tree({"rules": command_line.CommandEntry("one_command_app", "app", "One.")})
    with pytest.raises(SystemExit) as ending:
        tree.main(["rules", "show", "R35-MOVE-09"], prog_name="shieldwall")
    assert ending.value.code == 0


def test_every_stage_has_its_lock() -> None:
    names = ["build.txt", "docs.txt", "lab.txt", "node.txt", "run.txt", "test.txt", "uv.txt", "zig.txt"]
    assert [lock.name for lock in LOCKS] == names


@each_lock
def test_lock_pins_every_package_with_hashes(lock: Path) -> None:
    requirements = requirements_of(lock)
    assert requirements
    unpinned = [line for line in requirements if not PINNED.match(line) or "--hash=sha256:" not in line]
    assert unpinned == []


@each_lock
def test_lock_names_no_host_and_no_path(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    assert re.findall(r"\w+://\S*|--\S*(?:index|find-links)\S*|(?<![\w.])/\w+/\S*", text) == []


@each_lock
def test_lock_holds_everything_its_source_asks_for(lock: Path) -> None:
    lines = lock.with_suffix(".in").read_text(encoding="utf-8").splitlines()
    wanted = names_in([line for line in lines if line and not line.startswith(("#", "-"))])
    assert wanted - names_in(requirements_of(lock)) == set()


def test_each_stage_holds_the_versions_of_the_one_before() -> None:
    run_lock, lab_lock, test_lock = (
        {line.split("--hash")[0].strip() for line in requirements_of(ROOT / "requirements" / name)}
        for name in ("run.txt", "lab.txt", "test.txt")
    )
    assert run_lock < lab_lock < test_lock


def asked_for(name: str) -> set[str]:
    lines = (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines()
    return names_in([line for line in lines if not line.startswith(("#", "-"))])


def test_package_depends_on_what_the_locks_pin() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert names_in(project["dependencies"]) == asked_for("run.in")
    extras = project["optional-dependencies"]
    assert names_in([*extras["lab"], *extras["environments"]]) - {"shieldwall"} == asked_for("lab.in")


def test_a_package_that_playing_does_not_need_is_asked_for_by_name() -> None:
    with pytest.raises(ShieldwallError, match=r"A chart needs the package 'no_such_package'.*dev.py lab"):
        extra_package("no_such_package", "A chart")


def test_playing_loads_none_of_what_only_the_lab_needs() -> None:
    program = "import sys, shieldwall.server.serving, shieldwall.bots.registry; print(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert {"altair", "dask", "distributed", "polars", "vl_convert"} & set(answer.stdout.split()) == set()


def test_ci_runs_the_command_of_the_readme() -> None:
    ci = ROOT / ".ci" / "run"
    command = "python3 dev.py test"
    assert ci.read_text(encoding="utf-8").splitlines()[-1] == f"exec {command}"
    assert os.access(ci, os.X_OK)
    assert command in (ROOT / "README.md").read_text(encoding="utf-8")


def test_dev_needs_nothing_but_the_standard_library() -> None:
    for name in ("dev.py", "ahead_of_time.py", "cython_arrays.py", "cython_writer.py"):
        tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
        imported = {
            one.name.split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import)
            for one in node.names
        }
        imported |= {
            str(node.module).split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
        }
        assert imported
        assert imported - {"ahead_of_time", "cython_arrays", "cython_writer"} <= sys.stdlib_module_names


def test_dev_names_its_jobs_when_it_does_not_know_one() -> None:
    command = [sys.executable, str(ROOT / "dev.py"), "dance"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 2
    assert "play, test, lab, check, bench, soak, docs, wheel" in answer.stderr


def load_dev() -> ModuleType:
    spec = importlib.util.spec_from_file_location("dev", ROOT / "dev.py")
    assert spec is not None
    assert spec.loader is not None
    dev = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(dev)
    return dev


def test_jobs_keep_bytecode_out_of_the_sources_where_the_caller_writes_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    settings = load_dev().environment()
    assert "PYTHONDONTWRITEBYTECODE" not in settings
    assert settings["PYTHONPYCACHEPREFIX"] == str(ROOT / ".venv" / "bytecode")


@pytest.mark.parametrize(
    ("extra", "places"),
    [
        ([], ["tests/soak"]),
        (["-k", "kills"], ["tests/soak"]),
        (["tests/soak/test_a.py"], ["tests/soak/test_a.py"]),
    ],
)
def test_soak_runs_a_file_that_is_named_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, extra: list[str], places: list[str]
) -> None:
    dev = load_dev()
    started: list[list[str]] = []
    monkeypatch.setattr(dev, "run", lambda command, **_: started.append([str(word) for word in command]) or 0)
    dev.soak(extra)
    assert [word for word in started[0] if word.startswith("tests/")] == places


def test_a_page_is_built_beside_the_one_being_served(tmp_path: Path) -> None:
    dev = load_dev()
    built, page = tmp_path / "built", tmp_path / "page"
    for folder, part in ((page, "old"), (page, "ancient"), (built, "new")):
        (folder / "assets").mkdir(parents=True, exist_ok=True)
        (folder / "assets" / f"{part}.js").write_text(part, encoding="utf-8")
        (folder / "index.html").write_text(part, encoding="utf-8")
    os.utime(page / "assets" / "ancient.js", (0, 0))
    dev.put_page(built, page)
    assert (page / "index.html").read_text(encoding="utf-8") == "new"
    # open pages can still load their parts; parts that no open page can need are gone
    assert {path.name for path in (page / "assets").iterdir()} == {"old.js", "new.js"}


def test_every_page_of_the_documentation_is_in_its_contents() -> None:
    docs = ROOT / "docs"
    contents = (docs / "index.md").read_text(encoding="utf-8").splitlines()
    pages = {path.stem for path in docs.glob("*.md")} - {"index"}
    assert pages - set(contents) == set()
    decisions = {path.name for path in (docs / "decisions").glob("*.md")}
    assert {name for name in decisions if not name.startswith("0")} == {"index.md"}


def test_variable_worked_out_from_itself_stays_a_number_of_c() -> None:
    """Cython alone would keep `best = min(best, ...)` as a Python object, ten times slower."""
    import cython_writer

    library = cython_writer.Library()
    module = next(one for one in library.compiled if one.path.stem == "sweep")
    found = cython_writer.LocalTypes(library, module, module.functions["unit_gap"]).declared()
    numbers = ("shortest", "nearest", "deepest", "dx", "dy", "bound", "apart", "deep")
    assert found == {**dict.fromkeys(numbers, "double"), "first": "long long", "j": "long long"}


def test_modules_that_are_joined_cannot_share_a_name() -> None:
    """One of two functions with the same name would silently take the place of the other."""
    import cython_writer

    library = cython_writer.Library()
    march = library.modules["shieldwall.geometry.march_search"]
    moving = next(unit for unit in library.units if unit.name == "shieldwall.geometry.moving")
    with pytest.raises(
        cython_writer.BuildError, match=r"march_search\.py: another module .* defines \w+ too"
    ):
        cython_writer.translated(library, moving._replace(modules=(*moving.modules, march)))


@pytest.mark.parametrize("part", sorted(path.stem for path in (ROOT / "bench").glob("[a-z]*.py")))
def test_every_part_of_the_bench_can_be_imported(part: str) -> None:
    """The bench seldom runs; a moved name must be noticed before that."""
    importlib.import_module(f"bench.{part}")
