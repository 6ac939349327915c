"""Where a player stands in the open phase: what is on file, what is missing, and what else is theirs alone.

STATUS shows all of it, a confirmation what has changed, a reminder what is missing (docs/emails.md). Nothing of other
players is in it. Who else may read a player's orders and votes is decided in judge/games/core/who_may_see.py.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.games.core.board import outcome_of
from judge.games.core.work import Work
from judge.games.orders.deferred_orders import kept
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.forms import bid_words, bids_verdict
from judge.games.orders.votes import vote_words
from judge.mails.pages import time_left
from judge.mails.views import order_lines, title
from judge.rules import NEUTRAL, Need, Position, Variant
from judge.rules.board.board_state import BoardState
from judge.rules.board.names import counted, listed
from judge.rules.board.orders import owners
from judge.rules.board.phase import kind
from judge.rules.mechanisms.auction import attacked_by
from judge.rules.mechanisms.diplomacy_points import Vassals
from judge.store.games import last_moves
from judge.store.orders import votes_in
from judge.store.tables import Phase, Seat


def standing(
    work: Work,
    book: FiledOrders,
    seat: Seat,
    *,
    whole: bool = False,
    votes: bool = True,
    just_kept: Collection[str] = (),
) -> dict[str, Any]:
    """Return what templates/orders.txt.j2 and its page say of the player of `seat` in the phase of `book`.

    `whole`: with what is missing and all that the seat has, as for STATUS. `votes`: its readers may see the seat's
    votes. `just_kept`: later phases for which this letter has kept lines.
    """
    game, phase, power = book.game, book.phase, seat.power or ""
    ahead = kept(work.session, game, power)
    # Lines of the previous player.
    inherited = {name for name, lines in ahead.items() if any(line.given_at < seat.joined_at for line in lines)}
    news = _own_news(work, book, power) if whole else []
    if votes:
        cast = [vote for vote in votes_in(work.session, phase) if vote.power == power]
        news += [f"Your vote: {vote_words(game, vote)}." for vote in cast]
    return {
        "game": game,
        "phase": phase,
        **on_file(book, power),
        "asked": power in book.asked,
        "complete": not book.missing().get(power),
        # In movement each unit without an order is among the lines.
        "wanting": wanting(book, power) if whole and kind(phase.name) != "M" else [],
        "waits": seat.waits,
        "news": news,
        "ahead": {name: len(lines) for name, lines in ahead.items()},
        "kept": {
            # A block of conditions is several lines.
            name: [
                f"{text}{'  // by the previous player' * (line.given_at < seat.joined_at)}"
                for line in lines
                for text in line.text.split("\n")
            ]
            for name, lines in ahead.items()
            if whole or name in {*just_kept, *inherited}
        },
        "inherited": inherited,
        "early_at": early_at(phase),
        "late": work.now >= phase.deadline_at,
        "time_left": time_left(work.now, phase.deadline_at),
    }


def early_at(phase: Phase) -> datetime | None:
    """Return when a complete phase is processed early; None while it waits for its deadline or for orders."""
    return None if phase.due_at in (None, phase.deadline_at, phase.grace_ends_at) else phase.due_at


def _own_news(work: Work, book: FiledOrders, seat: str) -> list[str]:
    """Say what points the seat has and how it may spend them, what is special about it, and which of its bids won."""
    points, news = book.variant.points, []
    if has := points_at_hand(book, seat):
        news.append(has + (f" You can put {points.limits}." if points and points.limits else ""))
    news += special(book.variant, book.position, seat)
    last = last_moves(work.session, book.game, book.phase.number) if points else None
    if last and last.outcome and (verdict := bids_verdict(outcome_of(book.game, last)[1].bids, seat)):
        news.append(f"In {last.name}, {verdict}")
    return news


def special(variant: Variant, position: Position, seat: str) -> list[str]:
    """Say which vassals, affiliates and colonies the player of the seat has, and what they are good for."""
    powers, points = variant.powers_of(seat), variant.points
    vassal_of, owner = variant.mechanism(Vassals).of, owners(position)
    vassals = [center for power in powers for center in vassal_of.get(power, ())]
    own = [center for center in variant.sponsors if variant.sponsor(center) == seat]
    colonies = [center for center in variant.build_sites.colonies if owner.get(center) in powers]
    said = []
    if vassals:
        worth = f" Your points there are worth {points.vassal_bonus} more." if points and points.vassal_bonus else ""
        said.append(f"Your vassals: {listed(variant.named(vassals))}. You build there while you own them.{worth}")
    if own:
        factor = {2: "double"}.get(points.sponsor_factor, f"{points.sponsor_factor} times") if points else "once"
        said.append(f"Your affiliates, on which your points count {factor}: {listed(variant.named(own))}.")
    if colonies:
        said.append(f"Your colonies, in which you build as in a home center: {listed(variant.named(colonies))}.")
    return said


def on_file(book: FiledOrders, seat: str) -> dict[str, Any]:
    """What the judge confirms in each mail that shows a player's own orders and bids on file."""
    return {
        "power": seat,
        "title": title(book.phase.name, "orders"),
        "lines": filed_lines(book, seat),
        "bids": bid_view(book, seat),
    }


def filed_lines(book: FiledOrders, seat: str) -> list[tuple[str, str]]:
    """(power, one of its orders in full words), power by power; for units without an order what they will do."""
    return [
        (power, line)
        for power in book.variant.powers_of(seat)
        for line in order_lines(book.variant, book.position, power, book.orders_of(power))
    ]


def points_at_hand(book: FiledOrders, seat: str, who: str = "You have") -> str:
    """`You have 3 Diplomacy Points for this phase, to spend on 31 neutrals.`; "" if there is nothing to spend.

    `who`: "You have", or "Blue has" for a reader with several seats.
    """
    neutrals, has = len(book.position.units.get(NEUTRAL, ())), book.bids.income(seat)
    if not (neutrals and has) or kind(book.phase.name) != "M":
        return ""
    return f"{who} {counted(has, 'Diplomacy Point')} for this phase, to spend on {counted(neutrals, 'neutral')}."


def told_at_opening(book: FiledOrders, seat: str, who: str = "You have") -> str:
    """What everybody reads with the results of the phase before; "" where the form says it all, and for who is out."""
    if seat in book.asked:
        return points_at_hand(book, seat, who)
    return f"{who} nothing to order in this phase." if seat in book.still_in else ""


def wanting(book: FiledOrders, seat: str) -> list[str]:
    """What the powers of `seat` owe in the phase of `book`, a line for each thing; unspent points come last."""
    asked = book.asked.get(seat, {})
    lines = [(power, line) for power, need in asked.items() for line in _wanting(book, power, need)]
    owed = [f"{power}: {line}" if len(asked) > 1 else line for power, line in lines]
    left = book.bids.undecided(seat)
    return owed + [f"{counted(left, 'point')} left to spend; DP NONE ends this"] * bool(left)


def _wanting(book: FiledOrders, power: str, need: Need) -> list[str]:
    missing = book.missing_of(power)
    if kind(book.phase.name) == "A":
        homes = []
        if "home center" in missing:
            names = [f"{book.variant.place_called(center)} ({center})" for center in need.homes]
            default = book.variant.provinces[need.homes[0]].name
            homes = [f"your new home center: HOME {' or '.join(names)}; else it is {default}"]
        due = len(missing) - len(homes)
        return [_adjustments(book, power, need, due)] * bool(due) + homes
    lines = []
    for unit in need.units:
        if str(unit) in missing:
            orders = [f"{unit} - {place}" for place in need.retreats.get(unit, ())]
            choice = f", dislodged: {', '.join(orders)} or {unit} D" if orders else ""
            lines.append(f"{book.variant.called(unit)}{choice}")
    return lines


def _adjustments(book: FiledOrders, power: str, need: Need, count: int) -> str:
    if need.builds < 0:
        ordered = {order.slot for order in book.orders_of(power)}
        left = [str(unit) for unit in need.units if unit.province not in ordered]
        return f"{counted(count, 'removal')} (of {listed(left, 'or')}): REMOVE and the unit"
    places = [book.variant.place_called(site.partition("/")[0]) for site in need.sites]
    if need.claims:
        named = ", ".join(book.variant.place_called(site) for site in need.claims)
        places.append(f"one of these, which makes it your additional home center: {named}")
    return f"{counted(count, 'build')} (in {' or '.join(dict.fromkeys(places))}), or WAIVE"


@dataclass(frozen=True)
class BidView:
    """A power's bids on file: `lines` in full words; the points it has, and how many are spent.

    `declined`: points are left, and the player has said that they are not spent; `held`: the phase waits because of
    them; `attacked`: the neutrals that the power attacks, so that its bids for them do not count.
    """

    lines: list[str]
    spent: int
    income: int
    declined: bool
    held: bool
    attacked: list[str]


def bid_view(book: FiledOrders, power: str) -> BidView | None:
    """What the confirmation shows; None if the power (or group) has no points."""
    bids = book.bids
    has = bids.income(power)
    if not has:
        return None
    lines = [f"DP {bid.points}: {bid_words(book.variant, book.position, bid)}" for bid in bids.given(power)]
    spent, declined = bids.spent(power), bids.declined(power)
    return BidView(lines, spent, has, declined and spent < has, bool(bids.undecided(power)), _attacked(book, power))


def _attacked(book: FiledOrders, power: str) -> list[str]:
    """The neutrals for which the power bids in vain, since its units attack them (Intercontinental, 11.2)."""
    points, given = book.variant.points, book.bids.given(power)
    if not (points and points.attack_voids and given):
        return []
    orders = {own: book.orders_of(own) for own in book.variant.powers_of(power)}
    attacked = attacked_by(BoardState(book.variant, book.position), power, orders)
    slots = dict.fromkeys(bid.order.slot for bid in given)
    return [book.variant.provinces[slot].name for slot in slots if slot in attacked]
