"""The state of games: LIST, STATUS and WHOGAME."""

from functools import partial

from judge.addresses import address_in
from judge.commands.core.command import GAME, SEATED, Call, Family, Place, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.errors import CommandError
from judge.commands.core.queries import asked_game, asked_phase, seat_in, sees_now, shown_in, tell, tell_text
from judge.games.core.board import border_words, standing, variant_now, variant_of
from judge.games.core.settings import TIMED, late_words, option_words, press_words, settings_of, timing_words
from judge.games.core.who_may_see import disorder_shown, shown_to
from judge.games.life import forming
from judge.games.orders.filed_orders import FiledOrders
from judge.games.people import reliability
from judge.games.record import game_record
from judge.mails.boardview import state_now
from judge.mails.views import position_view
from judge.rules import words
from judge.rules.board.names import listed
from judge.rules.describe import describe_unit
from judge.store.games import living_games
from judge.store.people import people_of, person_at
from judge.store.rows import id_of
from judge.store.seats import games_of, left_seat, masters, powers_played, seats_of, sitting
from judge.store.tables import Game, Person, Phase, Seat

command = Family("questions", who=Who.ANYBODY, place=Place.ANYWHERE)


@command(
    "INFO PLAYER",
    "GET DEDICATION",
    arguments="[<address>]",
    pattern=r"(?:\s+(?P<address>[^\s@]+@\S+?))?",
    help="how reliable a player in your games is; without an address: how reliable you are",
)
def info_player(context: CommandContext, call: Call, address: str | None) -> None:
    """INFO PLAYER [<address>]: how reliable a player has been; the sender's own record has all games in it."""
    written = address or context.letter.sender
    address = address_in(written)
    person = person_at(context.session, address)
    mine = person is not None and context.person is not None and person.id == context.person.id
    if not (person and (mine or _is_shown(context, address))):
        raise CommandError(f"You share no game with {written} in which you may see addresses. WHOGAME shows them.")
    record = (reliability.record_of if mine else reliability.record_shown)(context.work, id_of(person))
    tell(context, f"The record of {person.name} <{address}>.", "player", name=person.name, record=record)


def _listed(context: CommandContext) -> list[tuple[Game, Phase | None]]:
    """The games that have not ended, with their open phases; unlisted games only for the people in them."""
    return [
        (game, phase)
        for game, phase in living_games(context.session)
        if settings_of(game).listed or seat_in(context, game)
    ]


def _brief(context: CommandContext) -> None:
    games = _listed(context)
    seats, names = sitting(context.session), masters(context.session)
    lines = [_line(game, phase, seats.get(id_of(game), []), names.get(id_of(game), [])) for game, phase in games]
    tell(context, _on_this_judge(len(games)), "list", games=lines)


def _line(game: Game, phase: Phase | None, seats: list[Seat], mastered_by: list[str]) -> dict[str, str]:
    """The lines of LIST about one game."""
    variant, settings = variant_of(game), settings_of(game)
    parts = [
        variant.title,
        *option_words(settings, disorder_shown(game, shown_to(None, game))),
        *["NMR"] * (settings.nmr and not settings.manual_process),
        *[f"master {name}" for name in mastered_by],
        *game_record.mastery_words(seats),
        press_words(settings),
        *["paused"] * (game.state == "paused"),
    ]
    gaps = ""
    if phase:
        open_powers = game_record.openings(game, phase, seats)
        if open_powers:
            gaps = f"Openings: {', '.join(f'{power} ({units}/{centers})' for power, units, centers in open_powers)}."
    else:
        needed = len(variant.seats) - sum(seat.role == "player" for seat in seats)
        gaps = f"Forming: {_counted_players(needed)} needed. SIGNON ?{game.name} joins."
    name = phase.name if phase else "Forming"
    return {"name": game.name, "phase": name, "text": ", ".join(parts), "comment": game.comment, "gaps": gaps}


def _entry(context: CommandContext, game: Game, phase: Phase | None) -> str:
    """The full entry of one game: its settings, its players, its units and its centers."""
    session, variant = context.session, variant_of(game)
    reader, shown = seat_in(context, game), shown_in(context, game)
    seats, people = seats_of(session, game), people_of(session, game)
    position = standing(session, game)
    by_master = reader is not None and reader.role == "master"
    sees = partial(sees_now, context, game) if by_master else None
    settings = settings_of(game)
    template_values = {
        "game": game,
        "phase": phase,
        "variant": variant,
        "changes": border_words(game, variant_now(session, game)),
        "settings": settings,
        "ends": game_record.ends_words(variant_of(game), settings),
        "now": state_now(variant, position) if position else [],
        "options": [*option_words(settings, disorder_shown(game, shown)), *game_record.mastery_words(seats)],
        "press": press_words(settings),
        "late": late_words(settings),
        "timing": [(kind, timing_words(settings.timing(letter))) for kind, letter in TIMED],
        "masters": game_record.masters_shown(seats, people, shown),
        "observers": sum(seat.role == "observer" for seat in seats),
        "needed": forming.missing_players(session, game) if game.state == "forming" else 0,
        "players": (
            game_record.player_lines(context.work, game, phase, position, game_record.Reader(shown, sees))
            if position
            else []
        ),
        "position": position_view(variant, position) if position else None,
    }
    return context.services.post.written("entry", context.zone, context.now, template_values)


def _state(game: Game, phase: Phase | None) -> str:
    """`Movement for Fall of 1901`, `forming`, `ended`."""
    if phase:
        return words(phase.name) + (", paused" if game.state == "paused" else "")
    return "forming" if game.state == "forming" else f"ended. {game.result}"


def _on_this_judge(number: int) -> str:
    return f"{number} game{'' if number == 1 else 's'} on this judge."


def _counted_players(number: int) -> str:
    return f"{number} more player{'' if number == 1 else 's'}"


@command(
    "WHOIS",
    "WHO IS",
    "WHO",
    arguments="<address>",
    pattern=r"\s+(?P<address>[^\s@]+@\S+?)",
    help="who has this address, of the people whom WHOGAME shows you",
)
def who_is(context: CommandContext, call: Call, address: str) -> None:
    """WHOIS <address>: the name of a person whose address WHOGAME shows the sender, and in which games."""
    asked = address_in(address)
    person = person_at(context.session, asked)
    mine = person is not None and context.person is not None and person.id == context.person.id
    if not (person and (mine or _is_shown(context, asked))):
        raise CommandError(f"You share no game with {address} in which you may see addresses. WHOGAME shows them.")
    games = _shown_at(context, asked)
    where = f", in game{'s' * (len(games) > 1)} {listed(games)}" if games else ""
    tell_text(context, f"{person.name} <{asked}>{where}.", "")


def _tell_status(context: CommandContext, game: Game) -> None:
    phase = asked_phase(context, game)
    variant, position = variant_of(game), standing(context.session, game)
    book = FiledOrders(context.session, game, phase) if phase else None
    reader = seat_in(context, game)
    tell(
        context,
        f"Status of game {game.name}.",
        "status",
        game=game,
        phase=phase,
        state=_state(game, phase),
        variant=variant.title,
        board=variant,
        changes=border_words(game, variant_now(context.session, game)),
        kind="player" if variant.groups else "power",
        waiting=len(book.awaited()) if book else 0,
        retreats=_retreats(book, reader.power) if book and reader and reader.power else [],
        position=position_view(variant, position) if position else None,
        disorder=disorder_shown(game, shown_in(context, game)),
        needed=forming.missing_players(context.session, game) if game.state == "forming" else 0,
    )


def _retreats(book: FiledOrders, seat: str) -> list[tuple[str, str]]:
    """(a dislodged unit of the seat's powers, the orders that it may get), in words."""
    return [
        (describe_unit(book.variant, unit), f"{', '.join(f'{unit} - {place}' for place in places)} or {unit} D")
        for need in book.asked.get(seat, {}).values()
        for unit, places in need.retreats.items()
    ]


@command(
    "STATUS",
    arguments="[<game>]",
    pattern=rf"(?:\s+(?P<game>{GAME}))?",
    help="the state of a game: units, centers, deadline; below a SIGNON your orders too",
)
def status(context: CommandContext, call: Call, game: str | None) -> None:
    """STATUS [<game>]: where the game stands; signed on, the player's own orders come with it."""
    _tell_status(context, asked_game(context, game, "STATUS"))


def _tell_people(context: CommandContext, game: Game, full: bool) -> None:
    asked_phase(context, game)
    reader, shown = seat_in(context, game), shown_in(context, game)
    assert reader
    if not shown.names:
        raise CommandError(f"{game.name} is a gunboat game: only its master knows who plays.")
    seated = [*seats_of(context.session, game), *([] if shown.changes else _last_in_open_seats(context, game))]
    seats = sorted(seated, key=lambda seat: (seat.role != "master", seat.power or ""))
    people = {seat.person_id: context.session.get_one(Person, seat.person_id) for seat in seats}
    tell(
        context,
        f"The people in game {game.name}.",
        "whogame",
        people=[
            (
                seat.power or seat.role.title(),
                _contact(seat, people[seat.person_id].name, reader, shown.addresses) + _relied_upon(context, seat),
            )
            for seat in seats
            if seat.role != "observer" or full
        ],
        observers=0 if full else sum(seat.role == "observer" for seat in seats),
    )


def _last_in_open_seats(context: CommandContext, game: Game) -> list[Seat]:
    """The last players of powers that nobody plays now; a game that does not tell who leaves shows them as its
    players.
    """
    if game.state == "forming":
        return []
    open_seats = variant_of(game).seat_named.keys() - powers_played(context.session, game)
    left = [left_seat(context.session, game, power) for power in open_seats]
    return [seat for seat in left if seat]


def _relied_upon(context: CommandContext, seat: Seat) -> str:
    """How reliable a player has been, if they ever owed orders."""
    record = reliability.record_shown(context.work, seat.person_id)
    return f", {record.score:.0%} reliable" if seat.role == "player" and record.due else ""


@command(
    "LIST",
    arguments="[<game> | FULL]",
    pattern=rf"(?:\s+(?P<full>FULL)|\s+(?P<game>{GAME}))?",
    help="all games, short or in full, or one game: settings, players, units, centers",
)
def list_games(context: CommandContext, call: Call, game: str | None, full: bool) -> None:
    """LIST: a line for each game; signed on, the full entry of that game. LIST <game>, LIST FULL: full entries."""
    if full:
        games = _listed(context)
        entries_in_full = "\n\n\n".join(
            f"Game {listed.name}: {_state(listed, phase)}.\n\n{_entry(context, listed, phase)}"
            for listed, phase in games
        )
        tell_text(context, _on_this_judge(len(games)), entries_in_full)
    elif game or context.game:
        asked = asked_game(context, game, "LIST")
        phase = asked_phase(context, asked)
        tell_text(context, f"Game {asked.name}: {_state(asked, phase)}.", _entry(context, asked, phase), headed=True)
    else:
        _brief(context)


@command(
    "WHOGAME",
    arguments="[<game>] [FULL]",
    pattern=rf"(?:\s+(?!FULL\s*$)(?P<game>{GAME}))?(?:\s+(?P<full>FULL))?",
    who=SEATED,
    help="who plays what; players and masters see addresses; FULL: the observers too",
)
def who_game(context: CommandContext, call: Call, game: str | None, full: bool) -> None:
    """WHOGAME [<game>] [FULL]: who plays what, for people of the game; FULL includes the observers."""
    _tell_people(context, asked_game(context, game, "WHOGAME"), full)


def _is_shown(context: CommandContext, address: str) -> bool:
    """Whether WHOGAME shows the sender this very address in one of their games."""
    return bool(_shown_at(context, address))


def _shown_at(context: CommandContext, address: str) -> list[str]:
    """The sender's games in which WHOGAME shows them this very address; other addresses of the person do not count."""
    games = games_of(context.session, context.person) if context.person else ()
    return [
        game.name
        for game in games
        if shown_in(context, game).addresses
        and any(seat.address == address and seat.role != "observer" for seat in seats_of(context.session, game))
    ]


def _contact(seat: Seat, name: str, reader: Seat, addresses: bool) -> str:
    """Name and address of a person; an observer's address is shown only to the master."""
    told = addresses and (seat.role != "observer" or reader.role == "master")
    return game_record.with_address(name, seat.address if told else "")
