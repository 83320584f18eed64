"""Shorthand in files: one value instead of a list, a list of words instead of a text with commas."""

from __future__ import annotations

from msgspec import inspect as shapes


def expanded(data: object, shape: shapes.Type) -> object:
    """The data with shorthand written out in the shape where that is unambiguous; anything else is unchanged."""
    match shape:
        case shapes.StructType() if isinstance(data, dict):
            fields = {field.encode_name: field.type for field in shape.fields}
            return {
                key: expanded(value, fields[key]) if key in fields else value for key, value in data.items()
            }
        case shapes.DictType() if isinstance(data, dict):
            return {key: expanded(value, shape.value_type) for key, value in data.items()}
        case shapes.VarTupleType() | shapes.ListType():
            return [expanded(item, shape.item_type) for item in _as_list(data)]
        case shapes.UnionType():
            return _expanded_to_any(data, shape)
        case shapes.StrType() if isinstance(data, list) and all(isinstance(item, str) for item in data):
            return ", ".join(data)
        case _:
            return data


def _as_list(data: object) -> list[object]:
    if isinstance(data, list):
        return data
    return [] if data is None else [data]


def _expanded_to_any(data: object, shape: shapes.UnionType) -> object:
    """Expand a mapping or a list as such if the shape allows one; a single value becomes a list."""
    mappings = (shapes.StructType, shapes.DictType)
    lists = (shapes.VarTupleType, shapes.ListType)
    if isinstance(data, dict):
        for option in shape.types:
            if isinstance(option, mappings):
                return expanded(data, option)
    plain = (
        shapes.IntType,
        shapes.FloatType,
        shapes.StrType,
        shapes.BoolType,
        shapes.LiteralType,
        shapes.AnyType,
    )
    if data is None or any(isinstance(option, plain) for option in shape.types):
        return data
    for option in shape.types:
        if isinstance(option, lists):
            return expanded(data, option)
    return data
