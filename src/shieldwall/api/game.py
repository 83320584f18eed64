"""One game for programs: the question, its legal answers, and what they do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shieldwall.api.army import Army
from shieldwall.api.menu import SLOTS, menu_of
from shieldwall.api.position import from_text, to_text
from shieldwall.armies import MusteredArmy, fresh_state
from shieldwall.armies.demo import demo_armies, table_for
from shieldwall.bots import MatchResult, Policy, dismiss, play_game, policy, seen_by
from shieldwall.bots.match import Watcher, introduce
from shieldwall.bots.numbers import SplitMix, numbers_for
from shieldwall.bots.policy import Decider
from shieldwall.bots.registry import policy_of
from shieldwall.core.answers import AnyAnswer, Faces, Pick
from shieldwall.core.codec import answer_from
from shieldwall.core.engine import begin, check, submit, submit_checked
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.events import AnyEvent
from shieldwall.core.pending import Decision, Pending, Roll
from shieldwall.core.state import Piece, State
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset
from shieldwall.rulebook.house_rules import Setting
from shieldwall.rules.ruleset import Ruleset

AnyArmy = Army | MusteredArmy | str
BotLike = str | Decider | Callable[[], Decider] | Callable[[int], Decider]
Question = Decision
Answer = AnyAnswer | str | list[int] | tuple[int, ...] | Mapping[str, Any]


class Game:
    """A game that is waiting for an answer, or is over.

    Made by `shieldwall.new_game` or `Game.from_text`. The game rolls its own dice from its seed, unless it was made
    with `dice="ask"`: then rolls are questions too, answered with the faces.

    >>> import shieldwall as sw
    >>> game = sw.new_game("regiments-3.5", seed=7)
    >>> game.question.kind, game.seat
    ('marker_first', 1)
    >>> [answer.option for answer in game.legal()]
    ['s1', 's0']
    """

    def __init__(
        self,
        rules: Ruleset,
        state: State,
        *,
        seed: int = 1,
        dice: SeededDice | None = None,
        ask_dice: bool = False,
    ) -> None:
        self.rules = rules
        self.seed = checked_seed(seed)
        self.dice = dice or SeededDice.from_seed(seed)
        self.ask_dice = ask_dice
        self.events: tuple[AnyEvent, ...] = ()
        self._before: list[tuple[State, Pending | None]] = []
        progress = begin(rules, state)
        self._state, self._pending = progress.state, progress.pending
        self._roll()

    # --- what is there ---

    @property
    def state(self) -> State:
        """Everything about the game as frozen data: `units`, `markers`, `pieces`, `round` and so on."""
        return self._state

    @property
    def edition(self) -> str:
        """The id of the edition."""
        return self.rules.id

    @property
    def question(self) -> Decision | None:
        """The current question: `kind`, `prompt`, `seat`, `cite`; None when the game is over.

        `question.check(answer)` returns every reason against an answer; `default()` and `sample(numbers)` return
        legal answers. While dice are asked for (`dice="ask"`) this is None too, and `roll` has the roll.
        """
        return self._pending if isinstance(self._pending, Decision) else None

    @property
    def roll(self) -> Roll | None:
        """The pending roll, in games with `dice="ask"`."""
        return self._pending if isinstance(self._pending, Roll) else None

    @property
    def seat(self) -> int:
        """The seat that is asked, from 0; -1 when the game is over."""
        return self._pending.seat if self._pending is not None else -1

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self._pending is None

    @property
    def winner(self) -> int | None:
        """The side that won, from 0; None for a draw or an unfinished game."""
        return self._state.winner

    @property
    def round(self) -> int:
        """The current round, 0 before the first."""
        return self._state.round

    def markers_held(self, side: int) -> int:
        """How many markers a side holds."""
        return sum(marker.holder == side for marker in self._state.markers)

    def view(self, seat: int) -> State:
        """The state as a seat may see it, without the sealed bids of others."""
        return seen_by(self._state, seat)

    # --- answering ---

    def legal(self) -> list[AnyAnswer]:
        """Legal answers to the question.

        All options of a choice. For moves, places and targets, which have countless legal answers, a fixed selection
        of at most 64 (see `shieldwall.api.menu`); `question.check(answer)` judges any other.
        """
        question = self.question
        if question is None:
            return []
        menu = menu_of(self._state, question)
        return [menu.answer(slot) for slot in list(menu.slots)[:SLOTS]]

    def why_not(self, answer: Answer) -> list[str]:
        """Every reason why an answer is illegal; empty if it is legal."""
        if self._pending is None:
            return ["the game is over; nothing is asked"]
        refusals = check(self._pending, self._read(answer))
        return [f"{one.reason} ({one.cite})" if one.cite else one.reason for one in refusals]

    def answer(self, answer: Answer | None = None) -> tuple[AnyEvent, ...]:
        """Answer the question and play on to the next one; returns the events in between and adds them to `events`.

        An answer is one of `legal()`, any other object of `shieldwall.answers`, its JSON as a dictionary, or the key of
        an option; faces of dice are a list of numbers. Without an answer, the question's own suggestion is used. An
        illegal answer raises `RefusedError` with every reason and changes nothing.

        >>> import shieldwall as sw
        >>> game = sw.new_game("skirmish-3.2", seed=3)
        >>> events = game.answer(game.legal()[0])
        >>> game.undo().answer() == events
        True
        """
        if self._pending is None:
            raise ShieldwallError("the game is over; nothing is asked")
        if answer is None:
            if self.question is None:
                raise ShieldwallError(f"dice are asked for; give the {self._pending.dice} faces")  # type: ignore[union-attr]
            answer = self.question.default()
        before = (self._state, self._pending)
        progress = submit(self.rules, self._state, self._read(answer))
        self._before.append(before)
        self._state, self._pending = progress.state, progress.pending
        self.events = progress.events
        self._roll()
        return self.events

    def _read(self, answer: Answer) -> AnyAnswer:
        match answer:
            case str():
                return Pick(answer)
            case Mapping():
                return answer_from(answer)
            case list() | tuple():
                return Faces(tuple(answer))
        return answer

    def _roll(self) -> None:
        """Roll dice until there is a question."""
        while isinstance(self._pending, Roll) and not self.ask_dice:
            faces = Faces(self.dice.faces(self._pending, self._state.rolls_made))
            progress = submit_checked(self.rules, self._state, self._pending, faces)
            self._state, self._pending = progress.state, progress.pending
            self.events += progress.events

    def undo(self) -> Game:
        """Undo the last answer."""
        if not self._before:
            raise ShieldwallError("there is no answer to undo")
        self._state, self._pending = self._before.pop()
        self.events = ()
        return self

    def copy(self) -> Game:
        """An independent copy with the same future dice; it costs next to nothing."""
        twin = Game.__new__(Game)
        twin.__dict__.update(self.__dict__)
        twin._before = list(self._before)
        return twin

    def reseed(self, seed: int) -> Game:
        """Use other dice from here on, for playouts of a copy."""
        self.seed = checked_seed(seed)
        self.dice = SeededDice.from_seed(seed)
        return self

    # --- playing on ---

    def play(self, *bots: BotLike, watchers: Sequence[Watcher] = ()) -> Game:
        """Let bots play the rest: one for every seat, or one for all; names, or your own (objects or classes).

        >>> import shieldwall as sw
        >>> game = sw.new_game("regiments-3.4", ["kilnfolk-750", "lantern-coast-750"], seed=2).play("random")
        >>> game.is_over, game.round
        (True, 4)
        """
        players, made = seated(bots, len(self._state.seats), self.seed)
        try:
            result = play_game(
                self.rules, self._state, players, self.dice, seed=self.seed, watchers=watchers, trusting=True
            )
        finally:
            dismiss(made)
        self._end(result)
        return self

    def _end(self, result: MatchResult) -> None:
        if result.forfeit:
            raise ShieldwallError(f"the game was forfeited: {result.forfeit}")
        self._before.append((self._state, self._pending))
        self._state, self._pending, self.events = result.state, None, ()

    def ask(self, bot: BotLike) -> AnyAnswer:
        """What a bot would answer now.

        >>> import shieldwall as sw
        >>> game = sw.new_game("skirmish-3.2", seed=3)
        >>> game.why_not(game.ask("solo"))
        []
        """
        question = self.question
        if question is None:
            raise ShieldwallError("there is no question that a bot could answer")
        players, made = seated((bot,), 1, self.seed)
        introduce(players[0], self.rules)
        try:
            numbers = numbers_for(f"{self.seed} {self._state.rolls_made}", question.seat)
            return players[0].decide(self.view(question.seat), question, numbers)
        finally:
            dismiss(made)

    # --- as text ---

    def text(self) -> str:
        """The position as one line of text, like FEN in chess; `Game.from_text` reads it."""
        return to_text(self._state)

    @classmethod
    def from_text(cls, text: str, *, seed: int = 1, dice: str = "seeded") -> Game:
        """A game that continues from a position; future dice follow from `seed`.

        >>> import shieldwall as sw
        >>> game = sw.new_game("aof-2", seed=5)
        >>> again = sw.Game.from_text(game.text())
        >>> again.legal() == game.legal(), again.text() == game.text()
        (True, True)
        """
        state = from_text(text)
        return cls(ruleset(state.ruleset), state, seed=seed, ask_dice=asks_for_dice(dice))

    def __repr__(self) -> str:
        what = "over" if self.is_over else f"asks seat {self.seat} for {self._wanted()}"
        return f"<Game of {self.edition}, round {self.round}, {what}>"

    def _wanted(self) -> str:
        return (
            self.question.kind
            if self.question is not None
            else f"dice ({self.roll.purpose})"
            if self.roll
            else ""
        )


def new_game(
    edition: str = "regiments-3.5",
    armies: Sequence[AnyArmy] = (),
    table: Sequence[Piece] | int | None = None,
    seed: int = 1,
    *,
    house_rules: Mapping[str, Setting] | None = None,
    mission: str = "",
    dice: str = "seeded",
) -> Game:
    """A new game between two armies.

    `armies` are two `Army` objects, names of lists or files; ready-made ones by default. `table` is a sequence of
    pieces of terrain, the seed of a generated table, or None to derive the table from `seed`, like the dice.
    `house_rules` are settings by name (`shieldwall rules switches` lists them), `mission` is an id such as
    `"seize-ground"`.

    >>> import shieldwall as sw
    >>> game = sw.new_game("aof-2", ["kilnfolk-750", "saltgrass-clans-750"], seed=4)
    >>> while not game.is_over:
    ...     events = game.answer()          # the question's own suggestion, whatever is asked
    >>> game.round
    4
    """
    rules = ruleset(edition)
    width, depth = rules.constants.table
    pieces = pieces_of(edition, checked_seed(seed) if table is None else table)
    both = two_armies(rules, armies)
    state = fresh_state(rules, width, depth, pieces, both, options=dict(house_rules or {}), mission=mission)
    return Game(rules, state, seed=seed, ask_dice=asks_for_dice(dice))


def checked_seed(seed: int) -> int:
    """A seed, which must be a whole number."""
    if not isinstance(seed, int):
        raise ShieldwallError(f"a seed is a whole number, not {seed!r}")
    return seed


def pieces_of(edition: str, table: Sequence[Piece] | int) -> tuple[Piece, ...]:
    """The terrain of a table given piece by piece or by its seed."""
    if isinstance(table, int):
        return table_for(edition, table)
    if not all(isinstance(piece, Piece) for piece in table):
        raise ShieldwallError(
            f"a table is a sequence of pieces or the seed of a generated table, not {table!r}"
        )
    return tuple(table)


def two_armies(rules: Ruleset, armies: Sequence[AnyArmy]) -> tuple[MusteredArmy, MusteredArmy]:
    """Two mustered armies; ready-made ones if none are named."""
    if not armies:
        return demo_armies(rules.like)
    if isinstance(armies, str) or len(armies) != 2:
        raise ShieldwallError(f"a game takes two armies, one for each side, not {armies!r}")
    first, second = (mustered(rules, one) for one in armies)
    return first, second


def mustered(rules: Ruleset, army: AnyArmy) -> MusteredArmy:
    """A mustered army from an `Army`, or from the name of a list or a file."""
    if isinstance(army, str):
        army = Army.load(army, edition=rules.like)
    if not isinstance(army, Army):
        return army
    if army.edition != rules.like:
        raise ShieldwallError(
            f"{army.name} is a list for {army.edition}; this game is played with {rules.id}. Load it with "
            f"edition={rules.like!r} to convert it"
        )
    return army.muster()


def asks_for_dice(dice: str) -> bool:
    """Whether the caller rolls the dice."""
    if dice not in ("seeded", "ask"):
        raise ShieldwallError(f"dice are 'seeded' or 'ask', not {dice!r}")
    return dice == "ask"


def seated(bots: Sequence[BotLike], seats: int, seed: int) -> tuple[list[Policy], list[Policy]]:
    """A bot for every seat, and those of them that were made here and must be dismissed."""
    if len(bots) == 1:
        bots = [bots[0]] * seats
    if len(bots) != seats:
        raise ShieldwallError(f"{seats} seats need {seats} bots, or one for all of them, not {len(bots)}")
    players: list[Policy] = []
    made: list[Policy] = []
    for bot in bots:
        if isinstance(bot, str):
            made.append(policy(bot, seed))
            players.append(made[-1])
        else:
            players.append(policy_of(bot, seed))
    return players, made


def numbers(seed: int) -> SplitMix:
    """A source of random integers for `question.sample(numbers)`, the same for the same seed.

    >>> source = numbers(1)
    >>> 0 <= source.below(6) < 6
    True
    """
    return SplitMix(seed)
