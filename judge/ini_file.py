"""Read judge.ini as text, for commands that need only its folders, without loading a library.

judge/settings.py checks the file.
"""

import configparser
import os
from collections.abc import Mapping
from pathlib import Path

# The folder for a judge's files, if the settings name none.
HOME = "run"
# The folder in `home` that has copies of the variants that games play.
EDITIONS = "variants"
PREFIX = "JUDGE_"


class SettingsError(ValueError):
    """A judge.ini that cannot be used.

    The message names each mistake, with section, key and line.
    """


def variable(section: str, key: str) -> str:
    """Return the environment variable that overrides this key."""
    return f"{PREFIX}{section}_{key}".upper()


def read_ini(path: Path) -> configparser.ConfigParser:
    """Read the file without checking its values.

    Raises SettingsError if it is not an ini file.
    """
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(path.read_text(encoding="utf-8"), source=str(path))
    except OSError as error:
        fix = f" (judge config > {path} creates it)" if isinstance(error, FileNotFoundError) else ""
        raise SettingsError(f"cannot read {path}: {error.strerror}{fix}") from None
    except (configparser.Error, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not a readable ini file: {error}") from None
    return parser


def line_of(path: Path, section: str, key: str) -> str:
    """Return the line of a key, such as "line 7: ", or "" if the file lacks the key."""
    within = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("["):
            within = line.startswith(f"[{section}]")
        elif within and line.replace("=", ":").partition(":")[0].strip().lower() == key:
            return f"line {number}: "
    return ""


def read_folders(path: Path | None, environment: Mapping[str, str] = os.environ) -> tuple[Path | None, Path]:
    """Return the folder of the keeper's variants, or None, and that of the copies that games play.

    Other settings in the file may be wrong. Raises SettingsError if the file cannot be read at all.
    """
    ini = read_ini(path) if path else configparser.ConfigParser()
    home, own = (
        environment.get(variable("judge", key), ini.get("judge", key, fallback=default)).strip()
        for key, default in (("home", HOME), ("variants", ""))
    )
    here = path.resolve().parent if path else Path.cwd()
    return here / own if own else None, here / home / EDITIONS
