"""Rules by which a unit picks others in its activation: buffs, debuffs, marks, tests and hits."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from shieldwall.core import blocks as b
from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Activation, Attack, AttackKind, Danger, Morale, Movement, Packet, RuleUse
from shieldwall.core.pending import Choice, Option, Pending, Roll
from shieldwall.core.state import MILLI, Effect, Model, RuleRef, State, Unit, Weapon
from shieldwall.core.values import PASS, Counts, Labels, Mod, Pool, Target, labels_from
from shieldwall.geometry.tolerance import within
from shieldwall.rules.army.casting import SPELL_PROCEDURE, is_meant, spell_as_rule
from shieldwall.rules.army.conditions import is_shaken
from shieldwall.rules.army.fighting import IsPickedFromAfar, PicksUnits
from shieldwall.rules.army.rule_hits import Struck, hits_frame
from shieldwall.rules.hooks import SpecialRule
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.table.measure import model_to_unit, models_apart, units_apart
from shieldwall.table.sight import sees

RULE_PROCEDURE = "rule"
AFTER_FAILING = {
    RULE_PROCEDURE: "rule.failed",
    SPELL_PROCEDURE: "rule.spell.failed",
}  # what follows from a test
SPELL_PROCEDURES = (SPELL_PROCEDURE, AFTER_FAILING[SPELL_PROCEDURE])
NOBODY = "none"
YES, NO = "yes", "no"
CROSSES = "crosses"
AT_START = ("activated",)
OWN_TIME = ("before attacking", "activation")
AT_END = ("activation end",)


class Power(NamedTuple):
    """A rule of one model that it may use now."""

    unit: Unit
    model: Model
    rule: PicksUnits


class RuleChoice(Choice):
    """A question that an army rule of a unit asks; `rule` is its printed name."""

    __slots__ = ("rule", "unit")

    def __init__(
        self, kind: str, unit: Unit, rule: str, prompt: str, options: tuple[Option, ...], default: str
    ) -> None:
        super().__init__(kind, unit.seat, f"{rule}: {prompt}", "", options, default)
        self.rule = rule
        self.unit = unit

    @property
    def about(self) -> int:
        return self.unit.id


class UsePowers(TrunkStep):
    """The activated unit may use rules that pick others: before a charge, otherwise after moving."""

    needs = ("picks_units",)

    def __init__(self, charging: bool) -> None:
        self.charging = charging
        self.name = "act.rules_before_charge" if charging else "act.rules_before_shots"
        self.moments = OWN_TIME if charging else (*OWN_TIME, CROSSES)

    def go(self, game: Play) -> None:
        frame = game.top(Activation)
        if (frame.action == "charge") == self.charging:
            use_next_power(game, frame, self.moments)


class UsePowersAt(TrunkStep):
    """The activated unit may use rules that pick others when its activation begins, or when it ends."""

    needs = ("picks_units",)

    def __init__(self, ending: bool) -> None:
        self.name = "act.rules_at_end" if ending else "act.rules_at_start"
        self.moments = AT_END if ending else AT_START

    def go(self, game: Play) -> None:
        frame = game.top(Activation)
        use_next_power(game, frame, self.moments)


class UsePowersInRound(TrunkStep):
    """All units may use the rules by which they pick others when a round begins, or when it ends."""

    needs = ("picks_units",)

    def __init__(self, ending: bool) -> None:
        self.name = "round.rules_at_end" if ending else "round.rules_at_start"
        self.moments = ("round ends",) if ending else ("round begins",)

    def go(self, game: Play) -> None:
        state, frames = game.state, []
        for unit in sorted(state.units, key=lambda one: one.side != state.starter):
            if unit.place != "table":
                continue
            powers = {asked_key(power): power for power in powers_of(game.rules, state, unit, self.moments)}
            frames += [
                power_frame(power)
                for power in powers.values()
                if not is_shaken(unit) or any(isinstance(block, b.Rally) for block in power.rule.block.then)
            ]
        if frames:
            game.push(*frames)


class StrikeCrossed(TrunkStep):
    """A charger that moved through enemies may strike them first."""

    name = "melee.crossed"
    needs = ("picks_units",)

    def go(self, game: Play) -> None:
        activation = game.nearest(Activation)
        if activation is not None and activation.crossed:
            use_next_power(game, activation, (CROSSES,))


def use_next_power(game: Play, frame: Activation, moments: tuple[str, ...]) -> None:
    """Ask about the next rule of the activated unit that may be used now, and come back for the one after it."""
    unit = game.state.units[frame.unit]
    if frame.began_broken or frame.over or not unit.models or unit.place != "table":
        return
    found = next_power(game.rules, game.state, unit, frame, moments)
    if found is None:
        return
    game.note_on(Activation, asked=(*frame.asked, asked_key(found)))
    game.push(power_frame(found, frame.crossed if found.rule.block.at == CROSSES else None), again=True)


def power_frame(power: Power, among: tuple[int, ...] | None = None) -> RuleUse:
    """The frame in which a rule is used."""
    rule = power.rule
    return RuleUse(
        procedure=RULE_PROCEDURE,
        unit=power.unit.id,
        model=power.model.id,
        rule=rule.name,
        place=rule.place,
        worked=0 if rule.is_for_each_die else 1,
        among=among,
    )


def asked_key(power: Power) -> tuple[int, str]:
    """Under what it is kept that a rule was asked about: once for the unit, or for each model that has it."""
    bearer = power.unit.id if power.rule.speaks_for_unit else power.model.id
    return bearer, f"{power.rule.name} {power.rule.place}"


def next_power(
    rules: Ruleset, state: State, unit: Unit, frame: Activation, moments: tuple[str, ...] = OWN_TIME
) -> Power | None:
    """The next rule of the unit that may be used now and was not asked about yet."""
    for power in powers_of(rules, state, unit, moments):
        if asked_key(power) in frame.asked:
            continue
        among = frame.crossed if power.rule.block.at == CROSSES else None
        if candidates(rules, state, unit, power.model, power.rule, (), among):
            return power
    return None


def powers_of(rules: Ruleset, state: State, unit: Unit, moments: tuple[str, ...]) -> tuple[Power, ...]:
    """The rules by which a unit's models pick others at some moments, less those that are used up."""
    if not rules.hooks.may_have("picks_units", unit, state.profiles):
        return ()
    return tuple(
        Power(unit, model, rule)
        for model in unit.models
        for rule in rules.hooks.of_model(unit, model, state.profiles).get("picks_units", ())
        if isinstance(rule, PicksUnits) and rule.block.at in moments
        if not (rule.block.often == "game" and any(use.key == rule.name for use in model.uses))
    )


def candidates(
    rules: Ruleset,
    state: State,
    unit: Unit,
    model: Model,
    rule: PicksUnits,
    picked: tuple[int, ...],
    among: tuple[int, ...] | None = None,
) -> tuple[Unit, ...]:
    """The units that a model may pick with a rule now."""
    block = rule.block
    place = next(i for i, one in enumerate(unit.models) if one.id == model.id)
    return tuple(
        other
        for other in state.units
        if other.place == "table"
        and other.models
        and (other.id not in picked or rule.is_for_each_die)
        and (among is None or other.id in among)
        and (
            other.id == unit.id if block.on == "self" else (other.side == unit.side) == (block.on == "friend")
        )
        and not (block.others and other.id == unit.id)
        and is_meant(state, block, other)
        and not _has_it_already(other, rule)
        and _is_in_reach(rules, state, unit, place, other, rule)
    )


def _has_it_already(other: Unit, rule: PicksUnits) -> bool:
    lends = any(isinstance(block, b.Lend) for block in rule.block.then)
    return lends and any(effect.name == rule.name for effect in other.effects)


def _is_in_reach(rules: Ruleset, state: State, unit: Unit, place: int, other: Unit, rule: PicksUnits) -> bool:
    if other.id == unit.id:
        return True
    heights, block = rules.policies.measures_heights(), rule.block
    if block.reach:
        apart = (
            units_apart(state, unit.id, other.id, heights)
            if rule.speaks_for_unit
            else model_to_unit(state, unit.id, place, other.id, heights)
        )
        if not within(apart, block.reach / MILLI) and not _is_reached_over_friends(
            rules, state, unit, place, other, block
        ):
            return False
    if not block.sight:
        return True
    method = rules.policies.sight_method(state)
    return any(sees(state, method, unit.id, place, other.id, at).visible for at in range(len(other.models)))


def _is_reached_over_friends(
    rules: Ruleset, state: State, unit: Unit, place: int, other: Unit, block: b.Picks
) -> bool:
    """Whether a hero may pick a friend out of its reach because of a rule that both that friend and a unit near the
    hero have; spells reach no farther."""
    printed = state.profiles[unit.models[place].profile].rules
    if block.on != "friend" or not block.at or not any(rule.name == "Hero" for rule in printed):
        return False
    heights = rules.policies.measures_heights()
    for rule in _long_reach(rules, state, other):
        if block.reach != rule.block.instead_of:
            continue
        for link in state.units:
            if link.id == other.id or link.side != other.side or link.place != "table" or not link.models:
                continue
            if all(one.name != rule.name for one in _long_reach(rules, state, link)):
                continue
            is_with_hero = link.id == unit.id or (
                rule.block.picker_within
                and within(
                    model_to_unit(state, unit.id, place, link.id, heights), rule.block.picker_within / MILLI
                )
            )
            if is_with_hero and within(
                units_apart(state, link.id, other.id, heights), rule.block.reach / MILLI
            ):
                return True
    return False


def _long_reach(rules: Ruleset, state: State, unit: Unit) -> list[IsPickedFromAfar]:
    found = rules.hooks.of_unit(unit, state.profiles).get("picked_from_afar", ())
    return [rule for rule in found if isinstance(rule, IsPickedFromAfar)]


def running_rule(game: Play) -> tuple[RuleUse, PicksUnits] | None:
    """The rule that is being used; None if its bearer is gone."""
    frame = game.top(RuleUse)
    rule = rule_of(game, frame)
    return None if rule is None else (frame, rule)


def rule_of(game: Play, frame: RuleUse) -> PicksUnits | None:
    """The rule that a frame is about; None if its bearer is gone."""
    unit = game.state.units[frame.unit]
    model = next((one for one in unit.models if one.id == frame.model), None)
    if model is None:
        return None
    if frame.procedure in SPELL_PROCEDURES:
        return spell_as_rule(game.state, frame.rule)
    for rule in game.rules.hooks.of_model(unit, model, game.state.profiles).get("picks_units", ()):
        if isinstance(rule, PicksUnits) and (rule.name, rule.place) == (frame.rule, frame.place):
            return rule
    return None


class PickTargets(TrunkStep):
    """Whom the rule is used on, one after another up to so many; or it waits, or is not used."""

    name = "rule.pick"

    def ask(self, game: Play) -> Pending | None:
        found = running_rule(game)
        if found is None:
            return None
        frame, rule = found
        unit = game.state.units[frame.unit]
        model = next(one for one in unit.models if one.id == frame.model)
        open_to = candidates(game.rules, game.state, unit, model, rule, frame.picked, frame.among)
        if is_for_all(rule.block):
            return use_question(unit, rule) if open_to and may_wait(rule.block) and not frame.picked else None
        most = frame.worked if rule.is_for_each_die else rule.block.count
        if len(frame.picked) >= most or not open_to:
            return None
        words = "nobody else" if frame.picked else "nobody"
        options = tuple(Option(f"u{other.id}", other.name, other.id) for other in open_to)
        best = max(open_to, key=lambda other: (other.cost, len(other.models), -other.id))
        prompt = f"{unit.name} picks whom?"
        every = (*options, Option(NOBODY, words))
        return RuleChoice("rule_pick", unit, rule.name, prompt, every, f"u{best.id}")

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        frame = game.top(RuleUse)
        if answer.option in (YES, NO):
            if answer.option == YES:
                self._take_all(game)
            else:
                game.finish()
            return
        if answer.option == NOBODY:
            if not frame.picked:
                game.finish()
            return  # those picked before are enough
        game.note(picked=(*frame.picked, int(answer.option[1:])))
        game.stay()

    def go(self, game: Play) -> None:
        found = running_rule(game)
        if found is not None and is_for_all(found[1].block) and not may_wait(found[1].block):
            self._take_all(game)
        frame = game.top(RuleUse)
        if not frame.picked:
            game.finish()

    def _take_all(self, game: Play) -> None:
        found = running_rule(game)
        assert found is not None
        frame, rule = found
        unit = game.state.units[frame.unit]
        model = next(one for one in unit.models if one.id == frame.model)
        reached = candidates(game.rules, game.state, unit, model, rule, ())
        game.note(picked=tuple(other.id for other in reached))


def is_for_all(block: b.Picks) -> bool:
    """Whether nobody is chosen: the rule works on everybody in reach, or on its bearer's unit."""
    return block.count == b.EVERY or block.on == "self"


def may_wait(block: b.Picks) -> bool:
    """Whether the rule need not be used now."""
    return block.optional or block.often == "game"


def use_question(unit: Unit, rule: PicksUnits) -> RuleChoice:
    """Whether a rule is used now that chooses nobody."""
    both = (Option(YES, "use it now"), Option(NO, "not now"))
    return RuleChoice("rule_use", unit, rule.name, f"{unit.name}: use it?", both, YES)


class PickModels(TrunkStep):
    """Which model of each picked enemy is meant, where a rule or a spell picks models, not units."""

    name = "rule.models"

    def ask(self, game: Play) -> Pending | None:
        found = running_rule(game)
        if found is None or found[1].block.what == "unit" or found[1].block.on == "friend":
            return None
        frame, rule = found
        if len(frame.models) >= len(frame.picked):
            return None
        unit, other = (game.state.units[one] for one in (frame.unit, frame.picked[len(frame.models)]))
        able = models_in_reach(game, frame, rule, other)
        if not able:
            return None
        number = {model.id: at for at, model in enumerate(other.models, 1)}
        names = [f"{other.name}, {game.state.profiles[one.profile].name} ({number[one.id]})" for one in able]
        options = tuple(Option(f"m{one.id}", name, other.id) for one, name in zip(able, names, strict=True))
        best = max(able, key=lambda one: (one.id == other.attached, game.state.profiles[one.profile].wounds))
        return RuleChoice(
            "rule_pick", unit, rule.name, f"which model of {other.name}?", options, f"m{best.id}"
        )

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        game.note(models=(*game.top(RuleUse).models, int(answer.option[1:])))
        game.stay()


def models_in_reach(game: Play, frame: RuleUse, rule: PicksUnits, other: Unit) -> list[Model]:
    """The models of a unit that a rule or a spell may single out: near enough to its bearer, and seen where it must."""
    state, block = game.state, rule.block
    unit = state.units[frame.unit]
    place = next(at for at, one in enumerate(unit.models) if one.id == frame.model)
    heights, method = game.rules.policies.measures_heights(), game.rules.policies.sight_method(state)
    sight = block.sight or frame.procedure == SPELL_PROCEDURE
    return [
        model
        for at, model in enumerate(other.models)
        if within(models_apart(state, unit.id, place, other.id, at, heights), block.reach / MILLI)
        and (not sight or sees(state, method, unit.id, place, other.id, at).visible)
    ]


class RollForEach(TrunkStep):
    """Where every die that succeeds may strike another unit the dice come first."""

    name = "rule.roll_first"

    def ask(self, game: Play) -> Pending | None:
        found = running_rule(game)
        return dice_of(game, *found) if found is not None and found[1].is_for_each_die else None

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        game.note(worked=counts[0].get(PASS, 0))


def dice_of(game: Play, frame: RuleUse, rule: PicksUnits) -> Roll:
    """The dice that decide how often a rule works."""
    unit = game.state.units[frame.unit]
    profiles = game.state.profiles
    bearers = [
        model
        for model in unit.models
        if rule.name in {one.name for one in kit_rules(game.rules, game.state, unit, model)}
    ]
    toughness = max((profiles[model.profile].wounds for model in bearers), default=1)
    need = rule.block.need
    count = rule.dice(len(bearers), toughness) or len(game.state.units[frame.picked[0]].models)
    pool = Pool(count, labels_from(need), Target(need), rule.name)
    return Roll("rule", unit.seat, (pool,), "")


def kit_rules(rules: Ruleset, state: State, unit: Unit, model: Model) -> tuple[SpecialRule, ...]:
    """The rules of a model that pick others."""
    return rules.hooks.of_model(unit, model, state.profiles).get("picks_units", ())


class RollToUse(TrunkStep):
    """Some rules need a die before anything comes of them."""

    name = "rule.roll"

    def ask(self, game: Play) -> Pending | None:
        found = running_rule(game)
        if found is None or not found[1].block.need or found[1].is_for_each_die:
            return None
        return dice_of(game, *found)

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        game.note(worked=counts[0].get(PASS, 0))


class RollAmount(TrunkStep):
    """Where a die says how much a rule heals or deals, once for all who were picked."""

    name = "rule.amount"

    def ask(self, game: Play) -> Pending | None:
        found = running_rule(game)
        faces = 0 if found is None or not found[0].worked else amount_die(blocks_of(*found))
        if found is None or not faces:
            return None
        pool = Pool(1, AMOUNTS[faces], None, found[1].name)
        return Roll("rule", game.state.units[found[0].unit].seat, (pool,), "")

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        game.note(worked=next(int(label) for label, count in counts[0].items() if count))


def blocks_of(frame: RuleUse, rule: PicksUnits) -> b.Blocks:
    """What a rule does to those who were picked, or to those who failed the test that it called."""
    if frame.procedure not in AFTER_FAILING.values():
        return rule.block.then
    return tuple(block for test in nerve_tests(rule) for block in test.failed)


def amount_die(blocks: b.Blocks) -> int:
    """The faces of the die that says how much a rule heals or deals; 0 where no die does."""
    for block in blocks:
        if isinstance(block, b.TakeHits) and (block.die or block.wound_die):
            return block.die or block.wound_die
        if isinstance(block, b.Heal) and block.die:
            return block.die
    return 0


class TestPicked(TrunkStep):
    """Those who were picked may have to take a morale test, each as its edition says."""

    name = "rule.test"

    def go(self, game: Play) -> None:
        found = running_rule(game)
        if found is None or not found[0].worked or not nerve_tests(found[1]):
            return
        frame, rule = found
        change = sum(block.amount for block in nerve_tests(rule))
        mods = (Mod(change, rule.name, ""),) if change else ()
        tests = [Morale(NERVE, unit=unit, cause=rule.name, mods=mods) for unit in frame.picked]
        game.push(*tests)


NERVE = "rule.nerve"  # the procedure of a morale test that a rule calls


def nerve_tests(rule: PicksUnits) -> tuple[b.TakeTest, ...]:
    """The morale tests that a rule calls."""
    return tuple(
        block for block in rule.block.then if isinstance(block, b.TakeTest) and block.test == "morale"
    )


class ApplyToPicked(TrunkStep):
    """What the rule does to those who were picked."""

    name = "rule.apply"

    def go(self, game: Play) -> None:
        found = running_rule(game)
        if found is None:
            return
        frame, rule = found
        if rule.block.often == "game" and frame.procedure == RULE_PROCEDURE:
            game.emit(ev.WeaponUsed(unit=frame.unit, model=frame.model, key=rule.name))
        if not frame.worked:
            return
        for target in frame.picked:
            for block in blocks_of(frame, rule):
                apply_block(game, frame, rule, target, block)


def apply_block(game: Play, frame: RuleUse, rule: PicksUnits, target: int, block: b.Block) -> None:
    """What one block of a rule does to a unit that was picked."""
    match block:
        case b.Lend():
            given = (RuleRef(rule.name, rule.value, False, block.blocks),)
            mine, theirs = ((), given) if block.against else (given, ())
            effect = Effect(rule.name, frame.model, block.until or "game", mine, theirs)
            game.emit(ev.EffectBegan(unit=target, effect=effect))
        case b.PutMarkers():
            put_markers(game, frame.model, rule, target, block)
        case b.TakeHits(wounds=wounds) if wounds or block.wound_die:
            packets = (Packet(dealt_by(game, frame, rule, target, block, wounds)),)
            attack = Attack("wounds", kind=kind_of(frame), unit=frame.unit, victim=target, packets=packets)
            game.follow(attack)
        case b.TakeHits():
            attack = hits_on(game, frame, rule, target, block)
            if attack.hits:  # otherwise dice decide about them first
                count = sum(group.count for group in attack.hits)
                game.emit(ev.Hit(unit=frame.unit, target=target, hits=count, note=rule.name))
            game.follow(attack)
        case b.BeFatigued() | b.Rally():
            change_state(game, game.state.units[target], block)
        case b.Heal():
            own = frame.model if rule.block.on == "self" else -1
            hurt = max(game.state.units[target].models, key=lambda one: (one.id == own, one.wounds))
            wounds = min(hurt.wounds, rule.amount(block.wounds) + (frame.worked if block.die else 0))
            if wounds:
                game.emit(ev.Healed(unit=target, model=hurt.id, wounds=wounds))
        case b.InTerrain():
            given = (RuleRef(rule.name, rule.value, False, (block,)),)
            game.emit(ev.EffectBegan(unit=target, effect=Effect(rule.name, frame.model, "once", given)))
        case b.MoveThem():
            game.follow(
                Movement(
                    procedure="move.spell",
                    unit=target,
                    action="led",
                    allowance=rule.amount(block.reach),
                    leader=frame.unit,
                    is_straight=block.straight,
                )
            )
        case b.TakeTest(test="dangerous"):
            models = tuple((model.id, -1) for model in game.state.units[target].models)
            game.follow(Danger(procedure="danger", unit=target, models=models))
        case _:
            pass


def change_state(game: Play, unit: Unit, block: b.BeFatigued | b.Rally) -> None:
    """A unit becomes fatigued or shaken, or is shaken no longer."""
    if isinstance(block, b.Rally):
        if is_shaken(unit):
            game.emit(ev.Recovered(unit=unit.id))
    elif block.state != "shaken":
        game.emit(ev.Tired(unit=unit.id))
    elif not is_shaken(unit):
        game.emit(game.rules.policies.shake(game.rules, unit))
        game.rules.after_shaken(game, unit.id)


def put_markers(game: Play, source: int, rule: PicksUnits, target: int, block: b.PutMarkers) -> None:
    """Put markers of a rule onto a unit, to those of the same rule that it has already."""
    before = [effect for effect in game.state.units[target].effects if count_of(effect, rule.name)]
    for effect in before:
        game.emit(ev.EffectEnded(unit=target, until=effect.until, name=effect.name))
    count = rule.amount(block.count) + sum(count_of(effect, rule.name) for effect in before)
    game.emit(ev.EffectBegan(unit=target, effect=marked(rule.name, block, count, source)))


def marked(name: str, block: b.PutMarkers, count: int, source: int = -1) -> Effect:
    """What so many markers of a rule on a unit do for those who attack it."""
    against = (RuleRef(name, count, False, tuple(multiplied(inner, count) for inner in block.blocks)),)
    return Effect(f"{name} x{count}", source, "once" if block.spent else "game", (), against)


def count_of(effect: Effect, name: str) -> int:
    """How many markers of a rule an effect stands for; 0 for any other effect."""
    refs = (*effect.grants, *effect.against)
    return next((ref.value for ref in refs if ref.name == name and effect.name == f"{name} x{ref.value}"), 0)


def multiplied(block: b.Block, times: int) -> b.Block:
    """A block whose number counts for each of several markers."""
    match block:
        case b.Modifier():
            return replace(block, amount=block.amount * times)
        case b.Gets():
            return replace(block, rule=replace(block.rule, value=block.rule.value * times))
        case b.MoreAttacks():
            return replace(block, attacks=block.attacks * times)
        case b.HitsTaken():
            return replace(block, piercing=block.piercing * times)
        case _:
            return block


def hits_on(game: Play, frame: RuleUse, rule: PicksUnits, target: int, block: b.TakeHits) -> Attack:
    """Hits of a rule on a unit, or on the model of it that was picked, with the rules that the text names."""
    state = game.state
    count = dealt_by(game, frame, rule, target, block, block.hits)
    picked = next((m for m in frame.models if any(one.id == m for one in state.units[target].models)), -1)
    weapon = Weapon(rule.name, count, 0, block.rules)
    bearer = (state.units[frame.unit], frame.model)
    hits = Struck(game.rules, state, bearer, state.units[target], weapon, picked, kind_of(frame))
    return hits_frame(hits, frame.model)


def kind_of(frame: RuleUse) -> AttackKind:
    """What kind of attack the hits or wounds of a rule are: those of a spell, or those of a rule."""
    return "spell" if frame.procedure in SPELL_PROCEDURES else "rule"


def times_of(frame: RuleUse, rule: PicksUnits) -> int:
    """How often a unit takes what the rule deals: for every success, or once each time it was picked."""
    return 1 if rule.is_for_each_die else frame.worked


def dealt_by(
    game: Play, frame: RuleUse, rule: PicksUnits, target: int, block: b.TakeHits, number: int
) -> int:
    """How many hits or wounds a unit takes: with a die of their own, or once for each die that succeeded."""
    many = len(game.state.units[target].models) if block.per_model else 1
    plain = rule.amount(number)
    dealt = many * (plain + frame.worked if block.die or block.wound_die else plain * times_of(frame, rule))
    return min(dealt, block.most) if block.most else dealt


AMOUNTS: dict[int, Labels] = {3: ("1", "1", "2", "2", "3", "3"), 6: ("1", "2", "3", "4", "5", "6")}
RULE_USE: tuple[TrunkStep, ...] = (
    RollForEach(),
    PickTargets(),
    PickModels(),
    RollToUse(),
    RollAmount(),
    TestPicked(),
    ApplyToPicked(),
)
SPELL_USE: tuple[TrunkStep, ...] = (PickModels(), RollToUse(), RollAmount(), TestPicked(), ApplyToPicked())
FAILED_USE: tuple[TrunkStep, ...] = (RollAmount(), ApplyToPicked())
