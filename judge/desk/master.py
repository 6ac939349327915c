"""What the master (GM) of a game may do: PROCESS and SET DEADLINE."""

from judge.desk.visit import Call, Command, CommandError, Visit
from judge.games import phases
from judge.games.dates import DateError, read_date
from judge.rules import PhaseError, read_phase
from judge.store.lookups import open_phase, seats_of
from judge.store.tables import Game, Phase


def process(visit: Visit, call: Call) -> None:
    """PROCESS [<phase>]: adjudicate now with the orders on file; a named phase must be the open one."""
    game, phase = _mastered(visit, "PROCESS")
    named = call.arguments["phase"]
    if named:
        try:
            wanted = read_phase(named)
        except PhaseError as wrong:
            raise CommandError(str(wrong)) from None
        if wanted != phase.name:
            raise CommandError(f"The open phase of {game.name} is {phase.name}, not {wanted}; nothing was processed.")
    if visit.received_at < phase.opened_at:
        raise CommandError(
            f"Your letter was sent before {phase.name} opened, so it was not processed. Write PROCESS {phase.name} if "
            "you mean it."
        )
    phases.process(visit.session, visit.office, game, phase, visit.now)
    visit.phase = visit.answer.phase = open_phase(visit.session, game)
    visit.answer.settle(f"{phase.name} of game {game.name} is processed; the results are on their way to everybody.")


def set_deadline(visit: Visit, call: Call) -> None:
    """SET DEADLINE <date>: when this phase is due, in the zone of the game."""
    game, phase = _mastered(visit, "SET DEADLINE")
    try:
        moment = read_date(call.arguments["date"], visit.now, game.zone)
    except DateError as wrong:
        raise CommandError(f"{str(wrong)[:1].upper()}{str(wrong)[1:]}.") from None
    if moment <= visit.now:
        raise CommandError("That moment has passed. PROCESS ends the phase at once.")
    phases.move_deadline(visit.session, visit.office, game, phase, moment, visit.now)
    visit.answer.settle(f"The deadline of {phase.name} in game {game.name} is changed; everybody is told.")


def _mastered(visit: Visit, command: str) -> tuple[Game, Phase]:
    """The game and its open phase, if the sender may rule it: its master, or any player where there is none."""
    game, seat = visit.game, visit.seat
    assert game and seat
    moderated = any(other.role == "master" for other in seats_of(visit.session, game))
    if seat.role != "master" and (moderated or seat.role != "player"):
        raise CommandError(f"{command} is for the master of the game: sign on with SIGNON M{game.name} <password>.")
    if not visit.phase:
        raise CommandError(f"Game {game.name} {'has not begun' if game.state == 'forming' else 'has ended'}.")
    return game, visit.phase


COMMANDS = (
    Command(
        names=("PROCESS",),
        arguments="[<phase>]",
        who="M",
        place="game",
        summary="end the phase now with the orders on file",
        handler=process,
        pattern=r"(?:\s+(?P<phase>[SFWA]\w*\s*\d{4}\s*\w*))?",
    ),
    Command(
        names=("SET DEADLINE",),
        arguments="<date>",
        who="M",
        place="game",
        summary="set when this phase is due, like 2026-05-14 21:00 or Fri 21:00",
        handler=set_deadline,
        pattern=r"\s+(?P<date>\S.*?)",
    ),
)
