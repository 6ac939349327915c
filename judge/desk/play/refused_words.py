"""Commands and settings of njudge and DPjudge that this judge does not have: refused by name, each with its reason."""

from functools import partial

from judge.desk.core.command import Call, Place, Slip
from judge.desk.core.refusals import CommandError
from judge.desk.core.visit import Visit


def refused(visit: Visit, call: Call, *, why: str) -> None:
    """Say that there is no such thing here, and what to use instead."""
    raise CommandError(f"Not done: {why}")


def _words(*names: str, why: str, pattern: str = "") -> Slip:
    return Slip(names=names, place=Place.GAME, handler=partial(refused, why=why), pattern=pattern)


def _setting(*words: str, why: str) -> Slip:
    """A setting and its opposite, with anything that may follow it."""
    both = (f"SET {no}{word}" for word in words for no in ("", "NO ", "NOT ", "NO"))
    return _words(*both, why=why, pattern=r"(?:\s+\S.{0,80})?")


_PROXY = "nobody orders another power's units."
_ARGUMENT = r"(?:\s+\S.{0,80})?"
SLIPS = (
    _setting(
        "RATED", "UNRATED", "DEDICATION", "ONTIMERAT", "RESRAT",
        why="nobody is rated here. INFO PLAYER tells how reliable a player is; with SET APPROVAL the master decides "
        "who joins.",
    ),
    _setting(
        "LEVEL", "ACCESS", "ALLOW", "DENY",
        why="nobody is kept out by level, site or list. With SET APPROVAL the master decides who joins.",
    ),
    _setting("SECRET", "SHOW", why="SET GUNBOAT hides who plays, SET QUIET who comes and goes."),
    _setting("RESUME", why="only the master resumes a paused game, and a game that has ended stays so."),
    _setting("FAKE", "PARTIAL FAKES BROADCAST", "PARTIAL MAY BE FAKED", why="nobody's press is ever faked here."),
    _setting(
        "MINORPRESS", "MUSTORDER", "BLANKPRESS", "TOUCHPRESS", "POSTALPRESS", "WATCHPRESS", "ALL PRESS", "NORMAL PRESS",
        "BROADCAST",
        why="press goes to whom it names, in every phase. HELP press tells what can be set.",
    ),
    _setting("PLAYERS", "POWERS", why="FORCE BEGIN begins with those who have joined, and the other seats stay open."),
    _setting("PRFLIST", "PRFBOTH", "PRFRAND", why="powers go by wishes; SET PREFERENCE * leaves it to chance."),
    _setting(
        "PROXY", "ANYDISBAND", "AUTODISBAND", "DISBAND", "TRANSFORM", "COASTALCONVOY", "STRICTCONVOY", "PORTAGE",
        "BLANKBOARD", "SUMMER", "DUALITY", "BLIND", "CHAOS",
        why="the rules are those of the variant. The keeper of this judge can add variants of their own.",
    ),
    _words("PROXY", "GIVE PROXY", why=_PROXY, pattern=r"\s+(?:(?:A|F|ARMY|FLEET)\s+\S{1,30}\s+)?TO\s+\S.{0,80}"),
    _words("A", "F", "ARMY", "FLEET", why=_PROXY, pattern=r"\s+\S{1,30}\s+(?:GIVE\s+)?PROXY\s+\S.{0,80}"),
    _words(
        "VOTE", "PROPOSE", pattern=r"\s+(?:DRAW|YES|NO|CONCEDE|SOLO|(?-i:[A-Z]{2,}))\b.{0,80}",
        why="SET DRAW votes for a draw, SET CONCEDE <power> to give the game away (HELP draws).",
    ),
    _words("RENAME", why="a game keeps its name.", pattern=r"(?:\s+[A-Za-z0-9]{1,20}){1,2}"),
    _words("WHOIS", why="write an address, WHOIS jo@example.org. WHOGAME shows them.", pattern=r"\s+[^\s@]{1,60}"),
    _words("REVEAL", "PURGE", why="TERMINATE <game> ends a game, and its end tells who played."),
    _words(
        "EXTEND", "PLEASE EXTEND", "PROLONG", "PLEASE PROLONG", "POSTPONE", "DELAY", "MOVE DEADLINE",
        pattern=r"(?:\s+\S{1,30}){0,6}\s+(?:DEADLINES?|HOURS?|DAYS?|WEEKS?|\+?\d{1,3}\s?[HDW])\b.{0,60}",
        why="the master moves a deadline with SET DEADLINE +24H; players ask for it with PRESS TO M.",
    ),
    _words(
        "REPLACE", "SUBSTITUTE", pattern=r"\s+\S.{0,80}",
        why="EJECT <power> opens a seat, and the newcomer signs on to it with a password of their own.",
    ),
    _words(
        "DECLARE", "END GAME", "END THE GAME", "CALL",
        pattern=r"(?:\s+(?:A|THE|THIS))?(?:\s+(?:DRAW|GAME|WIN|VICTORY)\b.{0,60})?",
        why="players end a game with SET DRAW and SET CONCEDE; TERMINATE <game> ends it without a result.",
    ),
    _words("ROLLFORWARD", "ROLL FORWARD", why="PROCESS plays the phases again.", pattern=_ARGUMENT),
)
