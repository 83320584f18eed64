"""Effects that a player picks, uses once a game, or rolls a die for; they lie on the unit as timed effects."""

from __future__ import annotations

from shieldwall.core import blocks as b
from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Activation, Danger, RuleUse
from shieldwall.core.pending import Option, Pending, Roll
from shieldwall.core.state import Effect, State, Unit
from shieldwall.core.values import Counts, Labels, Pool
from shieldwall.rules.army.feats import feat_question, has_effect, is_used, lay, use_feat, words_of
from shieldwall.rules.army.fighting import BlockRule, ChoosesEffect, RollsEffect, UsesFeat
from shieldwall.rules.army.once import end_effects, note_speaking, note_spent, spent_marks
from shieldwall.rules.army.picking import RuleChoice
from shieldwall.rules.army.used_up import ONCE
from shieldwall.rules.hooks import SpecialRule
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.activation import over

NEXT = "next activation"
DANGER = "dangerous terrain"
AT_DEPLOYMENT = "rule.effect"


class ChooseEffects(TrunkStep):
    """When a unit is activated, its player picks effects for it and decides whether to use a feat for its move."""

    name = "act.rule_effects"
    needs = ("chooses_effect", "rolls_effect", "uses_feat", "is_endangered", NEXT)

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(Activation)
        unit = game.state.units[frame.unit]
        if over(game, frame) or frame.began_broken or has_stale(unit, frame) or is_in_danger(unit, frame):
            return None
        rule = next_choice(game.rules, game.state, unit, frame)
        if isinstance(rule, RollsEffect):
            return toss(unit, rule)
        return None if rule is None else question(unit, rule)

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame = game.top(Activation)
        unit = game.state.units[frame.unit]
        rule = next_choice(game.rules, game.state, unit, frame)
        assert isinstance(rule, RollsEffect)
        game.note(asked=(*frame.asked, (unit.id, rule.name)))
        note_speaking(game, unit, rule)
        lay(game, unit.id, rule, tossed_effect(rule, counts[0]), rule.block.until)
        game.stay()

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        frame = game.top(Activation)
        unit = game.state.units[frame.unit]
        rule = next_choice(game.rules, game.state, unit, frame)
        assert isinstance(rule, ChoosesEffect | UsesFeat)
        asked = (*frame.asked, (unit.id, rule.name))
        if isinstance(rule, ChoosesEffect) and rule.block.until == NEXT:
            asked = (*asked, (unit.id, NEXT))  # what was picked just now does not end in this activation
        game.note(asked=asked)
        settle_choice(game, unit, rule, answer.option)
        game.stay()

    def go(self, game: Play) -> None:
        frame = game.top(Activation)
        unit = game.state.units[frame.unit]
        if has_stale(unit, frame):
            game.note(asked=(*frame.asked, (unit.id, NEXT)))
            game.emit(ev.EffectEnded(unit=unit.id, until=NEXT))
            game.stay()
        elif is_in_danger(unit, frame):
            game.note(asked=(*frame.asked, (unit.id, DANGER)))
            end_effects(game, [(unit.id, effect.name) for effect in dangers(unit)])
            models = tuple((model.id, -1) for model in unit.models)
            game.push(Danger(procedure="danger", unit=unit.id, models=models), again=True)


class ChooseInRound(TrunkStep):
    """When a round begins, players pick effects for units whose rules say so, the starting side first."""

    name = "round.rule_effects"
    needs = ("chooses_effect",)

    def ask(self, game: Play) -> Pending | None:
        found = self._next(game)
        return None if found is None else question(*found)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        found = self._next(game)
        assert found is not None
        settle_choice(game, *found, answer.option)
        game.stay()

    def _next(self, game: Play) -> tuple[Unit, ChoosesEffect] | None:
        state = game.state
        for unit in sorted(state.units, key=lambda one: one.side != state.turn):
            if unit.place != "table" or not unit.models or unit.broken:
                continue
            for rule in game.rules.hooks.of_unit(unit, state.profiles).get("chooses_effect", ()):
                assert isinstance(rule, ChoosesEffect)
                if rule.block.at == "round begins" and not has_effect(unit, rule.name):
                    return unit, rule
        return None


def dangers(unit: Unit) -> list[Effect]:
    """Effects by which a unit counts as being in dangerous terrain."""
    return [
        effect
        for effect in unit.effects
        if any(block == b.InTerrain("dangerous") for ref in effect.grants for block in ref.blocks or ())
    ]


def is_in_danger(unit: Unit, frame: Activation) -> bool:
    """Whether a unit that is activated has to test for terrain that it only counts as being in."""
    return (unit.id, DANGER) not in frame.asked and bool(unit.models) and bool(dangers(unit))


def has_stale(unit: Unit, frame: Activation) -> bool:
    """Whether effects that last until a unit's next activation have to end now."""
    return (unit.id, NEXT) not in frame.asked and any(effect.until == NEXT for effect in unit.effects)


def next_choice(
    rules: Ruleset, state: State, unit: Unit, frame: Activation
) -> ChoosesEffect | RollsEffect | UsesFeat | None:
    """The next rule of a unit that asks something, or needs a die, when it is activated."""
    hooks = rules.hooks.of_unit(unit, state.profiles)
    for rule in (
        *hooks.get("chooses_effect", ()),
        *hooks.get("rolls_effect", ()),
        *hooks.get("uses_feat", ()),
    ):
        if (unit.id, rule.name) in frame.asked or has_effect(unit, rule.name):
            continue
        if isinstance(rule, ChoosesEffect | RollsEffect) and "activated" in rule.block.at:
            return rule
        if isinstance(rule, UsesFeat) and rule.block.at == "moves" and not is_used(state, unit, rule):
            return rule
    return None


def toss(unit: Unit, rule: RollsEffect) -> Roll:
    """The die that settles an effect."""
    pool = Pool(1, face_labels(rule.block), None, rule.name)
    return Roll("rule", unit.seat, (pool,), "")


def tossed_effect(rule: RollsEffect, counts: Counts) -> b.Blocks:
    """The effect that a die has settled; none where its face brings nothing."""
    number = next(int(label) for label, count in counts.items() if count)
    return rule.block.effects[number - 1] if number else ()


def question(unit: Unit, rule: ChoosesEffect | UsesFeat) -> RuleChoice:
    """What a rule asks its player."""
    if isinstance(rule, UsesFeat):
        return feat_question(unit, rule)
    effects = enumerate(rule.block.effects, start=1)
    options = tuple(Option(str(number), words_of(blocks)) for number, blocks in effects)
    return RuleChoice("rule_effect", unit, rule.name, f"{unit.name}: which effect?", options, "1")


def settle_choice(game: Play, unit: Unit, rule: ChoosesEffect | UsesFeat, option: str) -> None:
    """Lay the effect that was picked on the unit."""
    if isinstance(rule, ChoosesEffect):
        lay(game, unit.id, rule, rule.block.effects[int(option) - 1], rule.block.until or "activation")
    else:
        use_feat(game, unit, rule, option)


def effects_at_deployment(rules: Ruleset, state: State, unit: Unit) -> list[RuleUse]:
    """Frames for the effects that are picked for a unit as soon as it is deployed."""
    found = rules.hooks.of_unit(unit, state.profiles).get("chooses_effect", ()) if unit.models else ()
    return [
        RuleUse(procedure=AT_DEPLOYMENT, unit=unit.id, rule=rule.name)
        for rule in found
        if isinstance(rule, ChoosesEffect) and "deployed" in rule.block.at
    ]


class ChooseAtDeployment(TrunkStep):
    """Which effect a unit has that was just deployed."""

    name = "rule.effect"

    def ask(self, game: Play) -> Pending | None:
        unit, rule = self._rule(game)
        return None if rule is None else question(unit, rule)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        unit, rule = self._rule(game)
        assert rule is not None
        settle_choice(game, unit, rule, answer.option)

    def _rule(self, game: Play) -> tuple[Unit, ChoosesEffect | None]:
        frame = game.top(RuleUse)
        unit = game.state.units[frame.unit]
        found = (
            game.rules.hooks.of_unit(unit, game.state.profiles).get("chooses_effect", ())
            if unit.models
            else ()
        )
        for rule in found:
            if (
                isinstance(rule, ChoosesEffect)
                and rule.name == frame.rule
                and not has_effect(unit, rule.name)
            ):
                return unit, rule
        return unit, None


EFFECT_AT_DEPLOYMENT: tuple[TrunkStep, ...] = (ChooseAtDeployment(),)


# ---------------------------------------------------------------- in an attack


SPEAKING = ("chooses_effect", "rolls_effect", "uses_feat")


class AttackRules:
    """What rules of a unit ask or roll when it is about to shoot or to strike, one thing after another.

    `enemies` are those it attacks: marks on them may bring such a rule along, which are used up with it.
    """

    @staticmethod
    def ask(game: Play, unit: Unit, moment: str, enemies: tuple[int, ...] = ()) -> Pending | None:
        """The next question or die; None when there is nothing left."""
        found = AttackRules.next_rule(game, unit, moment, enemies)
        if found is None:
            return None
        return toss(unit, found) if isinstance(found, RollsEffect) else question(unit, found)

    @staticmethod
    def next_rule(
        game: Play, unit: Unit, moment: str, enemies: tuple[int, ...] = ()
    ) -> ChoosesEffect | RollsEffect | UsesFeat | None:
        """The next rule that speaks up when a unit shoots or strikes."""
        if not unit.models or not any(hook in game.plans.in_play for hook in SPEAKING):
            return None
        hooks = game.rules.hooks.of_unit(unit, game.state.profiles)
        marked = tuple(rule for enemy in enemies for rule in marks_that_roll(game, unit, enemy))
        if not marked and not any(hook in hooks for hook in SPEAKING):
            return None
        activation = game.nearest(Activation)
        asked = activation.asked if activation is not None else ()
        chosen = (*hooks.get("chooses_effect", ()), *hooks.get("uses_feat", ()))
        for rule in (*hooks.get("rolls_effect", ()), *marked, *chosen):
            assert isinstance(rule, ChoosesEffect | RollsEffect | UsesFeat)
            if rule.block.at not in ("attacks", moment) or has_effect(unit, rule.name):
                continue
            if (unit.id, rule.name) in asked:
                continue
            if isinstance(rule, UsesFeat) and is_used(game.state, unit, rule):
                continue
            return rule
        return None

    @staticmethod
    def rolled(game: Play, unit: Unit, moment: str, counts: Counts, enemies: tuple[int, ...] = ()) -> None:
        """The die that settles an effect."""
        rule = AttackRules.next_rule(game, unit, moment, enemies)
        assert isinstance(rule, RollsEffect)
        effect = tossed_effect(rule, counts)
        AttackRules._note(game, unit, rule)
        for enemy in enemies:
            if rule in marks_that_roll(game, unit, enemy):
                note_spent(game, spent_marks(game.rules, game.state.units[enemy], "rolls_effect"))
        if effect:
            lay(game, unit.id, rule, effect, ONCE)
        game.stay()

    @staticmethod
    def chosen(game: Play, unit: Unit, moment: str, answer: AnyAnswer, enemies: tuple[int, ...] = ()) -> None:
        """Whether a feat is used."""
        assert isinstance(answer, Pick)
        rule = AttackRules.next_rule(game, unit, moment, enemies)
        assert isinstance(rule, ChoosesEffect | UsesFeat)
        AttackRules._note(game, unit, rule)
        settle_choice(game, unit, rule, answer.option)
        game.stay()

    @staticmethod
    def _note(game: Play, unit: Unit, rule: BlockRule) -> None:
        activation = game.nearest(Activation)
        if activation is not None:
            game.note_on(Activation, asked=(*activation.asked, (unit.id, rule.name)))
        note_speaking(game, unit, rule)


def marks_that_roll(game: Play, unit: Unit, enemy: int) -> tuple[SpecialRule, ...]:
    """Rules that need a die, which a unit has against an enemy that is marked."""
    target = game.state.units[enemy]
    return game.rules.hooks.against(unit, target).get("rolls_effect", ()) if target.effects else ()


def face_labels(block: b.RolledEffect) -> Labels:
    """Which effect each face brings, by its number; 0 for none."""
    found = []
    for face in range(1, 7):
        places = [at for at, (low, high) in enumerate(block.faces, start=1) if low <= face <= high]
        found.append(str(places[0]) if places else "0")
    one, two, three, four, five, six = found
    return (one, two, three, four, five, six)
