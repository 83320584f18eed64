"""Effects that a player picks, uses once a game, or rolls a die for; they lie on the unit as timed effects."""

from __future__ import annotations

from shieldwall.core import blocks as b
from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Pick
from shieldwall.core.frames import Activation
from shieldwall.core.pending import Option, Pending, Roll
from shieldwall.core.state import State, Unit
from shieldwall.core.values import Counts, Labels, Pool
from shieldwall.rules.army.feats import feat_question, has_effect, is_used, lay, use_feat, words_of
from shieldwall.rules.army.fighting import BlockRule, ChoosesEffect, RollsEffect, UsesFeat
from shieldwall.rules.army.once import ONCE
from shieldwall.rules.army.picking import RuleChoice
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.activation import over

NEXT = "next activation"


class ChooseEffects(TrunkStep):
    """When a unit is activated its player picks effects for it, and says whether it uses a feat for its move."""

    name = "act.rule_effects"
    needs = ("chooses_effect", "uses_feat", NEXT)

    def ask(self, game: Play) -> Pending | None:
        frame = game.top(Activation)
        unit = game.state.units[frame.unit]
        if over(game, frame) or frame.began_broken or has_stale(unit, frame):
            return None
        rule = next_choice(game.rules, game.state, unit, frame)
        return None if rule is None else question(unit, rule)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Pick)
        frame = game.top(Activation)
        unit = game.state.units[frame.unit]
        rule = next_choice(game.rules, game.state, unit, frame)
        assert rule is not None
        game.note(asked=(*frame.asked, (unit.id, rule.name)))
        settle_choice(game, unit, rule, answer.option)
        game.stay()

    def go(self, game: Play) -> None:
        frame = game.top(Activation)
        unit = game.state.units[frame.unit]
        if has_stale(unit, frame):
            game.note(asked=(*frame.asked, (unit.id, NEXT)))
            game.emit(ev.EffectEnded(unit=unit.id, until=NEXT))
            game.stay()


def has_stale(unit: Unit, frame: Activation) -> bool:
    """Whether effects that last until a unit's next activation have to end now."""
    return (unit.id, NEXT) not in frame.asked and any(effect.until == NEXT for effect in unit.effects)


def next_choice(
    rules: Ruleset, state: State, unit: Unit, frame: Activation
) -> ChoosesEffect | UsesFeat | None:
    """The next rule of a unit that asks something when it is activated."""
    kit = rules.unit_kit(state, unit)
    for rule in (*kit.get("chooses_effect", ()), *kit.get("uses_feat", ())):
        if (unit.id, rule.name) in frame.asked or has_effect(unit, rule.name):
            continue
        if isinstance(rule, ChoosesEffect) and "activated" in rule.block.at:
            return rule
        if isinstance(rule, UsesFeat) and rule.block.at == "moves" and not is_used(unit, rule.name):
            return rule
    return None


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


# ---------------------------------------------------------------- in an attack


class AttackRules:
    """What rules of a unit ask or roll when it is about to shoot or to strike, one thing after another."""

    @staticmethod
    def ask(game: Play, unit: Unit, moment: str) -> Pending | None:
        """The next question or die; None when there is nothing left."""
        found = AttackRules.next_rule(game, unit, moment)
        if found is None:
            return None
        if isinstance(found, RollsEffect):
            pool = Pool(1, face_labels(found.block), None, found.name)
            return Roll("rule", unit.seat, (pool,), "")
        return question(unit, found)

    @staticmethod
    def next_rule(game: Play, unit: Unit, moment: str) -> RollsEffect | UsesFeat | None:
        """The next rule that speaks up when a unit shoots or strikes."""
        if not unit.models:
            return None
        kit = game.rules.unit_kit(game.state, unit)
        if "rolls_effect" not in kit and "uses_feat" not in kit:
            return None
        activation = game.nearest(Activation)
        asked = activation.asked if activation is not None else ()
        for rule in (*kit.get("rolls_effect", ()), *kit.get("uses_feat", ())):
            assert isinstance(rule, RollsEffect | UsesFeat)
            if rule.block.at not in ("attacks", moment) or has_effect(unit, rule.name):
                continue
            if (unit.id, rule.name) in asked or (isinstance(rule, UsesFeat) and is_used(unit, rule.name)):
                continue
            return rule
        return None

    @staticmethod
    def rolled(game: Play, unit: Unit, moment: str, counts: Counts) -> None:
        """The die that settles an effect."""
        rule = AttackRules.next_rule(game, unit, moment)
        assert isinstance(rule, RollsEffect)
        number = next(int(label) for label, count in counts.items() if count)
        AttackRules._note(game, unit, rule)
        if number:
            lay(game, unit.id, rule, rule.block.effects[number - 1], ONCE)
        game.stay()

    @staticmethod
    def chosen(game: Play, unit: Unit, moment: str, answer: AnyAnswer) -> None:
        """Whether a feat is used."""
        assert isinstance(answer, Pick)
        rule = AttackRules.next_rule(game, unit, moment)
        assert isinstance(rule, UsesFeat)
        AttackRules._note(game, unit, rule)
        settle_choice(game, unit, rule, answer.option)
        game.stay()

    @staticmethod
    def _note(game: Play, unit: Unit, rule: BlockRule) -> None:
        activation = game.nearest(Activation)
        if activation is not None:
            game.note_on(Activation, asked=(*activation.asked, (unit.id, rule.name)))


def face_labels(block: b.RolledEffect) -> Labels:
    """Which effect each face brings, by its number; 0 for none."""
    found = []
    for face in range(1, 7):
        places = [at for at, (low, high) in enumerate(block.faces, start=1) if low <= face <= high]
        found.append(str(places[0]) if places else "0")
    one, two, three, four, five, six = found
    return (one, two, three, four, five, six)
