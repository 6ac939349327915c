"""Text that OpenPGP signed in the open: each line that begins with a dash has "- " put before it (RFC 9580 §7.2)."""

from collections.abc import Sequence

_BEGINS = "-----BEGIN PGP SIGNED MESSAGE-----"
_ENDS = "-----BEGIN PGP SIGNATURE-----"
_ESCAPE = "- "


def without_escapes(lines: Sequence[str]) -> list[str]:
    """The lines as they were before they were signed."""
    plain: list[str] = []
    inside = False
    for line in lines:
        inside = line.startswith(_BEGINS) or inside and not line.startswith(_ENDS)
        plain.append(line.removeprefix(_ESCAPE) if inside else line)
    return plain
