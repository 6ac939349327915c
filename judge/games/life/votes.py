"""Votes to end a game: a draw, or a concession to the one largest power; secret, and for one phase only.

On some boards the players may end a game in any way on which all of them agree (1648 and Ambition & Empire, Victory;
Intercontinental, 2.2): a draw between those named, a concession to any power or to an alliance of several. There all
votes must be for exactly the same.

Draws include all survivors (DIAS) unless the game is set otherwise. Then each voter lists powers and accepts a draw
between any of them; a voter who is in their own list accepts only draws that include them. A draw of one power would
give it the game: that is a concession, whatever command votes for it, and counts only where there are concessions.
"""

from collections.abc import Mapping, Sequence

from sqlmodel import Session

from judge.games.core.board import board, variant_of
from judge.games.core.settings import GameSettings, settings_of
from judge.games.core.work import Work
from judge.games.life import ending
from judge.games.orders.vote_choices import ALL_SURVIVORS, REVEAL, AllSurvivors, Choice, accepted, meant, written
from judge.rules import NEUTRAL, Position, Variant, still_in
from judge.rules.mechanisms.victory import center_counts, sharers
from judge.store.orders import votes_in
from judge.store.rows import id_of
from judge.store.seats import seats_of
from judge.store.states import VoteKind
from judge.store.tables import Game, Phase, Vote

_DRAW_ALL = "For a draw of all survivors, write only SET DRAW."
_NAME_THEM = (
    "For a draw of all survivors, write only SET DRAW. For a draw of some, list them: SET DRAW France, England or "
    "SET DRAW FE."
)
_LIST_THEM = "List the powers you accept in a draw: SET DRAW France, England or SET DRAW FE."


class VoteRefused(Exception):
    """The vote cannot be cast in this game; the sentence says why."""


def voters(game: Game, phase: Phase) -> set[str]:
    """The survivors that have a vote and can win something: not those in permanent civil disorder."""
    return still_in(*board(game, phase)) - set(settings_of(game).disorder)


def how_to_draw(game: Game) -> str:
    """How a vote for a draw is written in this game, in a sentence."""
    if variant_of(game).ends_by_unanimity:
        return _NAME_THEM
    return _DRAW_ALL if settings_of(game).dias else _LIST_THEM


def cast(session: Session, game: Game, phase: Phase, power: str, kind: VoteKind, choice: Choice) -> VoteKind:
    """Vote as `power` for a draw between `choice`, or concede to the one power in it; returns which of the two it is.

    Raises VoteRefused.
    """
    variant, position = board(game, phase)
    meant: VoteKind = "concede" if not isinstance(choice, AllSurvivors) and len(choice) == 1 else kind
    try:
        _check(settings_of(game), variant, position, power, meant, choice)
    except VoteRefused as refusal:
        raise VoteRefused(f"A draw of one power is a concession. {refusal}") if meant != kind else refusal from None
    withdraw(session, phase, power, kind)
    withdraw(session, phase, power, meant)
    session.add(Vote(phase_id=id_of(phase), power=power, kind=meant, choice=written(choice)))
    session.flush()
    return meant


def has_cast(session: Session, phase: Phase, power: str, kind: VoteKind) -> bool:
    """Whether `power` has a vote of that kind in this phase."""
    return any(vote.power == power and vote.kind == kind for vote in votes_in(session, phase))


def withdraw(session: Session, phase: Phase, power: str, kind: VoteKind) -> bool:
    """Take a vote back; returns whether there was one."""
    mine = [vote for vote in votes_in(session, phase) if vote.power == power and vote.kind == kind]
    for vote in mine:
        session.delete(vote)
    session.flush()
    return bool(mine)


def count(work: Work, game: Game, phase: Phase) -> bool:
    """End the game if the votes say so; returns whether they did."""
    alive = voters(game, phase)
    votes = votes_in(work.session, phase)
    if variant_of(game).ends_by_unanimity:
        return _count_unanimous(work, game, phase, votes, alive)
    settings = settings_of(game)
    concessions = {vote.power: vote.choice for vote in votes if vote.kind == "concede"}
    conceded = _conceded(concessions, alive) if settings.concessions else None
    draws = {vote.power: accepted(vote.choice, alive) for vote in votes if vote.kind == "draw"}
    if settings.dias:
        # Some lists were given before draws had to include all.
        draws = {power: choice for power, choice in draws.items() if choice >= alive}
    drawn = agreed_draw(draws, alive)
    if drawn and len(drawn) == 1 < len(alive):
        # All that the lists share is one power.
        (only,) = drawn
        conceded, drawn = conceded or (only if _may_get_it(game, phase, drawn) else None), None
    if conceded:
        ending.concede(work, game, phase, [conceded])
    elif drawn:
        ending.draw(work, game, phase, drawn)
    return bool(conceded or drawn)


def _count_unanimous(work: Work, game: Game, phase: Phase, votes: Sequence[Vote], alive: set[str]) -> bool:
    """Do so where all must agree on exactly the same end. A player who gets the game alone need not vote for that."""
    shared = meant(game, phase, ALL_SURVIVORS)
    draws = {vote.power: accepted(vote.choice, shared) for vote in votes if vote.kind == "draw"}
    concessions = {vote.power: accepted(vote.choice, shared) for vote in votes if vote.kind == "concede"}
    if drawn := _unanimous(draws, alive):
        ending.draw(work, game, phase, drawn)
    elif conceded := _unanimous(concessions, alive, winner_agrees=True):
        ending.concede(work, game, phase, conceded)
    else:
        return False
    return True


def _unanimous(
    votes: Mapping[str, frozenset[str]], alive: set[str], winner_agrees: bool = False
) -> frozenset[str] | None:
    """What all survivors have voted for; None if they have not, or not for the same.

    `winner_agrees`: a single power in the choice need not have voted.
    """
    named = {choice for power, choice in votes.items() if power in alive}
    if len(named) != 1:
        return None
    (choice,) = named
    needed = alive - choice if winner_agrees and len(choice) == 1 else alive
    return choice if choice and needed and needed <= votes.keys() else None


def agreed_draw(lists: Mapping[str, frozenset[str]], alive: set[str]) -> frozenset[str] | None:
    """The largest draw that every survivor accepts; None if there is none.

    It can only be the powers that all lists share, and a power that lists itself has to be in it.
    """
    if not alive or alive - lists.keys():
        return None
    shared = frozenset.intersection(*(lists[power] for power in alive)) & alive
    wanting_in = {power for power in alive if power in lists[power]}
    return shared if shared and wanting_in <= shared else None


def _conceded(votes: Mapping[str, str], alive: set[str]) -> str | None:
    """The power to which all other survivors concede; None if there is none."""
    named = {choice for power, choice in votes.items() if power in alive}
    if len(named) != 1:
        return None
    (leader,) = named
    return leader if alive - {leader} <= votes.keys() else None


def _may_get_it(game: Game, phase: Phase, choice: frozenset[str]) -> bool:
    """Whether the game may be conceded to that power."""
    try:
        _check_concession(settings_of(game), *board(game, phase), choice)
    except VoteRefused:
        return False
    return True


def _check(
    settings: GameSettings, variant: Variant, position: Position, power: str, kind: VoteKind, choice: Choice
) -> None:
    alive = still_in(variant, position)
    named = frozenset() if isinstance(choice, AllSurvivors) else choice
    if power not in alive:
        raise VoteRefused(f"{power} has nothing left on the board, so it has no vote.")
    if strangers := named - alive:
        raise VoteRefused(f"{sorted(strangers)[0]} has nothing left on the board.")
    if lost := named & set(settings.disorder):
        raise VoteRefused(f"{sorted(lost)[0]} is in permanent civil disorder, so it cannot share in this.")
    if variant.ends_by_unanimity:
        unarmed = sorted(named - sharers(variant, position))
        if kind == "draw" and unarmed:
            raise VoteRefused(f"{unarmed[0]} has no unit on the board, so it cannot share a draw.")
        return
    if kind == "draw" and settings.dias and choice is not ALL_SURVIVORS:
        raise VoteRefused("In this game a draw includes all survivors: write only SET DRAW.")
    if kind == "draw" and not settings.dias and not named:
        raise VoteRefused(_LIST_THEM)
    if kind == "concede":
        _check_concession(settings, variant, position, named)


def _check_concession(
    settings: GameSettings, variant: Variant, position: Position, choice: frozenset[str]
) -> None:
    if not settings.concessions:
        raise VoteRefused("This game does not allow concessions.")
    sizes = center_counts(variant, position.centers)
    sizes.pop(NEUTRAL, None)
    most = max(sizes.values(), default=0)
    leaders = {power for power, size in sizes.items() if size == most}
    if len(leaders) != 1 or choice != leaders:
        one = "colour" if variant.groups else "power"
        raise VoteRefused(f"A game can only be conceded to the one {one} that has more centers than any other.")


def agree_on_bids(session: Session, game: Game, phase: Phase, power: str, revealed: bool) -> bool:
    """`power` agrees that bids are told after the end, or that they are not; returns whether now every player has."""
    withdraw(session, phase, power, "reveal")
    session.add(Vote(phase_id=id_of(phase), power=power, kind="reveal", choice=REVEAL[revealed]))
    session.flush()
    said = {vote.power: vote.choice for vote in votes_in(session, phase) if vote.kind == "reveal"}
    players = [seat.power for seat in seats_of(session, game) if seat.role == "player" and seat.power]
    return all(said.get(player) == REVEAL[revealed] for player in players)
