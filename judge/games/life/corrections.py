"""Corrections by a master, of the position before the open phase, a border, orders, or a power without a player.

All players are notified. The position with which the phase opened is kept, so that ROLLBACK to the open phase undoes
the corrections. Orders and bids that a correction has made impossible are also kept. Another correction that makes them
possible again puts them back on file.

The master declares permanent civil disorder for a power that should no longer have a player (rulings, "Play" 2). Its
units hold, and disband when they are dislodged. The rules choose its removals. The game does not wait for the power,
and no one can play it unless the master ends the disorder. On a board with armed neutrals, the power permanently turns
into neutrals (1648, "Civil Disorder"; Ambition & Empire, VII).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from judge.games.core.board import board, published_variant, variant_of
from judge.games.core.settings import change_settings, settings_of
from judge.games.core.who_may_see import shown_to
from judge.games.core.work import Refusal, Work
from judge.games.deadlines import schedule
from judge.games.notifications import game_mails, notices
from judge.games.orders.filed_orders import FiledOrders, Unused
from judge.games.orders.standing import on_file, own_forms
from judge.mails.views import position_view
from judge.rules import NEUTRAL, Position, civil_disorder, listed, position_from_json, position_to_json
from judge.rules.board.province import BorderChange, CoastChange
from judge.rules.game_options import with_change, with_coast_change
from judge.store import kept
from judge.store.games import lock
from judge.store.seats import by_address, players_of
from judge.store.tables import Game, Phase, Seat


@dataclass(frozen=True)
class Dropped:
    """The orders and bids of each player that a change to the board has made impossible, with the reasons.

    The player is shown both, and the master only orders that the master may see. `back` names the powers whose orders
    or bids, dropped by an earlier change, are on file again.
    """

    orders: Mapping[str, Sequence[Unused]]
    bids: Mapping[str, Sequence[Unused]]
    back: Collection[str] = ()

    @property
    def by_seat(self) -> dict[str, list[Unused]]:
        """Return {power: its dropped orders and bids}."""
        seats = dict.fromkeys([*self.orders, *self.bids, *self.back])
        return {seat: [*self.orders.get(seat, ()), *self.bids.get(seat, ())] for seat in seats}


@dataclass(frozen=True)
class Correction:
    """A correction by a master, with the `sentence` that players read, and its `changes` in words.

    `what` is the end of the email's subject. `position` is the new position, if the board has changed.
    """

    sentence: str
    what: str
    changes: Sequence[str] = ()
    position: Position | None = None


def set_board(work: Work, game: Game, phase: Phase, position: Position | None = None) -> tuple[FiledOrders, Dropped]:
    """Give the open `phase` this `position`, or only check the orders if it is None, since borders have changed.

    Only this function changes the board of a phase that may have orders. The function drops orders and bids that can no
    longer be carried out. So the phase can be processed after any change. Lines kept for later phases are checked when
    those phases open. Orders and bids that an earlier change dropped are put back on file if they are possible now and
    their power is not in civil disorder.
    Returns the orders and bids on file now, and those dropped. The caller has to notify the players.
    """
    session, variant, lost = work.session, variant_of(game), kept.of(phase)
    disorder = settings_of(game).disorder
    wanted = {
        name: [row for row in lost.get(name, ()) if variant.seat_of(row["power"]) not in disorder]
        for name in ("orders", "bids")
    }
    before = kept.filed(session, phase)
    if position:
        phase.position = position_to_json(variant, position)
    book = FiledOrders(session, game, phase)
    orders, bids = book.drop_impossible(), book.bids.drop_impossible()
    left = kept.filed(session, phase)
    gone = kept.missing(left, before)
    kept.file_again(session, kept.missing(left, wanted), phase, work.now)
    book = FiledOrders(session, game, phase)
    book.drop_impossible()
    book.bids.drop_impossible()
    there = kept.filed(session, phase)
    back = {variant.seat_of(row["power"]) for rows in kept.missing(left, there).values() for row in rows}
    still_lost = kept.missing(gone, kept.missing(there, lost))
    kept.keep(phase, **{name: [*gone[name], *still_lost[name]] for name in gone})
    return book, Dropped(orders, bids, back)


def correct_position(
    work: Work, game: Game, phase: Phase, position: Position, changes: Sequence[str], ruler: str
) -> Dropped:
    """Give `phase` the corrected `position`, and notify all players of the `changes` that `ruler` has made."""
    sentence = f"{ruler} has corrected the position before {phase.name} in {game.name}."
    return give_position(work, game, phase, Correction(sentence, "Position Corrected", changes, position))


def give_position(work: Work, game: Game, phase: Phase, correction: Correction) -> Dropped:
    """Give `phase` the position of `correction`, and notify all players with its sentence."""
    lock(work.session, phase)
    kept.keep(phase, position=kept.of(phase).get("position", phase.position))
    work.log("corrected", game, " ".join(correction.changes), phase)
    return _change_board(work, game, phase, correction)


def _change_board(work: Work, game: Game, phase: Phase, correction: Correction) -> Dropped:
    """Change the board, set when the phase is due, and notify all players, with their dropped orders."""
    earlier = FiledOrders(work.session, game, phase)
    owed, were_in = earlier.missing(), earlier.still_in
    book, dropped = set_board(work, game, phase, correction.position)
    schedule.reckon(work, book)
    changed = {seat for seat, things in book.missing().items() if things != owed.get(seat)}
    told = tell_owners(work, book, correction, dropped.by_seat)

    def own(mine: Sequence[Seat], zone: str) -> Mapping[str, object]:
        """Return the forms for the reader, if the correction has changed what the reader has to order."""
        due = [seat for seat in mine if seat.power in changed]
        return {"forms": own_forms(work, FiledOrders(work.session, game, phase), due) if due else []}

    notices.tell_all(work, _announcement(game, phase, correction), told, own=own)
    for power, seat in players_of(work.session, game).items():
        if power in were_in - book.still_in:
            rights = game_mails.rights_of_eliminated(game)
            notices.tell_seat(work, seat, notices.news_of(game, "Eliminated", rights))
    return dropped


def orders_corrected(
    work: Work,
    book: FiledOrders,
    powers: Sequence[str],
    ruler: str,
    *,
    copied: bool = False,
    neutrals: Collection[str] = (),
) -> None:
    """Notify all players that `ruler` has changed the orders of `powers`, and of these `neutrals`.

    The players of `powers` see the orders, unless they get a copy of the reply (`copied`). All other readers only see
    that orders were changed, since orders are secret. Bids for a neutral that now has orders are dropped, and only the
    bidders are notified of that.
    """
    game, phase = book.game, book.phase
    work.log("corrected", game, f"orders of {', '.join(powers)}", phase)
    dropped = book.bids.drop_impossible()
    schedule.reckon(work, book)
    whose = named(powers, sorted(book.variant.named(neutrals)))
    sentence = f"{ruler} has changed orders of {whose} for {phase.name} in {game.name}."
    correction = Correction(sentence, "Orders Corrected")
    if copied:
        told = {seat.address for power, seat in players_of(work.session, game).items() if power in powers}
    else:
        told = tell_owners(work, book, correction, {**dict.fromkeys(powers, ()), **dropped})
    notices.tell_all(work, _announcement(game, phase, correction), told)


def _announcement(game: Game, phase: Phase, correction: Correction, **own: object) -> notices.Announcement:
    position = position_view(board(game, phase)[0], correction.position) if correction.position else None
    common = {
        "sentence": correction.sentence, "changes": correction.changes, "position": position, "power": "",
        "forms": [], "due_is_told": False,
    }  # fmt: skip
    return notices.Announcement(game, phase, "corrected", f"{phase.name} {correction.what}", common | own)


def tell_owners(
    work: Work, book: FiledOrders, correction: Correction, dropped: Mapping[str, Sequence[Unused]]
) -> set[str]:
    """Show the players of the powers in `dropped` their dropped orders, and their orders on file now.

    Returns the addresses of these players.
    """
    players = players_of(work.session, book.game)
    seats = {power: players[power] for power in dropped if power in players}
    for power, seat in seats.items():
        own = {
            **on_file(book, power),
            "dropped": dropped[power],
            "forms": own_forms(work, book, [seat]) if dropped[power] else [],
        }
        notices.tell_seat(work, seat, _announcement(book.game, book.phase, correction, **own))
    return {*by_address(seats.values())}


def named(powers: Sequence[str], neutrals: Sequence[str] = ()) -> str:
    """Return powers and neutrals in words, such as `France, Italy and neutrals (Venice)`."""
    which = f"neutrals ({listed(neutrals)})" if neutrals else "neutrals"
    return listed(which if power == NEUTRAL else power for power in powers)


def undo(work: Work, game: Game, phase: Phase, ruler: str) -> Dropped:
    """Undo all corrections of the position with which the open `phase` began. Raises Refusal if there are none."""
    before = kept.of(phase).get("position")
    position = before and without_lost(game, position_from_json(variant_of(game), before))
    if not position or position_to_json(variant_of(game), position) == phase.position:
        raise Refusal(f"{phase.name} is the open phase of {game.name}, and nothing in its position was corrected.")
    sentence = f"{ruler} has undone all corrections of {phase.name} in {game.name}."
    dropped = give_position(work, game, phase, Correction(sentence, "Position Corrected", (), position))
    phase.kept = None
    return dropped


def change_border(work: Work, game: Game, phase: Phase | None, change: BorderChange | CoastChange) -> None:
    """Change a border from now on, or coasts before the game begins. Raises OrderError.

    The caller must then call `tell_borders`.
    """
    borders = settings_of(game).borders
    if isinstance(change, CoastChange):
        borders = with_coast_change(published_variant(game), borders, change)
    else:
        if phase:
            lock(work.session, phase)
        borders = with_change(borders, change)
    change_settings(game, borders=borders)
    work.log("border", game, str(change))


def tell_borders(work: Work, game: Game, phase: Phase | None, changes: Sequence[str], ruler: str) -> Dropped:
    """Notify all players, in one email, of changes to the board, which are given in words.

    If a game has begun, `phase` is the open phase. Orders for this phase that need a removed border are dropped, and
    returned.
    """
    sentence = f"{ruler} has corrected the board of {game.name}, for this game only."
    if phase:
        return _change_board(work, game, phase, Correction(sentence, "Border Corrected", changes))
    notices.tell_news(work, game, "Border Corrected", " ".join([sentence, *changes]))
    return Dropped({}, {})


def declare_disorder(work: Work, game: Game, phase: Phase, power: str, by: str, *, just_left: bool) -> None:
    """Put `power`, which has no player, into civil disorder, and notify all people in one email.

    If `just_left` is true, the email also says that the player was removed, unless the game is quiet.
    """
    change_settings(game, disorder=[*settings_of(game).disorder, power])
    book, before, lost = FiledOrders(work.session, game, phase), kept.filed(work.session, phase), kept.of(phase)
    book.withdraw(power)
    book.bids.withdraw(power)
    gone = kept.missing(kept.filed(work.session, phase), before)
    kept.keep(phase, **{name: [*lost.get(name, ()), *gone[name]] for name in gone})
    splits = is_disorder_final(game)
    becomes = "its centers become neutral" if splits else "its units hold, the game won't wait for it"
    left = just_left and shown_to(None, game).changes
    did = f"removed the player of {power} in {game.name} and put it" if left else f"put {power} in {game.name}"
    text = f"{by} has {did} into permanent civil disorder: {becomes}, and it cannot be taken over."
    what = f"Civil Disorder: {power}"
    if not splits:
        _tell_disorder(work, game, phase, power, what, text)
        schedule.reckon(work, book)
        return
    # The email also shows the new position, and the orders or bids of its reader that have become impossible.
    variant, position = board(game, phase)
    done = civil_disorder(position, power)
    changes = [f"{power}: {variant.called(unit)} has been removed." for unit in done.vanished]
    changes += [f"{name} is now neutral, with an army." for name in variant.named(done.independent)]
    changes += [f"{name} becomes neutral if it is empty after a Fall." for name in variant.named(done.later)]
    work.log("disorder", game, f"{phase.name} {what}", phase)
    give_position(work, game, phase, Correction(text, what, changes, done.position))


def is_disorder_final(game: Game) -> bool:
    """Return whether civil disorder cannot be revoked, since the power has nothing left on the board."""
    return variant_of(game).neutrals.civil_disorder


def without_lost(game: Game, position: Position) -> Position:
    """Return the position of an earlier phase, changed by the civil disorder declared after that phase."""
    if is_disorder_final(game):
        for power in settings_of(game).disorder:
            position = civil_disorder(position, power).position
    return position


def revoke_disorder(work: Work, game: Game, phase: Phase, power: str, by: str) -> None:
    """End the civil disorder of `power` in the name of `by`, and ask the standby list for a player.

    The orders and bids that the civil disorder took back are restored if the same phase is still open.
    """
    change_settings(game, disorder=[other for other in settings_of(game).disorder if other != power])
    book, _ = set_board(work, game, phase)
    # This says the same whether there were orders, since others must not learn who has ordered.
    text = (
        f"{by} has ended the civil disorder of {power} in {game.name}: it is now open to a replacement. Orders that it "
        f"had on file for {phase.name} are valid again."
    )
    _tell_disorder(work, game, phase, power, f"No Civil Disorder: {power}", text)
    game_mails.ask_standby(work, game, [power])
    schedule.reckon(work, book)


def _tell_disorder(work: Work, game: Game, phase: Phase, power: str, what: str, text: str) -> None:
    notices.tell_comings(work, notices.news_of(game, f"{phase.name} {what}", text, about=f"player of {power}"))
    work.log("disorder", game, what, phase)
