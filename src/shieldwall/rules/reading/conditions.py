"""Phrases for whom a rule affects and under which conditions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import asdict, fields, replace

from shieldwall.core.blocks import When, Whens
from shieldwall.rules.reading.grammar import Caught, Grammar, ReadingRefused


class Cond(Struct, frozen=True):
    """A condition as read: what must hold, and of whom it spoke ("" for nobody in particular).

    `others` says that it spoke of enemies, too, whom a pronoun behind it may mean. `voice` tells whether the bearer
    does something then, or has something done to it.
    """

    whens: Whens = ()
    who: str = ""
    others: bool = False
    voice: Literal["", "active", "passive"] = ""


class Subject(Struct, frozen=True):
    """Who is spoken of: "" for a pronoun. `whens` narrows it, as `its melee weapons` does."""

    who: str = ""
    whens: Whens = ()


_PLAIN = When()
_NARROWER = {
    ("attack", "shoot"): "shoot",
    ("attack", "melee"): "melee",
    ("not spell", "attack"): "attack",
    ("not spell", "shoot"): "shoot",
    ("not spell", "melee"): "melee",
}


def both(one: When, other: When) -> When:
    """A condition where two must hold; refused where they exclude each other."""
    changed = {}
    for name, value in asdict(other).items():
        before = getattr(one, name)
        default = getattr(_PLAIN, name)
        if value in (default, before):
            continue
        changed[name] = value
        if before != default:
            narrower = _NARROWER.get((before, value)) or _NARROWER.get((value, before))
            if name != "attack" or narrower is None:
                raise ReadingRefused
            changed[name] = narrower
    return replace(one, **changed)


def all_of(conditions: Iterable[Whens]) -> Whens:
    """Several conditions of which each must hold, each with its alternatives."""
    found: Whens = ()
    for whens in conditions:
        if not whens:
            continue
        found = tuple(both(one, other) for one in found for other in whens) if found else whens
    return found


def join(conditions: Iterable[Cond]) -> Cond:
    """Several conditions as one; the first that names somebody decides whom they are about."""
    told = list(conditions)
    voices = {cond.voice for cond in told if cond.voice}
    if len(voices) > 1:
        raise ReadingRefused
    return Cond(
        all_of(cond.whens for cond in told),
        next((cond.who for cond in told if cond.who), ""),
        any(cond.others for cond in told),
        next(iter(voices), ""),
    )


SHOOT, MELEE, ATTACK = When(attack="shoot"), When(attack="melee"), When(attack="attack")
CHARGE = When(attack="melee", charging=True)

WHENS = frozenset(field.name for field in fields(When))


def _distance(whens: Whens, far: Whens) -> Whens:
    return all_of((whens, far))


def add_subjects(grammar: Grammar) -> None:
    """Phrases for bearers of a rule, and for units by how many of their models have it."""
    one = {
        "this model": "model",
        "(the bearer|its bearer|the model with this rule|a model with this rule)": "model",
        "[all] models with this rule [in (it|this unit|the unit|their unit)]": "model",
        "this weapon": "weapon",
        "[a|the] weapon with this rule": "weapon",
        "(this unit|this model's unit|its unit|the unit|the unit's|this unit's|the bearer's unit)": "unit",
        "[a|the|any] unit where all [its|of its|the|their|of their] models have this rule": "all",
        "[a|the|any] unit where most [its|of its|the|their|of their] models have this rule": "most",
        "[a|the|any] unit (whose models all have|all of whose models have) this rule": "all",
        "[a|the|any] unit (whose models mostly have|most of whose models have) this rule": "most",
        "[a|the|any] unit with this rule": "unit",
    }
    grammar.same("named", one)
    grammar.same("bearer", one | {"(it|they|them|its|their)": ""})
    grammar.same("subject", {pattern: Subject(who) for pattern, who in one.items()})
    grammar.same("subject", {"it": Subject(), "they": Subject("they")})
    weapons = "(this model's|its|their|all their|all its|the bearer's|all of its|all of their|the)"
    grammar.same(
        "subject",
        {
            f"{weapons} weapons": Subject("model"),
            f"{weapons} melee weapons": Subject("model", (MELEE,)),
            f"{weapons} (ranged|shooting) weapons": Subject("model", (SHOOT,)),
            "(this model|it) and (its|this) weapons": Subject("model"),
        },
    )


def add_targets(grammar: Grammar) -> None:
    """Phrases for what an attack is made against."""
    add = grammar.add
    add(
        "band",
        "Tough \\( {low:num} \\) (or|and) (higher|more|above|better)",
        build=lambda m: When(target_wounds=(m["low"], 0)),
    )
    add(
        "band",
        "Tough \\( {low:num} \\) (to|through) Tough \\( {high:num} \\)",
        build=lambda m: When(target_wounds=(m["low"], m["high"])),
    )
    add("band", "Tough \\( {low:num} \\) or (lower|less)", build=lambda m: When(target_wounds=(1, m["low"])))
    add(
        "band",
        "Defense {low:need} to [Defense] {high:need}",
        build=lambda m: When(target_defense=(m["low"], m["high"])),
    )
    add(
        "band",
        "[a] Defense [of] {low:need} or (better|lower)",
        build=lambda m: When(target_defense=(2, m["low"])),
    )
    add(
        "band",
        "[a] Defense [of] {low:need} or (worse|higher)",
        build=lambda m: When(target_defense=(m["low"], 6)),
    )
    add("band", "[a] Defense [of] {low:need}", build=lambda m: When(target_defense=(m["low"], m["low"])))
    add("band", "{rule:rulename}", build=lambda m: When(target_rule=m["rule"]))
    enemy = "[a|an] [enemy] (unit|enemy|model|target)"
    add("target", f"{enemy} where most [of its|of their] models have {{band}}", build=lambda m: m["band"])
    add(
        "target",
        f"{enemy} where all [of its|of their] models have {{band}}",
        build=lambda m: replace(m["band"], target_count="all"),
    )
    add("target", f"{enemy} with {{band}}", build=lambda m: m["band"])
    add(
        "target",
        "non-hero [enemy] (unit|model|enemy) with {band}",
        build=lambda m: replace(m["band"], target_without="Hero"),
    )
    add("target", "[an] [enemy] (hero|heroes|heroe)", build=lambda m: When(target_rule="Hero"))
    add("target", "non-hero [enemy] (unit|model)", build=lambda m: When(target_without="Hero"))
    add("target", "[a] shaken [enemy] (unit|enemy|model|target)", build=lambda m: When(target_shaken=True))
    add(
        "target", "[a] fatigued [enemy] (unit|enemy|model|target)", build=lambda m: When(target_fatigued=True)
    )
    add("target", "[an] enemy (unit|model) that (is|are) shaken", build=lambda m: When(target_shaken=True))
    add(
        "target", "[an] enemy (unit|model) that (is|are) fatigued", build=lambda m: When(target_fatigued=True)
    )
    add("target", "{plain:anyenemy} {far}", build=lambda m: all_of(((When(),), m["far"]))[0])
    grammar.same(
        "anyenemy",
        {"(an enemy|enemy|an enemy unit|enemy unit|target|unit|the target|model|enemy model)": None},
    )
    grammar.add("far", "[that (is|are)] [from] over {d:inch} [away]", build=lambda m: (When(over=m["d"]),))
    grammar.add(
        "far",
        "[that (is|are)] [from] (more|farther) than {d:inch} [away]",
        build=lambda m: (When(over=m["d"]),),
    )
    grammar.add(
        "far",
        "[that (is|are)] [from] (beyond|outside of) {d:inch} [away]",
        build=lambda m: (When(over=m["d"]),),
    )
    grammar.add(
        "far", "[that (is|are)] [from] within {d:inch} [away]", build=lambda m: (When(within=m["d"]),)
    )
    grammar.add("far", "[that (is|are)] [from] up to {d:inch} away", build=lambda m: (When(within=m["d"]),))


def add_conditions(grammar: Grammar) -> None:
    """Phrases for conditions: `cond` stands before or behind what it governs."""
    add_subjects(grammar)
    add_targets(grammar)
    add = grammar.add
    _add_deeds(grammar)
    add("cond", "(when|while|if) {deed}", build=lambda m: m["deed"])
    add("cond", "(when|while|if) {deed} [,] or [(when|while|if)] {more:deed}", build=_either)
    add("cond", "(in|during|for) melee", build=lambda m: Cond((MELEE,)))
    add("cond", "(at|for) shooting", build=lambda m: Cond((SHOOT,)))
    add("cond", "(on|during) (a|the) charge", build=lambda m: Cond((CHARGE,), voice="active"))
    add("cond", "on charges", build=lambda m: Cond((CHARGE,), voice="active"))
    add("cond", "after charging", build=lambda m: Cond((CHARGE,), voice="active"))
    add("cond", "against {target}", build=lambda m: Cond((m["target"],), "", True))
    add("cond", "against hits [that are] not from spells", build=lambda m: Cond((When(attack="not spell"),)))
    add("cond", "against (hits from spells|spells|spell hits)", build=lambda m: Cond((When(attack="spell"),)))
    add("cond", "against (shooting|shooting attack|ranged attack|shot)", build=lambda m: Cond((SHOOT,)))
    add("cond", "against (melee attack|melee|blow)", build=lambda m: Cond((MELEE,)))
    add("cond", "against charges", build=lambda m: Cond((CHARGE,), voice="passive"))
    add(
        "cond",
        "unless [it is|they are|this model is] fatigued",
        build=lambda m: Cond((When(fatigued=False),)),
    )
    add("cond", "unless [it is|they are|this model is] shaken", build=lambda m: Cond((When(shaken=False),)))
    add(
        "cond",
        "(if|when|while|as long as) {who:bearer} (is|are) fatigued",
        build=lambda m: Cond((When(fatigued=True),), m["who"]),
    )
    add(
        "cond",
        "(if|when|while|as long as) {who:bearer} (is|are) shaken",
        build=lambda m: Cond((When(shaken=True),), m["who"]),
    )
    add("cond", "(while|when) fatigued", build=lambda m: Cond((When(fatigued=True),)))
    add("cond", "(while|when) shaken", build=lambda m: Cond((When(shaken=True),)))
    add(
        "cond",
        "(if|when|while|as long as) {who:bearer} (isn't|is not|aren't|are not) fatigued",
        build=lambda m: Cond((When(fatigued=False),), m["who"]),
    )
    add(
        "cond",
        "(if|when|while|as long as) {who:bearer} (isn't|is not|aren't|are not) shaken",
        build=lambda m: Cond((When(shaken=False),), m["who"]),
    )
    add(
        "cond",
        "(if|when|while) {who:bearer} (has|have) most of (them|its models|their models) within {d:inch} of terrain",
        build=lambda m: Cond((When(by_terrain=m["d"]),), m["who"]),
    )
    add(
        "cond",
        "(if|when|while) most [of the] models (in|of) {who:bearer} are within {d:inch} of terrain",
        build=lambda m: Cond((When(by_terrain=m["d"]),), m["who"]),
    )
    add(
        "cond",
        "as long [as] {who:bearer} (hasn't|has not) moved (during|in) (the|this) round",
        build=lambda m: Cond((When(still=True),), m["who"]),
    )
    add("conds", "{one:cond} {more:conds}", build=lambda m: join((m["one"], m["more"])))
    add("conds", "{one:cond}", build=lambda m: m["one"])


def _either(m: Caught) -> Cond:
    one, two = m["deed"], m["more"]
    if one.voice != two.voice:
        raise ReadingRefused
    return Cond((*one.whens, *two.whens), one.who or two.who, one.others or two.others, one.voice)


def _acting(whens: Whens, who: str = "", others: bool = False) -> Cond:
    """Something that the bearer does; a melee alone is one for both sides."""
    return Cond(whens, who, others, "" if all(when == MELEE for when in whens) else "active")


def _add_deeds(grammar: Grammar) -> None:
    """What somebody does or what is done to them: the part of a condition behind `when`."""
    add = grammar.add
    kinds = {
        "charging": CHARGE,
        "shooting": SHOOT,
        "attacking": ATTACK,
        "fighting [in melee]": MELEE,
        "in melee": MELEE,
        "attacking in melee": MELEE,
        "attacking after charging": CHARGE,
        "using a charge action": CHARGE,
        "using charge actions": CHARGE,
    }
    for pattern, when in kinds.items():
        add("ing", pattern, build=lambda m, when=when: (when,))  # type: ignore[misc]
    verbs = {
        "charge": CHARGE,
        "shoot": SHOOT,
        "attack": ATTACK,
        "fight [in melee]": MELEE,
        "attack in melee": MELEE,
        "(is|are) in melee": MELEE,
    }
    for pattern, when in verbs.items():
        add("does", pattern, build=lambda m, when=when: (when,))  # type: ignore[misc]
    add("what", "{ing}", build=lambda m: _acting(m["ing"]))
    add("what", "{who:bearer} {does}", build=lambda m: _acting(m["does"], m["who"]))
    add(
        "what",
        "{who:bearer} uses a hold action and {does}",
        build=lambda m: _acting(all_of((m["does"], (When(held=True),))), m["who"]),
    )
    at = "[at] {target}"
    add(
        "deed",
        f"{{what}} {at}",
        build=lambda m: _acting(all_of((m["what"].whens, (m["target"],))), m["what"].who, True),
    )
    add("deed", "{what} {far}", build=lambda m: _acting(_distance(m["what"].whens, m["far"]), m["what"].who))
    add("deed", "{what} [at] {plain:anyenemy}", build=lambda m: _acting(m["what"].whens, m["what"].who, True))
    add("deed", "{what}", build=lambda m: m["what"])
    add("deed", "{passive}", build=lambda m: replace(m["passive"], voice="passive"))
    suffered = {
        "shot [at]": (SHOOT,),
        "charged": (CHARGE,),
        "attacked": (ATTACK,),
        "attacked in melee": (MELEE,),
        "fought [in melee]": (MELEE,),
        "(shot or charged|shot / charged|shot at or charged|charged or shot)": (SHOOT, CHARGE),
    }
    for pattern, whens in suffered.items():
        add("suffers", pattern, build=lambda m, whens=whens: whens)  # type: ignore[misc]
    are = "(is|are|being)"
    take = "[and (take|taking) hits]"
    add(
        "passive",
        f"{{who:bearer}} {are} {{suffers}} {{far}} {take}",
        build=lambda m: Cond(_distance(m["suffers"], m["far"]), m["who"]),
    )
    add("passive", f"{{who:bearer}} {are} {{suffers}} {take}", build=lambda m: Cond(m["suffers"], m["who"]))
    add("passive", "[being] {suffers} {far} " + take, build=lambda m: Cond(_distance(m["suffers"], m["far"])))
    add("passive", "[being] {suffers}", build=lambda m: Cond(m["suffers"]))
    add("passive", "{who:bearer} takes hits", build=lambda m: Cond((), m["who"]))
    add(
        "passive",
        "{who:bearer} takes hits from spells",
        build=lambda m: Cond((When(attack="spell"),), m["who"]),
    )
    enemies = "(enemy|enemy unit)"
    add(
        "byenemy",
        f"{enemies} {{does}} [at] {{who:bearer}} {{far}}",
        build=lambda m: Cond(_distance(m["does"], m["far"]), m["who"]),
    )
    add("byenemy", f"{enemies} {{does}} [at] {{who:bearer}}", build=lambda m: Cond(m["does"], m["who"]))
