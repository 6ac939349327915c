"""`judge config`, `demo` and `serve`: for those who have no judge yet."""

import importlib.util
from pathlib import Path

from judge.ini_file import own_folder
from judge.shell.calling import Refused, reporting


def print_sample(_: Path | None) -> int:
    """Print judge.ini with every setting, what it does, and its default."""
    from judge.settings import sample

    print(sample(), end="")
    return 0


@reporting()
def demo(config: Path | None, out: Path) -> int:
    """Play a game by mail, with the templates and variants that `config` names; the mails are left in `out`."""
    _need_mail_system()
    from judge.demo.play import run_demo

    named = {key: own_folder(config, key, {}) for key in ("templates", "variants") if config}
    return run_demo(out, own={key: folder for key, folder in named.items() if folder})


@reporting()
def serve(_: Path | None, home: Path) -> int:
    """A judge with a mail system of its own, and its database in `home`."""
    _need_mail_system()
    from judge.demo.serve import run

    return run(home)


def _need_mail_system() -> None:
    if not importlib.util.find_spec("pymap"):
        raise Refused("this needs the embedded mail system: pip install 'judge[demo]'", 2)
