"""gunicorn's log: lines as all others are, with nobody's words or address in them.

The master process imports this module, so nothing of Django is imported here.
"""

import json
import logging
import os
import traceback
from datetime import UTC, datetime

from gunicorn import glogging
from gunicorn.config import Config


class Logger(glogging.Logger):
    """gunicorn's own lines as JSON, as all others are; as text with DEBUG."""

    def setup(self, cfg: Config) -> None:
        super().setup(cfg)
        if os.environ.get("DEBUG", "").lower() not in ("true", "1", "on", "yes"):
            for handler in self.error_log.handlers:
                handler.setFormatter(ServerLogFormatter())


class ServerLogFormatter(logging.Formatter):
    """A line of the server. ``config.log_lines`` has the application's, with settings that the master must not load:
    its workers are to read them anew."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info and record.exc_info[1] is not None:
            # uvicorn's come of requests, whose words a message may repeat.
            is_private = record.name.startswith("uvicorn")
            line["trace"] = (
                places(record.exc_info[1]) if is_private else self.formatException(record.exc_info)
            )
        return json.dumps(line, ensure_ascii=False)


def places(error: BaseException) -> str:
    """What failed and where, without its message; then the same of what it came from."""
    told = "".join([f"{type(error).__name__}\n", *traceback.format_tb(error.__traceback__)])
    cause = error.__cause__ or error.__context__
    return told if cause is None else f"{told}{places(cause)}"
