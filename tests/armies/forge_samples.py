"""Imitations of players' files, one for each shape and oddity; all names in them are ours."""

from __future__ import annotations

import json
from typing import Any

Data = dict[str, Any]


def rule(name: str, rating: object = None, **more: object) -> Data:
    told: Data = {"id": f"r-{name}", "name": name, **more}
    if rating is not None:
        told |= {"rating": rating, "label": f"{name}({rating})"}
    return told


def weapon(name: str, attacks: int, count: object = 1, reach: object = 0, *rules: Data) -> Data:
    return {
        "id": f"w-{name}",
        "type": "ArmyBookWeapon",
        "name": name,
        "attacks": attacks,
        "count": count,
        "range": reach,
        "specialRules": list(rules),
    }


def item(name: str, *content: Data, **more: object) -> Data:
    return {"type": "ArmyBookItem", "name": name, "count": 1, "content": list(content), **more}


def option(name: str, costs: dict[str, int], *gains: Data, cost: int | None = None) -> Data:
    told: Data = {
        "id": name,
        "uid": name,
        "label": name,
        "type": "ArmyBookUpgradeOption",
        "gains": list(gains),
    }
    told["costs"] = [{"unitId": unit, "cost": price} for unit, price in costs.items()]
    return told | ({} if cost is None else {"cost": cost})


def section(uid: str, label: str, options: list[Data], **more: object) -> Data:
    variant = "replace" if label.startswith("Replace") else "upgrade"
    return {"id": f"s-{uid}", "uid": uid, "label": label, "variant": variant, "options": options, **more}


def book(**more: object) -> Data:
    """A book in the newest layout, with every kind of section."""
    all_models = {"affects": {"type": "all"}}
    one = {"affects": {"type": "exactly", "value": 1}, "model": True}
    three = {
        "affects": {"type": "up to", "value": 3},
        "select": {"type": "exactly", "value": 1},
        "model": True,
    }
    roles = [
        option(name, {"spears": 5}, {**rule(name), "type": "ArmyBookRule"}) for name in ("Sergeant", "Banner")
    ]
    sections = [
        section("sec-roles", "Upgrade up to three models with one", roles, **three),
        section(
            "sec-arms",
            "Replace all Spears",
            [option("halberds", {"spears": 20}, weapon("Halberd", 1, 1, 0, rule("Rending")), cost=99)],
            targets=["Spears"],
            **all_models,
        ),
        section(
            "sec-bow",
            "Replace any Knife",
            [option("bow", {"spears": 5}, weapon("Bow", 1, "02", 24))],
            targets=["Knife"],
            affects={"type": "any"},
        ),
        section(
            "sec-icon",
            "Upgrade one model with",
            [option("icon", {"spears": 15}, item("Icon", rule("Hum of Bees")))],
            **one,
        ),
    ]
    hero = [
        section(
            "sec-sword",
            "Replace Sword",
            [option("axe", {"captain": 10}, weapon("Axe", 3, 1, 0, rule("AP", 2)))],
            targets=["Sword"],
        ),
        section(
            "sec-mount",
            "Upgrade with one",
            [
                option(
                    "goat",
                    {"captain": 40},
                    item(
                        "Goat", weapon("Horns", 2), rule("Fast"), bases={"round": "60x35", "square": "50x25"}
                    ),
                ),
                option("staff", {"captain": 45}, item("Staff", rule("Caster", "2"))),
            ],
            select={"type": "exactly", "value": 1},
        ),
    ]
    units = [
        {
            "id": "captain",
            "name": "Captain",
            "cost": 60,
            "size": 1,
            "quality": 3,
            "defense": 4,
            "bases": {"round": "25", "square": "25"},
            "rules": [rule("Hero"), rule("Tough", 3)],
            "weapons": [weapon("Sword", 3, 1, None)],
            "items": [],
            "upgrades": ["pack-hero"],
        },
        {
            "id": "spears",
            "name": "Spears",
            "cost": 80,
            "size": 5,
            "quality": 4,
            "defense": 5,
            "bases": {"round": "none", "square": ""},
            "rules": [rule("Strider"), rule("Split", "Lesser Spears [3]")],
            "weapons": [weapon("Spear", 1, 5, 0, rule("Counter")), weapon("Knife", 1, 5)],
            "items": [item("Drum", rule("Fear", 1)) | {"count": 5}],
            "upgrades": ["pack-foot"],
            "disabledSections": ["nothing"],
        },
    ]
    spells = [
        {
            "name": "Sting",
            "threshold": 1,
            "effect": 'Choose an enemy unit within 12", and it suffers 2 hits with AP(1).',
        },
        {
            "name": "Hive Song",
            "threshold": 2,
            "effect": 'Choose up to two friendly units within 18", and they gain Fearless once.',
        },
        {
            "name": "Slumber",
            "threshold": 3,
            "effect": 'Choose an enemy unit within 6", and it has -1 to morale tests once.',
        },
        {"name": "Wax", "threshold": 3, "effect": "Something nobody foresaw happens."},
    ]
    told: Data = {
        "uid": "book-of-bees",
        "name": "Bee Keepers",
        "gameSystemKey": "AOFR",
        "versionString": "9.9.1",
        "units": units,
        "upgradePackages": [
            {"uid": "pack-foot", "hint": "", "sections": sections},
            {"uid": "pack-hero", "hint": "", "sections": hero},
        ],
        "specialRules": [{"id": "x", "name": "Hum of Bees", "description": "They hum."}],
        "spells": spells,
    }
    return told | more


def old_book() -> Data:
    """The same kind of book in an old layout: text for numbers, other words for the same things."""
    return {
        "uid": "old-bees",
        "name": "Old Bees",
        "version": "2.1",
        "gameSystem": "aofr",
        "units": [
            {
                "id": "drones",
                "name": "Drones",
                "cost": 50,
                "size": 5,
                "quality": "5+",
                "defense": "6+",
                "specialRules": ["Fast", {"key": "tough", "name": "Tough", "rating": "3"}],
                "equipment": [
                    {
                        "name": "Sting",
                        "attacks": 1,
                        "range": 0,
                        "specialRules": [{"key": "poison", "rating": ""}],
                    },
                    {"name": "Dart", "attacks": 1, "range": 12, "count": 5, "specialRules": ["AP(1)"]},
                ],
                "upgrades": ["p"],
            }
        ],
        "upgradePackages": [
            {
                "uid": "p",
                "sections": [
                    {
                        "id": "old-sec",
                        "label": "Replace one Dart",
                        "type": "replace",
                        "affects": 1,
                        "select": 1,
                        "replaceWhat": ["Dart"],
                        "options": [
                            {
                                "id": "old-opt",
                                "label": "Horn",
                                "cost": 5,
                                "gains": [{"name": "Horn", "attacks": 2}],
                            }
                        ],
                    },
                    {
                        "id": "old-rule",
                        "label": "Upgrade all models with",
                        "type": "upgradeRule",
                        "affects": "all",
                        "options": [{"id": "old-gift", "label": "Fearless", "cost": 10}],
                    },
                ],
            }
        ],
    }


def chosen(upgrade: str, picked: str, number: int = 1) -> Data:
    return {"instanceId": f"i{number}", "upgradeId": upgrade, "optionId": picked}


def unit(uid: str, selection: str, *picks: Data, **more: object) -> Data:
    told: Data = {"id": uid, "armyId": "book-of-bees", "selectionId": selection, "combined": False}
    told |= {"joinToUnit": None, "xp": 0, "traits": [], "notes": None, "selectedUpgrades": list(picks)}
    return told | more


def export_list(**more: object) -> Data:
    """An export file: a hero who joined the second half of a combined pair."""
    arms = chosen("sec-arms", "halberds")
    units = [
        unit("captain", "Hero1", chosen("sec-sword", "axe"), joinToUnit="Half2", customName="Queen Ada"),
        unit("spears", "Half1", arms, chosen("sec-roles", "Sergeant"), combined=True, notes="hold the left"),
        unit("spears", "Half2", arms, combined=True, joinToUnit="Half1"),
        unit("spears", "Solo1", chosen("sec-bow", "bow", 1), chosen("sec-bow", "bow", 2)),
    ]
    inner: Data = {"id": "L1", "name": "Hive", "gameSystem": "aofr", "pointsLimit": 500, "forceOrg": True}
    inner |= {"description": "for the queen", "campaignMode": False, "units": units}
    told: Data = {"id": "L1", "gameSystem": "aofr", "armyId": "book-of-bees", "armyIds": ["book-of-bees"]}
    told |= {"armyName": "Bee Keepers", "armyVersions": [{"armyId": "book-of-bees", "version": "9.9.1"}]}
    return told | {"saveVersion": 3, "listPoints": 365, "list": inner} | more


def share() -> Data:
    """A share: the list without the wrapper."""
    inner: Data = export_list()["list"]
    return inner | {"listPoints": 365}


def community() -> Data:
    """A community list: a different wrapper, and a number for the game system."""
    told = export_list()
    details = {"armyId": "book-of-bees", "armyName": "Bee Keepers", "gameSystem": "aofr", "listPoints": 365}
    return {
        "id": "L1",
        "army_uid": "book-of-bees",
        "game_system": 6,
        "details": details,
        "list": told["list"],
    }


def resolved() -> Data:
    """A resolved list: whole units, whole options, and each unit's final loadout."""
    source = book()
    by_id = {one["id"]: one for one in source["units"]}
    found = {
        (part["uid"], one["id"]): ({k: v for k, v in part.items() if k != "options"}, one)
        for package in source["upgradePackages"]
        for part in package["sections"]
        for one in part["options"]
    }
    units = []
    for told in export_list()["list"]["units"]:
        picks = [
            {"instanceId": "i", "upgrade": found[(one["upgradeId"], one["optionId"])][0]}
            | {"option": found[(one["upgradeId"], one["optionId"])][1]}
            for one in told["selectedUpgrades"]
        ]
        units.append({**by_id[told["id"]], **told, "selectedUpgrades": picks})
    halberds = [
        weapon("Knife", 1, 5),
        weapon("Halberd", 1, 5, 0, rule("Rending")),
        item("Drum", rule("Fear", 1)),
    ]
    halberds[2]["count"] = 5
    units[0]["loadout"] = [weapon("Axe", 3, 1, 0, rule("AP", 2))]
    units[1]["loadout"] = units[2]["loadout"] = halberds
    units[3]["loadout"] = [
        weapon("Spear", 1, 5, 0, rule("Counter")),
        weapon("Knife", 1, 3),
        weapon(" Bow ", 1, 4, 24),
        item("Drum", rule("Fear", 1)) | {"count": 5},
    ]
    inner: Data = {"id": "L1", "name": "Hive", "gameSystem": "aofr", "pointsLimit": 500, "listPoints": 365}
    return inner | {"units": units, "specialRules": source["specialRules"], "forceOrg": True}


TEXT = """++ Hive - Bee Keepers (v9.9.1) [AOFR 365pts] [2 Units] ++

Queen Ada (Captain) [1] Q3+ D4+ | 70pts | Hero, Tough(3)
Axe (A3, AP(2))
| Joined to:
Spears [10] Q4+ D5+ | 205pts | Strider, Split("Lesser Spears [3]"), 10x Drum(Fear(1)), 1x Sergeant
10x Halberd (A1, Rending), 10x Knife (A1)

Spears [5] Q4+ D5+ | 90pts | Strider, Split("Lesser Spears [3]"), 5x Drum(Fear(1))
5x Spear (A1, Counter), 3x Knife (A1), 4x Bow (24", A1)
"""


def as_bytes(told: object) -> bytes:
    return json.dumps(told).encode()
