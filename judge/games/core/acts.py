"""The table of acts: everything that can be done to a game, and who may do it.

Permissions, the agreement of the players (judge/games/life/consent.py), HELP and docs/masters.md are based on this
table. If a game has a master, the master does most acts. Its players can send PAUSE, RESUME and EXTEND if all of them
agree, and each can send REMATCH. If a game needs no master, and has none or is UNMODERATED, its players can do most
acts. The keeper of the judge may do everything that a master may.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

from sqlmodel import Session

from judge.games.core.board import needs_master
from judge.games.core.settings import SAID, GameSettings, settings_of
from judge.games.core.who_may_see import told_by_end
from judge.rules import listed
from judge.store.seats import masters_of
from judge.store.tables import Game, Phase, Seat


class May(Enum):
    """The right of one person to do an act without other people, in the words of docs/masters.md."""

    DOES = "does it"
    NOTICE = "does it two days after a notice"
    WORD = "needs the agreement of the players"
    NOT = "may not"


@dataclass(frozen=True)
class Act:
    """Something that a person can do to a game, and the rights to do it.

    `player` is the right of one player if players run the game. `moderated` is the right of one player if a master runs
    the game. `plays` is the right of a master who also plays. `told` names the people who are notified. `undone` names
    the acts that undo this one.
    """

    name: str
    player: May = May.WORD
    told: str = "all players"
    undone: str = "–"
    plays: May = May.DOES
    moderated: May = May.NOT


_ALL = (
    Act("PROCESS", undone="ROLLBACK"),
    Act("ROLLBACK", undone="PROCESS, once for each phase"),
    Act("TERMINATE", undone="ROLLBACK, within 30 days"),
    Act("FORCE BEGIN", undone="UNSTART"),
    Act("UNSTART", undone="FORCE BEGIN"),
    Act("PAUSE", May.DOES, undone="RESUME", moderated=May.WORD),
    Act("RESUME", May.DOES, undone="PAUSE", moderated=May.WORD),
    Act("RESUME <date>", undone="PAUSE or SET DEADLINE", moderated=May.WORD),
    Act("EXTEND", May.DOES, undone="SET DEADLINE", moderated=May.WORD),
    Act("SET DEADLINE (later)", May.DOES, undone="SET DEADLINE"),
    Act("SET DEADLINE (earlier)", undone="SET DEADLINE"),
    Act("SET GRACE <date> (later)", May.DOES, undone="SET GRACE"),
    Act("SET GRACE <date> (earlier)", undone="SET GRACE"),
    Act("SET START (later)", May.DOES, undone="SET NO START"),
    Act("SET START (earlier)", undone="SET START"),
    Act("EJECT", told="all players (in a quiet game only the master) and whoever is removed",
        undone="the same person can sign on again, or join"),
    Act("REMATCH", May.DOES, told="those who played to the end, each once", moderated=May.DOES,
        undone="TERMINATE of the new game"),
    Act("DENY", told="no one", undone="ALLOW"),
    Act("PROMOTE", told="all players (in a quiet game only the master) and the new master", undone="EJECT"),
    Act("SET DISORDER", May.NOTICE, told="all players (in a quiet game only the master)", undone="SET NO DISORDER"),
    Act("SET NO DISORDER", told="all players (in a quiet game only the master)", undone="SET DISORDER"),
    Act("CORRECT POSITION", May.NOT, undone="ROLLBACK and the name of the open phase"),
    Act("CORRECT ORDERS", May.NOT, undone="CORRECT ORDERS, or the player's own orders"),
    Act("BORDER, COAST", May.NOT, undone="BORDER, COAST"),
    Act("BECOME", May.NOT, told="the player concerned, by a copy of the reply", undone="the player's own orders"),
    Act("PREDICT", May.NOT, told="no one: it changes nothing", plays=May.NOT),
    Act("APPROVE, REFUSE", May.NOT, told="the applicant, and all players of a forming game", undone="EJECT"),
    Act("SET COMMENT", May.DOES, told="no one: LIST shows it", undone="SET COMMENT"),
    Act("settings that give players more time", May.DOES, undone="the opposite setting"),
    Act("all other settings", undone="the opposite setting"),
)  # fmt: skip
ACTS = {act.name: act for act in _ALL}
# The longest time from the opening of a phase to a deadline that one player can set. A longer delay would take the game
# away from the other players.
LONGEST_ALONE = timedelta(days=60)
OTHER_SETTINGS = "all other settings"
MORE_TIME = "settings that give players more time"


def is_run_by_players(session: Session, game: Game) -> bool:
    """Return whether players may run the game.

    Players may run a game that needs no master, if it is UNMODERATED or has none.
    """
    if needs_master(game):
        return False
    return settings_of(game).unmoderated or not masters_of(session, game)


def may(session: Session, game: Game, seat: Seat, act: str) -> May:
    """Return the right of the person in `seat` to do `act` (a key of `ACTS`) without other players."""
    if act == "RESUME" and game.state == "finished":
        # RESUME of an ended game opens the game again.
        act = "ROLLBACK"
    if act == "ROLLBACK" and seat.role != "observer" and told_by_end(session, game):
        # The end of a game reveals secrets, so no single person may undo it.
        return May.WORD
    if seat.role == "master":
        return May.DOES
    if seat.role == "observer":
        return May.NOT
    return ACTS[act].player if is_run_by_players(session, game) else ACTS[act].moderated


def rights_of_players(session: Session, game: Game) -> str:
    """Return sentences on what players may do to the game, or "" if only its master runs it."""
    if not is_run_by_players(session, game):
        return ""
    alone = [act.name for act in ACTS.values() if act.player is May.DOES]
    after_notice = [act.name for act in ACTS.values() if act.player is May.NOTICE]
    return (
        f"The players run this game. One player can send {listed(alone, 'or')}. {listed(after_notice, 'or')} "
        "takes effect two days after a notice. For most other commands of a master, each player has to send the same "
        "line (HELP acts)."
    )


def gives_time(phase: Phase, before: datetime, after: datetime) -> bool:
    """Return whether moving a deadline from `before` to `after` gives time, within LONGEST_ALONE of the opening."""
    return before < after <= phase.opened_at + LONGEST_ALONE


def loosens(before: GameSettings, after: GameSettings) -> bool:
    """Return whether a change of settings only gives players more time."""
    changed = [name for name, value in vars(after).items() if value != getattr(before, name)]
    easing = {name: said.gives_time for name, said in SAID.items() if said.gives_time}
    return all(name in easing and easing[name](getattr(before, name), getattr(after, name)) for name in changed)
