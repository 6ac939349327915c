"""APPROVE and REFUSE: the master of a game decides who joins it."""

from judge.desk.core.visit import Call, Command, CommandError, Visit
from judge.desk.master.run import mastered
from judge.games.life import admission, applications
from judge.store import applications as files
from judge.store.lookups import open_phase
from judge.store.tables import Application, Game


def approve(visit: Visit, call: Call) -> None:
    """APPROVE <word>, as the mail to the master has it; signed on as the master also APPROVE <address>."""
    application, game = _meant(visit, call)
    visit.answer.settle(admission.approve(visit.session, visit.office, game, application, visit.now))
    if visit.game is game and not visit.phase:
        visit.phase = visit.answer.phase = open_phase(visit.session, game)


def refuse(visit: Visit, call: Call) -> None:
    """REFUSE <word> or <address>."""
    application, game = _meant(visit, call)
    visit.answer.settle(applications.refuse(visit.session, visit.office, game, application, visit.now))


def _meant(visit: Visit, call: Call) -> tuple[Application, Game]:
    word = call.arguments["whom"]
    if "@" not in word:
        application = applications.by_word(visit.session, visit.office, word)
        if not application:
            raise CommandError("That word stands for nobody who waits for an answer; it may have been given already.")
        return application, visit.session.get_one(Game, application.game_id)
    if not visit.game:
        raise CommandError("Sign on as the master first, or use the word that stands in the judge's mail.")
    game = mastered(visit, call.command.names[0])
    waiting = [application for application, _ in files.of_game(visit.session, game)]
    found = [application for application in waiting if application.address == word.lower()]
    if not found:
        named = ", ".join(application.address for application in waiting)
        those = f" Those who have: {named}." if named else ""
        raise CommandError(f"{word} has not asked to join game {game.name}.{those}")
    return found[0], game


_WHOM = r"\s+(?P<whom>\S+@\S+|[0-9a-f]{12})"

COMMANDS = (
    Command(
        names=("APPROVE", "SET APPROVE"),
        arguments="<word> | <address>",
        who="M",
        place="anywhere",
        summary="let somebody join who has asked: by the word in the judge's mail, or, signed on, by address",
        handler=approve,
        lasting=True,
        pattern=_WHOM,
    ),
    Command(
        names=("REFUSE", "REJECT", "SET NOT APPROVE"),
        arguments="<word> | <address>",
        who="M",
        place="anywhere",
        summary="do not let them join; they are told",
        handler=refuse,
        lasting=True,
        pattern=_WHOM,
    ),
)
