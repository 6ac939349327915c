"""The words of a command as the arguments of its handler: the one place where they become numbers."""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any


def typed(handler: Callable[..., None], words: Mapping[str, str | None]) -> dict[str, Any]:
    """Each word as its parameter of `handler` says: a number, whether it is there at all, or the word itself.

    How large a number can be is said by the pattern that it has matched.
    """
    parameters = signature(handler).parameters
    return {name: _read(parameters[name].annotation, word) for name, word in words.items()}


def _read(kind: Any, word: str | None) -> int | bool | str | None:
    if kind is bool:
        return word is not None
    return int(word) if word is not None and kind in (int, int | None) else word
