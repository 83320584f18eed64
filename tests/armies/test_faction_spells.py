"""Every spell of every faction does something in every edition, through the engine's own steps."""

import pytest
from msgspec.structs import replace

from shieldwall import armies
from shieldwall.armies.muster import MusteredArmy, UnitSpec, fresh_state
from shieldwall.armies.recruit import spell_specs
from shieldwall.core import events as ev
from shieldwall.core.answers import Faces, Leg, March
from shieldwall.core.engine import Progress, begin, pending_of, submit
from shieldwall.core.frames import Casting, Movement
from shieldwall.core.pending import Decision, Roll
from shieldwall.core.state import MILLI, Pose, State, Unit
from shieldwall.editions import EDITIONS, ruleset
from shieldwall.rules.features.block_questions import Marching
from shieldwall.rules.features.loose_questions import Walking
from shieldwall.rules.ruleset import Ruleset
from shieldwall.rules.start import resume

EVERY_SPELL = [
    (edition, faction, spell.name)
    for edition in EDITIONS
    for faction in armies.factions()
    for spell in armies.book(faction, edition).spells
]
PLACES = {0: (24, 12), 1: (24, 18), 2: (24, 24)}
LOW = 1  # fails every test


def standing(rules: Ruleset, unit: Unit) -> Unit:
    """A unit on the table, its models in a row or as a block."""
    x, y = (number * MILLI for number in PLACES[unit.id])
    facing = 18000 if unit.side else 0
    if rules.policies.uses_blocks():
        return replace(unit, place="table", block=Pose(x, y, facing))
    poses = tuple(Pose(x + 1500 * place, y, facing) for place in range(len(unit.models)))
    return replace(unit, place="table", poses=poses)


def cast(edition: str, faction: str, name: str) -> tuple[Progress, list[ev.Event], list[str]]:
    """The spell cast on a friend or an enemy, as if its roll had just succeeded; tests are failed."""
    rules = ruleset(edition)
    specs = tuple(spell_specs(armies.book(faction, edition)))
    spell = next(spec for spec in specs if spec.name == name)
    line = UnitSpec("Line [3]", "Q4+ D4+", equipment="Sword (A1)")
    singer = UnitSpec("Singer", "Q4+ D4+", equipment="Staff (A1)", spells=tuple(spec.name for spec in specs))
    state = fresh_state(
        rules,
        48 * MILLI,
        48 * MILLI,
        (),
        [MusteredArmy("A", (singer, line), spells=specs), MusteredArmy("B", (line,))],
    )
    there = replace(state, units=tuple(standing(rules, unit) for unit in state.units))
    target = 1 if spell.whom == "friend" else 2
    frame = Casting(
        "casting",
        step="cast.hits",
        unit=0,
        model=there.units[0].models[0].id,
        spell=name,
        targets=(target,),
        worked=True,
    )
    turn = resume(there, 1, 0)
    return played(rules, replace(turn, stack=(*turn.stack, frame)))


def played(rules: Ruleset, state: State) -> tuple[Progress, list[ev.Event], list[str]]:
    progress = begin(rules, state)
    happened, asked = list(progress.events), []
    while progress.pending is not None and any(isinstance(one, Casting) for one in progress.state.stack):
        asked.append(getattr(progress.pending, "kind", ""))
        if isinstance(progress.pending, Roll):
            rolled = tuple(LOW for pool in progress.pending.pools for _ in range(pool.dice))
            progress = submit(rules, progress.state, Faces(rolled))
        else:
            progress = submit(rules, progress.state, progress.pending.default())
        happened += progress.events
    return progress, happened, asked


@pytest.mark.parametrize(("edition", "faction", "name"), EVERY_SPELL)
def test_a_successful_spell_does_what_it_says(edition: str, faction: str, name: str) -> None:
    spec = next(one for one in spell_specs(armies.book(faction, edition)) if one.name == name)
    progress, happened, asked = cast(edition, faction, name)
    target = 1 if spec.whom == "friend" else 2
    if spec.hits:
        (hit,) = [event for event in happened if isinstance(event, ev.Hit)]
        assert hit.target == target
        assert hit.hits >= spec.hits
    if spec.grants:
        (began,) = [event for event in happened if isinstance(event, ev.EffectBegan)]
        assert (began.unit, began.effect.name) == (target, name)
        assert progress.state.units[target].effects or not progress.state.units[target].models
    if spec.moves:
        assert "path" in asked or any(isinstance(event, ev.Moved) for event in happened)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_spell_moves_a_unit_as_far_as_it_says_and_no_farther(edition: str) -> None:
    rules = ruleset(edition)
    state = before_the_move(rules, edition)
    question = pending_of(rules, state)
    assert isinstance(question, Decision)
    assert question.seat == state.units[0].seat
    if isinstance(question, Marching):
        assert not question.check(March((Leg("back", 4000),)))
        assert [refusal.cite for refusal in question.check(March((Leg("back", 6001),)))]
        after = submit(rules, state, March((Leg("back", 4000),))).state
        assert after.units[1].block == Pose(24000, 14000, 0)
    else:
        assert isinstance(question, Walking)
        start = state.units[1].poses[0]
        after = submit(rules, state, question.dragged(replace(start, x=start.x - 20 * MILLI))).state
        assert 5900 <= start.x - after.units[1].poses[0].x <= 6000
    assert not any(isinstance(one, Movement) for one in after.stack)


def before_the_move(rules: Ruleset, edition: str) -> State:
    """A friend about to be moved up to 6 inches."""
    line = UnitSpec("Line [3]", "Q4+ D4+", equipment="Sword (A1)")
    singer = UnitSpec("Singer", "Q4+ D4+", equipment="Staff (A1)")
    specs = tuple(spell_specs(armies.book("saltgrass-clans", edition)))
    lists = [MusteredArmy("A", (singer, line), spells=specs), MusteredArmy("B", (line,))]
    state = fresh_state(rules, 48 * MILLI, 48 * MILLI, (), lists)
    there = replace(state, units=tuple(standing(rules, unit) for unit in state.units))
    frame = Casting("casting", step="cast.hits", unit=0, spell="Wild Gallop", targets=(1,))
    turn = resume(there, 1, 0)
    return begin(rules, replace(turn, stack=(*turn.stack, frame))).state
