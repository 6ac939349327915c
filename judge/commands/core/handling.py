"""Functions that handlers share, to find the game, power or address that a line means, and to change settings.

A handler of a game's setting returns a `Setting`, and `permissions.carry_out` applies it. Changes to a game take effect
immediately. One announcement has all changed settings of a letter, and another one the borders that successive lines
have corrected.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from judge.addresses import address_in
from judge.commands.core.answer import ALL_TOLD
from judge.commands.core.blocks import Block, read_blocks
from judge.commands.core.command import CommandError, NothingDone
from judge.commands.core.context import Acting, Announcements, CommandContext
from judge.games.core import acts
from judge.games.core.acts import May
from judge.games.core.board import published_variant, terms_of, variant_at
from judge.games.core.settings import FOR_ONE, SAID, TIMINGS, Terms, change_settings, change_words, settings_of
from judge.games.core.who_is_meant import Audience, NotMeant, People, read_recipients, read_seat
from judge.games.core.who_may_see import Fact, Shown, Stage, Viewer, may_see, seats_shown, shown_to, viewer
from judge.games.deadlines import schedule
from judge.games.deadlines.calendar import find_zone, no_zone
from judge.games.life import consent, corrections, membership
from judge.games.life.corrections import Dropped, named
from judge.games.life.membership import Left
from judge.games.notifications import notices
from judge.games.notifications.pictures import Scene, asked_for
from judge.games.orders.filed_orders import FiledOrders
from judge.letters import Line
from judge.mails.templates import when, when_in_words
from judge.rules import counted, listed
from judge.rules.game_options import in_words
from judge.store.games import WithPhase, game_named, games_among, open_phase
from judge.store.seats import games_of, seats_ever, seats_in, seats_of, with_players
from judge.store.tables import Application, Game, Person, Phase, Seat

NO_GAME = 'There is no game "{}" here. LIST shows the games.'

_FIRST = ("master", "player", "observer")


def asked_game(context: CommandContext, name: str | None, of: str = "") -> WithPhase:
    """Return the named game, else the game signed on to, else the sender's only game, with its open phase.

    Raises CommandError if there is no such game. If the answer is not about a game yet, this game becomes its game.
    `of` names the requested information in the refusal.
    """
    here = context.signed_on
    if name:
        game = game_named(context.session, name)
        if not game:
            raise CommandError(NO_GAME.format(name))
    else:
        game = here.game if here else _only_game(context, of)
    phase = here.phase if here and here.game is game else open_phase(context.session, game)
    if not context.answer.game:
        context.answer.game, context.answer.phase = game, phase
    return game, phase


def _only_game(context: CommandContext, of: str) -> Game:
    """Return the only game of the sender, or raise CommandError if the sender has no game, or several."""
    mine = games_of(context.session, context.letter.person)
    if len(mine) == 1:
        return mine[0]
    yours = f" You are in {', '.join(one.name for one in mine)}." if mine else ""
    command = f"{context.call.command.word} {of}".rstrip()
    raise CommandError(f"Which game? Write {command} <game>. LIST shows the games.{yours}")


def blocks_of(context: CommandContext, lines: Sequence[Line]) -> list[Block]:
    """Return the blocks of these lines, which are only a part of the letter."""
    reader = context.letter.reader
    return read_blocks(reader, lines, games_among(context.session, reader.names_in(lines)))


def seat_in(context: CommandContext, game: Game) -> Seat | None:
    """Return the sender's seat in `game`: the seat signed on to, or else one found by address.

    If the sender has several seats, a master's seat comes first. The address is enough for a question, because the
    answer goes to that address.
    """
    here = context.signed_on
    if here and here.game is game:
        return here.row
    return min(
        seats_in(context.session, game, context.letter.person), key=lambda seat: _FIRST.index(seat.role), default=None
    )


def power_meant(context: CommandContext, text: str) -> str:
    """Return the power, or group, that `text` names, or raise CommandError if it names none."""
    here = context.seat
    try:
        return read_seat(here.variant, text, People(context.session, here.game, here.row))
    except NotMeant as unread:
        raise CommandError(unread.told(f"{context.call.command.word} {{}}")) from None


def recipients_meant(context: CommandContext, text: str) -> Audience:
    """Return the audience that `text` names, or raise NotMeant if it names none."""
    here = context.seat
    return read_recipients(here.variant, text, People(context.session, here.game, here.row))


def zone_meant(context: CommandContext, text: str) -> str:
    """Return the time zone that `text` names, or raise CommandError if it names none."""
    zone, meant = find_zone(text)
    if not zone:
        why, instead = no_zone(text, meant)
        raise CommandError(f"{why} Write {context.call.command.word} {instead}.")
    return zone


def address_meant(context: CommandContext, text: str) -> str:
    """Return the address in the text, in its normal form, or raise CommandError if it has none."""
    address = address_in(text)
    if not address:
        raise CommandError(f'"{text}" is not an address. Write {context.call.command.word} jo@example.org.')
    return address


# For each name of an argument, the function that reads the argument for the handler.
READERS: Mapping[str, Callable[[CommandContext, str], str]] = {
    "power": power_meant,
    "zone": zone_meant,
    "address": address_meant,
}


def own_seats(context: CommandContext, game: Game) -> list[Seat]:
    """Return the seats in `game` that the sender has or had.

    If the answer is also copied to another person, only the seat signed on to is returned. Raises CommandError for a
    master who acts for a power. The master and the player may not read each other's emails.
    """
    here = context.signed_on
    if here and here.game is game and here.acting:
        raise CommandError("Ask in a separate email: while you act for a power, its player gets a copy of the reply.")
    if here and here.game is game and context.answer.copy_to:
        return [here.row]
    return list(seats_ever(context.session, game, context.letter.person)) if context.letter.person else []


def shown_in(context: CommandContext, game: Game) -> Shown:
    """Return what the sender may see of the people in `game`."""
    return shown_to(seat_in(context, game), game)


def show(context: CommandContext, game: Game, shown: Scene | None, svg: bool = False, part: str = "") -> None:
    """Add a picture of the scene `shown`, or of its `part`, to the answer, unless another was asked for before."""
    if any(answer.picture_id and not answer.shows_orders for answer in context.reply.answers):
        context.remark("an email has room for one map only, so ask for this one in a separate email.")
        return
    for answer in context.reply.answers:
        answer.picture_id, answer.shows_orders = None, False
    context.answer.picture_id = asked_for(context.work, shown, seat_in(context, game), svg, part)


def ask_for_word(context: CommandContext, line: str = "", about: Seat | None = None, act: str = "") -> None:
    """If `line` still needs the agreement of the players, ask them for it and raise NothingDone.

    By default `line` and `act`, a key of `ACTS`, are those of the command. `about` is the seat that the line is about,
    also after its player has left.
    """
    here, line, act = context.seat, line or context.call.plainly, act or context.call.command.act
    is_free = here.acting or context.letter.by_keeper
    alone = May.DOES if is_free else acts.may(context.session, here.game, here.row, act)
    waits = consent.answer(context.work, here.game, here.row, line, alone, about)
    if waits:
        raise NothingDone(waits)
    here.has_word = alone is May.WORD


def refuse_for_one(game: Game, what: str) -> None:
    """Raise CommandError in a game that one person plays, where `what` has no effect."""
    if settings_of(game).solo:
        raise CommandError(
            f"{game.name} is a game for one person, without deadlines, votes or press, so you cannot use {what}."
        )


UNCHANGED = "already set, so nothing changed."


@dataclass(frozen=True)
class Setting:
    """New `values` of the game's settings, by name.

    The announcement to all players has the sentence of each setting (judge/games/core/settings.py), after the reason
    `says`. `agreed` is true if all players have voted for the change.
    """

    values: Mapping[str, Any]
    says: str = ""
    agreed: bool = False

    def apply(self, context: CommandContext) -> None:
        """Store the values, unless the players must first agree and have not agreed yet."""
        here = context.seat
        before, graced = here.settings, here.pending.graced
        if not self.values.keys() <= FOR_ONE:
            refuse_for_one(here.game, context.call.plainly)
        after = replace(before, **self.values)
        # If NMR is set, only the command SET NMR itself is checked for too little grace.
        looked_at = [kind for kind in TIMINGS if "nmr" in self.values or kind in self.values and not after.nmr]
        graced |= dict.fromkeys(looked_at, context.call.line)
        if after == before:
            context.remark(UNCHANGED)
            return
        act = acts.MORE_TIME if acts.loosens(before, after) else acts.OTHER_SETTINGS
        if not self.agreed:
            ask_for_word(context, act=act)
        self._keep(context)

    def _keep(self, context: CommandContext) -> None:
        """Store the values, update the clock of the open phase, and add the settings to the announcement."""
        here = context.seat
        game, pending = here.game, here.pending
        pending.before = pending.before or (published_variant(game), here.settings)
        pending.by[ruler(context)] = None
        change_settings(game, **self.values)
        if here.phase and any(SAID[name].clock for name in self.values):
            schedule.rearm(context.work, game, here.phase)
            self._give_time(context, here.phase)
        for name in self.values:
            # Remove an earlier change, so that the announcement lists settings in the order of their last change.
            pending.changes.pop(name, None)
            pending.changes[name] = self.says
            pending.timed = pending.timed or TIMINGS.get(name)

    def _give_time(self, context: CommandContext, phase: Phase) -> None:
        """Extend a deadline that has passed without orders under MANUALPROCESS, since no one was late until now."""
        here = context.seat
        ends_manual = self.values.get("manual_process") is False
        if ends_manual and here.book.late(context.work.now):
            note_clock(context)
            why = f"The deadline of {phase.name} in {here.game.name} had passed while the phase waited for its master."
            schedule.extend(context.work, here.game, phase, why)


def keep(
    context: CommandContext, row: Person | Seat | Game | Application, says: str, again: str = UNCHANGED, **values: Any
) -> None:
    """Store values that concern only the sender, and remark `says`, or `again` if they were already stored."""
    is_so = all(getattr(row, name) == value for name, value in values.items())
    for name, value in values.items():
        setattr(row, name, value)
    context.remark(again if is_so else says)


def note_clock(context: CommandContext) -> None:
    """Note the moments of the open phase before a command changes them, for `tell_changes`."""
    phase, pending = context.seat.open_phase, context.seat.pending
    pending.timed = "M"
    if not pending.clock or pending.clock[0] is not phase:
        pending.clock = phase, terms_of(phase)


def _tell_clock(context: CommandContext, phase: Phase, before: Terms) -> None:
    """Say in the verdict which moments of the open phase the block has changed."""
    game, now, zone = context.seat.game, terms_of(phase), context.zone
    if phase.processed_at or game.state != "active":
        return
    usual_start = schedule.usual_start(game, phase)
    said = [*_moved(phase.name, before, now, zone), *_start_moved(phase.name, before, now, usual_start, zone)]
    still = f"The deadline of {phase.name} is still {when(now.deadline_at, zone)}."
    context.settle((" ".join(said) or still) + ALL_TOLD)
    if phase.early_at:
        at = when(phase.early_at, zone)
        instead = " To wait for the deadline, send SET WAIT." if context.work.now < now.deadline_at else ""
        context.settle(f"All orders are in, so it will be processed on {at}.{instead}")


def _moved(name: str, before: Terms, now: Terms, zone: str) -> Iterator[str]:
    """Yield sentences on a new deadline, and on a new length of grace."""
    if now.deadline_at != before.deadline_at:
        yield f"The deadline of {name} is now {when(now.deadline_at, zone)} (was {when(before.deadline_at, zone)})."
    if now.grace_ends_at - now.deadline_at != before.grace_ends_at - before.deadline_at:
        yield f"Grace for {name} now ends {when(now.grace_ends_at, zone)}."


def _start_moved(name: str, before: Terms, now: Terms, usual: datetime, zone: str) -> Iterator[str]:
    """Yield a sentence if the phase has another START, or none any longer. `usual` is its start without SET START."""
    if now.earliest_at == before.earliest_at:
        return
    if now.earliest_at == usual:
        yield f"{name} will be processed once all orders are in."
        return
    was = f" (START was {when(before.earliest_at, zone)})" if before.earliest_at > usual else ""
    yield f"{name} won't be processed before {when(now.earliest_at, zone)}{was}. To undo this, send SET NO START."


def tell_changes(context: CommandContext) -> None:
    """Notify all players of settings that the block has changed, and show the sender changed deadlines."""
    here, work = context.seat, context.work
    game, phase, pending = here.game, here.phase, here.pending
    if pending.clock:
        _tell_clock(context, *pending.clock)
        pending.clock = None
    changes = _changes_of(context, pending)
    if changes:
        # One announcement has the changes by all blocks of the letter, because this block may reverse an earlier
        # change.
        whole = context.letter.changed.setdefault(game.name, Announcements())
        whole.before, whole.zone = whole.before or pending.before, pending.zone or whole.zone
        whole.changes |= pending.changes
        whole.by |= pending.by
        told = {"by": list(whole.by), "changes": [*_changes_of(context, whole), *_ending(context)]}
        news = notices.Announcement(game, phase, "changes", "Parameter Change", told, about="changes")
        notices.tell_all(work, news, read_reply(context))
    if len(changes) > 1:
        context.settle(f"{len(changes)} settings of {game.name} have been changed.{ALL_TOLD}")
        context.confirm("\n".join(changes))
    elif changes:
        context.settle(f"{game.name}: {changes[0]}")
    elif pending.before:
        context.settle(f"The settings of {game.name} are the same as before.")
    for sentence in _ending(context) if changes else ():
        context.settle(sentence)
    if pending.timed and game.state not in ("paused", "finished"):
        coming = schedule.coming(work, game, phase, pending.timed)
        lines = [f"{what}: {when_in_words(moment, game.zone, work.now)}" for what, moment in coming]
        heading = f"Next deadlines, in the time zone of {game.name}, {game.zone}:"
        context.confirm("\n".join([heading, *lines]))
    if pending.graced:
        _warn_of_grace(context)
    here.pending = Announcements(ejected=pending.ejected, borders=pending.borders)


def _changes_of(context: CommandContext, pending: Announcements) -> list[str]:
    changes = change_words(*pending.before, context.seat.settings, pending.changes) if pending.before else ()
    return [*changes, *filter(None, [pending.zone])]


def _ending(context: CommandContext) -> list[str]:
    """Return a sentence, in a list, if the open phase is due immediately, since its grace had ended before."""
    phase = context.seat.phase
    if not phase or not phase.due_at or phase.due_at > context.work.now:
        return []
    without = " without the missing orders" if context.seat.book.missing() else ""
    return [f"The time for orders in {phase.name} is over, so it is now processed{without}."]


_PHASES = {"move": "movement", "retreat": "retreats", "adjust": "adjustments"}
# The minimum grace, in hours, that causes no warning with NMR, and without it.
_A_DAY, _SOME = 24.0, 0.01


def _warn_of_grace(context: CommandContext) -> None:
    """Warn of phases in which the new settings give late players too little grace, and suggest a command for more."""
    settings, graced = context.seat.settings, context.seat.pending.graced
    if settings.nmr:
        least, what = _A_DAY, "with less than 24 hours of grace{}, late players get little warning."
    else:
        least, what = _SOME, "without grace{}, players lose their power if they are late."
    short = [kind for kind in graced if getattr(settings, kind).grace < least]
    if not short or settings.manual_process:
        return
    where = f" in {listed(_PHASES[kind] for kind in short)}"
    instead = [f"SET {kind.upper()} GRACE 48" for kind in short]
    if len(short) == len(_PHASES):
        where, instead = "", ["SET GRACE 48"]
    helps = "helps" if len(instead) == 1 else "help"
    context.remark(f"{what.format(where)} {listed(instead)} {helps}.", line=graced[short[-1]])


def tell_borders(context: CommandContext) -> None:
    """Notify all players, in one email, of the borders that the previous lines of the block have corrected."""
    here = context.seat
    game, phase, changes = here.game, here.phase, here.pending.borders
    if not changes:
        return
    here.pending.borders = []
    told = [in_words(variant_at(game, phase), text) for text in changes]
    dropped = corrections.tell_borders(context.work, game, phase, told, ruler(context))
    look_again(context)
    context.settle(f"The board of {game.name} has been corrected: {' '.join(told)}{ALL_TOLD}")
    tell_dropped(context, dropped)


def tell_ejected(context: CommandContext) -> None:
    """Notify all players of the players whom this block has removed from seats, if no other email mentions them."""
    here = context.seat
    for left in here.pending.ejected:
        membership.tell_left(context.work, here.game, left)
        context.say(after_ejection(context, left.seat))
    here.pending.ejected = []


def after_ejection(context: CommandContext, seat: Seat) -> str:
    """Return advice for after a removal: how to get a new player, and keep the old one out."""
    here = context.seat
    game, own = here.game, here.signed_on
    address = shown_to(own, game).address_of(seat) or "<their address>"
    deny = f"To keep its last player out of {game.name}, send DENY {address}."
    if seat.role != "player":
        return f"They can send OBSERVE {game.name} again. To keep them out, send DENY {address}."
    follows = membership.what_follows(context.session, game, seat)
    if not membership.is_open(context.session, game, seat.power):
        return f"{follows} {deny}".lstrip()
    asked = "People on the standby list are asked to take over. " if here.settings.listed else ""
    return f"{follows} {asked}If no one comes, send SET DISORDER {seat.power}. {deny}"


def ejected(context: CommandContext, seat: Seat) -> Left:
    """Return the removal of the player in `seat`, with a sentence to the player that says who removed them.

    The sentence has addresses of the people who removed the player, if the player may see them.
    """
    here = context.seat
    own, game = here.signed_on, here.game
    if own.person_id == seat.person_id:
        return Left(seat, "you have removed yourself")
    by, shown = ruler(context), shown_to(seat, game)
    players = [one for one, _ in seats_shown(context.session, game, shown) if one.role == "player" and one is not seat]
    addresses = [*filter(None, map(shown.address_of, players if here.has_word else [own]))]
    reached = f". You can reach them at {listed(addresses)}" if addresses and own.id else ""
    return Left(seat, f"{by[0].lower()}{by[1:]} has removed you{reached}", by)


def tell_dropped(context: CommandContext, dropped: Dropped) -> None:
    """Report how many orders a change to the board has made impossible, and the powers that gave them."""
    orders = {power: lost for power, lost in dropped.orders.items() if sees(context, "orders", power=power)}
    if orders:
        lost = counted(sum(map(len, orders.values())), "order")
        whose = named(list(orders))
        context.say(f"Dropped, because they are no longer possible: {lost} of {whose}.")


def ruler(context: CommandContext) -> str:
    """Return who gave the command, as the beginning of a sentence for all players, such as "The master"."""
    here = context.signed_on
    if not here or here.acting or here.row.role == "master":
        return "The keeper of this judge" if context.letter.by_keeper else "The master"
    if here.has_word:
        return "A vote of the players"
    return here.row.power or "A player"


def read_reply(context: CommandContext) -> set[str]:
    """Return the address that needs no notice of the changes, because its player reads about them in the reply."""
    return set() if context.letter.by_keeper else {context.seat.signed_on.address}


def look_again(context: CommandContext) -> None:
    """Load the open phase again after a change, and drop the cached orders on file."""
    here = context.seat
    here.phase = context.answer.phase = open_phase(context.session, here.game)
    here.forget_book()


def sees(
    context: CommandContext, fact: Fact, power: str = "", *, stage: Stage = "open", game: Game | None = None
) -> bool:
    """Return whether all readers of the answer may see this kind of fact about `power`.

    `power` is "" for all powers except the readers' own. `game` is the game that the fact is about, by default the game
    signed on to.
    """
    game = game or context.seat.game
    return all(may_see(reader, game, fact, stage, power) for reader in _readers(context, game))


def sees_who_owes(context: CommandContext, book: FiledOrders) -> bool:
    """Return whether all readers of the answer, a master's or a player's, may see whose orders are missing."""
    is_late = bool(book.late(context.work.now)) and shown_in(context, book.game).changes
    return is_late or sees(context, "orders", game=book.game)


def held_up(context: CommandContext, book: FiledOrders, but: Seat | None = None) -> list[str]:
    """Return clauses on the WAIT and the unspent points that keep a complete phase waiting for its deadline.

    The WAIT of the seat `but` is left out. A reader who may not see orders, or bids, gets only the numbers of powers.
    """
    if book.is_past_deadline(context.work.now):
        return []
    waiting = [seat for seat in book.waits() if seat is not but]
    powers = [seat.power for seat in waiting if seat.power]
    unspent = book.bids.unspent(with_players(context.session, book.game)) if book.variant.points else []
    has_seen = {fact: sees(context, fact, game=book.game) for fact in ("orders", "bids")}
    clauses = [
        text.format(listed(whose) if has_seen[fact] else counted(len(whose), "power"))
        for text, whose, fact in (
            ("WAIT is set for {}", powers, "orders"),
            ("points of {} are unspent", unspent, "bids"),
        )
        if whose
    ]
    return [*["a master has set WAIT"] * (len(waiting) > len(powers)), *clauses]


def _readers(context: CommandContext, game: Game) -> list[Viewer]:
    """Return the readers of an answer about the game: the sender, and the player for whom a master acts."""
    here, person = context.signed_on, context.letter.person
    seats = seats_of(context.session, game)
    if not here or here.game is not game:
        return [viewer([*filter(context.letter.is_from, seats)], seats)]
    own = here.signed_on
    mine = [seat for seat in seats if seat.person_id == own.person_id] if here.acting else [own]
    others = [person.key] if person else []
    sender = viewer([own], []) if context.letter.by_keeper else viewer(mine, seats, *others)
    return [sender, viewer([here.row], seats)] if here.acting else [sender]


def blind(context: CommandContext) -> Acting | None:
    """Return the `Acting` of a master who may not see the orders of the seat, or None."""
    here = context.seat
    if here.acting and not sees(context, "orders", power=here.row.power or ""):
        return here.acting
    return None
