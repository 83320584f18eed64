"""Phrases for what happens from round to round: markers that are collected, and nerve."""

from __future__ import annotations

from shieldwall.core.blocks import Blocks, Grows, NoRetreat, Recovers, Rescued
from shieldwall.rules.reading.grammar import Caught, Phrases
from shieldwall.rules.reading.meaning import fill, join

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same

# markers
add("most", "\\( up to a max of {n:signed} \\)", build=lambda m: abs(m["n"]))
add("most", "[,|\\(] max {n:num} [\\)]", build=lambda m: m["n"])
add("most", "[,] [up] to a max of {n:signed}", build=lambda m: abs(m["n"]))
add("most", "[,|\\(] (at most|up to) {n:num} [{token}|times] [\\)]", build=lambda m: m["n"])
add(
    "most",
    "[,|\\(] (at most|[up] to|up to [a] max [of]|max) {n:signed} [in total] [\\)]",
    "[,|\\(] [up] to [a] max [of] {n:num} [{token}] [\\)]",
    build=lambda m: abs(m["n"]),
)
add(
    "most",
    "[,|\\(] (at most|[up] to|to a max of|max) AP \\( {n:signed} \\) [\\)]",
    build=lambda m: abs(m["n"]),
)
add(
    "permarker",
    "(for each|per) [(of its|of these|of those)] {token} [(it has|on it|it get|they have)]",
    build=lambda m: None,
)
same("ontable", {"(if|while) (it's|it is) on the table": None})
same("started", {"starting (on|in) the round after which it deployed": None})
same("started", {"but not in the round in which it deployed": None})
same(
    "firstround",
    {"counting (start of|before) game deployment": None, "[as] deploying on the first round": None},
)
same(
    "growth",
    {
        "at the end of (each|the|a|any) round [{x:ontable}]": ("round ends", False),
        "at the start of (each|the|a|any) round": ("round begins", False),
        "at the start of each round , {x:started} [\\( {a:firstround} {b:firstround} \\)]": (
            "round begins",
            True,
        ),
        "(when|each time) {who:bearer} [fully] destroys [an] enemy unit": ("destroys a unit", False),
        "(when|each time) {who:bearer} (charges|has charged|declares a charge)": ("charges", False),
        "(when|each time|for each time) {who:bearer} ignores (a|1|any) wound": ("ignores a wound", False),
        "(when|each time|for each time) (a|1|one of its) wound is ignored [by {who:bearer}]": (
            "ignores a wound",
            False,
        ),
        "for each wound [that] {who:bearer} ignores": ("ignores a wound", False),
    },
)
PLACE = "(place {n:marker} on {on:bearer}|{on:bearer} gets {n:marker})"
add("marker", "(a|an|1) {token}", build=lambda m: None)
add("grows", f"{PLACE} {{at:growth}}", f"{{at:growth}} [,] {PLACE}", build=lambda m: m["at"])
add(
    "grows",
    f"at the end of (each|the|a|any) round , {PLACE} {{x:ontable}}",
    build=lambda m: ("round ends", False),
)
add("lost", ". if {who:bearer} is ever shaken , it loses [all] {x:itsmarkers}", build=lambda m: True)
same("itsmarkers", {"its markers": None, "[all] [of] (its|the|these) markers": None})
same("untilend", {"until the end of the game": None})
add("everyone", "[if] all [of] [its] models [in it] have this rule", build=lambda m: "all")


def _grows(m: Caught) -> Blocks:
    at, after = m["g"]
    cond = join([m[key] for key in ("c", "f") if key in m])
    blocks = fill(m["v"], cond, m.get("all", "model"))
    return (Grows(blocks, at, m.get("most", 0), m.get("lost", False), after, m.get("all", "unit")),)


GIVEN = "[{s:bearer}] get {v:objs} [{c:conds}]"
TAIL = "[{x:untilend}] [{most}] [{lost}]"
add(
    "item",
    f"{{g:grows}} . for each marker , {GIVEN} {TAIL}",
    f"{{g:grows}} [{{most}}] (.|,|and|, and|;) {GIVEN} {{p:permarker}} {TAIL}",
    f"{{g:grows}} [{{most}}] (.|,|and|, and|;) {{p:permarker}} [,] {GIVEN} {TAIL}",
    f"{{g:grows}} [{{most}}] (.|,|and|, and|;) {{f:front}} {GIVEN} {{p:permarker}} {TAIL}",
    f"{{g:grows}} [{{most}}] (.|,|and|, and|;) each (marker|one|of them) (adds|gives|grants|add|give|grant|bring)"
    f" [{{s:bearer}}] {{v:objs}} [{{c:conds}}] {TAIL}",
    f"{{g:grows}} . if {{all:everyone}} , for each marker {{v:enemies}} {TAIL}",
    build=_grows,
)

# shaken units and failed tests
ENDS = "(it stops being shaken|it is no longer shaken|it recovers)"
BEGINS = "at the start of (the|a|each) round"
WHILE_SHAKEN = f"((if|when) {{who:bearer}} is shaken {BEGINS}|{BEGINS} , if {{who:bearer}} is shaken)"
add(
    "item",
    f"{WHILE_SHAKEN} , roll one die . on a {{on:need}} [,] {ENDS}",
    f"{WHILE_SHAKEN} , on a {{on:need}} {ENDS}",
    f"((if|when) shaken {BEGINS}|{BEGINS} , if shaken) , [it|this unit|this model] [may] roll one"
    f" die . on a {{on:need}}"
    " [,] {ends}",
    f"{WHILE_SHAKEN} , {ENDS} on a {{on:need}}",
    f"{BEGINS} , {{who:bearer}} [may] (recover|rally|stop being shaken) if shaken (.|:|;|,) on a"
    f" {{on:need}} [,] {ENDS}",
    f"{BEGINS} , {{who:bearer}} [may] (recover|rally|stop being shaken) [if shaken] on a {{on:need}}",
    f"(if|when) shaken {BEGINS} , {{who:bearer}} rolls one die and (recovers|stops being shaken) on a {{on:need}}",
    f"(if|when) shaken {BEGINS} , {{who:bearer}} (recovers|stops being shaken|is no longer shaken) on a {{on:need}}",
    f"a shaken {{who:named}} rolls one die {BEGINS} . on [a] {{on:need}} [,] {ENDS}",
    f"{BEGINS} , roll one die for a shaken {{who:named}} . on a {{on:need}} [,] {ENDS}",
    build=lambda m: (Recovers(m["on"], m.get("who") or "unit"),),
)
same("ends", {f"({ENDS[1:-1]}|no longer shaken|stop being shaken|recover)": None})
add("bled", "{n:num} wound", build=lambda m: (m["n"], 0))
add("bled", "{n:die} wound", build=lambda m: m["n"])
FAILS = "(when|if|each time) {who:bearer} fails a morale test"
INSTEAD = "(it|the test|the morale test|that test) (is|counts as) passed [instead]"
add(
    "item",
    f"{FAILS} , it takes {{w:bled}} [,] (and|but) {INSTEAD}",
    f"{FAILS} , (it passes instead|{INSTEAD}) [,] (and|but) [it] takes {{w:bled}}",
    f"{FAILS} , (it passes instead|{INSTEAD}) . [then] it takes {{w:bled}}",
    build=lambda m: (NoRetreat(0, m["who"] or "most", *m["w"]),),
)
PASSED = "(it|the test|the morale test|that test) ((is|counts as|count as) [being] passed|passes) [instead]"
BY_DIE = "roll one die (.|,|;|:|and) on [a] {on:need} [,]"
add(
    "item",
    f"{FAILS} , [it may|you may] {BY_DIE} ({PASSED}|it passes instead)",
    f"{FAILS} , on [a] {{on:need}} [,] ({PASSED}|it passes instead)",
    f"{FAILS} , ({PASSED}|it passes instead) on [a] {{on:need}} [instead]",
    "[a|any] failed morale test [of|by] {who:bearer} (is|counts as|count as) passed [instead] on [a] {on:need}",
    build=lambda m: (Rescued(m["on"], m["who"] or "most"),),
)
add(
    "item",
    "when {who:bearer} fails a morale test , it passes instead . then roll one die for each"
    " wound it has left , and it takes one wound for each {f:faces}",
    build=lambda m: (NoRetreat(m["f"][1], m["who"] or "most"),),
)
