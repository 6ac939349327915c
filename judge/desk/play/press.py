"""PRESS and BROADCAST: who a message is for, whether this game carries it, and an echo of who received it."""

import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from judge.desk.core.answer import Remark
from judge.desk.core.asking import shown_in
from judge.desk.core.command import SEATED, Body, Call, Command, Place, Who
from judge.desk.core.refusals import CommandError
from judge.desk.core.visit import REGISTER_FIRST, Visit
from judge.desk.core.wording import echo
from judge.games.core.board import variant_of
from judge.games.deadlines.timely_press import untimely
from judge.games.telling import press
from judge.games.telling.press import Audience, Message
from judge.rules import Variant
from judge.rules.board.listing import listed
from judge.store.lookups import powers_played
from judge.store.tables import Game, Person

_GREY = r"GREY|GRAY|ANONYMOUS|ANONYMOUSLY"
_WHITE = r"WHITE|UNANONYMOUS|UNANONYMOUSLY"
_MASTERS = {"m", "master", "gm"}
_OBSERVERS = {"o", "observer", "observers"}
_LEFT_OUT = "Quoted lines are passed on only above ENDPRESS, mails of the judge never."
_DAMAGED = (
    "Your letter was damaged on its way, and where the mail begins that you answer cannot be told for certain, so "
    "nothing was sent. Please send it again."
)
_BEGINS = re.compile(rf"BROADCAST|PRESS(?: (?:{_GREY}|{_WHITE}))? (?:TO|\+) (?P<to>.{{1,80}})", re.IGNORECASE)
_EVERYBODY = {"all", "everybody", "everyone"}
# Words that people write between two names, but that could also be read as letters of powers.
_SMALL_WORDS = {"to", "or", "from", "for"}


@dataclass(frozen=True)
class Addressed:
    """The words of PRESS: its colour, and its recipients (TO or +), or those it is not for (ALL BUT or -)."""

    grey: bool
    to: str | None
    plus: str | None
    but: str | None
    minus: str | None


def send_press(visit: Visit, call: Call, addressed: Addressed) -> None:
    """PRESS TO <recipients>, PRESS TO ALL BUT <recipients>: a message to some, its text below, up to ENDPRESS."""
    named, excluded = addressed.to or addressed.plus, addressed.but or addressed.minus
    game = visit.the_game
    variant = variant_of(game)
    audience = read_audience(variant, named) if named else press.everybody(variant)
    if excluded:
        audience = audience.without(read_audience(variant, excluded))
    _send(visit, call, audience, addressed.grey, audience.powers if named else ())


def broadcast(visit: Visit, call: Call, grey: bool) -> None:
    """BROADCAST: a message to everybody in the game, its text below, up to ENDBROADCAST."""
    _send(visit, call, press.everybody(variant_of(visit.the_game)), grey)


def official(visit: Visit, call: Call, subject: str | None) -> None:
    """OFFICIAL [<subject>]: a broadcast of the master, the subject above its text."""
    broadcast(visit, replace(call, body=(subject, "", *call.body)) if subject else call, grey=False)


def _send(visit: Visit, call: Call, audience: Audience, grey: bool, named: Collection[str] = ()) -> None:
    """Send the text below the line; `named`: the powers that the line names."""
    game, seat = visit.the_game, visit.the_seat
    if seat.role == "observer" and not visit.session.get_one(Person, seat.person_id).registered_at:
        raise CommandError(f"Nothing was sent: only observers who are registered may write press. {REGISTER_FIRST}")
    if visit.letter.damaged:
        raise CommandError(_DAMAGED)
    if begun := _another_message(variant_of(game), call.body):
        end = "ENDBROADCAST" if call.command.names[0] == "BROADCAST" else "ENDPRESS"
        within = f'"{begun}" begins another message within this one'
        raise CommandError(f"{within}, so nothing was sent: write {end} above it.")
    # Non-breaking spaces, which HTML editors put in, would say something about the writer's mail program.
    text = "\n".join(call.body).strip("\n").replace("\xa0", " ")
    if line := visit.visitor.redact.giving_away(text, game.name):
        shown = visit.visitor.redact(line)
        raise CommandError(f'"{shown}" would give a password away, so nothing was sent. Send the message without it.')
    if call.left_out and not text.strip():
        raise CommandError(f"{_LEFT_OUT} There is nothing else below this line, so nothing was sent.")
    message = Message(audience, grey, text)
    if refusal := untimely(visit.turn, game, visit.phase, seat, message):
        raise CommandError(f"{refusal} Nothing was sent.")
    try:
        received = press.carry(visit.turn, game, visit.phase, seat, message)
    except press.PressRefused as refusal:
        raise CommandError(f"{refusal} Nothing was sent.") from None
    why = f"  {_LEFT_OUT} {call.left_out} line{'' if call.left_out == 1 else 's'} left out.\n" if call.left_out else ""
    nobody = _nobody_plays(visit, game, named)
    visit.answer.remarks.append(Remark("note", call.line, f"sent to {listed(received)}.{nobody}\n{why}{echo(text)}"))


def _another_message(variant: Variant, text: Iterable[str]) -> str:
    """The line of the text that begins a message to others, who are not to be read by the readers of this one; "" if
    none does.
    """
    for line in text:
        found = _BEGINS.fullmatch(" ".join(line.split()).rstrip(" :"))
        if found and found["to"] is None:
            return line.strip()
        if found:
            with suppress(CommandError):
                read_audience(variant, found["to"])
                return line.strip()
    return ""


def _nobody_plays(visit: Visit, game: Game, named: Collection[str]) -> str:
    """That those of the `named` powers got nothing that nobody plays; a quiet game does not tell which these are."""
    played = powers_played(visit.session, game)
    gaps = [seat.name for seat in variant_of(game).seats if seat.name in named and seat.name not in played]
    if not gaps or not shown_in(visit, game).changes:
        return ""
    return f" Nobody plays {listed(gaps, 'or')}." if game.started_at else f" Nobody plays {listed(gaps, 'or')} yet."


def read_audience(variant: Variant, text: str) -> Audience:
    """Whom `text` names: powers by name or letter (also run together: FG), the master (M), observers (O), ALL.

    A word that is a power's name, or begins one with three letters or more, is never taken for letters: TURKEY is
    Turkey. Raises CommandError.
    """
    audience = Audience(frozenset(), masters=False, observers=False)
    for piece in _pieces(variant, text.strip()):
        for words in [piece] if _power(variant, piece) else piece.split():
            audience = audience.joined(_named(variant, words))
    if not audience:
        raise CommandError(f'"{text.strip()}" names nobody, so nothing was sent. {_example(variant)}')
    return audience


def _example(variant: Variant) -> str:
    one, other = variant.seats[:2]
    letters = f" or PRESS TO {one.letter}{other.letter}" if len(one.letter) == 1 else ""
    return f"Write PRESS TO {one.name}, {other.name}{letters} (M is the master, O the observers)."


def _pieces(variant: Variant, text: str) -> list[str]:
    """The parts between commas and the like; the & in the name of a power (Poland & Saxony) does not separate."""
    names = "|".join(re.escape(power.name) for power in variant.seats if "&" in power.name)
    whole = re.sub(names, lambda name: name[0].replace("&", "\0"), text, flags=re.IGNORECASE) if names else text
    pieces = re.split(r"[,;&+]|\band\b", whole, flags=re.IGNORECASE)
    return [piece.strip().replace("\0", "&") for piece in pieces]


def _named(variant: Variant, word: str) -> Audience:
    said = word.casefold()
    if said in _EVERYBODY:
        return press.everybody(variant)
    if said in _MASTERS or said in _OBSERVERS:
        return Audience(frozenset(), masters=said in _MASTERS, observers=said in _OBSERVERS)
    power = _power(variant, word)
    if power:
        return Audience(frozenset({power}), masters=False, observers=False)
    if said in _SMALL_WORDS:
        raise CommandError(
            f'"{word}" names nobody, so nothing was sent. If you mean letters of powers, write commas between them. '
            f"{_example(variant)}"
        )
    letters = {power.letter.casefold(): power.name for power in variant.seats}
    unknown = [letter for letter in said if letter not in letters and letter not in "mo"]
    if unknown:
        what = "colour or a power" if variant.groups else "power"
        raise CommandError(
            f'"{word}" is neither a {what} of this game nor letters of {"colours" if variant.groups else "powers"}, '
            f"so nothing was sent. {_example(variant)}"
        )
    powers = frozenset(letters[letter] for letter in said if letter in letters)
    return Audience(powers, masters="m" in said, observers="o" in said)


def _power(variant: Variant, word: str) -> str:
    """The power whose name or adjective is `word`, or begins with it if it has three letters or more; else ""."""
    said = word.strip().casefold()
    names = {
        name.casefold(): variant.seat_of(side.name)
        for side in variant.sides
        for name in (side.adjective, side.name)
    }
    if said in names:
        return names[said]
    begun = {power for name, power in names.items() if len(said) >= 3 and name.startswith(said)}
    return begun.pop() if len(begun) == 1 else ""


_COLOUR = rf"(?:\s+(?:(?P<grey>{_GREY})|{_WHITE}))?"
# A colour may be the name of a power; the others are options of press that this judge does not have.
_OWN = r"(?!.*\s(?:FAKE|FROM|PARTIAL|QUIET)\b)"

COMMANDS = (
    Command(
        names=("PRESS",),
        arguments="[WHITE|GREY] TO <powers> | TO ALL BUT <powers>",
        who=SEATED,
        topics=("press",),
        place=Place.GAME,
        passwordless=True,
        summary="a message to some, its text below, then ENDPRESS; powers by name or letter, M: master, O: observers",
        handler=send_press,
        pattern=_OWN
        + _COLOUR
        + r"\s+(?:TO\s+ALL\s+BUT\s+(?P<but>\S.*?)|TO\s+(?P<to>\S.*?)|\+\s*(?P<plus>[A-Z]+)|-\s*(?P<minus>[A-Z]+))\s*:?",
        body=Body.PRESS,
    ),
    Command(
        names=("BROADCAST", "PRESS TO ALL"),
        arguments="[WHITE|GREY]",
        who=SEATED,
        topics=("press",),
        place=Place.GAME,
        passwordless=True,
        summary="a message to everybody in the game, its text below, then ENDBROADCAST",
        handler=broadcast,
        pattern=_COLOUR + r"\s*:?",
        body=Body.PRESS,
    ),
    Command(
        names=("OFFICIAL",),
        arguments="[<subject>]",
        who=Who.MASTER,
        topics=("press",),
        place=Place.GAME,
        summary="a master's BROADCAST",
        handler=official,
        lasting=True,
        # In capitals, if anything stands behind it.
        pattern=r"(?:(?<=(?-i:OFFICIAL))\s+(?P<subject>\S.{0,300}?))?",
        body=Body.PRESS,
    ),
)
