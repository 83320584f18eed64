"""One attack, from dice to casualties: the same for shots, blows, Impact, spells, falls and dangerous ground."""

from __future__ import annotations

from msgspec.structs import replace

from shieldwall.core import events as ev
from shieldwall.core.answers import AnyAnswer, Chosen, Pick
from shieldwall.core.frames import Activation, Attack, HitGroup, Melee, Packet, Volley
from shieldwall.core.pending import Pending, Roll
from shieldwall.core.state import Unit, model_ids
from shieldwall.core.values import (
    AGAIN,
    FAIL,
    LOW,
    MISSED,
    ONE,
    PASS,
    Counts,
    Labels,
    Pool,
    Target,
    labels_from,
    pool_of_tests,
)
from shieldwall.rules import losses
from shieldwall.rules.army.caster_groups import hand_on_tokens
from shieldwall.rules.army.feats import feat_against_wounds, feat_question, use_feat
from shieldwall.rules.army.once import has_once, note_hits, note_spent, spent_by_hook
from shieldwall.rules.attack_math import (
    Attackers,
    block_target,
    blocks_again_up_to,
    merge_groups,
    thrown_again,
)
from shieldwall.rules.hooks import WoundContext
from shieldwall.rules.missions import carried_by, spot_of
from shieldwall.rules.ruleset import Play, TrunkStep
from shieldwall.rules.steps.casualties import Casualties


class HitRoll(Roll):
    """Dice to hit: one pool for each source of attacks."""

    __slots__ = ("attackers",)

    def __init__(
        self, purpose: str, seat: int, pools: tuple[Pool, ...], cite: str, attackers: tuple[Attackers, ...]
    ) -> None:
        super().__init__(purpose, seat, pools, cite)
        self.attackers = attackers


class RollToHit(TrunkStep):
    """Roll the attacks. Hits without a roll (spells, falls) are already counted."""

    name = "attack.hit"

    def ask(self, game: Play) -> Pending | None:
        frame: Attack = game.stack[-1]
        if frame.volley is None:
            return None
        target = game.state.units[frame.volley.target]
        if not target.models or gone(target, frame.volley.picked):
            return None
        attackers = self.throwers(game, frame)
        pools = self.pools_again(frame, attackers) if frame.thrown else ()
        pools = pools or tuple([self.pool(frame, one) for one in attackers])
        purpose = "impact" if frame.kind == "momentum" else "to_hit"
        purpose = "rule" if frame.volley.need else purpose
        cite = game.rules.cite(f"attack.{frame.kind}")
        return HitRoll(purpose, game.state.units[frame.unit].seat, pools, cite, attackers)

    def adds_up(self, game: Play) -> bool:
        return not strays(game, game.top(Attack))

    def throwers(self, game: Play, frame: Attack) -> tuple[Attackers, ...]:
        """The sources of attacks as they are rolled."""
        assert frame.volley is not None
        return tuple([Attackers(game.rules, game.state, frame, one) for one in frame.volley.sources])

    def pool(self, frame: Attack, attackers: Attackers) -> Pool:
        """The dice of one source of attacks."""
        assert frame.volley is not None
        dice = attackers.source.dice
        if frame.kind == "momentum":
            need = frame.volley.need or 2
            name = frame.volley.group if frame.volley.need else "impact"
            return pool_of_tests(dice, Target(need), name)
        return self.staged(attackers.hit_pool(dice))

    def pools_again(self, frame: Attack, attackers: tuple[Attackers, ...]) -> tuple[Pool, ...]:
        """The dice that are rerolled; the second results stand."""
        return tuple(
            self.staged(one.hit_pool(count.get(AGAIN, 0) + count.get(MISSED, 0), again=False))
            for one, count in zip(attackers, map(dict, frame.thrown), strict=True)
        )

    def staged(self, pool: Pool) -> Pool:
        """The dice as the edition reads them."""
        return pool

    def go(self, game: Play) -> None:
        frame: Attack = game.stack[-1]
        if frame.volley is not None:
            target = frame.volley.target
            game.emit(ev.VolleyLost(unit=frame.unit, target=target, group=frame.volley.group))
            game.finish()
        elif not frame.hits and not frame.packets:
            game.finish()

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        kept = game.top(Attack).thrown
        if kept:
            game.note(thrown=())
            counts = tuple(_both(dict(one), two) for one, two in zip(kept, counts, strict=True))
        elif any(count.get(AGAIN, 0) + count.get(MISSED, 0) for count in counts):
            game.note(thrown=tuple(tuple(sorted(count.items())) for count in counts))
            game.stay()
            return
        self.resolve(game, counts)

    def resolve(self, game: Play, counts: tuple[Counts, ...]) -> None:
        """Turn dice into hits, once there is nothing left to reroll."""
        frame: Attack = game.stack[-1]
        volley = frame.volley
        assert volley is not None
        thrown = game.question(HitRoll).attackers
        if volley.need:
            hits = sum(count.get(PASS, 0) for count in counts)
            land_rule_dice(game, frame, volley, thrown[0], hits)
            return
        backfire(game, frame, thrown, counts)
        groups: list[HitGroup] = []
        more: list[int] = []
        for attackers, count in zip(thrown, counts, strict=True):
            if frame.kind == "momentum":
                groups.append(attackers.charge_hits(count.get(PASS, 0), "impact"))
                continue
            groups += attackers.hit_groups(count, volley.group)
            more.append(attackers.more_attacks(count))
        game.note(more=tuple(more) if any(more) else ())
        land_hits(game, frame, in_order(groups), game.rules.cite_for("attack.hits", frame.kind))


def _both(one: Counts, two: Counts) -> Counts:
    """The dice that were kept together with the results of those that were rerolled."""
    labels = {*one, *two} - {AGAIN, MISSED}
    return {label: one.get(label, 0) + two.get(label, 0) for label in labels}


def land_hits(game: Play, frame: Attack, hits: tuple[HitGroup, ...], cite: str) -> None:
    """Record the hits of a volley; without any the attack is over."""
    volley = frame.volley
    assert volley is not None
    game.note(hits=hits)
    landed = sum([group.count for group in hits])
    game.emit(ev.Hit(unit=frame.unit, target=volley.target, hits=landed, note=volley.group, cite=cite))
    if not landed:
        game.finish()


class RollMoreAttacks(TrunkStep):
    """Roll the extra attacks from natural 6s; they cause no further ones."""

    name = "attack.more"
    needs = ("more_attacks",)

    def ask(self, game: Play) -> Pending | None:
        frame: Attack = game.stack[-1]
        if not frame.more:
            return None
        assert frame.volley is not None
        attackers = tuple([Attackers(game.rules, game.state, frame, one) for one in frame.volley.sources])
        pools = tuple([one.hit_pool(dice) for one, dice in zip(attackers, frame.more, strict=True)])
        seat = game.state.units[frame.unit].seat
        return HitRoll("to_hit", seat, pools, game.rules.cite(f"attack.{frame.kind}"), attackers)

    def adds_up(self, game: Play) -> bool:
        frame: Attack = game.stack[-1]
        return not backfires(game, frame) and not may_strike_again(game, frame)

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Attack = game.stack[-1]
        volley = frame.volley
        assert volley is not None
        thrown = game.question(HitRoll).attackers
        backfire(game, frame, thrown, counts)
        groups = list(frame.hits)
        for attackers, count in zip(thrown, counts, strict=True):
            groups += self.hits(game, volley, attackers, count)
        hits = in_order(groups)
        landed = sum(group.count for group in hits) - sum(group.count for group in frame.hits)
        game.note(hits=hits, more=())
        cite = game.rules.cite_for("attack.hits", frame.kind)
        note = f"{volley.group}, extra attacks"
        game.emit(ev.Hit(unit=frame.unit, target=volley.target, hits=landed, note=note, cite=cite))

    def hits(self, game: Play, volley: Volley, attackers: Attackers, counts: Counts) -> list[HitGroup]:
        """The hits of one source's extra attacks."""
        return attackers.hit_groups(counts, volley.group)


class MultiplyHits(TrunkStep):
    """Apply rules that turn one hit into several, limited by the number of models in the target; they come last."""

    name = "attack.multiply"
    needs = ("multiplies",)

    def adds_up(self, game: Play) -> bool:
        return True

    def go(self, game: Play) -> None:
        frame: Attack = game.stack[-1]
        volley = frame.volley
        if volley is None or frame.kind == "momentum":
            return
        attackers = Attackers(game.rules, game.state, frame, volley.sources[0])
        factor = min(attackers.multiplier(), self.most(volley, attackers))
        if factor > 1:
            hits = tuple(replace(group, count=group.count * factor) for group in frame.hits)
            game.note(hits=hits)
            total = sum(group.count for group in hits)
            cite = game.rules.cite("attack.multiply")
            game.emit(
                ev.Hit(unit=frame.unit, target=volley.target, hits=total, note=f"times {factor}", cite=cite)
            )

    def most(self, volley: Volley, attackers: Attackers) -> int:
        """The maximum number of hits that one hit can become."""
        return max(1, 1 if volley.picked >= 0 else volley.target_models)


class TakeVictim(TrunkStep):
    """Continue with the next unit that was hit, until none is left."""

    name = "attack.victim"

    def adds_up(self, game: Play) -> bool:
        return True

    def go(self, game: Play) -> None:
        frame: Attack = game.stack[-1]
        if frame.packets:
            game.note(victim=frame.victim if frame.victim >= 0 else frame.unit)
            game.jump("attack.save")
            return
        waiting = [group for group in frame.hits if game.state.units[group.unit].models]
        if not waiting:
            game.jump("attack.done")
        else:
            victim = waiting[0].unit
            game.note(victim=victim)
            if frame.volley is None or frame.volley.target != victim:
                note_hits(game, frame, game.state.units[victim])


class RollToBlock(TrunkStep):
    """The side that was hit rolls one die per hit."""

    name = "attack.block"

    def ask(self, game: Play) -> Pending | None:
        frame: Attack = game.stack[-1]
        pools = tuple([self._pool(game, frame, group) for group in groups_on(frame, frame.victim)])
        seat = game.state.units[frame.victim].seat
        return Roll("block", seat, pools, game.rules.cite(f"attack.block.{frame.kind}"))

    def adds_up(self, game: Play) -> bool:
        return not earns_blows(game.top(Attack))

    def _pool(self, game: Play, frame: Attack, group: HitGroup) -> Pool:
        target = block_target(game.rules, game.state, frame, group)
        labels = block_labels(group, target.needed, group.again_from)
        low = 0
        if "blocks_again" in game.plans.in_play:
            low = blocks_again_up_to(game.rules, game.state, frame, group)
        return Pool(group.count, thrown_again(labels, low, 7) if low else labels, target, group.note)

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        ones = tuple([count.get(ONE, 0) + count.get(LOW, 0) for count in counts])
        failed = tuple([count.get(FAIL, 0) + low for count, low in zip(counts, ones, strict=True)])
        again = tuple([count.get(AGAIN, 0) + count.get(MISSED, 0) for count in counts])
        game.note(failed=failed, again=again, ones=ones if any(ones) else ())
        if "attacks_for_blocks" in game.plans.in_play:
            note_low_blocks(game, counts)


class RollBlocksAgain(TrunkStep):
    """Block dice that a rule has rerolled, once; the second result stands."""

    name = "attack.block_again"

    def ask(self, game: Play) -> Pending | None:
        frame: Attack = game.stack[-1]
        if not any(frame.again):
            return None
        groups = groups_on(frame, frame.victim)
        pools = tuple(
            Pool(dice, block_labels(group, target.needed, 0), target, group.note)
            for group, dice in zip(groups, frame.again, strict=True)
            for target in (block_target(game.rules, game.state, frame, group),)
        )
        return Roll(
            "block_again", game.state.units[frame.victim].seat, pools, game.rules.cite("attack.block_again")
        )

    def adds_up(self, game: Play) -> bool:
        return not earns_blows(game.top(Attack))

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Attack = game.stack[-1]
        new = tuple(count.get(ONE, 0) + count.get(LOW, 0) for count in counts)
        failed = tuple(
            known + count.get(FAIL, 0) + low
            for known, count, low in zip(frame.failed, counts, new, strict=True)
        )
        before = frame.ones or (0,) * len(counts)
        ones = tuple(known + low for known, low in zip(before, new, strict=True))
        game.note(failed=failed, again=(), ones=ones if any(ones) else ())
        if "attacks_for_blocks" in game.plans.in_play:
            note_low_blocks(game, counts)


class StrikeForLowBlocks(TrunkStep):
    """Natural 1s to block may have brought extra attacks, which follow as soon as this attack is over."""

    name = "attack.low_blocks"
    needs = ("attacks_for_blocks",)

    def adds_up(self, game: Play) -> bool:
        return not earns_blows(game.top(Attack))

    def go(self, game: Play) -> None:
        frame: Attack = game.stack[-1]
        volley = frame.volley
        if volley is None or not any(frame.low):
            return
        dice: dict[int, int] = {}
        for group, low in zip(groups_on(frame, frame.victim), frame.low, strict=True):
            dice[group.source] = dice.get(group.source, 0) + low * group.blows
        sources = tuple(
            replace(volley.sources[at], dice=number, models=volley.sources[at].models[:1])
            for at, number in sorted(dice.items())
            if number
        )
        if sources:
            name = f"{volley.group}, extra attacks"
            again = replace(volley, group=name, sources=sources, extra=True)
            attack = Attack(frame.procedure, kind=frame.kind, unit=frame.unit, volley=again)
            game.follow(replace(attack, charging=frame.charging, held=frame.held, moved=frame.moved))
        game.note(low=())


def earns_blows(frame: Attack) -> bool:
    """Whether natural 1s to block some of the hits bring extra attacks."""
    return any(group.blows for group in frame.hits)


def note_low_blocks(game: Play, counts: tuple[Counts, ...]) -> None:
    """Keep the number of natural 1s to block each kind of hit, where they bring extra attacks."""
    frame: Attack = game.stack[-1]
    if earns_blows(frame):
        before = frame.low or (0,) * len(counts)
        game.note(low=tuple(known + count.get(ONE, 0) for known, count in zip(before, counts, strict=True)))


class CountWounds(TrunkStep):
    """Turn unblocked hits into packets of wounds, sticky ones first, then those nothing ignores."""

    name = "attack.wounds"

    def adds_up(self, game: Play) -> bool:
        return True

    def go(self, game: Play) -> None:
        frame: Attack = game.stack[-1]
        groups = groups_on(frame, frame.victim)
        wounds = wounds_on(game, frame)
        may_ignore = losses.has_ignore_rules(game.rules, wounds)
        ignoring = may_ignore and losses.may_ignore(game.rules, wounds)
        # the models present when the unit takes the wounds decide for all of them, though models are removed one by one
        settled = game.rules.saves_by_unit and may_ignore and not ignoring
        wounds_by_group = wounds_of_groups(frame, groups)
        packets = losses.merge_packets(
            [
                Packet(count, group.multiply, group.multiply > 1, settled or (group.no_saves and ignoring))
                for group, count in zip(groups, wounds_by_group, strict=True)
                if count
            ]
        )
        packets.sort(key=losses.first_to_land)
        unblocked = sum(wounds_by_group)
        blocked = sum(group.count for group in groups) - sum(frame.failed)
        cite = game.rules.cite_for("attack.wounds", frame.kind)
        game.emit(ev.Blocked(unit=frame.victim, blocked=blocked, wounds=unblocked, cite=cite))
        rest = tuple(group for group in frame.hits if group.unit != frame.victim)
        game.note(hits=rest, packets=tuple(packets), failed=(), ones=())


class IgnoreRoll(Roll):
    """Dice to ignore a run of wounds; `rest` are the wounds after it."""

    __slots__ = ("rest", "run")

    def __init__(self, seat: int, pool: Pool, cite: str, run: Packet, rest: tuple[Packet, ...]) -> None:
        super().__init__("regeneration", seat, (pool,), cite)
        self.run = run
        self.rest = rest


class RollToIgnore(TrunkStep):
    """Roll to ignore wounds, together for all wounds that are treated alike."""

    name = "attack.save"

    def ask(self, game: Play) -> Pending | None:
        frame: Attack = game.stack[-1]
        unit = game.state.units[frame.victim]
        if not frame.packets or not unit.models:
            return None
        if not ("ignores_wounds_on" in game.plans.in_play or "uses_feat" in game.plans.in_play):
            return None
        wounds = wounds_on(game, frame)
        if gone(unit, wounds.picked):
            return None
        may_ask = not frame.feat_asked and "uses_feat" in game.plans.in_play
        feat = feat_against_wounds(game.rules, game.state, unit) if may_ask else None
        if feat is not None:
            return feat_question(unit, feat)
        run, needed, rest = losses.next_run(game.rules, wounds, frame.packets)
        if not needed:
            return None
        pool = pool_of_tests(run.count * run.amount, Target(needed))
        regenerates = losses.is_regeneration(game.rules, wounds, needed)
        cite = game.rules.cite("attack.save") if regenerates else ""
        return IgnoreRoll(unit.seat, pool, cite, run, rest)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        """Record whether the unit uses a once-per-game rule against the wounds."""
        assert isinstance(answer, Pick)
        unit = game.state.units[game.top(Attack).victim]
        feat = feat_against_wounds(game.rules, game.state, unit)
        assert feat is not None
        game.note(feat_asked=True)
        use_feat(game, unit, feat, answer.option)
        game.stay()

    def adds_up(self, game: Play) -> bool:
        frame: Attack = game.stack[-1]
        if not frame.feat_asked and feat_against_wounds(game.rules, game.state, wounds_on(game, frame).unit):
            return False
        return losses.fall_alike(game.rules, wounds_on(game, frame), frame.packets)

    def go(self, game: Play) -> None:
        frame: Attack = game.stack[-1]
        wounds = wounds_on(game, frame)
        if not frame.packets or not wounds.unit.models or gone(wounds.unit, wounds.picked):
            game.note(packets=(), landing=None)
            game.jump("attack.victim" if frame.hits else "attack.done")
            return
        may_ignore = "ignores_wounds_on" in game.plans.in_play
        run, _, rest = losses.next_run(game.rules, wounds, frame.packets, may_ignore)
        game.note(packets=rest, landing=run)

    def rolled(self, game: Play, counts: tuple[Counts, ...]) -> None:
        frame: Attack = game.stack[-1]
        unit = game.state.units[frame.victim]
        asked = game.question(IgnoreRoll)
        run, rest = asked.run, asked.rest
        ignored = counts[0].get(PASS, 0)
        if has_once(unit):
            note_spent(game, spent_by_hook(game.rules, unit, "ignores_wounds_on"))
        if ignored:
            game.emit(ev.Ignored(unit=unit.id, wounds=ignored, cite=asked.cite))
            game.rules.after_deed(game, unit.id, "ignores a wound", ignored)
        left = Packet(1, run.amount - ignored, True) if run.sticky else Packet(run.count - ignored)
        wounds = wounds_on(game, frame)
        if losses.fall_alike(game.rules, wounds, (left, *rest)) and all(
            packet.no_saves and not losses.may_ignore(game.rules, wounds, no_saves=True) for packet in rest
        ):
            left, rest = Packet(left.count + sum(packet.count for packet in rest)), ()
        game.note(packets=rest, landing=left)


class LandWounds(TrunkStep):
    """Apply wounds; if it matters which model is removed, the owner chooses."""

    name = "attack.land"

    def ask(self, game: Play) -> Pending | None:
        frame: Attack = game.stack[-1]
        landing = frame.landing
        if landing is None or landing.count * landing.amount <= 0:
            return None
        unit = game.state.units[frame.victim]
        choice = losses.choice_of_losses(game.rules, game.state, unit, frame.picked, landing)
        return None if choice is None else Casualties(game, unit, choice, landing, frame.kind)

    def chosen(self, game: Play, answer: AnyAnswer) -> None:
        assert isinstance(answer, Chosen)
        self._land(game, answer.ids)

    def go(self, game: Play) -> None:
        self._land(game, ())

    def _land(self, game: Play, ids: tuple[int, ...]) -> None:
        frame: Attack = game.stack[-1]
        landing = frame.landing
        if landing is not None and landing.count * landing.amount > 0:
            unit = game.state.units[frame.victim]
            loss = losses.land(game.rules, game.state, unit, frame.picked, landing, ids)
            hurt = frame.hurt
            if hurt or loss.wounded:
                lost = loss.removed  # models that were lost need not be recorded
                wounded = [(unit.id, model) for model, _ in loss.wounded]
                hurt = tuple(dict.fromkeys([pair for pair in hurt if pair[1] not in lost] + wounded))
            game.note(landing=None, hurt=hurt, inflicted=frame.inflicted + loss.inflicted)
            game.rules.after_loss(game, unit, loss, frame)
            write_loss(game, unit, loss, frame.cause)
        game.jump("attack.save" if frame.packets else "attack.victim" if frame.hits else "attack.done")


class AttackDone(TrunkStep):
    """Record who was wounded for the morale checkpoint."""

    name = "attack.done"

    def go(self, game: Play) -> None:
        frame: Attack = game.stack[-1]
        if frame.inflicted and frame.victim >= 0:
            note_wounded(game, frame.victim)
        if frame.kind in ("strike", "momentum"):
            note_blows(game, frame)


ATTACK: tuple[TrunkStep, ...] = (
    RollToHit(),
    RollMoreAttacks(),
    MultiplyHits(),
    TakeVictim(),
    RollToBlock(),
    RollBlocksAgain(),
    StrikeForLowBlocks(),
    CountWounds(),
    RollToIgnore(),
    LandWounds(),
    AttackDone(),
)


def land_rule_dice(game: Play, frame: Attack, volley: Volley, attackers: Attackers, count: int) -> None:
    """Resolve dice of a special rule in melee: as hits with its rules, or directly as wounds."""
    game.emit(ev.Hit(unit=frame.unit, target=volley.target, hits=count, note=volley.group))
    if not count:
        game.finish()
    elif not volley.wounds:
        game.note(hits=(attackers.rule_hits(count, volley.rules, volley.group),))
    elif not _wounds_wait(game, frame):
        game.note(victim=volley.target, packets=(Packet(count),))
    else:
        melee = game.nearest(Melee)
        assert melee is not None, "blows are struck in a melee"
        game.note_on(Melee, packets=tuple(losses.merge_packets([*melee.packets, Packet(count)])))
        game.finish()


def strays(game: Play, frame: Attack) -> bool:
    """Whether dice to hit have effects outside the attack itself: on other units, or at a later time."""
    return backfires(game, frame) or _wounds_wait(game, frame) or may_strike_again(game, frame)


def _wounds_wait(game: Play, frame: Attack) -> bool:
    """Whether wounds from dice in melee wait until all blows of a side land together."""
    deals_wounds = frame.volley is not None and frame.volley.wounds
    return deals_wounds and "attack.save" not in game.plans[frame.procedure].at


def backfires(game: Play, frame: Attack) -> bool:
    """Whether low rolls to hit wound the attacker's own unit."""
    sources = frame.volley.sources if frame.volley is not None else ()
    return any(Attackers(game.rules, game.state, frame, source).own("backfires") for source in sources)


def may_strike_again(game: Play, frame: Attack) -> bool:
    """Whether natural 1s to block the hits may bring extra attacks."""
    sources = frame.volley.sources if frame.volley is not None else ()
    if "attacks_for_blocks" not in game.plans.in_play:
        return False
    return any(Attackers(game.rules, game.state, frame, source).blows() for source in sources)


def backfire(game: Play, frame: Attack, attackers: tuple[Attackers, ...], counts: tuple[Counts, ...]) -> None:
    """Wounds on the attacker's own unit for low rolls to hit; they land when the running attack is over."""
    wounds = 0
    for one, count in zip(attackers, counts, strict=True):
        if count.get(ONE, 0):
            wounds += count[ONE] * one.recoil()
    if wounds:
        packets = (Packet(wounds),)
        game.follow(Attack("wounds", kind="danger", unit=-1, victim=frame.unit, packets=packets))


def in_order(groups: list[HitGroup]) -> tuple[HitGroup, ...]:
    """Hits merged by kind, 6s first whichever source rolled them, so that the order never depends on the dice."""
    return merge_groups([group for group in sorted(groups, key=lambda group: not group.six) if group.count])


def block_labels(group: HitGroup, needed: int, again_from: int) -> Labels:
    """How faces to block are read: some are rerolled, some failures cause extra wounds."""
    labels = list(labels_from(needed))
    for at, label in enumerate(labels):
        if label == PASS and again_from and at + 1 >= again_from:
            labels[at] = AGAIN
        elif label == FAIL and group.blows and not at:
            labels[at] = ONE
        elif label == FAIL and group.ones and at + 1 <= group.ones_up_to:
            labels[at] = LOW if group.blows else ONE
    one, two, three, four, five, six = labels
    return (one, two, three, four, five, six)


def wounds_of_groups(frame: Attack, groups: tuple[HitGroup, ...]) -> tuple[int, ...]:
    """The wounds caused by unblocked hits of each kind, including extra ones."""
    if len(groups) == 1 and not frame.ones:  # nearly always
        return (frame.failed[0] * (1 + groups[0].unblocked),)
    ones = frame.ones or (0,) * len(groups)
    return tuple(
        failed * (1 + group.unblocked) + min(low, failed) * group.ones
        for group, failed, low in zip(groups, frame.failed, ones, strict=True)
    )


def groups_on(frame: Attack, unit: int) -> tuple[HitGroup, ...]:
    """The hits that fell on one unit."""
    return tuple([group for group in frame.hits if group.unit == unit])


def wounds_on(game: Play, frame: Attack) -> WoundContext:
    """The wounds about to land on the current victim, for the hooks of rules."""
    return WoundContext(game.state, game.state.units[frame.victim], frame.kind, frame.picked)


def gone(unit: Unit, picked: int) -> bool:
    """Whether the model singled out is no longer there."""
    return picked >= 0 and all(model.id != picked for model in unit.models)


def write_loss(game: Play, unit: Unit, loss: losses.Loss, cause: str) -> None:
    """Turn a loss into events: wounds, removed models, a destroyed unit."""
    cite = game.rules.cite("attack.remove")
    for model, wounds in loss.wounded:
        game.emit(ev.Wounded(unit=unit.id, model=model, wounds=wounds, cite=cite))
    if loss.removed:
        remove_models(game, unit.id, loss.removed, cause, cite)


def remove_models(game: Play, unit_id: int, models: tuple[int, ...], cause: str, cite: str) -> None:
    """Remove models from the table; the unit is destroyed when none are left."""
    unit = game.state.units[unit_id]
    survivors, block = losses.left_after(game.rules, game.state, unit, models)
    wreck = None if survivors else game.rules.policies.wreck_of(game.state, unit, cause)
    lying = () if survivors else carried_by(game.state, unit_id)
    game.emit(ev.Removed(unit=unit_id, models=models, cause=cause, block=block, cite=cite))
    if survivors and "casts_for_group" in game.plans.in_play:
        hand_on_tokens(game, unit, models)
    for marker in lying:
        spot = spot_of(game.state, unit, models[-1])
        dropped = game.rules.cites.get("mission.relic-hunt.drop", cite)
        game.emit(ev.MarkerDropped(marker=marker.id, x=spot.x, y=spot.y, z=spot.z, cite=dropped))
    if wreck is not None:
        game.emit(ev.Wrecked(unit=unit_id, cite=cite))
        game.follow(wreck)
    elif not survivors:
        game.emit(ev.Destroyed(unit=unit_id, cause=cause, cite=cite))
        attack = game.nearest(Attack)
        if attack is not None and 0 <= attack.unit != unit_id:
            game.rules.after_kill(game, attack.unit, unit)
    if not survivors:
        game.rules.after_destroyed(game, unit, models[-1], cause)


def note_wounded(game: Play, unit_id: int) -> None:
    """Record that a unit took wounds in the running activation."""
    activation = game.nearest(Activation)
    if activation is not None and unit_id not in activation.wounded:
        game.note_on(Activation, wounded=(*activation.wounded, unit_id))


def note_blows(game: Play, frame: Attack) -> None:
    """Credit the wounds of blows to their side of the melee."""
    melee = game.nearest(Melee)
    if melee is not None:
        mine, theirs = melee.inflicted
        mine, theirs = (
            (mine + frame.inflicted, theirs)
            if frame.unit == melee.charger
            else (mine, theirs + frame.inflicted)
        )
        hurt = melee.hurt + frame.hurt
        if hurt:
            # each model once, and only living ones: otherwise equal games would differ by their past
            units = game.state.units
            alive = {*model_ids(units[frame.unit]), *model_ids(units[frame.victim])}
            hurt = tuple([pair for pair in dict.fromkeys(hurt) if pair[1] in alive])
        game.note_on(Melee, inflicted=(mine, theirs), hurt=hurt)
