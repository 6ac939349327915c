"""The terms of a variant in sentences for its players, as the judge reads them."""

from collections.abc import Iterable, Iterator

from judge.rules.terms import Points, Religion
from judge.rules.variant import Variant


def terms_in_words(variant: Variant) -> list[str]:
    """A sentence for each rule that the variant adds to the standard ones; none for standard Diplomacy."""
    told = [*_neutrals(variant)]
    if variant.points:
        told += _points(variant, variant.points)
    told += _vassals(variant)
    if variant.religion:
        told += _religion(variant, variant.religion)
    return [*told, *_extra_home(variant)]


def _neutrals(variant: Variant) -> Iterator[str]:
    if not variant.neutrals.units:
        return
    yield (
        f"{len(variant.neutrals.units)} centers are neutral powers of one unit each. All that it can do is "
        f"{_listed(variant.neutrals.orders)}. Dislodged, it is disbanded."
    )
    yield (
        "A neutral's lost unit comes back, as it was at the start, in a winter in which no player owns its center and "
        "nobody stands there. A unit may retreat into an empty neutral center."
    )
    yield (
        "When the master declares a power to be in permanent civil disorder, its units vanish, and its centers become "
        "neutrals with an army; those in which another power stands, if they are empty after a Fall."
    )


def _points(variant: Variant, points: Points) -> Iterator[str]:
    if points.per_center:
        has = f"{points.per_center} for each center that it owns, {points.most} at most"
    else:
        others = "".join(f", {power} {amount}" for power, amount in points.incomes.items())
        has = f"{points.income}{others}"
    yield f"In each Spring and Fall a power has Diplomacy Points: {has}. Points not spent are lost."
    yield (
        "Points are bid in secret for orders of neutrals. The same order from several powers adds up; a neutral "
        "follows the order with more points than every other one, and holds where there is none."
    )
    if points.per_neutral:
        full = f", and so many on at most {points.full} neutrals" if points.full else ""
        yield f"A power may put at most {points.per_neutral} points on one neutral{full}."
    yield (
        "Who bid what is known to the master alone. A letter that spends more points than there are is refused; in the "
        "adjudication itself such a power would lose all of them."
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


def _extra_home(variant: Variant) -> Iterator[str]:
    if variant.extra_home.powers:
        yield (
            f"{_listed(variant.extra_home.powers)} each get one more home center for good: the first that they win "
            "beyond those that they had at the start. Whoever wins several in the same Fall writes HOME and the "
            "province in the winter; else it is the first by abbreviation."
        )


def _named(variant: Variant, centers: Iterable[str]) -> str:
    return _listed(variant.provinces[center].name for center in centers)


def _listed(words: Iterable[str]) -> str:
    """ "one, two and three"."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
