"""The models of a unit that may shoot: how far each reaches and how it aims, by rules of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from shieldwall.core.answers import Aim
from shieldwall.core.state import State, Unit
from shieldwall.rules.hooks import Aiming
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.weapons import Bearer, aimings_of, groups_of, kinds_apart, reaches_at

Found = TypeVar("Found")


class Shots(NamedTuple):
    """Shots of an aim whose bearers have the same rules: who fires, and from whom cover is judged."""

    aim: Aim
    aiming: Aiming
    bearers: list[tuple[Bearer, int]]
    together: list[tuple[Bearer, int]]

    @property
    def picked(self) -> int:
        """The model that these shots single out; -1: none."""
        return self.aim.picked if self.aiming.picks_model else -1


class RangedWeapons:
    """The weapon groups of a unit that shoots; bearers of one group reach and aim alike unless their rules differ."""

    __slots__ = ("_aimings", "_reaches", "aiming", "groups", "rules", "state", "unit")

    def __init__(self, rules: Ruleset, state: State, unit: Unit) -> None:
        self.rules, self.state, self.unit = rules, state, unit
        self.groups = {group.key: group for group in groups_of(state, unit, ranged=True)}
        self._aimings = {
            key: aimings_of(rules.hooks, state, unit, group) for key, group in self.groups.items()
        }
        self.aiming = {key: _in_all(found) for key, found in self._aimings.items()}
        self._reaches: dict[tuple[str, int], dict[int, int]] = {}

    def reach_at(self, key: str, target: int) -> int:
        """The range of a group against a target, the longest if its bearers differ."""
        return max(self._reaches_at(key, target).values())

    def reach_of(self, key: str, target: int, profile: int) -> int:
        """The range of a group in the hands of models of a profile."""
        return _of_profile(self._reaches_at(key, target), profile)

    def aiming_by(self, key: str, profile: int) -> Aiming:
        """How models of a profile pick their targets with the weapons of a group."""
        return _of_profile(self._aimings[key], profile)

    def _reaches_at(self, key: str, target: int) -> dict[int, int]:
        known = self._reaches.get((key, target))
        if known is None:
            units = self.state.units
            known = reaches_at(self.rules, self.state, self.unit, self.groups[key], units[target])
            self._reaches[key, target] = known
        return known

    def in_kinds(self, key: str, target: int) -> list[tuple[Sequence[Bearer], bool, int]]:
        """The bearers of a group, one by one if they differ: whether they need to see, and their range."""
        group, reaches, aimings = self.groups[key], self._reaches_at(key, target), self._aimings[key]
        if len(reaches) == 1 == len(aimings):
            return [(group.bearers, self.aiming[key].needs_sight, next(iter(reaches.values())))]
        return [
            ((bearer,), _of_profile(aimings, kind).needs_sight, _of_profile(reaches, kind))
            for bearer in group.bearers
            for kind in (bearer.model.profile,)
        ]

    def shots(self, aim: Aim, firing: list[tuple[Bearer, int]]) -> tuple[Shots, ...]:
        """The shots of an aim, apart for bearers whose own rules may change how they aim or what cover does."""
        group, asked = self.groups[aim.group], ("aims", "drops_cover", "ignores_rule")
        if len(kinds_apart(self.rules.hooks, self.state, self.unit, group, *asked)) == 1:
            return (Shots(aim, self.aiming[aim.group], firing, firing),)
        kinds: dict[int, list[tuple[Bearer, int]]] = {}
        pickers: dict[bool, list[tuple[Bearer, int]]] = {}
        for pair in firing:
            profile = pair[0].model.profile
            kinds.setdefault(profile, []).append(pair)
            pickers.setdefault(self.aiming_by(aim.group, profile).picks_model, []).append(pair)
        aimed = [(self.aiming_by(aim.group, profile), bearers) for profile, bearers in kinds.items()]
        return tuple(Shots(aim, aiming, bearers, pickers[aiming.picks_model]) for aiming, bearers in aimed)


def _of_profile(found: dict[int, Found], profile: int) -> Found:
    """What was found for a profile; those that were not looked up are like the first."""
    return found[profile] if profile in found else next(iter(found.values()))


def _in_all(found: dict[int, Aiming]) -> Aiming:
    """How a group picks its targets: all that any of its bearers may do."""
    aimings = list(found.values())
    if len(aimings) == 1:
        return aimings[0]
    return replace(
        aimings[0],
        needs_sight=all(aiming.needs_sight for aiming in aimings),
        picks_model=any(aiming.picks_model for aiming in aimings),
        picks_centre=any(aiming.picks_centre for aiming in aimings),
        rank=min(aiming.rank for aiming in aimings),
    )
