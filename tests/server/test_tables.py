"""Hand-made tables: pieces are described correctly, and a generated table can be taken over and changed."""

from __future__ import annotations

import pytest

from shieldwall.editions import EDITIONS, ruleset
from shieldwall.server.pages import TableOrder
from shieldwall.server.tables import as_order, pieces_for, proposal, terrain_kinds
from shieldwall.server.words import piece_facts
from shieldwall.table.terrain import piece

CLOSE = 20  # thousandths of an inch: shapes are kept in thousandths of their own width


@pytest.mark.parametrize("edition", EDITIONS)
def test_impassable_terrain_is_not_described_as_standable(edition: str) -> None:
    for kind in terrain_kinds(ruleset(edition)):
        assert not ("Impassable" in kind.words and "stand inside" in kind.words), kind


def test_terrain_kinds_are_those_of_the_edition() -> None:
    words = {e: {k.kind: k.words for k in terrain_kinds(ruleset(e))} for e in ("aof-1.6", "regiments-3.5")}
    assert "Room for 11 models inside" in words["aof-1.6"]["building"]  # A16-BUILD-08
    assert "Impassable" in words["regiments-3.5"]["building"]


def test_a_building_says_how_many_models_find_room_in_it() -> None:
    solid = [fact.text for fact in piece_facts(piece(1, "building", size=(6, 6), capacity=11))]
    assert solid[0] == "Room for 11 models inside"
    assert "Impassable" not in solid


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_generated_table_put_down_again_by_hand_is_the_same_table(edition: str) -> None:
    rules = ruleset(edition)
    generated = pieces_for(rules, TableOrder(kind="generate", seed=7))
    again = pieces_for(rules, TableOrder(kind="pieces", pieces=tuple(as_order(one) for one in generated)))
    assert proposal(rules, TableOrder(kind="generate", seed=7)).orders == tuple(map(as_order, generated))
    for one, other in zip(generated, again, strict=True):
        assert (one.kind, one.height, one.types, one.conditions, one.capacity) == (
            other.kind,
            other.height,
            other.types,
            other.conditions,
            other.capacity,
        )
        for (x, y), (u, v) in zip(one.outline, other.outline, strict=True):
            assert max(abs(x - u), abs(y - v)) <= CLOSE
