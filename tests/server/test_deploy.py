"""The files in deploy/: what the image copies exists, and the server knows every option it is started with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from shieldwall.cli.main import COMMANDS, load

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def copied() -> list[str]:
    """What the image takes from the checkout."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    lines = re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE)
    return [source for line in lines for source in line.split()[:-1]]


def test_an_image_is_built_from_files_that_its_context_lets_in() -> None:
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_in = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    assert len(copied()) > 8
    for source in copied():
        assert (ROOT / source).exists(), source
        assert source.split("/")[0] in let_in, source
    scripts = {path.name for path in ROOT.glob("*.py")}
    for script in scripts & set(copied()):
        used = set(
            re.findall(r"^(?:import|from) (\w+)", (ROOT / script).read_text(encoding="utf-8"), re.MULTILINE)
        )
        assert {f"{name}.py" for name in used} & scripts <= set(copied()), script
    assert {"web/node_modules", "src/shieldwall/server/static", "**/built"} <= set(ignored), (
        "built on the way"
    )


@pytest.mark.parametrize("name", ["Containerfile", "compose.yaml", "shieldwall.service"])
def test_the_server_knows_every_option_it_is_started_with(name: str) -> None:
    text = (DEPLOY / name).read_text(encoding="utf-8")
    started = re.findall(r"(?:^ENTRYPOINT|^CMD|^ExecStart=|^ +- --).*", text, re.MULTILINE)
    used = {option for line in started for option in re.findall(r"--[a-z][a-z-]+", line)}
    known = {option for one in load(COMMANDS["serve"]).params for option in one.opts}
    assert used
    assert used <= known, used - known
