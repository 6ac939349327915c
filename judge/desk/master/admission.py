"""APPROVE and REFUSE: the master of a game decides who joins it."""

from collections.abc import Callable

from judge.addresses import address_in
from judge.desk.core.command import Call, Command, Place, Slip, When, Who
from judge.desk.core.visit import CommandError, Visit
from judge.games.life import admission, applications
from judge.store import applications as files
from judge.store.lookups import open_phase
from judge.store.tables import Application, Game


def approve(visit: Visit, call: Call, word: str) -> None:
    """APPROVE <word>, as the mail to the master has it."""
    _approve(visit, *_by_word(visit, word))


def refuse(visit: Visit, call: Call, word: str) -> None:
    """REFUSE <word>."""
    _refuse(visit, *_by_word(visit, word))


def approve_address(visit: Visit, call: Call, address: str) -> None:
    """APPROVE <address>, signed on as the master."""
    _approve(visit, *_by_address(visit, address))


def refuse_address(visit: Visit, call: Call, address: str) -> None:
    """REFUSE <address>, signed on as the master."""
    _refuse(visit, *_by_address(visit, address))


def not_signed_on(visit: Visit, call: Call) -> None:
    """An address without a sign-on could be written by anybody."""
    raise CommandError("Sign on as the master first, or use the word that stands in the judge's mail.")


def _approve(visit: Visit, application: Application, game: Game) -> None:
    visit.answer.settle(admission.approve(visit.session, visit.office, game, application, visit.now))
    if visit.game is game and not visit.phase:
        visit.phase = visit.answer.phase = open_phase(visit.session, game)


def _refuse(visit: Visit, application: Application, game: Game) -> None:
    visit.answer.settle(applications.refuse(visit.session, visit.office, game, application, visit.now))


def _by_word(visit: Visit, word: str) -> tuple[Application, Game]:
    application = applications.by_word(visit.session, visit.office, word)
    if not application:
        raise CommandError("That word stands for nobody who waits for an answer; it may have been given already.")
    return application, visit.session.get_one(Game, application.game_id)


def _by_address(visit: Visit, address: str) -> tuple[Application, Game]:
    game = visit.game
    assert game
    waiting = [application for application, _ in files.of_game(visit.session, game)]
    found = [application for application in waiting if application.address == address_in(address)]
    if not found:
        named = ", ".join(application.address for application in waiting)
        those = f" Those who have: {named}." if named else ""
        raise CommandError(f"{address} has not asked to join game {game.name}.{those}")
    return found[0], game


_APPROVE = ("APPROVE", "SET APPROVE")
_REFUSE = ("REFUSE", "REJECT", "SET NOT APPROVE")


def _decision(
    names: tuple[str, ...], summary: str, by_word: Callable[..., None], by_address: Callable[..., None]
) -> tuple[Command, Command]:
    """What the master says to somebody who has asked: by the word that came with it, and signed on by address."""
    return (
        Command(
            names=names,
            arguments="<word>",
            who=Who.BEARER,
            topics=("master",),
            place=Place.ANYWHERE,
            summary=summary,
            handler=by_word,
            lasting=True,
            pattern=r"\s+(?P<word>[0-9a-f]{12})",
        ),
        Command(
            names=names,
            arguments="<address>",
            who=Who.RULER,
            topics=("master",),
            place=Place.GAME,
            when=When.LIVING,
            summary="the same by address",
            handler=by_address,
            lasting=True,
            pattern=r"\s+(?P<address>\S+@\S+)",
        ),
    )


COMMANDS = (
    *_decision(
        _APPROVE,
        "let somebody join who has asked: by the word in the judge's mail to the master",
        approve,
        approve_address,
    ),
    *_decision(_REFUSE, "do not let them join; they are told", refuse, refuse_address),
)
SLIPS = (Slip(names=(*_APPROVE, *_REFUSE), place=Place.LOBBY, handler=not_signed_on, pattern=r"\s+\S+@\S+"),)
