"""A throw-away certificate authority, and a certificate for `localhost` signed by it."""

import ssl
from dataclasses import dataclass
from pathlib import Path

import trustme


@dataclass(frozen=True)
class Certificates:
    """PEM files: the authority's certificate (what a client trusts), the server's certificate chain and key."""

    ca_file: Path
    chain_file: Path
    key_file: Path

    def server_context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.chain_file, self.key_file)
        return context


def make_certificates(folder: Path) -> Certificates:
    authority = trustme.CA()
    server = authority.issue_cert("localhost", "127.0.0.1")
    made = Certificates(folder / "ca.pem", folder / "chain.pem", folder / "key.pem")
    authority.cert_pem.write_to_path(made.ca_file)
    server.private_key_pem.write_to_path(made.key_file)
    for number, part in enumerate(server.cert_chain_pems):
        part.write_to_path(made.chain_file, append=number > 0)
    return made
