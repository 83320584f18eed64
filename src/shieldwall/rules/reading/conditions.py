"""Phrases for whom a rule affects and under which conditions."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.blocks import (
    When,
    Whens,
)
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import ATTACK, CHARGE, MELEE, SHOOT, Cond, Subject, all_of, fill, join

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same


def _either(m: Caught) -> Cond:
    one, two = m["deed"], m["more"]
    if one.voice != two.voice:
        raise ReadingRefused
    return Cond((*one.whens, *two.whens), one.who or two.who, one.others or two.others, one.voice)


def _acting(whens: Whens, who: str = "", others: bool = False) -> Cond:
    """Something that the bearer does; a melee alone is one for both sides."""
    return Cond(whens, who, others, "" if all(when == MELEE for when in whens) else "active")


def _far_shots(m: Caught) -> Cond:
    return Cond(all_of(((SHOOT,), m["far"])), "", True, "active")


# Phrases for bearers of a rule, and for units by how many of their models have it
BEARERS = {
    "this model": "model",
    "(the bearer|its bearer|the model with this rule|a model with this rule)": "model",
    "[all|each|any] models with this rule [in (it|this unit|the unit|their unit)]": "model",
    "this weapon": "weapon",
    "[a|the] weapon with this rule": "weapon",
    "(this unit|this model's unit|its unit|the unit|the unit's|this unit's|the bearer's unit)": "unit",
    "[a|the|any] unit where all [its|of its|the|their|of their] models have this rule": "all",
    "[a|the|any] unit where most [its|of its|the|their|of their] models have this rule": "most",
    "[a|the|any] unit (whose models all have|all of whose models have) this rule": "all",
    "[a|the|any] unit (whose models mostly have|most of whose models have) this rule": "most",
    "[a|the|any|each|all] unit with this rule": "unit",
}
same("named", BEARERS)
same("bearer", BEARERS | {"(it|they|them|its|their)": ""})
same("subject", {pattern: Subject(who) for pattern, who in BEARERS.items()})
same("subject", {"it": Subject(), "they": Subject("they")})
weapons = "[all of] (this model's|its|their|all their|all its|the bearer's|all of its|all of their|the)"
same(
    "subject",
    {
        "[all|each] [of] this unit's weapons": Subject("unit"),
        "[all|each] [of] this unit's melee weapons": Subject("unit", (MELEE,)),
        "[all|each] [of] this unit's (ranged|shooting) weapons": Subject("unit", (SHOOT,)),
        "[all|each] [of] (its|their) weapons": Subject("its"),
        "[all|each] [of] (its|their) melee weapons": Subject("its", (MELEE,)),
        "[all|each] [of] (its|their) (ranged|shooting) weapons": Subject("its", (SHOOT,)),
        f"{weapons} weapons": Subject("model"),
        f"{weapons} melee weapons": Subject("model", (MELEE,)),
        f"{weapons} (ranged|shooting) weapons": Subject("model", (SHOOT,)),
        "(this model|it) and (its|this) weapons": Subject("model"),
    },
)

# whose attacks
whose = "(this model's|its|their|the bearer's)"
same(
    "strikes",
    {
        "attack": (ATTACK,),
        "(melee attack|blow|attack in melee)": (MELEE,),
        "((ranged|shooting) attack|shot|shooting)": (SHOOT,),
        "charge attack": (CHARGE,),
    },
)
add(
    "mine",
    "[all] (this model's|the bearer's) {how:strikes}",
    "[all] {how:strikes} [made] (by|of|from) (this model|it|them|the bearer)",
    build=lambda m: Subject("model", m["how"]),
)
add("mine", "[all [of]] (its|their) {how:strikes}", build=lambda m: Subject("its", m["how"]))
add(
    "mine",
    "[all] this unit's {how:strikes}",
    "[all] {how:strikes} [made] (by|of|from) this unit",
    build=lambda m: Subject("unit", m["how"]),
)
add(
    "mine",
    "[all] {how:strikes} [made] (by|of|from) [the] models in (this unit|the unit|its unit)",
    build=lambda m: Subject("unit", m["how"]),
)
same(
    "mine",
    {
        "[all] hits [scored|dealt|made|caused] (by|of|from) (this model|it|them|the bearer|its weapons)": Subject(
            "model"
        ),
        "[all] hits [scored|dealt|made|caused] (by|of|from) this unit": Subject("unit"),
        f"[all] {whose} hits": Subject("model"),
        "[all] this unit's hits": Subject("unit"),
    },
)
add("subject", "{s:mine}", build=lambda m: m["s"])
same("subject", {"this caster": Subject("model"), "this hero": Subject("model")})


def _at_target(m: Caught) -> Subject:
    """Attacks by what they are made against, or from how far away."""
    attacks = m.get("s") or Subject("", m["how"])
    whens: list[Whens] = [attacks.whens, m.get("far", ())]
    whens += [m["target"]] if "target" in m else []
    return Subject(attacks.who, all_of(whens))


add(
    "subject",
    "{s:mine} (against|at|on) {target:foes}",
    "[all] {how:strikes} (against|at|on) {target:foes}",
    "{s:mine} [(against|at) {plain:anyenemy}] {far}",
    "[all] {how:strikes} (against|at) {plain:anyenemy} {far}",
    build=_at_target,
)
add(
    "subject",
    "[a|an|any] {state} (model|unit) with this rule",
    build=lambda m: Subject("model", (replace(When(), **{m["state"]: True}),)),
)
same("possessor", {"(this model's|the bearer's)": "model", "(this unit's)": "unit", "(its|their)": ""})


# Phrases for what an attack is made against
def _next_to(one: int, others: tuple[int, int]) -> tuple[int, int]:
    """Numbers in a row, from the lowest to the highest."""
    if one != others[0] - 1:
        raise ReadingRefused
    return one, others[1]


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
    "[a] Defense [of] {low:need} to [Defense] {high:need}",
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
add("band", "[a] Defense [of] {needs}", build=lambda m: When(target_defense=m["needs"]))
add("needs", "{one:need} or {two:need}", build=lambda m: _next_to(m["one"], (m["two"], m["two"])))
add("needs", "{one:need} , {more:needs}", build=lambda m: _next_to(m["one"], m["more"]))
add("band", "[a] Defense [of] {low:need}", build=lambda m: When(target_defense=(m["low"], m["low"])))
add("band", "at least Tough \\( {low:num} \\)", build=lambda m: When(target_wounds=(m["low"], 0)))
add("band", "{rule:rulename}", build=lambda m: When(target_rule=m["rule"]))
enemy = "[a|an|any] [enemy] (unit|enemy|model|target)"
add("target", f"{enemy} where most [of its|of their] models have {{band}}", build=lambda m: m["band"])
add(
    "target",
    f"{enemy} where all [of its|of their] models have {{band}}",
    build=lambda m: replace(m["band"], target_count="all"),
)
add(
    "target",
    f"{enemy} (with|that get|which get) {{band}}",
    f"{enemy} whose models [all|mostly] have {{band}}",
    f"{enemy} with models that have {{band}}",
    build=lambda m: m["band"],
)
add(
    "target",
    f"{enemy} whose Defense is {{low:need}}",
    build=lambda m: When(target_defense=(m["low"], m["low"])),
)
add(
    "target",
    f"{enemy} whose Defense is {{low:need}} or (worse|higher)",
    build=lambda m: When(target_defense=(m["low"], 6)),
)
add(
    "target",
    f"{enemy} whose Defense is {{low:need}} or (better|lower)",
    build=lambda m: When(target_defense=(2, m["low"])),
)
add("target", "[a|an|any] {band} [enemy] (unit|enemy|model|target)", build=lambda m: m["band"])
add(
    "target",
    "non-hero [enemy] (unit|model|enemy) with {band}",
    build=lambda m: replace(m["band"], target_without="Hero"),
)
add("target", "[a|an] [enemy] (hero|heroes|heroe)", build=lambda m: When(target_rule="Hero"))
add("target", "[a|an] [enemy] caster", build=lambda m: When(target_rule="Caster"))
add("target", "non-hero [enemy] (unit|model)", build=lambda m: When(target_without="Hero"))


def _target_in(m: Caught) -> When:
    return replace(When(), **{f"target_{m['state']}": True})


add(
    "target",
    "[a] {state} [enemy] (unit|enemy|model|target)",
    "[an] enemy [unit|model] (that|which|who) is {state}",
    build=_target_in,
)
add("foes", "{one:target}", build=lambda m: (m["one"],))
add("foes", "{one:target} [,] or [against] {more:foes}", build=lambda m: (m["one"], *m["more"]))
add(
    "foes",
    "{one:target} [,] or where most [of its|of their] models have {two:band}",
    build=lambda m: (m["one"], m["two"]),
)
add(
    "foes",
    "[a|an] {one:state} or {two:state} [enemy] (unit|enemy|model|target)",
    "[an] enemy [unit|model] (that|which|who) is {one:state} or {two:state}",
    build=lambda m: (_target_in({"state": m["one"]}), _target_in({"state": m["two"]})),
)
add(
    "foes",
    f"{enemy} (with|that get|which get) {{one:band}} or {{two:band}}",
    "[a|an|any] {one:band} or {two:band} [enemy] (unit|enemy|model|target)",
    build=lambda m: (m["one"], m["two"]),
)
add(
    "foes",
    f"{enemy} with [a] Defense [of] {{low:need}} or {{high:need}}",
    build=lambda m: (
        (When(target_defense=(m["low"], m["high"])),)
        if m["high"] == m["low"] + 1
        else tuple(When(target_defense=(one, one)) for one in (m["low"], m["high"]))
    ),
)
add("target", "{plain:anyenemy} {far}", build=lambda m: all_of(((When(),), m["far"]))[0])
same(
    "anyenemy",
    {
        "(an enemy|enemy|an enemy unit|enemy unit|target|unit|the target|model|enemy model)": None,
        "(something|anything|someone|anyone|a foe|foes|an opponent|opponents|others)": None,
    },
)
# Distances; those up to, but not at, a length are a thousandth of an inch shorter
THAT_IS = (
    "[(that|which|who) is] [made|fired|coming] [from|at] [(a distance|distances|a range|ranges|range) [of]]"
)
OVER = "(over|more than|farther than|greater than|beyond|outside [of]|past|above)"
AWAY = "[away|distant|off|range] [from (it|them|this model|this unit|the bearer)]"
add("far", f"{THAT_IS} {OVER} {{d:inch}} {AWAY}", build=lambda m: (When(over=m["d"]),))
add(
    "far",
    f"{THAT_IS} at least {{d:inch}} {AWAY}",
    f"{THAT_IS} {{d:inch}} or (more|farther) {AWAY}",
    f"{THAT_IS} {{d:inch}} away or (more|farther)",
    build=lambda m: (When(over=m["d"] - 1),),
)
add(
    "far",
    f"{THAT_IS} within {{d:inch}} [away] [of (it|them|this model|this unit|the bearer)]",
    f"{THAT_IS} (up to|no more than|not more than|no farther than|at most) {{d:inch}} {AWAY}",
    f"{THAT_IS} {{d:inch}} away or (less|closer)",
    f"{THAT_IS} {{d:inch}} or (less|closer) {AWAY}",
    build=lambda m: (When(within=m["d"]),),
)
add(
    "far",
    f"{THAT_IS} (less than|closer than|nearer than|under|below) {{d:inch}} {AWAY}",
    build=lambda m: (When(within=m["d"] - 1),),
)

# What somebody does or what is done to them: the part of a condition behind `when`
same(
    "ing",
    {
        "charging": (CHARGE,),
        "shooting": (SHOOT,),
        "attacking": (ATTACK,),
        "fighting [in melee]": (MELEE,),
        "in melee": (MELEE,),
        "attacking in melee": (MELEE,),
        "attacking after charging": (CHARGE,),
        "using a charge action": (CHARGE,),
        "using charge actions": (CHARGE,),
    },
)
same(
    "does",
    {
        "charge": (CHARGE,),
        "shoot": (SHOOT,),
        "attack": (ATTACK,),
        "fight [in melee]": (MELEE,),
        "attack in melee": (MELEE,),
        "is in melee": (MELEE,),
    },
)
add("what", "{who:bearer} is {ing}", build=lambda m: _acting(m["ing"], m["who"]))
add("what", "{ing}", build=lambda m: _acting(m["ing"]))
add("what", "{who:bearer} {does}", build=lambda m: _acting(m["does"], m["who"]))
add(
    "what",
    "{who:bearer} (uses a hold action|holds) and {does}",
    build=lambda m: _acting(all_of((m["does"], (When(held=True),))), m["who"]),
)
add(
    "deed",
    "{what} [at|against|with] {target:foes}",
    build=lambda m: _acting(all_of((m["what"].whens, m["target"])), m["what"].who, True),
)
add("deed", "{what} {far}", build=lambda m: _acting(all_of((m["what"].whens, m["far"])), m["what"].who))
add("deed", "{what} [at] {plain:anyenemy}", build=lambda m: _acting(m["what"].whens, m["what"].who, True))
add("deed", "{what}", build=lambda m: m["what"])
add("deed", "{passive}", build=lambda m: replace(m["passive"], voice="passive"))
same(
    "suffers",
    {
        "shot [at]": (SHOOT,),
        "charged": (CHARGE,),
        "attacked": (ATTACK,),
        "attacked in melee": (MELEE,),
        "fought [in melee]": (MELEE,),
        "(shot or charged|shot / charged|shot at or charged|charged or shot)": (SHOOT, CHARGE),
    },
)


def _done_to(m: Caught) -> Cond:
    return Cond(all_of((m["done"], m.get("far", ()))), m.get("who", ""))


HITS = "[and (take|taking) hits]"
add(
    "passive",
    f"{{who:bearer}} (is|being) {{done:suffers}} [{{far}}] {HITS}",
    f"[being] {{done:suffers}} [{{far}} {HITS}]",
    build=_done_to,
)
add("passive", "{who:bearer} takes hits", build=lambda m: Cond((), m["who"]))
same(
    "hitsof",
    {
        "spells": (When(attack="spell"),),
        "(shooting|shots|ranged attacks)": (SHOOT,),
        "(melee|melee attacks|blows)": (MELEE,),
    },
)
add(
    "passive",
    "{who:bearer} takes hits (from|by) {how:hitsof}",
    "taking hits (from|by) {how:hitsof}",
    "[{who:bearer} is] hit by {how:hitsof}",
    build=lambda m: Cond(m["how"], m.get("who", "")),
)
add("passive", "{who:bearer} takes (melee hits|hits in melee)", build=lambda m: Cond((MELEE,), m["who"]))
add(
    "byenemy",
    "[an|a|any] (enemy|enemy unit|enemy model) {done:does} [at|on] {who:bearer} [{far}]",
    "[an|a|any] (enemy|enemy unit|enemy model) {done:rollsat} [at|against] {who:bearer} [{far}]",
    build=_done_to,
)
add(
    "byenemy",
    "[an|a|any] (enemy|enemy unit|enemy model) (attack|strike|fight) [at|against] {who:bearer} in melee",
    build=lambda m: Cond((MELEE,), m["who"]),
)
same("rollsat", {"(roll|rolls) [to hit]": (ATTACK,), "(target|targets|aim at|aims at)": (ATTACK,)})

# what an enemy does to the bearer; only behind its effect, where a pronoun cannot mean the enemy
add(
    "vp",
    "{verb} (when|while|if) {e:byenemy}",
    build=lambda m: fill(m["verb"], replace(m["e"], voice="passive")),
)

# Phrases for conditions: `cond` stands before or behind what it governs
add("cond", "(when|while|if|as long as) {deed}", build=lambda m: m["deed"])
add("cond", "(when|while|if) {deed} [,] or [(when|while|if)] {more:deed}", build=_either)
add("cond", "(in|during|for) melee", build=lambda m: Cond((MELEE,)))
add("cond", "(at|for) shooting", build=lambda m: Cond((SHOOT,)))
add(
    "cond",
    "(on|during) (a|the|its|their) charge",
    "on charges",
    "after charging",
    build=lambda m: Cond((CHARGE,), voice="active"),
)
add("cond", "against {target:foes}", build=lambda m: Cond(m["target"], "", True))
add(
    "cond",
    "at {plain:anyenemy} {far}",
    build=lambda m: Cond(all_of(((SHOOT,), m["far"])), "", True, "active"),
)
add("cond", "against hits [that are] not from spells", build=lambda m: Cond((When(attack="not spell"),)))
add(
    "cond",
    "against (anything but spells|everything but spells|everything except spells)",
    build=lambda m: Cond((When(attack="not spell"),)),
)
add("cond", "against (hits from spells|spells|spell hits)", build=lambda m: Cond((When(attack="spell"),)))
add("cond", "against (shooting|shooting attack|ranged attack|shot)", build=lambda m: Cond((SHOOT,)))
add("cond", "against (melee attack|melee|blow)", build=lambda m: Cond((MELEE,)))
add("cond", "against charges", build=lambda m: Cond((CHARGE,), voice="passive"))
same("state", {"fatigued": "fatigued", "shaken": "shaken"})
AS_LONG = "(if|when|while|as long as)"


def _in_state(m: Caught, holds: bool) -> Cond:
    """The bearer is, or is not, fatigued or shaken."""
    return Cond((replace(When(), **{m["state"]: holds}),), m.get("who", ""))


add(
    "cond",
    f"{AS_LONG} {{who:bearer}} is {{state}}",
    "(while|when) {state}",
    build=lambda m: _in_state(m, True),
)
add(
    "cond",
    f"{AS_LONG} {{who:bearer}} (isn't|is not|aren't) {{state}}",
    "unless [{who:bearer} is] {state}",
    "(while|when) not {state}",
    build=lambda m: _in_state(m, False),
)
BY_TERRAIN = "within {d:inch} of terrain"
add(
    "cond",
    f"(if|when|while) {{who:bearer}} has most of (them|its models|their models) {BY_TERRAIN}",
    f"(if|when|while) most [of the] models (in|of) {{who:bearer}} is {BY_TERRAIN}",
    f"{AS_LONG} [most of] {{who:bearer}} is {BY_TERRAIN}",
    f"if most [of] [their|its] models is {BY_TERRAIN}",
    f"(while|when|if) {BY_TERRAIN}",
    f"(while|when|if|as long as) most of {{who:possessor}} models is {BY_TERRAIN}",
    build=lambda m: Cond((When(by_terrain=m["d"]),), m.get("who", "")),
)
OBJECTIVE = "(an objective|objectives|an objective marker|a marker|any objective|any marker|objective markers|markers)"
add(
    "cond",
    f"{AS_LONG} [{{who:bearer}} is] within {{d:inch}} of {OBJECTIVE}",
    build=lambda m: Cond((When(by_marker=m["d"]),), m.get("who", "")),
)
FRIEND = "(a|an|another|any|one or more|at least one) [other] friendly (unit|model)"
HERO = "(a|an|another|any) [other] friendly hero"


def _by_friend(m: Caught, rule: str = "") -> Cond:
    return Cond((When(by_friend=m["d"], friend_rule=m.get("rule", rule)),), m.get("who", ""))


add(
    "cond",
    f"{AS_LONG} [{{who:bearer}} is] within {{d:inch}} of {FRIEND} [with {{rule:rulename}}]",
    f"{AS_LONG} [there is] {FRIEND} [with {{rule:rulename}}] [is] within {{d:inch}} [of {{who:bearer}}]",
    build=_by_friend,
)
add(
    "cond",
    f"{AS_LONG} [{{who:bearer}} is] within {{d:inch}} of {HERO}",
    f"{AS_LONG} [there is] {HERO} [is] within {{d:inch}} [of {{who:bearer}}]",
    build=lambda m: _by_friend(m, "Hero"),
)
ANY_FRIEND = "(a|an|another|any|one or more|at least one) [other] friendly"
add(
    "cond",
    f"{AS_LONG} [{{who:bearer}} is] within {{d:inch}} of {ANY_FRIEND} {{rule:rulename}}",
    f"{AS_LONG} [there is] {ANY_FRIEND} {{rule:rulename}} [is] within {{d:inch}} [of {{who:bearer}}]",
    build=_by_friend,
)
WHEN = "[in|during|since|for] [this|the|its|their|that] [last|current|previous|own|most recent] (round|activation|turn)"
MOVED = f"moved [{WHEN}] [before (shooting|attacking|it shoots|it attacks)]"
STILL = "(stays|stayed|stands|stood|remains|remained|keeps|kept|is) (still|stationary|where it is|in place)"
NOT_YET = "(hasn't|has not|haven't|have not|get not|did not|didn't|does not|doesn't|do not)"
add(
    "cond",
    f"(if|when|while|as long [as]) {{who:bearer}} {NOT_YET} {MOVED}",
    f"(if|when|while|as long [as]) {{who:bearer}} {NOT_YET} move [{WHEN}] [before (shooting|attacking)]",
    f"(if|when|while|as long [as]) {{who:bearer}} {STILL} [{WHEN}]",
    f"(when|while|by) (staying|standing|remaining) (still|stationary) [{WHEN}]",
    f"without (having moved|moving) [{WHEN}]",
    f"{AS_LONG} (none of them|none of [its|their] models|no model (in|of) it|no models (in|of) it) [has] {MOVED}",
    build=lambda m: Cond((When(still=True),), m.get("who", "")),
)
add(
    "cond",
    f"(if|when|after) {{who:bearer}} [has|have|get] {MOVED}",
    f"(if|when) {{who:bearer}} moves [first] [{WHEN}] [before (shooting|attacking|it shoots|it attacks)]",
    f"after (moving|having moved) [{WHEN}]",
    build=lambda m: Cond((When(moved=True),), m.get("who", ""), voice="active"),
)
add("conds", "{deed:cond} [,] or {more:cond}", build=_either)
add("conds", "{one:cond} {more:conds}", build=lambda m: join((m["one"], m["more"])))
add("conds", "{one:cond}", build=lambda m: m["one"])
add("conds", "{x:pause} {one:conds}", build=lambda m: m["one"])

# charges made, targets, shots after a Hold
add(
    "cond",
    "if {who:bearer} (charged|has charged) [this round|this activation|this turn]",
    build=lambda m: Cond((CHARGE,), m["who"], voice="active"),
)
add(
    "cond",
    "(if|when|while) (the target|its target|the enemy) is {state}",
    build=lambda m: Cond((_target_in(m),), "", True),
)
add("cond", "{far}", build=lambda m: Cond(m["far"]))
HELD = When(attack="shoot", held=True)
add(
    "cond",
    "(when|if|after) {who:bearer} [has] (holds|held)",
    "(when|while|after) holding",
    build=lambda m: Cond((When(held=True),), m.get("who", ""), voice="active"),
)
add(
    "cond",
    "(when|if) {who:bearer} shoots after (a Hold|a Hold action|using Hold actions|using a Hold action|holding)",
    "(when|if) {who:bearer} (uses a Hold action|holds) and shoots",
    build=lambda m: Cond((HELD,), m["who"], voice="active"),
)
add(
    "cond",
    "when shooting after (a Hold|a Hold action|holding)",
    build=lambda m: Cond((HELD,), voice="active"),
)
add("cond", "(with|for) (its|their|the) (melee weapon|blow|melee attack)", build=lambda m: Cond((MELEE,)))
add(
    "cond",
    "(with|for) (its|their|the) (ranged weapon|shot|shooting|shooting attack)",
    build=lambda m: Cond((SHOOT,)),
)


# how many models have the rule, and what else is said of a target
same("howmany", {"(all|each|each of)": "all", "most": "most"})
add(
    "cond",
    f"{AS_LONG} {{n:howmany}} [of] [the|its|their] (models|model) (in|of) (this unit|a unit|the unit|its unit|it)"
    " have this rule",
    f"{AS_LONG} {{n:howmany}} [of] [its|their] (models|model) have this rule",
    build=lambda m: Cond((), m["n"]),
)
add(
    "band",
    "Defense {low:need} - {high:need}",
    build=lambda m: When(target_defense=(m["low"], m["high"])),
)
add(
    "clause",
    "{who:named} {v:vps} if {t:targetis}",
    build=lambda m: fill(m["v"], Cond((m["t"],), "", True), m["who"]),
)
add(
    "cond",
    "(if|when|while|as long as) (the|its|their) target [unit] is {far}",
    build=lambda m: Cond(m["far"], "", True),
)
add("cond", "(shooting|when shooting) [at] {plain:anyenemy} {far}", build=_far_shots)
THEIRS = "(the|its|their) target [unit]"
add(
    "targetis",
    f"{THEIRS} (has|have) {{band}}",
    f"most [of the] models (in|of) {THEIRS} have {{band}}",
    "most of (the|its|their) target's models have {band}",
    f"{THEIRS} mostly has models with {{band}}",
    build=lambda m: m["band"],
)
add(
    "targetis",
    f"all [of the] models (in|of) {THEIRS} have {{band}}",
    "all [of] (the|its|their) target's models have {band}",
    build=lambda m: replace(m["band"], target_count="all"),
)
add(
    "cond",
    f"{AS_LONG} {{who:bearer}} is within {{d:inch}} of (the|its|their) target",
    build=lambda m: Cond((When(within=m["d"]),), m["who"], True),
)
add("cond", f"{AS_LONG} {{t:targetis}}", build=lambda m: Cond((m["t"],), "", True))
