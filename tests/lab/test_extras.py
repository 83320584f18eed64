"""What users add (bots, special rules, editions and armies) is known everywhere, also in other processes."""

import pickle
import shlex
from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from shieldwall import editions
from shieldwall.armies import ready_list, recruit
from shieldwall.bots import UnknownBotError, play_game, policy, register_bot
from shieldwall.bots.board_summary import BoardSummary
from shieldwall.bots.registry import REGISTERED, BotSettingError
from shieldwall.cli.main import main
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.errors import ShieldwallError
from shieldwall.core.pending import Decision, Numbers
from shieldwall.core.state import State
from shieldwall.core.values import Mod
from shieldwall.dice import SeededDice
from shieldwall.lab import DuelPlan, Runner, run_duel
from shieldwall.lab.games import HANDED_IN, Task, hand_in, play_task, setup_of
from shieldwall.odds import duel
from shieldwall.rulebook import plugins
from shieldwall.rules.hooks import AttackContext, SpecialRule

EDITION = "regiments-3.4"


class Defaults:
    """A bot in its shortest form."""

    def decide(self, view: State, question: Decision, numbers: Numbers) -> AnyAnswer:
        return question.default()


class Sharp(SpecialRule):
    """+1 to hit."""

    scope = "weapon"

    def to_hit(self, ctx: AttackContext) -> Mod | None:
        return self.mod(1)


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    yield
    REGISTERED.clear()
    HANDED_IN.clear()
    for _, name in list(editions.ADDED_RULES):
        editions.unregister_rule(name)
    editions.REGISTERED.clear()


def test_a_registered_bot_and_an_army_play_in_this_process_and_in_others() -> None:
    register_bot("defaults", Defaults)
    hand_in(EDITION, "mine", recruit(ready_list(EDITION, "kilnfolk-750")))
    order = DuelPlan(EDITION, ("defaults", "random"), games=2, seed=1, lists=("mine", "mine"))
    alone = [outcome.score for outcome in run_duel(order, Runner(workers=1))]
    assert [outcome.score for outcome in run_duel(order, Runner(workers=2))] == alone


def test_a_bot_gets_the_seed_only_if_it_asks_for_one() -> None:
    class Seeded(Defaults):
        def __init__(self, seed: int) -> None:
            self.seed = seed

    register_bot("seeded", Seeded)
    assert policy("seeded", 7).bot.seed == 7  # type: ignore[attr-defined]
    assert policy("seeded", 7).name == "seeded"


@pytest.mark.parametrize("name", ["random", "", "two words", "a:b", "a,b"])
def test_a_bot_cannot_take_an_ambiguous_name(name: str) -> None:
    with pytest.raises(BotSettingError, match="cannot be the name of a bot"):
        register_bot(name, Defaults)


def test_a_bot_that_cannot_decide_is_refused_with_a_reason() -> None:
    register_bot("nothing", dict)  # type: ignore[arg-type]
    with pytest.raises(BotSettingError, match="without decide"):
        policy("nothing")


def test_an_unknown_bot_is_answered_with_the_known_ones() -> None:
    register_bot("defaults", Defaults)
    with pytest.raises(UnknownBotError, match="search, defaults"):
        policy("defaultz")


def test_a_registered_rule_is_played_and_forgotten_again() -> None:
    plain = duel(editions.ruleset(EDITION), "5x Q4 A2", "5x D4 A1").odds().unit(1).wounds.mean
    editions.register_rule("Sharp", Sharp, editions=[EDITION])
    sharp = duel(editions.ruleset(EDITION), "5x Q4 A2 Sharp", "5x D4 A1").odds().unit(1).wounds.mean
    assert sharp > plain
    editions.unregister_rule("Sharp")
    with pytest.raises(ShieldwallError, match="Sharp"):
        duel(editions.ruleset(EDITION), "5x Q4 A2 Sharp", "5x D4 A1")


def test_a_rule_of_our_own_can_be_replaced_and_comes_back() -> None:
    def played() -> type[SpecialRule]:
        return editions.ruleset(EDITION).specials.bindings["Furious"].rule

    before = played()
    editions.register_rule("Furious", Sharp, editions=[EDITION])
    assert played() is Sharp
    editions.unregister_rule("Furious")
    assert played() is before


def test_an_object_that_is_no_special_rule_is_refused() -> None:
    with pytest.raises(ShieldwallError, match="needs a class built on SpecialRule"):
        editions.register_rule("Sharp", Defaults)  # type: ignore[arg-type]


def test_a_variant_is_an_edition_with_lists_tables_and_house_rules() -> None:
    from msgspec.structs import replace

    ours = editions.ruleset(EDITION)
    short = ours.variant(
        "regiments-short", "Regiments, two rounds", constants=replace(ours.constants, rounds=2)
    )
    editions.register_edition(pickle.loads(pickle.dumps(short)))  # as it reaches another process
    outcome = play_task(Task(0, "regiments-short", ("kilnfolk-750", "kilnfolk-750"), ("solo", "random"), 1))
    assert outcome.rounds == 2
    with pytest.raises(ShieldwallError, match="a built-in edition"):
        editions.register_edition(ours)


@pytest.mark.parametrize(
    "command",
    [
        "battle --edition winter --bots random --seed 1 --quiet",
        "battle --edition winter --army kilnfolk-750 --army lantern-coast-750 --bots random --quiet",
        "compare kilnfolk-750 lantern-coast-750 --edition winter --bot random --games 2 --workers 1",
        'odds "5x Q4 A1" vs "5x D4 A1" --edition winter',
        "table generate --edition winter --seed 1",
        "rules switches --edition winter",
        "army list --edition winter",
        "army show kilnfolk --edition winter",
        "army check kilnfolk-750 --edition winter --against typical",
    ],
)
def test_every_command_takes_a_variant_for_an_edition(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    editions.register_edition(WINTER)
    assert main(shlex.split(command)) == 0
    assert capsys.readouterr().out


def test_bots_judge_by_the_ruleset_that_is_played() -> None:
    """A bot that gets a ruleset with longer moves plans with them, although the edition of that name has none."""
    from msgspec.structs import replace

    ours = editions.ruleset(EDITION)
    swift = ours.variant(ours.id, constants=replace(ours.constants, rounds=7))
    bot = policy("tactician", 1)
    setup = setup_of(EDITION, ("kilnfolk-750", "kilnfolk-750"), 1)
    result = play_game(swift, setup, [bot, policy("random")], SeededDice.from_seed(1), seed=1)
    assert result.state.round == 7
    assert bot._rules is swift  # type: ignore[attr-defined]
    assert BoardSummary(swift, result.state, 0).last_round == 7


def test_lists_change_seats_and_house_rules_are_set() -> None:
    lists = ("kilnfolk-750", "saltgrass-clans-750")
    task = Task(1, EDITION, lists, ("random", "random"), 1, swapped=True, swap_lists=True)
    assert task.seat_lists == lists[::-1]
    state = setup_of("aof-1.6", ("kilnfolk-500", "kilnfolk-500"), 1, options={"control-lasts": "on"})
    assert ("control-lasts", "on") in state.options


def test_units_are_recorded_with_what_they_did() -> None:
    task = Task(0, EDITION, ("kilnfolk-750", "kilnfolk-750"), ("solo", "solo"), 2, by_unit=True)
    outcome = play_task(task)
    for owner in (0, 1):
        mine = [unit for unit in outcome.units if unit.owner == owner]
        assert round(sum(unit.lost for unit in mine)) == pytest.approx(outcome.points_lost[owner], abs=1)
        theirs = [unit for unit in outcome.units if unit.owner != owner]
        assert sum(unit.killed for unit in theirs) <= outcome.points_lost[owner] + 1
        assert sum(unit.markers for unit in mine) <= outcome.markers[owner] + 0.01
    assert any(unit.killed for unit in outcome.units)


def entry(name: str, value: str, group: str) -> EntryPoint:
    return EntryPoint(name, value, group)


def test_installed_packages_add_bots_rules_and_editions(monkeypatch: pytest.MonkeyPatch) -> None:
    here = __name__
    points = {
        plugins.BOTS: {"packed": entry("packed", f"{here}:Defaults", plugins.BOTS)},
        plugins.RULES: {},
        plugins.EDITIONS: {"winter": entry("winter", f"{here}:WINTER", plugins.EDITIONS)},
    }
    monkeypatch.setattr(plugins, "announced", lambda group: points[group])
    assert policy("packed").name == "packed"
    assert editions.ruleset("winter").title == "Winter"
    editions._ruleset.cache_clear()


def test_a_package_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {"broken": entry("broken", "no_such_package:Bot", plugins.BOTS)}
    monkeypatch.setattr(plugins, "announced", lambda group: broken)
    with pytest.raises(plugins.PluginError, match="no_such_package:Bot"):
        policy("broken")


WINTER = editions.ruleset(EDITION).variant("winter", "Winter")
