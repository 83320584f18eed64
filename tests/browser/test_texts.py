"""Words that players read: what they would not say themselves is not said to them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

from shieldwall.editions import EDITIONS, ruleset
from shieldwall.server.opponents import levels
from tests.browser.conftest import ROOT

PAGE, ENGINE = ROOT / "web" / "src", ROOT / "src" / "shieldwall"
SPEAKING = (
    "server",
    "story",
    "bots",
    "rules",
    "editions",
    "lessons",
    "puzzles",
    "analysis",
)  # packages whose words are shown
BANNED = {
    "Whole activation": r"\bwhole activation\b",
    "go into something?": r"\bgo into something\b",
    "The plainest good answer.": r"\bplainest\b",
    "objective, which is called a marker": r"(?<!mysterious )\bobjectives?\b",  # a table of one book is called so
}
COMMENTS = re.compile(r"<style>.*?</style>|/\*.*?\*/|<!--.*?-->|(?<![:\w])//[^\n]*", re.DOTALL)
CODE = re.compile(r'^\s*import .*$|data-testid=\S+|href="#[^"]*"', re.MULTILINE)  # names of code and pictures


def page_texts() -> Iterator[tuple[str, str]]:
    """The page's files without comments and styles; what the generated types say is for programmers."""
    for path in sorted((*PAGE.rglob("*.svelte"), *PAGE.rglob("*.ts"))):
        if path.name != "types.ts":
            yield (
                str(path.relative_to(ROOT)),
                CODE.sub("", COMMENTS.sub("", path.read_text(encoding="utf-8"))),
            )


def is_pattern(path: Path, text: str) -> bool:
    """Whether a string says in which wordings army books may put something: that is read, not shown."""
    return path.parent.name == "reading" and "|" in text


def engine_texts() -> Iterator[tuple[str, str]]:
    """Strings of more than one word that are no docstrings."""
    for package in SPEAKING:
        for path in sorted((ENGINE / package).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            docs = {
                id(node.body[0].value)
                for node in ast.walk(tree)
                if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
                and node.body
                and isinstance(node.body[0], ast.Expr)
            }
            for node in ast.walk(tree):
                is_text = (
                    isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
                )
                if is_text and " " in node.value.strip() and not is_pattern(path, node.value):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node.value


def told(value: object) -> Iterator[str]:
    """Texts of a data file; what is searched `find` people type themselves."""
    if isinstance(value, dict):
        for key, one in value.items():
            if key != "find":
                yield from told(one)
    elif isinstance(value, list):
        for one in value:
            yield from told(one)
    elif isinstance(value, str) and " " in value:
        yield value


def data_texts() -> Iterator[tuple[str, str]]:
    for package in ("lessons", "puzzles"):
        for path in sorted((ENGINE / package).rglob("*.yaml")):
            for document in yaml.safe_load_all(path.read_text(encoding="utf-8")):
                for text in told(document):
                    yield str(path.relative_to(ROOT)), text


def shown(path: str, text: str, found: re.Match[str]) -> str:
    return f"{path}: …{text[max(0, found.start() - 30) : found.end() + 30]!r}"


@cache
def all_texts() -> tuple[tuple[str, str], ...]:
    return (*page_texts(), *engine_texts(), *data_texts())


@pytest.mark.parametrize("phrase", BANNED)
def test_no_text_says(phrase: str) -> None:
    texts = all_texts()
    assert len(texts) > 1000, "most of what is said was looked at"
    found = (
        shown(path, text, hit)
        for path, text in texts
        for hit in re.finditer(BANNED[phrase], text, re.IGNORECASE)
    )
    assert [*found] == []


def test_a_sergeant_is_one_thing() -> None:
    """A command model of the rulebooks; no level of the bots is called like it."""
    assert all(ruleset(edition).specials.knows("Sergeant") for edition in EDITIONS)
    assert not COMMAND & {one.label for one in levels()}


COMMAND = {"Sergeant", "Musician", "Banner", "Battle Standard"}


def test_this_test_would_find_them() -> None:
    assert re.search(BANNED["go into something?"], "Does it go into something?")
    assert COMMENTS.sub("", "a /* objective */ b // objective") == "a  b "
    assert Path(ROOT / "web").is_dir()
