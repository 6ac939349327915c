"""Modules of tests, imported by the workers of a parallel run, each beginning with another of them.

In a new checkout pytest takes apart every assertion, which is two thirds of the time until the first test: what one
worker has so compiled, the others read from its file, and seldom do two the same at the same time.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]


def import_all(files: Sequence[Path]) -> None:
    """Imports these, in a worker; one process alone imports them as it comes to them."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    worker = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw"))
    first = len(files) * worker // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for file in [*files[first:], *files[:first]]:
        # What is wrong with a module, pytest tells when it comes to it.
        with suppress(Exception, pytest.skip.Exception):
            import_module(".".join(file.relative_to(_ROOT).with_suffix("").parts))
