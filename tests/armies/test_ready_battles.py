"""Ready-made lists play whole battles; the soak test plays all of them."""

import pytest
from ready_games import play_ready

from shieldwall import armies
from shieldwall.armies.demo import demo_setup
from shieldwall.bots import play_game, policy
from shieldwall.core.answers import AnyAnswer
from shieldwall.core.engine import Progress
from shieldwall.core.events import EffectBegan
from shieldwall.core.pending import Pending
from shieldwall.core.state import State
from shieldwall.dice import SeededDice
from shieldwall.editions import ruleset

FEW = [
    ("regiments-3.5", "saltgrass-clans-750", "glasswood-covenant-750"),
    ("regiments-3.4", "kilnfolk-750", "saltgrass-clans-750"),
    ("skirmish-3.2", "kilnfolk-150", "saltgrass-clans-150"),
]


@pytest.mark.parametrize(("edition", "first", "second"), FEW)
def test_two_ready_made_lists_play_a_whole_battle_by_the_rules(edition: str, first: str, second: str) -> None:
    result, problems = play_ready(edition, first, second, seed=3)
    assert problems == ()
    assert result.state.finished


def test_a_joined_hero_and_a_combined_unit_stand_in_the_state() -> None:
    from shieldwall.editions import ruleset

    army = armies.recruit(armies.ready_list("regiments-3.5", "lantern-coast-750"))
    mustered = armies.muster(ruleset("regiments-3.5"), [army])
    pikes = mustered.units[0]
    assert (pikes.name, len(pikes.models), pikes.start_models, pikes.cost) == ("Harbour Pikes", 21, 21, 325)
    hero = next(model for model in pikes.models if model.id == pikes.attached)
    assert mustered.profiles[hero.profile].name == "Warden Ysolde"
    assert mustered.profiles[hero.profile].wounds == 3
    assert pikes.width == 5
    assert sum(unit.cost for unit in mustered.units) == 750


def test_models_with_roles_stand_in_front_under_their_own_name() -> None:
    from shieldwall.editions import ruleset

    army = armies.recruit(armies.ready_list("regiments-3.5", "saltgrass-clans-750"))
    mustered = armies.muster(ruleset("regiments-3.5"), [army])
    bows = next(unit for unit in mustered.units if unit.name == "Bow Riders")
    names = [mustered.profiles[model.profile].name for model in bows.models]
    assert names[:3] == ["Sergeant", "Banner", "Long Bow"]
    assert set(names[3:]) == {"Bow Riders"}


class Uses:
    """Counts the army rules of our factions that take effect."""

    def __init__(self) -> None:
        self.begun: list[str] = []

    def began(self, progress: Progress) -> None:
        """Nothing has happened yet."""

    def went(self, before: State, pending: Pending, answer: AnyAnswer, progress: Progress) -> None:
        """Note what began."""
        self.begun += [event.effect.name for event in progress.events if isinstance(event, EffectBegan)]


@pytest.mark.parametrize("bot", ["solo", "tactician", "greedy"])
def test_bots_use_the_buffs_marks_and_feats_of_ready_made_lists(bot: str) -> None:
    names = ("kilnfolk-1000", "saltgrass-clans-1000")
    rules, uses = ruleset("aof-2"), Uses()
    for seed in (0, 1):
        lists = [armies.recruit(armies.ready_list("aof-2", name)) for name in names]
        start = demo_setup("aof-2", seed, lists=lists)
        seats = [policy(bot, seed), policy(bot, seed)]
        play_game(rules, start, seats, SeededDice.from_seed(seed), seed=seed, watchers=[uses])
    own = {text.name for name in ("kilnfolk", "saltgrass-clans") for text in armies.book(name, "aof-2").rules}
    assert own & set(uses.begun)
