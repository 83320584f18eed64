"""Phrases for conditions about a unit's situation: its strength, the round, cover, and who is near."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.blocks import When, Whens
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.meaning import Cond, negated

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

AS_LONG = "(if|when|while|as long as)"
IS = "(is|being)"

# how strong a unit is, said of the bearer or of its target: the names of the fields of a condition, with their values
HALF = "half [of] [its|their] [starting|original|full|initial] (strength|size|model|number|number of model|wound)"
same(
    "strength",
    {
        "is wounded": {"wounded": True},
        "(is not|isn't|aren't) wounded": {"wounded": False},
        "is unwounded": {"wounded": False},
        "(has|have|get) (taken|lost) [a|any|at least 1|1 or more] (wound|model)": {"wounded": True},
        "(has|have|get) (not|no) (taken|lost) [a|any] (wound|model)": {"wounded": False},
        "(hasn't|haven't) (taken|lost) [a|any] (wound|model)": {"wounded": False},
        "(has|have|get) lost half [of] [its|their] [starting] (models|model|strength|size|number) [or more]": {
            "half": True
        },
        f"is [down] (at|to) {HALF} or (less|fewer|below|lower)": {"half": True},
        f"is (at or below|down to) {HALF}": {"half": True},
        f"is [at] (above|over|more than) {HALF}": {"half": False},
        f"(has|have|get) more than {HALF} [left]": {"half": False},
        f"(has|have|get) {HALF} or (less|fewer) [left|models left]": {"half": True},
    },
)
add(
    "modelcount",
    "{n:num} or more",
    "at least {n:num}",
    "{n:num} +",
    build=lambda m: (m["n"], 0),
)
add("modelcount", "{n:need}", build=lambda m: (m["n"], 0))
add("modelcount", "more than {n:num}", build=lambda m: (m["n"] + 1, 0))
add("modelcount", "(over|above) {n:num}", build=lambda m: (m["n"] + 1, 0))
add("modelcount", "{n:num} or (fewer|less)", "at most {n:num}", build=lambda m: (1, m["n"]))
add("modelcount", "(fewer|less) than {n:num}", build=lambda m: _fewer(m["n"]))
add("modelcount", "(only|exactly) {n:num}", build=lambda m: (m["n"], m["n"]))


def _fewer(number: int) -> tuple[int, int]:
    if number < 2:
        raise ReadingRefused
    return (1, number - 1)


add(
    "strength",
    "(has|have|get|consist of|count|contain) {k:modelcount} model [left]",
    build=lambda m: {"models": m["k"]},
)
same("rival", {"(its|the|their) (target|enemy|target unit|enemy unit)": None})
same(
    "versus",
    {
        "outnumber {x:rival}": {"outnumbers": True},
        "(has|have|get) more models than {x:rival}": {"outnumbers": True},
        "is outnumbered [by {x:rival}]": {"outnumbers": False},
        "(has|have|get) (fewer|less) models than {x:rival}": {"outnumbers": False},
    },
)


def _bearer_so(m: Caught) -> Cond:
    fields = m["f"]
    return Cond((replace(When(), **fields),), m.get("who", ""), "outnumbers" in fields)


add(
    "cond",
    f"{AS_LONG} {{who:bearer}} {{f:strength}}",
    f"{AS_LONG} {{who:bearer}} {{f:versus}}",
    build=_bearer_so,
)
add(
    "cond",
    f"{AS_LONG} there (is|are) {{k:modelcount}} model [left] in {{who:bearer}}",
    build=lambda m: _bearer_so({"f": {"models": m["k"]}, "who": m["who"]}),
)
same("barestrength", {"wounded": {"wounded": True}, "unwounded": {"wounded": False}})
same("barestrength", {"outnumbered": {"outnumbers": False}, "outnumbering {x:rival}": {"outnumbers": True}})
same(
    "barestrength",
    {f"[at] {HALF} or (less|below|lower|fewer)": {"half": True}, f"at or below {HALF}": {"half": True}},
)
same("barestrength", {f"above {HALF}": {"half": False}})
add("cond", f"{AS_LONG} {{f:barestrength}}", build=_bearer_so)
add("cond", "(once|after) {who:bearer} {f:strength}", build=_bearer_so)
add("cond", "{f:reduced}", build=_bearer_so)
same("reduced", {f"[once] (reduced|down) to {HALF} [or (less|fewer|below) [model]]": {"half": True}})


# the same of a target
def _theirs(fields: dict[str, object]) -> When:
    if "outnumbers" in fields:
        raise ReadingRefused
    return replace(When(), **{f"target_{name}": value for name, value in fields.items()})


FOE = "[a|an|any] [enemy] (unit|enemy|model|target)"
add(
    "target",
    f"{FOE} (that|which|who) {{f:strength}}",
    "[a|an] {f:barestrength} [enemy] (unit|enemy|model|target)",
    build=lambda m: _theirs(m["f"]),
)
add("modelcount2", "{n:num} models or more", "at least {n:num} models", build=lambda m: (m["n"], 0))
add("modelcount2", "{n:num} models or (fewer|less)", build=lambda m: (1, m["n"]))
add("target", f"{FOE} (with|of|that get) {{k:modelcount2}}", build=lambda m: When(target_models=m["k"]))
add("target", f"{FOE} (with|of) {{k:modelcount}} models", build=lambda m: When(target_models=m["k"]))
add(
    "cond",
    f"{AS_LONG} (the|its|their) target [unit] {{f:strength}}",
    build=lambda m: Cond((_theirs(m["f"]),), "", True),
)

# other rules of the bearer
add(
    "cond",
    f"{AS_LONG} {{who:bearer}} get [the] {{rule:rulename}} [rule]",
    f"{AS_LONG} {{who:bearer}} already get [the] {{rule:rulename}} [rule]",
    build=lambda m: Cond((When(own_rule=m["rule"]),), m["who"]),
)

# rounds
ARRIVES = (
    "(be deployed via Ambush|arrives|is deployed|deploys|comes in|comes on|enters)"
    " [(from|via|by|out of|using) (Ambush|reserve|hiding)]"
)
add(
    "cond",
    f"(on|in|during) [the] round [(in|on) which|when|that|where] {{who:bearer}} {ARRIVES}",
    "(on|in|during) (its|their|the) round of arrival",
    build=lambda m: Cond((When(arrived=True),), m.get("who", "")),
)
same(
    "ordinal",
    {
        "first": 1,
        "1st": 1,
        "second": 2,
        "2nd": 2,
        "third": 3,
        "3rd": 3,
        "fourth": 4,
        "4th": 4,
        "last": 4,
        "final": 4,
    },
)
ROUND = "[game] round [of the game]"
add(
    "rounds",
    f"(in|during|on) the {{n:ordinal}} {ROUND}",
    "(in|during) round {n:num}",
    build=lambda m: (m["n"], m["n"]),
)
add(
    "rounds",
    f"(in|during) the first {{n:num}} {ROUND}",
    f"until the end of the {{n:ordinal}} {ROUND}",
    "until the end of round {n:num}",
    build=lambda m: (1, m["n"]),
)
add(
    "rounds",
    f"(from|starting (in|from|with)) the {{n:ordinal}} {ROUND} (on|onward|onwards)",
    "(from|starting (in|from|with)) round {n:num} (on|onward|onwards)",
    build=lambda m: (m["n"], 0),
)
add(
    "rounds",
    f"(starting|beginning) (in|from|with) the {{n:ordinal}} {ROUND}",
    "(starting|beginning) (in|from|with) round {n:num}",
    build=lambda m: (m["n"], 0),
)
add("rounds", f"after the {{n:ordinal}} {ROUND}", "after round {n:num}", build=lambda m: (m["n"] + 1, 0))
add("cond", "{r:rounds}", build=lambda m: Cond((When(rounds=m["r"]),)))

# cover: of whoever is attacked
IN_COVER = "(in cover|in cover terrain|behind cover)"
COVERED = When(in_cover=True)
add(
    "cond",
    f"{AS_LONG} [most [of]] {{who:bearer}} is {IN_COVER}",
    f"{AS_LONG} most of {{who:possessor}} models is {IN_COVER}",
    f"{AS_LONG} most [of the] models (in|of) {{who:bearer}} is {IN_COVER}",
    f"{AS_LONG} {IN_COVER}",
    build=lambda m: Cond((COVERED,), m.get("who", ""), voice="passive"),
)
add(
    "cond",
    f"{AS_LONG} (the|its|their) target is {IN_COVER}",
    build=lambda m: Cond((COVERED,), "", True, "active"),
)
add(
    "cond",
    f"against {FOE} [that is|which is] {IN_COVER}",
    build=lambda m: Cond((COVERED,), "", True, "active"),
)


def _at_covered(m: Caught) -> Cond:
    what: Cond = m["what"]
    whens: Whens = tuple(replace(when, in_cover=True) for when in what.whens)
    return replace(what, whens=whens, others=True, voice="active")


add("deed", f"{{what}} [at] {FOE} [that is|which is] {IN_COVER}", build=_at_covered)

# who is near
ENEMY = "(a|an|any|one or more|at least one) enemy [unit|model]"
add(
    "cond",
    f"{AS_LONG} [{{who:bearer}} is] within {{d:inch}} of {ENEMY}",
    build=lambda m: Cond((When(by_enemy=m["d"]),), m.get("who", "")),
)
add(
    "cond",
    f"{AS_LONG} [there is] {ENEMY} [is] within {{d:inch}} [(of|from) {{who:bearer}}]",
    build=lambda m: Cond((When(by_enemy=m["d"]),), m.get("who", "")),
)
add(
    "cond",
    f"{AS_LONG} [there is] no enemy [unit|model] [is] within {{d:inch}} [(of|from) {{who:bearer}}]",
    f"{AS_LONG} {{who:bearer}} get no enemy [unit|model] within {{d:inch}} [of it|of them]",
    f"{AS_LONG} [{{who:bearer}} is] (not|n't|more than) within {{d:inch}} of (a|any) enemy [unit|model]",
    "with no enemy [unit|model] within {d:inch} [of (it|them|this model|this unit)]",
    build=lambda m: negated(Cond((When(by_enemy=m["d"]),), m.get("who", ""))),
)
NOBODY = "(no|no other) friendly (unit|model)"
OF_IT = "[(of|from) {who:bearer}]"
add(
    "cond",
    f"{AS_LONG} {NOBODY} is within {{d:inch}} {OF_IT}",
    f"{AS_LONG} there (is|are) {NOBODY} within {{d:inch}} {OF_IT}",
    f"{AS_LONG} {{who:bearer}} get {NOBODY} within {{d:inch}} [of it|of them]",
    f"{AS_LONG} [{{who:bearer}} is] (not|n't) within {{d:inch}} of (a|any|another) [other] friendly (unit|model)",
    "with no [other] friendly units within {d:inch} [of it|of them]",
    build=lambda m: Cond((When(alone=m["d"]),), m.get("who", "")),
)
