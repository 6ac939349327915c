"""What `judge status` and `judge doctor` have looked at, and what they found: as lines for a keeper, or as JSON."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

_WIDTH = 11


@dataclass(frozen=True)
class Look:
    """`what` was looked at ("mailbox"), what it `says`, and whether all is `well`: the keeper need not do anything. If
    not, `says` tells what to do, or `to_do` does.
    """

    what: str
    says: str
    well: bool = True
    to_do: str = ""

    @property
    def line(self) -> str:
        """For a terminal; what is to be done stands below."""
        told = f"{self.what:<{_WIDTH}} {self.says}"
        return f"{told}\n{'':<{_WIDTH}}   -> {self.to_do}" if self.to_do else told


def lines(looks: Iterable[Look]) -> str:
    """A line each."""
    return "\n".join(look.line for look in looks)


def as_json(looks: Iterable[Look]) -> list[dict[str, object]]:
    """An object each, with the names of Look's own fields."""
    return [asdict(look) for look in looks]


def all_well(looks: Iterable[Look]) -> bool:
    """Whether the keeper need not do anything."""
    return all(look.well for look in looks)
