"""Where a hero that joins a ranked unit stands: a place in the front row, or next to it."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Preparation
from shieldwall.core.pending import Choice, Option, Pending
from shieldwall.core.state import State, Unit
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.steps.deployment import JoinUnits, attach
from shieldwall.table.formations import formation_of
from shieldwall.table.ranks import LEFT, RIGHT, common_base, fits_ranks, front_width

SIDES = {LEFT: "left", RIGHT: "right"}


def block_slots(state: State, host: Unit, joiner: Unit) -> tuple[int, ...]:
    """Front-row places from the left for a base that fits the ranks, else the two sides of the block."""
    model = joiner.models[0]
    base = state.profiles[model.profile].base
    columns = front_width(host)
    if not fits_ranks(base, common_base(host, state.profiles), columns):
        return LEFT, RIGHT
    joined = replace(host, models=(*host.models, model), attached=model.id)

    def column(slot: int) -> int:
        return formation_of(replace(joined, slot=slot), state.profiles).figures[-1].column

    # places that would leave a hole in a short row are not offered: the ranks close up to the left
    return tuple(slot for slot in range(columns) if column(slot) == slot)


class JoinBlocks(JoinUnits):
    """As in the trunk, but the joining model's place is chosen first."""

    def joined(self, game: Play, host: Unit, hero: Unit) -> None:
        game.note(unit=host.id)


class HeroSlot(TrunkStep):
    """The owner picks the place of the model that has just joined; the leftmost one by default."""

    name = "deploy.slot"

    def ask(self, game: Play) -> Pending | None:
        frame: Preparation = game.stack[-1]
        if frame.unit < 0:
            return None
        host, hero = game.state.units[frame.unit], game.state.units[frame.asked[-1]]
        slots = game.rules.policies.joining_slots(game.state, host, hero)
        options = tuple(Option(slot_key(slot), _label(slot)) for slot in slots)
        prompt = f"{hero.name}: where in {host.name}?"
        key = "hero.place" if slots[0] >= 0 else "hero.beside"
        return Choice("hero_slot", hero.seat, prompt, game.rules.cite(key), options)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        frame: Preparation = game.stack[-1]
        host, hero = game.state.units[frame.unit], game.state.units[frame.asked[-1]]
        slots = game.rules.policies.joining_slots(game.state, host, hero)
        slot = next(slot for slot in slots if slot_key(slot) == answer.option)
        attach(game, host.id, hero.id, slot)
        game.note(unit=-1)
        game.jump("deploy.attach")


def slot_key(slot: int) -> str:
    """The option key of a place: its number from 1 on the left, or a side."""
    return SIDES.get(slot, str(slot + 1))


def _label(slot: int) -> str:
    return (
        f"next to the block, on the {SIDES[slot]}"
        if slot in SIDES
        else f"front row, place {slot + 1} from the left"
    )
