"""Phrases for units that are picked, and what happens to them; spells are picks, too."""

from __future__ import annotations

from typing import Any, Literal

from msgspec.structs import replace

from shieldwall.core.blocks import (
    BY_VALUE,
    BeFatigued,
    Block,
    Blocks,
    Gets,
    Heal,
    InTerrain,
    Lend,
    Modifier,
    MoveThem,
    Picks,
    PutMarkers,
    RuleRef,
    TakeHits,
    TakeTest,
)
from shieldwall.rules.reading.grammar import Build, Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import ATTACK, Cond, fill

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

Then = tuple[Blocks, int]
"""What happens to those who were picked, and the die that must be rolled first (0 for none)."""

ONCE = "once [\\( [the] next time [(the effect|this effect|it|they) would apply] \\)]"
HITS = "{n:num} hit [with {rules}]"
REACH = "within {d:inch} [of (it|this model|the caster)]"
SEEN = "within {d:inch} [and] in [its] line of sight [of (it|this model|the caster|the bearer)]"

# when and how often, who may be picked
same(
    "often",
    {
        "once (per|each|an|in each|during each|during its) activation": "activation",
        "once (per|each|a|in each) round": "round",
        "once (per|each|a|in each) game": "game",
    },
)
same(
    "moment",
    {
        "before attacking": "before attacking",
        "before (it|this model|this unit) attacks": "before attacking",
        "when (this model|it|this unit|the bearer) is activated": "activated",
        "when activated": "activated",
        "at the start of (this model's|its|this unit's) activation": "activated",
        "when (this model|it|this unit) is activated , before attacking": "before attacking",
        "during (this model's|its|this unit's) activation": "activation",
    },
)
add(
    "start", "{o:often} [,] {at:moment} [,]", "{at:moment} , {o:often} [,]", build=lambda m: (m["o"], m["at"])
)
add("start", "{o:often} [,]", build=lambda m: (m["o"], "activation"))
add("start", "{at:moment} [,]", build=lambda m: ("activation", m["at"]))
same(
    "until",
    {
        ONCE: "once",
        "until the end of the round": "round",
        "until the end of this round": "round",
        "[for] this round": "round",
        "for (the|one) round": "round",
        "until the end of (the|its|this) activation": "activation",
        "until (its|their|the unit's|the unit) next activation": "next activation",
        "until the end of the game": "game",
        "for the rest of the game": "game",
        "the next time [(it|they) (attack|moves)]": "once",
    },
)
add("count", "[up to] {n:num}", build=lambda m: m["n"])
add("count", "(a|an)", build=lambda m: 1)
same("others", {"other": True})
same("side", {"friendly": "friend", "enemy": "enemy"})
same("piece", {"unit": "unit", "model": "model", "hero": "hero"})
same("party", {"friend": "friend", "enemy": "enemy"})
WHOM = "pick {n:count} [{o:others}] {side} {what:piece}"
PARTY = "pick {n:count} [{o:others}] {side:party}"
add(
    "picked",
    f"{WHOM} {REACH} [with {{rule:rulename}}]",
    f"{WHOM} with {{rule:rulename}} within {{d:inch}}",
    f"{PARTY} {REACH}",
    build=dict,
)
add("picked", f"{WHOM} {SEEN}", f"{PARTY} {SEEN}", build=lambda m: {**m, "sight": True})


# the whole rule
def _picks(m: Caught) -> Blocks:
    p = m["p"]
    often, at = m.get("s", ("", ""))
    then, need = m["then"]
    kind = p.get("what", "unit")
    what: Literal["unit", "model"] = "unit" if kind == "unit" else "model"
    rule = "Hero" if kind == "hero" else p.get("rule", "")
    sight, others = p.get("sight", False), p.get("o", False)
    return (Picks(then, p["side"], what, p["n"], p["d"], sight, rule, need, at, often, others),)


MAY = "[(you|this model|it|the bearer|this unit) may]"
add("item", f"[{{s:start}}] {MAY} {{p:picked}} [,] {{then}}", build=_picks)


def _at_once(then: Build) -> Build:
    """Picks where nobody is said to pick, or where what happens comes first."""

    def build(m: Caught) -> Blocks:
        often, at = m.get("s", ("", ""))
        block = then(m)[0][0]
        return (Picks((block,), m["side"], m.get("what", "unit"), m["k"], m["d"], at=at, often=often),)

    return build


# what happens to them: effects
def _lent(m: Caught) -> Then:
    cond = m["c"] if "c" in m else Cond(m.get("how", ()))
    return (Lend(fill(m["v"], cond, "unit"), m.get("u", "round")),), 0


def _marked(m: Caught) -> Then:
    lent = _lent(m)[0][0]
    return (replace(lent, against=True),), 0


def _just(block: Block) -> Then:
    return (block,), 0


WHICH = (
    "(which|who|that|and it|and they|and each [of them]|. it|. they|. each|. each of them|, it|, they|. that unit"
    "|. those units|. the unit|. that model|. the picked unit|. each of those units|; it|; they|, that unit"
    "|each of which|and that unit|and those units|; that unit|; each of them)"
)
UNITS = "{k:count} ({side} unit|{side:party}) within {d:inch} [of (it|this model|the caster|the bearer)]"
MODELS = "{k:count} {side} model within {d:inch} [of (it|this model|the caster|the bearer)]"
FRIENDS = "friendly units get {v:objs}"
add(
    "then",
    f"{WHICH} {{v:vps}} [{{u:until}}]",
    f"{{u:until}} {WHICH} {{v:vps}}",
    "(. it|. they|. that unit|; it) {u:until} {v:vps}",
    "[.|and|,|;] {u:until} , (it|they|that unit|those units) {v:vps}",
    build=_lent,
)
add("nextdeed", "the next time (it|that unit|they) {does}", build=lambda m: m["does"])
add(
    "then",
    "(.|and|,|;) {how:nextdeed} [,] (it|they) {v:vps}",
    f"{WHICH} [may] {{v:vps}} {{how:nextdeed}}",
    build=lambda m: _lent({**m, "u": "once"}),
)
add("item", f"{{s:start}} {UNITS} {{v:vps}} [{{u:until}}]", build=_at_once(_lent))
add(
    "item",
    f"{{s:start}} {UNITS} [may] {{v:vps}} {{how:nextdeed}}",
    build=_at_once(lambda m: _lent({**m, "u": "once"})),
)
add(
    "item",
    f"{{s:start}} give {{v:objs}} to {UNITS} {{u:until}}",
    f"{UNITS} {{v:vps}} {{u:until}}",
    f"[{{s:start}}] {{u:until}} , {UNITS} {{v:vps}}",
    build=_at_once(_lent),
)
add(
    "then",
    f"which {FRIENDS} [{{c:conds}}] against [it|them] [{{u:until}}]",
    f"which {FRIENDS} against [it|them] [{{c:conds}}] [{{u:until}}]",
    f"[and|.] {FRIENDS} [{{c:conds}}] (against|when attacking) (it|them) [{{u:until}}]",
    f"[and|.] {FRIENDS} when {{how}} (it|them) [{{u:until}}]",
    f"[and|.] {{u:until}} {FRIENDS} when {{how}} (it|them)",
    f"against which {FRIENDS} [{{c:conds}}] [{{u:until}}]",
    "(.|and|,) friendly units {how} (it|them) get {v:objs} [{u:until}]",
    build=_marked,
)
add(
    "then",
    "(.|and|,|;) the next friendly unit {how} it get {v:objs}",
    "(.|and|,|;) friendly units get {v:objs} against (it|them) the next time they {how:does} (it|them)",
    build=lambda m: _marked({**m, "u": "once"}),
)


# what happens to them: hits and wounds
def _struck(m: Caught) -> Then:
    return (TakeHits(m["n"], m.get("rules", ())),), 0


def _wounded(m: Caught) -> Then:
    return (TakeHits(0, (), m["n"]),), 0


same("permits", {"(as many dice as hits|one die per hit|one die for each hit)": None})
same(
    "checked",
    {
        "roll {p:permits} (to see|and see) if it triggers": None,
        "roll {p:permits} (to see|and see) if on rolls of {f:faces} effects trigger": None,
    },
)
CHECKED = "[. {k:checked}] [\\( {k:checked} \\)]"
add(
    "then",
    f"{WHICH} [each] (take|get) {HITS} [each] {CHECKED}",
    f"(and|.|;|,) deal {HITS} (to|on) (it|each [of them]|them)",
    build=_struck,
)
add("then", f"{WHICH} take {{n:num}} wound [each]", build=_wounded)
ROLL = "(and|.) roll (a|one) die . on a {need} [,]"
add("then", f"{ROLL} {{then}}", build=lambda m: (m["then"][0], m["need"]))
add(
    "then",
    f"{ROLL} (it|each of them) take {{n:num}} wound",
    build=lambda m: (_wounded(m)[0], m["need"]),
)
add("then", f"{ROLL} (it|each of them) take {HITS}", build=lambda m: (_struck(m)[0], m["need"]))
add(
    "item",
    f"[{{s:start}}] {UNITS} [each] (take|get) {HITS} [each]",
    f"[{{s:start}}] {MAY} deal {HITS} (to|on) [each of] {UNITS}",
    build=_at_once(_struck),
)
add(
    "item",
    f"[{{s:start}}] {MODELS} [each] (take|get) {HITS} [each]",
    f"[{{s:start}}] {MAY} deal {HITS} (to|on) [each of] {MODELS}",
    build=lambda m: _at_once(_struck)({**m, "what": "model"}),
)

# what happens to them: tests
same("test", {"morale": "morale", "dangerous terrain": "dangerous"})
same("anywhere", {"in any direction": None})
same(
    "fate",
    {
        "(it becomes|they become|it counts as|they count as|it is|they are) fatigued": (
            BeFatigued("fatigued"),
        ),
        "(it becomes|they become|it is|they are) shaken": (BeFatigued("shaken"),),
    },
)
MOVE = "you may move (it|them) [by] up to {d:inch}"
add("fate", f"{MOVE} in a straight line [{{x:anywhere}}]", build=lambda m: (MoveThem(m["d"], True),))
add("fate", f"{MOVE} [{{x:anywhere}}]", build=lambda m: (MoveThem(m["d"]),))
add("fate", f"(it|they) take {HITS}", build=lambda m: _struck(m)[0])
add("fate", "(it|they) take {n:num} wound", build=lambda m: _wounded(m)[0])
add("fate", "(it|they) {v:vps} [{u:until}]", build=lambda m: _lent(m)[0])


def _tested(m: Caught) -> Then:
    if "fate" not in m and m["test"] == "morale":
        raise ReadingRefused  # a morale test without a word on what failing does
    return (TakeTest(m["test"], m.get("fate", ())),), 0


TEST = "[immediately] take a {test} test"
FAILED = "(.|,|;) [and] if [it is|it|they|the test is] (failed|fail|fails) [,] {fate}"
add(
    "then",
    f"{WHICH} must {TEST} [{FAILED}]",
    f"{WHICH} {TEST} {FAILED}",
    build=_tested,
)
add(
    "then",
    f"{WHICH} must {TEST} [,] and take {HITS} if (it|they) fails",
    build=lambda m: _tested({**m, "fate": _struck(m)[0]}),
)
add("then", "(which|. it) take a dangerous terrain test", build=lambda m: _just(TakeTest("dangerous")))

# what happens to them: terrain, moves, healing
same("mud", {"difficult terrain": InTerrain("difficult"), "dangerous terrain": InTerrain("dangerous")})
add(
    "then",
    f"{WHICH} count as being in {{mud}} [{{u:until}}]",
    build=lambda m: _just(Lend((m["mud"],), m.get("u", "round"))),
)
add(
    "then",
    "(.|and|,|;) the next time it moves , it counts as being in {mud}",
    build=lambda m: _just(Lend((m["mud"],), "once")),
)
add(
    "then",
    f"{WHICH} may [immediately] move [by] up to {{d:inch}}",
    f". {MOVE}",
    build=lambda m: _just(MoveThem(m["d"])),
)
HEALED = "(which|. it|and it|. that model) recover"
add(
    "then",
    "(and|.|,) (remove|recover) {n:die} wounds (from|on) (it|them)",
    f"{HEALED} {{n:die}} wounds",
    build=lambda m: _just(Heal(*m["n"])),
)
add(
    "then",
    "(and|.|,) (remove|recover) [up to] {n:num} wounds (from|on) (it|them|each [of them])",
    f"{HEALED} [up to] {{n:num}} wounds",
    build=lambda m: _just(Heal(m["n"])),
)


add(
    "item",
    f"[{{s:start}}] {MAY} (remove|recover) [up to] {{n:num}} wounds (from|on) {MODELS}",
    build=lambda m: _at_once(lambda m: _just(Heal(m["n"])))({**m, "what": "model"}),
)
add(
    "item",
    f"[{{s:start}}] {MAY} (remove|recover) {{n:die}} wounds (from|on) {MODELS}",
    build=lambda m: _at_once(lambda m: _just(Heal(*m["n"])))({**m, "what": "model"}),
)
add(
    "item",
    f"[{{s:start}}] {UNITS} count as being in {{mud}} [{{u:until}}]",
    build=_at_once(lambda m: _just(Lend((m["mud"],), m.get("u", "round")))),
)


# markers that friends use
def _by(number: int, block: Any) -> Any:
    """A block for each marker, where the text gives as many as there are markers."""
    if number != BY_VALUE:
        raise ReadingRefused
    return block


add("marks", "place (a|1|one) marker on it", build=lambda m: 1)
add("marks", "place {n:num} markers on it", build=lambda m: m["n"])
add("then", "[and] {n:marks} . {use:markuse}", build=lambda m: _just(PutMarkers(m["n"], *m["use"])))
add(
    "per",
    "{n:signed} to hit rolls [when attacking]",
    build=lambda m: (_by(m["n"], Modifier("hit", 1, who="unit", when=(ATTACK,))),),
)
add(
    "per",
    "+ AP \\( {n:num} \\) [when attacking]",
    build=lambda m: (_by(m["n"], Gets(RuleRef("AP", 1, True), who="unit", when=(ATTACK,))),),
)
same("markers", {"(markers|its markers|any of its markers|markers on it) [when attacking it]": None})
add(
    "markuse",
    "friendly units may (spend|remove) {x:markers} to get {per}",
    build=lambda m: (m["per"], True),
)
add("markuse", "friendly units get {per} [against] it", build=lambda m: (m["per"], False))
