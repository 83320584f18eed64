"""Which models are lost first by default: those of the profile that most models had at the start."""

from __future__ import annotations

from shieldwall.core import events as ev
from shieldwall.core.state import Base, Model, Profile, State, Unit, ordinary_profile
from shieldwall.rules.losses import victims

BASE = Base("round", 25, 25)
PLAIN, SPECIAL = 0, 1


def test_special_weapons_are_kept_though_they_outnumber_the_rest() -> None:
    """A2-WOUND-01: three special models of ten are still given up last when two others are left."""
    models = tuple(Model(at, SPECIAL if at < 3 else PLAIN) for at in range(10))
    unit = Unit(0, 0, 0, "Bows", models, width=5, start_models=10, place="table")
    profiles = tuple(Profile(name, 4, 4, BASE, 1000) for name in ("Bow", "Banner"))
    state = State("test", (), 48000, 48000, profiles, (), (), (unit,))
    for lost in ((9, 8, 7), (6, 5)):
        state = ev.Removed(unit=0, models=lost, cause="wounds", cite="X").apply(state)
    left = state.units[0]
    assert [model.profile for model in left.models].count(SPECIAL) > 2
    assert ordinary_profile(left) == PLAIN
    assert [model.id for model in victims(state, left, -1)] == [4, 3, 2, 1, 0]
