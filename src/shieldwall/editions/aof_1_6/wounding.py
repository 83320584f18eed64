"""The attacker rolls to wound: high is good, armour piercing lowers Defense, and nothing is sure to succeed.

A roll that needs 7 or more is made in two stages: a 6, and then a second die of 4 or more. A natural 6 alone is
therefore no automatic success; a 1 always fails.
"""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core.frames import Attack, Danger, HitGroup, Morale, Packet, Volley
from shieldwall.core.pending import Pending, Roll
from shieldwall.core.values import AGAIN, FAIL, PASS, SIX, Counts, Labels, Mod, Pool, Target, labels_from
from shieldwall.core.values import ONE as LOW
from shieldwall.rules.attack_math import Attackers, block_target, blocks_again_up_to, merge_groups
from shieldwall.rules.ruleset import Play, Ruleset, TrunkStep
from shieldwall.rules.steps.attack import (
    HitRoll,
    MultiplyHits,
    RollToHit,
    backfire,
    groups_on,
    land_hits,
)
from shieldwall.rules.steps.danger import ONE
from shieldwall.rules.steps.morale import RollMorale

OPEN = "six_open"  # a 6 where 7 or more is needed: the second die decides
SECOND_DIE = 4
OPEN_LABELS: Labels = (FAIL, FAIL, FAIL, FAIL, FAIL, OPEN)
SECOND_LABELS: Labels = labels_from(SECOND_DIE)


def raw_need(target: Target) -> int:
    """The number a roll needs, all modifiers netted; it may lie above 6."""
    return target.base - target.modifier


def staged_labels(target: Target, on_six: str = PASS) -> Labels:
    """How faces are read where 7 or more takes two dice; 1 always fails."""
    need = raw_need(target)
    if need > 6:
        return OPEN_LABELS
    return labels_from(max(2, need), PASS, on_six, FAIL)


class RollToHitInStages(RollToHit):
    """Roll the attacks; 6s that need a second die wait for it. Attacks without a weapon hit automatically."""

    def ask(self, game: Play) -> Pending | None:
        volley = game.top(Attack).volley
        return None if volley is not None and is_sure(volley) else super().ask(game)

    def go(self, game: Play) -> None:
        frame: Attack = game.stack[-1]
        volley = frame.volley
        if volley is None or not is_sure(volley) or not game.state.units[volley.target].models:
            super().go(game)
            return
        groups: list[HitGroup] = []
        for source in volley.sources:
            attackers = Attackers(game.rules, game.state, frame, source)
            if frame.kind == "momentum":
                groups.append(attackers.charge_hits(source.dice, volley.group))
            else:
                groups += attackers.hit_groups({PASS: source.dice}, volley.group)
        land_hits(game, frame, merge_groups(groups), game.rules.cite_for("attack.momentum", volley.group))

    def staged(self, pool: Pool) -> Pool:
        if pool.target is None or raw_need(pool.target) <= 6:
            return pool
        return replace(pool, labels=(*pool.labels[:5], OPEN))

    def resolve(self, game: Play, counts: tuple[Counts, ...]) -> None:
        waiting = tuple(count.get(OPEN, 0) for count in counts)
        if not any(waiting):
            super().resolve(game, counts)
            return
        frame, thrown = game.top(Attack), game.question(HitRoll).attackers
        assert frame.volley is not None
        backfire(game, frame, thrown, counts)
        groups: list[HitGroup] = []
        for attackers, count in zip(thrown, counts, strict=True):
            groups += attackers.hit_groups(count, frame.volley.group)
        game.note(hits=merge_groups(groups), again=waiting)


def is_sure(volley: Volley) -> bool:
    """Whether a volley hits without a roll: the weight of a charge, fire, a passed test."""
    return not volley.need and not volley.rolled and all(source.weapon < 0 for source in volley.sources)


class MultiplyAllHits(MultiplyHits):
    """Rules that turn one hit into several, however few models there are, unless their text says otherwise."""

    def most(self, volley: Volley, attackers: Attackers) -> int:
        return super().most(volley, attackers) if attackers.caps_each_hit() else UNCAPPED


UNCAPPED = 1_000_000


class SecondHitDie(TrunkStep):
    """One more die for each 6 that was not enough; successes count as natural 6s."""

    name = "attack.hit_second"

    def adds_up(self, game: Play) -> bool:
        return True

    def ask(self, game: Play) -> Pending | None:
        frame: Attack = game.stack[-1]
        if frame.volley is None or not any(frame.again):
            return None
        pools = tuple(
            Pool(dice, SECOND_LABELS, Target(SECOND_DIE), frame.volley.group) for dice in frame.again
        )
        seat = game.state.units[frame.unit].seat
        return Roll("second_die", seat, pools, game.rules.cite("attack.second"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Attack = game.stack[-1]
        volley = frame.volley
        assert volley is not None
        groups = list(frame.hits)
        for source, count in zip(volley.sources, counts, strict=True):
            attackers = Attackers(game.rules, game.state, frame, source)
            label = SIX if attackers.reads_sixes() else PASS
            groups += attackers.hit_groups({label: count.get(PASS, 0)}, volley.group)
        game.note(again=())
        land_hits(game, frame, merge_groups(groups), game.rules.cite("attack.second"))


class RollToWound(TrunkStep):
    """The attacker rolls one die per hit against the Defense of the target.

    Rules that make targets reroll high blocks make attackers reroll low dice to wound here, once.
    """

    name = "attack.block"

    def adds_up(self, game: Play) -> bool:
        return True

    def ask(self, game: Play) -> Pending | None:
        frame: Attack = game.stack[-1]
        groups = groups_on(frame, frame.victim)
        if frame.rerolls:
            pools = tuple(
                self._pool(game, frame, replace(group, count=dice, again_from=0))
                for group, dice in zip(groups, frame.rerolls, strict=True)
            )
        else:
            pools = tuple(self._pool(game, frame, group) for group in groups)
        cite = game.rules.cite(f"attack.block.{frame.kind}")
        return Roll("to_wound", attacking_seat(game, frame), pools, cite)

    def _pool(self, game: Play, frame: Attack, group: HitGroup) -> Pool:
        target = wound_target(game.rules, game, frame, group)
        labels = self._labels(target, group)
        up_to = 0 if frame.rerolls else blocks_again_up_to(game.rules, game.state, frame, group)
        again = [
            AGAIN if face >= 7 - up_to and label in (PASS, LOW) else label
            for face, label in enumerate(labels, 1)
        ]
        one, two, three, four, five, six = again
        return Pool(group.count, (one, two, three, four, five, six), target, group.note)

    def _labels(self, target: Target, group: HitGroup) -> Labels:
        """A natural 6 to wound is what a natural 1 to block is elsewhere, and a 5 what a 2 is; a 1 is what a 6 is."""
        labels = list(staged_labels(target))
        low = 7 - group.again_from if group.again_from else 0
        labels[:low] = [AGAIN if label == FAIL else label for label in labels[:low]]
        if group.ones and labels[5] == PASS:
            labels[5] = LOW
            if group.ones_up_to > 1 and labels[4] == PASS:
                labels[4] = LOW
        one, two, three, four, five, six = labels
        return (one, two, three, four, five, six)

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Attack = game.stack[-1]
        before = frame.failed or (0,) * len(counts)
        open_before = frame.again or (0,) * len(counts)
        ones_before = frame.ones or (0,) * len(counts)
        ones = tuple(known + count.get(LOW, 0) for known, count in zip(ones_before, counts, strict=True))
        wounds = tuple(
            known + count.get(PASS, 0) + count.get(LOW, 0)
            for known, count in zip(before, counts, strict=True)
        )
        again = tuple(known + count.get(OPEN, 0) for known, count in zip(open_before, counts, strict=True))
        rerolls = tuple(count.get(AGAIN, 0) for count in counts)
        game.note(
            failed=wounds,
            again=again,
            ones=ones if any(ones) else (),
            rerolls=rerolls if any(rerolls) else (),
        )
        if any(rerolls):
            game.stay()


class SecondWoundDie(TrunkStep):
    """One more die for each 6 to wound where 7 or more was needed."""

    name = "attack.wound_second"

    def adds_up(self, game: Play) -> bool:
        return True

    def ask(self, game: Play) -> Pending | None:
        frame: Attack = game.stack[-1]
        if not any(frame.again):
            return None
        pools = tuple(
            Pool(dice, SECOND_LABELS, Target(SECOND_DIE), group.note)
            for group, dice in zip(groups_on(frame, frame.victim), frame.again, strict=True)
        )
        return Roll("second_die", attacking_seat(game, frame), pools, game.rules.cite("attack.second"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        failed = game.top(Attack).failed
        wounds = tuple(known + count.get(PASS, 0) for known, count in zip(failed, counts, strict=True))
        game.note(failed=wounds, again=())


def wound_target(rules: Ruleset, game: Play, frame: Attack, group: HitGroup) -> Target:
    """The needed roll to wound with its reasons.

    What would help the target block raises the number, what would hinder it lowers it. Some hits always wound on a
    fixed number.
    """
    if group.wounds_on:
        return Target(group.wounds_on)
    block = block_target(rules, game.state, frame, group)
    return Target(block.base, tuple(Mod(-mod.amount, mod.why, mod.cite) for mod in block.mods))


def attacking_seat(game: Play, frame: Attack) -> int:
    """The seat that rolls to wound: the attacker's, or the victim's if there is no attacker."""
    return game.state.units[frame.unit if frame.unit >= 0 else frame.victim].seat


class RollMoraleInStages(RollMorale):
    """One Quality test; where it needs 7 or more, a 6 waits for its second die."""

    def ask(self, game: Play) -> Pending | None:
        asked = super().ask(game)
        if not isinstance(asked, Roll):
            return asked
        (pool,) = asked.pools
        assert pool.target is not None
        staged = Pool(1, staged_labels(pool.target), pool.target, pool.note)
        return Roll(self.purpose_of(game), asked.seat, (staged,), asked.cite)

    def purpose_of(self, game: Play) -> str:
        """The purpose of the roll."""
        return "morale"

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        super().rolled(game, counts)
        game.note(awaits_second=counts[0].get(OPEN, 0) > 0)


class SecondMoraleDie(TrunkStep):
    """The second die of a test that needs 7 or more."""

    name = "morale.second"

    def ask(self, game: Play) -> Pending | None:
        frame: Morale = game.stack[-1]
        if not frame.awaits_second:
            return None
        unit = game.state.units[frame.unit]
        pool = Pool(1, SECOND_LABELS, Target(SECOND_DIE))
        return Roll("second_die", unit.seat, (pool,), game.rules.cite("attack.second"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        game.note(passed=counts[0].get(PASS, 0) > 0, awaits_second=False)


class RollForEachModel(TrunkStep):
    """Dangerous ground: one die for each model, however tough; a 1 wounds that model."""

    name = "danger.roll"

    def ask(self, game: Play) -> Pending | None:
        frame: Danger = game.stack[-1]
        unit = game.state.units[frame.unit]
        pools = tuple(Pool(1, ONE) for _ in at_risk(game, frame))
        return Roll("dangerous", unit.seat, pools, game.rules.cite("danger.roll"))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Danger = game.stack[-1]
        struck = [
            model for model, count in zip(at_risk(game, frame), counts, strict=True) if count.get("one", 0)
        ]
        if struck:
            game.push(*(self.wound(game, frame, model) for model in struck))

    def wound(self, game: Play, frame: Danger, model: int) -> Attack:
        """The wound of one model, which nothing but Regeneration can prevent."""
        return Attack(
            procedure="wounds",
            kind="danger",
            unit=-1,
            volley=Volley("danger", frame.unit, (), picked=model),
            victim=frame.unit,
            packets=(Packet(1),),
            cause="danger",
        )


def at_risk(game: Play, frame: Danger) -> tuple[int, ...]:
    """The living models a ground test is about, each once."""
    alive = {model.id for model in game.state.units[frame.unit].models}
    return tuple(dict.fromkeys(model for model, _ in frame.models if model in alive))
