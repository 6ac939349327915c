"""A provider's token server: device codes, tokens, rotated refresh tokens, and (for Dovecot) introspection.

It speaks HTTPS; introspection is plain HTTP on a port of its own. `consents` says whether the user has consented to the
device code that is pending; `revoke` ends the consent. `says`: what it answers instead, with which status.
"""

import json
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import parse_qs, urlparse

from tests.servers.certificates import Certificates

USER = "judge"
# Those of Microsoft are as long.
TOKEN_SIZE = 1500


class TokenServer:
    """The server; a context manager."""

    def __init__(self, certificates: Certificates) -> None:
        self.certificates = certificates
        self.consents = False
        self.asked: list[dict[str, str]] = []
        self.valid: set[str] = set()
        self.refresh_token = ""
        self.expires_in = 3600
        self.scope = ""
        self.says: tuple[int, str] | None = None
        self._count = 0
        self._servers = [_Server(self), _Server(self)]
        self._servers[0].socket = certificates.server_context().wrap_socket(self._servers[0].socket, server_side=True)
        self._threads = [threading.Thread(target=server.serve_forever, args=(0.05,)) for server in self._servers]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for server, thread in zip(self._servers, self._threads, strict=True):
            server.shutdown()
            thread.join()
            server.server_close()

    @property
    def url(self) -> str:
        return f"https://localhost:{self._servers[0].server_port}"

    @property
    def introspection_url(self) -> str:
        return f"http://127.0.0.1:{self._servers[1].server_port}/introspect?token="

    def revoke(self) -> None:
        """The consent has ended."""
        self.valid.clear()
        self.refresh_token = ""

    def tokens(self) -> dict[str, object]:
        """New ones; the old refresh token is worth nothing any more."""
        self._count += 1
        access, self.refresh_token = f"access-{self._count}".ljust(TOKEN_SIZE, "x"), f"refresh-{self._count}"
        self.valid.add(access)
        return {
            "access_token": access,
            "refresh_token": self.refresh_token,
            "token_type": "Bearer",
            "expires_in": self.expires_in,
            **({"scope": self.scope} if self.scope else {}),
        }

    def answer(self, path: str, asked: Mapping[str, str]) -> tuple[int, dict[str, object]]:
        if path == "/introspect":
            return 200, {"active": asked["token"] in self.valid, "username": USER}
        self.asked.append(dict(asked))
        if path == "/device":
            return 200, {
                "device_code": "a-device",
                "user_code": "WXYZ-1234",
                "expires_in": 30,
                "interval": 5,
                "verification_uri": "https://example.org/device",
            }
        if asked["grant_type"].endswith("device_code"):
            if not self.consents:
                return 400, {"error": "authorization_pending"}
            return 200, self.tokens()
        if asked.get("refresh_token") != self.refresh_token or not self.refresh_token:
            return 400, {"error": "invalid_grant", "error_description": "The grant was revoked.\nTrace 12"}
        return 200, self.tokens()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, tokens: TokenServer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.tokens = tokens


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        self._answer(urlparse(self.path).query)

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

    def _answer(self, query: str) -> None:
        asked = {name: values[0] for name, values in parse_qs(query).items()}
        tokens = self.server.tokens
        code, answer = tokens.answer(urlparse(self.path).path, asked)
        body = json.dumps(answer).encode()
        if tokens.says and self.command == "POST":
            code, body = tokens.says[0], tokens.says[1].encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""
