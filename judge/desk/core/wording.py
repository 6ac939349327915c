"""Numbers in the words of an answer."""


def counted(number: int, noun: str) -> str:
    """`1 unit`, `2 units`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
