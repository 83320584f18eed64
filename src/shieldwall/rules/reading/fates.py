"""Phrases for what happens to units that were picked: effects, hits and wounds, tests, nerve, moves, healing.

`fv` is something that happens without the word for whom it happens to (`castfv` where that is also said how long it
lasts), `fate` the same with it, and `then` a fate as it follows a pick.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.blocks import (
    Block,
    Blocks,
    ExtraHits,
    ExtraWounds,
    HitsTaken,
    Ignores,
    Inches,
    Modifier,
    RuleRef,
    TakeHits,
)
from shieldwall.rules.reading import enemies, moves, rolls
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.lasting import Lasting, lasting_of, lent
from shieldwall.rules.reading.meaning import (
    CHARGE,
    MELEE,
    OPEN,
    SHOOT,
    THEY,
    Cond,
    Subject,
    open_block,
    up_to_face,
)

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same


class Then(Struct, frozen=True):
    """What happens to those who were picked, with the dice that must be rolled first and the roll they need."""

    blocks: Blocks
    need: int = 0
    dice: int = 1


def then_of(*blocks: Block) -> Then:
    """Something that happens without dice."""
    return Then(blocks)


def _together(one: Then, more: Then) -> Then:
    if more.need:
        raise ReadingRefused  # a die that decides about some of it only
    return replace(one, blocks=(*one.blocks, *more.blocks))


# several things one after another
LINK = "(.|and|then|[,] so that)"
AND = "([,] and [also|then]|,)"
RELATIVE = "(which|who|that|each of which|each of whom|both of which|all of which)"
add("then", f"[,] {RELATIVE} {{f:fvs}}", build=lambda m: m["f"])
add("then", f"{LINK} {{d:fates}}", build=lambda m: m["d"])
add("then", "[,] {d:joinedfate}", build=lambda m: m["d"])
add("then", "to {f:castfvs}", "to {f:tofvs}", build=lambda m: m["f"])
add("after", f"{LINK} {{d:fates}}", build=lambda m: lambda then: _together(then, m["d"]))
add("after", "(.|;|,|and) {r:hitsdo}", build=lambda m: lambda then: _with_rule({"d": then, "r": m["r"]}))
add("fates", "{one:fate}", build=lambda m: m["one"])
add(
    "fates",
    f"{{one:fate}} {LINK} {{more:fates}}",
    "{one:fate} [,] {more:joinedfate}",
    build=lambda m: _together(m["one"], m["more"]),
)
add("fvs", "{one:fv}", build=lambda m: m["one"])
add("fvs", f"{{one:fv}} {AND} {{more:fvs}}", build=lambda m: _together(m["one"], m["more"]))
add("castfvs", "{one:castfv}", build=lambda m: m["one"])
add("castfvs", f"{{one:castfv}} {AND} {{more:castfvs}}", build=lambda m: _together(m["one"], m["more"]))
add("fv", "{f:castfv}", build=lambda m: m["f"])
add("fate", "{x:them} {f:fvs}", build=lambda m: m["f"])


# effects
def lend(m: Caught) -> Then:
    """What they have for a while; the end of the round where nothing is said."""
    cond = m["c"] if "c" in m else Cond(m.get("how", ()))
    return then_of(lent(m["v"], cond, lasting_of(m)))


def _of_them(m: Caught) -> Then:
    """Something that was said of what belongs to them; nobody else may be meant."""
    if any(getattr(block, "who", None) not in (OPEN, THEY) for block in m["v"]):
        raise ReadingRefused
    return lend(m)


add("tofvs", "get {v:objs}", build=lend)
add("fv", "[each|both|all] {v:vps}", build=lend)
EFFECT = "[each|both|all] [may] {v:vps}"
add(
    "castfv",
    f"{EFFECT} [,] {{l:lasting}}",
    f"{{l:lasting}} [,] {EFFECT} [[,] {{l2:lasting}}]",
    f", {{l:lasting}} , {EFFECT} [[,] {{l2:lasting}}]",
    "[each|both] get [,] {l:lasting} [,] {v:objs}",
    build=lend,
)
add("fate", "{l:lasting} [,] {x:them} {v:vps} [[,] {l2:lasting}]", build=lend)


def _stepping(m: Caught) -> Then:
    """Inches where nobody says of what; they are those of a move."""
    lasting = lasting_of(m)
    if lasting.event != "moves" and lasting.how != (CHARGE,):
        raise ReadingRefused
    return lend(m)


add("castfv", "[may] (get|move) {v:steps} {l:lasting}", build=_stepping)
add("fate", "{l:lasting} [,] {x:them} (get|move) {v:steps}", build=_stepping)


def _on_that_roll(m: Caught) -> Then:
    """A bonus to `the roll`: the one that is made when the effect applies."""
    lasting = lasting_of(m)
    roll = _ROLL_OF.get(lasting.event, "hit" if lasting.how and not lasting.event else "")
    if not roll:
        raise ReadingRefused
    return lend({**m, "v": (open_block(Modifier, roll, m["n"]),)})


_ROLL_OF = {"takes a morale test": "morale", "casts": "casting", "takes hits": "block"}
THAT_ROLL = "to (the|that|its|their|this) [{k:tossed}] (roll|test|result|rolls)"
same("tossed", {"(morale|morale test|casting|defense|block|blocking|hit)": None})
add(
    "fate",
    f"{{l:lasting}} [,] {{x:them}} (get|add) {{n:signed}} [{THAT_ROLL}]",
    f"{{x:them}} (get|add) {{n:signed}} {THAT_ROLL} {{l:lasting}}",
    build=_on_that_roll,
)
ON_NEXT = "(on|with|when using|in|during|for|to) [the] {x:whose} next {a:action} [move]"
add(
    "nextstep",
    f"{{n:more}} {ON_NEXT}",
    build=lambda m: (open_block(Inches, m["n"], m["a"]),),
)
add("nextsteps", "{one:nextstep}", build=lambda m: m["one"])
add("nextsteps", "{one:nextstep} [,] (and|or) {more:nextsteps}", build=lambda m: (*m["one"], *m["more"]))
add("castfv", "[may] (get|move) {v:nextsteps}", build=lambda m: lend({**m, "l": Lasting("once")}))
same(
    "theirs",
    {
        "{x:whose} (weapon|attack)": Subject(""),
        "{x:whose} (melee weapon|melee attack|blow)": Subject("", (MELEE,)),
        "{x:whose} (ranged weapon|shooting weapon|ranged attack|shot|shooting)": Subject("", (SHOOT,)),
    },
)
add(
    "fate",
    "{s:theirs} {v:vps} [[,] {l:lasting}]",
    "{l:lasting} [,] {s:theirs} {v:vps}",
    build=lambda m: lend({**m, "how": m["s"].whens}),
)
add(
    "fate",
    "{x:whose} next {how:strikes} {v:vps}",
    build=lambda m: lend({"v": m["v"], "l": Lasting("once", m["how"])}),
)
add("fate", "{v:ofthem} [[,] {l:lasting}]", "{l:lasting} [,] {v:ofthem}", build=_of_them)
_COPIED = [("clause", topic, "possessor") for topic in (rolls, moves)] + [("enemies", enemies, "named")]
for (
    wanted,
    topic,
    bearer,
) in _COPIED:  # what is said of the bearer elsewhere can be said of those who were picked
    for phrase, patterns, build in topic.PHRASES.lines:
        for pattern in patterns:
            told = pattern.replace("{who:bearer}", f"{{who:{bearer}}}")
            if (
                phrase == wanted
                and f"{{who:{bearer}}}" in told
                and "{e:" not in told
                and "{more:" not in told
            ):
                add("ofthem", told.replace(f"{{who:{bearer}}}", f"{{who:picked{bearer}}}"), build=build)
add("pickednamed", "{x:them}", build=lambda m: "")
add("pickedpossessor", "{x:whose}", build=lambda m: "")
GIVING = "(give|giving|grant|granting)"
add("fate", f"{GIVING} {{x:them}} {{v:objs}} [[,] {{l:lasting}}]", build=lend)
add("fate", f"{GIVING} {{v:objs}} to {{x:them}} [[,] {{l:lasting}}]", build=lend)
add(
    "joinedfate",
    "giving {x:them} {v:objs} [[,] {l:lasting}]",
    "(getting|gaining|receiving) {v:objs} [[,] {l:lasting}]",
    build=lend,
)


def _softened(m: Caught) -> Callable[[Lasting], Then]:
    """Hits that pierce less, as what those have who take them."""
    rule: RuleRef = m["rule"]
    if rule.name != "AP" or rule.value >= 0:
        raise ReadingRefused
    block = HitsTaken(rule.value, who="unit")
    return lambda lasting: lend({"v": (block,), "l": lasting})


add("softened", f"(those|these|the|such) hits get {{rule}} {enemies.FLOOR}", build=_softened)
add(
    "softened",
    f"hits [(on|taken by)] (it|they|them) [(takes|take)] get {{rule}} {enemies.FLOOR}",
    build=_softened,
)
add(
    "fate",
    "{l:lasting} , {d:softened}",
    "{d:softened} [,] {l:lasting}",
    build=lambda m: m["d"](m["l"]),
)
add("fate", "{l:lasting} , {v:faced}", build=lend)


def _exposed(m: Caught) -> Then:
    """Without cover: everybody ignores it who attacks them."""
    return then_of(replace(lent(open_cover(), Cond(), lasting_of(m)), against=True))


def open_cover() -> Blocks:
    """What ignores cover, of nobody in particular."""
    return (open_block(Ignores, "cover"),)


NO_COVER = (
    "([may] get no (cover|benefit from cover)|can't (benefit from|use|have|claim) cover"
    "|lose [its|the] [benefit of] cover)"
)
add("castfv", f"{NO_COVER} [,] {{l:lasting}}", f"{{l:lasting}} [,] {NO_COVER}", build=_exposed)
add("fv", NO_COVER, build=_exposed)

# hits and wounds
same("permits", {"(as many dice as hits|one die per hit|one die for each hit)": None})
same(
    "checked",
    {
        "roll {p:permits} (to see|and see) if it triggers": None,
        "roll {p:permits} (to see|and see) if on rolls of {f:faces} effects trigger": None,
    },
)
CHECKED = "[. {k:checked}] [\\( {k:checked} \\)]"


def _hit_that(name: str, *blocks: Block) -> RuleRef:
    """A rule that hits have by what the text says of them."""
    return RuleRef(name, blocks=blocks)


def _ignoring(m: Caught) -> RuleRef:
    if m["r"].casefold() != "regeneration":
        raise ReadingRefused
    return _hit_that("Ignores Regeneration", Ignores("Regeneration", "weapon"))


add("hitrules", "(with|at|that get|which get|of|having) {r:rules}", build=lambda m: m["r"])
add("hitrules", "\\( {r:rules} \\)", "{x:pause} {r:rules}", build=lambda m: m["r"])
add("hitrules", "(that|which) count as [having] {r:rules}", build=lambda m: m["r"])
add("hitrules", "(that|which) ignore {r:rulename}", "ignoring {r:rulename}", build=lambda m: (_ignoring(m),))
add(
    "hitrules",
    "{one:hitrules} [and|,] {more:hitrules}",
    build=lambda m: (*m["one"], *m["more"]),
)
WITH = "[[,] [each] {r:hitrules}]"
add("hits", f"{{n:num}} hit {WITH}", build=lambda m: TakeHits(m["n"], m.get("r", ())))
add("hits", f"a hit {WITH}", build=lambda m: TakeHits(1, m.get("r", ())))
add("hits", f"{{n:die}} hit {WITH}", build=lambda m: TakeHits(m["n"][0], m.get("r", ()), die=m["n"][1]))
MODELS = "model [in it|in them|in the unit|in that unit|in the target|it has|of the unit|of that unit]"
MOST = "[,] [\\(] [up to] a max of {most:num} [hit] [\\)]"
PER_MODEL = f"(per|for each) {MODELS}"
SO_MANY = "as many hit as (it has model|it contains model|there is model in it)"


def _per_model(m: Caught) -> TakeHits:
    return TakeHits(m.get("n", 1), m.get("r", ()), per_model=True, most=m.get("most", 0))


add(
    "hits",
    f"{{n:num}} hit {WITH} {PER_MODEL} [{MOST}]",
    f"(1|a) hit {WITH} {PER_MODEL} [{MOST}]",
    f"{{n:num}} hit {PER_MODEL} {WITH} [{MOST}]",
    f"{SO_MANY} {WITH} [{MOST}]",
    f"{SO_MANY} [{MOST}] {WITH}",
    build=_per_model,
)
add("hits", "{n:num} wound", build=lambda m: TakeHits(0, (), m["n"]))
add("hits", "a wound", build=lambda m: TakeHits(0, (), 1))
add("hits", "{n:die} wound", build=lambda m: TakeHits(0, (), m["n"][0], wound_die=m["n"][1]))
same(
    "unblocked",
    {
        "[,] (with no|without [a|any]) (defense roll|block roll) [allowed|possible]": None,
        "[,] (that|which) (can't|may not) be blocked": None,
        "[,] (with no|without [a|any]) (block|blocks|defense rolls) [allowed]": None,
    },
)
WOUNDS = "({n:num}|a) wound [{k:unblocked}]"
add("castfv", f"[each] (take|get|lose) {WOUNDS}", build=lambda m: then_of(TakeHits(0, (), m.get("n", 1))))
add("castfv", f"[each] (take|get) {{h:hits}} [each] {CHECKED}", build=lambda m: then_of(m["h"]))
STRUCK = "is (dealt|struck by|hit by|hit with|struck with|hit for)"
add("castfv", f"[each] {STRUCK} {{h:hits}} [each] {CHECKED}", build=lambda m: then_of(m["h"]))
DEAL = "[(you|it|this model|the caster|this spell|this)] (deal|cause|score|dealing|causing|scoring|do)"
ON = "(to|on|against)"
add(
    "fate",
    f"{DEAL} {{h:hits}} {ON} [each of] {{x:them}}",
    f"{DEAL} {{x:them}} {{h:hits}}",
    "{h:hits} (is|are) (dealt|done) to [each of] {x:them}",
    build=lambda m: then_of(m["h"]),
)
add("joinedfate", f"(dealing|causing|scoring) {{h:hits}} [{ON} {{x:them}}]", build=lambda m: then_of(m["h"]))
add("joinedfate", "taking {h:hits} [each]", build=lambda m: then_of(m["h"]))


# what is said of the hits afterwards
def _with_rule(m: Caught) -> Then:
    """Hits with what a sentence behind them says of them."""
    then: Then = m["d"]
    hits = [block for block in then.blocks if isinstance(block, TakeHits) and block.hits + block.die]
    if len(hits) != 1 or len(then.blocks) != 1:
        raise ReadingRefused
    return replace(then, blocks=(replace(hits[0], rules=(*hits[0].rules, *m["r"])),))


add(
    "hitsdo",
    "[for] each unmodified {f:faces} [that] (it|they|the target|that unit) rolls to block (cause|deal|add|result in)"
    " {n:num} extra wound",
    build=lambda m: (
        _hit_that("Extra Wounds", ExtraWounds(m["n"], "block", up_to_face(m["f"]), who="weapon")),
    ),
)
THE_HITS = "(these|those|the|such|all|both|its|this spell's) hit"
THEM = "(them|these hits|those hits|it|the hits|a hit)"
add("fates", "{d:fate} (.|;|,|and) {r:hitsdo}", build=_with_rule)
add("hitsdo", f"{THE_HITS} (get|is|have) {{r:rules}}", build=lambda m: m["r"])
add("hitsdo", f"{THE_HITS} ignore {{r:rulename}}", build=lambda m: (_ignoring(m),))
add(
    "hitsdo",
    "(for|on) {f:blockfaces} , [the target|it|the unit|that unit] take {n:num} extra wound",
    f"{{f:blockfaces}} [{THEM}] (cause|deal|add|result in) {{n:num}} extra wound",
    build=lambda m: (
        _hit_that("Extra Wounds", ExtraWounds(m["n"], "block", up_to_face(m["f"]), who="weapon")),
    ),
)
add(
    "hitsdo",
    "roll one die for each hit [,] [and] (on|for) [a|each] {on:need} [,] (it|that unit|the unit|the target)"
    " take {n:num} extra hit",
    build=lambda m: (_hit_that("Extra Hits", ExtraHits(m["n"], m["on"], who="weapon")),),
)
