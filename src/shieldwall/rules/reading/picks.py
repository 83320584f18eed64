"""Phrases for units that are picked, and what happens to them; spells are picks, too.

A sentence of this kind has up to four parts: when and how often (`start`), whom (`whom`), what happens to them
(`fates`) and how long (`until`). `fv` is something that happens without the word for whom it happens to, `fate` the
same with it.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.core.blocks import (
    BY_VALUE,
    BeFatigued,
    Block,
    Blocks,
    Crosses,
    Gets,
    Heal,
    HitsTaken,
    Ignores,
    IgnoresWounds,
    Inches,
    InTerrain,
    Lend,
    Modifier,
    Moment,
    MoveThem,
    Often,
    Picks,
    PutMarkers,
    Rally,
    RuleRef,
    TakeHits,
    TakeTest,
)
from shieldwall.rules.reading import enemies, moves, rolls
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import ATTACK, MELEE, OPEN, SHOOT, THEY, Cond, Subject, fill

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same


class Then(Struct, frozen=True):
    """What happens to those who were picked, with the dice that must be rolled first and the roll they need."""

    blocks: Blocks
    need: int = 0
    dice: int = 1


def _then(*blocks: Block) -> Then:
    return Then(blocks)


def _together(one: Then, more: Then) -> Then:
    if more.need:
        raise ReadingRefused  # a die that decides about some of it only
    return replace(one, blocks=(*one.blocks, *more.blocks))


# the whole rule
def _picks(m: Caught) -> Blocks:
    p, then = m["p"], m["then"]
    often: Often
    at: Moment
    often, at = m.get("s") or m.get("t") or ("", "")
    if "s" in m and "t" in m:
        raise ReadingRefused
    kind = p.get("what", "unit")
    if kind == "hero" and "rule" in p:
        raise ReadingRefused
    return (
        Picks(
            then.blocks,
            p["side"],
            "unit" if kind == "unit" else "model",
            p["n"],
            p.get("d", 0),
            p.get("sight", False),
            "Hero" if kind == "hero" else p.get("rule", ""),
            then.need,
            at,
            often,
            p.get("o", False),
            then.dice,
            p.get("state", ""),
        ),
    )


MAY = "[(you|this model|it|the bearer|this unit) (may|must)]"
add("item", f"[{{s:start}}] {MAY} pick {{p:whom}} [,] [{{t:start}}] {{then}}", build=_picks)
add("item", f"[{{s:start}}] {MAY} pick {{p:whom}} {{then}} [,] {{t:start}}", build=_picks)
add("item", "{s:start} {p:whom} {then:fvs}", "{p:whom} {then:fvs} {t:start}", build=_picks)
add("item", "{p:whom} {then:castfvs}", "{p:whom} [,] (which|who) {then:fvs}", build=_picks)
add(
    "item", "[{s:start}] {p:everybody} {then:castfvs}", "{p:everybody} {then:castfvs} {t:start}", build=_picks
)


def _picked_on(m: Caught) -> Blocks:
    """Several units, or one model, for whom one die decides; for one unit it is a die for hits."""
    if (m["p"]["n"] == 1 and m["p"].get("what", "unit") == "unit") or m["then"].need:
        raise ReadingRefused
    return _picks({**m, "then": replace(m["then"], need=m["need"])})


add(
    "item",
    f"{{s:start}} {MAY} roll one die . on [a] {{need}} [,] {{p:whom}} {{then:castfvs}}",
    build=_picked_on,
)


same("patient", {f"(a|1|any) [{{x:friendly}}] {what} with Tough": what for what in ("unit", "model")})
same("friendly", {"friendly": None})
add(
    "item",
    "{s:start} if within {d:inch} of {p:patient} , roll one die . on [a] {need} [,] you may recover {n:healed}"
    " from (the target|it|that unit|that model)",
    build=lambda m: (
        Picks(
            (m["n"],),
            "friend",
            "model",
            reach=m["d"],
            with_rule="Tough",
            need=m["need"],
            at=m["s"][1],
            often=m["s"][0],
        ),
    ),
)
GIVEN = "give {v:objs} to {p:whom}"
add(
    "item",
    f"[{{s:start}}] {MAY} {GIVEN} [{{u:until}}]",
    f"{{s:start}} {{u:until}} , {GIVEN}",
    f"[{{s:start}}] {MAY} give {{p:whom}} {{v:objs}} [{{u:until}}]",
    "[{s:start}] {u:until} , {p:whom} {v:vps}",
    build=lambda m: _picks({**m, "then": _lent(m)}),
)
add(
    "item",
    f"[{{s:start}}] {MAY} deal {{h:hits}} (to|on) [each of] {{p:whom}}",
    "[{s:start}] [(you|it|this model|this unit|the bearer|the caster)] deal {h:hits} (to|on) {p:everybody}",
    build=lambda m: _picks({**m, "then": _then(m["h"])}),
)
add(
    "item",
    f"[{{s:start}}] {MAY} (remove|recover) {{n:healed}} (from|on) {{p:whom}}",
    build=lambda m: _picks({**m, "then": _then(m["n"])}),
)
add(
    "item",
    f"[{{s:start}}] {MAY} move {{p:whom}} [by] up to {{r:inch}}",
    build=lambda m: _picks({**m, "then": _then(MoveThem(m["r"]))}),
)


# what happens to them: effects
def _lent(m: Caught) -> Then:
    cond = m["c"] if "c" in m else Cond(m.get("how", ()))
    return _then(Lend(fill(m["v"], cond, "unit"), m.get("u", "round")))


def _marked(m: Caught) -> Then:
    lent = _lent(m).blocks[0]
    return _then(replace(lent, against=True))


def _of_them(m: Caught) -> Then:
    """Something that was said of what belongs to them; nobody else may be meant."""
    if any(getattr(block, "who", None) not in (OPEN, THEY) for block in m["v"]):
        raise ReadingRefused
    return _lent(m)


LINK = "(.|,|;|:|and|then)"
add("then", "[,] (which|who|that|each of which|each of whom|both of which) {f:fvs}", build=lambda m: m["f"])
add("then", f"{LINK} {{d:fates}}", build=lambda m: m["d"])
add("then", "to {f:tofvs}", build=lambda m: m["f"])
add("tofvs", "get {v:objs} [{u:until}]", build=_lent)
add("fates", "{one:fate}", build=lambda m: m["one"])
add("fates", f"{{one:fate}} {LINK} {{more:fates}}", build=lambda m: _together(m["one"], m["more"]))
add("fvs", "{one:fv}", build=lambda m: m["one"])
AND = "([,] and [also|then]|,)"
add("fvs", f"{{one:fv}} {AND} {{more:fvs}}", build=lambda m: _together(m["one"], m["more"]))
add("castfvs", "{one:castfv}", build=lambda m: m["one"])
add("castfvs", f"{{one:castfv}} {AND} {{more:castfvs}}", build=lambda m: _together(m["one"], m["more"]))
add("fv", "[each|both|all] {v:vps}", build=_lent)
add("fv", "{f:castfv}", build=lambda m: m["f"])
add("castfv", "[each|both|all] {v:vps} {u:until}", "{u:until} {v:vps}", build=_lent)
add("nextdeed", "[the] next time [that] {x:them} {does}", build=lambda m: m["does"])
add("castfv", "[may] {v:vps} {how:nextdeed}", build=lambda m: _lent({**m, "u": "once"}))
add(
    "nextevent",
    "[the] next time [that] {x:them} is {done:suffers} [at]",
    build=lambda m: ("is attacked", m["done"]),
)
add("nextevent", "[the] next time [that] {x:them} {e:happens}", build=lambda m: (m["e"], ()))
same(
    "happens",
    {
        "moves": "moves",
        "takes hits": "takes hits",
        "takes wounds": "takes wounds",
        "take (a|1|any) wound": "takes wounds",
        "take (a|1|any) hit": "takes hits",
        "take a morale test": "takes a morale test",
        "(casts|cast a spell|cast spells)": "casts",
    },
)


def _next_time(m: Caught) -> Then:
    """What somebody has until something happens to them, which must be what it is good for."""
    event, whens = m["e"]
    if not all(_is_good_for(block, event) for block in m["v"]):
        raise ReadingRefused
    blocks = tuple(replace(one, when=whens) if isinstance(one, Gets) else one for one in m["v"])
    cond = Cond(() if any(isinstance(one, Gets) for one in blocks) else whens)
    return _then(Lend(fill(blocks, cond, "unit"), "once"))


def _is_good_for(block: Block, event: str) -> bool:
    match block:
        case Modifier(roll, _, "own"):
            return event in _ROLLED_WHEN[roll]
        case Gets(rule):
            if rule.name.casefold() == "regeneration":
                return event in ("is attacked", "takes hits", "takes wounds")
            return event == ("is attacked" if rule.name.casefold() in PROTECTING else "moves")
        case Modifier(_, _, "enemy"):
            return event == "is attacked"
        case HitsTaken():
            return event in ("is attacked", "takes hits")
        case IgnoresWounds():
            return event in ("is attacked", "takes hits", "takes wounds")
        case Inches() | Ignores() | Crosses():
            return event == "moves"
    return False


PROTECTING = frozenset({"stealth", "evasive", "shielded", "fortified", "protected", "resistance"})
_ROLLED_WHEN = {
    "block": ("is attacked", "takes hits"),
    "morale": ("takes a morale test",),
    "casting": ("casts",),
    "hit": (),
}
add("castfv", "[may] {v:vps} {e:nextevent}", "[may] (get|move) {v:steps} {e:nextevent}", build=_next_time)
add(
    "fate",
    "{e:nextevent} [,] {x:them} {v:vps}",
    "{e:nextevent} [,] {x:them} (get|move) {v:steps}",
    build=_next_time,
)
add("fate", "{x:them} {f:fvs}", build=lambda m: m["f"])
add("fate", "{u:until} [,] {x:them} {v:vps}", build=_lent)
add("fate", "{how:nextdeed} [,] {x:them} {v:vps}", build=lambda m: _lent({**m, "u": "once"}))
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
    "{s:theirs} {v:vps} [{u:until}]",
    "{u:until} [,] {s:theirs} {v:vps}",
    build=lambda m: _lent({**m, "how": m["s"].whens}),
)
add("fate", "{v:ofthem} [{u:until}]", "{u:until} [,] {v:ofthem}", build=_of_them)
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

# what friends get against them
FRIENDS = "[all] [(your|other)] friendly units"
BY_FRIENDS = "[all] [friendly] (attacks|hits)"
add(
    "then",
    f"which {FRIENDS} get {{v:objs}} [{{c:conds}}] against [it|them] [{{u:until}}]",
    f"which {FRIENDS} get {{v:objs}} against [it|them] [{{c:conds}}] [{{u:until}}]",
    f"against which {FRIENDS} get {{v:objs}} [{{c:conds}}] [{{u:until}}]",
    build=_marked,
)
add("then", "{d:against}", build=lambda m: m["d"])
add("fate", "{d:against}", build=lambda m: m["d"])
add(
    "against",
    f"[and|.] {FRIENDS} get {{v:objs}} [{{c:conds}}] (against|when attacking) {{x:them}} [{{u:until}}]",
    f"[and|.] {FRIENDS} get {{v:objs}} when {{how}} {{x:them}} [{{u:until}}]",
    f"[and|.] {{u:until}} [,] {FRIENDS} get {{v:objs}} when {{how}} {{x:them}}",
    f"[and|.] {{u:until}} [,] {FRIENDS} get {{v:objs}} [{{c:conds}}] against {{x:them}}",
    f"(.|and|,) {FRIENDS} {{how}} {{x:them}} get {{v:objs}} [{{u:until}}]",
    f"(.|and|,) {{u:until}} [,] {FRIENDS} {{how}} {{x:them}} get {{v:objs}}",
    f"(.|and|,) {FRIENDS} [(when|while)] {{how}} {{x:them}} [{{u:until}}] get {{v:objs}}",
    build=_marked,
)
add(
    "against",
    f"[.|and|,|;] [{{u:until}} ,] {BY_FRIENDS} (against|on) {{x:them}} get {{v:objs}} [{{u:until}}]",
    build=lambda m: _marked({**m, "how": (ATTACK,)}),
)
add(
    "then",
    "(.|and|,|;) the next friendly unit {how} {x:them} get {v:objs}",
    f"(.|and|,|;) {FRIENDS} get {{v:objs}} against (it|them) the next time they {{how:does}} (it|them)",
    build=lambda m: _marked({**m, "u": "once"}),
)

# what happens to them: hits and wounds
same("permits", {"(as many dice as hits|one die per hit|one die for each hit)": None})
same(
    "checked",
    {
        "roll {p:permits} (to see|and see) if it triggers": None,
        "roll {p:permits} (to see|and see) if on rolls of {f:faces} effects trigger": None,
    },
)
CHECKED = "[. {k:checked}] [\\( {k:checked} \\)]"
WITH = "[[,] [each] (with|that get|at) {rules}]"
add("hits", f"{{n:num}} hit {WITH}", build=lambda m: TakeHits(m["n"], m.get("rules", ())))
add("hits", f"a hit {WITH}", build=lambda m: TakeHits(1, m.get("rules", ())))
add("hits", f"{{n:die}} hit {WITH}", build=lambda m: TakeHits(m["n"][0], m.get("rules", ()), die=m["n"][1]))
add(
    "hits",
    f"{{n:num}} hit {WITH} (per|for each) model [in it|in them|in the unit|in that unit|it has]",
    f"{{n:num}} hit (per|for each) model [in it|in them|in the unit|in that unit|it has] {WITH}",
    build=lambda m: TakeHits(m["n"], m.get("rules", ()), per_model=True),
)
add("hits", "{n:num} wound", build=lambda m: TakeHits(0, (), m["n"]))
add("hits", "{n:die} wound", build=lambda m: TakeHits(0, (), m["n"][0], wound_die=m["n"][1]))
add("castfv", f"[each] (take|get) {{h:hits}} [each] {CHECKED}", build=lambda m: _then(m["h"]))
add("fate", "[(you|it|this model|the caster)] deal {h:hits} (to|on) {x:them}", build=lambda m: _then(m["h"]))


# dice that decide
def _rolled(m: Caught) -> Then:
    then: Then = m["d"]
    if then.need:
        raise ReadingRefused
    return replace(then, need=m["need"])


def _volley(m: Caught) -> Then:
    return Then((m["h"],), m["need"], m["n"])


ONE_DIE = "roll (a|one) die [for {x:them}]"
add("fate", f"{ONE_DIE} (.|,|and) [if it is] on [a] {{need}} [,] {{d:fates}}", build=_rolled)
DICE = "roll {n:num} (die|dice)"
EACH = "[for] each [roll of|result of] {need} [,]"
add(
    "fate",
    f"{DICE} (.|,|and) {EACH} {{x:them}} take {{h:hits}}",
    f"{DICE} (.|,|and) {{x:them}} take {{h:hits}} {EACH}",
    f"{DICE} (.|,|and) {EACH} (deals|causes|is) {{h:hits}} [(to|on) {{x:them}}]",
    f"{DICE} (.|,|and) {EACH} [(it|this model|the caster)] deals {{h:hits}} (to|on) {{x:them}}",
    build=_volley,
)

# what happens to them: tests
same("test", {"morale": "morale", "dangerous terrain": "dangerous"})
same("anywhere", {"in any direction": None})


def _tested(m: Caught) -> Then:
    failed: Then = m.get("d", Then(()))
    if failed.need or (not failed.blocks and m["test"] == "morale"):
        raise ReadingRefused  # a morale test without a word on what failing does
    if m.get("n", 0) and m["test"] != "morale":
        raise ReadingRefused
    return _then(TakeTest(m["test"], failed.blocks, m.get("n", 0)))


TEST = "(take|make) a {test} test [\\( {n:signed} \\)]"
FAILS = "(it is|it|they|the test is|that unit|the unit|the target|they are)"
FAILED = f"(.|,|;) [and] if [{FAILS}] (failed|fail|fails) [(it|the test|this test)] [,] {{d:fates}}"
add("castfv", f"[must] {TEST} {FAILED}", build=_tested)
add("castfv", f"[must] {TEST} [,] (and|or) {{d:fvs}} if (it|they) (fails|failed)", build=_tested)
add("castfv", f"must {TEST}", "take a {test} test", build=_tested)
add("fate", f"make {{x:them}} {TEST} {FAILED}", build=_tested)

# what happens to them: nerve, terrain, moves, healing
IS = "(become|is|count as [being])"
same(
    "castfv",
    {
        f"{IS} fatigued": Then((BeFatigued("fatigued"),)),
        f"{IS} shaken": Then((BeFatigued("shaken"),)),
        "(stops being|is no longer) shaken": Then((Rally(),)),
        "recover [from being shaken]": Then((Rally(),)),
    },
)
add(
    "fate",
    "if {x:them} is shaken , {y:them} (stops being|is no longer) shaken",
    build=lambda m: _then(Rally()),
)
same("mud", {"difficult terrain": InTerrain("difficult"), "dangerous terrain": InTerrain("dangerous")})
add(
    "castfv",
    "count as being in {mud} [{u:until}]",
    build=lambda m: _then(Lend((m["mud"],), m.get("u", "round"))),
)
add(
    "fate",
    "the next time {x:them} moves , {y:them} counts as being in {mud}",
    build=lambda m: _then(Lend((m["mud"],), "once")),
)
UP_TO = "[by] up to {r:inch} [each]"
LINE = "in a straight line [{y:anywhere}]"
add("castfv", f"may move {UP_TO} {LINE}", build=lambda m: _then(MoveThem(m["r"], True)))
add("castfv", f"may move {UP_TO} [{{y:anywhere}}]", build=lambda m: _then(MoveThem(m["r"])))
add("fate", f"you may move {{x:them}} {UP_TO} {LINE}", build=lambda m: _then(MoveThem(m["r"], True)))
add("fate", f"[you] may move {{x:them}} {UP_TO} [{{y:anywhere}}]", build=lambda m: _then(MoveThem(m["r"])))
add("healed", "{n:die} wounds", build=lambda m: Heal(*m["n"]))
add("healed", "[up to] {n:num} wounds", build=lambda m: Heal(m["n"]))
add("castfv", "recover {n:healed}", build=lambda m: _then(m["n"]))
add("fate", "(remove|recover) {n:healed} (from|on) {x:them}", build=lambda m: _then(m["n"]))


# markers that friends use
def _by(number: int, block: Any) -> Any:
    """A block for each marker, where the text gives as many as there are markers."""
    if number != BY_VALUE:
        raise ReadingRefused
    return block


PUT = "(place|put)"
add("marks", "(a|1) marker", build=lambda m: 1)
add("marks", "{n:num} markers", build=lambda m: m["n"])
add(
    "fate",
    f"{PUT} {{n:marks}} on {{x:them}} . {{use:markuse}}",
    build=lambda m: _then(PutMarkers(m["n"], *m["use"])),
)
add(
    "item",
    f"[{{s:start}}] {MAY} {PUT} {{n:marks}} on {{p:whom}} . {{use:markuse}}",
    build=lambda m: _picks({**m, "then": _then(PutMarkers(m["n"], *m["use"]))}),
)
add(
    "per",
    "{n:signed} to hit [rolls] [when attacking]",
    build=lambda m: (_by(m["n"], Modifier("hit", 1, who="unit", when=(ATTACK,))),),
)
add(
    "per",
    "+ AP \\( {n:num} \\) [when attacking]",
    build=lambda m: (_by(m["n"], Gets(RuleRef("AP", 1, True), who="unit", when=(ATTACK,))),),
)
EACH_ONE = "(per|for each) [of them|marker] [removed|spent|on it]"
add("per", f"{{v:objs}} {EACH_ONE}", build=lambda m: fill(m["v"], Cond((ATTACK,)), "unit"))
same("markers", {"(markers|its markers|any of its markers|markers on it) [when attacking it]": None})
same("markers", {"markers from (it|their target) [(before|when) attacking [it]]": None})
add(
    "markuse",
    "friendly units may (spend|remove) {x:markers} to get {per}",
    build=lambda m: (m["per"], True),
)
add("markuse", "friendly units get {per} [against] it", build=lambda m: (m["per"], False))
add(
    "markuse",
    "friendly units get {v:objs} against {x:them} (per|for each) [of its|of the] marker [on it]",
    "friendly units {how:attackers} {x:them} get {v:objs} (per|for each) [of its|of the] marker [on it]",
    build=lambda m: (fill(m["v"], Cond((ATTACK,)), "unit"), False),
)
same("attackers", {"(attacking|that attack|when attacking)": None})
