"""Phrases for one effect or another, of which a condition decides: `AP(+1), or AP(+2) when charging`.

Whatever the second one is, the first holds where its condition does not.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from shieldwall.core.blocks import Block, Blocks, Gets, HitsTaken, Modifier, MoreAttacks, Range
from shieldwall.rules.reading.grammar import Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import OPEN, Cond, fill, negated

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

Other = Callable[[Blocks], Blocks]


def _another_number(number: int) -> Other:
    """The same effect with another number."""

    def other(blocks: Blocks) -> Blocks:
        if len(blocks) != 1:
            raise ReadingRefused
        return (_with_number(blocks[0], number),)

    return other


def _with_number(block: Block, number: int) -> Block:
    match block:
        case Modifier() | Range():
            return replace(block, amount=number)
        case MoreAttacks(doubled=False):
            return replace(block, attacks=number)
        case HitsTaken():
            return replace(block, piercing=number)
        case Gets(rule) if rule.plus:
            return replace(block, rule=replace(rule, value=number))
    raise ReadingRefused


def _instead(first: Blocks, other: Other, cond: Cond, before: Cond | None = None) -> Blocks:
    """The first effect where the condition does not hold, and the other one where it does."""
    held = fill(first, before) if before is not None else first
    second = other(first)
    whose = {getattr(block, "who", OPEN) for block in held}
    if {type(block) for block in second} != {type(block) for block in first} or len(whose) != 1:
        raise ReadingRefused  # one of them may come on top of the other
    usual = tuple(_fill_only(block, negated(cond)) for block in held)
    who = whose.pop()
    named = fill(second, Cond(), "" if who == OPEN else who)
    kept = tuple(_fill_only(block, cond) for block in (fill(named, before) if before is not None else named))
    return (*usual, *kept)


def _fill_only(block: Block, cond: Cond) -> Block:
    return fill((block,), cond)[0]


add("otherone", "[get|have|has|it get|they get] {v:objs}", build=lambda m: lambda first: m["v"])
add("otherone", "[get|by] {n:signed}", build=lambda m: _another_number(m["n"]))
OR = "(or|but|and) [instead]"
GROWING = "(increasing|rising|improving|increased|improved|going up|changing|dropping) to"
BECOMES = (
    "(this|it|the bonus|that|which|this bonus|that bonus) (become|becomes|is|increase to|increases to|is increased to"
    "|improves to|rise to|rises to|goes up to)"
)
GET = "[always] (get|have|has)"
add(
    "vps",
    f"{GET} {{v:objs}} , or [instead] {{o:otherone}} {{d:conds}} [instead]",
    f"{GET} {{v:objs}} {{c:conds}} , or [instead] {{o:otherone}} {{d:conds}} [instead]",
    f"{GET} {{v:objs}} [{{c:conds}}] [,] {OR} {{o:otherone}} instead {{d:conds}}",
    f"{GET} {{v:objs}} [{{c:conds}}] [,] {OR} {{d:conds}} [,] {{o:otherone}} instead",
    f"{GET} {{v:objs}} [{{c:conds}}] [,] [and] {GROWING} {{o:otherone}} {{d:conds}}",
    f"{GET} {{v:objs}} [{{c:conds}}] \\( [or] {{o:otherone}} [instead] {{d:conds}} [instead] \\)",
    f"{GET} {{v:objs}} [{{c:conds}}] , or {{d:conds}} [,] {{o:otherone}}",
    build=lambda m: _instead(m["v"], m["o"], m["d"], m.get("c")),
)
add(
    "bareclause",
    "{v:objs} [{c:conds}] , or [instead] {o:otherone} {d:conds} [instead]",
    f"{{v:objs}} [{{c:conds}}] [,] [and] {GROWING} {{o:otherone}} {{d:conds}}",
    "{v:objs} [{c:conds}] \\( [or] {o:otherone} [instead] {d:conds} [instead] \\)",
    build=lambda m: _instead(m["v"], m["o"], m["d"], m.get("c")),
)
IT = "[(it|they|this model|this unit|this weapon) [get|have|has]]"
add(
    "item",
    f"{{v:parts}} . {{d:front}} [,] {IT} {{o:otherone}} instead",
    f"{{v:parts}} . {IT} {{o:otherone}} instead {{d:conds}}",
    f"{{v:parts}} [.|,|;] [(and|but)] {BECOMES} {{o:otherone}} {{d:conds}} [instead]",
    f"{{v:parts}} [.|,|;] [(and|but)] {{d:front}} [,] {BECOMES} {{o:otherone}} [instead]",
    build=lambda m: _instead_of_all(m["v"], m["o"], m["d"]),
)


def _instead_of_all(first: Blocks, other: Other, cond: Cond) -> Blocks:
    """The same for a sentence of its own; conditions of the first one go for both."""
    if len(first) != 1 or not hasattr(first[0], "when"):
        raise ReadingRefused
    block = first[0]
    bare = replace(block, when=())
    before = Cond(block.when)
    who = getattr(block, "who", OPEN)
    second = other((bare,))
    named = fill(second, Cond(), who) if who != OPEN else second
    if [type(one) for one in second] != [type(block)]:
        raise ReadingRefused
    return (*fill((block,), negated(cond)), *fill(fill(named, before), cond))
