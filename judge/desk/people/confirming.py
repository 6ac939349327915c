"""Mails that their reader only has to send back, to confirm who they are, or what they have asked for themselves.

Such a mail bears a token, which counts only from an address of the person to whom it was mailed.
"""

from typing import cast

from judge.desk.core.refusals import CommandError
from judge.desk.core.visit import Visit
from judge.desk.core.visitor import Newcomer, Visitor
from judge.desk.people.register import enrol
from judge.desk.people.standby import set_standby
from judge.games.life import leaving
from judge.games.people import tokens
from judge.store.tables import Game, Seat, Token
from judge.store.token_data import Change, Changes, Registration


def ask_to_confirm(visitor: Visitor) -> None:
    """Put into the answer the token for what waits: it registers the sender, or makes the changes that they have asked
    for themselves.
    """
    if visitor.newcomer:
        _ask_newcomer(visitor, visitor.newcomer)
    elif visitor.wishes and visitor.person:
        data: Changes = {"person": visitor.person.id, "changes": _changes(visitor)}
        visitor.token = tokens.issue_again(visitor.turn, "change", data)
        said = [wish.said for wish in visitor.wishes]
        _tell(visitor, visitor.wishes[-1].answer.texts, "confirm_change", wishes=said)


def _ask_newcomer(visitor: Visitor, newcomer: Newcomer) -> None:
    """When the token comes back, what else waits in the letter is done too."""
    data: Registration = {
        "address": visitor.letter.sender,
        "name": newcomer.name,
        "zone": newcomer.zone,
        "letter": visitor.row.id,
        "blocks": visitor.deferred,
        "changes": _changes(visitor),
    }
    visitor.token = tokens.issue(visitor.turn, "register", data)
    _tell(visitor, newcomer.answer.texts, "confirm", address=visitor.letter.sender)


def _changes(visitor: Visitor) -> list[Change]:
    return [wish.change for wish in visitor.wishes]


def _tell(visitor: Visitor, texts: list[str], template: str, **context: object) -> None:
    post = visitor.turn.office.post
    texts.append(post.render(template, visitor.zone, token=visitor.token, life=tokens.LIFE, **context))


def refuse_others(visit: Visit, person_id: int | None) -> None:
    """Raise CommandError where the letter that brings a token is not from the person to whom it was mailed."""
    if not visit.person or visit.person.id != person_id:
        raise CommandError(
            "That token counts only from an address of the person to whom it was mailed: send it from there."
        )


def register(visit: Visit, token: Token) -> None:
    """Only from the address that is to be registered: a token that another person has found is worth nothing."""
    asked = cast(Registration, token.data)
    if visit.letter.sender != asked["address"]:
        raise CommandError("That token is for another address than this letter comes from; send it from there.")
    person = enrol(visit, asked["name"], asked["zone"])
    visit.answer.settle(f"You are registered, {person.name}.")
    if asked["blocks"]:
        visit.visitor.confirmed.append(asked)
    for change in asked.get("changes", ()):  # a token from before an upgrade has none
        _carry_out(visit, change)


def change(visit: Visit, token: Token) -> None:
    """Change what a person has asked to change for themselves, now that they have confirmed it."""
    asked = cast(Changes, token.data)
    refuse_others(visit, asked["person"])
    for change in asked["changes"]:
        _carry_out(visit, change)


def _carry_out(visit: Visit, change: Change) -> None:
    if "name" in change:
        person = enrol(visit, change["name"], change["zone"])
        visit.answer.settle(f"Your registration is changed, {person.name}.")
    if "leave" in change:
        stop_observing(visit, visit.session.get_one(Seat, change["leave"]))
    if "standby" in change:
        set_standby(visit, change["standby"])


def stop_observing(visit: Visit, seat: Seat) -> None:
    """The observer in this seat is one no longer."""
    game = visit.session.get_one(Game, seat.game_id)
    if not seat.left_at:
        leaving.leave(visit.turn, game, seat)
    visit.answer.settle(f"You no longer observe game {game.name}.")
