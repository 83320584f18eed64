"""Texts as words: quotes, dashes, inches, numbers and plurals made alike, so that phrases can be compared."""

from __future__ import annotations

import re

from msgspec import Struct

_FOLDED = str.maketrans(
    {
        **dict.fromkeys("‘’‛`´′", "'"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("·◦▪●∙‣\uf0b7\uf0a7", "•"),
        "\u00a0": " ",
    }
)
_BROKEN = "\ufffd"  # what stands for a quotation mark, an apostrophe or a bullet that was lost on the way
_MENDED = (
    (re.compile(rf"(?<=\d){_BROKEN}"), '"'),
    (re.compile(rf"(?<=[^\W\d_])[{_BROKEN}\"](?=[^\W\d_])"), "'"),
    (re.compile(rf"(?<=[^\W\d_] ){_BROKEN}(?= [A-Z])"), "-"),
    (re.compile(rf"{_BROKEN}"), "•"),
)
_WORD = re.compile(
    r"""(?P<inches>\d+\s(?:additional|extra|more|further)\sinch(?:es)?\b
    | [+-]?(?:\d+(?:\.\d+)?|[dD]\d(?:\+\d+)?)\s?(?:"|''|-?inch(?:es)?\b|in\b(?=[.,]|\s+of\b)))
    | (?P<dice>\d?[dD]\d(?:\+\d+)?\b)
    | (?P<faces>\d\s?-\s?\d(?!\d)|\d\s+to\s+\d(?=\s+to\b))
    | (?P<need>(?:\d|\bX)\+(?!\w))
    | (?P<number>[+-]?\d+(?:s?\b|(?=A\b))|[+-]?[XY]\b)
    | (?P<sign>[+-](?=[A-Z(]))
    | (?P<word>[^\W\d_]+(?:['&-][^\W\d_]+)*|&)
    | (?P<mark>[.,:;()/"!?+*•-])
    | (?P<other>\S)""",
    re.VERBOSE,
)
_MORE = re.compile(r"\s(?:additional|extra|more|further)\s")
_QUOTED = re.compile(r'(?<![\w\d])"(?=[A-Za-z])([^"]*)"')  # words in quotation marks, which are no inches
NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
}
_SAME = {
    "gain": "get",
    "receive": "get",
    "foe": "enemy",
    "ally": "friend",
    "choose": "pick",
    "chosen": "picked",
    "suffer": "take",
    "allied": "friendly",
    "natural": "unmodified",
    "defence": "defense",
    "whilst": "while",
    "whenever": "when",
    "reroll": "re-roll",
    "maximum": "max",
    "minimum": "min",
    "fight": "fight",
    "beginning": "start",
    "slain": "killed",
    "each": "each",
    "every": "each",
    "become": "become",
    "cannot": "can't",
    "further": "farther",
    "can": "may",
    "throw": "roll",
    "regain": "recover",
    "heal": "recover",
    "select": "pick",
    "nominate": "pick",
    "designate": "pick",
    "inflict": "deal",
    "fire": "shoot",
    "firing": "shooting",
    "versus": "against",
    "vs": "against",
    "battle": "game",
    "upon": "when",
    "solely": "only",
    "entirely": "only",
    "exclusively": "only",
    "striking": "fighting",
    "suffered": "taken",
    "suffering": "taking",
    "to-hit": "hit",
    "grant": "give",
    "additional": "extra",
    "have": "get",
    "has": "get",
    "are": "is",
    "remain": "is",
    "rushes": "rush",
    "opponent": "enemy",
    "opponent's": "enemy's",
    "foe's": "enemy's",
    "opposing": "enemy",
    "hostile": "enemy",
    "adversary": "enemy",
    "wielder": "bearer",
    "regiment": "unit",
    "squad": "unit",
    "possess": "get",
    "enjoy": "get",
    "raw": "unmodified",
    "rushe": "rush",
    "sustain": "take",
    "missile": "ranged",
    "exhausted": "fatigued",
    "slay": "kill",
    "he": "it",
    "she": "it",
    "him": "it",
    "his": "its",
    "her": "its",
    "himself": "itself",
    "herself": "itself",
    "travel": "move",
    "sixe": "six",
    "victim": "target",
    "till": "until",
    "obtain": "get",
    "acquire": "get",
    "opposition": "enemy",
    "annihilated": "destroyed",
}
_WHOLE = {
    "this",
    "its",
    "is",
    "was",
    "has",
    "as",
    "his",
    "us",
    "less",
    "unless",
    "always",
    "across",
    "focus",
    "plus",
}


_COUNTED = re.compile(
    rf"\b(an?|{'|'.join(NUMBERS)})(?=[\s-](?:(?:additional|extra|more|further|full)\s)?inch(?:es)?\b)",
    re.IGNORECASE,
)


class Word(Struct, frozen=True):
    """One word of a text: as written, for comparing, what it is, and where it stands."""

    text: str
    plain: str
    kind: str
    start: int
    end: int


def mended(text: str) -> str:
    """A text with the quotation marks, apostrophes and bullets that were lost on the way."""
    if _BROKEN in text or '"' in text:
        for broken, whole in _MENDED:
            text = broken.sub(whole, text)
    return text


def words_of(text: str) -> tuple[Word, ...]:
    """The words and marks of a text; a full stop of an abbreviation belongs to its word."""
    folded = mended(text.translate(_FOLDED))
    folded = re.sub(r"\b([Mm]ax|[Mm]in)\.", lambda found: found[1] + " ", folded)
    folded = _QUOTED.sub(lambda found: f" {found[1]} ", folded)
    folded = _COUNTED.sub(lambda found: str(NUMBERS.get(found[1].lower(), 1)).rjust(len(found[1])), folded)
    found: list[Word] = []
    for match in _WORD.finditer(folded):
        kind = str(match.lastgroup)
        written = match.group()
        if written == "'":  # of units' and the like
            continue
        plain = plain_word(written) if kind == "word" else written.lower()
        if kind == "inches" and _MORE.search(written):
            written = "+" + _MORE.sub(" ", written)
            plain = written.lower()
        if kind == "number" and plain.endswith("s"):
            plain = plain[:-1]
        if kind == "word" and plain in NUMBERS:
            kind, plain = "number", str(NUMBERS[plain])
        found.append(Word(written, plain, kind, match.start(), match.end()))
    return tuple(found)


def plain_word(written: str) -> str:
    """A word for comparing: small letters, singular, one word for those that mean the same."""
    word = written.lower()
    word = _SAME.get(word, word)
    if word not in _WHOLE and len(word) > 3 and word.endswith("s") and not word.endswith("'s"):
        word = word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
    return _SAME.get(word, word)


def inches_of(word: Word) -> tuple[int, int, bool]:
    """A length: thousandths of an inch, the faces of a die that is added (0 for none), and whether it has a sign."""
    number = re.sub(r"[^0-9dD.+-]", "", word.text.split("inch")[0].replace("''", "")).rstrip("-").lower()
    if "d" in number:
        faces, _, rest = number.lstrip("+-").lstrip("d").partition("+")
        return int(rest or 0) * 1000, int(faces), number[0] in "+-"
    return round(float(number) * 1000), 0, number[0] in "+-"
