"""Why a block's march is refused, in words for the player. Keys are neutral; an edition knows the rows."""

from __future__ import annotations

from shieldwall.core.state import CENTI, MILLI, Piece, Unit
from shieldwall.geometry.arrays import Floats
from shieldwall.geometry.march import CLOSER, CONTACT, EDGE, INTO_BARRED, OVERHANG, THROUGH, TOO_CLOSE
from shieldwall.table.block_legs import LegPlan
from shieldwall.table.march_limits import MarchLimits
from shieldwall.table.reasons import TableReason
from shieldwall.table.terrain import IMPASSABLE, standing_height

WORDS = {"forward": "forward", "side": "sideways", "back": "backward", "pivot": "turn"}


def inches(amount: float) -> str:
    """A length for people: "1 inch", "0.6 inches"."""
    text = f"{amount:.3f}".rstrip("0").rstrip(".")
    text = "0" if text == "-0" else text
    return f"{text} inch" if text == "1" else f"{text} inches"


def degrees(amount: int) -> str:
    """An angle for people: "90 degrees"."""
    return f"{amount / CENTI:.2f}".rstrip("0").rstrip(".") + " degrees"


def form_reasons(unit: Unit, plan: LegPlan, limits: MarchLimits) -> list[TableReason]:
    """What is wrong with the legs themselves, wherever the unit stands."""
    reasons: list[TableReason] = []
    name, action = unit.name, limits.action
    for kind in plan.kinds:
        if kind not in limits.kinds:
            verb = "turn" if kind == "pivot" else f"go {WORDS[kind]}"
            reasons.append(TableReason(f"{name} may not {verb} in {_article(action)}", f"move.{kind}"))
    if plan.is_malformed:
        reasons.append(TableReason("forward and backward legs must not be negative", "move.malformed"))
    if len(plan.kinds) > 1 and not limits.may_mix:
        straight = [WORDS[kind] for kind in plan.kinds if kind != "pivot"]
        if len(straight) > 1:
            text = f"{name} may not mix {' and '.join(straight)} in {_article(action)}"
            reasons.append(TableReason(text, "move.mix"))
    if plan.turns:
        reasons += _turn_reasons(name, plan, limits)
    return reasons


def _turn_reasons(name: str, plan: LegPlan, limits: MarchLimits) -> list[TableReason]:
    reasons: list[TableReason] = []
    if len(plan.turns) > 1:
        reasons.append(
            TableReason(f"{name} would turn {len(plan.turns)} times; one pivot is allowed", "move.pivots")
        )
    widest = max(abs(turn) for turn in plan.turns)
    if widest > limits.pivot_limit and "pivot" in limits.kinds:
        text = f"{name} would turn {degrees(widest)}; the maximum is {degrees(limits.pivot_limit)}"
        reasons.append(TableReason(text, "move.pivot_limit"))
    if limits.pivot_or_move and len(plan.kinds) > 1:
        reasons.append(TableReason(f"{name} may either move or turn, not both", "move.pivot_or_move"))
    return reasons


def distance_reason(
    unit: Unit, straight: float, climb: float, limit: int, slowed: bool, cap: int, cite: str
) -> tuple[TableReason, ...]:
    """That the march is too long: by its legs, by climbing, or only because the ground slows it.

    `cite` is the key of the limit, which differs for moves sideways or backward.
    """
    name, used = unit.name, straight + climb
    allowed = min(limit, cap) / MILLI if slowed else limit / MILLI
    if straight > limit / MILLI + 1e-9 or not (slowed or climb):
        text = f"{name} would move {inches(straight)}; the maximum is {inches(limit / MILLI)}"
        return (TableReason(text, cite),)
    if climb and (not slowed or straight <= allowed + 1e-9):
        text = f"{name} would need {inches(used)}, {inches(climb)} of it to climb; the maximum is {inches(allowed)}"
        return (TableReason(text, "move.climb"),)
    text = f"{name} would move {inches(used)} through difficult terrain; the maximum is {inches(allowed)}"
    return (TableReason(text, "move.difficult"),)


def fault_reasons(
    unit: Unit, units: tuple[Unit, ...], pieces: tuple[Piece, ...], found: Floats, limits: MarchLimits
) -> list[TableReason]:
    """What the kernels found, in words."""
    reasons: list[TableReason] = []
    for code, who, value in found.tolist():
        other = units[int(who)].name if code in (THROUGH, TOO_CLOSE, CLOSER, CONTACT) else ""
        piece = pieces[int(who)].name if code in (INTO_BARRED, OVERHANG) else ""
        reasons.append(_fault(int(code), unit.name, other or piece, value, limits))
        reasons += _too_tall(pieces[int(who)], limits) if code == INTO_BARRED else []
    return reasons


def _too_tall(piece: Piece, limits: MarchLimits) -> list[TableReason]:
    """That nothing but its height bars the way over a piece."""
    tall = standing_height(piece)
    if IMPASSABLE in piece.types or tall <= limits.climb_max:
        return []
    text = f"{piece.name} is {inches(tall / MILLI)} tall; the maximum climb is {inches(limits.climb_max / MILLI)}"
    return [TableReason(text, "move.tall")]


def _fault(code: int, name: str, other: str, value: float, limits: MarchLimits) -> TableReason:
    if code == EDGE:
        return TableReason(f"{name} would be {inches(-value)} over the table edge", "move.edge")
    if code == THROUGH:
        return TableReason(f"{name} would move through {other}", "move.through")
    if code == TOO_CLOSE:
        return spacing_reason(name, other, value, limits)
    if code == CLOSER:
        return TableReason(
            f"{name} is already close to {other} and may move away but not closer", "move.closer"
        )
    if code == CONTACT:
        return TableReason(f"the turn would bring {name} into contact with {other}", "move.pivot_contact")
    if code == INTO_BARRED:
        return TableReason(f"{name} cannot pass or enter {other}", "move.impassable")
    return TableReason(f"{name} would end partly over {other}", "move.overhang")


def spacing_reason(name: str, other: str, gap: float, limits: MarchLimits) -> TableReason:
    """That a block would come too close to another unit."""
    free = inches(limits.spacing / MILLI)
    text = f"{name} would come within {inches(max(gap, 0.0))} of {other}; {free} must stay free"
    return TableReason(text, "move.spacing")


def _article(action: str) -> str:
    return f"{'an' if action[:1] in 'aeiou' else 'a'} {action}" if action else "this move"
