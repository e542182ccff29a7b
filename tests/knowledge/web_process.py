"""A web process as gunicorn would start it, which tells what it shows."""

import importlib
import json
import time
from multiprocessing.connection import Connection

from knowledge.publications import publication_cache


def serve(told: Connection) -> None:
    """Tell the ETag and the labels of the index of entities whenever they change; it ends by itself after a minute."""
    importlib.import_module("config.wsgi")
    shown = None
    for _turn in range(6000):
        if "entities" in publication_cache:
            body = publication_cache.get("entities")
            if body.etag != shown:
                shown = body.etag
                told.send((shown, [one["label"] for one in json.loads(body.plain)["entities"]]))
        time.sleep(0.01)
