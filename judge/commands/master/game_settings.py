"""Settings of a whole game: press, draws, secrecy, builds, the number of centers to win, comments.

Several settings may follow one SET, separated by commas: SET GREY, NO PARTIAL, CENTERS 17. A setting that is a word
alone is a `Flag` in FLAGS; a new one needs its field in `GameSettings` and, for LIST, `settings_in_words`.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

from judge.commands.core.changes import Setting
from judge.commands.core.command import Body, Call, CommandError, Family, Place, Slip, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.permissions import refuse_untimely
from judge.games.core.board import board
from judge.games.core.settings import keep_settings
from judge.rules import NEUTRAL, VariantError, variant_names
from judge.rules.board.names import counted
from judge.rules.mechanisms.victory import center_counts
from judge.rules.variant.registry import variant_called
from judge.store.seats import masters_of

# The limits of SET COMMENT BEGIN.
LONGEST_COMMENT = 4000
MOST_COMMENT_LINES = 60


command = Family("master", who=Who.RULER, when=When.LIVING)


@dataclass(frozen=True)
class Flag:
    """A word that sets something, what it changes, and the sentence by which all players are notified.

    `when`: until the game has ended, or only before it begins, since people joined on that condition. `moderated`: only
    in a game with a master, who knows or decides what the players do not.
    """

    pattern: str
    changes: dict[str, bool]
    sentence: str
    when: When = When.LIVING
    moderated: bool = False


Flags = tuple[Flag, ...]


def _pair(words: str, name: str, on: str, off: str, opposite: str = "") -> Flags:
    """Return the words that switch a setting on, and those (NO, NOT or an opposite) that switch it off."""
    no = r"(NO|NOT)\s*"
    return (
        Flag(rf"{words}|{no}({opposite})" if opposite else words, {name: True}, on),
        Flag(rf"{opposite}|{no}({words})" if opposite else rf"{no}({words})", {name: False}, off),
    )


def _limited(pair: Flags, before: str = "", ruled: str = "") -> Flags:
    """Limit a pair: `before` ("on off") to before the game begins, `ruled` to games that have a master."""
    return tuple(
        replace(flag, when=When.FORMING if how in before.split() else flag.when, moderated=how == ruled)
        for how, flag in zip(("on", "off"), pair, strict=True)
    )


PRESS = (
    Flag(r"WHITE(\s+PRESS)?", {"white_press": True, "grey_press": False}, "Press is white: signed."),
    Flag(r"GR[EA]Y(\s+PRESS)?", {"white_press": False, "grey_press": True}, "Press is grey: unsigned."),
    Flag(
        r"(WHITE/GR[EA]Y|GR[EA]Y/WHITE)(\s+PRESS)?", {"white_press": True, "grey_press": True},
        "Press may be white (signed) or grey (unsigned).",
    ),
    Flag(
        r"NO\s*PRESS|NONE", {"white_press": False, "grey_press": False},
        "There is no press; PRESS TO M still reaches the master.",
    ),
    *_pair(
        r"PARTIAL(\s+PRESS)?", "partial_press", "Press can be sent to some powers only.",
        "Press goes to everyone in the game."),
)  # fmt: skip
# Who may write press when. njudge's words have no blanks.
WRITERS = (
    Flag(
        r"OBSERVER\s*PRESS(\s+ANY)?|ANY\s+OBSERVER\s*PRESS", {"observer_press": True, "observer_grey": True},
        "Observers may write press.",
    ),
    Flag(
        r"OBSERVER\s*PRESS\s+WHITE|WHITE\s+OBSERVER\s*PRESS", {"observer_press": True, "observer_grey": False},
        "Observers may write white press only.",
    ),
    Flag(
        r"(NO|NOT)\s*OBSERVER\s*PRESS|OBSERVER\s*PRESS\s+(NO|NONE)", {"observer_press": False},
        "Observers may not write press.",
    ),
    *_pair(
        r"LATE\s*PRESS", "late_press", "Players who are late may write press.",
        "Players who are late may write press to the master only."),
    *_pair(
        r"GRACE\s*PRESS", "grace_press", "Press continues while others are late.",
        "There is no press while others are late."),
)  # fmt: skip
PROCESSING = (
    *_limited(_pair(
        r"MANUAL\s*PROCESS", "manual_process",
        "A phase is processed only when the master sends PROCESS.",
        "Phases are processed automatically.", opposite=r"AUTO\s*PROCESS"), ruled="on"),
    *_pair(
        r"STRICT\s*WAIT", "strict_wait", "Only players who have something to order can set WAIT.",
        "All players can set WAIT."),
)  # fmt: skip
BUILDS = (
    Flag(
        r"ANY\s*CENT(RE|ER)S?", {"any_centers": True, "one_center": False},
        "A power can build in any vacant center it owns.", When.FORMING,
    ),
    Flag(
        r"ONE\s*CENT(RE|ER)S?", {"any_centers": False, "one_center": True},
        "A power can build in any vacant center it owns, as long as it owns one of its home centers.", When.FORMING,
    ),
    Flag(
        r"HOME\s*CENT(RE|ER)S?|(NO|NOT)\s*(ANY|ONE)\s*CENT(RE|ER)S?", {"any_centers": False, "one_center": False},
        "Builds follow the rules of the variant.", When.FORMING,
    ),
)  # fmt: skip
RULERS = (
    *_limited(_pair(
        "UNMODERATED", "unmoderated", "Not moderated: players can also change settings and deadlines.",
        "Moderated: only the master can change settings and deadlines.", opposite="MODERATED"), ruled="off"),
    *_pair(
        r"LATE\s*COUNT", "late_count", "LIST shows how often each power was late.",
        "LIST does not show how often powers were late."),
)  # fmt: skip
ENDINGS = (
    *_pair(
        "DIAS", "dias", "Draws include all survivors.", "Draws may leave survivors out: each vote lists the powers."),
    *_pair(
        "CONCESSIONS?", "concessions", "The game may be conceded to the largest power.", "There are no concessions."),
)  # fmt: skip
SECRECY = (
    *_limited(_pair(
        r"(VARIANT\s+)?GUNBOAT", "gunboat", "Gunboat: only the master knows who plays what.",
        "No gunboat: the players will know each other's names and addresses."), before="on off", ruled="on"),
    *_limited(_pair(
        "REVEAL", "reveal", "When a gunboat game ends, all players learn who played what.",
        "When a gunboat game ends, no one learns who played what."), before="on"),
    *_limited(_pair(
        "QUIET", "quiet", "Quiet: only the master learns who joins, leaves or is late.",
        "Not quiet: all players learn who joins, leaves or is late."), ruled="on"),
)  # fmt: skip
FORMING = (
    *_pair(
        "LIST(ED)?|PUBLIC", "listed", "LIST shows the game to everyone.",
        "LIST shows the game only to the people in it.", opposite="UNLIST(ED)?|PRIVATE"),
    *_limited(_pair(
        "APPROVAL", "approval", "To join, a player needs the master's approval.",
        "Any registered player may join."), ruled="on"),
    *_pair(
        r"MANUAL\s*START", "manual_start", "The game starts when its master sends FORCE BEGIN.",
        "The game starts as soon as its last player has joined.", opposite=r"AUTO\s*START"),
)  # fmt: skip
PASSWORDS = _pair(
    r"STRICT\s*PASSWORDS?", "strict_passwords",
    "Every sign-on needs the password, even for players who chose to play without it.",
    "Players may choose to play without their password (HELP SET PASSWORDLESS).",
)  # fmt: skip
FLAGS = (*PRESS, *WRITERS, *PROCESSING, *BUILDS, *RULERS, *ENDINGS, *SECRECY, *FORMING, *PASSWORDS)


# What needs a master who alone decides.
_MASTERS = {
    "gunboat": "GUNBOAT",
    "quiet": "QUIET",
    "approval": "APPROVAL",
    "manual_process": "MANUALPROCESS",
}


def _flags(flags: Flags) -> str:
    return rf"\s+(?P<flag>{'|'.join(flag.pattern for flag in flags)})"


@command(
    "SET", arguments="[NO] STRICT PASSWORDS", pattern=_flags(PASSWORDS), lasting=True,
    help="whether every sign-on needs the password, even for players who chose to play without it",
)
@command(
    "SET", arguments="[NO]LIST | [NO] APPROVAL | MANUALSTART | AUTOSTART", pattern=_flags(FORMING),
    help="whether LIST shows the game to strangers, whether you decide who joins, and whether the game starts by "
         "itself when it is full",
)
@command(
    "SET", arguments="[NO] GUNBOAT | [NO]REVEAL | [NO]QUIET", pattern=_flags(SECRECY), lasting=True,
    help="gunboat: only the master knows who plays, until the game ends (NOREVEAL: even after that); quiet: only the "
    "master learns who joins, leaves or is late",
)
@command("SET", arguments="[NO]DIAS | [NO] CONCESSIONS", pattern=_flags(ENDINGS), help="how the game may end")
@command(
    "SET", arguments="MODERATED | UNMODERATED | [NO] LATECOUNT", pattern=_flags(RULERS), lasting=True,
    help="whether players can also change settings and deadlines; whether LIST shows how often each power was late",
)
@command(
    "SET", arguments="ANYCENTERS | ONECENTER | HOMECENTERS", pattern=_flags(BUILDS), when=When.FORMING,
    help="before the game starts: whether powers can build in any center they own; ONECENTER: only while they own a "
    "home center",
)
@command(
    "SET", arguments="MANUALPROCESS | AUTOPROCESS | [NO] STRICTWAIT", pattern=_flags(PROCESSING),
    help="whether only PROCESS ends a phase, and whether players without anything to order may set WAIT",
)
@command(
    "SET", arguments="OBSERVER PRESS [WHITE] | [NO] OBSERVER PRESS | [NO] LATE PRESS | [NO] GRACE PRESS",
    pattern=_flags(WRITERS),
    help="whether observers and late players may write press, and anyone while others are late",
)
@command(
    "SET", arguments="WHITE | GREY | WHITE/GREY | NO PRESS | [NO] PARTIAL", pattern=_flags(PRESS),
    help="the kind of press; one SET can have several settings, separated by commas",
)
def set_flag(context: CommandContext, call: Call, flag: str) -> Setting:
    """SET <flag>: refused if it is too late, needs a master, or contradicts the variant or another setting."""
    game = context.the_game
    wanted = next(one for one in FLAGS if re.fullmatch(one.pattern, flag, re.IGNORECASE))
    refuse_untimely(game, wanted.when, f"SET {flag.upper()}")
    if wanted.moderated and not masters_of(context.session, game):
        raise CommandError(
            f"That needs a master, and {game.name} has none. If you are alone in it, send BECOME MASTER."
        )
    changes: dict[str, Any] = wanted.changes
    after = replace(context.settings, **changes)
    # Players who rule as well must not be left out of what only a master knows or decides.
    secrets = [name for name in _MASTERS if getattr(after, name)]
    if after.unmoderated and secrets:
        raise CommandError(
            f"Not done: with SET {_MASTERS[secrets[0]]} only the master of {game.name} can change settings. Write "
            f"{('SET NO ' + _MASTERS[secrets[0]] if wanted in RULERS else 'SET MODERATED')} first."
        )
    if wanted in ENDINGS and context.variant.ends_by_unanimity:
        raise CommandError(
            f"In {context.variant.title} the players can end the game in any way they all vote for (HELP draws)."
        )
    return Setting(changes, wanted.sentence)


@command(
    "SET CENTERS", "SET CENTRES", "SET CENTER", arguments="<number>", pattern=r"\s+(?P<centers>\d{1,3})",
    help="how many supply centers win",
)  # fmt: skip
def set_centers(context: CommandContext, call: Call, centers: int) -> Setting:
    """SET CENTERS <n>: this many win, if no other power has as many (rulings, "Play" 1)."""
    variant, most = context.variant, len(context.variant.centers)
    if not 1 <= centers <= most:
        raise CommandError(f"On this board the number to win can be from 1 to {most}, not {centers}.")
    if context.phase:
        now, position = board(context.the_game, context.phase)
        sizes = center_counts(now, position.centers)
        largest = max(sizes.keys() - {NEUTRAL}, key=lambda power: sizes[power])
        if sizes[largest] >= centers:
            raise CommandError(f"{largest} has {sizes[largest]} centers already, so the number to win must be higher.")
    values = {} if centers == variant.victory else {"victory": centers}
    return Setting(values, f"{centers} centers win (was {variant.victory}).")


@command(
    "SET COMMENT", arguments="[<text>]", pattern=r"(?:\s+(?P<text>\S.*?))?",
    help="a line that LIST shows with the game",
)  # fmt: skip
def set_comment(context: CommandContext, call: Call, text: str | None) -> Setting:
    """SET COMMENT <text>: a line that LIST shows beside the game; without a text both comments are removed."""
    if not text:
        return set_no_comment(context, call)
    _refuse_password(context, text)
    return Setting({"comment": " ".join(text.split())[:200]}, "the comment has been changed.", context.the_game)


@command(
    "SET COMMENT BEGIN", arguments="(then the lines of the comment, then END)", body=Body.LINES,
    help="a longer comment, which LIST <game> shows",
)  # fmt: skip
def set_long_comment(context: CommandContext, call: Call) -> None:
    """SET COMMENT BEGIN: the lines that follow, up to END, which LIST <game> shows; without a line it is removed."""
    game, lines = context.the_game, call.body
    _refuse_password(context, "\n".join(lines))
    if sum(map(len, lines)) > LONGEST_COMMENT or len(lines) > MOST_COMMENT_LINES:
        raise CommandError(
            f"Comment not changed: it can have at most {MOST_COMMENT_LINES} lines and {LONGEST_COMMENT} characters."
        )
    keep_settings(game, replace(context.settings, about=lines))
    context.session.add(game)
    context.note(call, f"the comment of {counted(len(lines), 'line')} has been saved; LIST {game.name} shows it.")


@command("SET NO COMMENT", help="remove both comments")
def set_no_comment(context: CommandContext, call: Call) -> Setting:
    """SET NO COMMENT: LIST shows none."""
    keep_settings(context.the_game, replace(context.settings, about=()))
    return Setting({"comment": ""}, "the comment has been removed.", context.the_game)


def _refuse_password(context: CommandContext, text: str) -> None:
    """Raise CommandError if a password of the letter is in the comment, which anyone can read."""
    if context.letter_context.redact.holds_password(text):
        raise CommandError("Comment not changed: it contains a password from this email. Send it without the password.")


def unknown_setting(context: CommandContext, call: Call, setting: str) -> None:
    """Refuse SET with a word that is not a setting, or with one that is but is written otherwise."""
    # Mask before the change to capitals: it may be a password after a misspelt SET PASSWORD.
    said = context.letter_context.redact(f"SET {setting}").removeprefix("SET ")
    name = f"SET {setting.upper().rpartition(' ')[0]}"
    forms = [one.arguments for one in context.letter_context.commands if name in one.names and one.arguments]
    how = f"Write {name} {forms[0]}." if forms else "For a list, send HELP SET."
    raise CommandError(f'"{said.upper()}" is not a setting. {how}')


def set_variant(context: CommandContext, call: Call, variant: str | None) -> None:
    """Refuse SET VARIANT: a game keeps the board that it was created with."""
    try:
        name = variant_called(variant or "")
    except VariantError:
        name = ""
    raise CommandError(
        f"A game keeps the board it was created with: {context.variant.title}. For another board, create "
        "another game: "
        f"CREATE ?<game> <password> {name if name in variant_names() else '<variant>'}. "
        "HELP variants lists the boards."
    )


SLIPS = (
    Slip(
        names=("SET VARIANT", "SET BOARD"), place=Place.GAME, handler=set_variant,
        pattern=r"(?!\s+GUNBOAT\s*$)(?:\s+(?P<variant>\S+(?:\s+\S+){0,3}))?",
    ),
    Slip(
        names=("SET",), place=Place.GAME, handler=unknown_setting,
        pattern=r"\s+(?P<setting>[A-Z]\S*(?:\s+\S+){0,2})",
    ),
)  # fmt: skip
