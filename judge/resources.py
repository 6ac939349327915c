"""Where the files that are installed with the code are: `variants/` and `templates/`.

In a checkout they are beside the package; in an installed wheel they are inside it.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_dir(name: str) -> Path:
    """The folder `name` ("variants" or "templates") of this installation."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name
