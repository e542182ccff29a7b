"""What memory gives out against what Django answers: status, headers, body, for every kind of address.

A request with a cookie goes to Django. Which answers came from memory is read from the log, where the front counts
them.
"""

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.gates import Gate
from benchmarks.load import Client, Reply, get
from benchmarks.serving.freshness import one_for_each_worker
from benchmarks.serving.world import ENTITIES, TOPICS, WITHOUT_MODEL, World
from benchmarks.web_servers import front

CODINGS = ("gzip", "br", "identity")
OWN = ("date", "x-request-id")
LOGGED_SECONDS = 2.0
PATHS = (
    ENTITIES,
    TOPICS,
    "/api/canonical/events.json",
    "/api/series.json",
    "/api/archive",
    "/api/units/asset:marucoin.json",
    "/sitemap.xml",
    "/rss.xml",
    "/llms.txt",
    "/numbers",
)


def same(world: World) -> dict[str, Any]:
    """How many answers from memory were compared, how many of them differ, and which."""
    log = world.folder / "front.log"
    compared, differing = 0, set[str]()
    with front(
        world.database, folder=world.archive, static=world.static, environment=WITHOUT_MODEL, log=log
    ) as server:
        for client in one_for_each_worker(server.address):
            for path in (*PATHS, *world.pages.values()):
                for coding in CODINGS:
                    compared += 3
                    differing |= differences(client, path, coding)
            client.close()
        time.sleep(LOGGED_SECONDS)
    by_view = given_from_memory(log)
    hits = sum(by_view.values())
    seldom = [view for view, count in by_view.items() if count < max(by_view.values())]
    figures = {
        "compared": compared,
        "from memory": hits,
        "less often than others": ", ".join(seldom) or "none",
        "differing": ", ".join(sorted(differing)) or "none",
    }
    gates: dict[str, Gate] = {
        "answers that differ from Django's": {
            "measured": len(differing), "required": "0", "holds": not differing,
        },
        "compared ones from memory": {"measured": hits, "required": f"≥ {compared}", "holds": hits >= compared},
    }  # fmt: skip
    return {"answers": figures, "gates": gates}


def differences(client: Client, path: str, coding: str) -> set[str]:
    """Of a GET, a HEAD and a question whether it changed."""
    plain, to_django = {"Accept_Encoding": coding}, {"Accept_Encoding": coding, "Cookie": "a=b"}
    etag = client.ask(get(path, **plain)).headers.get("etag", "")
    asked = {"GET": {}, "304": {"If_None_Match": etag}, "HEAD": {}}
    return {
        f"{name} {path} {coding}"
        for name, more in asked.items()
        if shown(client, name, get(path, **plain, **more))
        != shown(client, name, get(path, **to_django, **more))
    }


def shown(client: Client, name: str, request: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
    is_head = name == "HEAD"
    reply: Reply = client.ask(request.replace(b"GET", b"HEAD", 1) if is_head else request, is_head=is_head)
    headers = sorted(pair for pair in reply.headers.items() if pair[0] not in OWN)
    return reply.status, headers, reply.body


def given_from_memory(log: Path) -> Counter[str]:
    """What the front reported, by view."""
    by_view = Counter[str]()
    lines = (
        json.loads(line) for line in log.read_text(encoding="utf-8").splitlines() if line.startswith("{")
    )
    for line in lines:
        if line.get("message") == "requests from memory":
            by_view[line["view"]] += line["count"]
    return by_view
