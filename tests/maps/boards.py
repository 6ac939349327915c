"""The boards that can be drawn, and scenes on them."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import dist

from judge.maps.document import Drawing
from judge.maps.draw import Form, drawing, page, page_names
from judge.maps.geometry import Geometry, load_geometry
from judge.maps.scene import Scene, scene_of
from judge.rules import Move, Order, Position, Support, Unit, Variant, adjudicate, load_variant, start_position
from judge.rules.board.board_state import BoardState
from judge.rules.board.phase import kind, year
from judge.rules.mechanisms.groups import draw as deal
from judge.rules.phases.needs import legal_orders, needs
from judge.rules.selfplay import random_orders
from judge.rules.variant.registry import GEOMETRY_FILE, variant_names
from judge.rules.variant.variant import variants_folder

DRAWN = [name for name in variant_names() if (variants_folder() / name / GEOMETRY_FILE).exists()]
# Those of a file of their own, for what asks only what lies where.
LAID_OUT = [name for name in DRAWN if not (variants_folder() / name / GEOMETRY_FILE).is_symlink()]


def draw(scene: Scene, geometry: Geometry) -> str:
    """The whole board as SVG text."""
    return drawing(scene, geometry, geometry.width).svg


def sheets_of(scene: Scene, geometry: Geometry, form: Form = "png") -> list[Drawing]:
    """All pictures of a form."""
    drawn = (page(scene, geometry, form, name) for name in page_names(geometry, form))
    return [sheet for sheet in drawn if sheet]


def board(name: str) -> tuple[Variant, Geometry]:
    return load_variant(name), load_geometry(name)


def dealt(name: str, seed: int = 2) -> Variant:
    """The variant with its powers in groups, where it has any."""
    variant = load_variant(name)
    return variant.grouped(deal(variant.groups, variant.draws, seed)) if variant.draws else variant


@lru_cache
def busiest(name: str, years: int = 3, seed: int = 2) -> dict[str, Scene]:
    """The start (S) and, of a game of eager players, the phase of each kind in which most happens."""
    variant = dealt(name)
    found = {"S": scene_of(variant, start_position(variant), name="heron", occasion="start")}
    most: dict[str, int] = {}
    for scene in game(name, years, seed):
        phase_kind = kind(scene.position.phase)
        busy = sum(len(result.results) + ("cut" in result.results) for result in scene.results)
        if busy > most.get(phase_kind, -1):
            most[phase_kind], found[phase_kind] = busy, scene
    return found


@lru_cache
def game(name: str, years: int = 3, seed: int = 2) -> list[Scene]:
    """Every phase of a game of eager players."""
    return list(played(dealt(name), years, seed))


@lru_cache
def crowded(name: str) -> Scene:
    """A movement late in a game: every center is owned by the power whose home is nearest, and a unit stands in it."""
    variant, geometry = dealt(name), load_geometry(name)
    homes = [(geometry.place(home), power.name) for power in variant.powers for home in power.homes]
    standing: dict[str, list[Unit]] = {}
    for spot in variant.board.spots.values():
        standing.setdefault(spot.unit.province, []).append(spot.unit)
    centers: dict[str, tuple[str, ...]] = {}
    units: dict[str, tuple[Unit, ...]] = {}
    for number, center in enumerate(variant.centers):
        owner = min(homes, key=lambda home: dist(home[0], geometry.place(center)))[1]
        centers[owner] = (*centers.get(owner, ()), center)
        units[owner] = (*units.get(owner, ()), standing[center][number % len(standing[center])])
    position = replace(start_position(variant), units=units, centers=centers)
    outcome = adjudicate(variant, position, eager(variant, position, random.Random(2)))
    return scene_of(variant, position, outcome, name="heron", occasion="results")


def played(variant: Variant, years: int, seed: int) -> Iterator[Scene]:
    dice = random.Random(seed)
    position, last = start_position(variant), year(variant.start) + years - 1
    while year(position.phase) <= last:
        dated = variant.at(position.phase)
        if kind(position.phase) == "M":
            orders = eager(dated, position, dice)
        else:
            due = needs(dated, position)
            orders = {
                power: random_orders(BoardState(dated, position), power, need, dice) for power, need in due.items()
            }
        outcome = adjudicate(variant, position, orders)
        yield scene_of(variant, position, outcome, name="heron", occasion="results")
        position = outcome.position


def eager(variant: Variant, position: Position, dice: random.Random) -> dict[str, list[Order]]:
    """Most units move, the others support a move where they can; the neutrals too."""
    table = BoardState(variant, position)
    units = [unit for own in position.units.values() for unit in own]
    choices = {unit: legal_orders(table, unit) for unit in units}
    chosen: dict = {}
    for unit, options in choices.items():
        moves = [order for order in options if isinstance(order, Move)]
        if moves and dice.random() < 0.55:
            chosen[unit] = dice.choice(moves)
    moving = {(order.slot, order.target) for order in chosen.values()}
    for unit, options in choices.items():
        helpful = [
            order for order in options if isinstance(order, Support) and (order.helped.province, order.target) in moving
        ]
        chosen.setdefault(unit, dice.choice(helpful or options))
    return {power: [chosen[unit] for unit in own] for power, own in position.units.items()}
