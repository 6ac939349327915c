"""What renderers have drawn of boards, kept in files for those that are started later: a folder of the user's cache.

A file is named by the fingerprint of all that goes into it: what was asked for, this code, its libraries and the font.
It begins with the digest of what follows, so that one that is damaged is noticed. All of it only saves time: what is
missing, damaged or not ours is drawn anew, and a folder that others may write is not used at all. Several renderers may
share it, since a file is written whole before it gets its name. It can be deleted at any time.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from PIL import Image
from zlib_ng import zlib_ng

# How many bytes of files are kept: some hundred grounds; what was not needed for the longest goes first.
_ROOM = 64_000_000
# More than the pixels of any picture: bytes that are unpacked at most.
_MOST_UNPACKED = 64_000_000
_DIGEST = hashlib.sha256().digest_size
_QUICKLY = 1
# To read a library of megabytes whole takes longer than to know it by its size and its time.
_LARGE = 1_000_000
_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH

# What is told about images, as JSON has it, and these.
Kept = tuple[Any, list[Image.Image]]


class Shelf:
    """Keeps images in `folder`, in `room` bytes; `made_by`: the files of everything that draws them."""

    def __init__(self, folder: Path, made_by: Iterable[Path], room: int = _ROOM):
        self._folder = folder
        self._room = room
        self._maker = hashlib.sha256()
        for file in made_by:
            self._maker.update(_fingerprint(file))
        self._is_ours = _is_ours(folder)

    def find(self, name: str) -> Kept | None:
        """What was kept under that name; None if it is missing or damaged."""
        if not self._is_ours:
            return None
        file = self._file(name)
        try:
            data = file.read_bytes()
            if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
                return None
            kept = _unpacked(data[_DIGEST:])
            os.utime(file)
            return kept
        except Exception:  # whatever is wrong with it, it is drawn anew
            return None

    def keep(self, name: str, told: Any, images: Iterable[Image.Image]) -> None:
        """Keep it if there is room; what is `told` must be what JSON can tell."""
        if not self._is_ours:
            return
        data = _packed(told, list(images))
        file = self._file(name)
        draft = file.with_suffix(f".{os.getpid()}.new")
        with suppress(OSError):
            draft.write_bytes(hashlib.sha256(data).digest() + data)
            draft.replace(file)
            self._make_room()

    def _file(self, name: str) -> Path:
        fingerprint = self._maker.copy()
        fingerprint.update(name.encode())
        return self._folder / fingerprint.hexdigest()

    def _make_room(self) -> None:
        """Other renderers may do the same meanwhile."""
        found = []
        for entry in os.scandir(self._folder):
            with suppress(OSError):
                about = entry.stat(follow_symlinks=False)
                found.append((about.st_mtime, about.st_size, entry.path))
        taken = 0
        for _, size, path in sorted(found, reverse=True):
            taken += size
            if taken > self._room:
                with suppress(OSError):
                    os.unlink(path)


def _fingerprint(file: Path) -> bytes:
    """What tells that a file has become another one."""
    about = file.stat()
    told = f"{file} {about.st_size} {about.st_mtime_ns}".encode() if about.st_size > _LARGE else file.read_bytes()
    return hashlib.sha256(told).digest()


def _is_ours(folder: Path) -> bool:
    """Whether it is there, made if need be, and nobody else may write into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        about = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(about.st_mode) and about.st_uid == os.geteuid() and not about.st_mode & _BY_OTHERS


def _packed(told: Any, images: list[Image.Image]) -> bytes:
    """A line of JSON, then the pixels of every image; all that compressed."""
    shapes = [(image.mode, image.size, bytes(image.getpalette() or ()).hex()) for image in images]
    head = json.dumps([told, shapes]).encode()
    return bytes(zlib_ng.compress(b"\n".join([head, b"".join(image.tobytes() for image in images)]), _QUICKLY))


def _unpacked(data: bytes) -> Kept:
    """The same read; raises whatever it meets in anything else."""
    head, _, pixels = zlib_ng.decompressobj().decompress(data, _MOST_UNPACKED).partition(b"\n")
    told, shapes = json.loads(head)
    images, at = [], 0
    for mode, (wide, high), palette in shapes:
        size = wide * high * len(Image.new(mode, (1, 1)).tobytes())
        image = Image.frombytes(mode, (wide, high), pixels[at : at + size])
        if palette:
            image.putpalette(bytes.fromhex(palette))
        images.append(image)
        at += size
    return told, images
