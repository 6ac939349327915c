"""The terms of a variant in sentences for its players, as the judge reads them."""

from collections.abc import Iterable, Iterator

from judge.rules.mechanisms.groups import Draw
from judge.rules.mechanisms.terms import Points, Religion
from judge.rules.variant.variant import Variant


def terms_in_words(variant: Variant) -> list[str]:
    """A sentence for each rule that the variant adds to the standard ones; none for standard Diplomacy."""
    told = [*_groups(variant), *_neutrals(variant)]
    if variant.points:
        told += _points(variant, variant.points)
    told += _vassals(variant)
    if variant.religion:
        told += _religion(variant, variant.religion)
    return [*told, *_sponsors(variant), *_extra_home(variant), *_canals(variant)]


def _groups(variant: Variant) -> Iterator[str]:
    if not variant.groups:
        return
    yield f"A player orders the powers of a group: {_listed((group.name for group in variant.groups), 'or')}."
    yield from (_draw(one) for one in variant.draws if not all(map(variant.in_group, one.powers)))
    yield (
        "The powers of a group are powers of their own: each counts, builds and removes by itself, and they cut each "
        "other's support, dislodge each other and take each other's centers. For the victory, and in the points that "
        "they spend, they count together."
    )


def _draw(one: Draw) -> str:
    groups = f"one each for {_listed(one.groups)}" if len(one.powers) > 1 else f"for {_listed(one.groups, 'or')}"
    but = f", but not for the one that has {one.but}" if one.but else ""
    return f"Drawn by lot: {_listed(one.powers)}, {groups}{but}."


def _neutrals(variant: Variant) -> Iterator[str]:
    if not variant.neutrals.units:
        return
    orders = variant.neutrals.orders
    yield (
        f"{len(variant.neutrals.units)} centers are neutral powers of one unit each. All that it can do is "
        f"{_listed(orders)}. Dislodged, it is disbanded."
    )
    if "move" in orders:
        yield (
            "A neutral never leaves its place: its move, a sortie, always bounces. It is an attack all the same: it "
            "cuts support, keeps others out, and closes an empty province to retreats; but it dislodges nobody."
        )
    yield (
        "A neutral's lost unit comes back, as it was at the start, in a winter in which no player owns its center and "
        "nobody stands there. A unit may retreat into an empty neutral center."
    )
    if variant.neutrals.civil_disorder:
        yield (
            "When the master declares a power to be in permanent civil disorder, its units vanish, and its centers "
            "become neutrals with an army; those in which another power stands, if they are empty after a Fall."
        )


def _points(variant: Variant, points: Points) -> Iterator[str]:
    player = "player" if variant.groups else "power"
    if points.per_center:
        has = f"{points.per_center} for each center that it owns, {points.most} at most"
    else:
        others = "".join(f", {power} {amount}" for power, amount in points.incomes.items())
        has = f"{points.income}{others}"
    if variant.groups:
        yield f"In each Spring and Fall each power of a group adds to its player's Diplomacy Points: {has}."
        yield "The points of all powers of a group are spent together. Points not spent are lost."
    else:
        yield f"In each Spring and Fall a power has Diplomacy Points: {has}. Points not spent are lost."
    yield (
        f"Points are bid in secret for orders of neutrals. The same order from several {player}s adds up; a neutral "
        "follows the order with more points than every other one, and holds where there is none."
    )
    if points.per_neutral:
        full = f", and so many on at most {points.full} neutrals" if points.full else ""
        yield f"A {player} may put at most {points.per_neutral} points on one neutral{full}."
    if points.per_order:
        yield f"A {player} may put at most {points.per_order} points on one order."
    if points.attack_voids:
        whose = "any unit of the player's powers" if variant.groups else "any unit of the power"
        yield (
            f"Attacking and allocating: a {player}'s points for a neutral count nothing in a phase in which {whose} "
            "attacks it or supports an attack on it."
        )
    until = ", until the game has ended" if points.revealed else ""
    yield (
        f"Who bid what is known to the master alone{until}. A letter that spends more points than there are is "
        f"refused; in the adjudication itself such a {player} would lose all of them."
    )


def _vassals(variant: Variant) -> Iterator[str]:
    if not variant.vassals:
        return
    whose = "; ".join(f"{power}: {_named(variant, centers)}" for power, centers in variant.vassals.items())
    yield f"Vassals of {whose}. A power builds in its vassals' centers too, while it owns them."
    if variant.points and variant.points.vassal_bonus:
        yield (
            f"A power's points on its vassal are worth {variant.points.vassal_bonus} more: once, on its bid with most "
            "points there, else on its first."
        )


def _religion(variant: Variant, religion: Religion) -> Iterator[str]:
    def faithful(people: Iterable[str]) -> str:
        powers = [power.name for power in variant.powers if power.name in people]
        return _listed([*powers, *(variant.provinces[name].name for name in sorted(set(people) - set(powers)))])

    yield (
        f"{faithful(religion.muslims)} are Muslim, all others Christian: new neutrals too, unless their center is a "
        "Muslim one. A neutral may not support a power of the other faith in an attack on a province in which a unit "
        "of its own faith stands."
    )
    if religion.for_catholics_only:
        catholics = faithful(religion.catholics)
        yield f"{faithful(religion.for_catholics_only)} may support units of Catholics only: {catholics}."


def _sponsors(variant: Variant) -> Iterator[str]:
    """Whose points count more with which neutrals; a sponsor may be whoever has a power that is drawn."""
    if not variant.sponsors or not variant.points:
        return
    by_sponsor: dict[str, list[str]] = {}
    for center in variant.sponsors:
        sponsor = variant.sponsor(center)
        open_yet = variant.groups and sponsor in variant.power_named
        by_sponsor.setdefault(f"whoever has {sponsor}" if open_yet else sponsor, []).append(center)
    told = (f"{sponsor}: {_named(variant, centers)}" for sponsor, centers in by_sponsor.items())
    factor = {2: "double"}.get(variant.points.sponsor_factor, f"{variant.points.sponsor_factor} times")
    yield f"A sponsor's points on its affiliates count {factor}. {'; '.join(told)}."


def _canals(variant: Variant) -> Iterator[str]:
    for name, opens in variant.canals.items():
        canal = variant.provinces[name].name
        yield (
            f"{canal} is a canal from Spring {opens} on: one coast, and fleets pass. Until then it has two coasts; a "
            f"fleet that lies on one of them is then simply in {canal}."
        )


def _extra_home(variant: Variant) -> Iterator[str]:
    if variant.extra_home.by_building:
        yield (
            "A power may have one more home center for good: it names any center that it owns, and that was never "
            "anybody's home, by building there in a winter. The homes of powers that are gone stay homes."
        )
    if variant.extra_home.powers:
        yield (
            f"{_listed(variant.extra_home.powers)} each get one more home center for good: the first that they win "
            "beyond those that they had at the start. Whoever wins several in the same Fall writes HOME and the "
            "province in the winter; else it is the first by abbreviation."
        )


def _named(variant: Variant, centers: Iterable[str]) -> str:
    return _listed(variant.provinces[center].name for center in centers)


def _listed(words: Iterable[str], joint: str = "and") -> str:
    """ "one, two and three"."""
    *most, last = words
    return f"{', '.join(most)} {joint} {last}" if most else last
