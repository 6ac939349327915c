"""Wrong passwords: who sends too many for a game is not listened to there for a while (HELP registration).

Counted by the address of the sender and the game, never by the seat, so that no stranger locks a player out. And
since anybody can write a player's address on a letter: for a seat of their own, a player's right password counts
even then, though not behind many wrong ones in the same letter. Whoever guesses with a forged address has to send a
letter for every few guesses, and each is answered to the player.
"""

from datetime import datetime, timedelta

from judge.games.core.turn import Turn
from judge.store import wrong_passwords
from judge.store.tables import Game

MOST = 5
WINDOW = timedelta(hours=1)


def shut_until(turn: Turn, game: Game, address: str) -> datetime | None:
    """Until when no password from `address` is tried for `game`; None when it is."""
    latest = wrong_passwords.latest(turn.session, game, address, MOST)
    end = latest[-1] + WINDOW if len(latest) == MOST else turn.now
    return end if end > turn.now else None


def note(turn: Turn, game: Game, address: str) -> None:
    """A password from `address` was wrong; what was wrong before counts no more after a while."""
    wrong_passwords.forget_before(turn.session, game, address, turn.now - WINDOW)
    wrong_passwords.note(turn.session, game, address, turn.now)
    if len(wrong_passwords.latest(turn.session, game, address, MOST)) == MOST:
        turn.log("wrong passwords", game, f"{MOST} from {address}")
