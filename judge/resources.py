"""The folders that are installed with the code: `variants/` and `templates/`.

In a checkout they are next to the package, in an installed wheel inside it.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_dir(name: str) -> Path:
    """Return the folder "variants" or "templates" of this installation."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name
