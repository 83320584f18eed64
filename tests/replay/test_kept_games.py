"""Games of every version of the rules stay usable: replayed if the rules are the same, else shown as recorded."""

from __future__ import annotations

from typing import Any

import pytest
from games import recorded
from msgspec import Raw
from msgspec.structs import replace

from shieldwall.core.codec import encode
from shieldwall.core.engine import Progress
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.replay import (
    Log,
    LoggedFacts,
    LoggedRoll,
    encode_log,
    parse_log,
    replay,
    verify,
)
from shieldwall.replay import player as player_module
from shieldwall.replay import verifier as verifier_module
from tests.replay.kept import KeptGame, kept_games

KEPT = kept_games()
HOW_TO_MEND = (
    "the rules play this game differently than before. If that is meant: raise the `version` of the edition's "
    "RULESET, unless it was raised since the last release, and keep games of it "
    "with `python -m tests.replay.kept record EDITION`"
)


@pytest.fixture
def later_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the rules had changed so much that the engine cannot be used on an old game."""

    def gone(*given: Any) -> Any:
        raise AssertionError("the rules of that time are gone")

    for edition in EDITIONS:
        monkeypatch.setattr(ruleset(edition), "version", 10_000)
    monkeypatch.setattr(player_module, "begin", gone)
    monkeypatch.setattr(verifier_module, "begin", gone)
    monkeypatch.setattr(player_module, "submit_checked", gone)


@pytest.mark.parametrize("edition", EDITIONS)
def test_there_are_recorded_games_of_every_rules_version(edition: str) -> None:
    kept = {game.version for game in KEPT if game.edition == edition}
    assert kept == set(range(1, ruleset(edition).version + 1))


@pytest.mark.slow
@pytest.mark.parametrize("game", KEPT, ids=lambda game: f"{game.edition}-{game.path.name}")
def test_a_recorded_game_of_the_current_rules_replays_byte_for_byte(game: KeptGame) -> None:
    if game.version != ruleset(game.edition).version:
        pytest.skip("recorded with earlier rules; another test reproduces it from its events")
    verdict = verify(game.log())
    assert verdict.ok, f"{verdict.first_wrong}: {HOW_TO_MEND}"
    assert not any("told" in note for note in verdict.notes)


@pytest.mark.usefixtures("later_rules")
@pytest.mark.parametrize("game", KEPT, ids=lambda game: f"{game.edition}-{game.path.name}")
def test_a_recorded_game_is_reproduced_byte_for_byte_from_its_events(game: KeptGame) -> None:
    """Every table has its recorded fingerprint, and every die follows from the key."""
    log = game.log()
    assert log.header.rules == game.version
    verdict = verify(log)
    assert verdict.ok, str(verdict.first_wrong)
    assert any("checked by its events" in note for note in verdict.notes)
    assert verifier_module.HONEST_DICE in verdict.notes
    steps: list[Progress] = list(replay(log))
    assert steps[-1].state.winner == log.footer.winner
    assert len(steps) == log.footer.answers_given + 1
    assert encode_log(parse_log(encode_log(log))) == encode_log(log)


def with_facts(log: Log, place: int, events: bytes) -> Log:
    """The log with one of its facts changed."""
    records = list(log.records)
    numbers = [number for number, record in enumerate(records) if isinstance(record, LoggedFacts)]
    records[numbers[place]] = LoggedFacts(Raw(events))
    return replace(log, records=tuple(records))


@pytest.mark.usefixtures("later_rules")
@pytest.mark.parametrize(
    "events", [b"[]", b'[{"type":"song"}]', b'[{"type":"destroyed","unit":999}]', b"[1]"]
)
def test_a_changed_fact_is_found_without_the_rules(events: bytes) -> None:
    log = KEPT[0].log()
    facts = [record for record in log.records if isinstance(record, LoggedFacts)]
    place = next(n for n, record in enumerate(facts) if n > 40 and bytes(record.events) != b"[]")
    wrong = verify(with_facts(log, place, events)).first_wrong
    assert wrong is not None


@pytest.mark.usefixtures("later_rules")
def test_a_changed_die_is_found_without_the_rules() -> None:
    log = KEPT[0].log()
    place = next(n for n, record in enumerate(log.records) if n > 80 and isinstance(record, LoggedRoll))
    record = log.records[place]
    assert isinstance(record, LoggedRoll)
    other = replace(record, faces=(7 - record.faces[0], *record.faces[1:]))
    wrong = verify(replace(log, records=(*log.records[:place], other, *log.records[place + 1 :]))).first_wrong
    assert wrong is not None
    assert "the key of the dice gives" in wrong.why


def test_the_effects_of_an_answer_must_be_those_in_the_log() -> None:
    log = next(game for game in KEPT if game.version == ruleset(game.edition).version).log()
    assert verify(log).ok
    facts = [record for record in log.records if isinstance(record, LoggedFacts)]
    place = next(n for n, record in enumerate(facts) if n > 10 and b"rolled" in bytes(record.events))
    wrong = verify(with_facts(log, place, b"[]")).first_wrong
    assert wrong is not None
    assert wrong.why == verifier_module.OTHER_FACTS


def test_a_log_of_the_first_format_is_still_read_and_played() -> None:
    log = recorded(1)
    lines = [line for line in encode_log(log).split(b"\n") if b'"record":"facts"' not in line]
    assert len(lines) < encode_log(log).count(b"\n")
    old = b"\n".join(lines).replace(b'"format":2', b'"format":1').replace(b',"rules":1', b"")
    old = b"\n".join(
        line.split(b',"facts":')[0] + b"}" if b'"facts":' in line else line for line in old.split(b"\n")
    )
    read = parse_log(old)
    assert not read.has_events
    assert encode(read.header.setup) == encode(log.header.setup)
    from toy import TOY

    assert verify(read, TOY).ok
