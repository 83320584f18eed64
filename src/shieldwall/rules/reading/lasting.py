"""Phrases for how long something lasts that was done to somebody: until a time, or for the next thing that they do or
that happens to them. They may stand before, behind or inside what they belong to, and in brackets.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.blocks import (
    Block,
    Blocks,
    Crosses,
    DefenseIs,
    Gets,
    HitsTaken,
    Ignores,
    IgnoresWounds,
    Inches,
    Lend,
    Modifier,
    RollsAgain,
    Until,
    Whens,
)
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import ATTACK, CHARGE, MELEE, SHOOT, Cond, all_of, fill

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same


class Lasting(Struct, frozen=True):
    """How long something lasts: until a time, or once, for the next attack of a kind or the next `event`."""

    until: Until = "round"
    how: Whens = ()
    event: str = ""


add("lasting", "{u:until}", build=lambda m: Lasting(m["u"]))
add("lasting", "{n:nextly}", build=lambda m: m["n"])
add("lasting", "\\( {n:lasting} \\)", build=lambda m: m["n"])
add("lasting", "once [,] {n:nextly}", "once [,] \\( {n:nextly} \\)", build=lambda m: m["n"])

# the next time that somebody does something, or that something happens to them
TIME = "[only] ([the] (next|first) time [that]|once , when)"
add("nextly", f"{TIME} {{x:them}} {{n:event}}", build=lambda m: m["n"])
add(
    "nextly",
    "(when|if) {x:them} next {n:event}",
    "(when|if) {x:them} {n:event} next",
    "(when|if) {x:them} (is|are) next {n:suffered}",
    build=lambda m: m["n"],
)
add("event", "{d:does}", build=lambda m: Lasting("once", m["d"]))
add("event", "make [a|an] {d:deednoun}", build=lambda m: m["d"])
add("event", "is [next] {n:suffered}", build=lambda m: m["n"])
add("suffered", "{d:suffers} [at]", build=lambda m: Lasting("once", m["d"], "is attacked"))
add(
    "event",
    "take hits from {d:hitsof}",
    build=lambda m: Lasting("once", m["d"], "is attacked"),
)
HITS, WOUNDS = Lasting("once", (), "takes hits"), Lasting("once", (), "takes wounds")
TEST = Lasting("once", (), "takes a morale test")
same(
    "event",
    {
        "(move|make a move|use a move action|take a move action|is moved)": Lasting("once", (), "moves"),
        "take [(a|1|any)] hit": HITS,
        "(must|would) (block|block [(a|1|any)] hit|roll to block)": HITS,
        "(block|block [(a|1|any)] hit|roll to block|is hit)": HITS,
        "take [(a|1|any)] wound": WOUNDS,
        "take (a morale test|morale tests)": TEST,
        "must take (a morale test|morale tests)": TEST,
        "(casts|cast a spell|cast spells|try to cast [a spell])": Lasting("once", (), "casts"),
    },
)
NEXT = "[only] {x:whose} next"
add(
    "nextly",
    f"(in|for|during|on|with) {NEXT} {{d:deednoun}}",
    "(in|for|during|on) the next {d:deednoun} [(it|they) (make|fight|declare)]",
    "(for|in) (1|a) {d:deednoun}",
    build=lambda m: m["d"],
)
same(
    "deednoun",
    {
        "(melee|melee attack|fight|attack in melee)": Lasting("once", (MELEE,)),
        "(shooting|shooting attack|ranged attack|volley|shot|round of shooting)": Lasting("once", (SHOOT,)),
        "attack": Lasting("once", (ATTACK,)),
        "(charge|charge action|charge move)": Lasting("once", (CHARGE,)),
        "(move|move action|movement)": Lasting("once", (), "moves"),
        "(morale test|morale test roll)": TEST,
        "(spell|casting roll)": Lasting("once", (), "casts"),
        "(defense|block) rolls": HITS,
    },
)
same("byenemies", {"(enemy|an enemy|an enemy unit|any enemy|enemy unit|they)": None})
add(
    "nextly",
    f"{TIME} {{b:byenemies}} {{d:does}} [at] {{x:them}}",
    "(when|if) {b:byenemies} next {d:does} [at] {x:them}",
    "against the next {d:strikes} (against|on|at|targeting) {x:them}",
    build=lambda m: Lasting("once", m["d"], "is attacked"),
)


def lasting_of(m: Caught) -> Lasting:
    """How long something lasts that may be told in several places: one of them says it, the others just `once`."""
    told = [m[key] for key in ("l", "l2", "l3") if key in m]
    longer = [one for one in told if one != Lasting("once")]
    if len(longer) > 1 or (any(one.until != "once" for one in longer) and len(told) > 1):
        raise ReadingRefused
    return longer[0] if longer else told[0] if told else Lasting()


def lent(blocks: Blocks, cond: Cond, lasting: Lasting) -> Lend:
    """What somebody has for so long."""
    if lasting.event:
        return _until_it_happens(fill(blocks, cond, "unit") if cond.whens else blocks, lasting)
    how = lasting.how
    if how == (ATTACK,) and all(isinstance(one, Modifier) and one.roll == "hit" for one in blocks):
        how = ()  # no other roll is meant
    narrowed = replace(cond, whens=all_of((cond.whens, how)))
    filled = [_at_once(block, how) or fill((block,), narrowed, "unit") for block in blocks]
    return Lend(tuple(block for one in filled for block in one), lasting.until)


def _at_once(block: Block, how: Whens) -> Blocks:
    """A rule that is lost for the next attack: it is lost at once, with all that it does."""
    if not isinstance(block, Ignores) or not block.lost or block.when not in ((), how):
        return ()
    return fill((replace(block, when=()),), Cond(), "unit")


def _until_it_happens(told: Blocks, lasting: Lasting) -> Lend:
    """What somebody has until something happens to them, which must be what it is good for."""
    if not all(_is_good_for(block, lasting.event) for block in told):
        raise ReadingRefused
    blocks = tuple(_guarding(block, lasting.how) for block in told)
    return Lend(fill(blocks, Cond(), "unit"), "once")


def _guarding(block: Block, how: Whens) -> Block:
    """A block that helps against attacks of a kind."""
    if not how:
        return block
    return replace(block, when=all_of((how, block.when)))  # type: ignore[union-attr]


def _is_good_for(block: Block, event: str) -> bool:
    match block:
        case Modifier(roll, _, "own"):
            return event in _ROLLED_WHEN[roll]
        case RollsAgain(roll, _, _, "own"):
            return event in _ROLLED_WHEN[roll]
        case Gets(rule):
            if rule.name.casefold() == "regeneration":
                return event in ("is attacked", "takes hits", "takes wounds")
            if rule.name.casefold() == "fearless":
                return event == "takes a morale test"
            return event == ("is attacked" if rule.name.casefold() in PROTECTING else "moves")
        case Modifier(_, _, "enemy"):
            return event == "is attacked"
        case HitsTaken() | DefenseIs():
            return event in ("is attacked", "takes hits")
        case IgnoresWounds():
            return event in ("is attacked", "takes hits", "takes wounds")
        case Inches() | Ignores() | Crosses():
            return event == "moves"
    return False


PROTECTING = frozenset({"stealth", "evasive", "shielded", "fortified", "protected", "resistance"})
_ROLLED_WHEN = {
    "block": ("is attacked", "takes hits"),
    "morale": ("takes a morale test",),
    "casting": ("casts",),
    "hit": (),
}
