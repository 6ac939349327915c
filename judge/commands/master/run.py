"""Commands of a game's master (GM), to process and undo phases, remove and exclude people, and act for players."""

from judge.commands.core.answer import ALL_TOLD
from judge.commands.core.command import CommandError, Family, When, Who
from judge.commands.core.context import Acting, CommandContext
from judge.commands.core.handling import (
    after_ejection,
    ask_for_word,
    blind,
    ejected,
    held_up,
    ruler,
    sees,
    sees_who_owes,
    show,
    tell_changes,
    tell_dropped,
)
from judge.commands.core.permissions import refuse_early, refuse_unnamed
from judge.games.core.board import lacks_master, vacant
from judge.games.core.settings import change_settings
from judge.games.core.who_may_see import PLAYS_TOO, limits_told
from judge.games.life import applications, forming, lifecycle, membership
from judge.games.life.rollback import REOPENS, form_again, phase_to_reopen, reached, rollback
from judge.games.notifications import game_mails, notices, pictures
from judge.games.orders.standing import full_report, may_bid
from judge.mails.results import results_of
from judge.mails.templates import when
from judge.rules import counted, listed, read_phase
from judge.store.games import open_phase, phases_of, played
from judge.store.people import person_at
from judge.store.seats import name_of, of_role, open_applications, players_of, seats_in, seats_of, with_players
from judge.store.tables import Game, Seat
from judge.time_limit import exempt_from_limit

command = Family("master", who=Who.MASTER, lasting=True)


@command(
    "PROCESS [<phase>]",
    "PROCESS!",
    when=When.RUNNING,
    of_phase=True,
    act="PROCESS",
    help="process the phase now; PROCESS! also does so if orders are missing, WAIT is set or points are unspent",
)
def process(context: CommandContext, phase: str | None) -> str:
    """Adjudicate the open phase immediately, with the orders on file. Another phase that PROCESS names is refused.

    If the phase still waits for something, PROCESS is refused, and only PROCESS! adjudicates.
    """
    game, due = context.seat.game, context.seat.open_phase
    if phase and (wanted := read_phase(phase)) != due.name:
        raise CommandError(f"The open phase of {game.name} is {due.name}, not {wanted}, so nothing was processed.")
    if context.call.name == "PROCESS" and (lacking := _lacking(context)):
        raise CommandError(f"Not processed: {lacking}. To process {due.name} anyway, send PROCESS! {due.name}.")
    ask_for_word(context, f"{context.call.name} {due.name}")
    with exempt_from_limit():
        processed = lifecycle.process(context.work, game, due, by=ruler(context))
    if not processed:
        raise CommandError(f"{due.name} has just been processed.")
    opened = open_phase(context.session, game)
    context.letter.opened |= {opened.id} if opened else set()
    return f"{due.name} of {game.name} has been processed. The results are on their way."


def _lacking(context: CommandContext) -> str:
    """Return in words what the phase still waits for, such as missing orders or a WAIT, or "" if it waits for nothing.

    Before the deadline, a reader who may not see orders gets only the numbers of powers. The sender's own WAIT is
    ignored.
    """
    book = context.seat.book
    missing, parts = book.awaited(), held_up(context, book, but=context.seat.row)
    if missing:
        whose = listed(missing) if sees_who_owes(context, book) else counted(len(missing), "power")
        parts.insert(0, f"orders of {whose} are missing")
    return listed(parts) if parts else ""


@command(
    "PREDICT",
    "PREVIEW",
    when=When.OPEN,
    lasting=False,
    act="PREDICT",
    help="show what would happen with the orders on file",
)
def predict(context: CommandContext) -> None:
    """Show the results of the orders on file, without processing them, to a master who may see all orders."""
    here = context.seat
    game, phase = here.game, here.open_phase
    if not (sees(context, "orders") and sees(context, "bids")):
        raise CommandError(
            f"{PLAYS_TOO}, so PREDICT is refused: it would show you what others have ordered for {phase.name}."
        )
    book = here.book
    with exempt_from_limit():
        outcome = book.adjudicated()
    context.settle(f"These would be the results of the orders on file for {phase.name}. Nothing was processed.")
    view = results_of(book.variant, book.position, outcome)
    has_bids = may_bid(book.variant, book.position)
    full = full_report(book.variant, book.position, outcome) if has_bids else None
    context.say(
        context.written("prediction", result=view, game=game, turn=phase.number, full=full, is_guess=False, left_out="")
    )
    show(context, game, pictures.scene(game, book.position, outcome, "prediction"))


@command(
    "TERMINATE <game>",
    reads="[<game>]",
    when=When.LIVING,
    act="TERMINATE",
    help="end the game without a result",
)
def terminate(context: CommandContext, game: str | None) -> str:
    """End the game without a result, and notify all players."""
    refuse_unnamed(context, game)
    ended = context.seat.game
    ask_for_word(context, f"TERMINATE {ended.name}")
    lifecycle.terminate(context.work, ended, context.seat.phase, ruler(context))
    return f"{ended.name} has been terminated."


@command(
    "ROLLBACK [<phase or turn>]",
    "ROLL BACK",
    reads="[[TO] <phase or turn>]",
    act="ROLLBACK",
    help="open an earlier phase again, with its orders: the last phase, or the one you name (F1903M, or the number of "
    "its turn); also reopens a game that has ended",
)
def roll_back(context: CommandContext, phase: str | None) -> str:
    """Open a phase again, by default the last one that was processed.

    A number instead of a phase is the turn number in the subject of the results, as in heron.004. Without a phase, an
    email that was sent before the open phase is refused, since it meant an earlier one.
    """
    work = context.work
    game = context.seat.game
    forms_again = game.state == "finished" and not game.started_at
    if not phase:
        refuse_early(context)
    wanted = "" if forms_again else _phase_meant(context, phase or "")
    if game.ended_at and work.now - game.ended_at > REOPENS and not context.letter.by_keeper:
        raise CommandError(
            f"{game.name} ended more than {REOPENS.days} days ago, so only the keeper of this judge can reopen it."
        )
    ask_for_word(context, f"ROLLBACK {wanted}".rstrip())
    if forms_again:
        form_again(work, game, ruler(context))
        return f"{game.name} is forming again.{ALL_TOLD}"
    opened, dropped = rollback(work, game, wanted, ruler(context), plays=not sees(context, "orders"))
    tell_dropped(context, dropped)
    return f"{game.name} has been rolled back to {opened.name}.{ALL_TOLD}"


def _phase_meant(context: CommandContext, written: str) -> str:
    """Return the phase with the name or number `written`, by default the last one. Raises CommandError or Refusal.

    Each vote is stored with this name. So a vote for "the last phase" always means the phase that was last when it was
    written.
    """
    game = context.seat.game
    phases = phases_of(context.session, game)
    if not written:
        return phase_to_reopen(game, phases, "").name
    if not written.isdigit():
        return read_phase(written)
    number = int(written)
    for phase in phases:
        if phase.number == number and not phase.processed_at:
            return phase.name
    turns = {one.number: one.name for one in reached(game, phases)}
    if number not in turns:
        there = f" Its turns are {min(turns)} to {max(turns)}." if turns else ""
        named = f" You can also name a phase: ROLLBACK {phases[0].name}." if phases else ""
        raise CommandError(f"Turn {number} was not played in {game.name}.{there}{named}")
    return turns[number]


@command(
    "FORCE BEGIN",
    "FORCE START",
    "ACTIVATE",
    when=When.FORMING,
    act="FORCE BEGIN",
    help="start with the players who have joined; the standby list is asked to fill the rest",
)
def force_begin(context: CommandContext) -> str:
    """Begin the game with the players who have joined, and open the other powers to replacements."""
    session, work = context.session, context.work
    game = context.seat.game
    if not of_role(seats_of(session, game), "player"):
        raise CommandError(f"No one has joined {game.name} yet.")
    if lacks_master(session, game):
        raise CommandError(f"{game.name} has Diplomacy Points, so it cannot begin without a master.")
    if again_at := forming.next_start(work, game):
        raise CommandError(
            f"{game.name} has already started {forming.MOST_STARTS} times within a day, and all players got emails "
            f"each time. You can start it again after {when(again_at, context.zone)}."
        )
    ask_for_word(context)
    phase = forming.start(work, game, ruler(context))
    free = vacant(game, phase, with_players(session, game))
    game_mails.ask_standby(work, game, free)
    opened = f" {listed(free)} {'is' if len(free) == 1 else 'are'} open to replacements." if free else ""
    return f"{game.name} has started. The start emails are on their way.{opened}"


@command(
    "UNSTART",
    "FORM",
    when=When.OPEN,
    act="UNSTART",
    help="return the game to forming, before its first phase is processed; FORCE BEGIN assigns the powers again",
)
def unstart(context: CommandContext) -> str:
    """Return the game to forming, if no phase was processed. FORCE BEGIN then assigns the powers again."""
    game, phase = context.seat.game, context.seat.open_phase
    if past := played(context.session, game):
        back = f"ROLLBACK {past[0].name}"
        raise CommandError(f"A phase of {game.name} has been processed. To go back to the first phase, send {back}.")
    ask_for_word(context)
    forming.unstart(context.work, game, phase, ruler(context))
    return f"{game.name} is forming again. FORCE BEGIN starts it.{ALL_TOLD}"


seating = Family("master", who=Who.MASTER, when=When.LIVING, lasting=True)


@seating(
    "EJECT <power> | <address>",
    act="EJECT",
    help="remove a player from the game",
)
def eject(context: CommandContext, power: str | None, address: str | None) -> str:
    """Remove a person from the game, and open a player's power to a replacement."""
    game = context.seat.game
    whom = power or address or ""
    # Until all players have agreed, the answer must not reveal whether an address is that of an observer.
    at_address = (seat for seat in players_of(context.session, game).values() if seat.address == whom)
    concerned = _seat_named(context, power) if power else next(at_address, None)
    named = concerned.power if concerned else whom
    ask_for_word(context, f"EJECT {named}", concerned)
    seat = _seat_named(context, whom)
    by_keeper = context.letter.by_keeper
    if why := "" if by_keeper else membership.why_master_stays(context.session, game, seat):
        raise CommandError(why)
    if seat.role == "player" and seat.power:
        # All players are notified at the end of the block, or together with a SET DISORDER that follows.
        membership.vacate(context.work, game, seat)
        context.seat.pending.ejected.append(ejected(context, seat))
    else:
        membership.leave(context.work, game, ejected(context, seat))
        context.say(after_ejection(context, seat))
    return f"{seat.power or seat.address} is no longer in {game.name}."


@seating(
    "DENY <address>", "SET DENY", "DENY PLAYER", act="DENY",
    help="keep a person out of the game, whichever of their addresses they write from; it removes no one (EJECT)",
)  # fmt: skip
def deny(context: CommandContext, address: str) -> str:
    """Forbid the person at this address to join the game, take over a power or observe."""
    here = context.seat
    game, session = here.game, context.session
    if address in here.settings.denied:
        raise CommandError(f"{address} is kept out of {game.name} already.")
    ask_for_word(context, f"DENY {address}")
    change_settings(game, denied=(*here.settings.denied, address))
    person = person_at(session, address)
    for application, who, _ in open_applications(session, game):
        if person and who.id == person.id:
            context.settle(applications.refuse(context.work, game, application, ruler(context)))
    stays = (
        f" {address} is still in the game: to remove this person, send EJECT {address}."
        if seats_in(session, game, person)
        else ""
    )
    return f"{address} is kept out of {game.name}.{stays} To undo this, send ALLOW {address}."


@seating("ALLOW <address>", "NO DENY", "SET NO DENY", act="DENY", help="take DENY back")
def allow(context: CommandContext, address: str) -> str:
    """Undo DENY for this address."""
    game, denied = context.seat.game, context.seat.settings.denied
    if address not in denied:
        those = f" These are: {', '.join(denied)}." if denied else ""
        raise CommandError(f"{address} is not kept out of {game.name}.{those}")
    ask_for_word(context, f"ALLOW {address}")
    change_settings(game, denied=tuple(one for one in denied if one != address))
    return f"{address} can join or observe {game.name} again."


@seating(
    "PROMOTE <address>",
    act="PROMOTE",
    help="make an observer a second master",
)
def promote(context: CommandContext, address: str) -> str:
    """Make an observer an additional master, and mail the new password only to the observer's address."""
    game = context.seat.game
    # Players may not know who observes, so they are asked to agree before the address is looked up.
    ask_for_word(context, f"PROMOTE {address}")
    seat = _seat_named(context, address)
    if seat.role != "observer":
        raise CommandError(f"{address} is not observing {game.name}. Only observers can be promoted.")
    make_master(context, game, seat)
    return f"{address} is now a master of {game.name}."


def make_master(context: CommandContext, game: Game, seat: Seat) -> None:
    """Give an observer's seat the role of a master, and notify all people who may know who joins the game.

    The new master gets a password. An observer needs none, but an address can be forged.
    """
    work = context.work
    word = work.draws.word("password")
    seat.role, seat.password = "master", work.services.passwords.keep_generated(word)
    blind = limits_told(game, seats_of(context.session, game), seat.person_id)
    zone, by = work.settings.zone, ruler(context)
    work.notify(seat.address, zone, "promoted", "You are a master", word, game=game, password=word, blind=blind, by=by)
    # All players may see the names of masters, but not the addresses of observers.
    name = name_of(context.session, seat)
    text = f"{by} has made {name} a master of {game.name}."
    notices.tell_comings(
        work,
        notices.news_of(game, f"Promotion of {name}", text, about=f"master {seat.id}"),
        skip={seat.address},
    )


@seating(
    "BECOME <power>",
    when=When.ANY,
    becomes=True,
    act="BECOME",
    help="act as that power on the lines that follow",
)
def become(context: CommandContext, power: str) -> None:
    """Carry out the rest of the block as this power, whose player gets a copy of the answer."""
    other, here, before = _seat_named(context, power), context.seat, context.answer
    tell_changes(context)
    if before.settled or before.remarks or before.texts:
        # Begin a new answer, because the player gets a copy only of the answers to the lines that follow.
        context.reply.begin(before.game, before.phase)
    master, here.row, context.answer.copy_to = here.row, other, other.address
    here.acting = Acting(master, here.on_file())
    context.answer.power = other.power or ""
    context.answer.verdict = f"You act for {other.power or other.role} in {here.game.name}."
    context.remark(f"the lines after this are carried out as {other.power}, who gets a copy of this reply.")
    if blind(context):
        context.say(f"{PLAYS_TOO}, so you see only what this email contains, not what is on file.")


@seating(
    "BECOME MASTER",
    who=Who.PLAYER,
    when=When.FORMING,
    becomes=True,
    help="as the only player of a forming game, become its master",
)
def become_master(context: CommandContext) -> str:
    """Change the only player of a forming game into its master."""
    here = context.seat
    game, seat = here.game, here.row
    if any(other.id != seat.id and other.role != "observer" for other in seats_of(context.session, game)):
        raise CommandError(f"Others have already joined, so {here.game.name} can no longer get a master.")
    seat.role = "master"
    return f"You are the master of {game.name}. Sign on with SIGNON M{game.name} <password>."


def _seat_named(context: CommandContext, whom: str) -> Seat:
    """Return the seat of the power or address `whom`, or raise CommandError if there is none, or several."""
    game = context.seat.game
    found = [seat for seat in seats_of(context.session, game) if whom in (seat.power, seat.address)]
    if len(found) != 1:
        several = f"{whom} has {len(found)} places in {game.name}. Name the power instead of the address."
        raise CommandError(
            several if found else f"No one {'has the address' if '@' in whom else 'plays'} {whom} in {game.name}."
        )
    return found[0]
