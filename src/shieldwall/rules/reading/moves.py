"""Phrases for inches on moves and ranges, for the order of blows, and for moves and placements out of turn."""

from __future__ import annotations

from collections.abc import Callable

from shieldwall.core.blocks import (
    Blocks,
    Consolidates,
    Crosses,
    Hides,
    Inches,
    MayMove,
    MayPlace,
    Range,
    ShootsAfter,
    StrikeOrder,
    When,
)
from shieldwall.core.values import MILLI
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import CHARGE, MOVES, Cond, fill, negated, open_block

USUAL_AMBUSH = 9 * MILLI
USUAL_CONSOLIDATION = 3 * MILLI  # in every edition
PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

USING = "[(when using|on|with|when|for|using)] [a|an|its|their]"
THERE = "[fully] within {d:dinch} [of (its|their) [current] position] [{far:clearof}]"
ANYWHERE = f"([anywhere] {THERE}|[up to|anywhere up to] {{d:dinch}} away)"
AGAIN = "down again up to {d:dinch} away"


def _step(m: Caught) -> Blocks:
    return (open_block(Inches, m["n"], m["a"]),)


def _longer(m: Caught) -> Blocks:
    blocks = _step(m)
    if "k" in m:
        blocks = (*blocks, open_block(Inches, m["k"], m["b"]))
    return fill(blocks, Cond(), m.get("who", ""))


# inches on move actions
same(
    "action",
    {
        "advance [action]": ("advance",),
        "rush [action]": ("rush",),
        "charge [action]": ("charge",),
        "advancing": ("advance",),
        "(it|they) advance": ("advance",),
        "(it|they) rush": ("rush",),
        "(it|they) charge": ("charge",),
        "(it|they) (rush or charge|rush / charge|rush and charge)": ("rush", "charge"),
        "rushing": ("rush",),
        "charging": ("charge",),
        "rush / charge [action]": ("rush", "charge"),
        "(rush or charge|rush and charge) [action]": ("rush", "charge"),
        "rush action or charge action": ("rush", "charge"),
        "(rushing or charging|rushing / charging|rushing and charging)": ("rush", "charge"),
        "[any|all|its|their] (move action|moves|move)": MOVES,
        "(advance / rush / charge) [action]": MOVES,
        "(advance , rush and charge|advance , rush or charge) [action]": MOVES,
        "(advance or rush|advance / rush|advance and rush) [action]": ("advance", "rush"),
        "(advance or charge|advance / charge|advance and charge) [action]": ("advance", "charge"),
        "(advancing or charging|advancing and charging)": ("advance", "charge"),
        "(advancing or rushing|advancing and rushing)": ("advance", "rush"),
    },
)
add(
    "more",
    "{n:sinch}",
    "[an] (extra|additional) {n:inch}",
    "{n:inch} (more|extra|farther)",
    build=lambda m: m["n"],
)
add("step", f"{{n:more}} {USING} {{a:action}} [move]", build=_step)
add("steps", "{one:step}", build=lambda m: m["one"])
add("steps", "{one:step} [,] and {more:steps}", build=lambda m: (*m["one"], *m["more"]))
add("steps", "{one:step} [,] and {two:barestep}", build=lambda m: (*m["one"], *m["two"]))
add("barestep", f"{{n:inch}} {USING} {{a:action}} [move]", build=_step)
add("steps", "{n:more}", build=lambda m: _step({**m, "a": MOVES}))


def _in_full(m: Caught) -> Blocks:
    """Lengths that are told in full: what they add to an Advance of 6 and a Rush or Charge of 12 inches."""
    short, long = m["k"] - 6 * MILLI, m["n"] - 12 * MILLI
    if (short < 0 or long < 0) and "only" not in m:
        raise ReadingRefused  # it may be what is added
    return (open_block(Inches, short, m["a"]), open_block(Inches, long, m["b"]))


same(
    "short", {"advance [action]": ("advance",), "advancing": ("advance",), "(it|they) advance": ("advance",)}
)
same("long", {"(rush / charge|rush and charge|rush or charge) [action]": ("rush", "charge")})
same("long", {"(it|they) (rush or charge|rush / charge|rush and charge)": ("rush", "charge")})
same("long", {"(rushing or charging|rushing and charging)": ("rush", "charge")})
add(
    "verb",
    f"moves [{{only:onlyso}}] [up to] {{k:inch}} {USING} {{a:short}} [,] and [up to] {{n:inch}} {USING} {{b:long}}",
    f"[may] {{only:onlyso}} move [up to] {{k:inch}} {USING} {{a:short}} [,] and [up to] {{n:inch}} {USING} {{b:long}}",
    build=_in_full,
)
same("onlyso", {"only": True})
add("stepto", "{n:sinch} (to|on) [its|their|all|all its] {a:action} [move]", build=_step)
add(
    "stepto",
    "{n:sinch} [movement|move] (when using|on|using|with|when) [a|an|its|their] {a:action}",
    build=_step,
)
add("obj", "{n:sinch} to [its|their|all|all its] {a:action} [move]", build=_step)
add("stepsto", "{one:stepto}", build=lambda m: m["one"])
add("stepsto", "{one:stepto} [,] and {more:stepsto}", build=lambda m: (*m["one"], *m["more"]))
add("verb", "(get|has|have) {v:stepsto}", build=lambda m: m["v"])
add("verb", "(get|has|have) {n:more} (movement|move)", build=lambda m: _step({**m, "a": MOVES}))
TO = "to [its|their] {a:action} [move]"
add(
    "verb",
    "(get|has|have) {n:more} (to|on) [its|their] {a:action} [move]",
    f"add {{n:more}} {TO}",
    f"add {{n:inch}} {TO} [[,] and {{k:inch}} to [its|their] {{b:action}} [move]]",
    build=_longer,
)
add(
    "verb",
    "[must] subtract {n:inch} from [its|their] {a:action} [move] [[,] and {k:inch} from [its|their] {b:action} [move]]",
    build=lambda m: _longer({**m, "n": -m["n"], **({"k": -m["k"]} if "k" in m else {})}),
)
add(
    "verb",
    "[may] (charge|charges) {n:more} [farther]",
    "add {n:inch} to [its|their] charge (distance|range)",
    build=lambda m: _step({**m, "a": ("charge",)}),
)
add(
    "clause",
    f"{{who:possessor}} (moves|move) are {{n:sinch}} {USING} {{a:action}} [[,] and {{k:sinch}} {USING} {{b:action}}]",
    "{who:possessor} {a:action} [move] are {n:sinch} [[,] and [its|their] {b:action} [move] [are] {k:sinch}]",
    build=_longer,
)
add(
    "clause",
    f"{{who:possessor}} moves are {{n:inch}} (longer|farther|more) {USING} {{a:action}}"
    f" [[,] and {{k:inch}} (longer|farther|more) {USING} {{b:action}}]",
    "{who:possessor} {a:action} [move] are {n:inch} longer",
    "when using [a|an] {a:action} [,] {who:bearer} moves {n:more}",
    "add {n:inch} to {who:possessor} {a:action} [move] [and {k:inch} to [its|their] {b:action} [move]]",
    build=_longer,
)

# ranges
add("obj", "{n:inch} (more|extra|longer|greater) range", build=lambda m: (open_block(Range, m["n"]),))
add("verb", "(shoot|fire) {n:inch} (farther|further)", build=lambda m: (open_block(Range, m["n"]),))
WEAPONS = "[(ranged|shooting)] weapon"
add(
    "clause",
    f"the range of {{who:possessor}} {WEAPONS} is increased by {{n:inch}}",
    f"add {{n:inch}} to the range of {{who:possessor}} {WEAPONS}",
    "{who:possessor} [shooting] range is increased by {n:inch}",
    "{who:possessor} [shooting] range is {n:inch} (longer|farther)",
    "add {n:inch} to {who:possessor} [shooting] range",
    "increase {who:possessor} [shooting] range by {n:inch}",
    build=lambda m: fill((open_block(Range, m["n"]),), Cond(), m["who"]),
)

# ranges of spells
SPELLS = "[all] [of] [the] (spells [cast] (by|of) (this model|it|the bearer)|(this model's|its|the bearer's) spells)"
RANGE = "(get {n:sinch} range|get [a] range increased by {n:inch}|may be cast {n:inch} (farther|further))"
add(
    "clause",
    f"{SPELLS} {RANGE}",
    f"(add|increase) {{n:inch}} to the range of {SPELLS}",
    f"the range of {SPELLS} is ({{n:inch}} (longer|farther|greater)|{{n:sinch}})",
    "(this model|the bearer|it) (casts|cast) [its|all] spells {n:inch} (farther|further)",
    "(this model|the bearer|it) get {n:sinch} range (when casting [spells]|(with|on|for) [its|all|all its] spells)",
    build=lambda m: (Range(m["n"], who="model", spells=True),),
)

# shots after a rush, and who strikes first
add(
    "verb",
    "may [still] shoot (when|after) using [a] Rush [action]",
    "may [still] shoot (when|after) (rushing|it rushes)",
    build=lambda m: (open_block(ShootsAfter, "rush"),),
)
add(
    "clause",
    "(when|after) (using [a] Rush [action]|rushing) , {who:bearer} may [still] shoot",
    build=lambda m: fill((open_block(ShootsAfter, "rush"),), Cond(), m["who"]),
)


def _order(m: Caught) -> Blocks:
    order = open_block(StrikeOrder, m["first"], when=(CHARGE,))
    return fill((order,), Cond(), m["who"] or m.get("w", ""))


same("first", {"(strike|attack|fight) first": True})
same("last", {"(strike|attack|fight) last": False})
add(
    "clause",
    "when charged , {who:bearer} {first}",
    "when {w:bearer} is charged , {who:bearer} {first}",
    "when enemies charge {w:bearer} , {who:bearer} {first}",
    "when (charging|it charges) , {who:bearer} {first:last}",
    build=_order,
)
add(
    "verb",
    "ignore all terrain and units (when|while) (moving|it moves)",
    build=lambda m: (open_block(Crosses, terrain=True),),
)
same("everyunit", {"(all units|all other units|any unit|other models|all models)": None})
add("verb", "may move through {x:everyunit}", build=lambda m: (open_block(Crosses),))

# moves after attacks
same(
    "after",
    {
        "after shooting or being in melee": "after attacking",
        "after shooting or [after] (melee|fighting|a melee)": "after attacking",
        "after attacking": "after attacking",
        "after shooting": "after shooting",
        "after (being in melee|melee|fighting [in melee]|a melee)": "after melee",
    },
)
same(
    "deeds",
    {
        "(attacks|shoots or fights|shoots or attacks) [in melee]": "after attacking",
        "shoots": "after shooting",
        "fights [in melee]": "after melee",
    },
)
MOVE = "may move [by] up to {d:inch}"


add("movesafter", f"{MOVE} {{at:after}}", build=lambda m: MayMove(m["d"], m["at"], "", "unit"))
add("item", "(this model|it) and its unit {m:movesafter}", build=lambda m: (m["m"],))


def _moves_after(m: Caught, often: str) -> Blocks:
    return (MayMove(m["d"], m["at"], m.get("o", often), m["who"] or "model"),)


add("item", f"[{{o:often}} [,]] {{who:bearer}} {MOVE} {{at:after}}", build=lambda m: _moves_after(m, ""))
add(
    "item",
    f"[{{o:often}} [,]] {{at:after}} [,] {{who:bearer}} {MOVE}",
    f"{{at:after}} [,] {{who:bearer}} {MOVE} , {{o:often}}",
    "{o:often} [,] {who:bearer} may move [by] [up to] {d:inch} after (it|they) {at:deeds}",
    f"[{{o:often}} [,]] (after|when) {{who:bearer}} [has] {{at:deeds}} , it {MOVE}",
    f"[{{o:often}} [,]] (after|when) (it|they) [has] {{at:deeds}} , {{who:named}} {MOVE}",
    f"(after|when) {{who:bearer}} [has] {{at:deeds}} , it {MOVE} [,] {{o:often}}",
    f"(after|when) (it|they) [has] {{at:deeds}} , {{who:named}} {MOVE} [,] [{{o:often}}] [\\( {{o:often}} \\)]",
    f"{{at:after}} [,] {{who:bearer}} {MOVE} \\( {{o:often}} \\)",
    build=lambda m: _moves_after(m, "round"),
)
add("byterrain", "within {t:inch} of terrain when activated", build=lambda m: m["t"])
add(
    "item",
    "if {who:bearer} has most of them {t:byterrain} , they moves {steps} [during (this|the|that) activation]",
    build=lambda m: fill(m["steps"], Cond((When(by_terrain=m["t"]),)), m["who"]),
)


def _moves_if_clear(m: Caught) -> Blocks:
    """Inches for units that have no enemy near them when they are activated."""
    if not all(isinstance(block, Inches) and not block.when for block in m["v"]):
        raise ReadingRefused
    return fill(m["v"], negated(Cond((When(by_enemy=m["t"]),))), m.get("who", ""))


NOW = "(when it is activated|when activated|at the start of its activation)"
NO_ENEMY = "[there is] no enemy [unit|model] [is] within {t:inch} [of {who:bearer}]"
add(
    "item",
    f"if {NO_ENEMY} [{NOW}] , (it|this unit|this model|they) {{v:verb}} [{NOW}]",
    f"if (there is) {NO_ENEMY} {NOW} , (it|this unit|this model|they) {{v:verb}}",
    f"{NOW} [,] if {NO_ENEMY} , (it|this unit|this model|they) {{v:verb}}",
    build=_moves_if_clear,
)


# put down again, and hidden
def _placed(m: Caught) -> Blocks:
    (length, die), (often, at) = m["d"], m["s"]
    return (MayPlace(length, at, die, often, m.get("who", "") or m.get("w", "") or "model"),)


def _deployed(m: Caught) -> Blocks:
    return _placed({**m, "s": ("game", "deployed")})


def _activated(m: Caught) -> Blocks:
    at, who = m["at"]
    return _placed({**m, "s": ("activation", at), "w": who})


add("at", "when activated", build=lambda m: ("activated", ""))
add(
    "item",
    f"{{at}} , you may place {{who:bearer}} anywhere {THERE}",
    f"{{at}} , {{who:bearer}} may be placed {ANYWHERE}",
    f"{{at}} , you may put (it|them) {AGAIN}",
    build=_activated,
)
add(
    "item",
    f"{{s:start}} [you may] place {{who:bearer}} anywhere {THERE}",
    f"{{s:start}} {{who:bearer}} may be placed {ANYWHERE}",
    f"{{s:start}} you may put {{who:bearer}} {AGAIN}",
    build=_placed,
)
DEPLOYED = "(when|after|once) {w:bearer} is deployed"
add(
    "item",
    f"{DEPLOYED} , {{who:bearer}} may be placed {ANYWHERE}",
    f"{DEPLOYED} , you may place {{who:bearer}} {ANYWHERE}",
    f"after deployment , {{who:named}} may be placed {ANYWHERE}",
    f"once it is deployed , you may put it {AGAIN}",
    build=_deployed,
)


def _usual(length: int) -> Callable[[Caught], None]:
    """A length that goes for everybody; any other one would mean something."""

    def check(m: Caught) -> None:
        if m["x"] != length:
            raise ReadingRefused

    return check


FOES = "[all|any] (enemy units|enemies|an enemy|an enemy unit|enemy models)"
add(
    "clearof",
    f"[,] [but] not (within|closer than) {{x:inch}} (of|from|to) {FOES}",
    f"[,] [but] (over|more than|at least) {{x:inch}} [away] from {FOES}",
    build=_usual(MILLI),
)
STAYS = "([only] (must|has to|needs to) [only] (stay|be|be set up|keep|be placed) [over|more than|at least] {d:inch}"
FROM_FOES = "[away] [from] [enemy units|enemies|an enemy|enemy models]"
add("usualaway", "{x:inch}", build=_usual(USUAL_AMBUSH))
THEN = "[(when|as) (it arrives|arriving|it does|it deploys|deploying)]"
USUAL = f"{THEN} [[,] (instead of|rather than) [over] {{x:usualaway}}]"
COMES = (
    "[may] [be] (be set up|set up|be placed|deploy|be deployed|arrive) [anywhere] [up to|as close as|over|more than]"
    " {d:inch} [away] (from|to) (enemies|enemy units)"
)
CLOSE = f"{STAYS} {FROM_FOES}|{COMES}) {USUAL}"
add(
    "verb",
    f"has Ambush , and [it|they] {CLOSE}",
    f"has Ambush . (when it arrives|when arriving|on arrival) , (it|this unit) {CLOSE}",
    build=lambda m: (Hides(m["d"]),),
)
HIDDEN = (
    "(when|if) ([it|they|this unit|this model] [(is|be)] (deployed|deploying|deploys) (via|from|by|using) Ambush"
    "|using Ambush)"
)
add(
    "item",
    f"{HIDDEN} , (this unit|this model|it) {CLOSE}",
    f"(this unit|this model|it) {CLOSE} {HIDDEN}",
    build=lambda m: (Hides(m["d"], True),),
)

# moves of those who have won a melee
USUALLY = "[[,] (instead of|rather than) [up to] [the usual] {x:usualshort}]"
add("usualshort", "{x:inch}", build=_usual(USUAL_CONSOLIDATION))
CONSOLIDATION = "(consolidation|consolidating) [move]"
add(
    "item",
    f"{CONSOLIDATION} [of {{who:bearer}}] is up to {{d:inch}} {USUALLY}",
    f"{{who:possessor}} {CONSOLIDATION} is [up to] {{d:inch}} {USUALLY}",
    f"{{who:bearer}} [may] (consolidate|consolidates) [by] [up to] {{d:inch}} {USUALLY}",
    f"(if|when|after) {{who:bearer}} (win|has won|won) [a|the] melee , (it|they) may move [by]"
    f" [up to] {{d:inch}} {USUALLY}",
    f"{{who:bearer}} [may] move [by] [up to] {{d:inch}} (when consolidating|as a consolidation move|after destroying"
    f" [an|its] enemy [unit] in melee) {USUALLY}",
    build=lambda m: (Consolidates(m["d"], m.get("who") or "unit"),),
)
add(
    "item",
    "{who:bearer} moves {n:more} when consolidating",
    f"{{who:possessor}} {CONSOLIDATION} is {{n:inch}} (longer|farther)",
    "{who:bearer} (consolidate|consolidates) {n:more}",
    f"{{who:bearer}} get {{n:sinch}} (to|on) [its|their] {CONSOLIDATION}",
    build=lambda m: (Consolidates(m["n"] + USUAL_CONSOLIDATION, m["who"] or "unit"),),
)

# moves before the first round, and when enemies come near
DEPLOYED_ALL = (
    "(after|when|once) ([all] deployment|(all units|both sides|both armies|all armies|everyone|all other units)"
    " (is|get been|has been|was|were) (deployed|set up|placed))"
)
EARLY = "[[,] [but] before the (first round|game) [starts|begins]]"
FREE_MOVE = "may [make a [free] move [of]] [move] [by] up to {d:inch} [in any direction]"
add(
    "item",
    f"{DEPLOYED_ALL} {EARLY} , {{who:bearer}} {FREE_MOVE} {EARLY}",
    f"before the first round [starts|begins] [, [but] after deployment] , {{who:bearer}} {FREE_MOVE}",
    f"{{who:bearer}} {FREE_MOVE} ({DEPLOYED_ALL} {EARLY}|before the first round [starts|begins])",
    build=lambda m: (MayMove(m["d"], "all deployed", "game", m["who"] or "model"),),
)
OF_IT = "[of (this unit|this model|it)]"
MOVES_NEAR = (
    f"(an enemy [unit]|any enemy unit|enemies) ((ends|finishes) (its|a|any) move within {{near:inch}} {OF_IT}"
    f"|within {{near:inch}} {OF_IT} (ends|finishes) (its|a|any) move)"
)
add(
    "item",
    f"[{{o:often}} [,]] (when|if) {MOVES_NEAR} , {{who:named}} {FREE_MOVE}",
    f"[{{o:often}} [,]] {{who:named}} {FREE_MOVE} (when|if) {MOVES_NEAR} [,] [{{o:often}}]",
    f"(when|if) {MOVES_NEAR} , {{who:named}} {FREE_MOVE} [,] [\\(] {{o:often}} [\\)]",
    build=lambda m: (MayMove(m["d"], "enemy moved", m.get("o", "round"), m["who"] or "model", m["near"]),),
)
add(
    "verb",
    "has Ambush , (but|and|yet) [it] may (deploy|be deployed|be set up|be placed|come in|arrive) (up to|as close as)"
    " {d:inch} [away] (from|to) [enemy units|enemies|an enemy|enemy models|the enemy]",
    "count as having Ambush , (but|and) may be (deployed|set up) as close as {d:inch} to (enemy units|enemies)",
    build=lambda m: (Hides(m["d"]),),
)
