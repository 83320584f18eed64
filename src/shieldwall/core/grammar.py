"""Sentences about units: verbs that agree with the name in front of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from shieldwall.core.state import MILLI, State, Unit

_NUMBER = re.compile(r"\s+(\d+|[IVX]+|\(.*\))$")  # what tells units of one name apart: "Wolves 2"
_AFTER_HEAD = re.compile(r"\s+(?:of|with|on|in|from|the)\s+", re.IGNORECASE)  # "Children of the Sap"
_MANY = frozenset({"men", "women", "folk", "people", "children", "mice", "oxen", "geese", "cattle", "dead"})
_MANY_ENDINGS = ("men", "folk")
_ONE_ENDINGS = ("ss", "us", "is", "ops")  # Colossus, Empress, Cyclops
_IRREGULAR = {"have": "has", "are": "is", "were": "was", "do": "does", "go": "goes"}
_HISSING = ("s", "sh", "ch", "x", "z")


def is_many(name: str) -> bool:
    """Whether a name is a plural: "Stone Golems", but not "Slag Troll". The name decides, not how many are left."""
    words = _AFTER_HEAD.split(_NUMBER.sub("", name.strip()))[0].split()
    head = words[-1].lower() if words else ""
    if head in _MANY or head.endswith(_MANY_ENDINGS):
        return True
    return head.endswith("s") and not head.endswith(_ONE_ENDINGS) and "'" not in head


@lru_cache(4096)  # bots put every idea into words
def does(name: str, verb: str, models: int = 2) -> str:
    """A name with its verb, given in the plural: `does("Slag Troll", "rush")` is "Slag Troll rushes".

    A single model takes the singular, whatever its name: "Bram Bellows rushes".
    """
    many = models != 1 and is_many(name)
    first, space, more = verb.partition(" and ")
    words = [one if many else _for_one(one) for one in (first, more) if one]
    return f"{name} {space.join(words)}"


def unit_does(unit: Unit, verb: str) -> str:
    """A unit with its verb."""
    return does(unit.name, verb, unit.start_models or len(unit.models))


def counted(count: int, one: str, many: str = "") -> str:
    """A number of things: "1 wolf", "2 wolves"; `many` is the plural where adding an s does not make it."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def inch_words(length: float) -> str:
    """A length in thousandths as players read it, to the tenth of an inch."""
    return f"{round(length / MILLI, 1):g}″"


def models_named(state: State, ids: Iterable[int]) -> str:
    """Models as players refer to them: "model 2 of Pikes and model 1 of Wolves"; a lost one by its id."""
    places = {
        model.id: f"model {number} of {unit.name}"
        for unit in state.units
        for number, model in enumerate(unit.models, start=1)
    }
    return " and ".join(places.get(model, f"model {model} (not in play)") for model in ids)


def _for_one(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith(_HISSING):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}s"
