"""Phrases for what a unit does to itself at a moment: effects for a while, wounds that heal, nerve, moves."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.blocks import Blocks, Feat, Heal, Picks, Rally
from shieldwall.rules.reading.fates import Then
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import Cond, fill

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

SELF = "{me:ownself}"
same("ownself", {"(this model|it|the bearer)": "model", "this unit": "unit"})


def _own(m: Caught) -> Blocks:
    """A pick of nobody but its bearer's unit."""
    often, at = m["s"]
    then: Then = m["f"] if "f" in m else Then((m["n"],))
    if then.need and "need" in m:
        raise ReadingRefused
    if m.get("me") == "unit" and any(isinstance(block, Heal) for block in then.blocks):
        raise ReadingRefused  # which of its models heals, nobody says
    need = m.get("need", then.need)
    optional = "may" in m
    return (Picks(then.blocks, "self", need=need, at=at, often=often, dice=then.dice, optional=optional),)


same("may", {"may": True})
DIE = "roll one die (.|,|and) on [a] {need} [,]"
add(
    "item",
    f"{{s:start}} {SELF} [{{may}}] {{f:castfvs}}",
    f"{{s:start}} {DIE} {SELF} [{{may}}] {{f:castfvs}}",
    f"{{s:start}} {SELF} recover {{n:healed}} on [a] {{need}}",
    f"{{s:start}} [(you|{SELF})] [{{may}}] (remove|recover) {{n:healed}} (from|on) (itself|this model|it)"
    " [on [a] {need}]",
    build=_own,
)
add(
    "item",
    f"{{s:start}} {SELF} {{x:nerve}} on [a] {{need}}",
    build=lambda m: _own({**m, "f": Then((Rally(),))}),
)
add(
    "item",
    f"{{o:often}} [,] {SELF} [{{may}}] {{x:nerve}} {{at:moment}}",
    build=lambda m: _own({**m, "s": (m["o"], m["at"]), "f": Then((Rally(),))}),
)
same("nerve", {"(stops being|stop being|is no longer) shaken": None, "recover from being shaken": None})


def _longer_move(m: Caught) -> Blocks:
    """Inches for one move, which may be used so often."""
    often, at = m["s"]
    if at not in ("activation", "activated"):
        raise ReadingRefused
    blocks = tuple(replace(block, who="unit") for block in fill(m["v"], Cond(), "unit"))
    return (Feat(blocks, "moves", often, "unit"),)


add("item", f"{{s:start}} {SELF} may (get|move) {{v:steps}}", build=_longer_move)
