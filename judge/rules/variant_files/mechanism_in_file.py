"""A mechanism that a variant's file can switch on: which tables belong to it, how they are read and checked."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from judge.rules.board.ruleset import Mechanism
from judge.rules.variant_files.checking import Checking


class MechanismInFile(Mechanism, ABC):
    """`TABLES`: the keys of variant.toml that switch it on."""

    TABLES: ClassVar[tuple[str, ...]]

    @classmethod
    @abstractmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        """The mechanism as described by a file that passes `check`; None if it is not switched on. `file` is all of
        variant.toml. May raise KeyError, TypeError, AttributeError for a file that does not pass.
        """

    @classmethod
    @abstractmethod
    def check(cls, checking: Checking) -> None:
        """Notes the mistakes in its tables; a file without these tables is correct."""
