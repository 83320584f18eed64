"""Spells as the page shows them: each with its chance before anything is paid."""

from __future__ import annotations

import pytest

from shieldwall.core.answers import AnyAnswer, Bid, Cast, Pick
from shieldwall.core.engine import pending_of, submit
from shieldwall.core.pending import Decision
from shieldwall.core.state import State
from shieldwall.rules.ruleset import Ruleset
from shieldwall.server import forms
from shieldwall.server.forms import question_for
from shieldwall.server.messages import Preview
from shieldwall.server.previews import previewed
from shieldwall.server.question_views import BidForm, CastForm, PickForm, Question, SpellChance
from shieldwall.server.words import percent
from tests.odds.scenes import scene

BOLT = """
scenario: A bolt
edition: regiments-3.5
spells: {Bolt: {cost: 1, range: 18, hits: 2}}
units:
  Mage: {side: A, rules: Caster(3), tokens: 3, spells: [Bolt], front: [24, 10]}
  Foe: {side: B, rules: 'Caster(2), Tough(6)', tokens: 2, spells: [Bolt], front: [24, 20], facing: 180}
"""
RIVALS = """
scenario: Two wizards
edition: aof-2
spells: {Bolt: {cost: 5, range: 18, hits: 2}}
units:
  Mage: {side: A, rules: Wizard(2), spells: [Bolt], at: [24, 10]}
  Foe: {side: B, rules: 'Wizard(1), Tough(6)', spells: [Bolt], at: [24, 20], facing: 180}
"""


def asked(rules: Ruleset, state: State) -> Question:
    pending = pending_of(rules, state)
    assert isinstance(pending, Decision)
    return question_for(rules, state, pending, mine=True)


def test_a_spell_shows_its_chance_its_dice_and_what_its_targets_have_to_expect() -> None:
    rules, state, _ = scene(BOLT)
    first = asked(rules, state)
    assert isinstance(first.form, PickForm)
    hints = {option.key: option.hint for option in first.form.options}
    assert hints["cast"] == "50 % to work, 17 % if opponents spend everything against it"
    form = asked(rules, submit(rules, state, Pick("cast")).state).form
    assert isinstance(form, CastForm)
    spell = form.spells[0]
    assert (spell.works, spell.needs) == (0.5, "4+ on 1 die")
    assert spell.chance == "50 % to work, 17 % if opponents spend everything against it"
    assert spell.targets == (1,)
    assert spell.odds[0] is not None
    assert spell.odds[0].expected == 0.5


def test_a_bid_shows_what_each_number_of_tokens_makes_of_the_chance() -> None:
    rules, state, _ = scene(BOLT)
    state = submit(rules, state, Pick("cast")).state
    state = submit(rules, state, Cast(state.units[0].models[0].id, "Bolt", (1,))).state
    own = asked(rules, state).form
    assert isinstance(own, BidForm)
    assert dict(zip(range(own.low, own.high + 1), map(percent, own.chances), strict=True)) == {
        -2: "17 %", -1: "33 %", 0: "50 %", 1: "67 %", 2: "83 %"
    }  # fmt: skip
    theirs = asked(rules, submit(rules, state, Bid(2)).state).form
    assert isinstance(theirs, BidForm)
    assert theirs.chances[-theirs.low] == 0.5, "the two sealed tokens stay hidden"


def test_a_player_who_may_stop_a_spell_sees_what_that_would_do() -> None:
    rules, state, _ = scene(RIVALS)
    state = submit(rules, state, Pick("cast")).state
    state = submit(rules, state, Cast(state.units[0].models[0].id, "Bolt", (1,))).state
    form = asked(rules, state).form
    assert isinstance(form, PickForm)
    assert {option.key: option.hint for option in form.options} == {
        "yes": "the spell then succeeds 58 % of the time",
        "no": "the spell then succeeds 67 % of the time",
    }


def test_chances_that_a_question_had_no_time_for_come_with_a_patient_preview(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(forms, "ODDS_MS", 0.0)

    def told(rules: Ruleset, state: State, answer: AnyAnswer) -> SpellChance:
        decision = pending_of(rules, state)
        assert isinstance(decision, Decision)
        assert previewed(rules, state, decision, 0, Preview(1, answer=answer)).casting is None, "in haste"
        found = previewed(rules, state, decision, 0, Preview(1, answer=answer, patient=True)).casting
        assert found is not None
        return found

    rules, state, _ = scene(BOLT)
    first = asked(rules, state).form
    assert isinstance(first, PickForm)
    late = [(option.key, option.hint) for option in first.options if option.odds_later]
    assert late == [("cast", "")]
    words = "50 % to work, 17 % if opponents spend everything against it"
    assert told(rules, state, Pick("cast")).chance == words
    state = submit(rules, state, Pick("cast")).state
    form = asked(rules, state).form
    assert isinstance(form, CastForm)
    assert (form.spells[0].works, form.spells[0].odds) == (-1.0, (None,))
    cast = Cast(state.units[0].models[0].id, "Bolt", (1,))
    found = told(rules, state, cast)
    assert (found.works, found.chance, found.needs) == (0.5, words, "4+ on 1 die")
    assert found.odds is not None
    assert found.odds.expected == 0.5
    state = submit(rules, state, cast).state
    bids = asked(rules, state).form
    assert isinstance(bids, BidForm)
    assert bids.chances == ()
    assert percent(told(rules, state, Bid(1)).works) == "67 %"


def test_what_is_not_certain_is_never_called_so() -> None:
    assert [percent(p) for p in (0.0, 0.004, 0.5, 0.996, 1.0)] == ["0 %", "< 1 %", "50 %", "> 99 %", "100 %"]
