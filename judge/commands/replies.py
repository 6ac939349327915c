"""Write the emails that answer a letter: the reply and copies for other players, or a hint if there is no command.

If the judge fails to handle a letter, its sender gets a polite note and the keeper gets the error.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from judge.commands.core.answer import Answer
from judge.commands.core.blocks import Block, calls_in
from judge.commands.core.context import CommandContext
from judge.commands.core.proofs import is_registered
from judge.commands.people import first_letters, joining, passwordless
from judge.commands.play.quoted_forms import are_quoted
from judge.commands.play.stray_lines import may_order
from judge.commands.play.subjects import own_subject, unread_beside
from judge.commands.play.unread_lines import meant_outside
from judge.games.core.board import is_signed_on_to, signon_of, variant_of
from judge.games.core.work import Work
from judge.games.life import forming
from judge.games.people import identity, mail_trouble, rate_limits
from judge.games.people.rate_limits import About, Proof, Reader
from judge.letters import Letter
from judge.letters.machine_mail import is_automatic
from judge.mails.mail_writer import Draft
from judge.rules import by_number, capitalized, listed
from judge.store.people import person_at, sender_at
from judge.store.seats import played_by, seats_in, seats_in_living_games
from judge.store.sent_mails import mails_since
from judge.store.tables import Game, LetterRow, Seat

# Strangers get at most one hint in this time. Without a limit, forged letters could flood an address with email.
_AN_HOUR = timedelta(hours=1)
# The maximum number of hints to a known sender in an hour. Without a limit, an automatic reply could cause an endless
# exchange.
MOST_HINTS = 10
# The maximum number of the sender's own sign-ons in a hint.
_MOST_SIGNONS = 5
# The maximum number of emails to the keeper in an hour about letters set aside. `judge status` shows all these letters.
MOST_TO_KEEPER = 10
# Commands whose answers have a separate limit (judge/games/people/rate_limits.py).
_NEEDED, _JOINING = {"CONFIRM"}, {"REGISTER", "CREATE"}
# The maximum size of a reply, in bytes. The texts of commands have already been limited to MOST_TEXT, with notes on
# omissions.
MOST_BYTES = 100_000
_NOT_ASKED = (
    "Your request needs a confirmation email, but too many have already been sent to you. Nothing was done. "
    "Please send your request again."
)
_COPY = "a copy has gone to the {}'s own address"
_NO_COPY = (
    "no copy has gone to the {}'s own address: emails to it bounce, so they are on hold until you write from "
    "there. To use another of your addresses, send SET ADDRESS and that address (after SIGNON)"
)
_IN_QUOTE = (
    "Your orders are in the quoted part of your email, so they were not recorded. Write them above it, with your "
    "SIGNON line and password."
)
_FORGED = "forged, so not answered"


def reply(context: CommandContext) -> None:
    """Mail one reply to the letter, and mail other players copies of the answers about their seats.

    If the letter must not be answered, for example because its From address is forged, only the copies are sent.
    """
    letter, reply = context.letter.parsed, context.reply
    for answer in reply.answers:
        if answer.phase and answer.phase.processed_at:
            answer.form = None  # this letter has caused the phase to be processed
    back = letter.reply_to if _may_be_answered_at(context, letter.reply_to) else letter.sender
    if context.letter.has_proved_it or back in {answer.copy_to for answer in reply.answers}:
        context.work.mail(_written(context, back, reply.answers))
    elif letter.silent:
        reply.doubt = "only the players are answered"
    elif is_forged_stranger(context.work, letter) and not context.letter.signons.people:
        reply.doubt = _FORGED
    else:
        _mail_or_put_off(context, _written(context, back, reply.answers))
    copy_to_holders(context, besides=back)


def copy_to_holders(context: CommandContext, besides: str = "") -> None:
    """Mail players copies of what others have done in their seats, one email for each game.

    `besides` is the address that gets the reply and needs no copy.
    """
    for address in sorted({answer.copy_to for answer in context.reply.answers} - {"", besides}):
        copied = [answer for answer in context.reply.answers if answer.copy_to == address]
        if _may_be_answered_at(context, address):
            context.work.mail(_written(context, address, copied))
            continue
        of_game: dict[str, list[Answer]] = {}
        for answer in copied:
            if answer.game:
                of_game.setdefault(answer.game.name, []).append(answer)
        for answers in of_game.values():
            _copy(context, address, answers)


def _may_be_answered_at(context: CommandContext, address: str) -> bool:
    """Return whether a reply may be sent to this address, which must be an address of the letter's sender.

    A reply is sent to a recently added address only if the letter proves its sender. Otherwise the writer could be the
    person who added the address without permission.
    """
    found = sender_at(context.session, address, context.work.now - identity.NEW_ADDRESS) if address else None
    if not found or found.person != context.letter.person:
        return False
    return not found.added_at or context.letter.proves_sender


def topic_of(context: CommandContext, blocks: Sequence[Block]) -> About:
    """Return the kind of rate limit for the reply. Replies that a player must not miss have a separate limit."""
    letter = context.letter
    names = {call.command.word for call in calls_in(blocks)}
    if letter.signons.refused or names & _NEEDED:
        person = letter.person or person_at(context.session, letter.sender)
        if person and seats_in_living_games(context.session, person, "player", "master"):
            return "needed"
    return "joining" if names & _JOINING else "other"


def _mail_or_put_off(context: CommandContext, late: Draft) -> None:
    """Mail the draft, or postpone it if its reader has recently had too many emails."""
    reply, reader = context.reply, context.letter.asker(late.to, context.reply.about)
    if rate_limits.admits(context.work, reader):
        reply.unanswered = ""
        context.work.mail(late)
        return
    late, verdict = replace(late, letter=context.letter.parsed), verdict_of(context)
    if reply.token:
        # A postponed reply is joined to others. Sending it back confirms nothing, and its token may have expired.
        late, verdict = replace(late, body=_NOT_ASKED, secret=reply.secret), _NOT_ASKED
    until = rate_limits.put_off(context.work, reader, late, verdict or late.first)
    reply.unanswered = f"answered after {until:%Y-%m-%d %H:%M} UTC"


def is_forged_stranger(work: Work, letter: Letter) -> bool:
    """Return whether the judge's mail server found the letter forged, and its From address is not registered.

    An email to this address would reach a person who has no contact with this judge, or inform the forger.
    """
    return letter.verified is False and not is_registered(person_at(work.session, letter.sender))


def verdict_of(context: CommandContext) -> str:
    """Return the verdicts of all answers to the letter, joined to one text."""
    answers = context.reply.answers
    verdicts = [answers[0].verdict] if len(answers) == 1 else [answer.named for answer in answers]
    return " ".join(verdict.replace("\n", " ") for verdict in verdicts)


def _written(context: CommandContext, address: str, answers: list[Answer]) -> Draft:
    """Return these answers as an email to `address`. A text that is too long is cut after a line."""
    work, reply, person = context.work, context.reply, context.letter.person
    letter, kind = context.letter.parsed, reply.kind
    warnings = [_warning(context, answers, address)]
    if answers is reply.answers:
        letter = _with_token(letter, reply.token)
        warnings = [_without_signon(context), unread_beside(context), reply.greeting, *warnings]
    else:
        kind = "reply"
    notes = [*map(capitalized, letter.notes), *_notes_of_copies(context, answers)]
    template_values = {"answers": answers, "notes": notes, "warning": " ".join(filter(None, warnings))}
    body = work.services.post.render("reply", context.sender_zone, clock=work.now, **template_values)
    about = next((answer for answer in reversed(answers) if answer.game), Answer())
    return Draft(
        to=address,
        kind=kind,
        letter=letter,
        letter_id=context.letter.row.id,
        body=_cut(body),
        plain=person is not None and not person.html,
        game=about.game,
        phase=about.phase,
        secret=" ".join(filter(None, (reply.secret, reply.token))) or None,
        picture_id=next((answer.picture_id for answer in answers if answer.picture_id), None),
        due=about.due,
        data=[one for answer in answers for one in answer.data],
    )


def _with_token(letter: Letter, token: str) -> Letter:
    """Return the letter with the token in its subject, so that a reply to the judge's email includes the token."""
    if not token:
        return letter
    # Leave out a subject with non-ASCII characters. It would be encoded, and a password in it could not be masked
    # later.
    own = letter.subject if letter.subject.isascii() else ""
    return replace(letter, subject=f"{own} (CONFIRM {token})".strip())


def _cut(body: str) -> str:
    if len(body.encode()) <= MOST_BYTES:
        return body
    whole = body.encode()[:MOST_BYTES].decode(errors="ignore").rpartition("\n")[0]
    return f"{whole}\n\nThis reply was too long, so its end was left out. Ask for less in one email.\n"


def _notes_of_copies(context: CommandContext, answers: Sequence[Answer]) -> Iterator[str]:
    """Yield a sentence that names the players who get a copy of these answers."""
    copied = {answer.copy_to for answer in answers} - {""}
    if copied:
        copy = _NO_COPY if mail_trouble.are_held(context.work, copied) else _COPY
        whose = "'s and the ".join(sorted({answer.copied_as for answer in answers if answer.copy_to}))
        yield f"This is the reply to an email from {context.letter.sender}, and {copy.format(whose)}"


def _warning(context: CommandContext, answers: Sequence[Answer], reader: str) -> str:
    """Return a warning if the judge's mail server found a letter with a sign-on to be forged, or "".

    `reader` is the address that gets the warning. `reader` is "" for a player who may not learn who wrote the letter.
    """
    letter = context.letter.parsed
    if letter.verified is not False or not any(answer.copy_to for answer in answers):
        return ""
    if reader == letter.sender:
        return "Your mail provider reports that this email is not from your address."
    claimed = letter.sender if reader else "the address it claims"
    return f"A mail provider reports that this email is not from {claimed}."


def _copy(context: CommandContext, address: str, answers: Sequence[Answer]) -> None:
    """Mail a player a copy of the answers about their seat. In a gunboat game, it does not name the sender."""
    last, services = answers[-1], context.work.services
    assert last.game
    who, claimed, zone = context.letter.sender, address, context.sender_zone
    # Leave out the letter's own subject, which may be about other seats.
    letter: Letter | None = replace(context.letter.parsed, subject="")
    by_master = bool(seats_in(context.session, last.game, context.letter.person, "master"))
    if context.letter.by_keeper:
        who, letter = "The keeper of this judge", context.letter.parsed
    elif by_master and not last.hides_people:
        who = f"The master of the game ({who})"
    elif last.hides_people:
        who = "The master of the game" if by_master else "Someone who writes from an address that is not yours"
        claimed, zone, letter = "", services.settings.zone, None
    warnings = (_warning(context, answers, claimed), f"{who} has signed on as you. The reply is below.")
    body = services.post.render(
        "reply", zone, clock=context.work.now, answers=[answer.copied for answer in answers], notes=[],
        warning=" ".join(filter(None, warnings)),
    )  # fmt: skip
    subject = f"{last.phase.name} Done for You" if last.phase else "Done for You"
    context.work.mail(
        Draft(
            to=address, kind="reply", subject=subject, letter=letter, body=body, game=last.game, phase=last.phase,
            secret=context.reply.secret,
        )
    )  # fmt: skip


def hint(context: CommandContext, found: Iterable[str]) -> None:
    """Answer a letter without a command, by explaining commands or naming the sign-on that its orders lack.

    A player needs the hint on a missing sign-on, so it is never dropped. The general hint is limited to a few in an
    hour, because nothing is lost without it. `found` has the reasons why a sign-on in the letter was not recognized.
    """
    reply = context.reply
    work, letter, person = context.work, context.letter.parsed, context.letter.person
    lines = [*letter.texts, own_subject(letter)]
    signons = list(_signons_missing(context, lines))
    reply.unanswered = "not answered"
    if is_forged_stranger(work, letter):
        reply.doubt = _FORGED
        return
    orders = first_letters.holds_order(context, lines)
    seats = seats_in_living_games(work.session, person, "player", "master")
    # Orders that fit no game of the sender are for none of these sign-ons.
    plays, own = orders or bool(seats), [] if orders else [*_signon_lines(context, seats[:_MOST_SIGNONS])]
    values = {"signons": signons, "plays": plays, "orders": orders, "own": own, "registered": is_registered(person)}
    if signons:
        reply.about = "needed"
        _mail_or_put_off(context, _hint(context, found, {**values, **_NOTHING_OFFERED}))
        return
    most = 1 if person is None or is_automatic(letter.subject, lines) else MOST_HINTS
    if mails_since(work.session, letter.sender, "hint", work.now - _AN_HOUR) >= most:
        return
    late = _hint(context, found, {**values, **_offered(context, to_newcomer=not plays)})
    if rate_limits.admits(work, context.letter.asker(late.to, reply.about)):
        reply.unanswered = ""
        work.mail(late)


def _hint(context: CommandContext, found: Iterable[str], values: Mapping[str, object]) -> Draft:
    """Return a hint as an email to the sender.

    `found` has the reasons why a sign-on in the letter was not recognized. `values` are variables of the template.
    """
    letter, unread = context.letter.parsed, unread_beside(context)
    if not values["signons"] and are_quoted(context):
        unread, found = f"{_IN_QUOTE} {unread}".rstrip(), ()
    commands = "" if values["signons"] or values["orders"] else _without_signon(context)
    notes = (*filter(None, [context.reply.greeting.rstrip(".")]), *letter.notes, *found)
    body = context.work.services.post.render(
        "hint", context.sender_zone, notes=notes, commands=commands, unread=unread, **values
    )
    return Draft(to=letter.sender, kind="hint", letter=letter, letter_id=context.letter.row.id, body=body)


# The hint's variables for newcomers: a game to join, its sign-on, a welcome, and why a named game is closed.
_NOTHING_OFFERED: dict[str, object] = {"forming": "", "signon": "STANDBY", "welcome": (), "closed": ""}


def _offered(context: CommandContext, *, to_newcomer: bool) -> dict[str, object]:
    """Return the variables of a hint's template about games to join. Only a newcomer gets a welcome and a game."""
    session = context.session
    asked, closed = first_letters.game_named(context)
    offered = {**_NOTHING_OFFERED, "closed": closed}
    if not to_newcomer:
        return offered
    offered["welcome"] = first_letters.welcome(context)
    if joined := asked or forming.first_to_join(session):
        needs = forming.what_is_missing(session, joined).rstrip(".")
        offered["forming"] = f"{joined.name} ({variant_of(joined).label}; {needs})"
        offered["signon"] = f"SIGNON ?{joined.name}"
    elif any(opening := joining.first_opening(session)):
        offered["forming"], offered["signon"] = opening
    return offered


def _signons_missing(context: CommandContext, lines: Sequence[str]) -> Iterator[str]:
    """Yield the missing sign-ons, one for each of the sender's seats for which the lines may be orders."""
    seats = played_by(context.session, context.letter.person)
    yield from _signon_lines(context, [own for own in seats if may_order(context.session, own[1], own[0], lines)])


def _signon_lines(context: CommandContext, seats: Iterable[tuple[Seat, Game]]) -> Iterator[str]:
    """Yield the line that signs the sender on to each of these seats."""
    for seat, game in seats:
        if is_signed_on_to(game, seat):
            signon = f"SIGNON {signon_of(game, seat)}"
            yield signon if passwordless.suffices(context, game, seat) else f"{signon} <password>"


def _without_signon(context: CommandContext) -> str:
    """Return a sentence on the lines that were not read for lack of a sign-on, or ""."""
    lines = list(meant_outside(context))
    if not lines:
        return ""
    named = Answer(redact=context.reply.redact).some(lines)
    below = listed([*_signons_missing(context, lines)] or ["your SIGNON line"], "or")
    said = by_number(
        len(lines),
        "{} was not read, because it is not between SIGNON and SIGNOFF: write it below {}.",
        "{} were not read, because they are not between SIGNON and SIGNOFF: write them below {}.",
    )
    return said.format(named, below)


def tell_set_aside(work: Work, row: LetterRow, letter: Letter | None, error: str) -> None:
    """Notify the keeper that a letter was set aside, and also its sender if the letter could be read.

    A player who has recently had too many answers gets the note as soon as the limit allows it.
    """
    row.sender, keeper = letter.sender if letter else "", work.settings.keeper
    if mails_since(work.session, keeper, "keeper", work.now - _AN_HOUR) < MOST_TO_KEEPER:
        why = error.strip().splitlines()[-1]
        work.notify_keeper("keeper", f"Email {row.id} set aside", letter=row, error=why)
    if not letter or not letter.sender or letter.silent or is_forged_stranger(work, letter):
        return
    services, person = work.services, person_at(work.session, letter.sender)
    plays = seats_in_living_games(work.session, person, "player", "master")
    proof: Proof = "verified" if letter.verified else "none"
    reader = Reader(letter.sender, is_registered(person), proof, "needed" if plays else "other")
    body = services.post.render("shunted", services.settings.zone, keeper=keeper)
    late = Draft(to=letter.sender, kind="shunted", letter=letter, letter_id=row.id, body=body)
    # An invalid address of the sender raises ValueError. Then only the keeper is notified.
    with suppress(ValueError):
        if rate_limits.admits(work, reader):
            work.mail(late)
        elif plays:
            rate_limits.put_off(work, reader, late, late.first)
