"""Campaigns: battles with a story, each unlocking the next. Built-in ones are checked like those of users."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from shieldwall.armies import MusteredArmy, fresh_state
from shieldwall.armies.factions import NoArmyError, ready_list
from shieldwall.armies.list_file import list_from
from shieldwall.armies.recruit import recruit
from shieldwall.bots import registry
from shieldwall.core.errors import MalformedError, ShieldwallError
from shieldwall.core.reading import read_text
from shieldwall.core.state import State
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.lessons.files import converted_file, data_files, read_yaml, set_table, text_of
from shieldwall.rules.missions import UnknownMissionError, check_mission
from shieldwall.rules.steps.objectives import markers_held

PLAYER = 0


class NoCampaignError(ShieldwallError):
    """There is no such campaign, or no such battle in one."""


class CampaignGoal(Struct, frozen=True, forbid_unknown_fields=True):
    """A goal in words and as one of: `win`, `hold` a number of markers, `keep` or `destroy` a unit, `lose_at_most`.

    A battle counts as won when all goals that are not `extra` are met.
    """

    say: str
    win: bool | UnsetType = UNSET
    hold: int | UnsetType = UNSET
    keep: str | UnsetType = UNSET
    destroy: str | UnsetType = UNSET
    lose_at_most: int | UnsetType = UNSET
    extra: bool = False


class BattleFile(Struct, frozen=True, forbid_unknown_fields=True):
    """One battle as written: armies on a set table, or with `setting` a whole situation in the scenario format."""

    id: str
    battle: str
    edition: str
    story: str
    won: str
    lost: str
    goals: tuple[CampaignGoal, ...]
    bot: str = "solo"
    mission: str = ""
    armies: tuple[str | dict[str, object], ...] = ()
    table: tuple[float, float] | UnsetType = UNSET
    terrain: dict[str, object] = {}
    house_rules: dict[str, object] = {}
    setting: dict[str, object] = {}
    sides: tuple[str, ...] = ()


class CampaignFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A campaign as written."""

    campaign: str
    summary: str
    battles: tuple[BattleFile, ...]
    about: str = ""


class Campaign(Struct, frozen=True):
    """A campaign by its id."""

    id: str
    file: CampaignFile

    def battle(self, name: str) -> BattleFile:
        """A battle by its id."""
        found = next((one for one in self.file.battles if one.id == name), None)
        if found is None:
            raise NoCampaignError(f"{self.file.campaign} has no battle {name!r}")
        return found


_others: dict[str, Campaign] = {}


def add_campaign(path: Path) -> Campaign:
    """Offer a user's campaign in addition to the built-in ones; raises an error with every problem."""
    found = read_campaign(read_text(path), path.stem)
    problems = [problem for battle in found.file.battles for problem in battle_problems(battle)]
    if problems:
        raise MalformedError(str(path), problems)
    _others[found.id] = found
    return found


def campaigns() -> dict[str, Campaign]:
    """All campaigns, built-in ones first."""
    ours = {name: read_campaign(text_of("campaigns", name), name) for name in data_files("campaigns")}
    return {**ours, **_others}


def campaign(name: str) -> Campaign:
    """A campaign by its id."""
    found = campaigns().get(name)
    if found is None:
        raise NoCampaignError(f"there is no campaign {name!r}; there are: {', '.join(campaigns())}")
    return found


def read_campaign(text: str, name: str) -> Campaign:
    """A campaign from its text; the battles are set up when they are needed."""
    file = converted_file(read_yaml(text, name), CampaignFile, name)
    ids = [battle.id for battle in file.battles]
    problems = [f"two battles have the id {one!r}" for one in sorted({i for i in ids if ids.count(i) > 1})]
    problems += [
        f"{one!r} cannot be an id: use no spaces and no slashes" for one in ids if set(one) & set(" /")
    ]
    if not ids:
        problems.append("a campaign needs at least one battle")
    if problems:
        raise MalformedError(name, problems)
    return Campaign(name, file)


# --- setting a battle up ---


def battle_start(battle: BattleFile) -> State:
    """The state a battle starts from; raises with every problem."""
    where = f"battle {battle.id}"
    if battle.edition not in EDITIONS:
        raise MalformedError(
            where, [f"there is no edition {battle.edition!r}; there are {', '.join(EDITIONS)}"]
        )
    if battle.setting:
        setting = {
            "edition": battle.edition,
            **({"mission": battle.mission} if battle.mission else {}),
            **battle.setting,
        }
        return set_table(setting, battle.battle, battle.sides, where).start
    ground: dict[str, object] = {"edition": battle.edition, "terrain": battle.terrain, "begin": "set-up"}
    ground |= {"house_rules": battle.house_rules} if battle.house_rules else {}
    if battle.table is not UNSET:
        ground["table"] = list(battle.table)
    bare = set_table(ground, battle.battle, (), where).built.state
    if len(battle.armies) != 2:
        raise MalformedError(where, ["two armies are needed, the player's first, or a `setting` with units"])
    armies = [_army(battle, army) for army in battle.armies]
    rules = ruleset(battle.edition)
    state = fresh_state(
        rules,
        bare.width,
        bare.depth,
        bare.pieces,
        armies,
        options=dict(bare.options),
        seats=side_names(battle),
    )
    try:
        return replace(state, mission=check_mission(battle.mission))
    except UnknownMissionError as error:
        raise MalformedError(where, [str(error)]) from error


def _army(battle: BattleFile, army: str | Mapping[str, object]) -> MusteredArmy:
    """A ready-made list of the edition by its id, or a list as in army files."""
    if isinstance(army, str):
        try:
            return recruit(ready_list(battle.edition, army))
        except NoArmyError as error:
            raise MalformedError(f"battle {battle.id}", [str(error)]) from error
    problems: list[str] = []
    found = list_from({"id": "army", "edition": battle.edition, **army}, problems)
    if problems:
        raise MalformedError(f"battle {battle.id}", problems)
    return recruit(found)


def side_names(battle: BattleFile) -> tuple[str, ...]:
    """The names of the sides: from the file, else those of their armies."""
    if battle.sides or battle.setting:
        return battle.sides
    return tuple(_army(battle, army).name for army in battle.armies)


# --- goals ---


def goal_met(goal: CampaignGoal, state: State, winner: int | None) -> bool:
    """Whether a goal is met at the end of a battle."""
    checks = [
        goal.win is UNSET or (winner == PLAYER) == goal.win,
        goal.hold is UNSET or markers_held(state)[PLAYER] >= goal.hold,
        goal.keep is UNSET or _is_alive(state, goal.keep),
        goal.destroy is UNSET or not _is_alive(state, goal.destroy),
        goal.lose_at_most is UNSET
        or sum(unit.side == PLAYER and not unit.models for unit in state.units) <= goal.lose_at_most,
    ]
    return all(checks)


def is_won(battle: BattleFile, state: State, winner: int | None) -> bool:
    """Whether a battle is won and unlocks the next one."""
    return all(goal_met(goal, state, winner) for goal in battle.goals if not goal.extra)


def _is_alive(state: State, name: str) -> bool:
    """Whether a unit, or a hero in one, is still alive."""
    profiles = state.profiles
    return any(
        unit.models
        and (unit.name == name or any(profiles[model.profile].name == name for model in unit.models))
        for unit in state.units
    )


def battle_problems(battle: BattleFile) -> list[str]:
    """Everything wrong with a battle: its table, armies and bot, and goals about units it does not have."""
    where = f"battle {battle.id}"
    problems: list[str] = []
    if battle.bot.partition(":")[0] not in registry.BOTS:
        problems.append(f"{where}: there is no bot {battle.bot!r}; there are {', '.join(registry.BOTS)}")
    if not any(not goal.extra for goal in battle.goals):
        problems.append(f"{where}: needs a goal that is not `extra`")
    try:
        state = battle_start(battle)
    except MalformedError as error:
        return problems + [f"{where}: {problem}" for problem in error.problems]
    named = {unit.name for unit in state.units} | {profile.name for profile in state.profiles}
    for goal in battle.goals:
        told = [
            value
            for value in (goal.win, goal.hold, goal.keep, goal.destroy, goal.lose_at_most)
            if value is not UNSET
        ]
        if len(told) != 1:
            problems.append(f"{where}: a goal is one of win, hold, keep, destroy and lose_at_most")
        problems += [
            f"{where}: there is no unit {name!r}"
            for name in (goal.keep, goal.destroy)
            if name is not UNSET and name not in named
        ]
    return problems
