"""Settings of a whole game: press, draws, secrecy, builds, the number of centers to win, comments.

Several settings may follow one SET, separated by commas: SET GREY, NO PARTIAL, CENTERS 17. The words, sentences and
limits of those that are a word alone stand with their fields (judge/games/core/settings.py).
"""

import re
from dataclasses import replace

from judge.commands.core.changes import Setting
from judge.commands.core.command import Body, CommandError, Family, Place, Slip, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.permissions import refuse_untimely
from judge.games.core.board import board
from judge.games.core.settings import FLAGS
from judge.rules import NEUTRAL, VariantError, variant_names
from judge.rules.board.names import counted
from judge.rules.mechanisms.victory import center_counts
from judge.rules.variant.registry import variant_called
from judge.store.seats import masters_of

# The limits of SET COMMENT BEGIN.
LONGEST_COMMENT = 4000
MOST_COMMENT_LINES = 60
# Of a setting that is miswritten.
_MOST_FORMS = 3
_ON_OR_OFF = ("NO", "NOT", "NONE", "ON", "OFF", "YES")


command = Family("master", who=Who.RULER, when=When.LIVING)


def _words(*names: str) -> str:
    """Return the pattern of the words that set these fields."""
    return rf"\s+(?P<flag>{'|'.join(flag.pattern for name in names for flag in FLAGS[name])})"


@command(
    "SET", arguments="[NO] STRICT PASSWORDS", pattern=_words("strict_passwords"), lasting=True,
    help="whether every sign-on needs the password, even for players who chose to play without it",
)
@command(
    "SET", arguments="[NO]LIST | [NO] APPROVAL | MANUALSTART | AUTOSTART",
    pattern=_words("listed", "approval", "manual_start"),
    help="whether LIST shows the game to strangers, whether you decide who joins, and whether the game starts by "
         "itself when it is full",
)
@command(
    "SET", arguments="[NO] GUNBOAT | [NO]REVEAL | [NO]QUIET",
    pattern=_words("gunboat", "reveal", "quiet"), lasting=True,
    help="gunboat: only the master knows who plays, until the game ends (NOREVEAL: even after that); quiet: only the "
    "master learns who joins, leaves or is late",
)
@command(
    "SET", arguments="[NO]DIAS | [NO] CONCESSIONS", pattern=_words("dias", "concessions"), help="how the game may end"
)
@command(
    "SET", arguments="MODERATED | UNMODERATED | [NO] LATECOUNT",
    pattern=_words("unmoderated", "late_count"), lasting=True,
    help="whether players can also change settings and deadlines; whether LIST shows how often each power was late",
)
@command(
    "SET", arguments="ANYCENTERS | ONECENTER | HOMECENTERS", pattern=_words("any_centers"), when=When.FORMING,
    help="before the game starts: whether powers can build in any center they own; ONECENTER: only while they own a "
    "home center",
)
@command(
    "SET", arguments="MANUALPROCESS | AUTOPROCESS | [NO] STRICTWAIT", pattern=_words("manual_process", "strict_wait"),
    help="whether only PROCESS ends a phase, and whether players without anything to order may set WAIT",
)
@command(
    "SET", arguments="OBSERVER PRESS [WHITE] | [NO] OBSERVER PRESS | [NO] LATE PRESS | [NO] GRACE PRESS",
    pattern=_words("observer_press", "late_press", "grace_press"),
    help="whether observers and late players may write press, and anyone while others are late",
)
@command(
    "SET", arguments="WHITE | GREY | WHITE/GREY | NO PRESS | [NO] PARTIAL",
    pattern=_words("white_press", "partial_press"),
    help="the kind of press; one SET can have several settings, separated by commas",
)
def set_flag(context: CommandContext, flag: str) -> Setting:
    """SET <flag>: refused if it is too late, needs a master, or contradicts the variant or another setting."""
    game, flags = context.the_game, [flag for flags in FLAGS.values() for flag in flags]
    wanted = next(one for one in flags if re.fullmatch(one.pattern, flag, re.IGNORECASE))
    refuse_untimely(game, When.FORMING if wanted.forming else When.LIVING, f"SET {flag.upper()}")
    if wanted.moderated and not masters_of(context.session, game):
        raise CommandError(
            f"That needs a master, and {game.name} has none. If you are alone in it, send BECOME MASTER."
        )
    after = {**vars(context.settings), **wanted.values}
    # Players who rule as well must not be left out of what only a master knows or decides.
    secret = next((one for one in flags if one.moderated and one.values.items() <= after.items()), None)
    if after["unmoderated"] and secret:
        name = next(iter(secret.values)).upper().replace("_", "")
        raise CommandError(
            f"Not done: with SET {name} only the master of {game.name} can change settings. Write "
            f"{'SET NO ' + name if 'unmoderated' in wanted.values else 'SET MODERATED'} first."
        )
    if wanted.values.keys() & {"dias", "concessions"} and context.variant.ends_by_unanimity:
        raise CommandError(
            f"In {context.variant.title} the players can end the game in any way they all vote for (HELP draws)."
        )
    return Setting(wanted.values)


@command(
    "SET CENTERS", "SET CENTRES", "SET CENTER", arguments="<number>", pattern=r"\s+(?P<centers>\d{1,3})",
    help="how many supply centers win",
)  # fmt: skip
def set_centers(context: CommandContext, centers: int) -> Setting:
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
    return Setting({} if centers == variant.victory else {"victory": centers})


@command(
    "SET COMMENT", arguments="[<text>]", pattern=r"(?:\s+(?P<text>\S.*?))?",
    help="a line that LIST shows with the game",
)  # fmt: skip
def set_comment(context: CommandContext, text: str | None) -> Setting:
    """SET COMMENT <text>: a line that LIST shows beside the game; without a text both comments are removed."""
    if not text or text.upper() in ("OFF", "NONE"):
        return set_no_comment(context)
    _refuse_password(context, text)
    return Setting({"comment": " ".join(text.split())[:200]}, "the comment has been changed.", context.the_game)


@command(
    "SET COMMENT BEGIN", arguments="(then the lines of the comment, then END)", body=Body.LINES,
    help="a longer comment, which LIST <game> shows",
)  # fmt: skip
def set_long_comment(context: CommandContext) -> Setting:
    """SET COMMENT BEGIN: the lines that follow, up to END, which LIST <game> shows; without a line it is removed."""
    game, lines = context.the_game, context.call.body
    _refuse_password(context, "\n".join(lines))
    if sum(map(len, lines)) > LONGEST_COMMENT or len(lines) > MOST_COMMENT_LINES:
        raise CommandError(
            f"Comment not changed: it can have at most {MOST_COMMENT_LINES} lines and {LONGEST_COMMENT} characters."
        )
    kept = replace(context.settings, about=lines).to_json()
    says = f"the comment of {counted(len(lines), 'line')} has been saved; LIST {game.name} shows it."
    return Setting({"settings": kept}, says, game)


@command("SET NO COMMENT", help="remove both comments")
def set_no_comment(context: CommandContext) -> Setting:
    """SET NO COMMENT: LIST shows none."""
    kept = replace(context.settings, about=()).to_json()
    return Setting({"comment": "", "settings": kept}, "the comment has been removed.", context.the_game)


def _refuse_password(context: CommandContext, text: str) -> None:
    """Raise CommandError if a password of the letter is in the comment, which anyone can read."""
    if context.letter_context.redact.holds_password(text):
        raise CommandError("Comment not changed: it contains a password from this email. Send it without the password.")


def unknown_setting(context: CommandContext, setting: str) -> None:
    """Refuse SET with a word that is not a setting, or with one that is but is written otherwise."""
    # Mask before the change to capitals: it may be a password after a misspelt SET PASSWORD.
    said = context.letter_context.redact(f"SET {setting}").removeprefix("SET ")
    words = [word for word in re.sub("[:=!]", " ", setting.upper()).split() if word not in _ON_OR_OFF]
    # The setting that most of the first words name.
    keys = [f"SET {' '.join(words[:end])}" for end in range(len(words), 0, -1)]
    found = next(filter(None, map(context.letter_context.reader.settings_named, keys)), [])
    forms = " or ".join(f"{one.names[0]} {one.arguments}".rstrip() for one in found[:_MOST_FORMS])
    if forms:
        raise CommandError(f"Nothing has changed. Write {forms}.")
    raise CommandError(f'"{said.upper()}" is not a setting. For a list, send HELP SET.')


def set_variant(context: CommandContext, variant: str | None) -> None:
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
