"""Workers receive what was played since they last saw a game, and know it as well as from the whole state."""

from __future__ import annotations

import pytest

from shieldwall.core.answers import AnyAnswer
from shieldwall.core.codec import decode_state, encode
from shieldwall.core.state import State
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.server import jobs
from shieldwall.server.connections import frame_head
from shieldwall.server.dice_key import dice_for
from shieldwall.server.encoded import encoded_once
from shieldwall.server.jobs import PlayedStep, Position
from shieldwall.server.match import Answered, Began, carry_out
from shieldwall.server.messages import Steps
from shieldwall.server.setup import ORDERS, prepared
from shieldwall.server.storage import GameRow, PlayerRow

GAME = "g1"
ANSWERS = 45  # past deployment in most editions


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    jobs._games.clear()


def setup_of(edition: str) -> bytes:
    order = {"edition": edition, "seats": [{"who": "me"}, {"who": "me"}], "nonce": "ab" * 16}
    ordered = encode(ORDERS.decode(encode({**order, "table": {"kind": "generate", "seed": 3}})))
    row = GameRow(GAME, "me", "", edition, "running", "", "", ordered, b"", b"", "", "")
    return prepared(row, PlayerRow("me", "", "Guest", ""), [], "")[1]


def played(edition: str, answers: int) -> list[tuple[State, PlayedStep]]:
    """A game of default answers: every state with the step that led to it."""
    rules, dice = ruleset(edition), dice_for(b"s" * 32, ["ab", "cd"])
    found, state = [], decode_state(setup_of(edition))
    command: Began | Answered = Began()
    for seq in range(1, answers + 1):
        carried = carry_out(rules, state, command, dice.faces)
        found.append((carried.state, PlayedStep(seq, encode(command), encode(carried.throws))))
        if carried.pending is None:
            break
        answer: AnyAnswer = carried.pending.default()
        state, command = carried.state, Answered(carried.pending.kind, answer)
    return found


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_worker_that_got_the_steps_knows_as_much_as_from_the_whole_state(edition: str) -> None:
    game = played(edition, ANSWERS)
    first, last = game[0], game[-1]
    jobs.known_game(Position(GAME, 1, edition, encode(first[0])))
    steps = tuple(step for _, step in game)
    told = Position(GAME, last[1].seq, edition, steps=steps)
    assert encode(jobs.known_game(told).state) == encode(last[0])
    by_steps = jobs.encoded_question(told, False, True)
    jobs._games.clear()
    assert (
        jobs.encoded_question(Position(GAME, last[1].seq, edition, encode(last[0])), False, True) == by_steps
    )


def test_a_worker_that_missed_something_asks_for_the_whole_state() -> None:
    edition = "skirmish-3.2"
    game = played(edition, 6)
    steps = tuple(step for _, step in game)
    with pytest.raises(jobs.StateNeededError):
        jobs.known_game(Position(GAME, 6, edition, steps=steps))
    jobs.known_game(Position(GAME, 2, edition, encode(game[1][0])))
    with pytest.raises(jobs.StateNeededError):
        jobs.known_game(Position(GAME, 6, edition, steps=steps[3:]))
    assert jobs.known_game(Position(GAME, 6, edition, steps=steps)).seq == 6
    with pytest.raises(jobs.StateNeededError):  # the step before was taken back
        jobs.known_game(Position(GAME, 7, edition, steps=()))


def test_a_worker_remembers_a_bounded_number_of_games() -> None:
    state = encode(played("skirmish-3.2", 1)[0][0])
    for number in range(jobs.GAMES_KEPT + 3):
        jobs.known_game(Position(f"g{number}", 1, "skirmish-3.2", state))
    assert len(jobs._games) == jobs.GAMES_KEPT


def test_what_was_encoded_once_is_written_as_it_stands() -> None:
    plain = Steps((), None, "running")
    assert encode([encoded_once(plain), plain]) == encode([plain, plain])


@pytest.mark.parametrize("size", [0, 125, 126, 65535, 65536])
def test_frames_say_their_size_as_the_protocol_wants(size: int) -> None:
    from websockets.frames import Frame, Opcode

    data = b"x" * size
    assert frame_head(size) + data == Frame(Opcode.TEXT, data).serialize(mask=False)
