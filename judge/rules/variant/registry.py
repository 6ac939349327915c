"""Find variants: those that come with the judge, the keeper's own, and the copies that games play.

A process serves one judge, and `open_catalogue` sets the folders of its variants once. The variants that come with the
judge do not change while it runs. Each of the keeper's own variants is checked again when a caller asks for it. So a
new folder or a changed file takes effect immediately. A variant with a mistake cannot be used until the mistake is
corrected, but it does not affect other variants.

The rules of a game must not change after it has begun. So a game plays a copy that never changes, its *edition*. The
copy is named after the contents of its files: "rivers@0f3a5c7e9b1d2f46". The edition of a variant that comes with the
judge is its name.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from judge.rules.board.names import fold, joined
from judge.rules.mechanisms.files import Mistake
from judge.rules.variant.loading import MAP_FILE, RULES_FILE, UnknownVariant, VariantError, read_folder, read_texts
from judge.rules.variant.variant import Variant, variants_folder

TEXT_FILE, GEOMETRY_FILE = "rules.txt", "geometry.json"
FILES = (RULES_FILE, MAP_FILE, TEXT_FILE, GEOMETRY_FILE)
# A pattern for a variant's name, which can be written in a line of an email.
_NAME = re.compile(r"[a-z0-9_]{1,30}")
_TITLE = re.compile(r"[\w &.,'-]{1,60}")
# The minimum length of a shortened title.
_SHORTEST_BEGINNING = 3
_EDITION = re.compile(rf"({_NAME.pattern})@[0-9a-f]{{16}}")

# {name of a file: its bytes}.
Contents = Mapping[str, bytes]


@dataclass(frozen=True)
class VariantFolder:
    """A folder, the variant in it (None if it has mistakes), and the bytes of its files."""

    folder: Path
    variant: Variant | None
    faults: tuple[Mistake, ...]
    files: Contents


# The folder of the keeper's variants and the folder of the copies that games play, or None.
_own: Path | None = None
_kept: Path | None = None


def open_catalogue(own: Path | None, kept: Path | None = None) -> None:
    """Set the folder of the keeper's variants, `own`, and the folder of the copies that games play, `kept`."""
    global _own, _kept
    _own, _kept = own, kept


def own_folder() -> Path | None:
    """Return the keeper's folder of variants, or None."""
    return _own


@lru_cache(maxsize=1)
def built_in_names() -> tuple[str, ...]:
    """Return the names of the variants that come with the judge, sorted."""
    return tuple(sorted(path.parent.name for path in variants_folder().glob(f"*/{RULES_FILE}")))


def variant_names() -> list[str]:
    """Return the names of the variants that can be played, sorted."""
    return sorted([*built_in_names(), *(own.variant.name for own in own_variants() if own.variant)])


def variants() -> list[Variant]:
    """Return the variants that can be played, sorted by name."""
    owned = (own.variant for own in own_variants())
    found = [*map(_unchanging, built_in_names()), *(variant for variant in owned if variant)]
    return sorted(found, key=lambda variant: variant.name)


def load_variant(name: str) -> Variant:
    """Return the variant or edition of that name, or the variant with that title.

    Raises UnknownVariant or VariantError with a message for a player.
    """
    name = variant_called(name)
    if name in built_in_names() or _EDITION.fullmatch(name):
        return _unchanging(name)
    return _sound(name)[0]


def load_variant_to_play(name: str) -> Variant:
    """Return the variant of that name for a new game, and keep a copy if it is the keeper's own.

    Raises UnknownVariant or VariantError as `load_variant` does, and OSError if the copy cannot be written.
    """
    name = variant_called(name)
    if name in built_in_names():
        return _unchanging(name)
    variant, files = _sound(name)
    if _kept:
        _keep(_kept / variant.edition, files)
    return variant


def edition_files(name: str) -> Contents:
    """Return the files of the copy that a game plays, or none for a variant that comes with the judge."""
    if not _EDITION.fullmatch(name):
        return {}
    _unchanging(name)
    return in_folder(variant_folder(name)).files


def keep_edition(name: str, files: Contents) -> None:
    """Save the variant files of a game from another judge, unless this judge already has that edition.

    Raises VariantError if the files do not match the name.
    """
    if not _EDITION.fullmatch(name) or not _kept or (_kept / name).is_dir():
        return
    if set(files) - set(FILES) or f"{name.partition('@')[0]}@{_digest(files)}" != name:
        raise VariantError(f"the files of {name} are not those the game was played with")
    _keep(_kept / name, files)


def variant_called(text: str) -> str:
    """Return the name of the variant that people mean by a text.

    The text may be a name, a title, its initials ("A&E"), or a beginning that fits only one variant. Any other text is
    returned in lower case. Raises VariantError if several variants fit.
    """
    name = text.lower()
    known = name in built_in_names() or any(folder.name == name for folder in _own_folders())
    if known or not _TITLE.fullmatch(name):
        return name
    found = _called(joined(fold(text)))
    if len(found) > 1:
        raise VariantError(f'"{text}" could be {" or ".join(found)}. Write one of these.')
    return found[0] if found else name


def _called(said: str) -> list[str]:
    """Return the variants called `said` or, if there are none, those with a name that begins with `said`."""
    names = {variant.name: _names_of(variant) for variant in variants()}
    whole = [name for name, words in names.items() if said in words]
    if whole or len(said) < _SHORTEST_BEGINNING:
        return whole
    return [name for name, words in names.items() if any(word.startswith(said) for word in words)]


def _names_of(variant: Variant) -> set[str]:
    """Return the names, titles and initials of a variant, normalized."""
    words = fold(variant.title.replace("&", " and ")).split()
    short = [word for word in words if word != "AND"]
    names = [variant.name, variant.title, " ".join(words), " ".join(short)]
    if len(short) > 1:
        names.append("".join(word[0] for word in short))
    return {joined(fold(one)) for one in names}


def variant_folder(name: str) -> Path:
    """Return the folder of the variant or the edition of that name, whether or not the folder exists."""
    if _EDITION.fullmatch(name):
        kept = _kept / name if _kept else None
        return kept if kept and kept.is_dir() else variant_folder(name.partition("@")[0])
    if name in built_in_names() or not (_own and _NAME.fullmatch(name)):
        return variants_folder() / name
    return _own / name


def own_variants() -> list[VariantFolder]:
    """Return the variants in the keeper's folder, sorted by name, with all mistakes in them."""
    return [_in_own(folder) for folder in _own_folders()]


def name_fault(name: str) -> str:
    """Return why one of the keeper's own variants cannot have that name, or "" if it can."""
    if name in built_in_names():
        return f"the judge's own variant {name} is used instead: give the folder another name"
    if not _NAME.fullmatch(name):
        return f"the name of the folder must be up to 30 lower-case letters, digits and _, like {fit_name(name)}"
    return ""


def fit_name(name: str) -> str:
    """Return the name, changed so that one of the keeper's own variants can have it."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:30] or "variant"


def _own_folders() -> Iterator[Path]:
    """Yield the folders inside the keeper's folder that have, or should have, a variant."""
    try:
        inside = sorted(_own.iterdir()) if _own else []
    except OSError:
        return
    for folder in inside:
        closed = folder.is_dir() and not os.access(folder, os.X_OK)
        # Only the folder of a variant has a variant.toml or a provinces.toml.
        holds = any(os.path.lexists(folder / file) for file in (RULES_FILE, MAP_FILE))
        if not folder.name.startswith(".") and (closed or holds):
            yield folder


def _sound(name: str) -> tuple[Variant, Contents]:
    """Return the keeper's own variant of that name and its files, or raise UnknownVariant or VariantError."""
    own = next((_in_own(folder) for folder in _own_folders() if folder.name == name), None)
    there = f"There are: {', '.join(variant_names())}."
    if own is None:
        raise UnknownVariant(f'"{name}" is not a variant here. {there}')
    if own.variant is None:
        first = own.faults[0]
        where = f"{first.path.name}, line {first.line}: " if first.line else f"{first.path.name}: "
        more = f" And {len(own.faults) - 1} more." if own.faults[1:] else ""
        raise VariantError(
            f'"{name}" cannot be played until the keeper of this judge fixes it: '
            f"{where}{first.text.rstrip('.')}.{more} {there}"
        )
    return own.variant, own.files


@lru_cache(maxsize=128)
def _unchanging(edition: str) -> Variant:
    """Return a variant that comes with the judge, or the copy that a game plays."""
    if "@" not in edition:
        return read_folder(variants_folder() / edition)
    if _kept and (_kept / edition).is_dir():
        return read_folder(_kept / edition)
    # The copy is lost, but the keeper's variant from which it was made can replace it, if unchanged.
    try:
        variant, _ = _sound(edition.partition("@")[0])
    except UnknownVariant:
        variant = None
    if variant is None or variant.edition != edition:
        raise VariantError(f"the copy {edition} is missing; put it back into the variants folder in the judge's home")
    return variant


def _in_own(folder: Path) -> VariantFolder:
    """Return the variant in one of the keeper's folders, after a check of the folder's name."""
    found = in_folder(folder)
    wrong = name_fault(folder.name)
    return replace(found, variant=None, faults=(Mistake(folder, 0, wrong), *found.faults)) if wrong else found


def in_folder(folder: Path) -> VariantFolder:
    """Return the variant in a folder, with all mistakes in its files."""
    return _read(folder, tuple(stamp_of(folder / file) for file in FILES))


def stamp_of(path: Path) -> tuple[int, ...]:
    """Return a value that changes when the file at `path` changes, or () if there is no file."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


@lru_cache(maxsize=128)
def _read(folder: Path, stamp: object) -> VariantFolder:
    """Return the variant in the folder. The cache reads it again only after `stamp` has changed."""
    files: dict[str, bytes] = {}
    texts: dict[str, str] = {}
    faults = []
    for file in FILES:
        if file not in (RULES_FILE, MAP_FILE) and not os.path.lexists(folder / file):
            continue
        try:
            data = files[file] = (folder / file).read_bytes()
            texts[file] = data.decode()
        except OSError as error:
            faults.append(Mistake(folder / file, 0, f"cannot be read: {error.strerror}"))
        except UnicodeDecodeError as error:
            # Skip geometry.json, since it has no effect on the rules, and the map code reports its mistakes.
            if file != GEOMETRY_FILE:
                faults.append(Mistake(folder / file, data.count(b"\n", 0, error.start) + 1, "not UTF-8"))
    variant = None
    try:
        if not faults:
            edition = f"{folder.name}@{_digest(files)}"
            variant, found = read_texts(edition, texts[RULES_FILE], texts[MAP_FILE], texts.get(TEXT_FILE, ""), folder)
            faults += found
    except Exception as error:
        # A file from outside may contain anything, and must not stop work that does not need this file.
        faults.append(Mistake(folder, 0, f"cannot be used ({type(error).__name__}: {error})"))
    return VariantFolder(folder, None if faults else variant, tuple(faults), files)


def _digest(files: Contents) -> str:
    whole = hashlib.sha256()
    for file in sorted(files):
        whole.update(f"{file} {len(files[file])}\n".encode() + files[file])
    return whole.hexdigest()[:16]


def _keep(folder: Path, files: Contents) -> None:
    """Write a copy into a temporary folder, then rename the folder, so that a crash never leaves half a copy."""
    if folder.is_dir():
        return
    draft = folder.with_name(f"{folder.name}.{os.getpid()}.new")
    draft.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        with (draft / name).open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    try:
        draft.rename(folder)
    except OSError:
        # Another process has already written this copy.
        if not folder.is_dir():
            raise
        shutil.rmtree(draft)
