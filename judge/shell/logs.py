"""How the log of a process is written: lines for people, or JSON Lines for programs."""

import json
import logging
import re
import sys
from datetime import UTC, datetime

from judge.settings import Settings

# What the messages of the judge say of letters, games, phases and mails: letter=12 game=heron.
_FIELD = re.compile(r"(?<!\S)([a-z_]+)=('[^']*'|\S+)")


class JsonLines(logging.Formatter):
    """One JSON object a record, on one line, whatever is in it: `at` (RFC 3339, UTC), `level`, `logger`, `message`,
    `error` (a traceback), and what the message tells as `name=value`, by its name.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        message = record.getMessage()
        fields = {name: value.strip("'") for name, value in _FIELD.findall(message)}
        told = {
            **fields,
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": message,
        }
        if record.exc_info:
            told["error"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


def write_log(settings: Settings) -> None:
    """From now on this process writes its log to standard error, as the settings say."""
    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(asctime)s %(levelname)-7s %(message)s")
    handler.setFormatter(JsonLines() if settings.log_form == "json" else plain)
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler])
    logging.getLogger("apscheduler").setLevel(logging.WARNING)
