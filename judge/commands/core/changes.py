"""Changes by SET and by corrections: what is set, and how all players, or the sender alone, are notified.

A handler of a setting returns a `Setting`; `permissions.carry_out` applies it. Changes to a game take effect at once,
and one mail announces all those of a block.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from judge.commands.core.command import Call, Family
from judge.commands.core.context import CommandContext
from judge.games.core.board import variant_at
from judge.games.core.settings import Timing, keep_settings
from judge.games.deadlines import schedule
from judge.games.gm_corrections import corrections
from judge.games.gm_corrections.corrections import Dropped, named
from judge.games.life import membership
from judge.games.notifications import notices
from judge.mails.templates import when
from judge.rules.board.names import counted
from judge.rules.board.phase import PhaseKind
from judge.rules.game_options import in_words
from judge.store.tables import Game, Person, Seat

_LENGTHS: dict[str, PhaseKind] = {"move": "M", "retreat": "R", "adjust": "A"}
# The settings that the clock of the open phase depends on.
_TIMED = {"move", "retreat", "adjust", "nmr", "manual_process", "strict_grace", "remind", "max_absence"}
_UNCHANGED = "already set; nothing changed."
# How the phases of each timing are called.
TIMED_WORDS = {"move": "Movement", "retreat": "Retreats", "adjust": "Adjustments"}
_ALL_PHASES = " ".join(TIMED_WORDS)


@dataclass(frozen=True)
class Setting:
    """New `values` by name, and what is said about them.

    Without a `row` they are settings of the game, and all its players are notified; a `row` (the sender's person or
    seat, or the game's own) concerns nobody else, and only the sender reads about it.
    """

    values: Mapping[str, Any]
    says: Sequence[str] | str
    row: Person | Seat | Game | None = None

    def apply(self, context: CommandContext, call: Call) -> None:
        """Keep the values, update the clock of the open phase, and say so."""
        if self.row:
            for name, value in self.values.items():
                setattr(self.row, name, value)
            context.session.add(self.row)
            context.note(call, str(self.says))
            return
        game, before = context.the_game, context.settings
        after = replace(before, **self.values)
        if after.to_json() == before.to_json():
            context.note(call, _UNCHANGED)
            return
        keep_settings(game, after)
        context.session.add(game)
        if context.phase and _TIMED & self.values.keys():
            schedule.rearm(context.work, game, context.phase)
        if timed := [letter for name, letter in _LENGTHS.items() if name in self.values]:
            context.pending.timed = context.pending.timed or timed[0]
        context.pending.settings = context.pending.settings or before
        says = [self.says] if isinstance(self.says, str) else self.says
        names, changes = " ".join(self.values), context.pending.changes
        earlier = changes.pop(names, ())
        # Lists and tables grow, so what is said of them adds up.
        grows = any(isinstance(value, list | dict) for value in self.values.values())
        changes[names] = [*(earlier if grows else ()), *says]


def shown(key: str, value: Any) -> str:
    """Return a value of a timing as people read it."""
    if value is None:
        return "this judge's default"
    if key == "clock":
        return f"{value // 60:02}:{value % 60:02}" if value >= 0 else "none"
    return value if key == "days" else f"{value:g} hour{'' if value == 1 else 's'}"


def timing_changes(kind: str, before: Timing, after: Timing) -> list[str]:
    """`Movement NEXT: 48 hours (was 71 hours).`: old and new of each value of the timing that has changed."""
    return [
        f"{TIMED_WORDS[kind]} {key.upper()}: {shown(key, getattr(after, key))} (was {shown(key, value)})."
        for key, value in before.to_json().items()
        if value != getattr(after, key)
    ]


def switch(family: Family, *names: str, says: str, help: str, **values: object) -> None:
    """Add a command without arguments that gives a setting of the game one value."""
    family.add(*names, help=help, handler=lambda context, call: Setting(values, says))


def set_zone(context: CommandContext, call: Call, known: str) -> None:
    """Set the time zone of the game, which is not among its other settings."""
    game = context.the_game
    if known == game.zone:
        context.note(call, _UNCHANGED)
        return
    context.pending.timed = "M"
    stays = " The open phase keeps its deadline." if context.phase else ""
    context.pending.changes["zone"] = [
        f"Time zone of the game: {known} (was {game.zone}). Later phases use it for CLOCK and DAYS.{stays}"
    ]
    game.zone = known
    context.session.add(game)


def tell_changes(context: CommandContext) -> None:
    """Notify all players of what the block has changed so far; show the sender the next deadlines if they changed."""
    game, phase = context.game, context.phase
    changes = _final(context) if game else []
    if changes and game:
        template_values = {"by": ruler(context), "changes": changes}
        notices.tell_all(
            context.work, notices.Announcement(game, phase, "changes", "Parameter Change", template_values)
        )
        if len(changes) > 1:
            many = f"{len(changes)} settings of {game.name} have been changed."
            context.answer.settle(f"{many} All players have been notified.")
            context.answer.texts.append("\n".join(changes))
        else:
            context.answer.settle(f"{game.name}: {changes[0]}")
    if context.pending.timed and game and game.state not in ("paused", "finished"):
        coming = schedule.coming(context.work, game, phase, context.pending.timed)
        lines = [f"{what}: {when(moment, game.zone)}" for what, moment in coming]
        heading = f"Next deadlines, in the time zone of {game.name}, {game.zone}:"
        context.answer.texts.append("\n".join([heading, *lines]))
    context.pending.timed = None


def _final(context: CommandContext) -> list[str]:
    """Say what the block has set, as it is now; what it has set and set back is left out."""
    pending, after = context.pending, context.settings
    before, changes = pending.settings, pending.changes
    pending.changes, pending.settings = {}, None
    everywhere = changes.pop(_ALL_PHASES, None)
    if before and everywhere and len({getattr(after, kind).grace for kind in TIMED_WORDS}) > 1:
        # One kind of phase has another grace again, so each is named by itself.
        changes, everywhere = {**dict.fromkeys(TIMED_WORDS, ()), **changes}, None
    said = [*(everywhere or ())]
    for names, lines in changes.items():
        if before and names in TIMED_WORDS:
            timed = timing_changes(names, getattr(before, names), getattr(after, names))
            said += [line for line in timed if not (everywhere and " GRACE: " in line)]
        elif names == "zone" or not names or any(getattr(before, one) != getattr(after, one) for one in names.split()):
            said += lines
    return said


def tell_borders(context: CommandContext) -> None:
    """Notify all players, in one mail, of the borders that the lines above have corrected."""
    game, changes, context.pending.borders = context.game, context.pending.borders, []
    if not (game and changes):
        return
    variant = variant_at(game, context.phase)
    told = [in_words(variant, text) for text in changes]
    dropped = corrections.tell_borders(context.work, game, context.phase, told, ruler(context))
    context.read_orders_again()
    context.answer.settle(
        f"The board of {game.name} has been corrected: {' '.join(told)} All players have been notified."
    )
    tell_dropped(context, dropped)


def tell_ejected(context: CommandContext) -> None:
    """Notify all players of the seats that were taken in this block and that no other mail mentions."""
    for seat in context.pending.ejected:
        membership.tell_resigned(context.work, context.the_game, seat, why_ejected(context, seat))
    context.pending.ejected = []


def why_ejected(context: CommandContext, seat: Seat) -> str:
    """Return why the holder of `seat` has lost it, as they are told: who wrote EJECT."""
    own = context.acting.master if context.acting else context.the_seat
    if own.person_id == seat.person_id:
        return "you have removed yourself"
    who = ruler(context)
    return f"{who.replace('The ', 'the ', 1)} has removed you"


def tell_dropped(context: CommandContext, dropped: Dropped) -> None:
    """Say how many orders of which powers a change of the board has made impossible."""
    orders = {power: lost for power, lost in dropped.orders.items() if context.sees("orders", power=power)}
    if orders:
        lost = counted(sum(map(len, orders.values())), "order")
        whose = named(list(orders))
        context.answer.texts.append(f"Dropped, because they are no longer possible: {lost} of {whose}.")


def ruler(context: CommandContext) -> str:
    """Return who gave the command, as all players read it at the beginning of a sentence."""
    if context.acting or context.the_seat.role == "master":
        return context.master
    return context.the_seat.power or "A player"
