"""In the place of what draws: never ends by itself in the time of a test."""

import time


def draw(*_: object) -> dict[str, bytes]:
    """In a process of the pool."""
    time.sleep(600)
    return {}
