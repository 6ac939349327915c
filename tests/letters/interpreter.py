"""Stands between a client and a real IMAP server and puts other words into the server's mouth."""

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self


class Interpreter:
    """A TCP relay on loopback: hides capabilities and flags that the real server has.

    `hide`: words that become others of the same length on their way to the client (literals keep their size).
    `refuse`: words of commands that the server does not know, as they become others on their way to it.
    """

    host = "127.0.0.1"

    def __init__(self, server_port: int, hide: tuple[bytes, ...] = (), refuse: tuple[bytes, ...] = ()) -> None:
        self._server_port = server_port
        self._hide, self.refuse = hide, refuse
        self._listener = socket.create_server((self.host, 0))
        self.port: int = self._listener.getsockname()[1]
        self._sockets: list[socket.socket] = []

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._listener.close()
        self.hang_up()

    def hang_up(self) -> None:
        """Breaks all connections."""
        for end in self._sockets:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)  # not close: a relay still reads from it
        self._sockets.clear()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                self._introduce(self._listener.accept()[0])

    def _introduce(self, client: socket.socket) -> None:
        try:
            server = socket.create_connection((self.host, self._server_port))
        except OSError:
            client.close()
            return
        self._sockets += [client, server]
        for way in ((client, server, self.refuse), (server, client, self._hide)):
            threading.Thread(target=_relay, args=way, daemon=True).start()


def _relay(source: socket.socket, sink: socket.socket, hide: tuple[bytes, ...]) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            for word in hide:
                data = data.replace(word, b"X" * len(word))
            sink.sendall(data)
        sink.shutdown(socket.SHUT_RDWR)
