"""Orders and variants in words for people: "Fleet North Sea CONVOY Army London -> Norway." for an order."""

import re
from collections.abc import Collection, Iterator, Sequence

from judge.rules.board.names import listed
from judge.rules.board.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Home,
    Move,
    Order,
    Position,
    Remove,
    Retreat,
    Support,
    Unit,
    occupants,
    province_of,
)
from judge.rules.board.phase import words
from judge.rules.board.power import Power
from judge.rules.board.province import Board, Landing, Province
from judge.rules.mechanisms.build_places import BuildAnywhere
from judge.rules.mechanisms.crossings import Canals
from judge.rules.mechanisms.files import MechanismInFile
from judge.rules.mechanisms.victory import UnanimousEnds, Victory
from judge.rules.variant.variant import Readings, Rulings, Variant, general_rulings

# Seas with a descriptive name get "the": the North Sea. Seas named after a place do not: Gibraltar, Hudson Bay.
_WATERS = re.compile(
    r"\b(?:sea|ocean|atlantic|pacific|mediterranean|channel|gulf|strait|passage|bight|current|drift|basin|trench|trough|"
    r"ridge|coast|banks|islands|winds|antilles|skagg?err?ak)$|^(?:gulf|sea|bay|strait) of ", re.IGNORECASE,
)  # fmt: skip


def describe_order(variant: Variant, position: Position, order: Order, route: Sequence[str] = ()) -> str:
    """Return the order as one sentence, without the name of the power that gives it.

    A unit of another power gets that power's adjective. `route` has the seas over which an army is convoyed, if they
    are known: "Army Yorkshire -> North Sea -> Norway."
    """

    def other(helped: Unit) -> str:
        at = occupants(position)
        mine = at.get(order.slot, ("", None))[0]
        owner = at.get(helped.province, ("", None))[0]
        power = variant.power_named.get(owner)
        foreign = f"{power.adjective} " if power and owner != mine else ""
        return foreign + variant.called(helped)

    unit = variant.called(order.unit) if hasattr(order, "unit") else ""
    match order:
        case Hold():
            return f"{unit} HOLD."
        case Move(via=True) if not route:
            return f"{unit} -> {variant.place_called(order.to)} via convoy."
        case Move() | Retreat():
            over = "".join(f" -> {variant.place_called(sea)}" for sea in route)
            return f"{unit}{over} -> {variant.place_called(order.to)}."
        case Support():
            to = f" -> {variant.place_called(order.to)}" if order.to else ""
            return f"{unit} SUPPORT {other(order.helped)}{to}."
        case Convoy():
            return f"{unit} CONVOY {other(order.army)} -> {variant.place_called(order.to)}."
        case Disband():
            return f"{unit} DISBAND."
        case Build():
            kind = {"A": "an army", "F": "a fleet"}.get(order.unit.kind, "a unit")
            return f"Builds {kind} in {variant.place_called(order.unit.place)}."
        case Remove():
            return f"Removes {describe_removal(variant, order.unit)}."
        case Home():
            return f"Names {variant.place_called(order.center)} as a home center."
    return "Build waived."


def describe_removal(variant: Variant, unit: Unit) -> str:
    """Return a unit that is removed, as a noun: "the fleet in the North Sea"."""
    place = variant.place_called(unit.place)
    is_water = variant.provinces[unit.province].kind == "sea" and _WATERS.search(place) is not None
    return f"the {unit.word} in {'the ' * is_water}{place}"


# --- notes on orders that differ from the board, or that a border weakens -----------------------------------


_NAMED = ("unit", "helped")


def wrong_letters(variant: Variant, written: Order, meant: Order) -> str:
    """Return a clause about units that an order names with the wrong letter, such as F for an army.

    `written` is the order as the player wrote it. `meant` is the same order with the units that are on the board.
    """
    pairs = [(getattr(written, name, None), getattr(meant, name, None)) for name in _NAMED]
    wrong = [unit for said, unit in pairs if said and unit and said.kind not in ("", unit.kind)]
    if isinstance(meant, Build) or not wrong:
        return ""
    units = " and ".join(
        f"the unit in {variant.provinces[unit.province].name} is {'an army' if unit.kind == 'A' else 'a fleet'}"
        for unit in wrong
    )
    return f"{units}, so this was taken as {meant}."


def needless_via(written: Order, meant: Order) -> str:
    """Return a clause about a fleet that was ordered to go by convoy, or "" for any other order."""
    if isinstance(written, Move) and isinstance(meant, Move) and written.via and not meant.via:
        return f"a fleet is never convoyed, so this was taken as {meant}."
    return ""


def weakened(variant: Variant, order: Order, carriers: Collection[str] | None = None) -> str:
    """Return how a border weakens the unit: `half strength, around the Cape of Good Hope`, or "" if it does not.

    `carriers` has the provinces of the fleets that convoyed the army. `carriers` is None before the phase is processed.
    For an army that can only come by sea, the result is then a condition, as in `half strength if fleets land it …`.
    (1900, Suez Canal Rules 7.)
    """
    board, crossing = variant.board, variant.board.crossing
    if not isinstance(order, Move | Retreat):
        return ""
    crosses, lands = order.target in board.beyond.get(order.slot, ()), crossing.landing is not Landing.NEVER
    if isinstance(order, Retreat):
        return crossing.way if crosses else ""
    if not crosses:
        return _weakened_by_sea(board, order, carriers) if lands else ""
    by_sea = order.via or carriers
    return "" if by_sea and not lands else f"{crossing.strength}, {crossing.way}"


def _weakened_by_sea(board: Board, order: Move, carriers: Collection[str] | None) -> str:
    """Return how an army is weakened if fleets land it across a border that weakens units."""
    source, target, crossing = order.slot, order.target, board.crossing
    if order.unit.kind != "A" or target not in board.beyond:
        return ""
    if target in board.spots[str(order.unit)].reach and not order.via:
        return ""
    if carriers is None:
        return f"{crossing.strength} if fleets land it {crossing.way}"
    if not board.connected(source, target, carriers) or board.connected(source, target, carriers, short=True):
        return ""
    return f"{crossing.strength}, {crossing.way}"


# --- variants --------------------------------------------------------------------------------------------------------


PORT = "a fleet there can convoy as at sea, and armies can go there too"
KIND_WORDS = {"land": "inland", "coast": "coast", "sea": "sea", "impassable": "impassable"}


def portrait(variant: Variant) -> str:
    """Return the variant's powers, its rules in words, and its provinces with their neighbors, as plain text."""
    lines = [f"{variant.title} ({variant.name})", "", *rules_in_words(variant), *filter(None, [variant.sources]), ""]
    for one in rulings_of(variant):
        lines += [f"Rulings: {one.title}", *(f"  {ruling.number}  {ruling.says}" for ruling in one.rulings), ""]
    if variant.groups:
        groups = (f"  {one.letter}  {one.name} ({one.colour}): {', '.join(one.powers)}" for one in variant.groups)
        lines += ["Groups", *groups, ""]
    lines.append("Powers")
    for power in variant.powers:
        lines += _power_lines(variant, power)
    if variant.neutrals.units:
        lines.append(f"     Neutral: {', '.join(unit.text for unit in variant.neutrals.units)}")
    lines += ["", "Provinces (* supply center)"]
    for province in variant.provinces.values():
        lines += _province_lines(variant, province)
    return "\n".join([*lines, "", *_reconstructed(variant)])


def _reconstructed(variant: Variant) -> list[str]:
    """Return lines that list the published borders or the reconstructed ones, whichever are fewer."""
    given, unsure = sources_of_borders(variant)
    if not unsure:
        return ["Every border is published."]
    if len(given) < len(unsure):
        return [f"All borders are reconstructed (marked ?) except {len(given)}: {', '.join(given) or 'none'}"]
    return [f"Reconstructed borders (marked ?): {len(unsure)}", *(f"  {pair}" for pair in unsure)]


def _power_lines(variant: Variant, power: Power) -> Iterator[str]:
    units = ", ".join(unit.text for unit in power.units)
    yield f"  {power.letter}  {power.name} ({power.adjective}, {power.theatre or power.colour}): {units}"
    yield f"     home: {', '.join(variant.named(power.homes))}"
    if others := [name for name in power.owns if name not in power.homes]:
        yield f"     owns: {', '.join(variant.named(others))}"


def _province_lines(variant: Variant, province: Province) -> Iterator[str]:
    """Yield a line for the province, and one for each kind of unit with the places that it can reach.

    Borders that are reconstructed, or that weaken units, are marked.
    """
    center = "*" if province.center else " "
    aliases = f"; also {', '.join(province.other_names)}" if province.aliases else ""
    yield f"{center} {province.abbr:<5} {province.name}, {kind_in_words(province)}{aliases}"
    ways = [("army", province.army, province.doubtful_for_armies)] if province.army else []
    for coast, places in province.fleet.items():
        ways.append((f"fleet/{coast}" if coast else "fleet", places, province.doubtful_for_fleets))
    for label, places, doubtful in ways:
        marked = (
            place + "?" * (province_of(place) in doubtful) + _weakening(variant, province, place) for place in places
        )
        yield f"        {label:<6} {' '.join(marked)}"


# Mechanisms that a game can change, or that are the same for every board.
_BESIDE_TEXT = (Victory, UnanimousEnds, Canals, BuildAnywhere, Readings)


def rules_beside_text(variant: Variant) -> list[str]:
    """Return the rules that rules.txt does not have: the game's settings, and the ways in which the game ends.

    If the variant has no rules.txt, return all rules.
    """
    if not variant.text:
        return rules_in_words(variant)
    told = (one for one in variant.mechanisms if isinstance(one, _BESIDE_TEXT))
    return [said for one in told for said in one.sentences(variant)]


def rules_in_words(variant: Variant) -> list[str]:
    """Return the rules in the variant's file, in one or two sentences each."""
    anywhere = variant.rule(BuildAnywhere)
    at_home = "A power builds in its own vacant home centers that it still owns."
    closed = [province for province in variant.provinces.values() if not province.armies]
    named = ", ".join(f"{province.name} ({province.abbr})" for province in closed)
    ports = (province.name for province in variant.provinces.values() if province.port)
    return [
        f"The game begins with {words(variant.start)}.",
        *variant.mechanism(Victory).sentences(variant),
        *(anywhere.sentences(variant) if anywhere else (at_home, *_not_built_in(variant))),
        *(f"A fleet in {name} can convoy as at sea, and armies can go there too." for name in ports),
        *mechanisms_in_words(variant),
        *([f"Closed to armies, by convoy too: {named}."] if closed else ()),
    ]


def _not_built_in(variant: Variant) -> Iterator[str]:
    """Yield a sentence for each power that does not build in all of its starting centers."""
    sites = variant.build_sites
    for power in variant.powers:
        built_in = {*power.homes, *sites.colonies, *sites.special.get(power.name, ())}
        if others := [name for name in power.owns if name not in built_in]:
            yield f"{power.name} owns {listed(variant.named(others))} at the start, but does not build there."


def mechanisms_in_words(variant: Variant) -> list[str]:
    """Return a sentence or two for each rule that the variant adds to the standard rules."""
    beyond = (one for one in variant.mechanisms if not isinstance(one, Victory | BuildAnywhere))
    return [told for one in beyond for told in one.sentences(variant)]


def kind_in_words(province: Province) -> str:
    """Return the kind of a province in words: `coast`, `coast, closed to armies`, `port`."""
    kind = "port" if province.port else KIND_WORDS[province.kind]
    return kind if province.armies else f"{kind}, closed to armies"


def with_weakening(variant: Variant, province: Province, place: str) -> str:
    """Return a neighbor's name, marked if the border weakens units."""
    return place + _weakening(variant, province, place)


def _weakening(variant: Variant, province: Province, place: str) -> str:
    if province_of(place) not in variant.board.beyond.get(province.abbr, ()):
        return ""
    return "(difficult)" if variant.board.crossing.leaves_nothing else "(half)"


def sources_of_borders(variant: Variant) -> tuple[list[str], list[str]]:
    """Return two sorted lists: the borders that a published source gives, and the borders that no source gives.

    Each border is written as `AAA - BBB`. If a source gives the border only for armies or only for fleets, `(armies)`
    or `(fleets)` is added.
    """
    doubtful_for: dict[str, dict[str, bool]] = {}
    for province in variant.provinces.values():
        by_water = map(province_of, province.by_water)
        for kind, near, doubtful in (
            ("armies", province.army, province.doubtful_for_armies),
            ("fleets", by_water, province.doubtful_for_fleets),
        ):
            for other in near:
                kinds = doubtful_for.setdefault(" - ".join(sorted((province.abbr, other))), {})
                kinds[kind] = kinds.get(kind, False) or other in doubtful
    found: dict[bool, list[str]] = {False: [], True: []}
    for pair, kinds in doubtful_for.items():
        alike = len(set(kinds.values())) == 1
        for kind, unsure in list(kinds.items())[: 1 if alike else None]:
            found[unsure].append(pair if alike else f"{pair} ({kind})")
    return sorted(found[False]), sorted(found[True])


def rulings_of(variant: Variant) -> list[Rulings]:
    """Return the rulings that concern the variant's board.

    The board's own rulings come first, then the rulings for its mechanisms. Rulings for every board are left out. So
    are rulings that this game's choice of readings replaces.
    """
    replaced = variant.mechanism(Readings).replaced
    switched_on = {table for one in variant.mechanisms if isinstance(one, MechanismInFile) for table in one.TABLES}
    own = [Rulings(variant.title, variant.rulings)] if variant.rulings else []
    found = [*own, *(one for one in general_rulings() if one.table in switched_on)]
    return [one.without(replaced) for one in found] if replaced else found
