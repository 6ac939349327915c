"""A player's view of the open phase: orders on file, missing orders, facts for this player, and a form.

STATUS shows the whole view, a confirmation shows changes, a reminder shows missing orders (docs/formats.md). The view
has nothing of other players. judge/games/core/who_may_see.py decides who else may read a player's orders, bids and
votes. If a player leaves a line of the form open (`A PAR ...`), it is never read as an order. In a line, `//` begins a
comment.
"""

import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from judge.games.core.board import outcome_of
from judge.games.core.passwords import is_passwordless
from judge.games.core.settings import settings_of
from judge.games.core.work import Work
from judge.games.orders.deferred_orders import kept, once
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.votes import vote_words
from judge.mails.forms import Form
from judge.mails.results import marks, results_of_neutrals, shares
from judge.mails.templates import time_left
from judge.mails.views import order_lines, title, when
from judge.rules import (
    LEFT_OPEN,
    NEUTRAL,
    Auction,
    Bid,
    BidResult,
    Hold,
    Home,
    Need,
    Order,
    Outcome,
    Position,
    Retreat,
    Unread,
    Variant,
    Waive,
    by_number,
    capitalized,
    counted,
    describe_order,
    format_order,
    income,
    listed,
)
from judge.rules.board.board_state import BoardState
from judge.rules.board.names import fold
from judge.rules.board.orders import owners, province_of
from judge.rules.describe import weakened
from judge.rules.mechanisms.auction import attacked_by
from judge.rules.mechanisms.diplomacy_points import Points, Vassals
from judge.store.games import last_moves, votes_in
from judge.store.seats import seats_with_power
from judge.store.tables import FutureLine, Phase, Seat

# The widest line of a form. An email is 79 columns wide, and the form is indented by four.
_COLUMNS = 75
# {the result of a neutral's failed order: the clause that says how the order failed}.
_FAILURES = {
    "void": "the order was void",
    "cut": "the support was cut",
    "bounce": "the move bounced",
    "no convoy": "the move had no convoy",
    "dislodged": "the unit was dislodged",
}


def form(book: FiledOrders, seat: str) -> Form | None:
    """Return the form for `seat` in the phase of `book`, or None if its powers have nothing to order.

    In a game of one person it is the master's form, for all powers.
    """
    game = book.game
    whole = settings_of(game).solo
    seats = [*book.asked] if whole else [seat] if seat in book.asked else []
    if not seats:
        return None
    lines = [line for one in seats for line in [*[f"{one}:"] * whole, *_form_lines(book, one)]]
    signon = f"M{game.name}" if whole else book.variant.seat_named[seat].at(game.name)
    missing = book.missing()
    return Form(signon, book.phase.name, tuple(lines), complete=not any(map(missing.get, seats)))


def _form_lines(book: FiledOrders, seat: str) -> list[str]:
    """Return the form's lines for the seat's powers and for bids. In a group, each power's name comes first."""
    lines = list[str]()
    for power in book.variant.powers_of(seat):
        need, given = book.asked[seat].get(power), book.orders_of(power)
        if need and book.variant.in_group(power):
            lines.append(f"// {power}")
        if need and book.kind == "A":
            lines += _winter(need, given, book.written(power, Waive()))
        elif need:
            lines += _by_unit(book.variant, need, given)
    if book.kind == "M":
        lines += _bids(book, seat)
    return lines


def own_forms(work: Work, book: FiledOrders, mine: Iterable[Seat]) -> list[Form]:
    """Return the forms of the seats `mine`, each saying whether its player can send it without a password."""
    found = []
    for seat in mine:
        made, game = form(book, seat.power) if seat.power else None, book.game
        made = made and replace(made, is_late=book.is_past_deadline(work.now))
        if made and is_passwordless(work.settings, game, seat):
            by_reply = len(seats_with_power(work.session, game, seat.person_id)) == 1
            made = replace(made, passwordless=True, by_reply=by_reply)
        found += [made] if made and made not in found else []
    return found


def _by_unit(variant: Variant, need: Need, given: list[Order]) -> Iterator[str]:
    """Yield a line for each unit in movement or retreats. The line of a dislodged unit lists its retreats."""
    by_slot = {order.slot: format_order(order) for order in given}
    for unit in need.units:
        places = need.retreats.get(unit, ())
        ways = ((place, weakened(variant, Retreat(unit, place))) for place in places)
        choice = ", ".join(f"- {place}{f' ({way})' if way else ''}" for place, way in ways)
        choice += " or D" if places else ""
        yield from _with_choice(by_slot.get(unit.province, f"{unit} {LEFT_OPEN}"), choice)


def _bids(book: FiledOrders, seat: str) -> Iterator[str]:
    """Yield the form's lines for bids: those on file, then an open line if points are left.

    If the player has declined to spend more, the last line is DP NONE. After a first bid, the open line says how many
    points are left. Before a first bid, another part of the email has this number.
    """
    given = book.bids.given(seat)
    yield from (f"DP {bid.points}: {bid.text}" for bid in given)
    if book.bids.declined(seat):
        yield "DP NONE"
    elif book.bids.undecided(seat):
        neutrals = counted(len(book.position.units_of(NEUTRAL)), "neutral")
        left = f"{counted(book.bids.undecided(seat), 'point')} left, {neutrals}"
        yield from _with_choice(f"DP 1: {LEFT_OPEN}", left if given else "")


def _winter(need: Need, given: list[Order], waive: str) -> Iterator[str]:
    """Yield the orders on file and a line for each missing one, since an email's lines replace all earlier ones.

    `waive` is the line that waives a build of the power.
    """
    yield from (waive if isinstance(order, Waive) else format_order(order) for order in given)
    named = sum(isinstance(order, Home) for order in given)
    line, choice = _adjustment(need, {order.slot for order in given}, waive)
    for _ in range(abs(need.builds) - (len(given) - named)):
        yield from _with_choice(line, choice)
        choice = ""
    if need.homes and not named:
        yield from _with_choice(f"HOME {LEFT_OPEN}", listed(need.homes, "or"))


def _adjustment(need: Need, taken: Collection[str], waive: str) -> tuple[str, str]:
    """Return the form's open line for a build or a removal, and the choices for it."""
    if need.builds <= 0:
        return f"REMOVE {LEFT_OPEN}", ", ".join(str(unit) for unit in need.units if unit.province not in taken)
    sites, claims = _open_sites(need, taken)
    sites += [f"{site} (as new home)" for site in claims]
    return f"BUILD {LEFT_OPEN}", f"in {', '.join(sites)}; or {waive}"


def _open_sites(need: Need, taken: Collection[str]) -> tuple[list[str], Sequence[str]]:
    """Return the sites where a build can still be ordered, and those where it would make a home center."""
    claims = () if any(site in taken for site in need.claims) else need.claims
    return [site for site in need.sites if site not in taken], claims


def _with_choice(line: str, choice: str) -> list[str]:
    """Return a line with a comment that lists the choices, or with lines after it for a long comment."""
    if not choice:
        return [line]
    whole = f"{line}  // {choice}"
    if len(whole) <= _COLUMNS:
        return [whole]
    return [line, *textwrap.wrap(choice, _COLUMNS, initial_indent="// ", subsequent_indent="// ")]


def may_bid(variant: Variant, position: Position) -> bool:
    """Return whether there are points to spend in the phase."""
    return variant.points is not None and position.kind == "M"


@dataclass(frozen=True)
class OwnBids:
    """The results of one power's bids in the season `when`."""

    power: str
    when: str
    lines: list[str]
    spent: int
    income: int


@dataclass(frozen=True)
class FullReport:
    """All bids of a phase for those who may see them.

    `powers` has the bids of each power. `lots` has, for each neutral, the points of each order for it.
    """

    powers: list[OwnBids]
    lots: list[tuple[str, list[str]]]


def full_report(variant: Variant, position: Position, outcome: Outcome) -> FullReport:
    """Return the report on all bids, for readers who may see them."""
    auction = outcome.bids
    powers = [
        own for power in variant.seats if (own := own_bids(variant, position, outcome, power.name, full=True)).income
    ]
    lots = []
    by_name = sorted(auction.lots, key=lambda province: fold(variant.provinces[province].name))
    for province in by_name:
        lot, followed = auction.lots[province], f"  (followed{_but(province, position, outcome)})"
        lines = [
            f"{value} for {describe_order(variant, position, order)}{followed * (order == lot.order)}"
            for order, value in lot.tally
        ]
        level = [] if lot.order else ["a tie for the most points, so this neutral holds."]
        lots.append((variant.provinces[province].name, lines + level))
    return FullReport(powers, lots)


def own_bids(variant: Variant, position: Position, outcome: Outcome, power: str, full: bool = False) -> OwnBids:
    """Return the report for the player of the power, who learns nothing beyond what the published orders show.

    If `full` is true, the report is for the master, who may know why a bid did not win.
    """
    mine, lines = outcome.bids.of(power), []
    for one in mine:
        worth = f", worth {one.value}" if one.value > one.bid.points else ""
        followed = one.won or not full and seems_won(one, outcome.bids)
        failed = _but(one.bid.order.slot, position, outcome) if followed else ""
        said = bid_words(variant, position, one.bid)
        lines.append(f"{one.bid.points}: {said}  ({_fate(one, outcome.bids, full)}{worth}{failed})")
    spent = sum(one.bid.points for one in mine)
    return OwnBids(power, when(position.phase), lines, spent, income(variant, position, power))


def _fate(one: BidResult, auction: Auction, full: bool) -> str:
    """Return the result of a bid, with the reason if the report is `full`, for the master."""
    if one.why:
        return f"no effect: {one.why.rstrip('.')}"
    if full and not one.won:
        return "outbid" if auction.lots[one.bid.order.slot].order else "no order won, because of a tie"
    if not seems_won(one, auction):
        return "did not win"
    return "won" if full or not isinstance(one.bid.order, Hold) else "it held"


def _but(province: str, position: Position, outcome: Outcome) -> str:
    """Return `, but the support was cut` if the order of the neutral in that province failed, else ""."""
    fates = [_FAILURES[fate] for fate in marks(results_of_neutrals(position, outcome)[province])]
    return f", but {listed(fates)}" if fates else ""


def bid_words(variant: Variant, position: Position, bid: Bid) -> str:
    """Return the order of a bid in full words, or as written if it could not be read."""
    if isinstance(bid.order, Unread):
        return f'"{bid.text}"'
    return describe_order(variant, position, bid.order)


def bids_verdict(position: Position, outcome: Outcome, power: str) -> str:
    """Return a sentence such as `2 of your 3 bids won.`, or "" without bids.

    The sentence says only what the published orders show.
    """
    held, failed, others = dict[str, bool](), dict[str, None](), list[BidResult]()
    neutrals = results_of_neutrals(position, outcome)
    for one in outcome.bids.of(power):
        followed = seems_won(one, outcome.bids)
        fates = marks(neutrals[one.bid.order.slot]) if followed else []
        if followed and isinstance(one.bid.order, Hold):
            held[str(one.bid.order.unit)] = bool(fates)
            continue
        others.append(one)
        if fates:
            failed[f"{one.bid.text} ({listed(fates)})"] = None
    told = []
    if held:
        told.append(f"{listed(held)} held, as you bid{_but_dislodged(held)}")
    if others:
        told.append(_how_many_won(others, "other bid" if held else "bid"))
    if failed:
        told[-1] += f", but {by_number(len(failed), 'this', 'these')} failed: {listed(failed)}"
    return f"{'; '.join(told)}." if told else ""


def _but_dislodged(held: Mapping[str, bool]) -> str:
    """Return which units that held were dislodged, as in `, but A SWI was dislodged`, or ""."""
    gone = [unit for unit, dislodged in held.items() if dislodged]
    if not gone:
        return ""
    which = f"{listed(gone)} " if len(gone) < len(held) else ""
    return f", but {which}{by_number(len(gone), 'was', 'were')} dislodged"


def _how_many_won(results: Sequence[BidResult], what: str) -> str:
    """Return how many of these bids won, as in `both of your other bids won`. `what` is the noun for the bids."""
    given, won = len(results), sum(one.won for one in results)
    if given == 1:
        return f"your {what} {'won' if won else 'did not win'}"
    if won == given:
        return f"{by_number(given - 1, 'both', f'all {won}')} of your {what}s won"
    return f"{won or 'none'} of your {counted(given, what)} won"


def seems_won(one: BidResult, auction: Auction) -> bool:
    """Return whether the neutral did what the bid says.

    The results show that a neutral held, but not whether a bid was the reason. Only the master knows of other bids.
    """
    held = not one.why and isinstance(one.bid.order, Hold) and auction.lots[one.bid.order.slot].order is None
    return one.won or held


def standing(
    work: Work,
    book: FiledOrders,
    seat: Seat,
    *,
    whole: bool = False,
    votes: bool = True,
    just_kept: Collection[str] = (),
) -> dict[str, Any]:
    """Return the variables for templates/orders.txt.j2 and its page, for the player of `seat` in the phase of `book`.

    If `whole` is true, the variables include what is missing and all that the player has, as for STATUS. If `votes` is
    true, the readers may see the player's votes. `just_kept` names later phases for which this email has kept lines.
    """
    game, phase, power = book.game, book.phase, seat.power or ""
    news, missing = list[str](), list[str]()
    if whole:
        news = _own_news(work, book, seat)
        # In movement, the lines of the form already include each unit without an order.
        missing = wanting(book, power, work.now) if book.kind != "M" else []
    if votes:
        cast = [vote for vote in votes_in(work.session, phase) if vote.power == power]
        news += [f"Your vote: {vote_words(game, vote)}." for vote in cast]
    return {
        "game": game,
        "phase": phase,
        **on_file(book, power),
        **_ahead(work, book, seat, None if whole else just_kept),
        "complete": not book.missing().get(power),
        "wanting": missing,
        "waits": seat.waits and not book.is_past_deadline(work.now),
        "news": news,
        "late": work.now >= phase.deadline_at,
        "in_grace": work.now < phase.grace_ends_at,
        "time_left": time_left(work.now, phase.deadline_at),
    }


def _ahead(work: Work, book: FiledOrders, seat: Seat, just_kept: Collection[str] | None) -> dict[str, Any]:
    """Return the template's variables about lines for later phases: their numbers, and some of the lines.

    The shown lines are those of the previous player, and those for the phases in `just_kept`. If `just_kept` is None,
    all lines are shown.
    """
    ahead = {name: once(lines) for name, lines in kept(work.session, book.game, seat.power or "").items()}
    inherited = {name for name, lines in ahead.items() if any(line.given_at < seat.joined_at for line in lines)}
    shown = ahead.keys() if just_kept is None else {*just_kept, *inherited}
    return {
        "ahead": {name: len(lines) for name, lines in ahead.items()},
        "kept": {name: _kept_lines(lines, seat) for name, lines in ahead.items() if name in shown},
        "inherited": inherited,
    }


def _kept_lines(lines: Iterable[FutureLine], seat: Seat) -> list[str]:
    """Return the lines for a later phase, in order, with a note on lines of the previous player.

    A block of conditions has several lines.
    """
    told = []
    for line in lines:
        whose = "  // by the previous player" * (line.given_at < seat.joined_at)
        told += [f"{text}{whose}" for text in line.text.split("\n")]
    return told


def _own_news(work: Work, book: FiledOrders, own: Seat) -> list[str]:
    """Return sentences on the use of the player's points, on special rules, and on which bids won."""
    points, news, seat = book.variant.points, list[str](), own.power or ""
    news += [*filter(None, [_limits(book, seat)])]
    news += special(book.variant, book.position, seat)
    last = last_moves(work.session, book.game, book.phase.number) if points else None
    # Bids from before the player joined were the previous player's.
    if last and last.outcome and last.processed_at and last.processed_at >= own.joined_at:
        news += _last_bids(book, last, seat)
    return news


def _last_bids(book: FiledOrders, last: Phase, seat: str) -> Iterator[str]:
    position, outcome = outcome_of(book.game, last)
    had, verdict = own_bids(book.variant, position, outcome, seat), bids_verdict(position, outcome, seat)
    if had.income:
        used = f"In {when(last.name)} you used {had.spent} of {counted(had.income, 'Diplomacy Point')}."
        yield f"{used} {capitalized(verdict)}".rstrip()


def special(variant: Variant, position: Position, seat: str) -> list[str]:
    """Return sentences on the vassals, affiliates and colonies of the seat's player, and on their use."""
    powers, points = variant.powers_of(seat), variant.mechanism(Points)
    vassal_of, owner, bonus = variant.mechanism(Vassals).of, owners(position), points.vassal_bonus
    neutrals = {unit.province for unit in position.units_of(NEUTRAL)}
    worth = f" Your points on a vassal are worth {bonus} more." if bonus else ""
    factor = {1: "once", 2: "double"}.get(points.sponsor_factor, f"{points.sponsor_factor} times")
    rows = {
        f"Your vassals: {{}}. You can build there while you own these centers.{worth}":
            [center for power in powers for center in vassal_of.get(power, ())],
        f"Your affiliates, on which your points count {factor}: {{}}.":
            sorted(center for center in neutrals if variant.sponsor(center) == seat),
        "Your colonies, in which you build as in a home center: {}.":
            [center for center in variant.build_sites.colonies if owner.get(center) in powers],
    }  # fmt: skip
    return [sentence.format(listed(variant.named(places))) for sentence, places in rows.items() if places]


def on_file(book: FiledOrders, seat: str) -> dict[str, Any]:
    """Return the template variables for every email that confirms a player's orders and bids on file."""
    return {
        "power": seat,
        "asked": seat in book.asked,
        "title": title(book.phase.name, "orders"),
        "lines": filed_lines(book, seat),
        "bids": bid_view(book, seat),
    }


def filed_lines(book: FiledOrders, seat: str) -> list[tuple[str, str]]:
    """Return (power, an order in full words) for each unit, by power. A unit without an order has its default order."""
    return [
        (power, line)
        for power in book.variant.powers_of(seat)
        for line in order_lines(book.variant, book.position, power, book.orders_of(power))
    ]


def points_at_hand(book: FiledOrders, seat: str, who: str = "You have") -> str:
    """Return `You have 3 Diplomacy Points for Fall of 1649, to spend on 31 neutrals.`, or "" without points.

    `who` is "You have", or for example "Blue has" for a reader who plays several powers.
    """
    neutrals, has = len(book.position.units_of(NEUTRAL)), book.bids.income(seat)
    if not (neutrals and has) or book.kind != "M":
        return ""
    has_points, on = counted(has, "Diplomacy Point"), counted(neutrals, "neutral")
    return f"{who} {has_points} for {when(book.phase.name)}, to spend on {on}."


def _limits(book: FiledOrders, seat: str) -> str:
    """Return how many points the seat may bid for a neutral or an order, or "" without a limit."""
    points = book.variant.points
    limits = points.limits(book.bids.income(seat)) if points and points_at_hand(book, seat) else ""
    return limits and f"You can put {limits}."


def points_to_put(book: FiledOrders, seat: str) -> str:
    """Return sentences on the player's points, and on how many they may bid for a neutral, or "" without points."""
    return f"{points_at_hand(book, seat)} {_limits(book, seat)}".strip()


def told_at_opening(book: FiledOrders, seat: str, who: str) -> str:
    """Return the sentence in results on a seat's points, or that the seat has nothing to order, or ""."""
    if seat in book.asked:
        return points_at_hand(book, seat, who)
    return f"{who} nothing to order in this phase." if seat in book.still_in else ""


def wanting(book: FiledOrders, seat: str, now: datetime) -> list[str]:
    """Return what the powers of `seat` owe in the phase of `book`, one line for each item, unspent points last.

    After the deadline the phase no longer waits for points, so they are not listed.
    """
    asked = book.asked.get(seat, {})
    lines = [(power, line) for power, need in asked.items() for line in _wanting(book, power, need)]
    owed = [f"{power}: {line}" if len(asked) > 1 else line for power, line in lines]
    if not book.is_past_deadline(now) and (left := book.bids.undecided(seat)):
        owed.append(f"{counted(left, 'unspent point')}: bid {'it' if left == 1 else 'them'}, or send DP NONE.")
    return owed


def whether_done(book: FiledOrders, power: str) -> str:
    """Return the first sentence of an email about a player's orders, which says whether they are complete."""
    wanting = book.missing().get(power, [])
    if power not in book.asked:
        return f"You have nothing to order in {book.phase.name}."
    if not wanting:
        return "Orders complete."
    if book.kind != "A":
        return f"{counted(len(wanting), 'unit')} without orders: {', '.join(wanting)}."
    due = [_due_of(book, power, thing) for thing in ("build", "removal") if thing in wanting]
    ordered = f"{' and '.join(due)} not ordered." if due else ""
    named = "You have not named your new home center: write HOME and the center." if "home center" in wanting else ""
    return f"{ordered} {named}".strip()


def _due_of(book: FiledOrders, seat: str, thing: str) -> str:
    """Return the number of missing builds or removals, and whose they are, if the player has several powers."""
    powers = book.variant.powers_of(seat)
    by_power = {power: book.missing_of(power).count(thing) for power in powers}
    by_power = {power: number for power, number in by_power.items() if number}
    return counted(sum(by_power.values()), thing) + shares(by_power, powers)


def _wanting(book: FiledOrders, power: str, need: Need) -> list[str]:
    missing = book.missing_of(power)
    if book.kind == "A":
        homes = []
        if "home center" in missing:
            names = [f"{book.variant.place_called(center)} ({center})" for center in need.homes]
            default = book.variant.provinces[need.homes[0]].name
            homes = [f"your new home center: HOME {listed(names, 'or')}; else it is {default}"]
        due = len(missing) - len(homes)
        return [_adjustments(book, power, need, due), *homes] if due else homes
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
    sites, claims = _open_sites(need, {order.slot for order in book.orders_of(power)})
    places = [book.variant.place_called(province_of(site)) for site in sites]
    if claims:
        named = ", ".join(book.variant.place_called(site) for site in claims)
        places.append(f"one of these, which makes it your additional home center: {named}")
    return f"{counted(count, 'build')} (in {listed(dict.fromkeys(places), 'or')}), or {book.written(power, Waive())}"


@dataclass(frozen=True)
class BidView:
    """A power's bids on file: `lines` in full words, the points that it has, and those that it has spent.

    `declined` is true if points are left, and the player has declined to spend them. `waits` is true if the phase waits
    because of points. `attacked` names the neutrals whose bids are void, since the power attacks them.
    """

    lines: list[str]
    spent: int
    income: int
    declined: bool
    waits: bool
    attacked: list[str]


def bid_view(book: FiledOrders, power: str) -> BidView | None:
    """Return the bids for a confirmation, or None if the power or group has no points."""
    bids = book.bids
    has, given = bids.income(power), bids.given(power)
    if not has:
        return None
    lines = [f"DP {bid.points}: {bid_words(book.variant, book.position, bid)}" for bid in given]
    spent, declined = bids.spent(power), bids.declined(power)
    attacked = _attacked(book, power, given)
    return BidView(lines, spent, has, declined and spent < has, bool(bids.undecided(power)), attacked)


def _attacked(book: FiledOrders, power: str, given: Iterable[Bid]) -> list[str]:
    """Return the neutrals with bids that are void, since the power attacks them (Intercontinental, 11.2)."""
    slots = dict.fromkeys(bid.order.slot for bid in given)
    points = book.variant.points
    if not slots or points is None or not points.attack_voids:
        return []
    orders = {own: book.orders_of(own) for own in book.variant.powers_of(power)}
    places = attacked_by(BoardState(book.variant, book.position), power, orders)
    return [book.variant.provinces[slot].name for slot in slots if slot in places]
