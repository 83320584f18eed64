"""Joins the events of a game into readable lines: who acted, what was rolled, what happened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from shieldwall.core import events as ev
from shieldwall.core.state import State
from shieldwall.dice.words import count
from shieldwall.story.dice import thrown
from shieldwall.story.fighting import lost
from shieldwall.story.names import Names, inches
from shieldwall.story.playing import is_on_the_spot
from shieldwall.story.table import tell

LineKind = Literal[
    "setup", "round", "turn", "move", "attack", "dice", "loss", "nerve", "magic", "score", "note"
]

KINDS: dict[type[ev.Event], LineKind] = {
    ev.RolledOff: "setup",
    ev.MissionChosen: "setup",
    ev.MarkerPlaced: "setup",
    ev.EdgeChosen: "setup",
    ev.FirstSideSet: "setup",
    ev.Attached: "setup",
    ev.HeldBack: "setup",
    ev.LeftTable: "move",
    ev.CalledUp: "move",
    ev.PickMade: "setup",
    ev.UnitPlaced: "setup",
    ev.RoundBegan: "round",
    ev.Activated: "turn",
    ev.TurnGiven: "turn",
    ev.ActionChosen: "turn",
    ev.Moved: "move",
    ev.Aligned: "move",
    ev.Jumped: "move",
    ev.Boarded: "move",
    ev.LeftCarrier: "move",
    ev.Wrecked: "loss",
    ev.Declared: "attack",
    ev.ChargeFailed: "attack",
    ev.VolleyLost: "attack",
    ev.Rolled: "dice",
    ev.Hit: "dice",
    ev.Blocked: "dice",
    ev.Ignored: "dice",
    ev.Wounded: "loss",
    ev.Removed: "loss",
    ev.Destroyed: "loss",
    ev.Stunned: "loss",
    ev.Fell: "loss",
    ev.Healed: "nerve",
    ev.Restored: "nerve",
    ev.Recovered: "nerve",
    ev.Broke: "nerve",
    ev.MoraleTested: "nerve",
    ev.SpellCast: "magic",
    ev.SpellOpposed: "magic",
    ev.TokensGained: "magic",
    ev.TokensSpent: "magic",
    ev.EffectBegan: "magic",
    ev.EffectEnded: "magic",
    ev.MarkerFlipped: "score",
    ev.MarkerTaken: "score",
    ev.MarkerDropped: "score",
    ev.MarkerGone: "score",
    ev.SecretFound: "note",
    ev.Garrisoned: "move",
    ev.LeftBuilding: "move",
    ev.MeleeScored: "score",
    ev.GameEnded: "score",
}

# Facts that are clear from the lines around them.
SILENT = (ev.TurnPassed, ev.ActivationEnded, ev.SizesRecorded, ev.RostersRecorded, ev.Rested)

AND_AT = ", and at "
SET_OUT = " set out"
WOUNDING = ("to_wound", "second_die")  # rolls of the attacker that are not followed by a block

_OUTCOMES = (ev.Blocked, ev.Ignored, ev.MoraleTested, ev.RolledOff, ev.Jumped, ev.SpellCast)
_OF_DICE = (ev.Declared, ev.Rolled, ev.Hit, ev.Blocked, ev.Ignored, ev.ActionChosen, ev.Moved)
_LOSSES = (ev.Wounded, ev.Removed, ev.Destroyed)
_PACES = {"advance": "advanced", "rush": "rushed", "charge": "charged"}


class StoryLine(NamedTuple):
    """One or more sentences that belong together, with the rows behind them. `side` -1 means neither side."""

    text: str
    kind: LineKind
    cites: tuple[str, ...]
    round: int
    side: int

    def __str__(self) -> str:
        return f"{self.text} [{', '.join(self.cites)}]" if self.cites else self.text


class _Held(NamedTuple):
    """A line that the next event may continue; its text has no full stop yet."""

    text: str
    kind: LineKind
    cites: tuple[str, ...]
    round: int
    side: int
    last: ev.AnyEvent


class Story:
    """Narrates one game. Lines are returned as soon as nothing can be added to them; `end` returns the last one.

    Without `dice` the story gives the result of a roll without the faces, without `owners` not whose a unit is.
    """

    def __init__(self, state: State, dice: bool = True, owners: bool = True) -> None:
        self.names = Names(state, owners)
        self._silent = SILENT if dice else (*SILENT, ev.Rolled)
        self._first, self._next = (" -> ", " -> ") if dice else (": ", "; ")  # before what came of it
        self._held: _Held | None = None
        self._purpose = ""  # of the last roll
        self._done: list[StoryLine] = []

    def add(self, before: State, events: Iterable[ev.AnyEvent]) -> list[StoryLine]:
        """The lines that are finished once these events have happened to `before`."""
        state = before
        for event in events:
            if isinstance(event, ev.Rolled):
                self._purpose = event.purpose
            if isinstance(event, ev.ActivationEnded | ev.Declared):
                self._stood_still(event)
            if not isinstance(event, self._silent):
                self._take(event, state)
            elif isinstance(event, ev.Rolled):
                self._note(event)
            state = event.apply(state)
        done, self._done = self._done, []
        return done

    def awaits_dice(self) -> bool:
        """Whether dice thrown now belong to the line that is being told, rather than to the next one."""
        return self._held is not None and isinstance(self._held.last, _OF_DICE)

    def end(self) -> list[StoryLine]:
        """The remaining lines."""
        self._let_go()
        done, self._done = self._done, []
        return done

    def _take(self, event: ev.AnyEvent, state: State) -> None:
        held = self._held
        if held is not None:
            text = self._continued(held, event, state)
            if text:
                cites = held.cites
                if event.cite and event.cite not in cites:
                    cites = (*cites, event.cite)
                kind: LineKind = "dice" if isinstance(event, ev.Rolled | ev.Hit) else held.kind
                last = held.last if text == held.text else event
                self._held = held._replace(text=text, cites=cites, kind=kind, last=last)
                return
            if _only_paced(held):  # how far it goes is told later
                self._held = held._replace(text=f"{held.text.rsplit(' ', 1)[0]}{SET_OUT}")
            self._let_go()
        text = self._words(event, state)
        cited = (event.cite,) if event.cite else ()
        kind = KINDS.get(type(event), "note")
        self._held = _Held(text, kind, cited, state.round, _side_of(event, state), event)

    def _note(self, rolled: ev.Rolled) -> None:
        """Remember the rule behind dice that are not shown."""
        held = self._held
        if held is not None and isinstance(held.last, ev.Declared | ev.Hit) and rolled.cite not in held.cites:
            self._held = held._replace(cites=(*held.cites, rolled.cite))

    def _stood_still(self, event: ev.AnyEvent) -> None:
        """Before it shoots, or at its end, it is known that a unit which could have moved did not."""
        held = self._held
        if held is None or not isinstance(held.last, ev.ActionChosen) or not _only_paced(held):
            return
        if not (isinstance(event, ev.Declared) and event.group == "charge"):
            self._held = held._replace(text=f"{held.text.rsplit(' ', 1)[0]} stayed where they were")

    def _let_go(self) -> None:
        if self._held is not None:
            text, kind, cites, round, side, _ = self._held
            self._done.append(StoryLine(text + ".", kind, cites, round, side))
            self._held = None

    def _continued(self, held: _Held, event: ev.AnyEvent, state: State) -> str:
        """The held line with this event added; empty if a new line is better."""
        last = held.last
        words = self._words(event, state)
        if isinstance(last, ev.Activated) and isinstance(event, ev.ActionChosen):
            return words
        if isinstance(last, ev.ActionChosen):
            return self._acted(held, last, event, state)
        if isinstance(last, ev.Declared) and held.kind == "attack":
            joined = self._aimed(held, last, event)
            if joined:
                return joined
        if isinstance(event, ev.Hit) and AND_AT in held.text:
            return ""  # of which of the two?
        if isinstance(last, ev.Rolled | ev.Hit | ev.Declared) and isinstance(event, ev.Hit):
            return f"{held.text}{self._first}{_hits(event)}"
        if isinstance(last, ev.Rolled | ev.Hit):
            return f"{held.text}{self._next}{words}" if isinstance(event, _OUTCOMES) else ""
        if isinstance(last, ev.Moved) and isinstance(event, ev.Moved) and held.text.endswith(SET_OUT):
            return words if last.unit == event.unit else ""  # dice were rolled before it went on
        if isinstance(last, ev.Wounded) and isinstance(event, ev.Removed) and event.models == (last.model,):
            return f"{held.text} and {lost(event, state)}"
        if (
            isinstance(last, ev.Removed)
            and isinstance(event, ev.Destroyed)
            and self.names.is_lone(event.unit)
        ):
            return held.text
        if isinstance(last, _LOSSES) and isinstance(event, _LOSSES) and last.unit == event.unit:
            part = words.removeprefix(f"{self.names.unit(event.unit)}: ")
            return f"{held.text}. {words}" if part == words else f"{held.text}; {part}"
        if isinstance(last, ev.MoraleTested) and isinstance(event, ev.Broke) and last.unit == event.unit:
            return f"{held.text}, and broke"
        return ""

    def _words(self, event: ev.AnyEvent, state: State) -> str:
        if isinstance(event, ev.Blocked) and self._purpose in WOUNDING:
            return got_through(event, self.names)
        return tell(event, state, self.names).removesuffix(".")

    def _aimed(self, held: _Held, declared: ev.Declared, event: ev.AnyEvent) -> str:
        """A declaration is continued by its own dice, or by the unit's other targets."""
        if isinstance(event, ev.Rolled):
            own = any(roll.note.lower() in ("", declared.group.lower()) for roll in event.rolls)
            return f"{held.text}; {thrown(event)}" if own and AND_AT not in held.text else ""
        if (
            isinstance(event, ev.Declared)
            and event.unit == declared.unit
            and event.attacks
            and declared.attacks
        ):
            return f"{held.text}{AND_AT}{self.names.unit(event.target)} with {event.group}"
        return ""

    def _acted(self, held: _Held, chosen: ev.ActionChosen, event: ev.AnyEvent, state: State) -> str:
        if not _only_paced(held):
            return ""
        if isinstance(event, ev.Moved) and event.unit == chosen.unit:
            if event.used:
                return f"{held.text} {inches(event.used)}"
            # a unit that has not moved yet may be about to leap
            turned = f"{held.text.rsplit(' ', 1)[0]} turned on the spot"
            return turned if is_on_the_spot(event, state) else held.text
        if isinstance(event, ev.Declared) and event.group == "charge":
            return f"{held.text} {self.names.unit(event.target)}"
        return ""


def _only_paced(held: _Held) -> bool:
    """Whether a line says so far that a unit moves, and not how far or at whom."""
    pace = _PACES.get(held.last.action) if isinstance(held.last, ev.ActionChosen) else None
    return pace is not None and held.text.count(pace) == 1 and held.text.endswith(pace)


def got_through(event: ev.Blocked, names: Names) -> str:
    """The result of the attacker's roll to wound."""
    return f"{names.unit(event.unit)} took {count(event.wounds, 'wound') if event.wounds else 'no wound'}"


def _hits(event: ev.Hit) -> str:
    hits = count(event.hits, "hit") if event.hits else "no hits"
    return f"{event.note}: {hits}" if event.note.startswith("times") else hits


def _side_of(event: ev.AnyEvent, state: State) -> int:
    """The side a line is about: the owner of its unit, the side it names, or the seat that rolled."""
    if isinstance(event, ev.Rolled):
        return state.seats[event.seat].side
    unit = getattr(event, "unit", -1)
    if unit >= 0:
        return state.units[unit].side
    for field in ("side", "holder", "winner"):
        side: int | None = getattr(event, field, None)
        if side is not None:
            return side
    return -1
