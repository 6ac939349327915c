"""In the place of what draws: does not end by itself in the time of a test, or takes a while, or all memory.

The processes that draw load this module, and little else.
"""

import time

from judge.mails.drawing_process import MEMORY

PATIENCE = 8.0  # seconds after which a drawing is given up meanwhile


def draw(*_: object) -> dict[str, bytes]:
    """In a process of the pool."""
    time.sleep(600)
    return {}


def draw_slowly(_scene: object, _form: str, parts: list[str]) -> dict[str, bytes]:
    """In a process that a test finds busy."""
    time.sleep(1)
    return dict.fromkeys(parts, b"\x89PNG slow")


def draw_greedily(*_: object) -> dict[str, bytes]:
    """In a process that has less memory than that."""
    return {"": bytes(MEMORY + 1)}
