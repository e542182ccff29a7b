"""``python -P benchmarks/retrieval_asker.py DATABASE``: the search of the checkout that is the working directory, and
stands in ``PYTHONPATH``.

A line of input is a question as JSON; a line of output says how long it took and how much was found, as ``{"ms",
"hits"}``. Both editions that ``benchmarks.editions`` compares run this file, so it asks only for what both have.
"""

import json
import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import django
from django.conf import settings

NOW = datetime(2025, 1, 1, tzinfo=UTC)


def main(database: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    settings.DATABASES["default"]["NAME"] = database
    django.setup()
    from knowledge.linking.gazetteer import newest_gazetteer
    from knowledge.search import ranking, typos

    if Path(ranking.__file__).resolve().parents[2] != Path.cwd().resolve():
        raise RuntimeError(f"not the checkout that was to be measured: {ranking.__file__}")
    # A web process has read the names before anybody asks it.
    newest_gazetteer()
    typos.read_names()
    for line in sys.stdin:
        question = json.loads(line)
        began = time.perf_counter()
        found = ranking.search(ranking.understand(question), now=NOW)
        taken = (time.perf_counter() - began) * 1000
        print(json.dumps({"ms": taken, "hits": len(found)}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
