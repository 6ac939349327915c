"""What alerts the keeper by mail is POSTed to [watch] webhook, and to whom it concerns nothing else."""

import json
import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from judge.service import watch as webhook
from judge.service.health import HealthReports
from judge.service.troubles import TroubleFile
from judge.service.watch import Webhook
from judge.settings import WatchSettings
from tests.commands.deskatwork import DeskAtWork


def test_an_alert_is_posted_tried_again_and_holds_nothing_up(tmp_path: Path, monkeypatch, caplog):
    monkeypatch.setattr(webhook, "PAUSE", 0.01)
    monkeypatch.setattr(webhook, "LOOK_EVERY", 0.05)
    asked: list[dict] = []
    enough = threading.Event()

    class Hook(BaseHTTPRequestHandler):
        def do_POST(self):
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(500 if len(asked) < 3 else 204)
            self.end_headers()
            if len(asked) == 3:
                enough.set()

        def log_message(self, format, *args):
            pass

    server = HTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    desk = DeskAtWork(tmp_path, "", {})
    watch = WatchSettings(webhook=f"http://127.0.0.1:{server.server_port}/hook?token=geheim")
    settings = desk.settings.model_copy(update={"watch": watch, "least_space": 1})
    hook = Webhook(desk.engine, settings)
    try:
        hook.start()
        desk.seat_seven()  # mails of a game are nobody's alert
        works = HealthReports(desk.engine, desk.services, desk.now, TroubleFile(None))
        works.look(desk.now + timedelta(minutes=22), desk.now)
        assert enough.wait(20)
    finally:
        hook.stop()
        server.shutdown()
        server.server_close()
    assert asked[0] == asked[1] == asked[2]
    assert [one["text"] for one in asked[3:]] in ([], ["JUDG: Emails are not being sent"]), "the next alert may follow"
    assert asked[0].pop("at").endswith("Z")
    text = "JUDG: The mailbox cannot be read"
    assert asked[0] == {"judge": "JUDG", "address": settings.address, "kind": "alert", "text": text}
    assert "try 2 of 3: it answered 500" in caplog.text and "geheim" not in caplog.text + repr(watch)
