"""The only place that says how exact a measurement is.

Poses are rounded to a thousandth of an inch, so two bases put into contact may end half a grid step apart or
overlap by as much. Every comparison of the table therefore gives way by EPS, and no other module adds slack
of its own. "Within" includes the limit, "over" excludes it.
"""

from __future__ import annotations

EPS = 0.0005  # inches: half a step of the stored grid
AREA_EPS = 0.001  # share of a base's area: what rounding may add to or take from "partly inside"
GRID = 1000.0  # steps of the stored grid in an inch
SLACK = (
    4 * EPS
)  # two blocks put against each other keep a gap or an overlap of up to one and a half grid steps
GLANCE = 0.01  # inches by which a quick look at circles looks farther than the ruler
ROUNDOFF = 1e-9  # inches by which two ways to work out the same length may differ
CREEP = 7 * EPS  # who goes past a unit may come this much nearer than it should, but no nearer step by step


def within(distance: float, limit: float) -> bool:
    """`distance` is at most `limit`."""
    return distance <= limit + EPS


def over(distance: float, limit: float) -> bool:
    """`distance` is more than `limit`; the exact opposite of `within`."""
    return distance > limit + EPS


def closer_than(distance: float, limit: float) -> bool:
    """`distance` is less than `limit`; a base exactly at the limit is not too close."""
    return distance < limit - EPS


def touching(distance: float) -> bool:
    """Two bases are in contact."""
    return distance <= EPS


def told(distance: float, limit: float, digits: int = 2) -> str:
    """A distance that is not the limit, with as many digits as it takes not to read like it."""
    texts = [f"{distance:.{count}f}" for count in range(digits, 4)]
    return next((text for text in texts if float(text) != limit), texts[-1])
