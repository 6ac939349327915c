"""Stands between the judge and a real server, and spoils what they say to each other."""

import random
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

Change = Callable[[bytes], bytes]


def unchanged(data: bytes) -> bytes:
    return data


class Meddler:
    """A TCP relay on loopback. `answers`: what becomes of the bytes that the server sends, from now on, on connections
    that are open, too. `most`: after so many bytes from the client a connection breaks; None: never. `is_silent`:
    nothing comes through any more, and neither end learns that the other has gone, as when a machine has no power.
    """

    host = "127.0.0.1"

    def __init__(self, server_port: int) -> None:
        self.answers: Change = unchanged
        self.most: int | None = None
        self.is_silent = False
        self._closing = threading.Event()
        self._server_port = server_port
        self._listener = socket.create_server((self.host, 0))
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._listener.close()
        self._closing.set()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client = self._listener.accept()[0]
                self._wait_while_silent()
                try:
                    server = socket.create_connection((self.host, self._server_port))
                except OSError:
                    client.close()
                    continue
                for relay, source, sink in ((self._ask, client, server), (self._answer, server, client)):
                    threading.Thread(target=relay, args=(source, sink), daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket) -> None:
        said = 0
        with suppress(OSError):
            while data := client.recv(65536):
                self._wait_while_silent()
                said += len(data)
                if self.most is not None and said > self.most:
                    server.sendall(data[: len(data) // 2])
                    break
                server.sendall(data)
        self._wait_while_silent()
        _break(client, server)

    def _wait_while_silent(self) -> None:
        if self.is_silent:
            self._closing.wait()

    def _answer(self, server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                self._wait_while_silent()
                client.sendall(self.answers(data))
        self._wait_while_silent()
        _break(client, server)


def _break(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


def garbling(dice: random.Random, share: float) -> Change:
    """Other bytes in the place of a `share` of them."""

    def garble(data: bytes) -> bytes:
        return bytes(dice.randrange(256) if dice.random() < share else byte for byte in data)

    return garble
