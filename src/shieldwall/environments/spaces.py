"""The observation spaces of the environments."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from shieldwall.core.errors import ShieldwallError
from shieldwall.environments.observations import FLAT, HIGH, LOW, SHAPES, Observer

FORMS = ("flat", "dict")


def observation_space(form: str) -> spaces.Box | spaces.Dict:
    """The space of observations: one flat array, or a dictionary of arrays."""
    if form not in FORMS:
        raise ShieldwallError(f"observations are 'flat' or 'dict', not {form!r}")
    if form == "flat":
        return spaces.Box(LOW, HIGH, (FLAT,), np.float32)
    return spaces.Dict({name: spaces.Box(LOW, HIGH, shape, np.float32) for name, shape in SHAPES.items()})


def seen(observer: Observer, form: str) -> Any:
    """A copy of an observer's latest observation."""
    if form == "flat":
        return observer.flat.copy()
    return {name: part.copy() for name, part in observer.parts.items()}
