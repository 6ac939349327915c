"""The words of a command become the arguments of its handler; only here do they become numbers."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from inspect import signature
from typing import Any


def typed(handler: Callable[..., None], words: Mapping[str, str | None]) -> dict[str, Any]:
    """Each word as the type of its parameter in `handler` says: a number, whether it is there at all, or the word
    itself.

    The handler of a command with many words gets them in one dataclass, besides the visit and the call.
    The pattern of the command limits how large a number can be.
    """
    parameters = _kinds(handler)
    for name, kind in list(parameters.items())[2:]:
        if isinstance(kind, type) and is_dataclass(kind):
            return {name: kind(**{one.name: _read(one.type, words[one.name]) for one in fields(kind)})}
    return {name: _read(parameters[name], word) for name, word in words.items()}


@cache
def _kinds(handler: Callable[..., None]) -> dict[str, Any]:
    """The type of each of its parameters, by name."""
    return {name: parameter.annotation for name, parameter in signature(handler).parameters.items()}


def _read(kind: Any, word: str | None) -> int | bool | str | None:
    if kind is bool:
        return word is not None
    return int(word) if word is not None and kind in (int, int | None) else word
