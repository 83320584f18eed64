"""All questions a game may ask, all purposes of rolls and all events, with their meanings.

Scenario files use these words to answer questions, to write down dice and to expect events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import get_args

from shieldwall.core import events as ev
from shieldwall.table.ranks import LEFT, RIGHT

QUESTIONS: dict[str, str] = {
    # before the first round
    "ruling": "how a side reads a disputed question; `dispute` asks both",
    "mission": "which mission is played",
    "marker_first": "which side places the first marker: A or B",
    "marker": "where the next marker goes: `place: [x, y]`",
    "edge": "the table edge of the side that deploys first: north, south, east or west",
    "attach": "which unit a hero joins before deployment; none",
    "hero_slot": "the place of a joined hero in the front row from the left, or left or right of the unit",
    "load": "which carrier a unit deploys in; none",
    "lasting_pick": "what a model has for the whole game, such as a sergeant's bonus",
    "hold_back": "whether a unit with Ambush or Scout is set aside: ambush, scout; or deploy",
    "deploy": "which unit is deployed next",
    "deploy_place": "where it is placed, or a scout that was set aside: `place`",
    "scout_move": "the move of a scout right after it was placed",
    "aura_pick": "a friendly unit that shares an aura for the whole game; none",
    # a round begins
    "arrive": "which unit arrives from reserve next; none",
    "arrive_now": "whether a unit whose arrival was rolled arrives: come, wait; or yes, no",
    "arrive_place": "where it arrives: `place`",
    "arrive_shift": "where the opponent moves a unit that has just arrived: `place`; none",
    # an activation
    "activate": "which unit acts; or which passes the turn by an army rule: `pass`",
    "action": "hold, advance, rush, charge, idle, stay, cast",
    "pivot": "degrees a unit turns on the spot",
    "path": "a move: `march`, `walk`, `shift` or `drag`",
    "enter": "which building or carrier the unit enters, instead of a path (or `march` up to it); none",
    "leave_place": "where a unit is placed that gets out: `place`",
    "wreck_place": "where a unit is placed whose carrier was destroyed: `place`",
    "fall_place": "where a fallen model is placed: `place`",
    "targets": "which weapons shoot at which targets: `shoot`",
    # magic
    "cast_or_go": "whether to cast another spell before going on: cast, go",
    "cast": "which spell at which target: `cast`",
    "bid": "spell tokens that help (or, negative, hinder) a casting",
    "oppose": "whether a model tries to stop a spell: yes, no; in Age of Fantasy 1.6 which model does, or none",
    "use_spell": "whether to use a spell that succeeded",
    # attacks
    "spread": "the models that take the remaining hits of a blast",
    "casualties": "the models that are removed",
    "tough_pick": "which Tough model is wounded first",
    "knocked_out_pick": "which stunned models hits knock out",
    "push": "whether a stunned model is pushed: yes, no",
    "push_path": "where it is pushed to",
    # melee
    "charge_target": "whom a unit charges: `charge`",
    "charge_path": "the path of a charge",
    "charge_side": "the charged side if the front row is split: front, left, right, rear",
    "carry_on": "how far a unit continues if its charge can no longer reach the target",
    "react": "the moves of a charged unit into contact",
    "building_defender": "which unit in a building fights",
    "counter_now": "whether Counter strikes first: yes, or no (no attacks at all); in loose melees early or later",
    "limited_now": "whether to use a limited weapon now: a Limited one, or a Breath Attack in melee",
    "breath_now": "whether to use Fire Breath in melee",
    "breath_at": "the target of Fire Breath; a Breath Attack is shot like a weapon: `shoot`",
    "volley_order": "which weapon strikes next",
    "melee_pick": "which model a Takedown attack targets; none",
    "extra_attack": "the weapon of a charger's extra attack",
    "rule_effect": "which effect of an army rule is used: `{Rule: 2}`, by its number",
    "rule_use": "whether to use an army rule that lasts for one attack or move: `{Rule: yes}`",
    "rule_place": "where an army rule places a unit: `{Rule: [x, y]}`; none",
    "rule_pick": "the target of an army rule: `{Rule: Unit}`, several as a list; none",
    "strike_back": "whether a charged unit strikes back: yes, no",
    "consolidate": "the move after a melee; none",
    # nerve and the end of a round
    "tester": "whose Quality a unit tests morale with: own, or the name of the hero's model",
    "rout_order": "which unit takes its rout test next",
    "relic_bearer": "which unit picks up a relic",
    "effect_order": "which of several rules comes next",
}

# Questions that are asked while no unit is activated.
BETWEEN_ACTIVATIONS = frozenset(
    (
        "ruling", "mission", "marker_first", "marker", "edge", "attach", "hero_slot", "load", "lasting_pick",
        "hold_back", "deploy", "deploy_place", "scout_move", "arrive", "arrive_now", "arrive_place",
        "arrive_shift", "activate", "rout_order", "relic_bearer", "effect_order", "tester",
    )
)  # fmt: skip

# What people call dice, if it is not just a misspelling of their purpose.
DICE_SYNONYMS = {
    **dict.fromkeys(("defense", "defence", "save", "saves", "armour", "armor", "blocks"), "block"),
    **dict.fromkeys(("attack", "attacks", "quality", "shooting", "melee"), "to_hit"),
    **dict.fromkeys(("wound", "wounds"), "to_wound"),
    **dict.fromkeys(("casting", "spell"), "cast"),
    **dict.fromkeys(("effect", "effects"), "wound_effect"),
    **dict.fromkeys(("ambush", "arrive", "reserve"), "arrival"),
    **dict.fromkeys(("oppose", "dispelling", "counterspell"), "dispel"),
    "terrain": "dangerous",
    "regenerate": "regeneration",
}
DICE: dict[str, str] = {
    "roll_off": "roll-offs, side A first",
    "dispute": "whose reading applies if players disagree",
    "mission": "a random mission",
    "marker_count": "the number of markers",
    "arrival": "whether a unit arrives from reserve",
    "drift": "whether the opponent may move a unit that has just arrived (Age of Fantasy 1.6)",
    "to_hit": "attacks",
    "second_die": "the 4+ after a 6 where 7 or more is needed",
    "impact": "hits of a charge",
    "furious": "extra attacks of a charge",
    "fire_breath": "hits of fire breath",
    "block": "Defense",
    "block_again": "rerolled Defense dice",
    "to_wound": "wounds, by the attacker, instead of `block` (Age of Fantasy 1.6)",
    "regeneration": "wounds that are ignored",
    "rule": "army rules without a purpose of their own",
    "wound_effect": "the effect of a wound on the last model",
    "push": "whether a push succeeds",
    "morale": "morale tests",
    "fearless": "the second chance of Fearless after a failed morale test",
    "fear": "tests against Fear",
    "fear_wounds": "wounds of Fear",
    "rout": "rout tests",
    "dangerous": "dangerous terrain",
    "jump": "jumps",
    "cast": "casting",
    "dispel": "opposing a spell",
    "mysterious_terrain": "what a piece turns out to be",
    "mysterious_objective": "what a marker turns out to be",
    "mysterious_wounds": "wounds of mysterious things",
    "mysterious_hits": "hits of mysterious things",
}

EVENTS: dict[str, type[ev.Event]] = {kind.__struct_config__.tag: kind for kind in get_args(ev.AnyEvent)}


def page() -> Iterator[str]:
    """All of it as a page."""
    yield "# Words of scenario files"
    yield ""
    yield "<!-- Written by `shieldwall scenario words > docs/scenario-words.md`. Change the data, not this page. -->"
    yield ""
    yield "The names that [scenario files](scenarios.md) use for questions, dice and events."
    yield from _table("Questions", ("step", "answers"), QUESTIONS.items())
    yield from _table("Dice", ("purpose", "rolled for"), DICE.items())
    facts = ((tag, _first_line(kind), _fields(kind)) for tag, kind in sorted(EVENTS.items()))
    yield from _table("Events", ("event", "what happened", "fields"), facts)


def _first_line(kind: type[ev.Event]) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def _fields(kind: type[ev.Event]) -> str:
    return ", ".join(f"`{field}`" for field in kind.__struct_fields__ if field != "cite")


def _table(title: str, heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield ""
    yield f"## {title}"
    yield ""
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    for first, *rest in rows:
        yield f"| `{first}` | {' | '.join(rest)} |"


def arc_words(arc: str) -> tuple[str, ...]:
    """What people call an arc, the fullest word first."""
    return (f"{arc} flank", arc, "flank") if arc in ("left", "right") else (arc,)


def slot_number(slot: int | str) -> int:
    """The engine's number for the place of a joined hero: from 1 on the left, or left or right of the unit."""
    return {"left": LEFT, "right": RIGHT}.get(slot, 0) if isinstance(slot, str) else slot - 1


def slot_word(number: int) -> int | str:
    """What people call the place that the engine has a number for."""
    return {LEFT: "left", RIGHT: "right"}.get(number, number + 1)
