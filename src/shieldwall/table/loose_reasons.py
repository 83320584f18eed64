"""What is wrong with a walk of loose models, in words, each with its neutral key."""

from __future__ import annotations

from shieldwall.geometry.sweep import (
    BAD_STAND,
    CODE,
    ENDS_CLOSE,
    INTO_IMPASSABLE,
    LIMIT,
    OFF_TABLE,
    ON_MATE,
    SUBJECT,
    THROUGH_MATE,
    THROUGH_UNIT,
    TOO_CLOSE,
    TOO_DEEP,
    TOO_FAR,
    TOO_FAR_SLOWED,
    TOO_TALL,
    TOO_WIDE,
    VALUE,
    WHO,
)
from shieldwall.geometry.tolerance import told
from shieldwall.table.ground import stand_reasons
from shieldwall.table.reasons import TableReason
from shieldwall.table.walk_context import WalkContext


def reason_for(context: WalkContext, fault: list[float], names: list[str]) -> TableReason:
    """One fault in words."""
    code, subject = int(fault[CODE]), int(fault[SUBJECT])
    who, value, limit = names[int(fault[WHO])], fault[VALUE], fault[LIMIT]
    match code:
        case c if c in (TOO_CLOSE, THROUGH_UNIT, ENDS_CLOSE):
            return _unit_reason(context, code, who, context.scene.units[subject].name, value, limit)
        case c if c in (THROUGH_MATE, ON_MATE):
            verb = "pass over" if code == THROUGH_MATE else "end on"
            return TableReason(f"{who} would {verb} {names[subject]}", "move.mates")
        case c if c == OFF_TABLE:
            return TableReason(
                f"{who} would reach {told(value, 0.0)} inches beyond the table edge", "move.table"
            )
        case c if c == TOO_FAR:
            return TableReason(
                f"{who} would move {told(value, limit)} inches; the maximum is {limit:g}", "move.distance"
            )
        case c if c == BAD_STAND:
            return stand_reasons(context.state, int(value), subject, limit, who)[0]
        case _:
            return _ground_reason(context, code, who, subject, value, limit)


def _unit_reason(
    context: WalkContext, code: int, who: str, other: str, value: float, limit: float
) -> TableReason:
    if code == THROUGH_UNIT:
        return TableReason(f"{who} would pass over {other}", "move.through")
    if code == ENDS_CLOSE:
        text = (
            f"{who} would still be {told(value, limit)} inches from {other}; it can get {limit:g} inch away"
        )
        return TableReason(text, "move.spacing")
    if limit < context.limits.spacing:
        text = f"{who} starts {limit:.2f} inches from {other} and would come closer, to {told(value, limit)} inches"
        return TableReason(text, "move.nearer")
    text = f"{who} would come within {told(value, limit)} inches of {other}; {limit:g} inch must stay free"
    return TableReason(text, "move.spacing")


def _ground_reason(
    context: WalkContext, code: int, who: str, piece: int, value: float, limit: float
) -> TableReason:
    name = f"the {context.state.pieces[piece].name}" if piece >= 0 else "the ground"
    leap = context.limits.climb.jump_max
    if code == TOO_FAR_SLOWED:
        text = f"{who} would move {told(value, limit)} inches, but {name} is difficult, so the maximum is {limit:g}"
        return TableReason(text, "terrain.difficult")
    if code == INTO_IMPASSABLE:
        return TableReason(f"{who} would enter {name}, which is impassable", "terrain.impassable")
    if code == TOO_TALL:
        text = f"{who} would climb {value:.2f} inches onto {name}; the maximum is {limit:g}"
        return TableReason(text, "climb.height")
    if code == TOO_WIDE:
        return TableReason(
            f"{who} would cross a gap of {value:.2f} inches; the maximum is {leap:g}", "climb.gap"
        )
    if code == TOO_DEEP:
        return TableReason(f"{who} would drop {value:.2f} inches; the maximum is {leap:g}", "climb.drop")
    raise ValueError(f"fault {code} has no words")
