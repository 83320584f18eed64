"""Conditions that must not hold: what may be said behind `if` may be denied, too."""

from __future__ import annotations

import re

from shieldwall.rules.reading.grammar import Caught, Phrases
from shieldwall.rules.reading.meaning import Cond, negated

_IF = re.compile(r"^(?:if|\((?:if|when|while)\|[^)]*\)) ")
_IS = re.compile(r"\[?(\{who:bearer\}) is\]?(?= )")
_THERE_IS = re.compile(r"\[?there (?:is|\(is\|are\))\]? (?:\(a\|an\|[^)]*\) )")


def negations(phrases: Phrases) -> Phrases:
    """The conditions of a topic with `unless`, `is not` and `there is no`."""
    denied = Phrases()
    for phrase, patterns, build in phrases.lines:
        if phrase != "cond":
            continue
        for pattern in patterns:
            opening = _IF.match(pattern)
            if opening is None:
                continue
            rest = pattern[opening.end() :]
            ways = [f"unless {rest}"]
            if _IS.search(rest):
                ways.append(opening[0] + _IS.sub(r"\1 (is not|isn't|aren't)", rest, count=1))
            if _THERE_IS.search(rest):
                ways.append(opening[0] + _THERE_IS.sub("there (is no|isn't any|aren't any) ", rest, count=1))

            def deny(m: Caught, build: object = build) -> Cond:
                return negated(build(m))  # type: ignore[operator]

            denied.add("cond", *ways, build=deny)
    return denied
