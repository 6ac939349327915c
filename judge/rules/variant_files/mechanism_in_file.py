"""A mechanism as the file of a variant switches it on: which tables are its own, read, checked and written back."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

from judge.rules.board.ruleset import Mechanism, Ruleset
from judge.rules.variant_files.checking import Checking


class MechanismInFile(Mechanism, ABC):
    """`TABLES`: the keys of variant.toml that switch it on."""

    TABLES: ClassVar[tuple[str, ...]]

    @classmethod
    @abstractmethod
    def read(cls, file: Mapping[str, Any]) -> Self | None:
        """The mechanism as a file that passes `check` has it, None where it is not switched on; `file` is all of
        variant.toml. May raise KeyError, TypeError, AttributeError for a file that does not pass.
        """

    @classmethod
    @abstractmethod
    def check(cls, checking: Checking) -> None:
        """Notes what is wrong with its tables, which need not be there."""

    @abstractmethod
    def written(self, ruleset: Ruleset) -> Iterator[str]:
        """Lines of variant.toml that are read as this."""
