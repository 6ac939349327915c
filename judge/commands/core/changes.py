"""Changes of a game's settings: they count at once, and one mail tells everybody about all changes of a block."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from judge.commands.core.command import Call
from judge.commands.core.context import CommandContext
from judge.commands.core.wording import counted
from judge.games.core.board import variant_at
from judge.games.core.settings import keep_settings, settings_of
from judge.games.deadlines import schedule
from judge.games.gm_corrections import corrections
from judge.games.gm_corrections.corrections import Dropped, named
from judge.games.life import membership
from judge.games.notifications import notices
from judge.mails.templates import when
from judge.rules.board.phase import PhaseKind
from judge.rules.game_options import in_words
from judge.store.seats import seats_of
from judge.store.tables import Game, Seat

_LENGTHS: dict[str, PhaseKind] = {"move": "M", "retreat": "R", "adjust": "A"}
# The settings that the clock of the open phase depends on.
_TIMED = {"move", "retreat", "adjust", "nmr", "manual_process", "strict_grace", "remind", "max_absence"}


def change(context: CommandContext, call: Call, game: Game, changed: dict[str, Any], sentences: Sequence[str]) -> None:
    """Keep `changed` in the settings of `game` and update its clock; everybody will be told the `sentences`."""
    before = settings_of(game)
    after = replace(before, **changed)
    if after.to_json() == before.to_json():
        context.note(call, "that is already so; nothing was changed.")
        return
    keep_settings(game, after)
    context.session.add(game)
    if context.phase and _TIMED & changed.keys():
        schedule.rearm(context.work, game, context.phase)
    if timed := [letter for name, letter in _LENGTHS.items() if name in changed]:
        context.timed = context.timed or timed[0]
    context.changes += sentences


def tell_changes(context: CommandContext) -> None:
    """Tell everybody what the block has changed so far, and tell its sender that they were told; and the next
    deadlines, if these have changed.
    """
    _tell_settings(context)
    if context.timed:
        _show_deadlines(context, context.timed)
        context.timed = None


def _tell_settings(context: CommandContext) -> None:
    if not (context.changes and context.game):
        return
    template_values = {"by": ruler(context), "changes": context.changes}
    announcement = notices.Announcement(context.game, context.phase, "changes", "Parameter Change", template_values)
    notices.tell_all(context.work, announcement)
    context.answer.settle(f"Game {context.game.name}: {' '.join(context.changes)}")
    context.changes = []


def _show_deadlines(context: CommandContext, phase_kind: PhaseKind) -> None:
    """Answer with the next two deadlines, in the zone of the game: the open phase's, and one of that kind after it."""
    game, phase = context.the_game, context.phase
    if game.state in ("paused", "finished"):
        return
    coming = schedule.coming(context.work, game, phase, phase_kind)
    lines = [f"{what}: {when(moment, game.zone)}" for what, moment in coming]
    context.answer.texts.append("\n".join([f"Next deadlines, in the time zone of {game.name}, {game.zone}:", *lines]))


def tell_borders(context: CommandContext) -> None:
    """Tell everybody, in one mail, which borders the lines above have corrected."""
    game, changes, context.borders = context.game, context.borders, []
    if not (game and changes):
        return
    variant = variant_at(game, context.phase)
    told = [in_words(variant, text) for text in changes]
    dropped = corrections.tell_borders(context.work, game, context.phase, told, ruler(context))
    context.read_orders_again()
    context.answer.settle(f"The board of game {game.name} is corrected: {' '.join(told)} Everybody is told.")
    tell_dropped(context, dropped)


def tell_ejected(context: CommandContext) -> None:
    """Tell everybody who has lost a seat in this block and is not told of in another mail."""
    for seat in context.ejected:
        assert context.game
        membership.tell_resigned(context.work, context.game, seat, why_ejected(context, seat))
    context.ejected = []


def why_ejected(context: CommandContext, seat: Seat) -> str:
    """Why the holder of `seat` has lost it, as they are told: who wrote EJECT."""
    own = context.acting.master if context.acting else context.the_seat
    if own.person_id == seat.person_id:
        return "you have taken yourself out"
    return f"{ruler(context)} has removed you"


def tell_dropped(context: CommandContext, dropped: Dropped) -> None:
    """Say how many orders of which powers went off the file with a change of the board."""
    orders = {power: lost for power, lost in dropped.orders.items() if context.sees("orders", power=power)}
    if orders:
        lost = counted(sum(map(len, orders.values())), "order")
        whose = named(list(orders))
        context.answer.texts.append(f"Dropped, because no longer possible: {lost} of {whose}.")


def ruler(context: CommandContext) -> str:
    """The words in which everybody is told who gave the command."""
    return (
        context.master if context.acting or context.the_seat.role == "master" else context.the_seat.power or "a player"
    )


def masters_of(context: CommandContext, game: Game) -> list[Seat]:
    """The seats of its masters."""
    return [seat for seat in seats_of(context.session, game) if seat.role == "master"]
