"""Boards as files: those of the variants that come with the judge, and a grid, far larger than any real one."""

from judge.rules.mechanisms.files import Mistake
from judge.rules.variant.loading import MAP_FILE, RULES_FILE, read_texts, read_variant
from judge.rules.variant.variant import Variant, variants_folder

RULES = """
title = "Grid"
start = "S1901M"
[victory]
centers = 100
"""
POWERS = ("Red", "Blue", "Green", "Yellow", "White", "Black")
COLOURS = ("#c00000", "#0000c0", "#00a000", "#c0c000", "#ffffff", "#000000")


def grid_files(columns: int = 23, rows: int = 20) -> tuple[str, str]:
    """(variant.toml, provinces.toml) of a board of columns × rows provinces; every third column is sea."""
    names = {(x, y): f"{chr(65 + x)}{y:02d}" for x in range(columns) for y in range(rows)}
    powers = "".join(
        f'[powers.{power}]\nadjective = "{power}ish"\nletter = "{power[0]}"\ncolour = "{colour}"\n'
        f'homes = "{names[0, y]}"\nunits = "A {names[0, y]}"\n'
        for y, (power, colour) in enumerate(zip(POWERS, COLOURS, strict=True))
    ).replace('letter = "B"\ncolour = "#000000"', 'letter = "K"\ncolour = "#000000"')
    provinces = []
    for (x, y), name in names.items():
        around = [
            names[x + dx, y + dy] for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx or dy) and (x + dx, y + dy) in names
        ]
        seas = [other for other in around if is_sea(other)]
        coasts = [other for other in around if not is_sea(other) and any(is_sea(near) for near in [name, other])]
        lines = [f"[{name}]", f'name = "Province {name}"', f'kind = "{"sea" if is_sea(name) else "coast"}"']
        if is_sea(name):
            lines.append(f'fleet = "{" ".join(around)}"')
        else:
            lines.append("center = true")
            lines.append(f'army = "{" ".join(other for other in around if not is_sea(other))}"')
            lines.append(f'fleet = "{" ".join(sorted({*seas, *coasts}))}"')
        provinces.append("\n".join(lines))
    return RULES + powers, "\n\n".join(provinces)


def is_sea(name: str) -> bool:
    return (ord(name[0]) - 65) % 3 == 1


def grid_variant() -> Variant:
    """460 provinces."""
    return read_variant("grid", *grid_files())


def ocean_variant(size: int = 12) -> Variant:
    """Nothing but sea, size × size, each beside eight others; AAA lies at one corner and ZZZ at the opposite one."""
    seas = {(x, y): f"S{x:02d}{y:02d}" for x in range(size) for y in range(size)}
    corners = {(0, 0): "AAA", (size - 1, size - 1): "ZZZ"}
    tables = []
    for (x, y), name in seas.items():
        around = [
            seas[x + dx, y + dy] for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx or dy) and (x + dx, y + dy) in seas
        ]
        around += [corners[x, y]] if (x, y) in corners else []
        tables.append(f'[{name}]\nname = "Sea {name}"\nkind = "sea"\nfleet = "{" ".join(around)}"')
    for at, name in corners.items():
        tables.append(f'[{name}]\nname = "Corner {name}"\nkind = "coast"\ncenter = true\nfleet = "{seas[at]}"')
    power = '[powers.Red]\nadjective = "Reddish"\nletter = "R"\ncolour = "#c00000"\nhomes = "AAA"\nunits = "A AAA"\n'
    return read_variant("ocean", RULES.replace("= 100", "= 2") + power, "\n".join(tables))


def files_of(name: str) -> tuple[str, str]:
    """variant.toml and provinces.toml of a variant that comes with the judge."""
    rules, provinces = (variants_folder() / name / file for file in (RULES_FILE, MAP_FILE))
    return rules.read_text(encoding="utf-8"), provinces.read_text(encoding="utf-8")


def mistakes(rules_text: str, provinces_text: str) -> list[Mistake]:
    """Those in the texts of variant.toml and provinces.toml, by file and line."""
    return read_texts("", rules_text, provinces_text)[1]
