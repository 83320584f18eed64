"""Finds every fault in the shape of some data, with its path: a slow, thorough version of `msgspec.convert`.

It runs only if the fast conversion fails, which reports a single fault without a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec import inspect as shapes

from shieldwall.rulebook.conversion import convert
from shieldwall.rulebook.nearest import did_you_mean
from shieldwall.scenario.shorthand import expanded

Path = tuple[str | int, ...]

LARGEST = 1_000_000
ENDLESS = "an anchor (&name) contains itself, or aliases repeat too much"
DEEPEST, MOST_VALUES = 60, 2_000_000  # of nested lists and mappings, and of values in all, in one file


class FileProblem(Struct, frozen=True):
    """A problem, and its path from the top of a scenario."""

    path: Path
    text: str


def shape_problems(data: object, wanted: type[Struct]) -> list[FileProblem]:
    """Every difference between some data from a file and the shape of a struct."""
    shape = _shape_of(wanted)
    return list(_faults(expanded(data, shape), shape, ()))


def is_endless(data: object) -> bool:
    """Whether data from a file contains itself, or repeats aliases excessively."""
    left: list[tuple[object, int]] = [(data, 0)]
    seen = 0
    while left:
        found, depth = left.pop()
        inner = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
        left += [(value, depth + 1) for value in inner]
        seen += 1
        if depth > DEEPEST or seen > MOST_VALUES:
            return True
    return False


def number_problems(data: object, path: Path = ()) -> Iterator[FileProblem]:
    """Numbers that make no sense on a table: infinite, not a number, or miles long."""
    if isinstance(data, float | int) and not abs(data) <= LARGEST:
        yield FileProblem(path, f"expected a number up to {LARGEST:,}, found {data}")
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from number_problems(value, (*path, key)) if key != "note" else ()
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from number_problems(value, (*path, number))


NAMED = 4  # keys listed in a message if none was given
# Keys that people write by mistake, and what ours are called.
SYNONYMS = {
    **dict.fromkeys(("quality", "defense", "defence"), "stats"),
    **dict.fromkeys(("weapon", "weapons", "gear"), "equipment"),
    **dict.fromkeys(("special_rules", "abilities", "tough"), "rules"),
    **dict.fromkeys(("count", "size", "number"), "models"),
    **dict.fromkeys(("position", "pos", "centre", "center"), "at"),
    **dict.fromkeys(("heading", "direction"), "facing"),
    **dict.fromkeys(("destroyed", "dead", "routed"), "alive"),
    **dict.fromkeys(("starting_size", "start_models"), "started"),
    **dict.fromkeys(("points", "price"), "cost"),
    **dict.fromkeys(("joined", "leader"), "hero"),
    "given": "units",
    "when": "play",
    "then": "expect",
}


@cache
def _shape_of(wanted: type[Struct]) -> shapes.Type:
    return shapes.type_info(wanted)


def _faults(data: object, shape: shapes.Type, path: Path) -> Iterator[FileProblem]:
    match shape:
        case shapes.StructType():
            yield from _struct_faults(data, shape, path)
        case shapes.DictType():
            yield from _dict_faults(data, shape, path)
        case shapes.VarTupleType() | shapes.ListType():
            yield from _list_faults(data, shape.item_type, path)
        case shapes.TupleType():
            yield from _tuple_faults(data, shape, path)
        case shapes.UnionType():
            yield from _union_faults(data, shape, path)
        case _:
            yield from _plain_faults(data, shape, path)


def _struct_faults(data: object, shape: shapes.StructType, path: Path) -> Iterator[FileProblem]:
    if not isinstance(data, dict):
        names = [field.encode_name for field in shape.fields]
        known = ", ".join(names[:NAMED]) + (", ..." if len(names) > NAMED else "")
        yield FileProblem(path, f"expected keys and values ({known}), found {_spelled(data)}")
        return
    fields = {field.encode_name: field for field in shape.fields}
    for key, value in data.items():
        if key in fields:
            yield from _faults(value, fields[key].type, (*path, key))
        else:
            meant = SYNONYMS.get(str(key).casefold(), "")
            tip = f"; did you mean {meant}?" if meant in fields else did_you_mean(str(key), tuple(fields))
            if any(sign in str(key) for sign in '()[]"'):
                tip = "; text with a comma needs quotes: 'Bow (24\", A1)'"
            yield FileProblem((*path, key), f"unknown key {key!r}{tip}")
    for name, field in fields.items():
        if field.required and name not in data:
            yield FileProblem(path, f"{name!r} is missing")


def _dict_faults(data: object, shape: shapes.DictType, path: Path) -> Iterator[FileProblem]:
    if not isinstance(data, dict):
        yield FileProblem(path, f"expected names with values, found {_spelled(data)}")
        return
    for key, value in data.items():
        for fault in _faults(key, shape.key_type, (*path, key)):
            yield FileProblem(fault.path, f"key: {fault.text}")
        yield from _faults(value, shape.value_type, (*path, key))


def _list_faults(data: object, item: shapes.Type, path: Path) -> Iterator[FileProblem]:
    if not isinstance(data, list):
        yield FileProblem(path, f"expected a list, found {_spelled(data)}")
        return
    for index, value in enumerate(data):
        yield from _faults(value, item, (*path, index))


def _tuple_faults(data: object, shape: shapes.TupleType, path: Path) -> Iterator[FileProblem]:
    if not isinstance(data, list) or len(data) != len(shape.item_types):
        wanted = len(shape.item_types)
        yield FileProblem(path, f"expected a list of {wanted}, found {_spelled(data)}")
        return
    for index, (value, item) in enumerate(zip(data, shape.item_types, strict=True)):
        yield from _faults(value, item, (*path, index))


def _union_faults(data: object, shape: shapes.UnionType, path: Path) -> Iterator[FileProblem]:
    """Nothing if one of the shapes fits; otherwise the faults of the closest one."""
    tried = [(option, list(_faults(data, option, path))) for option in shape.types]
    if any(not faults for _, faults in tried):
        return
    for option, faults in tried:
        is_mapping = isinstance(option, (shapes.StructType, shapes.DictType))
        is_list = isinstance(option, (shapes.VarTupleType, shapes.TupleType, shapes.ListType))
        if (is_mapping and isinstance(data, dict)) or (is_list and isinstance(data, list)):
            yield from faults
            return
    wanted = " or ".join(dict.fromkeys(_named(option) for option, _ in tried if _named(option)))
    yield FileProblem(path, f"expected {wanted}, found {_spelled(data)}")


def _plain_faults(data: object, shape: shapes.Type, path: Path) -> Iterator[FileProblem]:
    if _fits(data, shape):
        return
    tip = ""
    if isinstance(shape, shapes.LiteralType) and isinstance(data, str):
        tip = did_you_mean(data, [str(value) for value in shape.values])
    if isinstance(shape, shapes.StrType) and isinstance(data, bool):
        tip = "; yes, no, on and off need quotes to be text: 'Off'"
    elif isinstance(shape, shapes.StrType) and isinstance(data, int | float):
        tip = f"; a number needs quotes to be text: '{data}'"
    yield FileProblem(path, f"expected {_named(shape)}, found {_spelled(data)}{tip}")


def _fits(data: object, shape: shapes.Type) -> bool:
    match shape:
        case shapes.IntType():
            return type(data) is int
        case shapes.FloatType():
            return type(data) in (int, float)
        case shapes.StrType():
            return isinstance(data, str)
        case shapes.BoolType():
            return isinstance(data, bool)
        case shapes.NoneType():
            return data is None
        case shapes.LiteralType():
            return data in shape.values
        case _:
            return True


_NAMES: dict[type[shapes.Type], str] = {
    shapes.IntType: "a whole number",
    shapes.FloatType: "a number",
    shapes.StrType: "text",
    shapes.BoolType: "yes or no",
    shapes.NoneType: "",
    shapes.VarTupleType: "a list",
    shapes.ListType: "a list",
    shapes.TupleType: "a list",
    shapes.DictType: "names with values",
    shapes.StructType: "keys and values",
}


def _named(shape: shapes.Type) -> str:
    if isinstance(shape, shapes.LiteralType):
        return " or ".join(str(value) for value in shape.values)
    return _NAMES.get(type(shape), "")


def _spelled(data: Any) -> str:
    match data:
        case dict():
            return "keys and values"
        case list():
            return f"a list of {len(data)}" if len(data) > 4 else f"the list {data}"
        case None:
            return "nothing"
        case bool():
            return "yes" if data else "no"
        case _:
            return repr(data)


def converted(data: object, wanted: type[Struct]) -> Any:
    """Data from a file as a struct; raises `msgspec.ValidationError` at the first fault."""
    try:
        return convert(data, wanted)
    except msgspec.ValidationError:
        return convert(expanded(data, _shape_of(wanted)), wanted)
