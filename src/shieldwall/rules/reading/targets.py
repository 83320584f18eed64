"""Phrases for what is said of a target: in a clause of its own, or behind the noun."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.blocks import When, Whens
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import STRUCK_BACK, Cond, all_of, negated

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

ENEMY = "[a|an|any|all|each|those] [other] [enemy] (unit|enemy|model|target)"
TARGET = "(the|its|their|this model's|this unit's) (target|enemy|enemy unit|target unit|target's unit|defender|victim)"
AS_LONG = "(if|when|while|as long as|provided|provided that|so long as)"
HAS = "(get|contains|contain|includes|include)"
IN_IT = "[in it|in them|among its models|among them]"


def _targets_in(m: Caught) -> Whens:
    return (replace(When(), **{f"target_{m['state']}": True}),)


def _denied(m: Caught) -> Whens:
    return negated(Cond(m["w"])).whens


# what a target is or has
add("targetis2", "{state}", build=_targets_in)
add("targetis2", "{far}", build=lambda m: m["far"])
add("targetwas", "{one:targetis2}", build=lambda m: m["one"])
add("targetwas", "{one:targetis2} and {two:targetwas}", build=lambda m: all_of((m["one"], m["two"])))
add("targetwas", "{one:targetis2} or {two:targetwas}", build=lambda m: (*m["one"], *m["two"]))
same(
    "targetis2",
    {
        "(in cover|in cover terrain|behind cover|protected by cover)": (When(in_cover=True),),
        "[a|an] (hero|heroes|heroe)": (When(target_rule="Hero"),),
    },
)
ROUND = "[in|during] [this|the] [round|turn]"
same(
    "targetdoes",
    {f"get [already] (been activated|activated|acted) [already] {ROUND}": (When(target_activated=True),)},
)
same("targetdoes", {f"[already] (activated|acted) [already] {ROUND}": (When(target_activated=True),)})
same(
    "targetdoes",
    {
        f"get not [yet] (been activated|activated|acted) [yet] {ROUND}": (When(target_activated=False),),
        f"(hasn't|haven't) [yet] (been activated|activated|acted) [yet] {ROUND}": (
            When(target_activated=False),
        ),
        f"is yet to (activate|act|be activated) {ROUND}": (When(target_activated=False),),
    },
)
add("targetdoes", "(is|was|were) [currently|already|still] {w:targetwas}", build=lambda m: m["w"])
add("targetdoes", "(is not|isn't|aren't|was not|wasn't) {w:targetis2}", build=_denied)
add("targetdoes", "get {b:bands}", build=lambda m: m["b"])
add(
    "targetdoes",
    "(doesn't have|does not have|do not have|don't have|lacks|lack|get no) {rule:rulename}",
    build=lambda m: (When(target_without=m["rule"]),),
)
add(
    "targetdoes",
    f"{HAS} (a|an|any|at least 1) {{rule:rulename}} {IN_IT}",
    f"{HAS} (a|an|any|at least 1) (unit|model) with {{rule:rulename}}",
    build=lambda m: _somebody_with(m["rule"]),
)
same(
    "targetdoes",
    {
        "get [already|previously] been wounded [already]": (When(target_wounded=True),),
        "get [already] (lost|taken) [any|at least 1|1 or more] (model|wound) [already]": (
            When(target_wounded=True),
        ),
    },
)
add("targetdoes", "{f:strength}", build=lambda m: (_theirs(m["f"]),))
OWN_NUMBER = (
    "(its own|their own|it|they|them|this unit|this model's unit|it does|it has|it get|this unit get)"
)
same(
    "targetdoes",
    {
        f"get more models than {OWN_NUMBER}": (When(outnumbers=False),),
        f"get (fewer|less) models than {OWN_NUMBER}": (When(outnumbers=True),),
        f"outnumber {OWN_NUMBER}": (When(outnumbers=False),),
    },
)
same(
    "targetdoes",
    {
        "[has] (charged|charge) (it|them|this unit|this model) [this turn|this round|this activation]": (
            STRUCK_BACK,
        )
    },
)


def _either_defense(one: int, two: int) -> Whens:
    if two == one + 1:
        return (When(target_defense=(one, two)),)
    return tuple(When(target_defense=(defense, defense)) for defense in (one, two))


def _refused() -> Whens:
    raise ReadingRefused


def _theirs(fields: dict[str, object]) -> When:
    if "outnumbers" in fields:
        raise ReadingRefused
    return replace(When(), **{f"target_{name}": value for name, value in fields.items()})


def _somebody_with(rule: str) -> Whens:
    """A unit that has a model with a rule in it: those are heroes, which lead other models."""
    if rule.casefold() not in ("hero", "caster", "wizard"):
        raise ReadingRefused
    return (When(target_rule=rule, target_count="any"),)


add("targetso", "{one:targetdoes}", build=lambda m: m["one"])
add("targetso", "{one:targetdoes} and {two:targetso}", build=lambda m: all_of((m["one"], m["two"])))
add("targetso", "{one:targetdoes} or {two:targetso}", build=lambda m: (*m["one"], *m["two"]))

# bands of Tough and Defense, of which one must fit
add("bands", "{one:band}", build=lambda m: (m["one"],))
add("bands", "{one:band} or {two:bands}", build=lambda m: (m["one"], *m["two"]))
add(
    "bands",
    "[a] Defense [of] {one:need} or {two:need}",
    build=lambda m: _either_defense(m["one"], m["two"]),
)

# a noun with what is said of it
add("foes", f"{ENEMY} (that|which|who) {{w:targetso}}", build=lambda m: m["w"])
add("foes", f"{ENEMY} [currently] {{w:targetqual}}", build=lambda m: m["w"])
add("foes", "[a] Defense [of] {one:need} or {two:need}", build=lambda m: _either_defense(m["one"], m["two"]))
add("foes", "{one:band}", build=lambda m: (m["one"],) if not m["one"].target_rule else _refused())
add("foes", f"{ENEMY} \\( ({{w:targetqual}}|{{w:bands}}) \\)", build=lambda m: m["w"])
add("foes", "{one:target} {w:targetqual}", build=lambda m: all_of(((m["one"],), m["w"])))
add("targetqual", "{far}", build=lambda m: m["far"])
add("targetqual", "with {b:bands}", build=lambda m: m["b"])
add("targetqual", "without {rule:rulename}", build=lambda m: (When(target_without=m["rule"]),))
add(
    "targetqual",
    f"(with|containing|including) (a|an|any|at least 1) {{rule:rulename}} {IN_IT}",
    build=lambda m: _somebody_with(m["rule"]),
)
same(
    "targetqual",
    {
        f"with more models than {OWN_NUMBER}": (When(outnumbers=False),),
        f"with (fewer|less) models than {OWN_NUMBER}": (When(outnumbers=True),),
        f"of (greater|larger|bigger) size than {OWN_NUMBER}": (When(outnumbers=False),),
        "(in cover|in cover terrain|behind cover)": (When(in_cover=True),),
    },
)
add("targetqual", "(with|of) {k:modelcount} models", build=lambda m: (When(target_models=m["k"]),))

# the same as a condition
add(
    "cond",
    f"{AS_LONG} {TARGET} {{w:targetso}}",
    f"{AS_LONG} (its|their) target is {ENEMY} (that|which|who) {{w:targetso}}",
    build=lambda m: Cond(m["w"], "", True),
)
add("cond", f"unless {TARGET} {{w:targetso}}", build=lambda m: negated(Cond(m["w"], "", True)))
add("cond", "(on|at|to) {target:foes}", build=lambda m: Cond(m["target"], "", True))
