"""Makes puzzles from games between bots: late positions in which one idea is clearly better than all others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from shieldwall.analysis.moments import ACTION, Moment
from shieldwall.analysis.reasons import reason_for
from shieldwall.editions import EDITIONS
from shieldwall.puzzles.comparing import MOVES, SPELLS, Contest, Settled, Tried, settle
from shieldwall.puzzles.ideas import (
    IdeaKey,
    PuzzleIdea,
    SpellAndTargets,
    idea_words,
    ideas_of,
    is_about_a_spell,
    spell_cast,
)
from shieldwall.puzzles.late_moments import LateGame, LateMoments, is_decided, late_game, waiting_units
from shieldwall.puzzles.puzzle import FORMAT, KINDS, PlayoutBudget, Puzzle, PuzzleKind, RatedIdea
from shieldwall.puzzles.sorting import grade_of, kind_of
from shieldwall.puzzles.words import explanation_of, hint_for, task_for, title_of
from shieldwall.rules.ruleset import Ruleset

MARGIN = 0.08  # the minimum lead of the solution
FEWEST_IDEAS, MOST_IDEAS = 3, 8
OPEN_SPREAD, OPEN_GAP = 0.3, 0.02  # in armies, by quick playouts: best idea to worst, best to second
QUICK_WAITING = 3  # units yet to act: battles from there are so short that they say more than quick playouts
WORTH_SOLVING = 0.5  # of the score: the minimum for the best idea
SHOWN_OTHERS = 4
PUZZLES_OF_A_GAME = 2


class PuzzleFilter(NamedTuple):
    """Which puzzles to look for."""

    editions: Sequence[str] = tuple(EDITIONS)
    kinds: Sequence[PuzzleKind] = KINDS
    grades: Sequence[int] = (1, 2, 3)

    @property
    def only_spells(self) -> bool:
        """Whether games without casters are of no use."""
        return set(self.kinds) == {"spell"}


EVERYTHING = PuzzleFilter()


class Find(NamedTuple):
    """A position that makes a puzzle, with its ideas in order. `number` distinguishes the finds of one game."""

    moment: Moment
    settled: Settled
    source: str
    number: int
    seed: str


def finds(game: LateGame, wanted: PuzzleFilter = EVERYTHING, margin: float = MARGIN) -> Iterator[Find]:
    """Positions of one game that make puzzles: one for each way its last round went, without repeated solutions."""
    known: set[IdeaKey] = set()
    spells: set[SpellAndTargets] = set()
    for number, way in enumerate(game.ways):
        for moment in _candidates(way, wanted, spells):
            seed = f"{game.source}, {number}, {moment.number}"
            find = _find(game, moment, seed, wanted, margin)
            if find is not None and find.settled.order[0].idea.key not in known:
                known.add(find.settled.order[0].idea.key)
                yield find._replace(number=100 * number + moment.number)
                break


def _candidates(way: LateMoments, wanted: PuzzleFilter, seen: set[SpellAndTargets]) -> list[Moment]:
    """Spells not `seen` yet, then positions with a choice of units, then those of a last unit.

    Later ones come first: they are quicker.
    """
    spells = [moment for moment in reversed(way.spells) if spell_cast(moment.state) not in seen]
    seen.update(spell_cast(moment.state) for moment in spells)
    late = sorted(way.moments, key=lambda moment: (moment.decision.kind == ACTION, -moment.number))
    if set(wanted.kinds) <= {"order", "spell"}:
        late = [moment for moment in late if moment.decision.kind != ACTION]
    return [*(spells if "spell" in wanted.kinds else ()), *(late if not wanted.only_spells else ())]


def _find(game: LateGame, moment: Moment, seed: str, wanted: PuzzleFilter, margin: float) -> Find | None:
    rules = game.rules
    ideas = _open_ideas(rules, moment)
    if not ideas:
        return None

    def is_wanted(best: Tried, second: Tried) -> bool:
        """Whether the two best ideas would make a puzzle of the kind looked for."""
        return (
            _is_worth_solving(best)
            and kind_of(rules, moment, best.idea, second.idea) in wanted.kinds
            and grade_of(rules, moment, best.idea.key) in wanted.grades
        )

    screening = SPELLS if is_about_a_spell(moment.decision) else MOVES
    settled = settle(Contest(rules, moment, seed), ideas, margin, screening, is_wanted)
    if settled is None or not is_wanted(settled.order[0], settled.order[1]):
        return None
    return Find(moment, settled, game.source, moment.number, seed)


def _is_worth_solving(best: Tried) -> bool:
    """Whether the best idea does something, and saves the game more often than not."""
    does_nothing = best.idea.key.does == "move" and not best.idea.key.markers
    return best.chance >= WORTH_SOLVING and not does_nothing


def _open_ideas(rules: Ruleset, moment: Moment) -> list[PuzzleIdea]:
    """The ideas of a position in which the choice matters, as far as quick playouts can tell."""
    if is_about_a_spell(moment.decision):
        return ideas_of(rules, moment)
    if is_decided(rules, moment):
        return []
    is_quick = waiting_units(moment.state) <= QUICK_WAITING
    ideas = ideas_of(rules, moment, MOST_IDEAS, 0.0 if is_quick else OPEN_SPREAD)
    is_open = len(ideas) >= FEWEST_IDEAS and (is_quick or ideas[0].worth - ideas[1].worth > OPEN_GAP)
    return ideas if is_open else []


def made(rules: Ruleset, find: Find, id: str) -> Puzzle:
    """The puzzle of a find, with all its texts."""
    moment, (order, lead) = find.moment, find.settled
    best, second = order[0], order[1]
    kind = kind_of(rules, moment, best.idea, second.idea)
    state, side = moment.state, moment.side
    why = reason_for(state, side, second.ends[: len(best.ends)], best.ends[: len(second.ends)])
    rated = [
        RatedIdea(tried.idea.key, idea_words(state, tried.idea.key), round(tried.chance, 3))
        for tried in order
    ]
    return Puzzle(
        format=FORMAT,
        id=id,
        kind=kind,
        grade=grade_of(rules, moment, best.idea.key),
        edition=state.ruleset,
        side=side,
        title=title_of(kind),
        task=task_for(rules, moment, kind),
        hint=hint_for(state, kind, best.idea.key),
        explanation=explanation_of(state, best, second, why),
        why=why,
        solution=rated[0],
        others=tuple(rated[1 : 1 + SHOWN_OTHERS]),
        budget=PlayoutBudget(
            min(len(best.ends), len(second.ends)), round(lead.mean, 3), round(lead.low, 3), find.seed
        ),
        source=find.source,
        position=state,
    )


def find_puzzles(seeds: range, wanted: PuzzleFilter = EVERYTHING) -> Iterator[tuple[float, list[Puzzle]]]:
    """The puzzles in the games of some seeds, game by game, with the share of games done."""
    for done, seed in enumerate(seeds, start=1):
        edition = wanted.editions[seed % len(wanted.editions)]
        game = late_game(edition, seed, wanted.only_spells)
        yield done / len(seeds), _puzzles_of(game, wanted) if game is not None else []


def _puzzles_of(game: LateGame, wanted: PuzzleFilter) -> list[Puzzle]:
    found = islice(finds(game, wanted), PUZZLES_OF_A_GAME)
    return [made(game.rules, find, f"g{game.seed}-{find.number}") for find in found]
