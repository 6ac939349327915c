"""Mails that their reader only has to send back, to confirm who they are, or what they have asked for themselves.

Such a mail bears a token, which counts only from an address of the person to whom it was mailed, and only if the letter
that brings it agrees (agreement.py).
"""

from typing import cast

from judge.desk.core.proofs import Right
from judge.desk.core.refusals import CommandError
from judge.desk.core.visit import Visit
from judge.desk.core.visitor import Visitor
from judge.desk.people.agreement import Reading
from judge.desk.people.register import enrol
from judge.desk.people.standby import set_standby
from judge.games.life import leaving
from judge.games.people import addresses, tokens
from judge.store.people import Change, Changes, NewPassword, Registration
from judge.store.tables import Game, Seat, Token

# What gives rights to another address, or could take those of its owner, needs the code in the sender's own words.
_RIGHTS = ("also", "password")


def ask_to_confirm(visitor: Visitor) -> None:
    """Put into the answer the token for what waits: it registers the sender, lets what waits in their letter be done,
    or makes the changes that they have asked for themselves.
    """
    if visitor.newcomer or visitor.deferred:
        _ask_newcomer(visitor)
    elif visitor.wishes and visitor.person:
        data: Changes = {"person": visitor.person.id, "changes": _changes(visitor)}
        visitor.token = tokens.issue_again(visitor.turn, "change", data)
        said = [wish.said for wish in visitor.wishes]
        _tell(visitor, visitor.wishes[-1].answer.texts, "confirm_change", wishes=said)


def _ask_newcomer(visitor: Visitor) -> None:
    """When the token comes back, what else waits in the letter is done too."""
    newcomer = visitor.newcomer
    data: Registration = {
        "address": visitor.letter.sender,
        "name": newcomer.name if newcomer else "",
        "zone": newcomer.zone if newcomer else "",
        "letter": visitor.row.id,
        "blocks": visitor.deferred,
        "changes": _changes(visitor),
    }
    visitor.token = tokens.issue(visitor.turn, "register", data)
    answer = newcomer.answer if newcomer else visitor.answers[-1]
    _tell(visitor, answer.texts, "confirm", address=visitor.letter.sender, registers=newcomer is not None)


def _changes(visitor: Visitor) -> list[Change]:
    return [wish.change for wish in visitor.wishes]


def _tell(visitor: Visitor, texts: list[str], template: str, **context: object) -> None:
    post = visitor.turn.office.post
    texts.append(post.render(template, visitor.zone, token=visitor.token, life=tokens.LIFE, **context))


def refuse_others(visit: Visit, token: Token) -> None:
    """Raise CommandError where the letter that brings a token is not from the person to whom it was mailed: a token
    that another person has found is worth nothing. To be registered, only from that address.
    """
    visit.require(Right.OWN)
    if token.purpose == "register":
        if visit.letter.sender != cast(Registration, token.data)["address"]:
            raise CommandError("That token is for another address than this letter comes from; send it from there.")
        return
    if token.purpose == "password":
        person_id: int | None = visit.session.get_one(Seat, cast(NewPassword, token.data)["seat"]).person_id
    else:
        person_id = token.data["person"]
    if not visit.person or visit.person.id != person_id:
        raise CommandError(
            "That token counts only from an address of the person to whom it was mailed: send it from there."
        )


def is_agreed(visit: Visit, token: Token, word: str) -> bool:
    """Whether the letter agrees to what the mail with this token asked; if not, the answer says how to."""
    named = [token.data, *token.data.get("changes", ()), {"name": visit.person.name if visit.person else ""}]
    reading = Reading(visit, token, word, [data.get("name", "") for data in named])
    rights = token.purpose in _RIGHTS
    if reading.grants if rights else reading.agrees:
        return True
    visit.visitor.token = word
    visit.answer.settle("Nothing has changed: your letter does not clearly say yes to what the judge asked.")
    yes = "" if rights else "answer with YES and no other words, or "
    visit.answer.texts.append(
        f"If you agree, {yes}send a letter that begins with this line:\n\n    CONFIRM {word}\n\n"
        "If you do not agree, do nothing: nothing will change."
    )
    return False


def register(visit: Visit, token: Token) -> None:
    """The sender is registered, or only what their letter asked is done."""
    asked = cast(Registration, token.data)
    if asked["name"]:
        person = enrol(visit, asked["name"], asked["zone"])
        visit.answer.settle(f"You are registered, {person.name}.")
    else:
        visit.answer.idle = True
    if asked["blocks"]:
        visit.visitor.confirmed.append(asked)
    for change in asked.get("changes", ()):  # a token from before an upgrade has none
        _carry_out(visit, change)


def change(visit: Visit, token: Token) -> None:
    """Change what a person has asked to change for themselves, now that they have confirmed it."""
    for change in cast(Changes, token.data)["changes"]:
        _carry_out(visit, change)


def _carry_out(visit: Visit, change: Change) -> None:
    if "name" in change:
        person = enrol(visit, change["name"], change["zone"])
        visit.answer.settle(f"Your registration is changed, {person.name}.")
    if "leave" in change:
        stop_observing(visit, visit.session.get_one(Seat, change["leave"]))
    if "standby" in change:
        set_standby(visit, change["standby"])
    if "forget" in change:
        forget_address(visit, change["forget"])


def forget_address(visit: Visit, address: str) -> None:
    """The address is one of the sender's no longer; raises CommandError if it is none, or must stay."""
    assert visit.person
    if refusal := addresses.why_kept(visit.turn, visit.person, address):
        raise CommandError(refusal)
    addresses.forget(visit.turn, visit.person, address, visit.letter.sender)
    visit.answer.settle(f"{address} is no longer an address of yours.")


def stop_observing(visit: Visit, seat: Seat) -> None:
    """The observer in this seat is one no longer."""
    game = visit.session.get_one(Game, seat.game_id)
    if not seat.left_at:
        leaving.leave(visit.turn, game, seat, "")
    visit.answer.settle(f"You no longer observe game {game.name}.")
