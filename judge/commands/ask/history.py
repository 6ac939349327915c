"""The history of a game: SUMMARY and HISTORY."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import partial

from judge.commands.core.command import GAME, CommandError, Family, Place, Who
from judge.commands.core.context import MOST_TEXT, CommandContext
from judge.commands.core.queries import asked_game, own_seats, seat_in, sees, shown_in, tell, tell_text
from judge.games.core.board import outcome_of, standing, variant_of
from judge.games.core.settings import option_words, press_words, settings_of
from judge.games.core.who_may_see import PLAYS_TOO, disorder_shown, played_stage
from judge.games.core.work import Refusal
from judge.games.deadlines.dates import read_date, written
from judge.games.life import game_record
from judge.games.life.game_record import Span
from judge.games.orders.standing import full_report
from judge.mails.boardview import count_tables, ownership_tables, state_now
from judge.mails.views import title
from judge.rules import PhaseError, read_phase
from judge.store.games import last_phase, played
from judge.store.tables import Game, Phase

USUAL_SPAN = timedelta(days=7)
USUAL_LINES = 1000
# The title and the rest of the reply need room too.
_MOST_BYTES = MOST_TEXT - 2_000
_A_REPLY = "a reply"


_OTHER_WORDS = r"(?!(?:FROM|TO|LINES|EXCLSTART|BROAD|BIDS)\b)"

command = Family("questions", who=Who.ANYBODY, place=Place.ANYWHERE)


@command(
    "SUMMARY",
    arguments="[<game>]",
    pattern=rf"(?:\s+(?P<game>{GAME}))?",
    help="who played which power and when, and who owned the centers each year",
)
def summary(context: CommandContext, game: str | None) -> None:
    """SUMMARY [<game>]: who played what and since when, the settings, who owned the centers year by year."""
    asked, _ = asked_game(context, game, "SUMMARY")
    newest = _newest_phase(context, asked)
    variant, settings, shown = variant_of(asked), settings_of(asked), shown_in(context, asked)
    words = [*option_words(settings, disorder_shown(asked, shown)), press_words(settings)]
    years = game_record.owners_by_year(context.session, asked)
    tell(
        context,
        f"Summary of {asked.name} through {newest.name}.",
        "summary",
        game=asked,
        tenures=game_record.tenures(context.session, asked, shown),
        now=state_now(variant, position) if (position := standing(context.session, asked)) else [],
        options=", ".join([variant.title, *words]),
        owners=ownership_tables(variant, years) if years else [],
        counts=count_tables(variant, years) if years else [],
    )


@dataclass(frozen=True)
class Asked:
    """The words of HISTORY: the game, the span or the span to leave out, what is shown, the number of lines."""

    game: str | None
    skip_from: str | None
    skip_to: str | None
    since: str | None
    until: str | None
    broad: bool
    bids: bool
    lines: int | None


@command(
    "HISTORY",
    arguments="[<game>] [BIDS] [FROM <date or phase>] [TO <date or phase>] [BROAD] [LINES <n>] | EXCLSTART "
    "<phase> [EXCLEND <phase>] [BROAD] [LINES <n>]",
    pattern=rf"(?:\s+{_OTHER_WORDS}(?P<game>{GAME}))?(?P<bids>\s+BIDS)?"
    r"(?:\s+EXCLSTART\s+(?P<skip_from>\S+)(?:\s+EXCLEND\s+(?P<skip_to>\S+))?|"
    r"(?:\s+FROM\s+(?P<since>\S.*?))?(?:\s+TO\s+(?P<until>\S.*?))?)"
    r"(?P<broad>\s+BROAD)?(?:\s+LINES\s+(?P<lines>[1-9]\d{0,3}))?",
    help="the results of the last seven days, or of the time you name; EXCLSTART, EXCLEND: all other phases; BROAD: "
    "also the press you may see; BIDS: for the master, all bids of Diplomacy Points",
)
def history(context: CommandContext, asked: Asked) -> None:
    """HISTORY [<game>] [FROM <date or phase>] [TO <date or phase>] [BROAD] [LINES <n>], or EXCLSTART [EXCLEND].

    The results of the span as they were mailed; without FROM those of the last seven days. EXCLSTART <phase> and
    EXCLEND <phase> ask for everything except the span that they name. BROAD adds the press. BIDS: only the bids of
    Diplomacy Points, without FROM those of the whole game.
    """
    game, _ = asked_game(context, asked.game, "HISTORY")
    _newest_phase(context, game)
    told = _bid_entries(context, game) if asked.bids else _entries(context, game, asked.broad)
    span = _span(context, asked)
    entries = [entry for entry in told if span.has(entry.phase, entry.at)]
    words = " BIDS" if asked.bids else " BROAD" if asked.broad else ""
    again = f"HISTORY {game.name} FROM {{}}{words}"
    if not entries:
        whole = again.format(variant_of(game).start)
        nothing = f"Nothing was {'bid' if asked.bids else 'processed or sent' if asked.broad else 'processed'}"
        tell_text(context, f"{nothing} in {game.name} in that time. For everything, send {whole}.", "")
        return
    most = asked.lines or USUAL_LINES
    pages, room = _pages(entries, most)
    first, last = entries[0].phase, entries[len(pages) - 1].phase
    what = "Bids" if asked.bids else "Results and press" if asked.broad else "Results"
    heading = f"{what} of {game.name}, {first or 'its forming'}{f' to {last}' if last != first else ''}."
    if len(pages) < len(entries):
        following = entries[len(pages)]
        if following.phase != first:
            more = again.format(following.phase)
        elif room == _A_REPLY:
            # Always a later second than that of the first entry.
            later = max(following.at, entries[0].at + timedelta(seconds=1))
            more = again.format(written(later, context.zone))
        else:
            more = f"{again.format(first)} LINES {min(9999, 2 * most)}"
        heading += f" The rest did not fit into {room}. To see it, send {more}."
    tell_text(context, heading, "\n\n".join(pages), headed=not asked.bids)


@dataclass(frozen=True)
class _Entry:
    """An event at a moment in a phase ("": before the first); `text` makes the text about it."""

    at: datetime
    phase: str
    text: Callable[[], str]


def _entries(context: CommandContext, game: Game, broad: bool) -> list[_Entry]:
    """The results of all phases, and if `broad` the press that the sender may read, in the order of time."""
    entries = [
        _Entry(
            phase.processed_at or context.now,
            phase.name,
            partial(game_record.told_again, context.services.post, context.zone, game, phase),
        )
        for phase in played(context.session, game)
    ]
    if broad:
        messages = game_record.read_again(context.session, game, own_seats(context, game))
        tell = partial(context.services.post.render, "archived", context.zone)
        entries += [_Entry(one.sent_at, one.phase, partial(tell, message=one)) for one in messages]
    return sorted(entries, key=lambda entry: entry.at)


def _bid_entries(context: CommandContext, game: Game) -> list[_Entry]:
    """All bids of each phase in which something was bid, in the order of time.

    Raises CommandError unless the sender may read all bids of the phases that are over.
    """
    variant, seat = variant_of(game), seat_in(context, game)
    if variant.points is None:
        raise CommandError(f"There are no Diplomacy Points in {variant.title}.")
    if not sees(context, game, "bids", stage=played_stage(game)):
        if not seat or seat.role != "master":
            raise CommandError("Only the master can read all bids. Your own are at the end of each results email.")
        raise CommandError(f"{PLAYS_TOO}, so HISTORY BIDS is refused until it has ended.")
    entries = []
    for phase in played(context.session, game):
        position, outcome = outcome_of(game, phase)
        if outcome.bids.bids:
            told = {"full": full_report(variant, position, outcome.bids), "title": title(phase.name, "bids")}
            text = partial(context.services.post.render, "bid_history", context.zone, **told)
            entries.append(_Entry(phase.processed_at or context.now, phase.name, text))
    return entries


def _pages(entries: Sequence[_Entry], most: int) -> tuple[list[str], str]:
    """Return the texts of the first entries, at least one, and which limit was reached: `most` lines or a reply."""
    pages: list[str] = []
    lines = size = 0
    for entry in entries:
        page = entry.text()
        lines += page.count("\n") + 2
        size += len(page.encode()) + 2
        if pages and lines > most:
            return pages, f"{most} {'line' if most == 1 else 'lines'}"
        if pages and size > _MOST_BYTES:
            return pages, _A_REPLY
        pages.append(page)
    return pages, ""


def _newest_phase(context: CommandContext, game: Game) -> Phase:
    """The newest phase of the game; raises CommandError before its first."""
    newest = last_phase(context.session, game)
    if not newest or game.state == "forming":
        raise CommandError(f"{game.name} has not started. For its settings, send LIST {game.name}.")
    return newest


def _span(context: CommandContext, asked: Asked) -> Span:
    if asked.skip_from:
        return Span(read_phase(asked.skip_from), read_phase(asked.skip_to) if asked.skip_to else None, outside=True)
    since = _bound(context, asked.since, time(0)) if asked.since else None
    end = _bound(context, asked.until, time(23, 59, 59), after=since) if asked.until else None
    if since:
        return Span(since, end)
    if isinstance(end, str) or asked.bids:
        return Span(None, end)
    return Span((end or context.now) - USUAL_SPAN, end)


def _bound(context: CommandContext, text: str, clock: time, after: datetime | str | None = None) -> datetime | str:
    """Return the phase or the moment that `text` names; a date is the whole day.

    A weekday means the last such day, a day without its year the last such day as well, or the first one after
    `after`.
    """
    if text.isdecimal():
        raise CommandError(
            f"{text} is not a whole date. For that year of the game, write HISTORY FROM S{text}M TO W{text}A."
        )
    with suppress(PhaseError):
        return read_phase(text)
    try:
        moment = read_date(text, context.now, context.zone, clock, "back")
        if isinstance(after, datetime) and moment < after:
            return read_date(text, context.now, context.zone, clock, after=after)
        return moment
    except Refusal as wrong:
        raise CommandError(f"{wrong} You can also name a phase: FROM S1901M.") from None
