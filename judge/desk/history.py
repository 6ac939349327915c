"""What a game has been: SUMMARY and HISTORY."""

from datetime import datetime, time, timedelta

from judge.desk.asking import asked_game, asked_phase, shown_in, tell, tell_text
from judge.desk.visit import GAME, Call, Command, CommandError, Visit
from judge.games import chronicle, entries
from judge.games.chronicle import Span
from judge.games.dates import DateError, read_date
from judge.games.outcomes import outcome_of
from judge.games.settings import GameSettings
from judge.mails.centerview import count_tables, ownership_tables
from judge.mails.views import result_view
from judge.rules import PhaseError, load_variant, read_phase
from judge.store.records import last_phase, played
from judge.store.tables import Game, Phase

USUAL_SPAN = timedelta(days=7)
USUAL_LINES = 1000


def summary(visit: Visit, call: Call) -> None:
    """SUMMARY [<game>]: who played what from when, the settings, who owned the centers year by year."""
    game = asked_game(visit, call.arguments["game"], "SUMMARY")
    newest = _newest_phase(visit, game)
    variant, settings = load_variant(game.variant), GameSettings.from_json(game.settings)
    years = chronicle.owners_by_year(visit.session, game)
    tell(
        visit,
        f"Summary of game {game.name} through {newest.name}.",
        "summary",
        game=game,
        tenures=chronicle.tenures(visit.session, game, shown_in(visit, game)),
        options=", ".join([variant.title, *entries.option_words(settings), entries.press_words(settings)]),
        owners=ownership_tables(variant, years) if years else [],
        counts=count_tables(variant, years) if years else [],
    )


def history(visit: Visit, call: Call) -> None:
    """HISTORY [<game>] [FROM <date or phase>] [TO <date or phase>] [LINES <n>], or EXCLSTART <phase> [EXCLEND <phase>].

    The results of the span as they were mailed; without FROM those of the last seven days. EXCLSTART and
    EXCLEND name a span that is left out of everything there is.
    """
    game = asked_game(visit, call.arguments["game"], "HISTORY")
    _newest_phase(visit, game)
    span = _excluded(call) if call.arguments["skip_from"] else _span(visit, call)
    phases = [phase for phase in played(visit.session, game) if span.has(phase)]
    if not phases:
        whole = f"HISTORY {game.name} FROM {load_variant(game.variant).start}"
        tell_text(visit, f"Nothing was processed in game {game.name} in that time. {whole} tells all.", "")
        return
    most = int(call.arguments["lines"] or USUAL_LINES)
    pages, told = _pages(visit, game, phases, most)
    first, last = phases[0].name, phases[told - 1].name
    title = f"Results of game {game.name}, {first}{f' to {last}' if last != first else ''}."
    if told < len(phases):
        title += f" No more fit into {most} lines: HISTORY {game.name} FROM {phases[told].name} goes on."
    if call.arguments["broad"]:
        pages.insert(0, "Notices and press are not kept for HISTORY: these are the results.")
    tell_text(visit, title, "\n\n".join(pages))


def _newest_phase(visit: Visit, game: Game) -> Phase:
    """The phase that the game has come to; raises CommandError before its first."""
    asked_phase(visit, game)
    newest = last_phase(visit.session, game)
    if not newest or game.state == "forming":
        raise CommandError(f"Game {game.name} has not begun. LIST {game.name} tells how it is set.")
    return newest


def _pages(visit: Visit, game: Game, phases: list[Phase], most: int) -> tuple[list[str], int]:
    """The results of the first phases, as many as fit into `most` lines, at least one; and how many that are."""
    pages: list[str] = []
    lines = 0
    for phase in phases:
        position, outcome = outcome_of(game, phase)
        result = result_view(load_variant(game.variant), position, outcome)
        page = visit.office.post.render("history", visit.zone, game=game, turn=phase.number, result=result, told=phase)
        lines += page.count("\n") + 2
        if pages and lines > most:
            break
        pages.append(page)
    return pages, len(pages)


def _excluded(call: Call) -> Span:
    first, last = call.arguments["skip_from"], call.arguments["skip_to"]
    return Span(_phase(first), _phase(last) if last else None, outside=True)


def _span(visit: Visit, call: Call) -> Span:
    since, until = call.arguments["since"], call.arguments["until"]
    end = _bound(visit, until, time(23, 59, 59)) if until else None
    if since:
        return Span(_bound(visit, since, time(0)), end)
    if isinstance(end, str):
        return Span(None, end)
    return Span((end or visit.now) - USUAL_SPAN, end)


def _bound(visit: Visit, text: str, clock: time) -> datetime | str:
    """The phase or the moment that `text` names; a weekday is the last one, and a day is whole."""
    try:
        return read_phase(text)
    except PhaseError:
        pass
    try:
        return read_date(text, visit.now - USUAL_SPAN, visit.zone, clock)
    except DateError as wrong:
        raise CommandError(f"{str(wrong)[:1].upper()}{str(wrong)[1:]}. A phase does too: FROM S1901M.") from None


def _phase(text: str) -> str:
    try:
        return read_phase(text)
    except PhaseError as wrong:
        raise CommandError(str(wrong)) from None


_OTHER_WORDS = r"(?!(?:FROM|TO|LINES|EXCLSTART|BROAD)\b)"

COMMANDS = (
    Command(
        names=("SUMMARY",),
        arguments="[<game>]",
        who="U",
        place="anywhere",
        summary="who played what from when, and who owned the centers year by year",
        handler=summary,
        pattern=rf"(?:\s+(?P<game>{GAME}))?",
    ),
    Command(
        names=("HISTORY",),
        arguments="[<game>] [FROM <date or phase>] [TO <date or phase>] [LINES <n>] "
        "| EXCLSTART <phase> [EXCLEND <phase>]",
        who="U",
        place="anywhere",
        summary="the results of a span again, or of all phases outside a span; as a rule of the last seven days",
        handler=history,
        pattern=rf"(?:\s+{_OTHER_WORDS}(?P<game>{GAME}))?"
        r"(?:\s+EXCLSTART\s+(?P<skip_from>\S+)(?:\s+EXCLEND\s+(?P<skip_to>\S+))?|"
        r"(?:\s+FROM\s+(?P<since>\S.*?))?(?:\s+TO\s+(?P<until>\S.*?))?)"
        r"(?P<broad>\s+BROAD)?(?:\s+LINES\s+(?P<lines>[1-9]\d{0,3}))?",
    ),
)
