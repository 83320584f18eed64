"""Sentences in an unusual order: divided into parts that are known, and put together again in the usual order.

A sentence that no phrase fits as a whole is divided into its parts (`clause_parts.py`): who, when, how often, which
roll, by how much. Every word must belong to a part or be one of the small words that join them. The kinds of the parts
tell what the sentence says; it is then stated in the order that the phrases know, and read again. Where two parts
could belong to either of two others, nothing is stated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from shieldwall.rules.reading.clause_parts import ClausePart
from shieldwall.rules.reading.grammar import Grammar, Text
from shieldwall.rules.reading.words import Word, words_of

Words = tuple[Word, ...]
STOPS = frozenset({".", "!"})
SMALL = frozenset(
    [
        "a", "an", "the", "and", "also", "then", "get", "is", "be", "do", "to", "of", "for", "on", "at", "with", "in",
        ",", ";", ":", "(", ")", "-", "may", "take", "make", "both", "all", "which", "that", "so",
    ]
)  # fmt: skip
VERBS = frozenset({"get", "is", "do", "take", "make"})
PREPOSITIONS = frozenset({"to", "of", "for", "on", "at", "with", "in"})
GIVING = frozenset({"give", "let", "lend", "have"})
ARTICLES = frozenset({"a", "an", "the"})
MOST_PARTS = 14
MOST_WAYS = 6  # ways to divide a sentence that are tried
EFFECTS = frozenset(
    {"gets", "does", "roll", "amount", "inch", "action", "range", "out", "softer", "fate", "again"}
)
OPENERS = frozenset(
    {"when", "often", "moment", "life", "lead", "only", "until", "face", "picking", "verb", "action"}
)
CONDITIONS = frozenset({"when", "lead", "action"})
JOINING = frozenset({"verb", "lead", "only"})  # which say nothing without the parts beside them
GIVEN = frozenset({"gets", "does", "roll", "amount", "inch", "action", "range"})
PLAIN_PARTS = GIVEN | {"who", "aura", "crowd", "when", "band", "often", "moment", "life", "lost"}
PICK_PARTS = GIVEN | {"whom", "picking", "who", "when", "often", "moment", "until", "fate"}
FACE_PARTS = frozenset({"face", "out", "gets", "nomore", "who", "aura", "when", "band", "life"})
AGAIN_PARTS = frozenset({"again", "face", "failed", "foe", "enemy", "at", "who", "aura", "when", "life"})
SOFTER_PARTS = frozenset({"softer", "enemy", "at", "spells", "floor", "who", "aura", "when", "life"})
WORSE_PARTS = frozenset({"roll", "amount", "enemy", "at", "who", "when", "life"})
ROLLERS = frozenset({"they", "enemy", "target", "defender"})  # what they roll, the die shows
LED = frozenset({"when", "band", "until"})
OBJECTS = frozenset({"who", "aura", "crowd", "roll", "face", "gets", "amount", "inch"})
NEWS = frozenset({"gets", "roll", "amount", "whom", "verb", "out"})
DEEDS = frozenset(
    ["shoot", "shooting", "charge", "charging", "attack", "attacking", "fight", "fighting", "hold", "holding", "rush"]
)  # fmt: skip


class PlacedPart(NamedTuple):
    """A part where it stands: the number of its first word and of the one behind it."""

    kind: str
    words: Words
    start: int
    end: int
    spoken: bool = False  # whether it has a verb of its own


_State = Callable[["_Sentence"], list[list[Word]] | None]
_Way = tuple[tuple[int, int], list[PlacedPart]]  # small words and parts so far, and what they are


def restated(grammar: Grammar, heard: Text, at: int, end: int, on: str) -> Iterator[list[Words]]:
    """A sentence as one or several in the usual order, in each way in which it can be divided into parts.

    `on` says whether the rule is a weapon's.
    """
    for pieces in _divided(grammar, heard, at, end):
        sentence = _Sentence(pieces, heard, "this weapon" if on == "weapon" else "it")
        if sentence.pieces and _is_clear(pieces, sentence):
            said = _stated(sentence)
            if said:
                yield [tuple(one) for one in said]


def _divided(grammar: Grammar, heard: Text, at: int, end: int) -> list[list[PlacedPart]]:
    """The best ways to divide a sentence: as few small words between the parts as possible, then as few parts."""
    best: dict[int, list[_Way]] = {at: [((0, 0), [])]}
    for place in range(at, end):
        ways = _best(best.get(place, []))
        if not ways:
            continue
        steps = [(piece, 0) for piece in _pieces(grammar, heard, place, end, place == at)]
        if heard.words[place].plain in SMALL | STOPS:
            steps.append((PlacedPart("", heard.words[place : place + 1], place, place + 1), 1))
        for (small, count), before in ways:
            for piece, cost in steps:
                if piece.kind and count >= MOST_PARTS:
                    continue
                if piece.kind == "band" and not (before and before[-1].kind == "lead"):
                    continue
                mine = (small + cost, count + bool(piece.kind))
                best.setdefault(piece.end, []).append((mine, [*before, piece]))
    return [pieces for _, pieces in _best(best.get(end, []))]


def _best(ways: list[_Way]) -> list[_Way]:
    """The best of several ways, each kind of them once."""
    found: dict[tuple[tuple[str, str], ...], _Way] = {}
    for way in sorted(ways, key=lambda way: way[0]):
        told = tuple((piece.kind, _text(piece)) for piece in way[1])
        found.setdefault(told, way)
        if len(found) == MOST_WAYS:
            break
    return list(found.values())


def _pieces(grammar: Grammar, heard: Text, place: int, end: int, is_first: bool) -> Iterator[PlacedPart]:
    for part, stop in grammar.parse(heard, "clausepart", place):
        words = heard.words[place:stop]
        if part.kind in ("gets", "band") and is_first and not _is_known(heard, words):
            continue  # a capital at the start of a sentence makes no name of a word
        if place < stop <= end and (part.kind != "face" or _is_natural(words)):
            yield PlacedPart(
                part.kind, _said(part, words), place, stop, len(words) > 2 and words[0].kind == "word"
            )


def _is_known(heard: Text, words: Words) -> bool:
    """Whether words are not just a name that nobody knows."""
    name = [word.plain for word in words if word.kind == "word"]
    return name == ["ap"] or " ".join(name) in heard.names


def _is_natural(words: Words) -> bool:
    """Whether faces are told as those of the die itself: unmodified, `sixes`, or what somebody rolls."""
    return any(
        word.plain == "unmodified" or (word.kind == "number" and word.text[-1:] == "s") for word in words
    ) or any(word.plain == "roll" and words[at - 1].plain in ROLLERS for at, word in enumerate(words) if at)


def _said(part: ClausePart, words: Words) -> Words:
    if not part.said:
        return words
    return tuple(replace(word, start=words[0].start, end=words[-1].end) for word in words_of(part.said))


class _Sentence:
    """The pieces of a sentence by kind, and the words between them."""

    def __init__(self, pieces: list[PlacedPart], heard: Text, bearer: str) -> None:
        self.pieces = [piece for piece in pieces if piece.kind]
        self.bearer = bearer
        self.heard = heard
        self.between = [heard.words[piece.start].plain for piece in pieces if not piece.kind]

    def of(self, *kinds: str) -> list[PlacedPart]:
        return [piece for piece in self.pieces if piece.kind in kinds]

    def said(self, text: str) -> Words:
        first, last = self.pieces[0].words[0], self.pieces[-1].words[-1]
        return tuple(replace(word, start=first.start, end=last.end) for word in words_of(text))


def _stated(sentence: _Sentence) -> list[list[Word]] | None:
    """The sentence in the usual order; none where its parts do not make one, or one of them would be left out."""
    state, used = _kind_of(sentence)
    if any(piece.kind not in JOINING and piece.kind not in used for piece in sentence.pieces):
        return None
    return state(sentence)


def _kind_of(sentence: _Sentence) -> tuple[_State, frozenset[str]]:
    """How a sentence is stated, and the kinds of parts that go into it."""
    if sentence.of("whom"):
        return _pick, PICK_PARTS
    if sentence.of("again"):
        return _rolled_again, AGAIN_PARTS
    if sentence.of("face", "out"):
        return _on_faces, FACE_PARTS
    if sentence.of("softer"):
        return _softer_hits, SOFTER_PARTS
    if sentence.of("enemy", "at"):
        return _worse_for_enemies, WORSE_PARTS
    return _plain, PLAIN_PARTS


def _is_clear(pieces: list[PlacedPart], sentence: _Sentence) -> bool:
    """Whether it is plain who does something, and what each condition goes for."""
    if STOPS.intersection(sentence.between) and not sentence.of("whom"):
        return False  # only what happens to those who were picked may stand in another sentence
    for place, piece in enumerate(pieces):
        before = pieces[place - 1] if place else None
        behind = pieces[place + 1] if place + 1 < len(pieces) else None
        if piece.kind in ("who", "aura", "crowd") and not _may_be_subject(piece, before):
            return False
        if piece.kind == "band" and (before is None or before.kind != "lead"):
            return False
        if piece.kind == "lead" and (behind is None or behind.kind not in LED):
            return False
        if piece.kind == "only" and not any(one and one.kind in CONDITIONS for one in (before, behind)):
            return False
        if not piece.kind and not _may_join(piece.words[0].plain, behind, sentence):
            return False
    if sentence.of("who", "aura", "crowd") and not _has_verb(sentence):
        return False
    effects = [piece.start for piece in sentence.of(*EFFECTS)]
    several = len(sentence.of("gets", "does", "amount", "inch", "out", "softer")) > 1
    inner = [
        piece for piece in sentence.of("when", "band") if effects and effects[0] < piece.start < effects[-1]
    ]
    return bool(effects) and not (several and (inner or _ends_on_the_last(pieces)))


def _ends_on_the_last(pieces: list[PlacedPart]) -> bool:
    """Whether a condition at the end goes for the last effect alone: `gets this, and gets that when charging`."""
    last = max(place for place, piece in enumerate(pieces) if piece.kind in EFFECTS)
    told = [piece.words[0].plain if not piece.kind else piece.kind for piece in pieces]
    before = max((place for place in range(last) if pieces[place].kind in EFFECTS), default=last)
    behind = told[last + 1 : last + 2]
    return behind in (["when"], ["lead"]) and told[before + 1 : before + 3] in ([",", "and"], [",", "also"])


def _may_join(small: str, behind: PlacedPart | None, sentence: _Sentence) -> bool:
    """Whether a small word may stand before a part."""
    if behind is None:
        return small not in PREPOSITIONS | ARTICLES
    if not behind.kind:
        return small not in ARTICLES  # there was a noun that is gone
    if small in ARTICLES:
        return behind.kind not in ("does", "fate", "picking", "verb")
    if small in PREPOSITIONS and behind.kind == "whom":
        return small == "to" and _is_given(sentence)
    return small not in PREPOSITIONS or behind.kind in OBJECTS


def _is_given(sentence: _Sentence) -> bool:
    """Whether it is one word that picks units and says what they get: `give it to them`, `have them get it`."""
    return any(word.text.lower() in GIVING for piece in sentence.of("picking") for word in piece.words)


def _has_verb(sentence: _Sentence) -> bool:
    """Whether a sentence that names somebody says that he does or gets something, be it by a colon."""
    return bool(
        VERBS & set(sentence.between)
        or sentence.of("does", "verb", "again", "fate")
        or {":", "for"} & set(sentence.between)
        or _is_given(sentence)
        or any(piece.spoken for piece in sentence.of("out", "softer"))
    )


def _may_be_subject(piece: PlacedPart, before: PlacedPart | None) -> bool:
    """Whether somebody stands where a subject stands, and is not what is attacked."""
    if before is None or not before.kind or before.kind in OPENERS:
        return True
    return piece.words[0].plain in ("it", "they") or before.kind in NEWS


def _front(sentence: _Sentence) -> list[Word]:
    """How often, when, and under which conditions."""
    found: list[Word] = []
    comma = sentence.said(",")
    for piece in (*sentence.of("often"), *sentence.of("moment"), *sentence.of("when")):
        found += [*piece.words, *comma]
    for piece in sentence.of("band"):
        found += [*sentence.said("against units with"), *piece.words, *comma]
    return found


def _effects(sentence: _Sentence) -> list[Word] | None:
    """What somebody gets and does."""
    said = sentence.said
    rolls, amounts, inches = sentence.of("roll"), sentence.of("amount"), sentence.of("inch")
    moves, ranges = sentence.of("action"), sentence.of("range")
    actions = [move for move in moves if _text(move).startswith("when")]  # the others mean any move
    told: list[Words] = []
    if len(rolls) > 1 and len(amounts) == 1:
        told.append(
            (*said("get"), *amounts[0].words, *said(" and ".join(f"to {_text(one)}" for one in rolls)))
        )
    elif len(rolls) == len(amounts):
        pairs = zip(rolls, amounts, strict=True)
        told += [(*said("get"), *amount.words, *said(f"to {_text(roll)}")) for roll, amount in pairs]
    else:
        return None
    if ranges:
        if len(inches) != 1 or moves:
            return None
        told.append((*said("get"), *inches[0].words, *said("range")))
    elif inches:
        if len(actions) > len(inches) or (len(inches) > 1 and len(actions) != len(inches)):
            return None
        when = [action.words for action in actions] + [()] * (len(inches) - len(actions))
        told += [(*said("moves"), *inch.words, *action) for inch, action in zip(inches, when, strict=True)]
    elif moves:
        return None
    told += [(*said("get"), *piece.words) for piece in sentence.of("gets")]
    told += [piece.words for piece in sentence.of("does")]
    found: list[Word] = []
    for place, words in enumerate(told):
        found += [*(said("and") if place else ()), *words]
    return found or None


def _text(piece: PlacedPart) -> str:
    return " ".join(word.text for word in piece.words)


def _is_pronoun(piece: PlacedPart) -> bool:
    return len(piece.words) == 1 and piece.words[0].plain in ("it", "they")


def _subject(sentence: _Sentence) -> Words | None:
    """The one who gets it; none where several are named."""
    named = [piece for piece in sentence.of("who", "aura", "crowd") if not _is_pronoun(piece)]
    if len({_text(piece) for piece in named}) > 1:
        return None
    return named[0].words if named else sentence.said(sentence.bearer)


def _plain(sentence: _Sentence) -> list[list[Word]] | None:
    """Somebody gets something."""
    subject, effects = _subject(sentence), _effects(sentence)
    if subject is None or effects is None:
        return None
    if sentence.of("lost"):
        crowd = sentence.of("crowd")
        gets = sentence.of("gets")
        if len(crowd) != 1 or len(gets) != 1 or sentence.of("roll", "inch", "does"):
            return None
        return [[*_front(sentence), *crowd[0].words, *sentence.said("lose"), *gets[0].words]]
    return [[*_front(sentence), *subject, *effects]]


def _on_faces(sentence: _Sentence) -> list[list[Word]] | None:
    """Something comes of natural faces."""
    faces, outs, gets = sentence.of("face"), sentence.of("out"), sentence.of("gets")
    subject = _subject(sentence)
    others = sentence.of("does", "roll", "amount", "inch", "range", "enemy", "at", "softer")
    if len(faces) != 1 or len(outs) > 1 or not (outs or gets) or subject is None or others:
        return None
    if outs and any(piece.start > outs[0].start for piece in gets):
        return None  # the hits, or whoever scores them
    start = [*_front(sentence), *faces[0].words, *sentence.said(",")]
    more = sentence.said(", extra attacks bring no more") if sentence.of("nomore") else ()
    found = [[*start, *subject, *piece.words, *more] for piece in outs]
    return found + [[*start, *sentence.said("those hits get"), *piece.words] for piece in gets]


def _softer_hits(sentence: _Sentence) -> list[list[Word]] | None:
    """Hits on the bearer lose armour piercing."""
    softer = sentence.of("softer")
    whens = sentence.of("when")
    if not sentence.of("enemy", "at") and not any(_is_suffered(piece) for piece in whens):
        return None
    if any(_is_done(piece) and not _is_suffered(piece) for piece in whens):
        return None
    mine = [piece for piece in sentence.of("who", "aura") if not _is_pronoun(piece)]
    if (
        len(softer) != 1
        or len({_text(piece) for piece in mine}) > 1
        or sentence.of(*EFFECTS, "crowd", "band", "often", "moment") != softer
    ):
        return None
    said = sentence.said
    whom = _attacked(sentence, mine)
    deeds = {"shooting at": "when shot at", "charging": "when charged", "fighting": "in melee"}
    how = [word for piece in sentence.of("at") for word in said(deeds.get(_text(piece), ""))]
    how += said("against spells") if sentence.of("spells") else ()
    return [[*said("hits on"), *whom, *said("get"), *softer[0].words, *_ends(sentence), *how]]


def _is_suffered(piece: PlacedPart) -> bool:
    """Whether a condition is that something is done to the bearer."""
    return bool({"shot", "attacked", "charged", "targeted"}.intersection(word.plain for word in piece.words))


def _is_done(piece: PlacedPart) -> bool:
    """Whether a condition is that somebody does something."""
    return bool(DEEDS.intersection(word.plain for word in piece.words))


def _rolled_again(sentence: _Sentence) -> list[list[Word]] | None:
    """Dice are rolled again."""
    again, faces, failed = sentence.of("again"), sentence.of("face"), sentence.of("failed")
    if len(again) != 1 or len(faces) + len(failed) != 1 or sentence.of(*EFFECTS - {"face"}, "crowd"):
        return None
    said, what = sentence.said, (*faces, *failed)[0]
    dice = _text(what).removeprefix("on ")
    subject = _subject(sentence)
    if subject is None:
        return None
    if sentence.of("foe") or sentence.of("enemy"):
        if _text(again[0]) != "must re-roll":
            return None
        if dice.endswith("to block"):
            return [[*_front(sentence), *said(f"the target must re-roll {dice} against"), *subject]]
        deed = _text(sentence.of("at")[0]) if sentence.of("at") else "attacking"
        whom = said("this unit") if _is_my_own(sentence) else subject
        return [[*said(f"enemies must re-roll {dice} when {deed}"), *whom, *_ends(sentence)]]
    return [[*_front(sentence), *subject, *said(f"re-rolls {dice}")]]


def _is_my_own(sentence: _Sentence) -> bool:
    return all(map(_is_pronoun, sentence.of("who")))


def _worse_for_enemies(sentence: _Sentence) -> list[list[Word]] | None:
    """Enemies that attack the bearer have it harder."""
    if sentence.of("aura", "crowd", "gets", "does", "inch", "range", "often", "moment", "band"):
        return None
    rolls, amounts, deeds = sentence.of("roll"), sentence.of("amount"), sentence.of("at")
    if (
        len(amounts) != 1
        or len(deeds) != 1
        or [_text(one) for one in rolls or deeds] not in (["hit"], ["hitting"])
    ):
        return None
    mine = [piece for piece in sentence.of("who") if not _is_pronoun(piece)]
    if len(mine) > 1 or not sentence.of("enemy"):
        return None
    said = sentence.said
    whom = _attacked(sentence, mine)
    return [
        [
            *said("enemies get"),
            *amounts[0].words,
            *said(f"to hit when {_deed(deeds[0])}"),
            *whom,
            *_ends(sentence),
        ]
    ]


def _deed(piece: PlacedPart) -> str:
    return _text(piece).replace("hitting", "attacking")


def _attacked(sentence: _Sentence, mine: list[PlacedPart]) -> Words:
    """Who is attacked: somebody who is named, or the bearer's unit."""
    if mine:
        return mine[0].words
    told = {
        word.plain
        for piece in sentence.of("at", "enemy")
        for word in sentence.heard.words[piece.start : piece.end]
    }
    return sentence.said("this model" if {"model", "bearer"} & told and "unit" not in told else "this unit")


def _ends(sentence: _Sentence) -> list[Word]:
    return [word for piece in sentence.of("when") for word in piece.words]


def _are_named_again(sentence: _Sentence, whom: PlacedPart) -> bool:
    """Whether it is said of those who were picked what happens, and not of whoever picks them."""
    pronouns = [piece for piece in sentence.of("who") if _is_pronoun(piece) and piece.start > whom.start]
    return bool(pronouns) or "which" in sentence.between or _is_given(sentence)


def _pick(sentence: _Sentence) -> list[list[Word]] | None:
    """Units are picked, and get something for a while."""
    whom, lasting, fates = sentence.of("whom"), sentence.of("until"), sentence.of("fate")
    named = [piece for piece in sentence.of("who", "aura") if not _is_pronoun(piece)]
    if (
        len(whom) != 1
        or len(lasting) > 1
        or not sentence.of("picking")
        or sentence.of("crowd", "face", "out", "enemy")
    ):
        return None
    if sentence.of("at", "softer", "again", "lost", "band") or any(
        piece.start > whom[0].start for piece in named
    ):
        return None
    effects = _effects(sentence)
    if (effects is None) == (not fates) or not _are_named_again(sentence, whom[0]):
        return None
    said = sentence.said
    found = [
        word
        for piece in (*sentence.of("often"), *sentence.of("moment"))
        for word in (*piece.words, *said(","))
    ]
    found += [*said("pick"), *whom[0].words, *said(", which")]
    if fates:
        if len(fates) > 1 or sentence.of("when", *GIVEN):
            return None
        found += fates[0].words
    else:
        found += [*(effects or ()), *_ends(sentence)]
    return [[*found, *(lasting[0].words if lasting else ())]]
