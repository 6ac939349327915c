"""POST JSON to a web address of the keeper or of a club's room.

Connections into the keeper's own network are refused unless they are allowed. A host is looked up once, its addresses
are checked, and the connection uses one of these. Redirects are not followed, since they would lose the body of a POST.
"""

import json
import socket
import ssl
from collections.abc import Mapping
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

from judge import __version__

# The time limit for each step of a request, in seconds.
TIME_LIMIT = 10.0
# Some hooks refuse programs without a name.
_HEADERS = {"Content-Type": "application/json", "User-Agent": f"judge/{__version__}"}


def post(url: str, said: Mapping[str, str], *, inside: bool) -> str:
    """POST the JSON, and return why it was not accepted, or "".

    If `inside` is true, the host may be in the judge's own network.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    try:
        with closing(kind(host, parts.port, timeout=TIME_LIMIT)) as connection:
            connection.sock = _opened(host, connection.port, inside)
            if parts.scheme == "https":
                connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host)
            path = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
            connection.request("POST", path, json.dumps(said), _HEADERS)
            status = connection.getresponse().status
    except (HTTPException, ValueError) as error:
        return type(error).__name__  # the text of the error may contain the address with its token
    except OSError as error:
        return f"{type(error).__name__}: {error}"
    return "" if status < 300 else f"it answered {status}"


def _opened(host: str, port: int, inside: bool) -> socket.socket:
    """Connect to the host.

    Raises OSError if the connection fails or is not allowed.
    """
    found = [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not inside and not all(map(is_outside, found)):
        raise PermissionError("its address is in your own network, and results_webhook_inside is not set")
    for address in found[:-1]:
        with suppress(OSError):
            return socket.create_connection((address, port), TIME_LIMIT)
    return socket.create_connection((found[-1], port), TIME_LIMIT)


def is_outside(address: str) -> bool:
    """Return whether an IP address belongs to the public internet."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or found.sixtofour or found
    return found.is_global and not found.is_multicast
