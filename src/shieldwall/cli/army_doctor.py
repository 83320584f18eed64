"""`shieldwall army check --against`: the odds of a list's units against typical targets, on one page.

Every number comes from the exact odds. Only attacks are considered: one activation of each unit, shooting from half
its range (12 inches at most) or charging the front, with the target striking back.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import typer
from msgspec.structs import replace

from shieldwall.armies.book import Book
from shieldwall.armies.factions import NoArmyError
from shieldwall.armies.finding import find_army
from shieldwall.armies.lists import ArmyList
from shieldwall.armies.muster import MusteredArmy, fresh_state
from shieldwall.armies.overlay import BookOverlay, overlays
from shieldwall.armies.parse import describe_rule, describe_weapon
from shieldwall.armies.recruit import books_of, troops_of
from shieldwall.armies.troops import Soldier, Troop
from shieldwall.core.errors import MalformedError, ShieldwallError
from shieldwall.core.grammar import does
from shieldwall.core.state import MILLI, RuleRef, Weapon
from shieldwall.editions import ruleset
from shieldwall.odds import Budget, briefly
from shieldwall.odds.duel import Terms, duel_of_troop
from shieldwall.odds.shorthand import Shorthand, read_shorthand
from shieldwall.rules.bindings import Specials
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.steps.activation import allowed_actions

Page = dict[str, Any]
BUDGET = Budget(states=4000, samples=600)
FARTHEST = 12.0
TARGETS_MOST = 6
# Fields of targets: a name, models as ranked games count them, Quality, Defense, attacks and rules.
FIELDS: Mapping[str, tuple[tuple[str, int, int, int, str], ...]] = {
    "typical": (
        ("militia", 10, 5, 5, "A1"),
        ("line", 10, 4, 4, "A1"),
        ("knights", 5, 3, 3, "A2 AP(1)"),
        ("monster", 1, 3, 3, "A6 AP(2) Tough(9)"),
    ),
    "infantry": (("militia", 10, 5, 5, "A1"), ("line", 10, 4, 4, "A1"), ("guard", 10, 3, 3, "A1")),
    "heavy": (("knights", 5, 3, 3, "A2 AP(1)"), ("ogres", 3, 4, 4, "A3 AP(1) Tough(3)")),
    "monsters": (("beast", 1, 4, 4, "A4 AP(1) Tough(6)"), ("monster", 1, 3, 3, "A6 AP(2) Tough(9)")),
}


def doctor_page(army: ArmyList, books: Sequence[Book], field: str) -> Page:
    """The expected result of one activation of each unit against each target of a field, or of another list."""
    rules = ruleset(army.edition)
    targets = _targets(rules, field)
    units = []
    stderr = typer.get_text_stream("stderr")
    troops = troops_of(army, books_of(army, books))
    with typer.progressbar(troops, label="odds", file=stderr, hidden=not stderr.isatty()) as steps:
        for troop in steps:
            known = _playable(troop, rules.specials)
            units.append(_unit_page(rules, known, targets))
    lines = [{"name": name, "line": line.words} for name, line in targets]
    return {"field": field, "targets": lines, "units": units}


def _targets(rules: Ruleset, field: str) -> list[tuple[str, Shorthand]]:
    """The targets by name: those of a field, or the units of a list."""
    if field in FIELDS:
        overlay = overlays()[rules.like]
        lines = [(name, _line(overlay, *numbers)) for name, *numbers in FIELDS[field]]  # type: ignore[arg-type]
        return [(name, read_shorthand(line, rules.specials)) for name, line in lines]
    try:
        found = find_army(field, edition=rules.id)
    except NoArmyError as error:
        known = ", ".join(FIELDS)
        raise ShieldwallError(
            f"{field!r} is neither a field of targets ({known}) nor a list: {error}"
        ) from error
    if found.army is None:
        raise ShieldwallError(
            f"{field} is an army book; targets come from a list or from {', '.join(FIELDS)}"
        )
    troops = troops_of(found.army, books_of(found.army, found.books))
    shorts = {troop.name: _short(_playable(troop, rules.specials)) for troop in troops}
    return list(shorts.items())[:TARGETS_MOST]


def _short(troop: Troop) -> Shorthand:
    """A unit of a list as a target, with its ordinary models only."""
    plain = troop.soldiers[-1]
    return Shorthand(
        troop.name,
        len(troop.soldiers),
        plain.quality,
        plain.defense,
        tuple(map(describe_weapon, plain.weapons)),
        tuple(map(describe_rule, plain.rules)),
    )


def _line(overlay: BookOverlay, size: int, quality: int, defense: int, rest: str) -> str:
    models = overlay.sizes.get(size, size)
    tough = rest.replace("Tough(9)", "Tough(4)") if overlay.scale < 1 else rest
    return f"{models}x Q{quality} D{overlay.defense(defense)} {tough}"


def _unit_page(rules: Ruleset, troop: Troop, targets: Sequence[tuple[str, Shorthand]]) -> Page:
    weapons = {weapon for soldier in troop.soldiers for weapon in soldier.weapons}
    ways = [("shoots", False)] if any(weapon.reach for weapon in weapons) else []
    strikes = any(not weapon.reach for weapon in weapons) and _may_charge(rules, troop)
    ways += [("charges", True)] if strikes else []
    page: Page = {"name": troop.name, "cost": troop.cost, "models": len(troop.soldiers), "ways": []}
    for word, charging in ways:
        found = [_against(rules, troop, line, charging) for _, line in targets]
        page["ways"].append({"how": word, "against": found})
    return page


def _may_charge(rules: Ruleset, troop: Troop) -> bool:
    """Whether no rule of its models prevents a charge."""
    state = fresh_state(rules, *rules.constants.table, (), [MusteredArmy(troop.name, (troop,))])
    return "charge" in allowed_actions(rules, state, state.units[0])


def _against(rules: Ruleset, troop: Troop, line: Shorthand, charging: bool) -> Page:
    reach = max((weapon.reach for soldier in troop.soldiers for weapon in soldier.weapons), default=0)
    terms = Terms(charging=charging, range=0 if charging else min(FARTHEST, reach / MILLI / 2))
    try:
        odds = duel_of_troop(rules, troop, line, terms).odds(BUDGET)
    except MalformedError as error:
        return {"problem": error.problems[0]}
    target, attacker = briefly(odds, 1).own, briefly(odds, 0).own
    return {
        "wounds": round(target.wounds, 2),
        "low": target.low,
        "high": target.high,
        "destroyed": round(target.destroyed, 3),
        "shaken": round(target.breaks, 3),
        "own_losses": round(attacker.lost, 2),
        "exact": target.exact,
    }


def _playable(troop: Troop, specials: Specials) -> Troop:
    """The unit without rules that the edition does not play, which the odds cannot handle."""
    soldiers = tuple(_known(soldier, specials) for soldier in troop.soldiers)
    return replace(troop, soldiers=soldiers, hero=_known(troop.hero, specials) if troop.hero else None)


def _known(soldier: Soldier, specials: Specials) -> Soldier:
    weapons = tuple(
        Weapon(weapon.name, weapon.attacks, weapon.reach, _kept(weapon.rules, specials))
        for weapon in soldier.weapons
    )
    return replace(soldier, rules=_kept(soldier.rules, specials), weapons=weapons)


def _kept(rules: tuple[RuleRef, ...], specials: Specials) -> tuple[RuleRef, ...]:
    return tuple(rule for rule in rules if specials.knows(rule.name))


def print_doctor(page: Page) -> None:
    """The page as text: a line for each way a unit attacks, a column for each target."""
    typer.echo("\nExpected wounds in one activation, with the chances to destroy and to shake the target")
    heads = [target["name"][:16] for target in page["targets"]]
    typer.echo(f"{'':34}{''.join(f'{head:>18}' for head in heads)}{'own losses':>12}")
    for unit in page["units"]:
        for way in unit["ways"]:
            name = _does(unit["name"][:24], way["how"], unit["models"])
            cells = "".join(f"{_cell(one):>18}" for one in way["against"])
            losses = [one["own_losses"] for one in way["against"] if "own_losses" in one]
            own = f"{max(losses):.1f}" if losses and way["how"] == "charges" else "-"
            typer.echo(f"{name:34}{cells}{own:>12}")
    for place, target in enumerate(page["targets"]):
        typer.echo(f"  {target['name']}: {target['line']}; {_best(page['units'], place)}")
    typer.echo(
        "  own losses: mean models lost to the most dangerous target striking back; ~ marks sampled odds"
    )


def _best(units: Sequence[Page], place: int) -> str:
    """The unit with the most wounds per point against one target."""
    found = [
        (100 * one["wounds"] / unit["cost"], _does(unit["name"], way["how"], unit["models"]))
        for unit in units
        for way in unit["ways"]
        if "wounds" in (one := way["against"][place]) and unit["cost"]
    ]
    if not found:
        return "no unit here can attack it"
    worth, attack = max(found)
    return f"best value: {attack} ({worth:.1f} wounds for 100 points)"


def _does(name: str, how: str, models: int) -> str:
    """A unit with its attack: "Wolves charge", "Ogre charges"."""
    return does(name, how.removesuffix("s"), models)


def _cell(one: Page) -> str:
    if "problem" in one:
        return "?"
    about = "" if one["exact"] else "~"
    return f"{about}{one['wounds']:.1f} ({one['destroyed']:.0%}, {one['shaken']:.0%})"
