"""How often the program changes from file to file in one activation of Regiments 3.5: a move, shots and a morale test.

Counts calls of Python functions of this package; a crossing is a call into a file other than that of the previous call.
The activation is played once before it is counted, so that cached facts are present, as in a running game.
"""

from __future__ import annotations

import sys
from collections import Counter
from types import FrameType
from typing import Any

from shieldwall.core.answers import AnyAnswer, Faces, Leg, March, Pick
from shieldwall.core.engine import begin, submit
from shieldwall.core.pending import Roll
from shieldwall.core.state import State
from shieldwall.rules.ruleset import Ruleset
from shieldwall.scenario.build import build, started
from shieldwall.scenario.load import load_text

SCENE = """
scenario: Archers advance, shoot and break their target
edition: regiments-3.5
units:
  Archers: {side: A, models: 10, stats: Q4+ D4+, equipment: 'Bow (24", A2)', front: [36, 14]}
  Pikes: {side: A, models: 5, front: [10, 10]}
  Wolves: {side: B, models: 10, stats: Q5+ D6+, front: [36, 30], facing: 180}
  Cats: {side: B, models: 5, front: [60, 40], facing: 180}
"""
ANSWERS: dict[str, AnyAnswer] = {
    "activate": Pick("u0"),
    "action": Pick("advance"),
    "path": March((Leg("forward", 4000),)),
}
FACES = {"to_hit": (6, 6, 6, 6, 6, 6, 6, 6), "block": (), "morale": ()}  # then ones
PACKAGE = "/shieldwall/"
SHOWN = 8


class Crossings:
    """A profiler that counts calls and crossings."""

    def __init__(self) -> None:
        self.calls = 0
        self.pairs: Counter[tuple[str, str]] = Counter()
        self.files: set[str] = set()
        self._last = ""

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        """Count a call."""
        _, found, file = frame.f_code.co_filename.rpartition(PACKAGE)
        if event != "call" or not found:
            return
        self.calls += 1
        self.files.add(file)
        if self._last not in ("", file):
            self.pairs[self._last, file] += 1
        self._last = file


def run() -> None:
    """Play the activation and print what was counted."""
    (loaded,), _ = load_text(SCENE)
    built = build(loaded.scenario)
    state = begin(built.ruleset, started(loaded.scenario, built)).state
    _activation(built.ruleset, state)
    counted = Crossings()
    sys.setprofile(counted)
    try:
        _activation(built.ruleset, state)
    finally:
        sys.setprofile(None)
    total = sum(counted.pairs.values())
    print("\nOne activation of Regiments 3.5: move, shooting, morale")
    print(f"  {counted.calls} calls in {len(counted.files)} files, {total} crossings; the most frequent:")
    for (before, after), count in counted.pairs.most_common(SHOWN):
        print(f"  {count:>5}  {before} -> {after}")


def _activation(rules: Ruleset, state: State) -> None:
    """One activation, up to the question which unit acts next."""
    progress = submit(rules, state, ANSWERS["activate"])
    while progress.pending is not None:
        pending = progress.pending
        if isinstance(pending, Roll):
            faces = (*FACES.get(pending.purpose, ()), *(1,) * pending.dice)[: pending.dice]
            answer: AnyAnswer = Faces(faces)
        elif pending.kind == "activate":
            return
        else:
            answer = ANSWERS.get(pending.kind) or pending.default()
        progress = submit(rules, progress.state, answer)
