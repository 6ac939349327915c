"""PRESS and BROADCAST: who a message is for, whether it may be sent, and an echo of who received it.

A message is sent word for word or not at all. A line in it that would give a password away stops it. A message without
its end word may have swallowed what its writer meant for the judge, so nothing in it may read like that.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from judge.commands.core.answer import echo, shortened
from judge.commands.core.command import SEATED, Body, CommandError, Family, Who, refused
from judge.commands.core.context import REGISTER_FIRST, CommandContext
from judge.commands.core.handling import recipients_meant, shown_in
from judge.commands.play.stray_lines import may_be_own_order
from judge.games.core.who_is_meant import Audience, NotMeant, everybody, read_recipients
from judge.games.core.work import Refusal
from judge.games.notifications import press
from judge.games.notifications.press import Message
from judge.games.orders.bids import may_be_bid
from judge.letters.signon_lines import possible_games, signon_words
from judge.rules import Variant
from judge.rules.board.names import counted, listed
from judge.store.seats import players_of
from judge.store.tables import Person

_GREY = r"GREY|GRAY|ANONYMOUS|ANONYMOUSLY"
_WHITE = r"WHITE|UNANONYMOUS|UNANONYMOUSLY"
_LEFT_OUT = "Quoted lines are passed on only above ENDPRESS, and the judge's own emails never."
_LONGEST_QUOTED = 60
_DAMAGED = (
    "Your email was damaged on its way, and it is not clear where the quoted email begins, so nothing was sent. Please "
    "send it again."
)
_BEGINS = re.compile(rf"BROADCAST|PRESS(?: (?:{_GREY}|{_WHITE}))? (?:TO|\+) (?P<to>.{{1,80}})", re.IGNORECASE)


_COLOUR = rf"(?:\s+(?:(?P<grey>{_GREY})|{_WHITE}))?"
# A colour may be the name of a power; the others are options of press that this judge does not have.
_OWN = r"(?!.*\s(?:FAKE|FROM|PARTIAL|QUIET)\b)"

command = Family("press", who=SEATED)


@command(
    "PRESS", arguments="[WHITE|GREY] TO <powers> | TO ALL BUT <powers>",
    pattern=_OWN
        + _COLOUR
        + r"\s+(?:(?P<but>TO\s+(?:ALL|EVERY(?:BODY|ONE))\s+(?:BUT|EXCEPT(?:\s+FOR)?)\s|-(?=\s*[A-Z]+\s*:?\s*[.;]?$))"
        r"|TO:?\s|\+(?=\s*[A-Z]+\s*:?\s*[.;]?$))\s*(?P<to>\S.*?)\s*:?",
    body=Body.PRESS, passwordless=True,
    help="a message to some powers, by name or letter (M: master, O: observers); its text on the next lines, then "
    "ENDPRESS",
)
def send_press(context: CommandContext, grey: bool, but: bool, to: str) -> None:
    """PRESS TO <recipients>, PRESS TO ALL BUT <recipients>: a message to some, its text below, up to ENDPRESS."""
    try:
        named = recipients_meant(context, to)
    except NotMeant as unread:
        how = f"PRESS {'GREY ' * grey}TO{' ALL BUT' * but} {{}}"
        raise CommandError(unread.told(how, "nothing was sent", " (M is the master, O the observers)")) from None
    if but:
        _send(context, everybody(context.variant).without(named), grey)
    else:
        _send(context, named, grey, named.powers)


@command(
    "BROADCAST", "PRESS TO ALL", arguments="[WHITE|GREY]", pattern=_COLOUR + r"\s*:?", body=Body.PRESS,
    passwordless=True,
    help="a message to everyone in the game: its text on the next lines, then ENDBROADCAST",
)
def broadcast(context: CommandContext, grey: bool) -> None:
    """BROADCAST: a message to everybody in the game, its text below, up to ENDBROADCAST."""
    _send(context, everybody(context.variant), grey)


@command(
    "OFFICIAL", arguments="[<subject>]", pattern=r"(?:(?<=(?-i:OFFICIAL))\s+(?P<subject>\S.{0,300}?))?",
    who=Who.MASTER, body=Body.PRESS, lasting=True,
    help="the same, from the master",
)
def official(context: CommandContext, subject: str | None) -> None:
    """OFFICIAL [<subject>]: a broadcast of the master, the subject above its text."""
    if subject:
        context.call = replace(context.call, body=(subject, "", *context.call.body))
    broadcast(context, grey=False)


def _send(context: CommandContext, audience: Audience, grey: bool, named: Collection[str] = ()) -> None:
    """Send the text below the line; `named`: the powers that the line names."""
    game, seat, call = context.the_game, context.the_seat, context.call
    if seat.role == "observer" and not context.session.get_one(Person, seat.person_id).registered_at:
        raise CommandError(f"Nothing was sent: observers must register before they can write press. {REGISTER_FIRST}")
    if context.letter.damaged:
        raise CommandError(_DAMAGED)
    if begun := _another_message(context.variant, call.body):
        end = "ENDBROADCAST" if call.command.word == "BROADCAST" else "ENDPRESS"
        within = f'"{begun}" starts another message inside this one'
        raise CommandError(f"{within}, so nothing was sent. Write {end} above it.")
    redact = context.letter_context.redact
    if line := redact.giving_away("\n".join(call.body), game.name):
        shown = shortened(redact(line), _LONGEST_QUOTED)
        raise CommandError(f'Its line "{shown}" contains a password. Send the message without it.')
    if meant := "" if call.ended else next(_meant_for_judge(context), ""):
        shown = shortened(redact(meant.strip()), _LONGEST_QUOTED)
        raise CommandError(
            f'The message has no ENDPRESS, and its line "{shown}" may be meant for the judge. Write ENDPRESS on a line '
            "of its own where the message ends."
        )
    # Non-breaking spaces, which HTML editors put in, would say something about the writer's mail program.
    text = "\n".join(call.body).strip("\n").replace("\xa0", " ")
    if call.left_out and not text.strip():
        raise CommandError(f"{_LEFT_OUT} There was nothing else, so nothing was sent.")
    message = Message(audience, grey, text)
    with refused(Refusal, after=" Nothing was sent."):
        received = press.carry(context.work, game, context.phase, seat, message)
    why = f"  {_LEFT_OUT} {counted(call.left_out, 'line')} left out.\n" if call.left_out else ""
    # A quiet game does not tell which powers nobody plays.
    played = players_of(context.session, game)
    gaps = [one.name for one in context.variant.seats if one.name in named and one.name not in played]
    told = gaps and shown_in(context, game).changes
    nobody = f" No one plays {listed(gaps, 'or')}{'' if game.started_at else ' yet'}." if told else ""
    context.note(f"sent to {listed(received)}.{nobody}\n{why}{echo(text)}")


def _another_message(variant: Variant, text: Iterable[str]) -> str:
    """Return the line of the text that begins a message to others; "" if none does."""
    for line in text:
        found = _BEGINS.fullmatch(" ".join(line.split()).rstrip(" :"))
        if found and found["to"] is None:
            return line.strip()
        if found:
            with suppress(NotMeant):
                read_recipients(variant, found["to"])
                return line.strip()
    return ""


def _meant_for_judge(context: CommandContext) -> Iterator[str]:
    """Yield the lines of the message that may be meant for the judge.

    These are commands, orders for the writer's own units, bids, and sign-ons of games that exist.
    """
    yield from context.call.commands
    variant, games = context.variant, context.letter_context.games | {context.the_game.name}
    for line in context.call.body:
        signs_on = not possible_games(signon_words(line)).isdisjoint(games)
        if signs_on or may_be_bid(variant, line) or may_be_own_order(context, line):
            yield line
