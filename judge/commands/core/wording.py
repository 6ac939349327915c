"""Words of answers: numbers, and texts that were carried."""

_LONGEST_ECHO = 60


def counted(number: int, noun: str) -> str:
    """`1 unit`, `2 units`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def echo(text: str) -> str:
    """The text that was carried, shown to its writer; for a long text its beginning and end."""
    lines = text.split("\n")
    if len(lines) > _LONGEST_ECHO:
        half = _LONGEST_ECHO // 2
        lines = [*lines[:half], f"({len(lines) - 2 * half} more lines)", *lines[-half:]]
    return "\n".join(f"  | {line}".rstrip() for line in lines)
