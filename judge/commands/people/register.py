"""REGISTER, and emails with a token (tokens.py) that people send back to confirm a request."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from judge.commands.core.command import Body, CommandError, Family, Place, Who
from judge.commands.core.context import CommandContext, Newcomer, PendingChange
from judge.commands.core.proofs import Right, is_registered
from judge.games.deadlines.calendar import find_zone, no_zone
from judge.games.life import forming
from judge.games.life.forming import LONGEST_NAME
from judge.games.people import credentials, identity
from judge.mails.templates import when
from judge.store.people import Change, Changes, Registration
from judge.store.sent_mails import last_mailed
from judge.store.states import MailKind
from judge.store.tables import Person

# The kind of emails that ask for the confirmation of a registration.
CONFIRM: MailKind = "confirm"
# An address gets at most one such email in this time.
ONE_REQUEST = timedelta(days=1)
# The placeholder for a name in the judge's forms. A returned form that still has this text was not filled in.
_LEFT_OPEN = "your name"


command = Family("registration", who=Who.ANYBODY, place=Place.LOBBY, lasting=True)


@command(
    "REGISTER (then Name: … and Timezone: … on lines of their own, then END)",
    body=Body.FORM,
    help="register, or change your name or time zone",
)
def register(context: CommandContext) -> None:
    """Register the sender with the name and time zone in the form, or change the values of a registered sender."""
    form, others = _read_form(context.call.body)
    if others:
        left_out = context.answer.some(others)
        context.remark(f"only your name and time zone are stored. These lines were left out: {left_out}.")
    name, zone = _name_meant(context, form.get("name")), _zone_meant(context, form.get("timezone"))
    person, may = context.letter.person, context.letter.standing.may
    if not is_registered(person):
        settings = context.work.settings
        # Someone registered at the keeper's address would be taken for the keeper.
        asks = settings.confirm_registration or context.letter.sender == settings.keeper
        if asks and not may(Right.JOIN):
            _ask_newcomer(context, name, zone)
        else:
            enrol(context, name, zone)
            context.settle(f"You are registered, {name}.")
        return
    assert person
    changes = (person.name, person.zone) != (name, zone)
    if changes and not may(Right.DATA):
        wait(context, f"change your name to {name} and your time zone to {zone}", {"name": name, "zone": zone})
        return
    enrol(context, name, zone)
    context.settle(f"Your registration {'has been changed' if changes else 'is unchanged'}, {name}.")


def _read_form(lines: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return the fields "name" and "timezone" of the form, and its other lines."""
    form, others = {}, []
    for line in lines:
        key, _, value = line.partition(":")
        field = key.strip().lower().replace(" ", "")
        if field in ("name", "timezone"):
            form[field] = " ".join(value.split())
        elif line.strip():
            others.append(line)
    return form, others


def _name_meant(context: CommandContext, written: str | None) -> str:
    """Return the name in the form, by default the sender's present name. Raises CommandError for a forbidden name."""
    person = context.letter.person
    written = written or (person.name if person else "")
    name = identity.without_signs(written)
    if name != written:
        context.say('"<", ">" and "@" were left out of your name.')
    if not name:
        raise CommandError("The form needs a line with your name: Name: Your Name")
    if name.casefold() == _LEFT_OPEN:
        raise CommandError("Put your own name in the form, in place of Your Name.")
    if len(name) > LONGEST_NAME:
        raise CommandError(f"A name can have up to {LONGEST_NAME} characters. Please shorten yours.")
    if refusal := identity.why_not_called(context.work, person, name):
        raise CommandError(refusal)
    return name


def _zone_meant(context: CommandContext, written: str | None) -> str:
    """Return the time zone in the form. If it is unknown, suggest similar ones, and accept the rest of the form."""
    fallback = context.sender_zone
    if not written:
        return fallback
    found, meant = find_zone(written)
    if not found:
        why, instead = no_zone(written, meant)
        shown = f"Your times will be shown in {fallback}, unless you send the form again with Timezone: {instead}."
        context.remark(f"{why} {shown}", "error", f"Timezone: {written}")
    return found or fallback


def _ask_newcomer(context: CommandContext, name: str, zone: str) -> None:
    """Ask the sender to confirm the registration, unless they were asked recently."""
    waits = context.reply.confirmation
    asked, elsewhere = asked_before(context, "REGISTER")
    if asked:
        waits.asked_before = True
        context.settle(f"{asked} to register.")
        context.say(f"This form was ignored. You can change your registration after that. {elsewhere}")
        return
    waits.newcomer = Newcomer(name, zone, context.answer)
    context.settle(f"One more step, {name}: reply to this email to register.")


def asked_before(context: CommandContext, again: str) -> tuple[str, str]:
    """Return how to confirm and where to find the email, if the sender was asked recently and has not confirmed.

    `again` is the command with which to ask for the email again. Anyone can forge a stranger's address, so the stranger
    must not get an email for each forged letter.
    """
    sender = context.letter.sender
    asked = last_mailed(context.session, sender, CONFIRM)
    if not asked or asked + ONE_REQUEST <= context.work.now or not credentials.waits_for(context.work, sender):
        return "", ""
    after = when(asked + ONE_REQUEST, context.zone)
    return (
        f"The judge sent an email to {sender} on {when(asked, context.zone)}. Reply to that email",
        f"If you can't find it, look in your spam folder, or {again} again after {after}.",
    )


def wait(context: CommandContext, said: str, change: Change) -> None:
    """Postpone a change to the sender's own data until they have sent a confirmation email back.

    `said` ends the sentence "Reply to this email to …", for example with "change your name to Jo".
    """
    context.reply.confirmation.changes.append(PendingChange(said, change, context.answer))
    context.settle(f"One more step: reply to this email to {said}.")


def enrol(context: CommandContext, name: str, zone: str) -> Person:
    """Register the sender under this name and time zone, and confirm both in the answer."""
    letter = context.letter
    person = forming.register(context.work, letter.person, letter.sender, name, zone)
    letter.person = person
    context.say(
        f"Name: {person.name}\nAddress: {letter.sender}\nTimezone: {person.zone} (local time now: "
        f"{when(context.work.now, zone)})\n\nLIST shows the games, SIGNON ?<game> <password> joins "
        "one, HELP explains more."
    )
    return person


def ask_to_confirm(context: CommandContext) -> None:
    """Add the token that confirms the letter's waiting requests to the answer, with an explanation.

    A token may register the sender, carry out waiting blocks of the letter, and change the sender's own data.
    """
    letter, reply = context.letter, context.reply
    waits, work = reply.confirmation, context.work
    newcomer, changes = waits.newcomer, [one.change for one in waits.changes]
    told: dict[str, Any]
    if newcomer or waits.deferred:
        data: Registration = {
            "address": letter.sender,
            "name": newcomer.name if newcomer else "",
            "zone": newcomer.zone if newcomer else "",
            "letter": letter.row.id,
            "blocks": waits.deferred,
            "changes": changes,
        }
        reply.token, reply.kind = credentials.issue(work, "register", data), CONFIRM
        answer = newcomer.answer if newcomer else reply.answers[-1]
        template, told = "confirm", {"address": data["address"], "registers": newcomer is not None, "acts": waits.acts}
    elif changes and letter.person:
        asked: Changes = {"person": letter.person.id, "changes": changes}
        reply.token = credentials.issue_again(work, "change", asked)
        answer = waits.changes[-1].answer
        template, told = "confirm_change", {"wishes": [one.said for one in waits.changes]}
    else:
        return
    post, zone, token = context.work.services.post, context.sender_zone, reply.token
    answer.texts.append(post.render(template, zone, token=token, life=credentials.LIFE, **told))
