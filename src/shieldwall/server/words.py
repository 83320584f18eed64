"""Words for things on the table: what a unit is, what terrain does, what a state is called in an edition."""

from __future__ import annotations

import re
from functools import cache

from shieldwall.armies.parse import describe_rule
from shieldwall.core.state import MILLI, Piece, Profile, RuleRef
from shieldwall.rulebook.catalogue import has_row, row
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server.views import Glyph, Reason, RuleView
from shieldwall.story import Names
from shieldwall.table import terrain

_GLYPHS: dict[str, Glyph] = {
    "cavalry": "horse",
    "large cavalry": "horse",
    "chariot": "chariot",
    "vehicle": "chariot",
    "artillery": "artillery",
    "monster": "monster",
    "large monster": "monster",
    "swarm": "beast",
    "beast": "beast",
    "giant": "titan",
    "titan": "titan",
}
_SIDE = re.compile(r"\bside (\d+)\b")
_BROKEN_WORDS = ("Wavering", "Shaken", "Routed")
_TYPE_WORDS = {
    terrain.OPEN: "Open ground",
    terrain.IMPASSABLE: "Impassable",
    terrain.BLOCKING: "Blocks sight",
    terrain.COVER: "Gives cover",
    terrain.DIFFICULT: "Difficult: slows movement",
    terrain.DANGEROUS: "Dangerous: each model that enters takes a test",
    terrain.ELEVATED: "High ground",
    terrain.SEE_INTO: "Units can see into and out of it, but not through it",
    terrain.HILLTOP: "Units on top can see past one obstacle",
    terrain.DIFFICULT_UPHILL: "Difficult to climb",
    terrain.DANGER_ON_RUSH_OR_CHARGE: "Dangerous to rush or charge through",
    terrain.GAP: "A gap: models step over it where it is narrow and jump where it is wide",
    terrain.GROUND_LEVEL: "Models inside stand at table level",
    terrain.ROOF: "Models may stand on its roof",
    terrain.DECORATIVE: "Decoration only",
}


def glyph_of(rules: Ruleset, profile: Profile) -> Glyph:
    """The symbol for a kind of model; heroes and casters take precedence over their mounts."""
    hooks = rules.hooks.of_profile(profile)
    if "tokens_gained" in hooks or profile.spells:
        return "caster"
    if any(ref.name == "Hero" for ref in profile.rules):
        return "hero"
    if any(ref.name == "Flying" for ref in profile.rules):
        return "flyer"
    return _GLYPHS.get(profile.kind, "foot")


def rule_view(rules: Ruleset, ref: RuleRef) -> RuleView:
    """A printed rule with its row, if the edition plays it."""
    binding = rules.specials.bindings.get(ref.name)
    cite = binding.cite if binding is not None and ref.blocks is None else ""
    return RuleView(describe_rule(ref), cite, binding is not None or ref.blocks is not None)


def broken_word(rules: Ruleset) -> str:
    """The edition's word for a unit that lost its nerve."""
    return _word_in(rules.cites.get("morale.broken", ""))


@cache
def _word_in(cite: str) -> str:
    text = row(cite).rule if has_row(cite) else ""
    return next((word for word in _BROKEN_WORDS if word.lower() in text.lower()), "Shaken")


def piece_facts(piece: Piece) -> tuple[Reason, ...]:
    """What a piece does, one sentence each."""
    keys = [key for key in (*piece.types, *piece.conditions) if key in _TYPE_WORDS]
    if terrain.IMPASSABLE in keys:  # with no unit on it, its level does not matter
        keys = [key for key in keys if key != terrain.GROUND_LEVEL]
    told = [_TYPE_WORDS[key] for key in keys]
    if piece.capacity:
        told[:] = [words for words in told if words != _TYPE_WORDS[terrain.IMPASSABLE]]
        told.insert(0, f"Room for {piece.capacity} models inside")
    if piece.height:
        told.append(f"{piece.height / MILLI:g} {'inch' if piece.height == MILLI else 'inches'} high")
    return tuple(Reason(words) for words in told or ["Open ground"])


def with_names(names: Names, text: str) -> str:
    """A text of the rules, which know sides only by number, with the players' names in it."""
    return _SIDE.sub(lambda found: names.side(int(found[1]) - 1), text)


def percent(chance: float) -> str:
    """A chance as people read it; one that is not certain is never shown as 0 or 100 %."""
    if 0 < chance < 0.01:
        return "< 1 %"
    if 0.99 < chance < 1:
        return "> 99 %"
    return f"{round(chance * 100)} %"
