"""Phrases for units that are picked, as whole rules and spells.

A rule of this kind has up to four parts: when and how often (`times`), whom (`whom`), what happens to them (`then`,
see `fates`) and how long (`lasting`).
"""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.blocks import Blocks, HitDice, Moment, MoveThem, Often, Picks, PutMarkers, TakeHits
from shieldwall.rules.reading.fates import Then, lend, then_of
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.times import start_of, timed

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

TIMES = ("s", "t", "t2", "t3")  # the slots of phrases of time, in all their places


def _picks(m: Caught) -> Blocks:
    p, then = m["p"], m["then"]
    if "a" in m:
        then = m["a"](then)
    often: Often
    at: Moment
    told = timed(*(m[key] for key in TIMES if m.get(key)))
    often, at = start_of(told) if told else ("", "")  # type: ignore[assignment]
    kind = p.get("what", "unit")
    if kind == "hero" and "rule" in p:
        raise ReadingRefused
    if not then.dice and p["n"] != 1:
        raise ReadingRefused  # dice for each model of whom?
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
            without_rule=p.get("without", ""),
        ),
    )


# who picks, and the word for it
same(
    "pickword",
    {
        "pick": None,
        "(pick|point|single|call) out": None,
        "(mark|target|curse|hex|bless|command|order|inspire|entangle|taunt|ward|jinx|haunt|challenge)": None,
        "(encourage|enchant|embolden|intimidate|hinder|weaken|distract|direct|blind|snare|spot|blight)": None,
        "(invigorate|empower|ensnare|terrify|frighten|dazzle|guide|urge|exhort|support|chill|brand|tag)": None,
    },
)
WHO = "(you|this model|it|the bearer|this unit|the caster)"
MAY = f"[[when cast ,] {WHO} [(may|must)] [, {{t2:times}} ,]]"
PICK = f"{MAY} {{w:pickword}} {{p:whom}}"
START = "[{s:times} [,]]"
USE = "(use|usable|used|this may be used|this rule may be used|this may be done|it may be used|may be used)"
# in brackets, or in a sentence of its own
LATER = f"[[,] \\( {{t3:times}} \\)] [{{a:after}}] [(.|,|;) {USE} {{t3:times}}]"
add("item", f"{START} {PICK} [,] [[\\(] {{t:times}} [\\)]] [,] {{then}} {LATER}", build=_picks)
add("item", f"{START} {PICK} {{then}} [,] {{t:times}}", build=_picks)
add(
    "item",
    "{s:times} [,] {p:whom} {then:fvs}",
    f"{{s:times}} [,] {{p:whom}} {{then:fvs}} {LATER}",
    "{p:whom} {then:fvs} [,] {t:times}",
    f"{{s:times}} [,] {{p:whom}} [,] (which|who) {{then:fvs}} {LATER}",
    build=_picks,
)
add(
    "item",
    f"{{p:whom}} {{then:castfvs}} {LATER}",
    f"{{p:whom}} [,] (which|who) {{then:fvs}} {LATER}",
    build=_picks,
)
add("item", "(when cast ,) {p:whom} {then:castfvs}", build=_picks)
add(
    "item",
    f"{START} {{p:everybody}} {{then:castfvs}} {LATER}",
    f"{START} pick {{p:everybody}} {{then}}",
    "{p:everybody} {then:castfvs} [,] {t:times}",
    build=_picks,
)
add("item", "{p:whom} {d:nextmark}", build=lambda m: _picks({**m, "then": m["d"]}))
PUT = f"{MAY} (place|put) {{n:marks}} on {{p:whom}}"
add(
    "item",
    f"{START} {PUT} [,] [{{t:times}}] (.|;) {{use:markuse}}",
    build=lambda m: _picks({**m, "then": then_of(PutMarkers(m["n"], *m["use"]))}),
)


# one die first
def _picked_on(m: Caught) -> Blocks:
    """A die that decides about those who are named after it."""
    if m["then"].need:
        raise ReadingRefused
    (found,) = _picks({**m, "then": replace(m["then"], need=m["need"])})
    return (_as_dice(found) if isinstance(found, Picks) else found,)


def _as_dice(pick: Picks) -> Picks | HitDice:
    """A pick of an enemy that takes hits on a die, as a rule of dice that deal hits."""
    hits = pick.then[0]
    if not isinstance(hits, TakeHits) or replace(pick, reach=0, sight=False) != Picks(
        (TakeHits(hits.hits, hits.rules, hits.wounds),), need=pick.need, at=pick.at, often=pick.often
    ):
        return pick
    return HitDice(
        pick.at,
        pick.need,
        hits=hits.hits,
        wounds=hits.wounds,
        rules=hits.rules,
        reach=pick.reach,
        sight=pick.sight,
        often=pick.often,
    )


def _rolled_for(m: Caught) -> Blocks:
    then: Then = m["then"]
    if m["p"]["n"] != 1:
        raise ReadingRefused  # a die for each of them is not one for all
    return _picks({**m, "then": replace(then, dice=m.get("n", then.dice))})


ONE = "(a|1)"
add(
    "item",
    f"{START} {MAY} roll {ONE} die . on [a] {{need}} [,] {{p:whom}} {{then:castfvs}} {LATER}",
    f"{START} {MAY} roll {ONE} die . on [a] {{need}} [,] {PICK} {{then}} {LATER}",
    build=_picked_on,
)
add(
    "item",
    f"{START} {MAY} roll {ONE} die for {{p:whom}} {{then:decided}} {LATER}",
    f"{START} {MAY} roll {{n:manydice}} for {{p:whom}} {{then:volley}} {LATER}",
    build=_rolled_for,
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

# what happens first, and to whom behind it
FOR = "[[,] {l:lasting}]"
add(
    "item",
    f"{START} {MAY} give {{v:objs}} to {{p:whom}} {FOR} {LATER}",
    f"{START} {{l:lasting}} , {MAY} give {{v:objs}} to {{p:whom}} {LATER}",
    f"{START} {MAY} give {{p:whom}} {{v:objs}} {FOR} {LATER}",
    f"{START} {MAY} give {{p:whom}} {{v:nextsteps}}",
    f"{START} {{l:lasting}} , {{p:whom}} {{v:vps}}",
    f"{START} {{l:lasting}} , {{p:whom}} {{v:faced}}",
    f"{START} {{v:objs}} (to|for) {{p:whom}} {{l:lasting}}",
    build=lambda m: _picks({**m, "then": lend(m)}),
)
add(
    "item",
    f"{START} [the] next time [that] {{p:whom}} {{l:event}} , (it|they|that unit|that model) {{v:vps}}",
    f"{START} when {{p:whom}} next {{l:event}} , (it|they|that unit|that model|its weapons|their weapons) {{v:vps}}",
    build=lambda m: _picks({**m, "then": lend(m)}),
)
add(
    "item",
    f"{START} [the] next time [that] {{p:whom}} {{l:event}} , {{d:softened}}",
    build=lambda m: _picks({**m, "then": m["d"](m["l"])}),
)
DEAL = "[(you|it|this model|this unit|the bearer|the caster|this spell)] [(may|must)] (deal|cause|score|do)"
add(
    "item",
    f"{START} {DEAL} {{h:hits}} (to|on|against) [each of] {{p:whom}} {LATER}",
    f"{START} {DEAL} {{p:whom}} {{h:hits}} {LATER}",
    f"{START} {{h:hits}} (to|on|against) [each of] {{p:whom}} {LATER}",
    f"{START} {DEAL} {{h:hits}} (to|on) {{p:everybody}} {LATER}",
    build=lambda m: _picks({**m, "then": then_of(m["h"])}),
)
add(
    "item",
    f"{START} {MAY} (remove|recover) {{n:healed}} (from|on) {{p:whom}} {LATER}",
    f"{START} {{p:whom}} may recover {{n:healed}} {LATER}",
    build=lambda m: _picks({**m, "then": then_of(m["n"])}),
)
add(
    "item",
    f"{START} {MAY} recover {{p:whom}} [,] (removing|by removing) {{n:healed}} [(from|on) {{x:them}}] {LATER}",
    build=lambda m: _picks({**m, "then": then_of(m["n"])}),
)
add(
    "item",
    f"{START} {MAY} move {{p:whom}} [by] [up to] {{r:inch}} [{{y:anywhere}}] {LATER}",
    build=lambda m: _picks({**m, "then": then_of(MoveThem(m["r"]))}),
)
add(
    "item",
    f"{START} {MAY} (place|put) {{n:marks}} on {{p:whom}} . {{use:markuse}}",
    build=lambda m: _picks({**m, "then": then_of(PutMarkers(m["n"], *m["use"]))}),
)
SIGN = "(a|an|1) (brand|mark|marker|token|curse|hex|rune|sigil)"
add(
    "item",
    f"{START} {MAY} (place|put) {SIGN} on {{p:whom}} (.|,|;|and) {{d:nextmark}}",
    build=lambda m: _picks({**m, "then": m["d"]}),
)
# what is done to whom
DONE = "(warded|blessed|inspired|picked|cursed|hexed|marked|targeted)"
add(
    "item",
    f"{START} {{p:whom}} may be {DONE} [,] [{{t:times}}] {{then}}",
    build=_picks,
)


# the caster's own unit
same("castersunit", {"(the caster's unit|the caster and its unit)": None})
add(
    "item",
    "{me:castersunit} {then:castfvs}",
    build=lambda m: (Picks(m["then"].blocks, "self", need=m["then"].need, at="", often=""),),
)
