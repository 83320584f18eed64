"""The special rules an edition knows: printed names, the classes that play them, and how printed rules add up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shieldwall.core.state import RuleRef
from shieldwall.rules.army.building import boosts_in, ignored_names, rules_of, with_granted
from shieldwall.rules.army.improving import improve
from shieldwall.rules.hooks import SpecialRule


class Binding:
    """A printed name bound to the class that plays it in an edition, and the row it cites."""

    __slots__ = ("cite", "rule")

    def __init__(self, rule: type[SpecialRule], cite: str) -> None:
        self.rule = rule
        self.cite = cite


class Specials:
    """The special rules an edition knows, by printed name.

    `high_defense` means that a high Defense is better, because the attacker rolls against it.
    """

    def __init__(self, bindings: Mapping[str, Binding], *, high_defense: bool = False) -> None:
        self.bindings = dict(bindings)
        self.high_defense = high_defense

    def without(self, name: str) -> Specials:
        """The same rules without one; used to show that the rule matters."""
        kept = {key: value for key, value in self.bindings.items() if key != name}
        return Specials(kept, high_defense=self.high_defense)

    def best_defense(self, values: Iterable[int]) -> int:
        """The best of several Defenses."""
        return max(values) if self.high_defense else min(values)

    def knows(self, name: str) -> bool:
        """Whether the edition plays a rule of this name."""
        return name in self.bindings

    def of_kind(self, kind: str) -> tuple[RuleRef, ...]:
        """Rules that every model of a kind has, printed or not."""
        return tuple(
            RuleRef(name) for name, binding in sorted(self.bindings.items()) if kind in binding.rule.of_kinds
        )

    def build(self, refs: Iterable[RuleRef]) -> tuple[SpecialRule, ...]:
        """Rule objects for printed rules: equal names count once, values of (X) rules and those with a plus add up.

        Rules that come with others are added, and rules that cancel each other are left out. Rules with text from an
        army book are played by that text.
        """
        values: dict[
            str, list[int]
        ] = {}  # the highest of the values that do not add up, and the sum of those that do
        below: dict[str, int] = {}  # penalties of rules whose bonuses do not offset them
        plain: set[str] = set()
        every = self._granted(refs)
        read = [ref for ref in every if ref.blocks is not None]
        for ref in every:
            if ref.blocks is not None or ref.name not in self.bindings:
                continue
            adds = ref.plus or (ref.value and self.bindings[ref.name].rule.stacks)
            plain |= set() if ref.plus else {ref.name}
            if ref.value < 0 and self.bindings[ref.name].rule.signs_apart:
                below[ref.name] = below.get(ref.name, 0) + ref.value
                continue
            found = values.setdefault(ref.name, [0, 0])
            found[0], found[1] = (
                (found[0], found[1] + ref.value) if adds else (max(found[0], ref.value), found[1])
            )
        for name in [name for name in values if self.bindings[name].rule.cancels in values]:
            values.pop(self.bindings[name].rule.cancels, None)
            values.pop(name, None)
        sums = sorted([*((name, sum(found)) for name, found in values.items()), *below.items()])
        rules = [self._bound(name, value, name not in plain) for name, value in sums]
        if read:
            improve(rules, boosts_in(read))
        return tuple(rules + rules_of(read, self.build) if read else rules)

    def _bound(self, name: str, value: int, adds: bool) -> SpecialRule:
        """A rule object; `adds` where its value comes on top of the same rule from elsewhere."""
        rule = self.bindings[name].rule(name, value, self.bindings[name].cite)
        rule.adds = rule.adds or adds
        return rule

    def _granted(self, refs: Iterable[RuleRef]) -> list[RuleRef]:
        """The printed rules with those that come with them."""
        found = list(refs)
        for ref in found:
            if ref.blocks is not None:
                found += [rule for rule in with_granted(ref) if rule not in found]
            elif ref.name in self.bindings:
                found += [RuleRef(name, value) for name, value in self.bindings[ref.name].rule.grants]
        ignored = ignored_names(found)
        return [ref for ref in found if ref.name not in ignored] if ignored else found
