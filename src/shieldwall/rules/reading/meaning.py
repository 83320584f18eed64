"""What phrases are read into: conditions, subjects, and blocks whose bearer is still open."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from shieldwall.core.blocks import (
    Aura,
    Backfires,
    Block,
    Blocks,
    BlocksAgain,
    DefenseIs,
    ExtraAttacks,
    ExtraHits,
    ExtraWounds,
    FacesGet,
    Gets,
    HitsTaken,
    Ignores,
    IgnoresWounds,
    Inches,
    InCover,
    Lend,
    Modifier,
    MoreAttacks,
    QualityIs,
    Range,
    RollsAgain,
    When,
    Whens,
)
from shieldwall.rules.reading.grammar import ReadingRefused


class Cond(Struct, frozen=True):
    """A condition as read: what must hold, and of whom it spoke ("" for nobody in particular).

    `others` says that it spoke of enemies, too, whom a pronoun behind it may mean. `voice` tells whether the bearer
    does something then, or has something done to it.
    """

    whens: Whens = ()
    who: str = ""
    others: bool = False
    voice: Literal["", "active", "passive"] = ""


class Subject(Struct, frozen=True):
    """Who is spoken of: "" for a pronoun. `whens` narrows it, as `its melee weapons` does."""

    who: str = ""
    whens: Whens = ()


_PLAIN = When()
SHARED = ("all", "most")  # bearers that are units by how many of their models have the rule

_NARROWER = {
    ("attack", "shoot"): "shoot",
    ("attack", "melee"): "melee",
    ("not spell", "attack"): "attack",
    ("not spell", "shoot"): "shoot",
    ("not spell", "melee"): "melee",
}


def both(one: When, other: When) -> When:
    """A condition where two must hold; refused where they exclude each other."""
    changed: dict[str, Any] = {}
    for name, value in asdict(other).items():
        before = getattr(one, name)
        if name == "unless":
            changed[name] = tuple(dict.fromkeys((*before, *value)))
            continue
        default = getattr(_PLAIN, name)
        if value in (default, before):
            continue
        changed[name] = value
        if before != default:
            narrower = _NARROWER.get((before, value)) or _NARROWER.get((value, before))
            if name != "attack" or narrower is None:
                raise ReadingRefused
            changed[name] = narrower
    return replace(one, **changed)


def all_of(conditions: Iterable[Whens]) -> Whens:
    """Several conditions of which each must hold, each with its alternatives."""
    found: Whens = ()
    for whens in conditions:
        if not whens:
            continue
        found = tuple(both(one, other) for one in found for other in whens) if found else whens
    return found


def join(conditions: Iterable[Cond]) -> Cond:
    """Several conditions as one; the first that names somebody decides whom they are about. How many models of a
    unit must have the rule goes for all of them."""
    told = list(conditions)
    voices = {cond.voice for cond in told if cond.voice}
    if len(voices) > 1:
        raise ReadingRefused
    named = [cond.who for cond in told if cond.who]
    shared = [who for who in named if who in SHARED]
    return Cond(
        all_of(cond.whens for cond in told),
        next(iter(shared if shared and {*named} <= {"unit", shared[0]} else named), ""),
        any(cond.others for cond in told),
        next(iter(voices), ""),
    )


_OPPOSITES = {
    "over": "within",
    "within": "over",
    "shaken": "", "fatigued": "", "wounded": "", "half": "",
    "target_shaken": "", "target_fatigued": "", "target_wounded": "", "target_half": "", "target_activated": "",
}  # fmt: skip
_NOT_SPELLS = {When(attack="spell"): When(attack="not spell"), When(attack="not spell"): When(attack="spell")}


def negated(cond: Cond) -> Cond:
    """A condition that holds where another one does not."""
    if not cond.whens:
        raise ReadingRefused
    return replace(cond, whens=(_opposite(cond.whens),))


def _opposite(whens: Whens) -> When:
    told = {name: value for name, value in asdict(whens[0]).items() if value != getattr(_PLAIN, name)}
    if not told:
        raise ReadingRefused
    name, value = next(iter(told.items()))
    if len(whens) > 1 or len(told) > 1 or (name not in _OPPOSITES and whens[0] not in _NOT_SPELLS):
        return When(unless=whens)
    if whens[0] in _NOT_SPELLS:
        return _NOT_SPELLS[whens[0]]
    other = _OPPOSITES[name]
    return replace(_PLAIN, **({other: value} if other else {name: not value}))


SHOOT, MELEE, ATTACK = When(attack="shoot"), When(attack="melee"), When(attack="attack")

CHARGE = When(attack="melee", charging=True)

STRUCK_BACK = When(attack="melee", charged=True)  # blows of those who were charged

OPEN = "open"  # who a block speaks for while nobody was named

THEY = "they"  # the same where several were meant by a pronoun

ITS = "its"  # the same where attacks or weapons were meant: those of a model, if nobody was named


def fill(blocks: Blocks, cond: Cond, who: str = "") -> Blocks:
    """Blocks with their bearer and a condition that holds for all of them."""
    if cond.who in SHARED and who == "unit":
        who = cond.who
    elif cond.who in SHARED and who and who != cond.who:
        raise ReadingRefused  # a rule of single models that hangs on the others
    return tuple(_fill(block, cond, who or cond.who) for block in blocks)


def _fill(block: Block, cond: Cond, who: str) -> Block:
    changed: dict[str, Any] = {}
    cond = _of_its_side(block, cond)
    whens, others = cond.whens, cond.others
    if _is_misplaced(block, cond.voice):
        raise ReadingRefused
    if getattr(block, "who", None) == THEY and others and who not in ("all", "most"):
        raise ReadingRefused  # it may be the others who are meant
    if who and getattr(block, "who", None) in (OPEN, THEY, ITS):
        changed["who"] = who
    elif cond.who in ("all", "most") and getattr(block, "who", None) in ("unit", "model"):
        if block.who == "model" and not whens:  # type: ignore[union-attr]
            raise ReadingRefused  # a rule of single models that hangs on the others
        changed["who"] = cond.who if block.who == "unit" else block.who  # type: ignore[union-attr]
    if whens:
        block, whens = _natural(block, whens)
    if whens:
        if isinstance(block, Aura) and block.reach and cond.who:
            changed["when"] = all_of((whens, block.when))  # about its bearer
        elif hasattr(block, "when") and not isinstance(block, Aura):
            changed["when"] = all_of((whens, block.when))
        elif isinstance(block, Aura | Lend):
            changed["blocks"] = tuple(_fill(inner, replace(cond, whens=whens), "") for inner in block.blocks)
        else:
            raise ReadingRefused
    return replace(block, **changed) if changed else block


OWN_ATTACKS = (
    MoreAttacks, QualityIs, Gets, FacesGet, ExtraHits, ExtraAttacks, ExtraWounds, BlocksAgain, Backfires, Ignores,
)  # fmt: skip
ANSWERS = (
    Modifier,
    RollsAgain,
    MoreAttacks,
    QualityIs,
    Gets,
    FacesGet,
    ExtraHits,
    ExtraAttacks,
)  # of blows struck back


def _of_its_side(block: Block, cond: Cond) -> Cond:
    """A condition about a charge for the blows that a block is about: those of the bearer, or those against it.

    Whoever is charged strikes back; whoever charges is struck back at.
    """
    if not cond.whens:
        return cond
    if cond.voice == "passive" and isinstance(block, ANSWERS) and not _is_about_defence(block):
        return replace(cond, whens=tuple(map(_struck_back, cond.whens)), voice="active")
    if _is_misplaced(block, "active"):
        if cond.voice == "active" and all(when == CHARGE for when in cond.whens):
            return replace(cond, whens=(STRUCK_BACK,), voice="passive")
        if not cond.voice:
            return replace(cond, whens=tuple(map(_charged_on, cond.whens)))
    return cond


def _struck_back(when: When) -> When:
    """Being charged, as a condition for the bearer's own blows: it strikes back."""
    if not when.charging or when.attack != "melee":
        raise ReadingRefused
    return replace(when, charging=False, charged=True)


def _charged_on(when: When) -> When:
    """Enemies that charged the bearer, as those that attack it: their blows are those of a charge."""
    return replace(when, charging=True, charged=False) if when.charged else when


def _is_about_defence(block: Block) -> bool:
    """Whether a block changes attacks on the bearer, or nothing about attacks at all."""
    return not _is_misplaced(block, "passive")


def _is_misplaced(block: Block, voice: str) -> bool:
    """Whether a block of the bearer's own attacks has a condition about attacks on it, or the other way round."""
    if isinstance(block, ExtraWounds) and block.of == "enemy":
        return voice == "active"
    if isinstance(block, Modifier) and block.roll in ("hit", "block"):
        defends = (block.roll == "block") == (block.of == "own")
    elif isinstance(block, Inches | Range):
        defends = block.of == "enemy"
    elif isinstance(block, RollsAgain):
        if block.roll == "morale":
            return False
        defends = (block.roll == "block") == (block.of == "own")
    elif isinstance(block, HitsTaken | IgnoresWounds | DefenseIs | InCover):
        defends = True
    elif isinstance(block, OWN_ATTACKS):
        defends = False
    else:
        return False
    return voice == ("active" if defends else "passive")


def _natural(block: Block, whens: Whens) -> tuple[Block, Whens]:
    """A block with a condition that it has by its nature: inches on a charge, the range of shots."""
    if isinstance(block, Inches) and all(when == CHARGE for when in whens):
        if "charge" not in block.actions:
            raise ReadingRefused
        return replace(block, actions=("charge",)), ()
    if isinstance(block, Range) and all(when in (SHOOT, ATTACK) for when in whens):
        return block, ()
    return block, whens


def settle(block: Block, who: str) -> Block:
    """A block with its bearer where none was named."""
    changed: dict[str, Any] = {}
    told = getattr(block, "who", None)
    if told in (OPEN, THEY):
        changed["who"] = who
    elif told == ITS:
        changed["who"] = "unit" if who == "unit" else "model"
    for name in ("blocks", "then", "failed"):
        inner = getattr(block, name, None)
        if inner:
            deeper = who if name == "blocks" and not isinstance(block, Aura | Lend) else "unit"
            changed[name] = tuple(settle(one, deeper) for one in inner)
    if hasattr(block, "effects"):
        changed["effects"] = tuple(tuple(settle(one, who) for one in effect) for effect in block.effects)
    return replace(block, **changed) if changed else block


def open_block(kind: Any, *values: Any, **named: Any) -> Block:
    """A block whose bearer is still open."""
    block: Block = kind(*values, who=OPEN, **named)
    return block


def from_face(faces: tuple[int, int]) -> int:
    """Faces from one up to 6."""
    if faces[1] != 6:
        raise ReadingRefused
    return faces[0]


def up_to_face(faces: tuple[int, int]) -> int:
    """Faces from 1 up to one."""
    if faces[0] != 1:
        raise ReadingRefused
    return faces[1]


MOVES = ("advance", "rush", "charge")

ENEMIES = "(enemy|enemy unit|attacker|attacking enemy|attacking unit|enemy model)"

FOE = "[the|a|an|any|its] (enemy|enemy unit|target|target unit)"
