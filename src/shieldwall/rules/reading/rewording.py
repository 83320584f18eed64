"""Turns of phrase that say the same as shorter ones, put into the words that the grammar knows.

Each line of the table (`turns.py`) is a turn of phrase and what it stands for. `<a|b>` is one of several, `[a]` may
be missing, `^` is the start of a sentence or of what stands behind a comma, `$` the end of a sentence.
`{signed}`, `{bonus}`, `{num}`, `{inch}`,
`{need}` and `{face}` stand for a word of that kind, `{some}` for a few words of any kind. They come back by their
numbers: `{1}` is the first that was caught; `{1+}`, `{1-}`, `{1u}` and `{1n}` give a number a sign, take it away or
make it the roll that is needed.
Words are compared in their plain form. Turns of phrase are put into others until nothing changes, so that short ones
serve in many places; nothing that was written is ever left out.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from msgspec.structs import replace

from shieldwall.rules.reading.attack_turns import ATTACK_TURNS
from shieldwall.rules.reading.plain_turns import PLAIN_TURNS
from shieldwall.rules.reading.roll_turns import ROLL_TURNS
from shieldwall.rules.reading.speech_turns import SPEECH_TURNS
from shieldwall.rules.reading.turns import TURNS
from shieldwall.rules.reading.unit_turns import UNIT_TURNS
from shieldwall.rules.reading.words import Word, words_of


def in_known_words(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words of a text with its turns of phrase put into the words of the grammar, again until nothing changes."""
    words = _with_bearer(_in_the_passive(_without_bullet(words)))
    for _ in range(PASSES):
        before = words
        words = _put(words)
        if words == before:
            break
    return words


ROLES = frozenset(
    [
        "captain", "champion", "leader", "guide", "commander", "general", "lord", "sergeant", "priest", "shaman",
        "drummer", "musician", "beast", "monster", "creature", "rider", "warrior", "fighter", "gunner", "user",
        "owner", "wearer", "carrier", "character", "prophet", "warlord", "chieftain", "standard", "banner", "wizard",
        "archer", "hunter", "knight", "herald", "alpha", "preacher", "priestess", "bishop", "monk", "cleric", "witch",
        "sorcerer", "sorceress", "mage", "thane", "king", "queen", "prince", "princess", "baron", "baroness", "count",
        "countess", "duke", "duchess", "chief", "boss", "overseer", "taskmaster", "master", "mistress", "lady", "bard",
        "piper", "trumpeter", "healer", "engineer", "assassin", "scholar", "seer", "oracle", "elder", "veteran",
        "keeper", "warden", "marshal", "matriarch", "patriarch", "high-priest", "abbot", "druid", "shieldbearer",
    ]
)  # fmt: skip
GETTING = frozenset({"get", "gets", "getting", "got"})
SUFFERED = frozenset({"charged", "shot", "attacked", "targeted"})
HOLDERS = frozenset({"bearer", "carrier", "holder"})
BORNE = frozenset(
    {"icon", "banner", "standard", "flag", "totem", "relic", "torch", "shrine", "idol", "colour", "horn"}
)


def _without_bullet(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """A text that is one line of a list somewhere, without the bullet at its start."""
    alone = bool(words) and words[0].plain == "•" and all(word.plain != "•" for word in words[1:])
    return words[1:] if alone else words


def _in_the_passive(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """`Gets charged` is not `has charged`, though both verbs are the same elsewhere."""
    return tuple(
        replace(word, text="is", plain="is")
        if word.text.lower() in GETTING and at + 1 < len(words) and words[at + 1].plain in SUFFERED
        else word
        for at, word in enumerate(words)
    )


def _with_bearer(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """`The hero`, `the captain` or `the model` is the bearer of the rule, unless the text names another one."""
    words = _without_titles(words)
    for noun in ("hero", "model", *sorted(ROLES & {word.plain.removesuffix("'s") for word in words})):
        places = [at for at, word in enumerate(words) if _names(word, noun)]
        before = [words[at - 1].plain if at else "" for at in places]
        if places and "the" in before and all(one in ("the", "this") for one in before):
            found = list(words)
            for at in places:
                told = "model's" if words[at].plain.endswith("'s") else "model"
                found[at - 1] = replace(words[at - 1], text="this", plain="this")
                found[at] = replace(words[at], text=told, plain=told)
            words = tuple(found)
    return words


def _without_titles(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """`The icon bearer` is the bearer."""
    return tuple(
        word
        for at, word in enumerate(words)
        if not (
            0 < at < len(words) - 1
            and words[at - 1].plain == "the"
            and word.plain in BORNE
            and words[at + 1].plain.removesuffix("'s") in HOLDERS
        )
    )


def _names(word: Word, noun: str) -> bool:
    """Whether a word means one or several of a kind; `models` may be the bearer's own."""
    several = ("heroe", "heroes") if noun == "hero" else ()
    return word.text.lower() in (noun, f"{noun}'s") or word.plain in several


def _put(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """One pass from the first word to the last; at each the longest turn of phrase that stands there counts."""
    found: list[Word] = []
    at = 0
    told = frozenset([word.plain for word in words])
    open_ends = tuple([number for number, needed in _behind_any_words() if needed <= told])
    while at < len(words):
        hit = _turn_at(words, at, told, open_ends)
        if hit is None:
            found.append(words[at])
            at += 1
        else:
            new, at = hit
            found += new
    return tuple(found)


def _turn_at(
    words: tuple[Word, ...], at: int, told: frozenset[str], open_ends: tuple[int, ...]
) -> tuple[list[Word], int] | None:
    starts = at == 0 or words[at - 1].plain in STARTERS
    following = words[at + 1].plain if at + 1 < len(words) else ""
    found = _candidates(words[at].plain, _kinds(words[at]), starts, following, open_ends)
    for pattern, parts, needed in found:
        if not needed <= told:
            continue
        caught: list[tuple[Word, ...]] = []
        end = _match(pattern, 0, words, at, caught)
        if end is not None:
            span = words[at:end]
            return [word for part in parts for word in _placed(part, span, caught)], end
    return None


PASSES = 6
LONGEST = 12  # words that `{some}` may stand for
PAIRS_KEPT = 1 << 14  # pairs of words whose turns of phrase are remembered
ANY, START, END = "{}", "^", "$"
PAUSES = frozenset({",", ";", ":"})
STARTERS = frozenset({".", ",", ";", ":", "!"})
# A pattern, what it stands for, and the words that must stand in a text that it is found in.
Phrase = tuple[tuple[str, ...], tuple[Word | tuple[int, str], ...], frozenset[str]]


@cache
def _table() -> dict[str, tuple[Phrase, ...]]:
    """Turns of phrase by their first word, the longest first; those that begin with a slot under a sign."""
    table: dict[str, list[Phrase]] = {ANY: [], START: []}
    spelled = [
        (one, meaning)
        for turn, meaning in (
            TURNS | ATTACK_TURNS | ROLL_TURNS | UNIT_TURNS | SPEECH_TURNS | PLAIN_TURNS
        ).items()
        for one in _spelled_out(turn)
    ]
    for turn, meaning in sorted(spelled, key=lambda item: -len(item[0].split())):
        written = turn.split()
        first = START if written[0] == START else ""
        pattern = tuple(_token(word) for word in written if word != START)
        first = first or (ANY if pattern[0].startswith("{") else pattern[0])
        needed = frozenset(token for token in pattern if token not in (",", END) and token[0] != "{")
        parts = tuple(_part(word) for word in meaning.split())
        table.setdefault(first, []).append((pattern, parts, needed))
    return {first: tuple(phrases) for first, phrases in table.items()}


@cache
def turned_words() -> frozenset[str]:
    """The words of all turns of phrase."""
    every = (pattern for phrases in _table().values() for pattern, _, _ in phrases)
    return frozenset(word for pattern in every for word in pattern if word[0].isalpha())


@lru_cache(PAIRS_KEPT)
def _candidates(
    plain: str, kinds: tuple[str, ...], starts: bool, following: str, open_ends: tuple[int, ...]
) -> tuple[Phrase, ...]:
    """The turns of phrase that may stand at a word with another one behind it, in the order of trying.

    Of those that begin with any words only the ones whose numbers are given.
    """
    table, slots = _table(), _slots()
    firsts = {plain, ",", "{some}", *kinds}
    numbers = sorted([*open_ends, *(number for kind in kinds for number in slots.get(kind, ()))])
    every = [*table.get(plain, ()), *(table[ANY][number] for number in numbers)]
    every += table[START] if starts else ()
    return tuple(one for one in every if one[0][0] in firsts and _may_follow(one[0], following))


@cache
def _slots() -> dict[str, list[int]]:
    """The numbers of the turns of phrase that begin with a slot, by the slot."""
    found: dict[str, list[int]] = {}
    for number, (pattern, _, _) in enumerate(_table()[ANY]):
        found.setdefault(pattern[0], []).append(number)
    return found


@cache
def _behind_any_words() -> tuple[tuple[int, frozenset[str]], ...]:
    """The turns of phrase that begin with any words, by number, and the words that must stand in a text for each."""
    return tuple((number, _table()[ANY][number][2]) for number in _slots().get("{some}", ()))


def _may_follow(pattern: tuple[str, ...], following: str) -> bool:
    """Whether a word may stand behind the first one of a turn of phrase, by the second part of its pattern."""
    if len(pattern) < 2 or pattern[0] in (",", "{some}") or pattern[1] in (",", END):
        return True
    return pattern[1].startswith("{") or pattern[1] == following


_CHOICE = re.compile(r"<([^<>\[\]]*)>|\[([^<>\[\]]*)\]")


def _spelled_out(turn: str) -> list[str]:
    """A turn of phrase with its choices, `<a|b>`, and with and without what may be missing, `[a|b]`."""
    found = _CHOICE.search(turn)
    if found is None:
        return [turn]
    ways = found[1].split("|") if found[1] is not None else ["", *found[2].split("|")]
    before, behind = turn[: found.start()], turn[found.end() :]
    return [one for way in ways for one in _spelled_out(before + way + behind)]


@cache
def _token(written: str) -> str:
    return written if written.startswith("{") or written == END else words_of(written)[0].plain


@cache
def _part(written: str) -> Word | tuple[int, str]:
    """A word of a meaning, or the number of a slot with a sign that its number shall have."""
    if not written.startswith("{"):
        return words_of(written)[0]
    return int(written[1]) - 1, written[2:-1]


def _match(
    pattern: tuple[str, ...], index: int, words: tuple[Word, ...], at: int, caught: list[tuple[Word, ...]]
) -> int | None:
    """Where a turn of phrase that stands at a word ends, with what its slots catch; none where it does not.

    From a part of the pattern on, the one with the number `index`.
    """
    for number in range(index, len(pattern)):
        token = pattern[number]
        if token == END:
            if at < len(words) and words[at].plain not in (".", "!"):
                return None
            continue
        if at >= len(words):
            return None
        word = words[at]
        if token == ",":
            at += word.plain in PAUSES  # a pause may be missing
        elif token == "{some}":
            return _match_some(pattern, number, words, at, caught)
        elif token.startswith("{"):
            if token not in _kinds(word):
                return None
            caught.append((word,))
            at += 1
        elif word.plain == token:
            at += 1
        else:
            return None
    return at


def _match_some(
    pattern: tuple[str, ...], index: int, words: tuple[Word, ...], at: int, caught: list[tuple[Word, ...]]
) -> int | None:
    """`{some}` stands for as few words as possible, at the end for as many; none of them is a stop."""
    if len(pattern) == index + 1:
        ends = (end for end in range(at, len(words)) if words[end].plain in STARTERS)
        end = next(ends, len(words))
        caught.append(words[at:end])
        return end if at < end <= at + LONGEST else None
    following, kept = pattern[index + 1], len(caught)
    for end in range(at + 1, min(at + LONGEST, len(words)) + 1):
        if words[end - 1].plain in STARTERS:
            return None
        behind = words[end].plain if end < len(words) else ""
        if following == "," and behind not in PAUSES:
            continue  # without the pause nobody can tell where the words end
        if following[0] not in ",{$" and behind != following:
            continue
        caught.append(words[at:end])
        found = _match(pattern, index + 1, words, end, caught)
        if found is not None:
            return found
        del caught[kept:]
    return None


def _signed(word: Word, sign: str) -> Word:
    """A number with another sign: a bonus (`+`), a penalty (`-`), none (`u`), or as the roll that is needed (`n`)."""
    number = word.plain.lstrip("+-")
    written = {"+": f"+{number}", "-": f"-{number}", "u": number, "n": f"{number}+"}[sign]
    return replace(word, text=written, plain=written, kind="need" if sign == "n" else word.kind)


def _kinds(word: Word) -> tuple[str, ...]:
    """The slots that a word may fill."""
    sign = word.text[:1] in ("+", "-")
    match word.kind:
        case "number" if sign:
            return ("{signed}", "{bonus}") if word.text[0] == "+" else ("{signed}",)
        case "number":
            return ("{num}", "{face}")
        case "inches":
            return ("{sinch}",) if sign else ("{inch}",)
        case "need":
            return ("{need}", "{face}")
        case "faces":
            return ("{face}",)
        case _:
            return ()


def _placed(
    part: Word | tuple[int, str], span: tuple[Word, ...], caught: list[tuple[Word, ...]]
) -> tuple[Word, ...]:
    """A word of the meaning, at the place of the turn of phrase that it stands for."""
    if isinstance(part, tuple):
        number, sign = part
        return (_signed(caught[number][0], sign),) if sign else caught[number]
    same = next((word for word in span if word.plain == part.plain), None)
    return (same or replace(part, start=span[0].start, end=span[-1].end),)
