"""Post the results of listed games, and their ends, to a club's room (`[watch] results_webhook`).

Like public pages, a post shows the results that a stranger sees in HISTORY, without names and press. A thread posts the
events in the log one after the other. A row records the last event that was posted, and how often the next post has
failed. So after a crash an event is posted at most twice. A failed post is tried again after the same pauses as a mail,
and then skipped. No mail waits for a post.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from sqlalchemy import Engine
from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.settings import settings_of
from judge.games.core.work import Services
from judge.games.life.game_record import results_told
from judge.service.hooks import post
from judge.service.public_pages import map_of
from judge.service.threads import Loop
from judge.store import posted
from judge.store.engine import reading, transaction
from judge.store.tables import Event, Game, Phase

log = logging.getLogger(__name__)

# Seconds between two checks for new events.
LOOK_EVERY = 5.0
# The maximum length of a post, in characters. Some chat rooms accept only 2,000.
MOST = 1_900
# The longest time that results wait for their map on the public pages.
FOR_MAP = timedelta(minutes=5)


class ResultsHook(Loop):
    """Posts each event after its transaction.

    Only the host of the address is logged, since the address may contain a token.
    """

    patience = 1.0  # at the end, do not wait for a slow server

    def __init__(self, engine: Engine, services: Services, now: Callable[[], datetime]):
        super().__init__("results hook", self._look)
        self._engine, self._services, self._now = engine, services, now
        self._watch, self._public = services.settings.watch, services.settings.public

    def start(self) -> None:
        """Start the thread, if the settings name a hook."""
        if self._watch.results_webhook:
            with transaction(self._engine) as session:
                posted.begin(session)
            super().start()

    def _look(self) -> float:
        with reading(self._engine) as session:
            event = posted.next_event(session, self._now())
            said = self._said(session, event) if event else ""
        if not event or said is None:
            return LOOK_EVERY
        told = {"content": said, "text": said}
        why = post(self._watch.results_webhook, told, inside=self._watch.results_webhook_inside) if said else ""
        self._note(event, why)
        return LOOK_EVERY if why else 0

    def _note(self, event: Event, why: str) -> None:
        with transaction(self._engine) as session:
            again = posted.note(session, event, self._now(), failed=bool(why))
        if why:
            host, what = urlsplit(self._watch.results_webhook).hostname, event.text
            then = f"next try at {again:%H:%M:%S}" if again else "given up"
            log.warning("results_webhook at %s: %r was not posted: %s; %s", host, what, why, then)

    def _said(self, session: Session, event: Event) -> str | None:
        """Return the post about an event, or "" if the event has none.

        Returns None while the event's map is not on the public pages yet.
        """
        game = session.get(Game, event.game_id)
        # Leave out a game of one player, who may play it through in a minute, again and again.
        if not game or settings_of(game).solo or not settings_of(game).listed:
            return ""
        if event.kind == "ended":
            is_so = game.started_at and game.ended_at == event.at
            return _lines(f"{game.name} has ended: {game.result}", "", self._address(game)) if is_so else ""
        phase = session.get(Phase, event.phase_id)
        if not phase or not phase.outcome:
            return ""  # the master has rolled back the phase
        return self._results(game, phase, event.at)

    def _results(self, game: Game, phase: Phase, at: datetime) -> str | None:
        """Return the post about the results of a phase, or None while its map is awaited."""
        address = self._address(game)
        file = map_of(game, phase)[0] if address else ""
        picture = f"{address.rpartition('/')[0]}/{file}" if file else ""
        if picture and self._public.folder:
            drawn = self._public.folder / "games" / game.name / file
            if not drawn.exists() and self._now() < at + FOR_MAP:
                return None
        title = f"{game.name}: {phase.name} Results ({variant_of(game).label})"
        links = "\n".join(filter(None, [address and f"{address}#p{phase.number}", picture]))
        return _lines(title, results_told(self._services.post, game, phase).strip(), links)

    def _address(self, game: Game) -> str:
        if not (self._public.folder and self._public.address):
            return ""
        return f"{self._public.address.rstrip('/')}/games/{game.name}/index.html"


def _lines(title: str, results: str, links: str) -> str:
    """Return the post, with as many lines of the results as fit.

    The results are marked as text in a fixed-width font.
    """
    left = MOST - len(title) - len(links) - 20
    if len(results) > left:
        results = "\n".join([*results[:left].splitlines()[:-1], "…"])
    block = f"```\n{results}\n```" if results else ""
    return "\n".join(filter(None, [title, block, links]))
