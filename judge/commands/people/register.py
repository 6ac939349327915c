"""REGISTER: who the sender is."""

from datetime import timedelta

from judge.commands.core.answer import Remark
from judge.commands.core.command import Body, Call, CommandError, Family, Place, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.letter_context import Newcomer
from judge.commands.core.proofs import Right
from judge.games.deadlines.calendar import find_zone
from judge.games.life import forming
from judge.games.life.forming import LONGEST_NAME
from judge.games.people import credentials, identity
from judge.mails.templates import when
from judge.store.sent_mails import last_mailed
from judge.store.states import MailKind
from judge.store.tables import Person

# The mails that ask a sender to confirm their registration; an address gets at most one in that time.
CONFIRM: MailKind = "confirm"
ONE_REQUEST = timedelta(days=1)
# What our forms have in place of a name; a program that returns them is not a person.
_LEFT_OPEN = "your name"


command = Family("registration", who=Who.ANYBODY, place=Place.LOBBY, lasting=True)


@command(
    "REGISTER",
    arguments="(then Name: … and Timezone: … on lines of their own, then END)",
    body=Body.FORM,
    help="register your name and time zone, or change them",
)
def register(context: CommandContext, call: Call) -> None:
    """REGISTER, lines `Name: …` and `Timezone: …`, END; sent again it changes what it names."""
    form: dict[str, str] = {}
    for line in call.body:
        key, _, value = line.partition(":")
        form[key.strip().lower().replace(" ", "")] = " ".join(value.split())
    name = form.get("name") or (context.person.name if context.person else "")
    if not name:
        raise CommandError("The form needs a line with your name: Name: Your Name")
    if name.casefold() == _LEFT_OPEN:
        raise CommandError("Write your own name into the form, in place of Your Name.")
    if len(name) > LONGEST_NAME:
        raise CommandError(f"A name has up to {LONGEST_NAME} letters; please shorten yours.")
    if refusal := identity.why_not_called(context.work, context.person, name):
        raise CommandError(refusal)
    zone = _zone(context, form.get("timezone", ""))
    known = context.person is not None and context.person.registered_at is not None
    if context.services.settings.confirm_registration and not known and not context.letter_context.may(Right.JOIN):
        if asked := asked_before(context):
            context.letter_context.confirmation.asked_before = True
            context.answer.settle(f"{asked}, and you are registered.")
            context.answer.texts.append(
                "This form was ignored; you can change your registration after that. "
                + elsewhere(context, "REGISTER")
            )
            return
        context.letter_context.confirmation.newcomer = Newcomer(name, zone, context.answer)
        context.answer.settle(f"One more step, {name}: reply to this email, and you are registered.")
        return
    before = (context.person.name, context.person.zone) if context.person else None
    if known and before != (name, zone) and not context.letter_context.may(Right.DATA):
        context.wait(f"are called {name}, with times in {zone}", {"name": name, "zone": zone})
        return
    person = enrol(context, name, zone)
    verb = "Your registration has been changed" if before != (name, zone) else "Your registration is unchanged"
    context.answer.settle(f"{verb if known else 'You are registered'}, {person.name}.")


def asked_before(context: CommandContext) -> str:
    """If the sender was asked to confirm a letter not long ago, and has not done it, how to; "" if they were not.

    Anybody can forge a stranger's address, and the stranger would be asked again for each forged letter.
    """
    asked = last_mailed(context.session, context.letter.sender, CONFIRM)
    asked_lately = asked is not None and asked + ONE_REQUEST > context.now
    if not (asked_lately and credentials.waits_for(context.work, context.letter.sender)):
        return ""
    return f"The judge sent an email to {context.letter.sender} on {when(asked, context.zone)}. Reply to that email"


def elsewhere(context: CommandContext, again: str) -> str:
    """Where that mail may be, and from when on it can be asked for `again`."""
    asked = last_mailed(context.session, context.letter.sender, CONFIRM) or context.now
    after = when(asked + ONE_REQUEST, context.zone)
    return f"If you can't find it, look in your spam folder, or {again} again after {after}."


def enrol(context: CommandContext, name: str, zone: str) -> Person:
    """The sender is known by this name from now on, with times in this zone; the answer says so."""
    person = forming.register(context.work, context.person, context.letter.sender, name, zone)
    context.letter_context.person = person
    context.answer.texts.append(
        f"Name: {person.name}\nAddress: {context.letter.sender}\nTimezone: {person.zone} (local time now: "
        f"{when(context.now, zone)})\n\nFor the games, send LIST; to join one, SIGNON ?<game> <password>; for more, "
        "HELP."
    )
    return person


def _zone(context: CommandContext, written: str) -> str:
    """The zone of the form; an unknown zone is answered with similar ones, and the rest of the form counts."""
    fallback = context.person.zone if context.person else context.services.settings.zone
    if not written:
        return fallback
    zone, hint = find_zone(written)
    if not zone:
        context.answer.remarks.append(
            Remark(
                "error",
                f"Timezone: {written}",
                f'"{written}" is not a time zone. Your times will be shown in {fallback}.{hint} '
                "Write a name like Timezone: Europe/Berlin and send the form again.",
            )
        )
    return zone or fallback
