"""The plain sentence: subject, conditions and effects put together."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.blocks import (
    Blocks,
    ListRule,
    When,
)
from shieldwall.rules.reading.grammar import Caught, Phrases
from shieldwall.rules.reading.meaning import OPEN, THEY, Cond, Subject, fill, join

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same


# Subject, conditions and effects put together
def _spoken(m: Caught) -> Blocks:
    subject: Subject = m.get("s", Subject())
    return fill(_of_subject(m["v"], subject.who), Cond(subject.whens), subject.who)


def _of_subject(blocks: Blocks, who: str) -> Blocks:
    """What the subject has, also where a condition behind it speaks of its bearer or its unit."""
    if who not in BEARERS_OF:
        return blocks
    return tuple(
        replace(block, who=who) if getattr(block, "who", "") in BEARERS_OF[who] else block for block in blocks
    )


BEARERS_OF = {
    "weapon": ("model",),
    "model": ("unit",),
    "unit": ("model",),
    "all": ("model", "unit"),
    "most": ("model", "unit"),
}


def _same_bearer(one: Blocks, more: Blocks) -> Blocks:
    """What somebody does, and what follows: it is theirs, too, where nobody else is named."""
    named = {getattr(block, "who", OPEN) for block in one}
    who = named.pop() if len(named) == 1 else OPEN
    return (*one, *(more if who in (OPEN, THEY) else fill(more, Cond(), who)))


add("clause", "{s:subject} {v:vps}", build=_spoken)
add("clause", "{s:subject} {v:faced}", build=_spoken)
add(
    "clause",
    "within {d:inch} , this weapon {v:vps}",
    build=lambda m: fill(m["v"], Cond((When(within=m["d"]),)), "weapon"),
)
add("unnamed", "{v:vps}", build=_spoken)
add("clause", "{v:faced}", build=lambda m: m["v"])
add("clause", "{v:enemies}", build=lambda m: m["v"])
# +1 to hit, and nobody is named; never behind `and`, where a condition at the end goes for all that stands before it
add("bareclause", "{v:objs}", build=lambda m: m["v"])
add("bareclause", "{v:objs} , {c:conds}", build=lambda m: fill(m["v"], m["c"]))
add(
    "bareclause",
    "{v:objs} [{c:conds}] for {who:named} [{d:conds}]",
    build=lambda m: fill(m["v"], join((m.get("c", Cond()), m.get("d", Cond()))), m["who"]),
)
add("front", "{c:conds} [,]", build=lambda m: m["c"])
add("front", "{c:conds} , {more:front}", build=lambda m: join((m["c"], m["more"])))
add(
    "told", "{one:unnamed}", build=lambda m: m["one"]
)  # never behind `and`: it would belong to what stands before
add("told", "{one:unnamed} [,] (and|but) {more:fullclauses}", build=lambda m: (*m["one"], *m["more"]))
add("told", "{one:fullclauses}", build=lambda m: m["one"])
add(
    "fullclauses",
    "{one:clause} [,] (and|but) {more:fullclauses}",
    build=lambda m: _same_bearer(m["one"], m["more"]),
)
add("fullclauses", "{one:clause}", build=lambda m: m["one"])
add("clauses", "{one:told}", "{one:bareclause}", build=lambda m: m["one"])
add("fronted", "{c:front} {v:clauses}", build=lambda m: fill(m["v"], m["c"]))  # holds for all of them
add("fronts", "{one:fronted} ; [and|but] {more:fronts}", build=lambda m: _same_bearer(m["one"], m["more"]))
add("fronts", "{one:fronted} [,] (and|but) {more:fronts}", build=lambda m: _same_bearer(m["one"], m["more"]))
add("fronts", "{one:fronted}", build=lambda m: m["one"])
add("parts", "{one:fronts}", build=lambda m: m["one"])
add("parts", "{one:clauses} ; [and|but] {more:fronts}", build=lambda m: _same_bearer(m["one"], m["more"]))
add("parts", "{one:clauses} [,] (and|but) {more:fronts}", build=lambda m: _same_bearer(m["one"], m["more"]))
add("parts", "{one:clauses}", build=lambda m: m["one"])
same("onceper", {"once (per|in an|in each) army": None})
add("sentence", "{parts}", build=lambda m: m["parts"])
add(
    "sentence",
    "[(this unit|this model|it)] may (only be taken|be taken only) {o:onceper}",
    build=lambda m: (ListRule(1),),
)

# what somebody has, and that it lasts as long as its bearer, as everything does
add(
    "item",
    "{v:sentence}",
    "{v:parts} [,] {y:mylife}",
    build=lambda m: m["v"],
)
