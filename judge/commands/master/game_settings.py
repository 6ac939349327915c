"""Settings of a whole game, such as press, draws, builds and comments and, before the game begins, of its board.

Several settings may follow one SET, separated by commas: SET GREY, NO PARTIAL, CENTERS 17. Settings that are one word
are declared in judge/games/core/settings.py, with their words, sentences and limits.

The line that assigns powers to colors may begin with a power or with a color: `Mexico Red`, `Mexico = Red, Peru Teal`,
`Teal: Mexico, Iran; Red: Peru` and `Mexico, Peru Red` are all recognized.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.commands.core.command import Body, CommandError, Family, Place, Slip, When, Who, forms_of
from judge.commands.core.context import CommandContext, Seated
from judge.commands.core.handling import Setting, keep
from judge.commands.core.permissions import refuse_untimely
from judge.commands.core.setting_kinds import add_settings
from judge.games.core.acts import OTHER_SETTINGS
from judge.games.core.setting_fields import OFF, ON, Flag, Form
from judge.games.core.settings import FLAGS, SAID, change_settings
from judge.rules import Variant, VariantError, counted, variant_names
from judge.rules.mechanisms.groups import DrawError, Holders, draw
from judge.rules.variant.registry import variant_called
from judge.store.seats import masters_of

# The maximum numbers of characters and of lines in a SET COMMENT BEGIN.
LONGEST_COMMENT = 4000
MOST_COMMENT_LINES = 60
_ON_OR_OFF = ("NOT", *ON, *OFF)
_FLAGS = [flag for flags in FLAGS.values() for flag in flags]


command = Family("master", who=Who.MASTER, when=When.LIVING, act=OTHER_SETTINGS)


def set_flag(context: CommandContext, flag: str) -> Setting:
    """Change a setting that is one word.

    Raises CommandError if it is too late, or if the setting needs a master. Also raises CommandError if the setting
    contradicts the variant or another setting.
    """
    here = context.seat
    game, wanted = here.game, next(one for one in _FLAGS if re.fullmatch(one.pattern, flag, re.IGNORECASE))
    refuse_untimely(game, When.FORMING if wanted.forming else When.LIVING, f"SET {flag.upper()}")
    if wanted.moderated and not masters_of(context.session, game):
        raise CommandError(
            f"This needs a master, and {game.name} has none. If you are its only player, send BECOME MASTER."
        )
    _refuse_secret(here, wanted)
    if wanted.values.keys() & {"dias", "concessions"} and here.variant.ends_by_unanimity:
        raise CommandError(
            f"In {here.variant.label} the players can end the game in any way they all vote for (HELP draws)."
        )
    quiet = wanted.values.get("quiet", here.settings.quiet)
    if quiet != here.settings.quiet:
        change_settings(game, quiet_since=context.work.now.isoformat() if quiet else "")
    return Setting(wanted.values)


def _refuse_secret(here: Seated, wanted: Flag) -> None:
    """Raise CommandError if the players run the game and a setting would hide facts from all but a master."""
    after = {**vars(here.settings), **wanted.values}
    if not after["unmoderated"]:
        return
    for secret in _FLAGS:
        if secret.moderated and secret.values.items() <= after.items():
            name = next(iter(secret.values)).upper().replace("_", "")
            first = f"SET NO {name}" if "unmoderated" in wanted.values else "SET MODERATED"
            raise CommandError(
                f"SET {name} needs a game in which only the master can change settings. Write {first} first."
            )


# Each row is a line of HELP on settings that are one word. The row has their words, their fields and the explanation.
for _arguments, _fields, _help in (
    (
        "WHITE | GREY | WHITE/GREY | NO PRESS | [NO] PARTIAL | [NO] PRESS RULEBOOK",
        "white_press partial_press rulebook_press",
        "the kind of press (RULEBOOK: none in retreats and builds); one SET can have several settings, separated by "
        "commas",
    ),
    (
        "[NO] OBSERVER PRESS | OBSERVER PRESS WHITE | [NO] LATE PRESS | [NO] GRACE PRESS",
        "observer_press late_press grace_press",
        "whether observers and late players may write press, and anyone while others are late",
    ),
    (
        "MANUALPROCESS | AUTOPROCESS | [NO] STRICTWAIT", "manual_process strict_wait",
        "whether only PROCESS ends a phase, and whether players without anything to order may set WAIT",
    ),
    (
        "ANYCENTERS | ONECENTER | HOMECENTERS", "any_centers",
        "before the game starts: whether powers can build in any center they own; ONECENTER: only while they own a "
        "home center",
    ),
    (
        "MODERATED | UNMODERATED | [NO] LATECOUNT", "unmoderated late_count",
        "whether players can also change settings and deadlines; whether LIST shows how often each power was late",
    ),
    (
        "[NO]DIAS | [NO] CONCESSIONS", "dias concessions",
        "whether draws include all survivors (DIAS), and whether the game can be conceded",
    ),
    (
        "[NO] GUNBOAT | [NO]REVEAL | [NO]QUIET", "gunboat reveal quiet",
        "gunboat: only the master knows who plays, until the game ends (NOREVEAL: even after that); quiet: only the "
        "master learns who joins, leaves or is late",
    ),
    (
        "[NO]LIST | [NO] APPROVAL | MANUALSTART | AUTOSTART", "listed approval manual_start",
        "whether LIST shows the game to strangers, whether you decide who joins, and whether the game starts by "
        "itself when it is full",
    ),
    (
        "[NO] STRICT PASSWORDS", "strict_passwords",
        "whether every sign-on needs the password, even for players who chose to play without it",
    ),
):  # fmt: skip
    _said = [SAID[name] for name in _fields.split()]
    _flags = [flag for said in _said for flag in said.flags]
    command.add(
        f"SET {_arguments}", pattern=rf"\s+(?P<flag>{'|'.join(flag.pattern for flag in _flags)})",
        lasting=any(said.lasting for said in _said), handler=set_flag, help=_help,
        when=When.FORMING if all(flag.forming for flag in _flags) else When.LIVING,
    )  # fmt: skip
add_settings(command, "victory")


@command(
    "SET COMMENT [<text>]", act="SET COMMENT",
    help="a line that LIST shows with the game",
)  # fmt: skip
def set_comment(context: CommandContext, text: str | None) -> None:
    """Set the line that LIST shows next to the game, or remove both comments if there is no text."""
    if not text or text.upper() in ("OFF", "NONE"):
        set_no_comment(context)
        return
    _refuse_password(context, text)
    keep(context, context.seat.game, "the comment has been changed.", comment=" ".join(text.split())[:200])


@command(
    "SET COMMENT BEGIN (then the lines of the comment, then END)", act="SET COMMENT", body=Body.LINES,
    help="a longer comment, which LIST <game> shows",
)  # fmt: skip
def set_long_comment(context: CommandContext) -> None:
    """Set the comment that LIST <game> shows to the lines up to END, or remove it if there are none."""
    game, lines = context.seat.game, context.call.body
    _refuse_password(context, "\n".join(lines))
    if sum(map(len, lines)) > LONGEST_COMMENT or len(lines) > MOST_COMMENT_LINES:
        raise CommandError(
            f"Comment not changed: it can have at most {MOST_COMMENT_LINES} lines and {LONGEST_COMMENT} characters."
        )
    kept = replace(context.seat.settings, about=lines).to_json()
    says = f"the comment of {counted(len(lines), 'line')} has been saved. LIST {game.name} shows it."
    keep(context, game, says, settings=kept)


@command("SET NO COMMENT", act="SET COMMENT", help="remove both comments")
def set_no_comment(context: CommandContext) -> None:
    """Remove both comments on the game from LIST."""
    kept = replace(context.seat.settings, about=()).to_json()
    keep(context, context.seat.game, "the comment has been removed.", comment="", settings=kept)


def _refuse_password(context: CommandContext, text: str) -> None:
    """Raise CommandError if the comment, which anyone can read, has a password of the letter or any sign-on."""
    redact = context.reply.redact
    if redact.holds_password(text) or redact.giving_away(text, context.seat.game.name, str.isspace):
        raise CommandError("Comment not changed: it contains a password from this email. Send it without the password.")


# The word in place of a color that lets the judge draw the power's group.
RANDOM = "RANDOM"
_MARKS = re.compile(r"[-:=>]+")
_BETWEEN = re.compile(r" ?[,;] ?| and ", re.IGNORECASE)
_LINKS = ("TO", "IN")
_MOST_WORDS = 5  # one more word than the longest name of a power

# People join a game knowing these settings, so none can be changed later (Intercontinental, 2.2, 3, 5.2).
board_command = Family("master", who=Who.MASTER, when=When.FORMING, act=OTHER_SETTINGS)


@dataclass(frozen=True)
class Assignment:
    """The assignment of a power to a group, from one part of a line."""

    # The part of the line.
    text: str
    power: str = ""
    # The group, or "" if it is to be drawn.
    group: str = ""
    # The reason why the assignment is impossible, or "".
    why: str = ""


add_settings(board_command, "readings")


def set_group(context: CommandContext, words: str, *, form: Form) -> Setting | None:
    """Fix the groups of these powers, or let the judge draw them again (RANDOM).

    Each mistake gets a remark. The other powers are assigned all together if possible, since two powers may exchange
    groups. Otherwise they are assigned one after the other.
    """
    here = context.seat
    if not here.variant.draws:
        raise CommandError(f"In {here.variant.label} no powers are drawn.")
    read = read_assignments(here.variant, words)
    if not read:
        raise CommandError("Which power, and which color? Write SET GROUP <power> <color>.")
    fixed, wrong = _fixed(here, [one for one in read if not one.why])
    wrong = [*(one for one in read if one.why), *wrong]
    if len(read) == 1 and wrong:
        raise CommandError(wrong[0].why)
    for mistake in wrong:
        context.remark(mistake.why, "error", mistake.text)
    return Setting({"fixed": fixed}) if len(wrong) < len(read) else None


def _fixed(here: Seated, asked: Sequence[Assignment]) -> tuple[Holders, list[Assignment]]:
    """Return the fixed group of each power after these assignments, and the assignments that are impossible."""
    variant, seed, before = here.variant, here.settings.seed, dict(here.settings.fixed)
    fixed, wrong = _with(before, *asked), list[Assignment]()
    if not _clash(variant, seed, fixed):
        return fixed, []
    fixed = before
    for one in asked:
        after = _with(fixed, one)
        if why := _clash(variant, seed, after):
            wrong.append(replace(one, why=why))
        else:
            fixed = after
    return fixed, wrong


def _with(fixed: Holders, *assigned: Assignment) -> Holders:
    """Return `fixed`, the fixed group of each power, changed by these assignments."""
    after = dict(fixed)
    for one in assigned:
        after.pop(one.power, None)
        if one.group:
            after[one.power] = one.group
    return after


def _clash(variant: Variant, seed: int, fixed: Holders) -> str:
    """Return why the powers cannot be in their fixed groups, or "" if they can."""
    try:
        draw(variant.groups, variant.draws, seed, fixed)
    except DrawError as wrong:
        return str(wrong)
    return ""


add_settings(board_command, "fixed", handler=set_group)
add_settings(board_command, "canals", "year_cap")


def read_assignments(variant: Variant, text: str) -> list[Assignment]:
    """Return the assignments of powers on a line, with powers without a color last.

    A color before a power also applies to the powers after it. A color after a power also applies to all powers before
    it that have no color yet.
    """
    read = []
    heading: str | None = None
    waiting = []
    idle = ""
    for item in filter(None, _BETWEEN.split(" ".join(text.split()))):
        try:
            before, named, colour = _parts(variant, item)
        except KeyError as unknown:
            read.append(Assignment(item, why=unknown.args[0]))
            continue
        if named:
            waiting.append((item, named))
        elif waiting:
            before, colour = None, before
        else:
            idle = before or RANDOM
        heading = heading if before is None else before
        colour = heading if colour is None else colour
        if colour is not None and waiting:
            read += [_assignment(variant, *one, colour) for one in waiting]
            waiting, idle = [], ""
    if idle:
        why = f"Which powers go there? Write SET GROUP {idle}: <power>, <power>."
        read.append(Assignment(idle, why=why))
    return read + [_assignment(variant, *one, None) for one in waiting]


def _assignment(variant: Variant, item: str, named: str, colour: str | None) -> Assignment:
    """Return the assignment of the power called `named`, which is in the part `item` of a line."""
    try:
        power = variant.power(named).name
    except KeyError as unknown:
        return Assignment(item, why=unknown.args[0])
    if colour is None:
        return Assignment(item, why=f"Which color gets {power}? Write SET GROUP {power} <color>.")
    return Assignment(item, power, colour)


def _parts(variant: Variant, item: str) -> tuple[str | None, str, str | None]:
    """Return the color before the power, the power's name and the color after it, from one part of a line.

    None means a missing color, and "" a missing power. Raises KeyError if a color does not exist, or if there are two
    colors or two powers.
    """
    words = [word for word in _MARKS.sub(" ", item).split() if word.upper() not in _LINKS]
    whole, rest, most = " ".join(words), " ".join(words[1:]), " ".join(words[:-1])
    if not words or _is_power(variant, whole):
        return None, whole or item, None
    before, behind = (_colour(variant, words[at]) for at in (0, -1))
    if before is not None:
        if behind is not None and rest:
            raise KeyError("Give each power one color only.")
        _refuse_two(variant, rest)
        return before, rest, None
    if behind is not None:
        _refuse_two(variant, most)
        return None, most, behind
    _refuse_two(variant, whole)
    # A word next to a power is meant as a color.
    if _is_power(variant, most):
        return None, most, variant.seat(words[-1]).name
    if _is_power(variant, rest):
        return variant.seat(words[0]).name, rest, None
    return None, whole, None


def _refuse_two(variant: Variant, named: str) -> None:
    """Raise KeyError if the words are the names of two powers."""
    words = named.split()
    if _is_power(variant, named):
        return
    for at in range(1, min(len(words), _MOST_WORDS)):
        one, other = " ".join(words[:at]), " ".join(words[at:])
        if _is_power(variant, one) and _is_power(variant, other):
            raise KeyError(f"Write a comma between {variant.power(one).name} and {variant.power(other).name}.")


def _is_power(variant: Variant, text: str) -> bool:
    try:
        return bool(variant.power(text))
    except KeyError:
        return False


def _colour(variant: Variant, word: str) -> str | None:
    """Return the group called `word`, or "" for RANDOM.

    Returns None if no group has this name, or if a power has it too.
    """
    if word.upper() == RANDOM:
        return ""
    try:
        return None if _is_power(variant, word) else variant.seat(word).name
    except KeyError:
        return None


def unknown_setting(context: CommandContext, setting: str) -> None:
    """Refuse SET with a word that is not a setting, or with a setting in a wrong form."""
    # Mask the text before changing it to capitals, because it may be a password after a misspelled SET PASSWORD.
    said = context.reply.redact(f"SET {setting}").removeprefix("SET ")
    words = [word for word in re.sub("[:=!]", " ", setting.upper()).split() if word not in _ON_OR_OFF]
    # Find the setting whose name matches as many of the first words as possible.
    keys = [f"SET {' '.join(words[:end])}" for end in range(len(words), 0, -1)]
    found = next(filter(None, map(context.letter.reader.settings_named, keys)), [])
    if found:
        raise CommandError(f"Nothing has changed. Write {forms_of(found)}.")
    raise CommandError(f'"{said.upper()}" is not a setting. For a list, send HELP SET.')


def set_variant(context: CommandContext, variant: str | None) -> None:
    """Refuse SET VARIANT, because a game keeps the board that it was created with."""
    try:
        name = variant_called(variant or "")
    except VariantError:
        name = ""
    raise CommandError(
        f"A game keeps the board it was created with: {context.seat.variant.label}. For another board, create "
        "another game: "
        f"CREATE ?<game> <password> {name if name in variant_names() else '<variant>'}. "
        "HELP variants lists the boards."
    )


SLIPS = (
    Slip(
        names=("SET VARIANT", "SET BOARD"), place=Place.GAME, handler=set_variant,
        pattern=r"(?:\s+(?P<variant>\S+(?:\s+\S+){0,3}))?",
    ),
    Slip(
        names=("SET",), place=Place.GAME, handler=unknown_setting,
        pattern=r"\s+(?P<setting>[A-Z]\S*(?:\s+\S+){0,2})",
    ),
)  # fmt: skip
