"""Votes to end a game by a draw or a concession. Votes are secret, and for one phase only.

On most boards, a concession can only be to the one largest power. On some boards, the players may end a game in any way
that all of them want. (1648 and Ambition & Empire, Victory; Intercontinental, 2.2.) Such an end may be a draw between
the named powers, or a concession to any power or to several. On such boards, all votes must be for exactly the same
end.

Draws include all survivors (DIAS) unless the game is set otherwise. In a game without DIAS, each voter lists powers and
accepts a draw between any of them. A voter who is in their own list accepts only draws that include them. A draw of one
power would give it the game. So a vote for it is a concession, whichever command votes for it, and valid only where
concessions are.
"""

from collections.abc import Collection, Mapping, Set

from sqlmodel import Session

from judge.games.core.board import board, variant_of
from judge.games.core.settings import settings_of
from judge.games.core.work import Refusal
from judge.rules import NEUTRAL, listed, still_in
from judge.rules.mechanisms.victory import center_counts, sharers
from judge.store.games import votes_in
from judge.store.seats import with_players
from judge.store.states import VoteKind
from judge.store.tables import Game, Phase, Vote

# The powers that a vote names. If it names none, the vote is for a draw of all powers that survive when the vote is
# decided.
Choice = frozenset[str]
ALL_SURVIVORS: Choice = frozenset()
# The stored text of a vote on whether all bids are revealed after the end.
_REVEAL = {True: "told", False: "kept"}
_NO_VOTE = "{} has nothing left on the board, so it has no vote."
_DRAW_ALL = "For a draw of all survivors, write only SET DRAW."
_LIST_THEM = "List the powers you accept in a draw: SET DRAW France, England or SET DRAW FE."


def how_to_draw(game: Game) -> str:
    """Return a sentence on how to vote for a draw in this game."""
    if variant_of(game).ends_by_unanimity:
        return f"{_DRAW_ALL} For a draw of some, list them: SET DRAW France, England or SET DRAW FE."
    return _DRAW_ALL if settings_of(game).dias else _LIST_THEM


def _accepted(written: str, alive: Set[str]) -> Choice:
    """Return the powers of a vote from the text in its row, or `alive` if the text names none."""
    return frozenset(written.split(",") if written else alive)


def meant(game: Game, phase: Phase, choice: Choice) -> Choice:
    """Return the powers that the choice means on the present board."""
    return choice or frozenset(sharers(*board(game, phase)) - set(settings_of(game).disorder))


def names(game: Game, powers: Collection[str]) -> str:
    """Return the powers by name, in the variant's order, such as `England and France`."""
    return listed(variant_of(game).seats_in_order(powers))


def vote_words(game: Game, vote: Vote) -> str:
    """Return a vote in words, such as `a draw of England and France` or `a concession to France`."""
    if vote.kind == "reveal":
        return f"all bids are {'made public' if vote.choice == _REVEAL[True] else 'kept secret'} after the game"
    if not vote.choice:
        return "a draw of all survivors"
    powers = names(game, _accepted(vote.choice, frozenset()))
    return f"a concession to {powers}" if vote.kind == "concede" else f"a draw of {powers}"


def cast(session: Session, game: Game, phase: Phase, power: str, kind: VoteKind, choice: Choice) -> VoteKind:
    """Vote as `power` for a draw between `choice`, or a concession to it. Return the kind of vote.

    A draw of one power is a concession. Raises Refusal.
    """
    counts_as: VoteKind = "concede" if len(choice) == 1 else kind
    try:
        _check(game, phase, power, counts_as, choice)
    except Refusal as refusal:
        raise Refusal(f"A draw of one power is a concession. {refusal}") if counts_as != kind else refusal from None
    withdraw(session, phase, power, kind)
    _put(session, phase, power, counts_as, ",".join(sorted(choice)))
    return counts_as


def _put(session: Session, phase: Phase, power: str, kind: VoteKind, choice: str) -> None:
    withdraw(session, phase, power, kind)
    session.add(Vote(phase_id=phase.key, power=power, kind=kind, choice=choice))


def has_cast(session: Session, phase: Phase, power: str, kind: VoteKind) -> bool:
    """Return whether `power` has a vote of that kind in this phase."""
    return any(vote.power == power and vote.kind == kind for vote in votes_in(session, phase))


def withdraw(session: Session, phase: Phase, power: str, kind: VoteKind) -> bool:
    """Withdraw a vote, and return whether there was one."""
    mine = [vote for vote in votes_in(session, phase) if vote.power == power and vote.kind == kind]
    for vote in mine:
        session.delete(vote)
    session.flush()
    return bool(mine)


def clear(session: Session, phase: Phase) -> None:
    """Withdraw all votes to end the game."""
    for vote in votes_in(session, phase):
        if vote.kind != "reveal":
            session.delete(vote)
    session.flush()


def agreed_end(session: Session, game: Game, phase: Phase) -> tuple[VoteKind, Choice] | None:
    """Return the kind of vote that has succeeded and the powers that it names, or None.

    All survivors must have voted for the same, but the power that they concede to does not have to vote. Powers in
    permanent civil disorder have no vote.
    """
    settings, unanimous = settings_of(game), variant_of(game).ends_by_unanimity
    alive = frozenset(still_in(*board(game, phase)) - set(settings.disorder))
    all_meant = meant(game, phase, ALL_SURVIVORS) if unanimous else alive
    said: dict[VoteKind, dict[str, Choice]] = {"draw": {}, "concede": {}, "reveal": {}}
    for vote in votes_in(session, phase):
        said[vote.kind][vote.power] = _accepted(vote.choice, all_meant)
    drawn, conceded = said["draw"], _same(said["concede"], alive, winner_agrees=True)
    if unanimous:
        if shared := _same(drawn, alive):
            return "draw", shared
        return ("concede", conceded) if conceded else None
    if conceded and settings.concessions:
        return "concede", conceded
    return _agreed_by_lists(game, phase, drawn, alive)


def _agreed_by_lists(
    game: Game, phase: Phase, lists: Mapping[str, Choice], alive: Set[str]
) -> tuple[VoteKind, Choice] | None:
    """Return the draw that every survivor accepts, or a concession if their lists share only one power, else None."""
    if settings_of(game).dias:
        # Some players sent their lists before draws had to include all survivors.
        lists = {power: choice for power, choice in lists.items() if choice >= alive}
    shared = agreed_draw(lists, alive)
    if not shared:
        return None
    if len(shared) > 1 or len(alive) == 1:
        return "draw", shared
    return None if _why_not_conceded(game, phase, shared) else ("concede", shared)


def _same(votes: Mapping[str, Choice], alive: Choice, *, winner_agrees: bool = False) -> Choice | None:
    """Return the powers for which all survivors have voted, or None if they have not voted for the same.

    If `winner_agrees` is true, a power to which all others concede does not have to vote.
    """
    named = {choice for power, choice in votes.items() if power in alive}
    if len(named) != 1:
        return None
    (choice,) = named
    needed = alive - choice if winner_agrees and len(choice) == 1 else alive
    return choice if needed <= votes.keys() else None


def agreed_draw(lists: Mapping[str, Choice], alive: Set[str]) -> Choice | None:
    """Return the largest draw that every survivor accepts, or None if there is none.

    The draw can only include powers that are in all lists. The draw must include every power that is in its own list.
    """
    if not alive or alive - lists.keys():
        return None
    shared = frozenset.intersection(*(lists[power] for power in alive)) & alive
    wanting_in = {power for power in alive if power in lists[power]}
    return shared if shared and wanting_in <= shared else None


def _check(game: Game, phase: Phase, power: str, kind: VoteKind, choice: Choice) -> None:
    settings, (variant, position) = settings_of(game), board(game, phase)
    alive = still_in(variant, position)
    if power not in alive:
        raise Refusal(_NO_VOTE.format(power))
    if strangers := choice - alive:
        raise Refusal(f"{sorted(strangers)[0]} has nothing left on the board.")
    if lost := choice & set(settings.disorder):
        raise Refusal(f"{sorted(lost)[0]} is in permanent civil disorder, so it cannot share in this.")
    why_not = _why_not_conceded if kind == "concede" else _why_not_drawn
    if why := why_not(game, phase, choice):
        raise Refusal(why)


def _why_not_drawn(game: Game, phase: Phase, choice: Choice) -> str:
    """Return a sentence on why the game cannot be a draw between these powers, or "" if it can."""
    variant, position = board(game, phase)
    if variant.ends_by_unanimity:
        unarmed = sorted(choice - sharers(variant, position))
        return f"{unarmed[0]} has no unit on the board, so it cannot share a draw." if unarmed else ""
    if settings_of(game).dias:
        return "In this game a draw includes all survivors: write only SET DRAW." if choice else ""
    return "" if choice else _LIST_THEM


def _why_not_conceded(game: Game, phase: Phase, choice: Choice) -> str:
    """Return a sentence on why the game cannot be conceded to these powers, or "" if it can."""
    variant, position = board(game, phase)
    if variant.ends_by_unanimity:
        return ""
    if not settings_of(game).concessions:
        return "This game does not allow concessions."
    sizes = center_counts(variant, position.centers)
    sizes.pop(NEUTRAL, None)
    most = max(sizes.values(), default=0)
    leaders = {power for power, size in sizes.items() if size == most}
    if len(leaders) == 1 and choice == leaders:
        return ""
    one = "colour" if variant.groups else "power"
    return f"A game can only be conceded to the one {one} that has more centers than any other."


def agree_on_bids(session: Session, game: Game, phase: Phase, power: str, revealed: bool) -> bool:
    """Record whether `power` wants bids revealed after the end, and return whether all players have said the same.

    A player who is out of the game has no vote. Raises Refusal.
    """
    alive = still_in(*board(game, phase))
    if power not in alive:
        raise Refusal(_NO_VOTE.format(power))
    _put(session, phase, power, "reveal", _REVEAL[revealed])
    said = {vote.power: vote.choice for vote in votes_in(session, phase) if vote.kind == "reveal"}
    return all(said.get(player) == _REVEAL[revealed] for player in with_players(session, game) & alive)
