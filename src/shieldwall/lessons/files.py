"""Reads the YAML files of this package; all problems of a file are reported together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

import msgspec
import yaml
from msgspec import Struct

from shieldwall.core.errors import MalformedError
from shieldwall.core.state import Seat, State
from shieldwall.rulebook.conversion import convert
from shieldwall.scenario.build import Built, ScenarioError, build, started
from shieldwall.scenario.check import shape_problems
from shieldwall.scenario.load import load_data
from shieldwall.scenario.schema import Scenario

T = TypeVar("T", bound=Struct)
MOST_BYTES = 200_000
DATA = resources.files("shieldwall.lessons") / "data"


class SetTable(Struct, frozen=True):
    """A scenario ready to be shown or played: as written, as built, and the state it starts from."""

    scenario: Scenario
    built: Built
    start: State


def data_files(folder: str) -> dict[str, Traversable]:
    """The built-in files of a folder by name without extension, in order."""
    found = sorted((DATA / folder).iterdir(), key=lambda file: file.name)
    return {file.name.removesuffix(".yaml"): file for file in found if file.name.endswith(".yaml")}


def read_yaml(text: str, name: str) -> dict[str, Any]:
    """A file as plain data; anything but keys and values is refused."""
    if len(text) > MOST_BYTES:
        raise MalformedError(name, [f"the file is too large: {len(text)} bytes, the maximum is {MOST_BYTES}"])
    try:
        data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise MalformedError(name, [f"not YAML: {error}"]) from error
    if not isinstance(data, dict):
        raise MalformedError(name, ["the file must be keys and values"])
    return data


def converted_file(data: Mapping[str, Any], kind: type[T], name: str) -> T:
    """Plain data as a struct; every wrong key is named."""
    try:
        return convert(data, kind)
    except msgspec.ValidationError as error:
        found = [f"{'/'.join(map(str, one.path))}: {one.text}" for one in shape_problems(data, kind)]
        raise MalformedError(name, found or [str(error)]) from error


def set_table(data: Mapping[str, Any], title: str, names: tuple[str, ...], name: str) -> SetTable:
    """The table a file sets up in the scenario format, with the names of its sides."""
    loaded, faults = load_data({"scenario": title, **data}, name)
    if faults or loaded is None:
        raise MalformedError(name, [fault.text for fault in faults])
    try:
        built = build(loaded.scenario)
    except ScenarioError as error:
        words = [f"{'/'.join(map(str, one.path))}: {one.text}" for one in error.problems]
        raise MalformedError(name, words) from error
    state = started(loaded.scenario, built)
    seats = tuple(
        Seat(side=seat.side, name=names[seat.side] if len(names) > seat.side else seat.name)
        for seat in state.seats
    )
    return SetTable(loaded.scenario, built, msgspec.structs.replace(state, seats=seats))


@cache
def text_of(folder: str, name: str) -> str:
    """The text of a built-in file."""
    return data_files(folder)[name].read_text(encoding="utf-8")
