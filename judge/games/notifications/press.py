"""Press: messages between the people in a game.

White press names the sender's power. Grey press names no one, but the master sees who wrote it. The judge passes on
only the text. No header, signature or character set of the writer's email reaches a reader.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from judge.games.core.board import variant_of
from judge.games.core.settings import settings_of
from judge.games.core.who_is_meant import Audience, everybody
from judge.games.core.who_may_see import shown_to
from judge.games.core.work import Refusal, Work
from judge.games.notifications.gathering import is_wanted
from judge.games.orders.filed_orders import FiledOrders
from judge.mails.mail_writer import Draft
from judge.rules import Variant, capitalized, counted, kind, listed
from judge.store.people import people_of
from judge.store.seats import by_power, has_master, of_role, seats_of, with_players
from judge.store.sent_mails import press_since
from judge.store.states import Role
from judge.store.tables import Game, Person, Phase, Press, Seat

_HOUR = timedelta(hours=1)
_THE_MASTER, _THE_OBSERVERS = "the master", "the observers"
# The word for a person without a power.
_WITHOUT_POWER: Mapping[Role, str] = {"master": "the master", "observer": "an observer", "player": "a player"}
# The names of senders that players can ignore in addition to powers (SET IGNORE).
GREY, OF_OBSERVERS = "grey press", "observers"


@dataclass(frozen=True)
class Message:
    """A text and its audience. If `grey` is true, its sender is not named.

    A reply to an earlier message goes to the people in the seats `only`. A reply must not reveal an anonymous writer.
    So all readers see the reply addressed to `shown`.
    """

    audience: Audience
    grey: bool
    text: str
    only: frozenset[int] | None = None
    shown: str = ""

    def is_for(self, seat: Seat) -> bool:
        """Return whether the person in `seat` gets the message."""
        return self.audience.has(seat) if self.only is None else seat.id in self.only


def carry(work: Work, game: Game, phase: Phase | None, sender: Seat, message: Message) -> list[str]:
    """Mail the message to its audience, except its sender, and store it. Raises Refusal.

    Returns words for the people who received the message. The words include powers without a player if the sender may
    not know which powers these are.
    """
    if why_not := _why_not(work, game, phase, sender, message):
        raise Refusal(why_not)
    variant = variant_of(game)
    addressed = [seat for seat in seats_of(work.session, game) if message.is_for(seat)]
    readers = [seat for seat in addressed if seat.id != sender.id]
    vacant = _hidden_vacancies(work, game, sender, message)
    # If the sender is the only reader, a refusal would reveal that the sender wrote the grey message.
    hides_writer = message.grey and message.shown
    if not (readers or vacant or hides_writer):
        raise Refusal(_nobody_there(variant, message.audience, sender))
    named = _named(game, addressed, sender, message)
    recipients = message.shown or _recipients(variant, named)
    press = _keep(work, phase, sender, message, recipients, readers)
    people = people_of(work.session, game)
    mailed = [(seat, person) for seat in readers if _wants(seat, person := people[seat.person_id], sender, message)]
    _mail(work, game, phase, press, _subject(variant, sender, message, named), mailed)
    work.log("press", game, f"{sender.power or sender.role} to {len(readers)}")
    return _received(variant, message, readers, vacant)


def _why_not(work: Work, game: Game, phase: Phase | None, sender: Seat, message: Message) -> str:
    now = _untimely(work, game, phase, sender, message)
    return now or _forbidden(game, sender, message) or _too_much(work, sender, message)


def _keep(
    work: Work, phase: Phase | None, sender: Seat, message: Message, recipients: str, readers: Sequence[Seat]
) -> Press:
    press = Press(
        game_id=sender.game_id,
        phase_id=phase.id if phase else None,
        seat_id=sender.id,
        sent_at=work.now,
        sender=_name(sender),
        grey=message.grey,
        recipients=recipients,
        public=message.audience.observers,
        readers=[seat.key for seat in readers],
        text=message.text,
    )
    work.session.add(press)
    work.session.flush()
    return press


def _wants(seat: Seat, reader: Person, sender: Seat, message: Message) -> bool:
    """Return whether the message is mailed to the reader in `seat`. A message from a master is always mailed."""
    source = ignored_as(sender, grey=message.grey)
    return not source or source not in seat.ignores and is_wanted(reader, [seat], "press")


def ignored_as(sender: Seat, *, grey: bool) -> str:
    """Return the word with which a reader ignores this sender's press, or "" for a master, who cannot be ignored.

    Grey press is not ignored by the name of its writer, since a missing message would reveal the writer.
    """
    if sender.role == "master":
        return ""
    if grey:
        return GREY
    return OF_OBSERVERS if sender.role == "observer" else _name(sender)


def _hidden_vacancies(work: Work, game: Game, sender: Seat, message: Message) -> Collection[str]:
    """Return the powers of the audience without a player if the sender must not learn of them (SET QUIET)."""
    if message.only is not None or not game.started_at or shown_to(sender, game).changes:
        return ()
    return message.audience.powers - with_players(work.session, game)


def _recipients(variant: Variant, named: Audience) -> str:
    if named.everybody:
        return ""
    roles = [_THE_MASTER] * named.masters + [_THE_OBSERVERS] * named.observers
    return ", ".join([*variant.seats_in_order(named.powers), *roles])


def _mail(
    work: Work, game: Game, phase: Phase | None, press: Press, about: str, readers: Sequence[tuple[Seat, Person]]
) -> None:
    """Mail the press to its readers, and show the master who wrote it."""
    context: dict[str, object] = {"game": game, "phase": phase, "variant": variant_of(game)}
    context |= {"grey": press.grey, "to": press.recipients, "text": press.text}
    for seat, person in readers:
        is_named = not press.grey or seat.role == "master"
        context["sender"] = press.sender if is_named else ""
        body = work.services.post.render("press", person.zone, **context)
        work.mail(
            Draft(
                to=seat.address,
                kind="press",
                subject=f"{phase.name} {about}" if phase else about,
                body=body,
                plain=not person.html,
                game=game,
                phase=phase,
                threaded=person.threads,
                press_id=press.id,
            )
        )


# The word for the anonymous writer of a grey message.
GREY_WRITER = "whoever wrote the grey press"


def answer(game: Game, press: Press, writer: Seat | None, own: Seat, text: str, *, to_all: bool) -> Message:
    """Return a reply to `press` from the player in `own`, which is grey if `press` is grey.

    The reply goes to the writer of `press`, and with `to_all` also to all its readers. Raises Refusal if `press` cannot
    be answered, for example because its writer has left the game. In a game that hides who has left, the reply goes to
    the present players of the powers.
    """
    if press.seat_id is None:
        raise Refusal("It was written by the keeper of this judge, who is not in the game.")
    only, had_it, names = {press.seat_id}, Audience(), list[str]()
    if to_all:
        had_it = _audience_of(variant_of(game), press)
        if had_it.everybody:
            return Message(had_it, press.grey, text)
        only.update(press.readers)
        names = press.recipients.split(", ")
    seats = frozenset(only)
    if press.grey:
        # The reply also names its own sender as a recipient if the message did. Otherwise all could see who is missing.
        return Message(had_it, True, text, seats, ", ".join([*names, GREY_WRITER]))
    hides = game.started_at and not shown_to(own, game).changes
    if not writer or writer.left_at and not (hides and writer.power):
        raise Refusal(f"{capitalized(press.sender)}, who wrote it, has left the game.")
    if press.sender == writer.power or writer.role == "master":
        to_writer = Audience(frozenset(filter(None, [writer.power])), writer.role == "master")
        return Message(had_it.joined(to_writer), False, text, None if hides else seats)
    others = had_it.without(Audience(frozenset(filter(None, [own.power]))))
    shown = [*(name for name in names if name != own.power), press.sender]
    return Message(others, False, text, seats, ", ".join(shown))


def _audience_of(variant: Variant, press: Press) -> Audience:
    if not press.recipients:
        return everybody(variant)
    names = set(press.recipients.split(", "))
    powers = variant.seat_named.keys() & names
    return Audience(frozenset(powers), masters=_THE_MASTER in names, observers=_THE_OBSERVERS in names)


def _untimely(work: Work, game: Game, phase: Phase | None, sender: Seat, message: Message) -> str:
    """Return why the sender cannot send the message in this phase, or "" if they can.

    The reason may be that the sender observes, that only movement phases have press, or that someone is late. The
    master can always write to anyone, and anyone can always write to the master alone.
    """
    settings = settings_of(game)
    if sender.role == "master" or message.audience.masters_alone:
        return ""
    if sender.role == "observer":
        if not settings.observer_press:
            return "In this game observers cannot write press, except to the master: PRESS TO M."
        if message.grey and not settings.observer_grey:
            return "In this game observers can write white press only."
    if not phase:
        return ""
    if settings.rulebook_press and kind(phase.name) != "M":
        return "In this game only movement phases have press. You can still write to the master: PRESS TO M."
    return _while_late(work, game, phase, sender)


def _while_late(work: Work, game: Game, phase: Phase, sender: Seat) -> str:
    """Return why the sender cannot write while someone is late in the phase, or "" if they can."""
    settings = settings_of(game)
    if work.now < phase.deadline_at or settings.late_press and settings.grace_press:
        return ""
    late = FiledOrders(work.session, game, phase).late(work.now)
    if sender.power in late and not settings.late_press:
        return "In this game late players cannot write press. Send your orders first."
    if late.keys() - {sender.power} and not settings.grace_press:
        return "In this game there is no press while others are late."
    return ""


def _nobody_there(variant: Variant, audience: Audience, sender: Seat) -> str:
    """Return a sentence that says that no one in the audience, except the sender, is in the game."""
    if audience.everybody:
        return "There is no one else in the game to send this to."
    there = [f"plays {power}" for power in variant.seats_in_order(audience.powers - {sender.power})]
    there += ["is the master"] * audience.masters + ["observes the game"] * audience.observers
    nobody = "No one else" if audience.has(sender) else "No one"
    return f"{nobody} {listed(there, 'or')}." if there else "You would be the only reader of this message."


def must_be_grey(game: Game, sender: Seat, audience: Audience) -> bool:
    """Return whether the game allows the sender only grey press to this audience."""
    settings = settings_of(game)
    if sender.role == "master" or audience.masters_alone:
        return False
    return settings.grey_press and not settings.white_press


def _forbidden(game: Game, sender: Seat, message: Message) -> str:
    """Return why this game does not allow the message, or "" if it does.

    A master may send anything, and anyone may write white press to only the master.
    """
    settings, audience = settings_of(game), message.audience
    if not message.text.strip():
        return "The message has no text: write it on the lines after the command."
    if sender.role == "master" or audience.masters_alone and not message.grey:
        return ""
    if game.state == "paused":
        return "The game is paused, so you can only write to its master: PRESS TO M."
    if not (settings.white_press or settings.grey_press):
        return "This game has no press. You can only write to its master: PRESS TO M."
    if message.grey and not settings.grey_press:
        return "This game does not allow grey press."
    if not message.grey and not settings.white_press:
        return "This game allows grey press only: use PRESS TO …, without WHITE."
    if not audience.everybody and not settings.partial_press:
        return "In this game press goes to everyone: write BROADCAST."
    return ""


def _too_much(work: Work, sender: Seat, message: Message) -> str:
    """Return why the sender's messages are too many or too long, or "" if they are not.

    A master may send players any number of messages. Messages to observers are limited, since anyone who knows an
    address can make its owner an observer.
    """
    limits, size = work.settings.limits, len(message.text.encode())
    if size > limits.press_size:
        return f"The message has {size} bytes, and the limit is {limits.press_size}. Send it in parts."
    last_hour = work.now - _HOUR
    if sender.role == "master":
        most = limits.press_to_observers
        if message.audience.observers and press_since(work.session, sender, last_hour, public=True) >= most:
            return (
                f"You have sent observers {most} messages within an hour, which is the limit. Send this one later, "
                "or to the players only."
            )
        return ""
    most = limits.press_of_observers if sender.role == "observer" else limits.press_of_players
    if press_since(work.session, sender, last_hour) < most:
        return ""
    return f"You have sent {most} messages within an hour, which is the limit in this game. Send this one later."


def _named(game: Game, addressed: list[Seat], sender: Seat, message: Message) -> Audience:
    """Return the recipients that the email names, which are the people in the seats `addressed`, except the sender.

    Grey press also names its sender, if they are in its audience. A list without the sender would reveal who wrote it.
    A quiet game hides who has left, so powers without a player are also named.
    """
    if message.shown or message.audience.everybody:
        return message.audience
    there = addressed if message.grey else [seat for seat in addressed if seat.id != sender.id]
    powers = frozenset(by_power(there))
    if not shown_to(None, game).changes:
        powers |= message.audience.powers - by_power(addressed).keys()
    return Audience(powers, masters=has_master(there), observers=bool(of_role(there, "observer")))


def _name(seat: Seat) -> str:
    if seat.id is None:
        return "the keeper of this judge"
    return seat.power or _WITHOUT_POWER[seat.role]


def _received(variant: Variant, message: Message, readers: list[Seat], vacant: Collection[str]) -> list[str]:
    if message.shown:
        return [message.shown]
    told = variant.seats_in_order({*by_power(readers), *vacant})
    roles = Counter(seat.role for seat in readers if not seat.power)
    if roles["player"]:
        told.append(counted(roles["player"], "other player"))
    if roles["master"]:
        told.append(_THE_MASTER)
    if roles["observer"]:
        told.append(counted(roles["observer"], "observer"))
    return told


def _subject(variant: Variant, sender: Seat, message: Message, audience: Audience) -> str:
    """Return the subject, such as `Press from A to FG` or `Broadcast from A`. Grey press does not name its sender."""
    if message.shown and not audience:
        return f"Press to {message.shown}"
    letters = {power.name: power.letter for power in variant.seats}
    named = "" if message.grey else f" from {letters.get(sender.power or '', _name(sender))}"
    if audience.everybody:
        return f"Broadcast{named}"
    to = "".join(letter for power, letter in letters.items() if power in audience.powers)
    return f"Press{named} to {to}{'M' * audience.masters}{'O' * audience.observers}"
