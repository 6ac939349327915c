"""The boards that can be drawn, and scenes on them."""

from collections.abc import Iterator
from functools import lru_cache

from judge.maps import Geometry, Scene, load_geometry, scene_of
from judge.maps.geometry import FILE
from judge.rules import Variant, adjudicate, load_variant, parse_order, position_from_json, start_position
from judge.rules.phase import kind
from judge.rules.selfplay import play
from judge.rules.variant import variant_names, variants_folder

DRAWN = [name for name in variant_names() if (variants_folder() / name / FILE).exists()]


def board(name: str) -> tuple[Variant, Geometry]:
    return load_variant(name), load_geometry(name)


@lru_cache
def busiest(name: str, years: int = 5, seed: int = 2) -> dict[str, Scene]:
    """The start (S) and, of a game of random orders, the phase of each kind in which most happens."""
    variant = load_variant(name)
    found = {"S": scene_of(variant, start_position(variant), name="heron", occasion="start")}
    most: dict[str, int] = {}
    for scene in played(variant, years, seed):
        phase_kind = kind(scene.position.phase)
        busy = sum(len(result.results) + ("cut" in result.results) for result in scene.results)
        if busy > most.get(phase_kind, -1):
            most[phase_kind], found[phase_kind] = busy, scene
    return found


def played(variant: Variant, years: int, seed: int) -> Iterator[Scene]:
    for line in play(variant, years, seed):
        position = position_from_json(variant, line)
        orders = {
            power: [parse_order(variant, kind(position.phase), text) for text in texts]
            for power, texts in line.get("orders", {}).items()
        }
        yield scene_of(variant, position, adjudicate(variant, position, orders), name="heron", occasion="results")
