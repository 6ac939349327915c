"""Changes by SET and by corrections: what is set, and how all players, or the sender alone, are notified.

A handler of a setting returns a `Setting`; `permissions.carry_out` applies it. Changes to a game take effect at once,
and one mail announces all those of a block.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from judge.commands.core.context import CommandContext
from judge.games.core.board import variant_at
from judge.games.core.settings import TIMINGS, change_settings, change_words
from judge.games.deadlines import schedule
from judge.games.life import corrections, membership
from judge.games.life.corrections import Dropped, named
from judge.games.notifications import notices
from judge.mails.templates import when
from judge.rules.board.names import counted, listed
from judge.rules.game_options import in_words
from judge.store.tables import Game, Person, Seat

# The settings that the clock of the open phase depends on.
_TIMED = {*TIMINGS, "nmr", "manual_process", "strict_grace", "remind", "max_absence"}
UNCHANGED = "already set; nothing changed."


@dataclass(frozen=True)
class Setting:
    """New `values` by name.

    Without a `row` they are settings of the game, and all its players read the sentence that the setting itself has
    (judge/games/core/settings.py), after what `says` why. A `row` (the sender's person or seat, or the game's own)
    concerns nobody else, and only the sender reads what it `says`, or that it was so already (`again`).
    """

    values: Mapping[str, Any]
    says: str = ""
    row: Person | Seat | Game | None = None
    again: str = UNCHANGED

    def apply(self, context: CommandContext) -> None:
        """Keep the values, update the clock of the open phase, and say so."""
        if self.row:
            is_so = all(getattr(self.row, name) == value for name, value in self.values.items())
            for name, value in self.values.items():
                setattr(self.row, name, value)
            context.session.add(self.row)
            context.note(self.again if is_so else self.says)
            return
        game, before, pending = context.the_game, context.settings, context.pending
        after = replace(before, **self.values)
        if after == before:
            context.note(UNCHANGED)
            return
        pending.before = pending.before or (context.variant, before)
        change_settings(game, **self.values)
        context.session.add(game)
        if context.phase and _TIMED & self.values.keys():
            schedule.rearm(context.work, game, context.phase)
        for name in self.values:
            # What is set last is told last.
            pending.changes.pop(name, None)
            pending.changes[name] = self.says
            pending.timed = pending.timed or TIMINGS.get(name)


def tell_changes(context: CommandContext) -> None:
    """Notify all players of what the block has changed so far; show the sender the next deadlines if they changed."""
    game, phase, pending = context.the_game, context.phase, context.pending
    changes = [*change_words(*pending.before, context.settings, pending.changes)] if pending.before else []
    changes += filter(None, [pending.zone])
    if changes:
        template_values = {"by": ruler(context), "changes": changes}
        notices.tell_all(
            context.work, notices.Announcement(game, phase, "changes", "Parameter Change", template_values)
        )
    if len(changes) > 1:
        context.settle(f"{len(changes)} settings of {game.name} have been changed. All players have been notified.")
        context.add_text("\n".join(changes))
    elif changes:
        context.settle(f"{game.name}: {changes[0]}")
    if pending.timed and game.state not in ("paused", "finished"):
        coming = schedule.coming(context.work, game, phase, pending.timed)
        lines = [f"{what}: {when(moment, game.zone)}" for what, moment in coming]
        heading = f"Next deadlines, in the time zone of {game.name}, {game.zone}:"
        context.add_text("\n".join([heading, *lines]))
    if pending.graced:
        _warn_of_grace(context)
    pending.before, pending.changes, pending.zone, pending.timed, pending.graced = None, {}, "", None, {}


# How the timing of each kind of phases is called.
_PHASES = {"move": "movement", "retreat": "retreats", "adjust": "adjustments"}


def _warn_of_grace(context: CommandContext) -> None:
    """Warn of phases in which late players have too little grace now, with the command that gives it."""
    settings, graced = context.settings, context.pending.graced
    grace = {kind: getattr(settings, kind).grace for kind in graced}
    short = [kind for kind, hours in grace.items() if (hours < 24 if settings.nmr else not hours)]
    if not short or settings.manual_process:
        return
    everywhere = len(short) == len(_PHASES)
    where = "" if everywhere else f" in {listed(_PHASES[kind] for kind in short)}"
    helps = "SET GRACE 48" if everywhere else listed(f"SET {kind.upper()} GRACE 48" for kind in short)
    helps = f"{helps} {'help' if 1 < len(short) < len(_PHASES) else 'helps'}."
    if settings.nmr:
        what = f"with less than 24 hours of grace{where}, late players get little warning."
    else:
        what = f"without grace{where}, late players lose their power at once."
    context.remark("note", graced[short[-1]], f"{what} {helps}")


def tell_borders(context: CommandContext) -> None:
    """Notify all players, in one mail, of the borders that the lines above have corrected."""
    game, phase, changes = context.the_game, context.phase, context.pending.borders
    if not changes:
        return
    context.pending.borders = []
    told = [in_words(variant_at(game, phase), text) for text in changes]
    dropped = corrections.tell_borders(context.work, game, phase, told, ruler(context))
    context.read_orders_again()
    context.settle(f"The board of {game.name} has been corrected: {' '.join(told)} All players have been notified.")
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
        context.add_text(f"Dropped, because they are no longer possible: {lost} of {whose}.")


def ruler(context: CommandContext) -> str:
    """Return who gave the command, as all players read it at the beginning of a sentence."""
    if context.acting or context.the_seat.role == "master":
        return context.master
    return context.the_seat.power or "A player"
