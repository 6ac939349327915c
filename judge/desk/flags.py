"""What a master sets for a whole game: press, draws, the number of centers that win, a comment.

Several flags may follow one SET, separated by commas: SET GREY, NO PARTIAL. Everybody is told what was changed.
"""

import re
from dataclasses import dataclass, replace

from judge.desk.master import mastered
from judge.desk.visit import Call, Command, Visit
from judge.games import notices
from judge.games.settings import GameSettings
from judge.store.tables import Game


@dataclass(frozen=True)
class Flag:
    """A word that sets something, what it sets, and the sentence that tells everybody."""

    pattern: str
    changes: dict[str, bool]
    sentence: str


FLAGS = (
    Flag(r"WHITE(\s+PRESS)?", {"white_press": True, "grey_press": False}, "Press is white: signed."),
    Flag(r"GR[EA]Y(\s+PRESS)?", {"white_press": False, "grey_press": True}, "Press is grey: unsigned."),
    Flag(
        r"(WHITE/GR[EA]Y|GR[EA]Y/WHITE)(\s+PRESS)?",
        {"white_press": True, "grey_press": True},
        "Press may be white (signed) or grey (unsigned).",
    ),
    Flag(
        r"NO\s*PRESS|NONE",
        {"white_press": False, "grey_press": False},
        "There is no press; PRESS TO M still reaches the master.",
    ),
    Flag(r"PARTIAL(\s+PRESS)?", {"partial_press": True}, "Press may go to some powers only."),
    Flag(r"NO\s*PARTIAL(\s+PRESS)?", {"partial_press": False}, "Press goes to everybody."),
    Flag(r"DIAS", {"dias": True}, "Draws include all survivors."),
    Flag(r"NO\s*DIAS", {"dias": False}, "Draws may leave survivors out: each vote lists powers."),
    Flag(r"CONCESSIONS?", {"concessions": True}, "The game may be conceded to the largest power."),
    Flag(r"NO\s*CONCESSIONS?", {"concessions": False}, "There are no concessions."),
)
_ANY_FLAG = "|".join(flag.pattern for flag in FLAGS)


def set_flags(visit: Visit, call: Call) -> None:
    """SET <flag>[, <flag> …]."""
    game = mastered(visit, "SET")
    settings = GameSettings.from_json(game.settings)
    sentences = []
    for word in re.split(r"\s*,\s*", call.arguments["flags"]):
        flag = next(flag for flag in FLAGS if re.fullmatch(flag.pattern, word, re.IGNORECASE))
        settings = replace(settings, **flag.changes)
        sentences.append(flag.sentence)
    game.settings = settings.to_json()
    visit.session.add(game)
    _tell(visit, game, " ".join(sentences))


def set_comment(visit: Visit, call: Call) -> None:
    """SET COMMENT <text>: a line that LIST shows beside the game; SET NO COMMENT takes it away."""
    game = mastered(visit, "SET COMMENT")
    game.comment = " ".join((call.arguments["text"] or "").split())[:200]
    visit.session.add(game)
    visit.note(call, "the comment is changed." if game.comment else "the comment is taken away.")


def _tell(visit: Visit, game: Game, text: str) -> None:
    notices.tell_news(visit.session, visit.office, game, "Parameter Change", text, visit.now)
    visit.answer.settle(f"Game {game.name}: {text}")


COMMANDS = (
    Command(
        names=("SET",),
        arguments="WHITE | GREY | WHITE/GREY | NO PRESS | [NO] PARTIAL | [NO]DIAS | [NO] CONCESSIONS",
        who="M",
        place="game",
        summary="the press and the draws of the game; several, separated by commas",
        handler=set_flags,
        pattern=rf"\s+(?P<flags>({_ANY_FLAG})(\s*,\s*({_ANY_FLAG}))*)",
    ),
    Command(
        names=("SET COMMENT", "SET NO COMMENT"),
        arguments="<text>",
        who="M",
        place="game",
        summary="a line that LIST shows beside the game",
        handler=set_comment,
        pattern=r"(?:\s+(?P<text>\S.*?))?",
    ),
)
