"""A battle to begin with: two armies of our own on a generated table, the same for the same seed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import yaml
from msgspec.structs import replace

from shieldwall.armies.muster import Army, fresh_state
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.state import State
from shieldwall.rulebook.catalogue import PREFIX_BY_EDITION
from shieldwall.rulebook.house_rules import Setting
from shieldwall.table.generator import generate_table
from shieldwall.table.layout import LayoutAdvice
from shieldwall.table.numbers import Numbers
from shieldwall.table.terrain import as_printed

DATA = Path(__file__).parent / "data"

# What a book advises about terrain where it differs from the usual (SK32-PREP-04, SK32-PREP-05,
# SK32-SETUP-20, SK32-SETUP-31, SK32-SETUP-32).
ADVICE = {
    "skirmish-3.2": LayoutAdvice(
        min_hard_by_consent=True,
        min_standard=15,
        min_advised=20,
        generate=20,
        coverage=(1, 2),
        gap_max=6.0,
        gap_large=3.0,
        gap_large_between="all",
    ),
}


class NoDemoError(ShieldwallError):
    """An edition for which no demonstration armies are written yet."""


def demo_setup(
    edition: str,
    seed: int,
    *,
    mirror: bool = False,
    options: dict[str, Setting] | None = None,
) -> State:
    """A game about to begin between two of our own armies; `mirror` gives both sides the first one.

    The seed makes the table and nothing else: dice and choices belong to whoever plays.
    """
    from shieldwall.editions import ruleset

    rules = ruleset(edition)
    first, second = demo_armies(edition)
    armies = (first, replace(first, name=f"{first.name} again")) if mirror else (first, second)
    width, depth = rules.constants.table
    made = generate_table(width, depth, ADVICE.get(edition, LayoutAdvice()), Numbers(seed))
    pieces = as_printed(made, rules.policies.terrain_presets())
    return fresh_state(rules, width, depth, pieces, armies, options=options)


@cache
def demo_armies(edition: str) -> tuple[Army, Army]:
    """The two demonstration lists of an edition."""
    path = DATA / f"demo-{edition}.yaml"
    if edition not in PREFIX_BY_EDITION or not path.exists():
        there = ", ".join(sorted(file.stem.removeprefix("demo-") for file in DATA.glob("demo-*.yaml")))
        raise NoDemoError(f"there are no demonstration armies for {edition!r}; there are for {there}")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    first, second = msgspec.convert(yaml.load(path.read_bytes(), Loader=loader), tuple[Army, Army])
    return first, second
