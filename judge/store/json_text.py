"""Values in columns of JSON, as text: by orjson, which takes a tenth of the time of Python's own module, as far as it
writes the same: text within ASCII, in which words can be searched for; and as far as it reads what that has written.
"""

import json
import re
from typing import Any

import orjson

# A number beyond 64 bits has nineteen digits or more, so among every sixth sign three of them stand in a row. To look
# there costs less than to look at all signs.
_STEP = 6
_MAYBE_LONG = re.compile(r"[0-9]{3}")


def written(value: Any, *, sort_keys: bool = False) -> str:
    """The value as JSON, all of it ASCII."""
    try:
        text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS if sort_keys else None)
    except TypeError:  # half a character, keys that are no words, numbers beyond 64 bits
        return json.dumps(value, sort_keys=sort_keys)
    return text.decode() if text.isascii() else json.dumps(value, sort_keys=sort_keys)


def read(text: str | bytes) -> Any:
    """The value that was written as this text."""
    text = text if isinstance(text, str) else text.decode()
    if _MAYBE_LONG.search(text[::_STEP]):  # orjson would round a number beyond 64 bits
        return json.loads(text)
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:  # half a character
        return json.loads(text)


# For an engine, or a dialect, of SQLAlchemy's.
JSON: dict[str, Any] = {"json_serializer": written, "json_deserializer": read}
