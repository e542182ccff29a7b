"""``python -m tests.ask.model.asking_process QUESTION NOW``: ask once; prints the code of a refusal, or how it went."""

from __future__ import annotations

import os
import sys
from datetime import datetime

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from ask.answering import ask  # noqa: E402
from knowledge.errors import Refusal  # noqa: E402

if __name__ == "__main__":
    try:
        reply = ask(sys.argv[1], now=datetime.fromisoformat(sys.argv[2]))
    except Refusal as refusal:
        print(refusal.default_code)
    else:
        print("cached" if reply.cached else reply.version.mode)
