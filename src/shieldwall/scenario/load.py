"""Reads scenario files: parses YAML, expands cases, checks shapes, and reports every problem with its line.

Reading a correct file is fast: the compiled YAML parser and one conversion. Lines are looked up only for problems.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any

import msgspec
import yaml
from msgspec import Struct

from shieldwall.core.errors import MalformedError
from shieldwall.core.reading import read_text
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.scenario.check import (
    ENDLESS,
    FileProblem,
    Path,
    converted,
    is_endless,
    number_problems,
    shape_problems,
)
from shieldwall.scenario.empty_expectations import empty_problems
from shieldwall.scenario.schema import TOP_LEVEL_ONLY, Scenario

Raw = dict[str, Any]

# What a unit copies from the unit it is `like`: what it is, not where it stands or what has happened to it.
LIKENESS = (
    "stats",
    "models",
    "equipment",
    "rules",
    "base",
    "kind",
    "height",
    "cost",
    "command",
    "special",
    "hero",
    "slot",
    "part",
    "spells",
    "army",
)


# A unit is placed by its centre or by its front: a case that gives one removes the other.
ONE_OF_TWO = (("at", "front"), ("front", "at"))


class Fault(Struct, frozen=True, order=True):
    """A problem as it is shown: file, line, and what is wrong."""

    file: str
    line: int
    text: str


class Loaded(Struct, frozen=True):
    """A scenario and its place: the entry of its file, and the case of that entry (-1: none).

    `wrong` has the paths of parts that were left out because they are malformed. Such a scenario is not played, but
    its other problems can still be found.
    """

    source: SourceText
    entry: int
    case: int
    scenario: Scenario
    wrong: tuple[Path, ...] = ()

    @property
    def title(self) -> str:
        return self.scenario.scenario

    def line(self, path: Path = ()) -> int:
        """The line of something in this scenario."""
        return self.source.line(self.entry, self.case, path)

    @property
    def first_line(self) -> int:
        """The line where the entry of the file begins; cheap if entries start with a dash."""
        lines = self.source.entry_lines()
        return lines[self.entry] if self.entry < len(lines) else self.line()

    def faults(self, problems: Iterable[FileProblem]) -> list[Fault]:
        """Problems with their lines."""
        return [shown(self.source, self.entry, self.case, problem) for problem in problems]


class SourceText(Struct):
    """The text of one file; its lines are looked up on demand."""

    name: str
    text: str
    node: yaml.Node | None = None
    entries: list[int] | None = None

    def entry_lines(self) -> list[int]:
        """The line of each entry, found by the dashes of the outermost list; empty if it is written differently."""
        if self.entries is None:
            lines = self.text.splitlines()
            dashes = [
                n for n, line in enumerate(lines, start=1) if line.startswith("- ") or line.rstrip() == "-"
            ]
            said = [
                (n, line.strip()[0])
                for n, line in enumerate(lines, start=1)
                if line.strip()[:1] not in ("", "#")
            ]
            first, sign = said[0] if said else (1, "")
            alone = [first] if sign.isalpha() else []
            self.entries = dashes if first in dashes else alone
        return self.entries

    def line(self, entry: int, case: int, path: Path) -> int:
        """The line of the deepest existing node on the path; a case overrides its base."""
        if self.node is None:
            self.node = yaml.compose(self.text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        top = self.node
        if isinstance(top, yaml.SequenceNode) and entry < len(top.value):
            top = top.value[entry]
        if top is None:
            return 1
        ways: list[Path] = [path]
        if case >= 0:
            ways.insert(0, ("cases", case, *path))
        if len(path) > 2 and path[0] == "units":
            ways.append(("defaults", *path[2:]))
        found = [_deepest(top, way) for way in ways]
        for (node, depth), way in zip(found, ways, strict=True):
            if depth == len(way):
                return int(node.start_mark.line) + 1
        depths = [depth - (len(way) - len(path)) for (_, depth), way in zip(found, ways, strict=True)]
        best = max(range(len(found)), key=lambda index: (depths[index], -index))
        return int(found[best][0].start_mark.line) + 1


def load_file(path: FilePath) -> tuple[list[Loaded], list[Fault]]:
    """All scenarios of a file, and every problem with its shape."""
    try:
        text = read_text(path)
    except MalformedError as error:
        return [], [Fault(str(path), 1, problem) for problem in error.problems]
    return load_text(text, str(path))


def _tip(problem: str) -> str:
    """The usual cause of a YAML error, in plain words."""
    if "mapping values are not allowed" in problem:
        return "; text with a colon and a space needs quotes: 'Blast: the cap'"
    if "cannot start any token" in problem or "found unexpected end of stream" in problem:
        return "; indent with spaces, and quote text with special characters: 'Bow (24\", A1)'"
    if "found another document" in problem:
        return "; several scenarios in one file are a list: a '- ' in front of each instead of '---'"
    if "expected ',' or" in problem:
        return "; text with a comma, bracket or quote needs quotes: 'Bow (24\", A1)'"
    return ""


def load_text(text: str, name: str = "scenario") -> tuple[list[Loaded], list[Fault]]:
    """All scenarios of a text, and every problem with its shape."""
    source = SourceText(name, text)
    try:
        data = yaml.load(text, Loader=_ScenarioLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        return [], [
            Fault(
                name,
                line,
                f"not YAML: {(error.problem or error.context or '').removeprefix('but ')}{_tip(str(error.problem))}",
            )
        ]
    except yaml.YAMLError as error:
        return [], [Fault(name, 1, f"not YAML: {error}")]
    if is_endless(data):
        return [], [Fault(name, 1, ENDLESS)]
    entries = data if isinstance(data, list) else [data]
    if not entries or entries == [None]:
        return [], [Fault(name, 1, "the file contains no scenario")]
    loaded: list[Loaded] = []
    faults: list[Fault] = []
    for entry, raw in enumerate(entries):
        if not isinstance(raw, dict):
            faults.append(Fault(name, source.line(entry, -1, ()), "a scenario must be a mapping"))
            continue
        unfit = list(_case_problems(raw.get("cases"))) or list(_new_units(raw))
        faults += [shown(source, entry, -1, problem) for problem in unfit]
        for case, spread in () if unfit else _cases(raw):
            found, wrong = _load_one(source, entry, case, spread)
            loaded += found
            faults += wrong
    return loaded, faults


def load_data(data: Raw, name: str) -> tuple[Loaded | None, list[Fault]]:
    """A scenario that is part of another file, as plain data; problems carry no line there."""
    found, faults = _load_one(SourceText(name, ""), 0, -1, dict(data))
    return (found[0] if found else None), faults


def _load_one(source: SourceText, entry: int, case: int, raw: Raw) -> tuple[list[Loaded], list[Fault]]:
    """The well-formed part of a scenario, and every problem with its shape."""
    problems = _fill_in_likes(raw) + list(number_problems(raw)) + list(empty_problems(raw))
    data = {key: value for key, value in raw.items() if key not in TOP_LEVEL_ONLY}
    try:
        scenario: Scenario = converted(data, Scenario)
    except msgspec.ValidationError as error:
        problems += shape_problems(data, Scenario) or [FileProblem((), str(error))]
    wrong = tuple(problem.path for problem in problems)
    faults = [shown(source, entry, case, problem) for problem in problems]
    if wrong:
        try:
            scenario = converted(_without(data, wrong), Scenario)
        except msgspec.ValidationError:  # the rest is not a scenario
            return [], faults
    return [Loaded(source, entry, case, scenario, wrong)], faults


def _without(data: Any, ways: Iterable[Path]) -> Any:
    """The same data without the parts at some paths."""
    ends = [way for way in ways if way]
    if not ends:
        return data
    if isinstance(data, dict):
        items: Iterable[tuple[Any, Any]] = data.items()
        return {
            key: _without(value, [way[1:] for way in ends if way[0] == key])
            for key, value in items
            if (key,) not in ends
        }
    if isinstance(data, list):
        return [
            _without(value, [way[1:] for way in ends if way[0] == number])
            for number, value in enumerate(data)
            if (number,) not in ends
        ]
    return data


def shown(source: SourceText, entry: int, case: int, problem: FileProblem) -> Fault:
    """A problem with its line and its path in words."""
    way = "/".join(str(step + 1 if isinstance(step, int) else step) for step in problem.path)
    text = f"{way}: {problem.text}" if way else problem.text
    return Fault(source.name, source.line(entry, case, problem.path), text)


def _case_problems(cases: object) -> Iterator[FileProblem]:
    """Cases that vary nothing, and would silently leave the scenario as it is."""
    if cases is None:
        return
    if not isinstance(cases, list) or not cases:
        yield FileProblem(("cases",), "expected a list of variations, each with the keys that differ")
        return
    for number, case in enumerate(cases):
        if not isinstance(case, dict):
            text = f"expected the name of the case and the keys that differ, found {case!r}"
            yield FileProblem(("cases", number), text)


def _new_units(raw: Raw) -> Iterator[FileProblem]:
    """Units of a case that its base does not have and that name no side: most likely misspelt names."""
    known, defaults = raw.get("units"), raw.get("defaults")
    if not isinstance(known, dict) or (isinstance(defaults, dict) and "side" in defaults):
        return
    cases: list[Any] = raw.get("cases") or []
    for number, case in enumerate(cases):
        units = case.get("units")
        for name, entry in units.items() if isinstance(units, dict) else ():
            if name not in known and isinstance(entry, dict) and not entry.keys() & {"side", "like"}:
                tip = did_you_mean(str(name), [str(other) for other in known])
                text = f"the scenario has no unit {name!r} that this case could change{tip}; a new unit needs a `side`"
                yield FileProblem(("cases", number, "units", name), text)


def _cases(raw: Raw) -> list[tuple[int, Raw]]:
    """The scenarios of one entry: itself, or one for each of its cases, merged into it."""
    base = {key: value for key, value in raw.items() if key != "cases"}
    cases = raw.get("cases")
    if cases is None:
        return [(-1, raw)]
    spread: list[tuple[int, Raw]] = []
    for index, case in enumerate(cases):
        merged = _merged(base, {key: value for key, value in case.items() if key != "case"})
        title = case.get("case", f"case {index + 1}")
        merged["scenario"] = f"{base.get('scenario', '')}: {title}"
        spread.append((index, merged))
    return spread


def _merged(base: Any, change: Any) -> Any:
    """Mappings are merged key by key, and an empty value removes a key; anything else is replaced."""
    if not isinstance(base, dict) or not isinstance(change, dict):
        return change
    merged = dict(base)
    for key, other in ONE_OF_TWO:
        if key in change:
            merged.pop(other, None)
    for key, value in change.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = _merged(base.get(key), value)
    return merged


def _fill_in_likes(raw: Raw) -> list[FileProblem]:
    """Fill in what units copy from the defaults and from the units they are like, in place."""
    units = raw.get("units")
    if not isinstance(units, dict):
        return []
    defaults = raw.get("defaults") or {}
    problems: list[FileProblem] = []
    filled: Raw = {}
    for name in units:
        filled[name] = _filled(name, units, defaults, problems)
    raw["units"] = filled
    return problems


def _filled(name: str, units: Mapping[str, Any], defaults: Any, problems: list[FileProblem]) -> Any:
    unit = units[name]
    if not isinstance(defaults, dict) or not isinstance(unit, dict | None):
        return unit
    taken: Raw = {}
    seen = [name]
    like = unit
    while other := like.get("like") if isinstance(like, dict) else None:
        if not isinstance(other, str) or other in seen or other not in units:
            problems.append(FileProblem(("units", name, "like"), _like_problem(other, seen, units)))
            break
        seen.append(other)
        like = units[other]
        taken = (
            {key: like[key] for key in LIKENESS if key in like} | taken if isinstance(like, dict) else taken
        )
    return {**defaults, **taken, **(unit or {})}


def _like_problem(other: object, seen: list[str], units: Mapping[str, Any]) -> str:
    if not isinstance(other, str):
        return f"expected the name of a unit, not {other!r}"
    if other in units:
        return f"{' -> '.join(map(str, [*seen, other]))} is circular"
    return f"there is no unit {other!r}{did_you_mean(other, tuple(units))}"


def _deepest(node: yaml.Node, way: Path) -> tuple[yaml.Node, int]:
    """The last node that exists on a path (the key itself, if there is one), and its depth."""
    depth = 0
    shown = node
    for step in way:
        if isinstance(node, yaml.MappingNode):
            pair = next((p for p in node.value if p[0].value == str(step)), None)
            if pair is None:
                break
            shown, node = pair
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            shown = node = node.value[step]
        else:
            break
        depth += 1
    return shown, depth


class _ScenarioLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """The compiled loader if available; a repeated key is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        merges = any(key.tag == "tag:yaml.org,2002:merge" for key, _ in node.value)
        count = len(node.value)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        if len(mapping) != count and not merges:
            self._refuse_twice(node)
        return mapping

    def _refuse_twice(self, node: yaml.MappingNode) -> None:
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"{key.value!r} is given twice", problem_mark=key.start_mark
                )
            seen.add(key.value)
