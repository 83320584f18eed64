"""What single blocks do, in plain words: one sentence for each kind, about whoever has it.

`who` is the bearer as people say it. What stands inside a block is told by `describe`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shieldwall.core import blocks as b
from shieldwall.core.blocks import BY_VALUE, RuleRef

Told = Callable[[Any, str], str]

WHEN: dict[str, str] = {
    "": "at any time",
    "before attacking": "before attacking",
    "activated": "when activated",
    "activation": "during its activation",
    "activation end": "at the end of its activation",
    "deployed": "when deployed",
    "deployed or activated": "when deployed or activated",
    "all deployed": "after all units were deployed",
    "round begins": "at the start of a round",
    "round ends": "at the end of a round",
    "attacks": "when it attacks",
    "shoots": "when it shoots",
    "fights": "in melee",
    "charges": "when it charges",
    "moves": "when it moves",
    "crosses": "when it moves through enemies",
    "after shooting": "after shooting",
    "after melee": "after a melee",
    "after attacking": "after shooting or a melee",
    "enemy moved": "when an enemy has ended its move",
    "moved after melee": "when it draws back from a melee",
    "takes wounds": "when it takes wounds",
    "wounded in melee": "for each wound it takes in melee",
    "killed in melee": "when it is killed in melee",
    "killed": "when it is killed",
    "destroys a unit": "when it destroys a unit",
    "destroyed": "when it is destroyed",
    "shaken or destroyed": "when it is Shaken or destroyed",
    "ignores a wound": "for each wound it ignores",
}
OFTEN: dict[str, str] = {
    "": "",
    "attack": "once per attack",
    "activation": "once per activation",
    "round": "once per round",
    "game": "once per game",
}
UNTIL: dict[str, str] = {
    "": "for as long as its cause lasts",
    "once": "the next time it applies",
    "activation": "until the activation ends",
    "round": "until the round ends",
    "next activation": "until its next activation",
    "game": "until the game ends",
}


def number(value: int, signed: bool = False) -> str:
    """A number of a block; X is the one in brackets after the name of the rule."""
    if abs(value) == BY_VALUE:
        return ("-" if value < 0 else "+" if signed else "") + "X"
    return f"{value:+d}" if signed else str(value)


def rule_in_words(rule: RuleRef) -> str:
    """A rule as it is printed."""
    if not rule.value:
        return rule.name
    return f"{rule.name}({'+' if rule.plus else ''}{number(rule.value)})"


def rules_in_words(rules: tuple[RuleRef, ...]) -> str:
    """Rules behind `with`, where there are any."""
    return f" with {', '.join(map(rule_in_words, rules))}" if rules else ""


def length(reach: int) -> str:
    """A length in inches."""
    return f'{reach / 1000:g}"'


def some(many: int, die: int, what: str) -> str:
    """So many of something, or a die and so many more."""
    amount = f"D{die}" + (f"+{number(many)}" if many else "") if die else number(many)
    return f"{amount} {what}" + ("" if amount == "1" else "s")


def _high(face: int) -> str:
    return "6" if face == 6 else f"{face}-6"


def _low(face: int) -> str:
    return "1" if face == 1 else f"1-{face}"


def _extra_wounds(block: b.ExtraWounds, who: str) -> str:
    wounds = some(block.wounds, 0, "extra wound")
    if block.of == "enemy":
        return f"{who}: each natural {_low(block.face)} it rolls to block costs it {wounds}"
    if block.on == "hit":
        return f"{who}: each hit from a natural {_high(block.face)} that is not blocked deals {wounds}"
    return f"{who}: each natural {_low(block.face)} the target rolls to block deals {wounds}"


def _extra_attacks(block: b.ExtraAttacks, who: str) -> str:
    attacks = some(block.attacks, 0, "more attack")
    if block.on == "block":
        return f"{who}: each natural {_low(block.face)} the target rolls to block brings {attacks}"
    return f"{who}: each natural {_high(block.face)} to hit brings {attacks}, once"


def _rolls_again(block: b.RollsAgain, who: str) -> str:
    what = {"hit": "hits", "block": "blocks", "morale": "morale tests"}[block.roll]
    if block.succeeded:
        return f"enemies: roll {what} of {block.face} or more again against {who}"
    low = "" if block.face == 6 else f" of natural {_low(block.face)}"
    return f"{who}: rolls failed {what}{low} again"


def _more_attacks(block: b.MoreAttacks, who: str) -> str:
    if block.doubled:
        return f"{who}: has twice as many attacks"
    what = "attack" if block.attacks == 1 else "attacks"
    return f"{who}: {number(block.attacks, True)} {what}" + (" with each weapon" if block.each else "")


def _no_retreat(block: b.NoRetreat, who: str) -> str:
    if block.face:
        return f"{who}: passes failed morale tests, and each wound it has left is lost on a roll of {_low(block.face)}"
    return f"{who}: passes failed morale tests and takes {some(block.wounds, block.die, 'wound')}"


def _dice(block: b.HitDice, who: str) -> str:
    what = "wound" if block.wounds else "hit"
    dealt = some(block.hits or block.wounds, block.die, what) + rules_in_words(block.rules)
    often = f"{OFTEN[block.often]}, " if block.often else ""
    sight = " in line of sight" if block.sight else ""
    near = f" within {length(block.reach)}{sight}" if block.reach else ""
    whom = (
        f" to {'an enemy' if block.reach else 'one of them' if block.at == 'crosses' else 'the enemy'}{near}"
    )
    if not block.need:
        return f"{who}: {often}{WHEN[block.at]}, deals {dealt}{whom}"
    dice = "one die for each model with this rule" if block.per_model and not block.dice else ""
    dice = dice or ("one die" if block.dice == 1 else f"{number(block.dice)} dice")
    for_each = ", for each model," if block.per_model and block.dice else ""
    each = "each " if dice != "one die" else ""
    own = ", one of its own for each" if block.each else ""
    result = f"{each}{number(block.need)}+ deals {dealt}{whom}{own}"
    return f"{who}: {often}{WHEN[block.at]}, rolls {dice}{for_each}; {result}"


def _may_move(block: b.MayMove, who: str) -> str:
    often = f", {OFTEN[block.often]}" if block.often else ""
    near = f" within {length(block.near)}" if block.near else ""
    return f"{who}: may move up to {length(block.reach)} {WHEN[block.at]}{near}{often}"


def _may_place(block: b.MayPlace, who: str) -> str:
    often = f", {OFTEN[block.often]}" if block.often else ""
    far = f"D{block.die}" + (f"+{block.reach / 1000:g}" if block.reach else "") + '"'
    return f"{who}: may be placed within {far if block.die else length(block.reach)} {WHEN[block.at]}{often}"


def _grows(block: b.Grows, who: str) -> str:
    first = ", but not in the round in which it was deployed" if block.after_first else ""
    most = f", up to {block.most} of them" if block.most else ""
    lost = ", until it is Shaken" if block.lost_when_shaken else ""
    return f"{who}: gets a marker {WHEN[block.at]}{first}; for each{most}{lost}:"


def _rolled(block: b.RolledEffect, who: str) -> str:
    until = f", {UNTIL[block.until]}" if block.until else ""
    may = "may roll" if block.optional else "rolls"
    return f"{who}: {WHEN[block.at]}, {may} one die for one of these{until}:"


def _feat(block: b.Feat, who: str) -> str:
    once = OFTEN[block.often] or "always"
    return f"{who}: {once}, {WHEN[block.at]}, may use:"


def _crosses(block: b.Crosses, who: str) -> str:
    told = [("friends", block.friends), ("enemies", block.enemies), ("terrain", block.terrain)]
    return f"{who}: may move through {' and '.join(name for name, is_so in told if is_so)}"


def _markers(block: b.PutMarkers, who: str) -> str:
    use = "that friends remove when they attack it" if block.spent else "on it when they attack it"
    return f"each gets {some(block.count, 0, 'marker')}; friends have for each of them {use}:"


def _test(block: b.TakeTest, who: str) -> str:
    test = "a morale test" if block.test == "morale" else "a dangerous terrain test"
    roll = f" with {number(block.amount, True)}" if block.amount else ""
    return f"each takes {test}{roll}" + ("; if it fails:" if block.failed else "")


def _hides(block: b.Hides, who: str) -> str:
    begins = "when it comes out of ambush, it may come" if block.closer else "may lie in ambush and come out"
    return f"{begins} up to {length(block.reach)} from enemies"


TOLD: dict[type[Any], Told] = {
    b.FacesGet: lambda block, who: (
        f"{who}: hits from natural {_high(block.face)} have {rule_in_words(block.rule)}"
    ),
    b.ExtraHits: lambda block, who: (
        f"{who}: each natural {_high(block.face)} to hit deals {some(block.hits, 0, 'extra hit')}"
    ),
    b.ExtraAttacks: _extra_attacks,
    b.ExtraWounds: _extra_wounds,
    b.BlocksAgain: lambda block, who: f"{who}: the target rolls blocks of natural {_high(block.face)} again",
    b.HitsTaken: lambda block, who: f"{who}: hits on it have AP({number(block.piercing, True)})",
    b.RollsAgain: _rolls_again,
    b.MoreAttacks: _more_attacks,
    b.NoRetreat: _no_retreat,
    b.QualityIs: lambda block, who: f"{who}: attacks with Quality {number(block.quality)}+",
    b.DefenseIs: lambda block, who: f"{who}: counts as having Defense {number(block.defense)}+",
    b.InCover: lambda block, who: f"{who}: counts as being in cover",
    b.StrikeOrder: lambda block, who: f"{who}: strikes {'first' if block.first else 'last'}",
    b.PassesTests: lambda block, who: f"{who}: passes morale tests",
    b.Rescued: lambda block, who: f"{who}: a failed morale test counts as passed on {number(block.on)}+",
    b.Untiring: lambda block, who: f"{who}: is never fatigued by fighting",
    b.ShootsAfter: lambda block, who: f"{who}: may shoot after a {block.action.capitalize()}",
    b.Crosses: _crosses,
    b.Backfires: lambda block, who: (
        f"{who}: each natural {_low(block.face)} to hit costs its own unit {some(block.wounds, 0, 'wound')}"
    ),
    b.ChargeHits: lambda block, who: f"{who}: its Impact hits have {rule_in_words(block.rule)}",
    b.PickedEffect: lambda block, who: f"{who}: {WHEN[block.at]}, picks one of these {UNTIL[block.until]}:",
    b.RolledEffect: _rolled,
    b.Feat: _feat,
    b.Grows: _grows,
    b.TakeTest: _test,
    b.InTerrain: lambda block, who: f"counts as being in {block.terrain} terrain",
    b.BeFatigued: lambda block, who: f"becomes {block.state.capitalize()}",
    b.Rally: lambda block, who: "is no longer Shaken",
    b.MoveThem: lambda block, who: (
        f"may be moved up to {length(block.reach)}{' in a straight line' if block.straight else ''}"
    ),
    b.Heal: lambda block, who: f"recovers {some(block.wounds, block.die, 'wound')}",
    b.PutMarkers: _markers,
    b.HitDice: _dice,
    b.MayMove: _may_move,
    b.MayPlace: _may_place,
    b.Consolidates: lambda block, who: (
        f"{who}: may move up to {length(block.reach)} when it has won a melee and the enemy is gone"
    ),
    b.KeepsAway: lambda block, who: f"enemies using Ambush are set up over {length(block.reach)} away",
    b.Hides: _hides,
    b.Redeploys: lambda block, who: (
        f"after deployment, up to {block.count} friendly units may be deployed again"
    ),
    b.Recovers: lambda block, who: (
        f"{who}: if Shaken at the start of a round, it recovers on {number(block.on)}+"
    ),
    b.Tokens: lambda block, who: (
        f"gets {some(block.count, 0, 'spell token')} each round, at most {block.most}, which friendly casters"
        f" within {length(block.reach)} may spend"
    ),
    b.Conduit: lambda block, who: (
        f"friendly casters within {length(block.reach)} may cast from here"
        + (f", with {number(block.amount, True)} to the roll" if block.amount else "")
    ),
    b.PrecisionStrike: lambda block, who: (
        f"{OFTEN[block.often]}, may strike one picked model in melee with {some(block.attacks, 0, 'attack')} at Quality"
        f" {block.quality}+{rules_in_words(block.rules)}"
    ),
    b.Avenged: lambda block, who: (
        "when destroyed, its destroyer gets a marker for each model it began with; friends have against it, for each:"
    ),
    b.LongerReach: lambda block, who: (
        f"may be picked as if within {length(block.instead_of)} while within {length(block.reach)} of another unit with"
        " this rule"
    ),
    b.Restores: lambda block, who: (
        f"{who}: when activated, each lost model or wound comes back on {number(block.on)}+"
    ),
    b.CasterGroup: lambda block, who: (
        "one model of the unit is Caster(X), where X is the number of its models with this rule; the tokens it has not"
        " spent are lost when the round ends"
    ),
    b.ListRule: lambda block, who: f"at most {block.most} in an army; nothing in play",
}
