"""Shorthand lines such as `10x Q4 A1 AP(1) Rending`: a unit in as few words as a player would type.

A line holds, in any order and with or without commas: how many models (`10x`, one without it), Quality and Defense
(`Q4`, `D5+`; 4+ where left out), attacks (`A2`) and a range (`24"`) of one weapon, special rules, and whole weapons as
lists print them (`Great Axe (A2, AP(1))`). A rule's number may stand without brackets (`AP1`, `AP 1`). Rules of weapons
go to the weapon of the line, command roles such as Sergeant to one model each, all others to the models.

Other models of the same unit follow a plus that stands by itself: `10x Q4 D4 A1 + 3x A2 AP(1)`. What is left out there
is as on the unit, and its rules hold for them too. A part with the rule Hero has joined it: `10x A1 + Q3 A4 Hero`.
"""

from __future__ import annotations

import re
from difflib import get_close_matches

from msgspec import Struct
from msgspec.structs import replace

from shieldwall.armies.muster import ModelSpec, UnitSpec
from shieldwall.armies.parse import parse_weapon
from shieldwall.armies.rule_names import COMMAND, printed_name
from shieldwall.armies.rule_values import is_added, takes_value, value_problem
from shieldwall.core.errors import MalformedError
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.bindings import Specials

_SIZE = re.compile(r"^(\d+)\s*[x×]$", re.IGNORECASE)
_STAT = re.compile(r"^([QD])(\d+)\+?$", re.IGNORECASE)
_ATTACKS = re.compile(r"^A(\d+)$", re.IGNORECASE)
_RANGE = re.compile(r"^(\d+(?:\.\d+)?)(?:\"|”|″|''|in|inch|inches)$", re.IGNORECASE)
_VALUED = re.compile(r"^([^()]+?)\s*\(\s*([+-]?\d+)\s*\+?\)$")
_BARE_VALUE = re.compile(r"^([A-Za-z][A-Za-z'-]*)(\d{1,3})$")  # AP1 for AP(1)
_GLUED = re.compile(r"^(\d+[x×])?((?:[QDA]\d+\+?)*)$", re.IGNORECASE)
_WEAPON = re.compile(r"^[^()]+\(.*\bA\d+.*\)$", re.IGNORECASE)
MOST_MODELS = 200
HERO = "Hero"
SPELL_WORDS = ("cast", "casts", "casting", "spell", "spells")
USUAL = 4
GIVEN_ONCE = {
    "models": "a unit has one size",
    "attacks": 'several weapons need names: Axe (A2, AP(1)), Bow (24", A1)',
}


class Shorthand(Struct, frozen=True):
    """A short line as it was understood."""

    text: str
    models: int
    quality: int
    defense: int
    weapons: tuple[str, ...]
    rules: tuple[str, ...]
    command: tuple[str, ...] = ()
    others: tuple[Shorthand, ...] = ()  # more models of the unit
    hero: Shorthand | None = None  # a hero who has joined it

    def spec(self, name: str) -> UnitSpec:
        """The unit of a list it stands for."""
        return UnitSpec(
            name=name,
            stats=f"Q{self.quality}+ D{self.defense}+",
            models=self.models + sum(other.models for other in self.others),
            equipment=", ".join(self.weapons),
            rules=", ".join(self.rules),
            command=self.command,
            special=tuple(other._models(f"{name} {at}") for at, other in enumerate(self.others, 2)),
            hero=None if self.hero is None else self.hero._models(f"{name}'s hero"),
        )

    def _models(self, name: str) -> ModelSpec:
        """The models of a unit it stands for, beside others."""
        return ModelSpec(
            name=name,
            count=self.models,
            stats=f"Q{self.quality}+ D{self.defense}+",
            equipment=", ".join(self.weapons) or None,
            rules=", ".join(self.rules),
        )

    @property
    def words(self) -> str:
        """The line in full, the usual way."""
        size = f"{self.models}x " if self.models > 1 else ""
        things = ", ".join((*self.weapons, *self.rules, *self.command))
        own = f"{size}Q{self.quality}+ D{self.defense}+ {things}".strip()
        more = (*self.others, *((self.hero,) if self.hero is not None else ()))
        return " + ".join((own, *(one.words for one in more)))


def read_shorthand(text: str, specials: Specials, edition: str = "this edition") -> Shorthand:
    """A short line for an edition; everything that makes no sense is named at once, with what was understood."""
    if not text.strip():
        raise MalformedError("short line", ["it is empty; expected a unit, for example 10x Q4 D4 A1"])
    problems: list[str] = []
    parts = [_part(part, specials, edition, problems) for part in _parts(text)]
    joined = [(reading, short) for reading, short in parts if HERO in short.rules]
    troops = [pair for pair in parts if pair not in joined]
    if len(parts) > 1:
        problems += _problems_of_parts(troops, joined)
    (reading, short), *more = troops or joined
    if len(parts) > 1 and troops:
        stats = reading.stats
        others = tuple(one.with_stats_of(stats).short(one_short.text) for one, one_short in more)
        heroes = [one.with_stats_of(stats).short(one_short.text) for one, one_short in joined]
        hero = heroes[0] if heroes else None
        short = replace(short, text=text, others=others, hero=hero)
    if short.models + sum(other.models for other in short.others) > MOST_MODELS:
        problems.append(f"a unit has 1 to {MOST_MODELS} models")
    if problems:
        understood = f"understood: {short.words}"
        raise MalformedError(f"short line {text!r}", [*dict.fromkeys(problems), understood])
    return short


def _part(text: str, specials: Specials, edition: str, problems: list[str]) -> tuple[_Reading, Shorthand]:
    """One part of a line, read; its problems are added to the others."""
    reading = _Reading(specials, edition)
    for word in _words(text):
        reading.take(word)
    reading.finish_words()
    short = reading.short(text)
    problems += reading.problems
    if not text.strip():
        problems.append("one side of a + is empty; expected models, for example + 3x A2 AP(1)")
    return reading, short


def _problems_of_parts(
    troops: list[tuple[_Reading, Shorthand]], joined: list[tuple[_Reading, Shorthand]]
) -> list[str]:
    """What does not go together in a line of several parts."""
    found = []
    if not troops:
        found.append("it has only heroes; expected the unit they have joined")
    if len(joined) > 1:
        found.append(f"it has {len(joined)} heroes; only one can join a unit")
    found += [f"{short.models}x with Hero: one hero joins a unit" for _, short in joined if short.models > 1]
    apart = [role for _, short in (*troops[1:], *joined) for role in short.command]
    found += [f"{role} is a model of the unit itself; put it before the +" for role in apart]
    return found


def _parts(text: str) -> list[str]:
    """The parts of a line, cut at every plus that stands by itself outside brackets."""
    parts: list[list[str]] = [[]]
    for word in _outside_brackets(text, " \t\n"):
        if word == "+":
            parts.append([])
        else:
            parts[-1].append(word)
    return [" ".join(words) for words in parts]


class _Reading:
    """A line being read."""

    def __init__(self, specials: Specials, edition: str) -> None:
        self.specials = specials
        self.edition = edition
        self.names = {name.casefold(): name for name in specials.bindings}
        self.models = 1
        self.stats: dict[str, int] = {}
        self.attacks = 0
        self.reach = ""
        self.weapon_rules: list[str] = []
        self.weapons: list[str] = []
        self.rules: list[str] = []
        self.command: list[str] = []
        self.problems: list[str] = []
        self._given: dict[str, str] = {}  # what was said once, by what it is about
        self._loose: list[str] = []  # words that may be parts of a longer name

    def with_stats_of(self, stats: dict[str, int]) -> _Reading:
        """The same, with what was left out as on another part."""
        self.stats = {**stats, **self.stats}
        return self

    def take(self, word: str) -> None:
        """Understand one more word, or keep it as a part of a name."""
        if self._number(word):
            self.finish_words()
        elif _WEAPON.match(word):
            name = self._words_of_a_name()
            self.finish_words()
            self._whole_weapon(" ".join((*name, word)))
        elif found := _VALUED.match(word) or self._bare_value(word):
            self._valued([*self._loose, found[1]], found[2])
        elif word.isdecimal() and self._loose and self._takes_value(self._loose[-1]):
            self._valued(self._loose, word)
        elif word.isdecimal():
            self.finish_words()
            self.problems.append(f'{word}: for that many models write {word}x, for a range {word}"')
        else:
            self._loose.append(word)

    def _bare_value(self, word: str) -> re.Match[str] | None:
        """A rule with its number and no brackets."""
        found = _BARE_VALUE.match(word)
        return found if found is not None and self._takes_value(found[1]) else None

    def _takes_value(self, word: str) -> bool:
        """Whether a word is the name of a rule that is printed with a number, or the end of one."""
        names = [" ".join((*self._loose[at:], word)).casefold() for at in range(len(self._loose) + 1)]
        known = [self.names[name] for name in (*names, word.casefold()) if name in self.names]
        return any(takes_value(self.specials.bindings[name].rule) for name in known)

    def _number(self, word: str) -> bool:
        if found := _SIZE.match(word):
            self._once("models", word)
            self.models = int(found[1])
            if not 1 <= self.models <= MOST_MODELS:
                self.problems.append(f"{word}: a unit has 1 to {MOST_MODELS} models")
        elif found := _STAT.match(word):
            value = int(found[2])
            self._once(found[1].upper(), word)
            self.stats[found[1].upper()] = value
            if not 2 <= value <= 6:
                self.problems.append(f"{word}: Quality and Defense run from 2+ to 6+")
        elif found := _ATTACKS.match(word):
            self._once("attacks", word)
            self.attacks = int(found[1])
            if not 1 <= self.attacks <= MOST_MODELS:
                self.problems.append(
                    f"{word}: a weapon has at least one attack, and no more than {MOST_MODELS}"
                )
        elif found := _RANGE.match(word):
            self._once("range", word)
            self.reach = f'{found[1]}"'
        else:
            return False
        return True

    def _once(self, about: str, word: str) -> None:
        before = self._given.setdefault(about, word)
        if before != word:
            why = GIVEN_ONCE.get(about, "only one of them can be right")
            self.problems.append(f"{before} and {word}: {why}")

    def _words_of_a_name(self) -> list[str]:
        """The last words kept, as far as no rule is called so: the beginning of a weapon's name."""
        found: list[str] = []
        while self._loose and not any(
            " ".join(self._loose[at:]).casefold() in self.names for at in range(len(self._loose))
        ):
            found.insert(0, self._loose.pop())
        return found

    def _whole_weapon(self, word: str) -> None:
        try:
            weapon = parse_weapon(word)
        except MalformedError as error:
            self.problems += error.problems
            return
        for rule in weapon.rules:
            if not self.specials.knows(rule.name):
                self._unknown(rule.name)
        self.weapons.append(word)

    def finish_words(self) -> None:
        """Words kept so far are names of rules, the longest ones that fit first."""
        words, self._loose = self._loose, []
        while words:
            ends = range(len(words), 0, -1)
            end = next((end for end in ends if " ".join(words[:end]).casefold() in self.names), 1)
            self._name(" ".join(words[:end]), None)
            words = words[end:]

    def _valued(self, words: list[str], value: str) -> None:
        """The last words are the longest name that fits; those before them are names without a value."""
        starts = range(len(words))
        start = next((at for at in starts if " ".join(words[at:]).casefold() in self.names), len(words) - 1)
        self._loose = words[:start]
        self.finish_words()
        self._name(" ".join(words[start:]), value)

    def _name(self, text: str, value: str | None) -> None:
        """A rule, with its value as it is written: a plus may mean that it comes on top."""
        name = self.names.get(text.casefold())
        if name is None:
            self._unknown(text)
            return
        problem = value_problem(
            name, self.specials.bindings[name].rule, None if value is None else int(value)
        )
        if problem:
            self.problems.append(problem)
            return
        if name in COMMAND:
            if name in self.command:
                self.problems.append(f"{name} twice: a unit has one of each")
                return
            self.command.append(name)
            return
        numbered = value is not None and takes_value(self.specials.bindings[name].rule)
        plus = "+" if value is not None and is_added(name, value[0]) else ""
        printed = f"{name}({plus}{int(value)})" if value is not None and numbered else name
        weapon = self.specials.bindings[name].rule.scope == "weapon"
        (self.weapon_rules if weapon else self.rules).append(printed)

    def _unknown(self, name: str) -> None:
        if name.casefold() in SPELL_WORDS:
            self.problems.append(
                f"{name!r}: spells need a scenario; leave it out, and --as-scenario prints one to start from"
            )
            return
        near = get_close_matches(name.casefold(), self.names, n=1, cutoff=0.6)
        elsewhere = [edition for edition in EDITIONS if ruleset(edition).specials.knows(printed_name(name))]
        tip = f"; it is one of {', '.join(elsewhere)}" if elsewhere else ""
        tip += f"; did you mean {self.names[near[0]]}?" if near and not elsewhere else ""
        self.problems.append(f"{name!r} is not a special rule of {self.edition}{tip}")

    def short(self, text: str) -> Shorthand:
        """What was understood so far."""
        weapons = list(self.weapons)
        if len(self.command) > self.models:
            names = ", ".join(self.command)
            self.problems.append(f"{names}: each is a model of the unit, which has {self.models}")
        if self.attacks:
            inside = [*([self.reach] if self.reach else []), f"A{self.attacks}", *self.weapon_rules]
            weapons.insert(0, f"{'Shots' if self.reach else 'Blows'} ({', '.join(inside)})")
        elif self.weapon_rules or self.reach:
            given = ", ".join([*([self.reach] if self.reach else []), *self.weapon_rules])
            self.problems.append(f"{given} needs a weapon: give its attacks, for example A1")
        return Shorthand(
            text,
            self.models,
            self.stats.get("Q", USUAL),
            self.stats.get("D", USUAL),
            tuple(weapons),
            tuple(self.rules),
            tuple(self.command),
        )


def _words(text: str) -> list[str]:
    """Words of a line: cut at blanks and commas outside brackets; a bracket belongs to the words before it."""
    spaced = re.sub(r"(\d+)\s*([x×])\s+", r"\1\2 ", text.strip())
    spaced = re.sub(r"\bQuality\s*(?=\d)", "Q", spaced, flags=re.IGNORECASE)
    spaced = re.sub(r"\bDefen[cs]e\s*(?=\d)", "D", spaced, flags=re.IGNORECASE)
    parts: list[str] = []
    for part in _outside_brackets(spaced, ","):
        named = re.match(r"^[^()]*\(.*\)$", part.strip())
        whole = (
            named is not None and _WEAPON.match(part.strip()) and not re.search(r"\bQ\d|\bD\d|\d+x\b", part)
        )
        parts += [part.strip()] if whole else _joined(_outside_brackets(part, " \t\n"))
    return [word for part in parts if part for word in _unglued(part)]


def _unglued(word: str) -> list[str]:
    """`10xQ4A1` as the three words it is made of."""
    found = _GLUED.match(word)
    return [word] if found is None else [one for one in re.split(r"(?i)(?<=[x×+\d])(?=[QDA])", word) if one]


def _joined(words: list[str]) -> list[str]:
    """Words with a bracket that stands apart put to the word before it."""
    found: list[str] = []
    for word in words:
        if word.startswith("(") and found:
            found[-1] += f" {word}"
        elif word:
            found.append(word)
    return found


def _outside_brackets(text: str, cuts: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            raise MalformedError(f"short line {text!r}", ["a bracket closes that was never opened"])
        if depth == 0 and letter in cuts:
            parts.append(text[start:at])
            start = at + 1
    if depth:
        raise MalformedError(
            f"short line {text!r}", [f"{depth} bracket{'s are' if depth > 1 else ' is'} not closed"]
        )
    return [*parts, text[start:]]
