"""Changes of a game's settings: they count at once, and one mail tells everybody about all changes of a block."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from judge.desk.core.command import Call
from judge.desk.core.visit import Visit
from judge.desk.core.wording import counted
from judge.games.core.board import variant_at
from judge.games.core.settings import keep_settings, settings_of
from judge.games.deadlines import schedule
from judge.games.interventions import border_changes
from judge.games.interventions.corrections import Dropped, named
from judge.games.life import leaving
from judge.games.telling import notices
from judge.mails.templates import when
from judge.rules.board.phase import PhaseKind
from judge.rules.one_game.border_corrections import in_words
from judge.store.seats import seats_of
from judge.store.tables import Game, Seat

_LENGTHS: dict[str, PhaseKind] = {"move": "M", "retreat": "R", "adjust": "A"}
# The settings that the clock of the open phase depends on.
_TIMED = {"move", "retreat", "adjust", "nmr", "manual_process", "strict_grace", "remind", "max_absence"}


def change(visit: Visit, call: Call, game: Game, changed: dict[str, Any], sentences: Sequence[str]) -> None:
    """Keep `changed` in the settings of `game` and update its clock; everybody will be told the `sentences`."""
    before = settings_of(game)
    after = replace(before, **changed)
    if after.to_json() == before.to_json():
        visit.note(call, "that is already so; nothing was changed.")
        return
    keep_settings(game, after)
    visit.session.add(game)
    if visit.phase and _TIMED & changed.keys():
        schedule.rearm(visit.turn, game, visit.phase)
    if timed := [letter for name, letter in _LENGTHS.items() if name in changed]:
        visit.timed = visit.timed or timed[0]
    visit.changes += sentences


def tell_changes(visit: Visit) -> None:
    """Tell everybody what the block has changed so far, and tell its sender that they were told; and the next
    deadlines, if these have changed.
    """
    _tell_settings(visit)
    if visit.timed:
        _show_deadlines(visit, visit.timed)
        visit.timed = None


def _tell_settings(visit: Visit) -> None:
    if not (visit.changes and visit.game):
        return
    context = {"by": ruler(visit), "changes": visit.changes}
    announcement = notices.Announcement(visit.game, visit.phase, "changes", "Parameter Change", context)
    notices.tell_all(visit.turn, announcement)
    visit.answer.settle(f"Game {visit.game.name}: {' '.join(visit.changes)}")
    visit.changes = []


def _show_deadlines(visit: Visit, phase_kind: PhaseKind) -> None:
    """Answer with the next two deadlines, in the zone of the game: the open phase's, and one of that kind after it."""
    game, phase = visit.the_game, visit.phase
    if game.state in ("paused", "finished"):
        return
    coming = schedule.coming(visit.turn, game, phase, phase_kind)
    lines = [f"{what}: {when(moment, game.zone)}" for what, moment in coming]
    visit.answer.texts.append("\n".join([f"Next deadlines, in the time zone of {game.name}, {game.zone}:", *lines]))


def tell_borders(visit: Visit) -> None:
    """Tell everybody, in one mail, which borders the lines above have corrected."""
    game, changes, visit.borders = visit.game, visit.borders, []
    if not (game and changes):
        return
    variant = variant_at(game, visit.phase)
    told = [in_words(variant, text) for text in changes]
    dropped = border_changes.tell_borders(visit.turn, game, visit.phase, told, ruler(visit))
    visit.read_orders_again()
    visit.answer.settle(f"The board of game {game.name} is corrected: {' '.join(told)} Everybody is told.")
    tell_dropped(visit, dropped)


def tell_ejected(visit: Visit) -> None:
    """Tell everybody who has lost a seat in this block and is not told of in another mail."""
    for seat in visit.ejected:
        assert visit.game
        leaving.tell(visit.turn, visit.game, seat, why_ejected(visit, seat))
    visit.ejected = []


def why_ejected(visit: Visit, seat: Seat) -> str:
    """Why the holder of `seat` has lost it, as they are told: who wrote EJECT."""
    own = visit.acting.master if visit.acting else visit.the_seat
    if own.person_id == seat.person_id:
        return "you have taken yourself out"
    return f"{ruler(visit)} has removed you"


def tell_dropped(visit: Visit, dropped: Dropped) -> None:
    """Say how many orders of which powers went off the file with a change of the board."""
    orders = {power: lost for power, lost in dropped.orders.items() if visit.sees("orders", power=power)}
    if orders:
        lost = counted(sum(map(len, orders.values())), "order")
        whose = named(list(orders))
        visit.answer.texts.append(f"Dropped, because no longer possible: {lost} of {whose}.")


def ruler(visit: Visit) -> str:
    """The words in which everybody is told who gave the command."""
    return visit.master if visit.acting or visit.the_seat.role == "master" else visit.the_seat.power or "a player"


def masters_of(visit: Visit, game: Game) -> list[Seat]:
    """The seats of its masters."""
    return [seat for seat in seats_of(visit.session, game) if seat.role == "master"]
