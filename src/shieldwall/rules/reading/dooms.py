"""Phrases for what happens to units that were picked after a die or a test, and for what changes their state."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.blocks import BeFatigued, Gets, Heal, InTerrain, Lend, MoveThem, Rally, TakeTest
from shieldwall.rules.reading.fates import Then, lend, then_of
from shieldwall.rules.reading.grammar import Caught, Phrases, ReadingRefused
from shieldwall.rules.reading.lasting import lasting_of
from shieldwall.rules.reading.meaning import open_block

PHRASES = Phrases()
add, same = PHRASES.add, PHRASES.same


# dice that decide
def _rolled(m: Caught) -> Then:
    then: Then = m["d"]
    if then.need:
        raise ReadingRefused
    return replace(then, need=m["need"])


def _volley(m: Caught) -> Then:
    return Then((m["h"],), m["need"], m.get("n", 0))


ONE_DIE = "roll (a|1) die"
add("fate", f"{ONE_DIE} [for {{x:them}}] {{d:decided}}", build=lambda m: m["d"])
IF_IT_IS = "(.|,|and|;|:) [and] [if (it|the result|the roll|that) is] [on] [a] {need} [or more] [,]"
add("decided", f"{IF_IT_IS} {{d:fates}}", build=_rolled)
add("decided", "(.|,|and) {x:them} {d:castfv} on [a] {need}", build=_rolled)

# dice each of which deals hits
add("manydice", "{n:num} (die|dice)", build=lambda m: m["n"])
PER_MODEL = "(for each|per) model in (it|the unit|that unit|the target|them)"
add("manydice", f"(1|a) die {PER_MODEL}", build=lambda m: 0)
add("manydice", "as many dice as (it has models|there is model in it)", build=lambda m: 0)
add(
    "manydice",
    "[a number of] dice equal to (the|its) number of model [in it|in that unit|in the unit|it has]",
    build=lambda m: 0,
)
add("fate", "roll {n:manydice} [for {x:them}] {d:volley}", build=lambda m: replace(m["d"], dice=m["n"]))
LINKED = "(.|,|and|;|:)"
EACH = "[and] [for|on] each [roll of|result of|die that rolls|roll] [a] {need} [or more] [,]"
add(
    "volley",
    f"{LINKED} {EACH} {{x:them}} (take|lose) {{h:hits}}",
    f"{LINKED} {{x:them}} (take|lose) {{h:hits}} (for each|per) [roll of|result of] [a] {{need}}",
    f"{LINKED} {EACH} (deals|causes|is|scores) {{h:hits}} [(to|on) {{x:them}}]",
    f"{LINKED} {EACH} (it|this model|the caster|you) deals {{h:hits}} (to|on) {{x:them}}",
    build=_volley,
)

# tests
same("test", {"morale": "morale", "dangerous terrain": "dangerous"})
same("anywhere", {"in any direction": None})
SHAKEN = Then((BeFatigued("shaken"),))


def _tested(m: Caught) -> Then:
    """A test with what follows from failing it: that it is shaken, where nobody says anything else."""
    failed: Then = m.get("d") or (SHAKEN if m["test"] == "morale" else Then(()))
    if failed.need or (m.get("n", 0) and m["test"] != "morale"):
        raise ReadingRefused
    return then_of(TakeTest(m["test"], failed.blocks, m.get("n", 0)))


TO_IT = "[to [(the|its|that)] (roll|result|test)]"
add("testmod", "\\( {n:signed} \\)", build=lambda m: m["n"])
add("testmod", f"(with|at) [a] {{n:signed}} {TO_IT}", build=lambda m: m["n"])
add("testmod", "(with|at) [a] {n:signed} (modifier|penalty|bonus)", build=lambda m: m["n"])
TEST = "(take|make|pass) a {test} test [{n:testmod}] [right away|at once]"
FAILS = "(it is|it|they|the test is|that unit|the unit|the target|they are|that test is|one|any of them|that model)"
TEST_FAILED = (
    f"(if [{FAILS}] (failed|fail|fails) [(it|the test|this test|that test|the morale test)]"
    "|(on|in case of) a (fail|failure|failed test)"
    "|(those|units|any|any units) (that|which|who) fail [it|the test])"
)
FAILED = f"(.|,|;|and) [and] {TEST_FAILED} [,] {{d:fates}}"
add("castfv", f"[must] {TEST} {FAILED}", f"[must] {TEST} {{d:failing}}", build=_tested)
add("castfv", f"must {TEST}", "take a {test} test [{n:testmod}]", build=_tested)
add("fate", f"make {{x:them}} {TEST} {FAILED}", build=_tested)
add("failing", f"[,] (and|or) {{d:fvs}} {TEST_FAILED}", build=lambda m: m["d"])
add("failing", f"(.|,|;|and) {{x:them}} {{d:fvs}} {TEST_FAILED}", build=lambda m: m["d"])
add("failing", "(.|;) [all] (those|units) (that|which) fail {d:fvs}", build=lambda m: m["d"])

# nerve and fatigue
IS = "(become|is|be|count as [being])"
NO_LONGER = "(stops being|is no longer|is not|no longer counts as [being]|no longer is|recover from being)"
same(
    "castfv",
    {
        f"{IS} fatigued": Then((BeFatigued("fatigued"),)),
        f"{IS} shaken": Then((BeFatigued("shaken"),)),
        f"[may] {NO_LONGER} shaken": Then((Rally(),)),
        "recover [from being shaken]": Then((Rally(),)),
        "[may] (stop being|lose [its|the]|remove [its|the]) shaken [status|state|marker]": Then((Rally(),)),
        "rally": Then((Rally(),)),
    },
)
add(
    "fate",
    f"if {{x:them}} is shaken , {{y:them}} {NO_LONGER} shaken",
    build=lambda m: then_of(Rally()),
)

add(
    "castfv",
    "become {r:rule} [[,] {l:lasting}]",
    build=lambda m: lend({**m, "v": (open_block(Gets, m["r"]),)}),
)

# terrain
same("mud", {"difficult terrain": InTerrain("difficult"), "dangerous terrain": InTerrain("dangerous")})
add(
    "castfv",
    "count as being in {mud} [[,] {l:lasting}]",
    "{l:lasting} [,] count as being in {mud}",
    build=lambda m: then_of(Lend((m["mud"],), lasting_of(m).until)),
)
add(
    "fate",
    "{l:lasting} [,] {x:them} count as being in {mud}",
    build=lambda m: then_of(Lend((m["mud"],), lasting_of(m).until)),
)

# moves and healing
UP_TO = "[by] up to {r:inch} [each]"
LINE = "in a straight line [{y:anywhere}]"
add("castfv", f"may move {UP_TO} {LINE}", build=lambda m: then_of(MoveThem(m["r"], True)))
add("castfv", f"may each move {UP_TO} [{{y:anywhere}}]", build=lambda m: then_of(MoveThem(m["r"])))
add("fate", "recover {x:them} (for|by) {n:healed}", build=lambda m: then_of(m["n"]))
add("castfv", f"may move {UP_TO} [{{y:anywhere}}]", build=lambda m: then_of(MoveThem(m["r"])))
add("fate", f"you may move {{x:them}} {UP_TO} {LINE}", build=lambda m: then_of(MoveThem(m["r"], True)))
add(
    "fate",
    f"[you] [may] move {{x:them}} {UP_TO} [{{y:anywhere}}]",
    build=lambda m: then_of(MoveThem(m["r"])),
)
add("castfv", "is moved [by] [up to] {r:inch} [{y:anywhere}]", build=lambda m: then_of(MoveThem(m["r"])))
add("healed", "[up to] {n:die} wounds", build=lambda m: Heal(*m["n"]))
add("healed", "[up to] {n:num} wounds", "(a) wound", build=lambda m: Heal(m.get("n", 1)))
add("castfv", "[may] recover {n:healed}", build=lambda m: then_of(m["n"]))
add(
    "castfv",
    "[may] (remove|recover|get|have) {n:healed} (removed|back|from itself)",
    build=lambda m: then_of(m["n"]),
)
add("fate", "(remove|recover) {n:healed} (from|on) {x:them}", build=lambda m: then_of(m["n"]))
add(
    "joinedfate",
    "(removing|recovering|healing) {n:healed} [(from|on) {x:them}]",
    build=lambda m: then_of(m["n"]),
)
