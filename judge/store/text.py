"""Text that any database accepts: PostgreSQL refuses NUL, and neither database stores half a surrogate pair."""


def storable(text: str) -> str:
    """`text` with every character that cannot be stored replaced by U+FFFD."""
    if text.isprintable():
        return text
    whole = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return whole.replace("\0", "\N{REPLACEMENT CHARACTER}")
