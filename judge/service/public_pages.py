"""Static pages of listed games in `[public] folder`, for any web server.

A page shows what strangers may see in HISTORY and SUMMARY: processed phases and broadcast press. It shows no orders of
the open phase, no other press and no bids. A player is named only if the game shows names to strangers. The player must
also have sent SET PUBLIC NAME ON. Each file is first written under another name, so readers never see half of a page.
"""

import hashlib
import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as xml

import orjson
from markupsafe import Markup
from sqlalchemy import Engine
from sqlmodel import Session

from judge.games.core.board import outcome_of, variant_of
from judge.games.core.settings import settings_of
from judge.games.core.work import Services
from judge.games.life import forming, statistics
from judge.games.life.game_record import openings, owners_by_year, public_players, read_again, results_told
from judge.games.notifications.pictures import scene
from judge.mails.boardview import ownership_tables
from judge.mails.pages import fragment_of
from judge.maps.draw import readable_width
from judge.maps.geometry import load_geometry
from judge.maps.render import PictureFailed, render
from judge.service.threads import Loop
from judge.store.engine import reading
from judge.store.games import (
    WithPhase,
    all_games,
    last_played,
    newest_event,
    open_phase,
    played,
    progress,
    public_names,
)
from judge.store.seats import seats_of
from judge.store.tables import Game, Phase

log = logging.getLogger(__name__)

# Seconds between two checks for changes.
LOOK_EVERY = 30.0
# The maximum number of entries in the feed.
MOST_ENTRIES = 50
GAMES, FEED, STATS = "games", "feed.xml", "statistics.html"
_ATOM = "http://www.w3.org/2005/Atom"
# Characters that XML does not allow. Old texts may contain them, since letters were not always cleaned of them.
_NOT_IN_XML = dict.fromkeys([*range(9), 0x0B, 0x0C, *range(0x0E, 0x20), 0xFFFE, 0xFFFF])


class PublicPages(Loop):
    """Keeps the public pages up to date.

    The folder belongs to the judge, which deletes the pages that it no longer shows.
    """

    def __init__(self, engine: Engine, services: Services):
        super().__init__("public pages", self._look)
        self._engine, self._services, self._public = engine, services, services.settings.public
        self._seen: dict[str, object] = {}
        self._progress: object = None

    @property
    def _folder(self) -> Path:
        assert self._public.folder
        return self._public.folder

    def start(self) -> None:
        """Start the thread, if the settings name a folder."""
        if self._public.folder:
            super().start()

    def _look(self) -> float:
        with reading(self._engine) as session:
            now = progress(session)
        if now != self._progress:
            self.write()
            self._progress = now
        return LOOK_EVERY

    def write(self) -> tuple[int, int]:
        """Write the pages of games, the index, the statistics and the feed, if they have changed.

        Returns the number of listed games, and the number of those with results.
        """
        folder = self._folder
        with reading(self._engine) as session:
            names = public_names(session)
            listed = [(game, last_played(session, game)) for game in all_games(session) if settings_of(game).listed]
            recent = [(game, phase) for game, phase in listed if phase]
            self._remove_all_but({game.name for game, _ in recent})
            for game, _ in recent:
                if self.stopping.is_set():
                    return 0, 0
                self._update_game(session, game, names)
            _replace(folder / "index.html", _encoded(self._index(session, listed)))
            self._update_statistics(session, listed, names)
            recent.sort(key=lambda one: _time(one[1].processed_at))
            _replace(folder / FEED, self._feed(recent[-MOST_ENTRIES:][::-1]))
        return len(listed), len(recent)

    def _update_game(self, session: Session, game: Game, names: object) -> None:
        """Write the page of a game, but only if its content may have changed."""
        phase = open_phase(session, game)
        due = phase.deadline_at if phase else None
        seen = newest_event(session, game), game.state, game.result, game.comment, settings_of(game), names, due
        if self._seen.get(game.name) != seen:
            self._write_game(session, game)
            self._seen[game.name] = seen

    def _index(self, session: Session, games: Sequence[WithPhase]) -> str:
        """Return the page that lists the games, each with its last phase.

        Games that ended before any phase are left out.
        """
        sections: dict[str, list[object]] = {"Open games": [], "Running": [], "Ended": []}
        for game, phase in games:
            if phase or game.state != "finished":
                title = {"forming": "Open games", "finished": "Ended"}.get(game.state, "Running")
                needs = forming.what_is_missing(session, game) if game.state == "forming" else ""
                sections[title].append((game, variant_of(game), phase, needs))
        shown = [*sections.items()]
        return self._services.post.web_page("public_index", "UTC", public=self._public, root="", sections=shown)

    def _update_statistics(self, session: Session, games: Sequence[WithPhase], names: object) -> None:
        over = [(game.name, game.result, game.ended_at) for game, _ in games if game.state == "finished"]
        if self._seen.get(STATS) != (over, names):
            _replace(self._folder / STATS, _encoded(self._statistics(session)))
            self._seen[STATS] = over, names

    def _statistics(self, session: Session) -> str:
        games = statistics.ended_games(session)
        variants = {variant_of(game).name: variant_of(game).title for game in games}
        told = [(title, statistics.of_variant(session, statistics.ended_games(session, name)))
                for name, title in sorted(variants.items())]  # fmt: skip
        general = [statistics.by_variant(games), statistics.of_people(session, games)]
        page = {"general": [chart for chart in general if chart.rows], "variants": told}
        return self._services.post.web_page("public_statistics", "UTC", public=self._public, root="", **page)

    def _remove_all_but(self, names: Collection[str]) -> None:
        """Remove the pages of all games but these.

        Files of other programs stay.
        """
        for page in (self._folder / GAMES).glob("*/index.html"):
            name = page.parent.name
            if name in names:
                continue
            for file in (page, *page.parent.glob("*.svg")):
                file.unlink()
            with suppress(OSError):
                page.parent.rmdir()
            self._seen.pop(name, None)

    def _write_game(self, session: Session, game: Game) -> None:
        """Write the page and the maps of a game.

        If the page is unchanged, old maps are not deleted either.
        """
        folder, variant = self._folder / GAMES / game.name, variant_of(game)
        told = [*self._phases(session, game, folder)]
        context: dict[str, object] = {
            "width": readable_width(load_geometry(variant.edition)) if any(file for *_, file, _ in told) else 0
        }
        owners = ownership_tables(variant, owners_by_year(session, game))
        names = sorted(public_players(session, game, dict(public_names(session))).items())
        context |= {"game": game, "variant": variant, "names": names, "told": told[::-1], "owners": owners}
        context |= self._about(session, game)
        page = self._services.post.web_page("public_game", "UTC", public=self._public, root="../../", **context)
        if not _replace(folder / "index.html", _encoded(page)):
            return
        drawn = {name for _, _, name, _ in told}
        for file in folder.glob("*.svg"):
            if file.name not in drawn:
                file.unlink()
        log.info("public pages of game=%s written, phases=%d", game.name, len(told))

    def _phases(self, session: Session, game: Game, folder: Path) -> Iterator[tuple[Phase, Markup, str, list[Markup]]]:
        """Yield each processed phase with its results, the file of its map, and its broadcast press.

        The file is "" if there is no map.
        """
        post = self._services.post
        press = [message for message in read_again(session, game, ()) if not message.to]
        for phase in played(session, game):
            said = [post.render("archived", "UTC", message=one) for one in press if one.phase == phase.name]
            page = fragment_of(results_told(post, game, phase))
            yield phase, page, self._map(folder, game, phase), [*map(fragment_of, said)]

    def _about(self, session: Session, game: Game) -> dict[str, object]:
        """Return the variables of a game's page about its open phase, its masters and its open powers."""
        phase, seats, public = open_phase(session, game), seats_of(session, game), dict(public_names(session))
        free = openings(game, phase, seats) if phase else ()
        named = [public.get(seat.person_id, "") for seat in seats if seat.role == "master"]
        return {
            "phase": phase,
            "masters": [*filter(None, named)],
            "has_master": bool(named),
            "openings": [(power, variant_of(game).seat_named[power].at(game.name)) for power, _, _ in free],
        }

    def _map(self, folder: Path, game: Game, phase: Phase) -> str:
        """Return the file of a phase's map, which is drawn if it does not exist.

        Returns "" if the board cannot be drawn.
        """
        name, shown = map_of(game, phase)
        try:
            if shown and not (folder / name).exists():
                _replace(folder / name, render(shown, "svg"))
        except PictureFailed as error:
            log.error("public map of game=%s phase=%s: %s", game.name, phase.name, error)
            return ""
        return name

    def _feed(self, recent: list[tuple[Game, Phase]]) -> bytes:
        """Return the last results of each game as an Atom feed (RFC 4287)."""
        settings = self._services.settings
        base = f"{self._public.address.rstrip('/')}/" if self._public.address else ""
        feed = xml.Element("feed", xmlns=_ATOM)
        newest = recent[0][1].processed_at if recent else None
        _add(feed, "title", f"Results of {settings.code}")
        _add(feed, "id", f"mid:{settings.code.lower()}.results@{settings.domain}")
        _add(feed, "updated", _time(newest))
        _add(_add(feed, "author"), "name", settings.code)
        if base:
            xml.SubElement(feed, "link", rel="self", href=f"{base}{FEED}")
        for game, phase in recent:
            entry = _add(feed, "entry")
            _add(entry, "title", f"{game.name} {phase.name} Results")
            _add(entry, "id", f"mid:{game.name}.{phase.number}.{phase.name}@{settings.domain}")
            _add(entry, "updated", _time(phase.processed_at))
            xml.SubElement(entry, "link", href=f"{base}{GAMES}/{game.name}/index.html#p{phase.number}")
            _add(entry, "content", results_told(self._services.post, game, phase))
        return b'<?xml version="1.0" encoding="utf-8"?>\n' + _encoded(xml.tostring(feed, encoding="unicode"))


def map_of(game: Game, phase: Phase) -> tuple[str, Mapping[str, Any] | None]:
    """Return the file name and the scene of a phase's map.

    Returns ("", None) if the board cannot be drawn.
    """
    shown = scene(game, *outcome_of(game, phase), "results")
    digest = hashlib.blake2b(orjson.dumps(shown, option=orjson.OPT_SORT_KEYS), digest_size=6).hexdigest()
    return (f"{phase.number:03}-{phase.name}-{digest}.svg" if shown else "", shown)


def _add(parent: xml.Element, name: str, text: str = "") -> xml.Element:
    one = xml.SubElement(parent, name)
    one.text = text
    return one


def _encoded(text: str) -> bytes:
    return text.translate(_NOT_IN_XML).encode()


def _time(moment: datetime | None) -> str:
    return (moment or datetime.fromtimestamp(0, UTC)).astimezone(UTC).isoformat(timespec="seconds")


def _replace(file: Path, content: bytes) -> bool:
    """Replace a file atomically, so that the web server can read it, and return whether its content changed."""
    if file.exists() and file.read_bytes() == content:
        return False
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
    new = file.with_name(f".{file.name}.new")
    new.write_bytes(content)
    new.chmod(0o644)
    new.replace(file)
    return True
