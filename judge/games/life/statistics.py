"""Statistics of listed games that have ended: results and lengths of games, by power, by year and by person.

The statistics name only people who have sent SET PUBLIC NAME ON, in games that show names to strangers. All people may
see everything about their own games.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.settings import settings_of
from judge.games.life.game_record import public_players
from judge.games.life.lifecycle import CONCEDED, DRAWN, VICTORY
from judge.rules import year
from judge.rules.json_forms import centers_of_year
from judge.store.games import last_ended, outcomes_of_falls, public_names
from judge.store.tables import Game

# The maximum numbers of games, of games of one variant, and of years in a table. Only the latest games are read, so
# that a reply does not take long.
MOST_GAMES, MOST_OF_VARIANT, MOST_YEARS = 1000, 200, 12
# The verb for people who share in a result of this kind.
_DONE = {VICTORY: "won", CONCEDED: "won", DRAWN: "drew"}
_ENDS, _ENDED = ("won", "drew", ""), ("Won", "Drawn", "No result")


@dataclass(frozen=True)
class Chart:
    """A table with its title, the heads of its columns, and its rows, each with a label first."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]

    @property
    def lines(self) -> list[str]:
        """Return the table as text, in columns."""
        rows = [self.heads, *self.rows]
        first, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
        numbers = ["".join(f"  {cell:>{wide}}" for cell, wide in zip(row[1:], widths, strict=True)) for row in rows]
        return [f"{row[0]:<{first}}{cells}" for row, cells in zip(rows, numbers, strict=True)]


def shared_in(game: Game) -> tuple[str, list[str]]:
    """Return "won" or "drew", and the powers that did so in the game's result, or ("", []) without a result."""
    how, _, whose = game.result.partition(": ")
    seats = variant_of(game).seats
    named = [seat.name for seat in seats if seat.name == whose] or [seat.name for seat in seats if seat.letter in whose]
    return (_DONE[how], named) if how in _DONE else ("", [])


def ended_games(session: Session, variant: str = "") -> list[Game]:
    """Return the last listed games that ended after they began, newest first.

    If `variant` is given, only games of this variant are returned.
    """
    begun = [(game, settings_of(game)) for game in last_ended(session, MOST_GAMES) if game.started_at]
    # Leave out games of one person, who plays all powers.
    games = [game for game, settings in begun if settings.listed and not settings.solo]
    return [game for game in games if variant_of(game).name == variant][:MOST_OF_VARIANT] if variant else games


def by_variant(games: Sequence[Game]) -> Chart:
    """Return the chart with the numbers of games of each variant that were won, drawn, or ended without a result."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for game in games:
        found[variant_of(game).title][shared_in(game)[0]] += 1
    rows = [[title, str(ends.total()), *_counts(ends, _ENDS)] for title, ends in sorted(found.items())]
    return Chart("Ended games", ["Variant", "Games", *_ENDED], rows)


def of_variant(session: Session, games: Sequence[Game]) -> list[Chart]:
    """Return the charts for games of one variant, of which there must be at least one."""
    seats = variant_of(games[0]).seats
    # For each game, who shared in its result, and {power: its centers at the end of each year}.
    shares = [shared_in(game) for game in games]
    centers = [_centers(session, game) for game in games]
    years = [max(map(len, of_game.values())) for of_game in centers]
    lengths = [f"{of(years):g}" for of in (min, median, max)]
    ended = _counts(Counter(how for how, _ in shares), _ENDS)
    heads = ["Games", *_ENDED, "Years: least", "median", "most"]
    rows = [_of_power(seat.name, shares, centers) for seat in seats]
    return [
        Chart("Games", heads, [[str(len(games)), *ended, *lengths]]),
        Chart("Results by power", ["Power", "Won", "Drew", "Out", "Centers at the end", "most"], rows),
        _by_year([seat.name for seat in seats], centers, year(variant_of(games[0]).start)),
    ]


def _centers(session: Session, game: Game) -> dict[str, list[int]]:
    ends = list(filter(None, map(centers_of_year, outcomes_of_falls(session, game))))
    return {
        seat.name: [sum(len(centers.get(power, ())) for power in seat.powers) for centers in ends]
        for seat in variant_of(game).seats
    }


def _of_power(
    power: str, shares: Iterable[tuple[str, Sequence[str]]], centers: Iterable[Mapping[str, Sequence[int]]]
) -> list[str]:
    """Return a power's row, with wins, draws, games that it ended without centers, and its average and most centers."""
    done = Counter(how for how, powers in shares if power in powers)
    # Leave out games that ended in their first year, since they have no centers at the end of a year.
    lasting = [counts for of_game in centers if (counts := of_game.get(power))]
    last = [counts[-1] for counts in lasting]
    average = f"{mean(last):.1f}" if last else "-"
    most = max((max(counts) for counts in lasting), default=0)
    return [power, *_counts(done, ("won", "drew")), str(last.count(0)), average, str(most)]


def _by_year(powers: Iterable[str], centers: Sequence[Mapping[str, Sequence[int]]], first: int) -> Chart:
    """Return the mean number of centers at the end of each year, over the games that lasted that long."""
    most = min(MOST_YEARS, max(len(counts) for of_game in centers for counts in of_game.values()))
    rows = []
    for power in powers:
        lasting = [[of_game[power] for of_game in centers if len(of_game.get(power, ())) > at] for at in range(most)]
        rows.append([power, *(f"{mean(counts[at] for counts in some):.1f}" for at, some in enumerate(lasting))])
    return Chart("Centers by year (mean)", ["Power", *(f"'{(first + at) % 100:02}" for at in range(most))], rows)


def of_people(session: Session, games: Sequence[Game]) -> Chart:
    """Return the chart of the people who may be named, with their numbers of games, the most wins first."""
    public = dict(public_names(session))
    done: dict[str, Counter[str]] = defaultdict(Counter)
    for game in games:
        how, powers = shared_in(game)
        for power, name in public_players(session, game, public).items():
            done[name] += Counter(["played", how] if power in powers else ["played"])
    found = sorted(done.items(), key=lambda one: (-one[1]["won"], -one[1]["drew"], one[0]))
    rows = [[name, *_counts(own, ("played", "won", "drew"))] for name, own in found]
    return Chart("Players who show their names", ["Player", "Games", "Won", "Drew"], rows)


def own_games(places: Iterable[tuple[Game, str]]) -> Chart:
    """Return the chart of a person's own ended games with their results. `places` has (game, power)."""
    rows = []
    for game, power in places:
        how, powers = shared_in(game)
        rows.append([game.name, variant_of(game).title, power, how if power in powers else "-"])
    return Chart("Your ended games", ["Game", "Variant", "Power", "Result"], rows)


def _counts(found: Counter[str], of: Iterable[str]) -> list[str]:
    return [str(found[one]) for one in of]
