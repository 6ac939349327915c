"""The keeper's folders (judge.ini, `templates` and `variants`): the keeper is told which files in them cannot be used.

A fault there does not stop the judge: instead of a faulty template the judge's own is used, and a faulty variant is not
played. So the keeper must be told: in the log, once for each fault, and by `judge status`.
"""

import logging
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from judge.mails.overrides import template_faults
from judge.maps import NoGeometry
from judge.maps.borders import check_drawing
from judge.maps.geometry import read_geometry
from judge.rules import Variant
from judge.rules.variant.catalogue import GEOMETRY_FILE, Fault, VariantFolder, own_variants
from judge.settings import Settings

log = logging.getLogger(__name__)

# The most faults shown for one variant; `judge variants check` shows all.
MOST_TOLD = 3


class Folders:
    """The keeper's folders under these settings; one thread checks them now and then. `found`: the faults of the last
    look.
    """

    def __init__(self, settings: Settings):
        self._settings = settings
        self.found: list[str] = []

    def look(self) -> None:
        """Log the new faults, and log when all faults are corrected."""
        found = faults(self._settings)
        for line in found:
            if line not in self.found:
                log.warning("%s", line)
        if self.found and not found:
            log.info("the folders of templates and variants are without mistakes now")
        self.found = found


def faults(settings: Settings) -> list[str]:
    """A line for each fault, with file and line; empty if everything can be used."""
    return [*_of_templates(settings), *_of_variants(settings)]


def _of_templates(settings: Settings) -> Iterator[str]:
    if settings.templates:
        yield from (f"template {fault}; the judge's own is used" for fault in template_faults(settings.templates))


def _of_variants(settings: Settings) -> Iterator[str]:
    if settings.variants and not settings.variants.is_dir():
        yield f"variants {settings.variants}: there is no such folder"
    for own in own_variants():
        for fault in own.faults[:MOST_TOLD]:
            yield f"variant {fault}; it is not played"
        if own.faults[MOST_TOLD:]:
            yield f"variant {own.folder}: {len(own.faults)} mistakes, judge variants check {own.folder.name} has all"
        yield from (f"variant {fault}; its pictures may be missing or wrong" for fault in _of_drawing(own))


def _of_drawing(own: VariantFolder) -> list[Fault]:
    """How the picture of a variant that can be played differs from its map."""
    return _drawing(own.variant, own.folder / GEOMETRY_FILE) if own.variant and GEOMETRY_FILE in own.files else []


@lru_cache(maxsize=64)
def _drawing(variant: Variant, path: Path) -> list[Fault]:
    """Compared only once: files that have changed give another variant object."""
    try:
        found = list(check_drawing(variant, read_geometry(path)).faults)
    except NoGeometry as unusable:
        return [Fault(path, 0, str(unusable).removeprefix(f"{path} "))]
    except Exception as error:
        found = [f"cannot be used ({type(error).__name__}: {error})"]
    more = [f"and {len(found) - MOST_TOLD} more mistakes"] if found[MOST_TOLD:] else []
    return [Fault(path, 0, text.rstrip(".")) for text in found[:MOST_TOLD] + more]
