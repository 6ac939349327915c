"""POSTs to web addresses of others: where they may go, and what is said of those that fail."""

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from judge.service.hooks import is_outside, post
from tests.texts import table


class Room(HTTPServer):
    """A web server on this machine, which answers with `status`; `got`: (path, body) of each request."""

    def __init__(self) -> None:
        self.got: list[tuple[str, bytes]] = []
        self.status = 204
        room = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                room.got.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(room.status)
                self.send_header("Location", f"http://127.0.0.1:{room.server_port}/elsewhere")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.server_port}/hook?token=geheim"


@pytest.fixture
def room() -> Iterator[Room]:
    server = Room()
    yield server
    server.shutdown()
    server.server_close()


def test_an_address_inside_is_refused_unless_it_is_allowed(room: Room):
    assert "in your own network" in post(room.url, {"text": "hi"}, inside=False) and room.got == []
    assert post(room.url, {"text": "hi"}, inside=True) == ""
    assert room.got == [("/hook?token=geheim", b'{"text": "hi"}')]


def test_what_fails_says_why_and_a_redirect_leads_nowhere(room: Room):
    for room.status in (307, 302, 404, 500):
        assert post(room.url, {"text": "hi"}, inside=True) == f"it answered {room.status}"
    assert {path for path, _ in room.got} == {"/hook?token=geheim"}
    assert "Error" in post("http://127.0.0.1:1/", {"text": "hi"}, inside=True)
    assert post(f"{room.url} x", {"text": "hi"}, inside=True) == "InvalidURL", "without the token, for the log"
    assert "gaierror" in post("https://no-such-host.invalid/", {"text": "hi"}, inside=False)


def test_a_host_is_looked_up_once_and_one_address_inside_is_enough_to_refuse_it(
    room: Room, monkeypatch: pytest.MonkeyPatch
):
    answers = [["93.184.215.14", "127.0.0.1"], ["127.0.0.1"]]
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        return [(2, 1, 6, "", (address, port)) for address in answers[len(asked) - 1]]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    assert "in your own network" in post(f"http://room.example:{room.server_port}/", {}, inside=False)
    assert asked == ["room.example"] and room.got == []


def test_which_addresses_are_outside():
    for address, outside in table("""
        93.184.215.14 => yes
        2606:2800:21f:cb07:6820:80da:af6b:8b2c => yes
        127.0.0.1 => no
        10.1.2.3 => no
        172.16.0.1 => no
        192.168.1.1 => no
        169.254.169.254 => no
        100.64.0.1 => no
        0.0.0.0 => no
        224.0.0.1 => no
        ::1 => no
        ::ffff:127.0.0.1 => no
        2002:7f00:1:: => no
        fe80::1%eth0 => no
        fd00::1 => no
        ff02::1 => no
    """):
        assert is_outside(address) == (outside == "yes"), address
