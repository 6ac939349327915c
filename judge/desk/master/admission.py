"""APPROVE and REFUSE: the master of a game decides who joins it."""

from judge.addresses import address_in
from judge.desk.core.command import Call, Family, Place, Slip, When, Who
from judge.desk.core.refusals import CommandError
from judge.desk.core.visit import Visit
from judge.games.core.board import variant_of
from judge.games.core.who_is_meant import NotMeant, People, read_recipients
from judge.games.life import admission, applications
from judge.rules.board.listing import listed
from judge.store.games import open_phase
from judge.store.seats import applications_to
from judge.store.tables import Application, Game

_APPROVE = ("APPROVE", "SET APPROVE")
_REFUSE = ("REFUSE", "REJECT", "SET NOT APPROVE")
command = Family("master", who=Who.RULER, when=When.LIVING, lasting=True)
_BY_WORD = {
    "arguments": "<word>", "pattern": r"\s+(?P<word>[0-9a-f]{12})",
    "who": Who.BEARER, "place": Place.ANYWHERE, "when": When.ANY,
}  # fmt: skip
_BY_ADDRESS = {"arguments": "<address>", "pattern": r"\s+(?P<address>[^\s@]+@\S+)", "help": "the same by address"}
_BY_POWERS = {
    "arguments": "<powers>", "help": "the same for those who have asked to play these powers",
    # Twelve letters from a to f, small or in capitals, are the word of a mail, not letters of powers.
    "pattern": r"\s+(?![a-f]{12}\b)(?P<powers>(?u:[^\W\d_])(?:(?u:[^\W\d_])|[,;&'’. -]){0,60})",
}  # fmt: skip


@command(
    *_APPROVE, **_BY_WORD, help="let a player join who has asked; the code is in the judge's mail to the master"
)
def approve(visit: Visit, call: Call, word: str) -> None:
    """APPROVE <word>, as the mail to the master has it."""
    _approve(visit, *_by_word(visit, word))


@command(*_APPROVE, **_BY_ADDRESS)
def approve_address(visit: Visit, call: Call, address: str) -> None:
    """APPROVE <address>, signed on as the master."""
    _approve(visit, *_by_address(visit, address))


@command("SET APPROVE", **_BY_POWERS)
def approve_powers(visit: Visit, call: Call, powers: str) -> None:
    """SET APPROVE FE: those who have asked to play these powers."""
    for application in _by_powers(visit, powers):
        assert visit.game
        _approve(visit, application, visit.game)


@command("SET NOT APPROVE", **_BY_POWERS)
def refuse_powers(visit: Visit, call: Call, powers: str) -> None:
    """SET NOT APPROVE FE."""
    for application in _by_powers(visit, powers):
        assert visit.game
        _refuse(visit, application, visit.game)


@command(*_REFUSE, **_BY_WORD, help="do not let the player join; the judge tells them")
def refuse(visit: Visit, call: Call, word: str) -> None:
    """REFUSE <word>."""
    _refuse(visit, *_by_word(visit, word))


@command(*_REFUSE, **_BY_ADDRESS)
def refuse_address(visit: Visit, call: Call, address: str) -> None:
    """REFUSE <address>, signed on as the master."""
    _refuse(visit, *_by_address(visit, address))


def not_signed_on(visit: Visit, call: Call) -> None:
    """Refuse an address without a sign-on: anybody could have written it."""
    raise CommandError("Sign on as the master first, or use the code in the judge's mail.")


def _by_powers(visit: Visit, powers: str) -> list[Application]:
    """The requests to play these powers; raises CommandError if there is none for one of them."""
    game = visit.the_game
    try:
        wanted = read_recipients(variant_of(game), powers, People(visit.session, game, visit.the_seat)).powers
    except NotMeant as unread:
        raise CommandError(f"{unread.told('SET APPROVE {}')} Or write APPROVE <address>.") from None
    waiting = [application for application, _ in applications_to(visit.session, game)]
    found = [application for application in waiting if application.power in wanted]
    gaps = wanted - {application.power for application in found}
    if gaps:
        asked = ", ".join(application.address for application in waiting)
        those = f" These have asked: {asked}; write APPROVE <address>." if asked else ""
        raise CommandError(
            f"Nobody who waits for your approval has asked to play {listed(sorted(gaps), 'or')}, so nobody was "
            f"approved. Players who are already in need no approval.{those}"
        )
    return found


def _approve(visit: Visit, application: Application, game: Game) -> None:
    visit.answer.settle(admission.approve(visit.turn, game, application))
    if visit.game is game and not visit.phase:
        visit.phase = visit.answer.phase = open_phase(visit.session, game)


def _refuse(visit: Visit, application: Application, game: Game) -> None:
    visit.answer.settle(applications.refuse(visit.turn, game, application))


def _by_word(visit: Visit, word: str) -> tuple[Application, Game]:
    application = applications.by_word(visit.turn, word)
    if not application:
        raise CommandError("That code fits no open request. Perhaps it has been answered already.")
    return application, visit.session.get_one(Game, application.game_id)


def _by_address(visit: Visit, address: str) -> tuple[Application, Game]:
    game = visit.the_game
    waiting = [application for application, _ in applications_to(visit.session, game)]
    found = [application for application in waiting if application.address == address_in(address)]
    if not found:
        asked = ", ".join(application.address for application in waiting)
        those = f" These have asked: {asked}." if asked else ""
        raise CommandError(f"{address} has not asked to join game {game.name}.{those}")
    return found[0], game


SLIPS = (Slip(names=(*_APPROVE, *_REFUSE), place=Place.LOBBY, handler=not_signed_on, pattern=r"\s+[^\s@]+@\S+"),)
