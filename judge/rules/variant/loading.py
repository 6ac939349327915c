"""A variant read from its folder of TOML files.

`variants/<name>/variant.toml` holds the title, the start, the powers and the rules; `provinces.toml` holds the map, one
table for each province, with each border listed at both of its ends. Loading takes files that `judge variants check`
passes; a file that cannot be used at all is refused with its first mistake.
"""

import tomllib
from collections.abc import Iterable
from pathlib import Path

from judge.rules.board.names import places
from judge.rules.board.orders import Unit
from judge.rules.board.power import Power
from judge.rules.board.province import Province
from judge.rules.mechanisms.all_mechanisms import MECHANISMS
from judge.rules.variant.rulings import read_rulings
from judge.rules.variant.variant import Variant
from judge.rules.variant_files.lines import Table

UNGROUPED = "#8c8c8c"  # of a power that gets its colour from its group, while it has no group


class UnknownVariant(ValueError):
    """No variant of that name is installed."""


class VariantError(ValueError):
    """The files of a variant cannot be used; the message names the file and the mistake."""


def variants_folder() -> Path:
    """Where the variants are: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[2]
    inside = package / "variants"
    return inside if inside.is_dir() else package.parent / "variants"


def read_folder(folder: Path) -> Variant:
    """The variant in a folder that holds variant.toml and provinces.toml, and maybe rules.txt."""
    rules, provinces = ((folder / file).read_text(encoding="utf-8") for file in ("variant.toml", "provinces.toml"))
    told = folder / "rules.txt"
    return read_variant(folder.name, rules, provinces, told.read_text(encoding="utf-8") if told.is_file() else "")


def read_variant(name: str, rules_text: str, provinces_text: str, text: str = "") -> Variant:
    """The variant whose files hold these texts, by its name or the name of its edition; raises VariantError."""
    try:
        rules, provinces = tomllib.loads(rules_text), tomllib.loads(provinces_text)
        read = (one.read(rules) for one in MECHANISMS)
        variant = Variant(
            name=name.partition("@")[0],
            edition=name,
            title=rules["title"],
            start=rules["start"],
            powers=tuple(_power(word, table) for word, table in rules["powers"].items()),
            provinces={abbr: _province(abbr, table) for abbr, table in provinces.items()},
            mechanisms=tuple(one for one in read if one is not None),
            counts=rules.get("counts", {}),
            sources=rules.get("sources", ""),
            special=" ".join(rules.get("special", "").split()),
            text=text,
            rulings=read_rulings(rules.get("rulings", ())),
        )
        return variant.grouped({})
    except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError) as mistake:
        raise VariantError(f"{name}: {mistake}. `judge variants check` lists every mistake.") from mistake


def _power(name: str, table: Table) -> Power:
    homes = places(table["homes"])
    return Power(
        name=name,
        adjective=table["adjective"],
        letter=table["letter"],
        colour=table.get("colour", UNGROUPED),
        homes=homes,
        owns=places(table["owns"]) if "owns" in table else homes,
        units=tuple(Unit(*places(text)) for text in table["units"].split(",") if text.strip()),
        aliases=tuple(table.get("aliases", ())),
        theatre=table.get("theatre", ""),
    )


def _doubtful(neighbours: Iterable[str], named: str) -> tuple[str, ...]:
    """The provinces among these places that `named` names; `*` names all."""
    beside = dict.fromkeys(place.partition("/")[0] for place in neighbours)
    words = {place.partition("/")[0] for place in places(named)}
    return tuple(name for name in beside if "*" in words or name in words)


def _province(abbr: str, table: Table) -> Province:
    fleet = table.get("fleet", {})
    by_coast = {
        coast.upper(): places(names) for coast, names in (fleet if isinstance(fleet, dict) else {"": fleet}).items()
    }
    army = places(table.get("army", ""))
    told = table.get("reconstructed", "")
    doubtful = told if isinstance(told, dict) else {"army": told, "fleet": told}
    return Province(
        abbr=abbr,
        name=table["name"],
        kind=table["kind"],
        center=table.get("center", False),
        aliases=tuple(table.get("aliases", ())),
        army=army,
        fleet=by_coast,
        anchor=tuple(table["anchor"]) if "anchor" in table else None,
        anchors={coast.upper(): tuple(point) for coast, point in table.get("anchors", {}).items()},
        doubtful_for_armies=_doubtful(army, doubtful.get("army", "")),
        doubtful_for_fleets=_doubtful((one for there in by_coast.values() for one in there), doubtful.get("fleet", "")),
        port=table.get("port", False),
        armies=table.get("armies", True),
        one_way=places(table.get("one_way", "")),
    )

