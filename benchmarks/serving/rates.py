"""Rates on a quiet day: from memory, from nginx's files, and of a bare Django view on threads, in turns."""

from collections.abc import Callable
from statistics import median
from typing import Any

from benchmarks import wrk
from benchmarks.gates import Gate, at_least
from benchmarks.load import Address, fetch, get
from benchmarks.rounds import Rates, in_turns, ratio
from benchmarks.serving.world import ENTITIES, World
from benchmarks.wrk import Request

ROUNDS = 7
LARGE = 20_000
COMPUTED_CONNECTIONS = 16  # of 64 who wait for a page that is computed for each, some are told to come later
DIFFERING = """
request = function()
  n = n + 1
  wrk.headers["User-Agent"] = "reader " .. n
  return wrk.format()
end
"""
OF_BARE, OF_FILES = 6.0, 0.6


def quiet(world: World) -> dict[str, Any]:
    """The index of 1,000 rows, its 304, a unit's page."""
    front, bare = world.front.address, Request("/bench/bare-django")
    etag = fetch(front, get(ENTITIES)).headers["etag"]
    unchanged = {"If-None-Match": etag}
    assert fetch(front, get(ENTITIES, **unchanged)).status == 304
    measures = {
        "bare view": of(world.threads.address, bare),
        "index": of(front, Request(ENTITIES)),
        "304": of(front, Request(ENTITIES, unchanged)),
        "page": of(front, Request(world.unit_page)),
        # Each by somebody else: the front knows a request by its bytes where it came before.
        "page, heads that differ": of(front, Request(world.unit_page, script=DIFFERING)),
        "index, by threads": of(world.threads.address, Request(ENTITIES)),
        "page, by threads": of(world.threads.address, Request(world.unit_page), COMPUTED_CONNECTIONS),
    }
    if world.files is not None:
        world.put_file("index", ENTITIES)
        world.put_file("page", world.unit_page)
        measures["index, nginx"] = of(world.files, Request("/index"))
        measures["page, nginx"] = of(world.files, Request("/page"))
        measures["page, nginx, heads that differ"] = of(world.files, Request("/page", script=DIFFERING))
    rates = in_turns(measures, ROUNDS)
    sizes = {
        "index": fetch(front, get(ENTITIES)).size,
        "page": fetch(front, get(world.unit_page)).size,
        "bare view": fetch(world.threads.address, get(bare.path)).size,
    }
    figures: dict[str, dict[str, float]] = {
        name: {"rps": median(found), "of bare": ratio(rates, name, "bare view"), "bytes": sizes.get(name, 0)}
        for name, found in rates.items()
    }
    return {**figures, "gates": gates_of(rates, with_files=world.files is not None)}


def of(
    address: Address,
    request: Request,
    connections: int = wrk.CONNECTIONS,
    *,
    seconds: int = wrk.SECONDS,
) -> Callable[[], float]:
    return lambda: wrk.rate(address, request, connections=connections, seconds=seconds)


def gates_of(rates: Rates, *, with_files: bool) -> dict[str, Gate]:
    gates = {
        f"{name}, of a bare view": at_least(OF_BARE, ratio(rates, name, "bare view"))
        for name in ("index", "304", "page")
    }
    for name in ("index", "page") if with_files else ():
        gates[f"{name}, of nginx"] = at_least(OF_FILES, ratio(rates, name, f"{name}, nginx"))
    return gates


def grown(world: World) -> dict[str, Any]:
    """The index of 1,000 rows against that of 20,000: its time may grow as its bytes do.

    The bare view gives the bytes it met first, so both are measured by the same thing.
    """
    small = numbers_of(world)
    world.grow(LARGE)
    large = numbers_of(world)
    slower = small["of bare"] / large["of bare"]
    gate = at_least(1, large["bytes"] / small["bytes"] / slower)
    return {"index": small, "of 20,000 rows": large, "gates": {"20,000 rows, no steeper than bytes": gate}}


def numbers_of(world: World) -> dict[str, float]:
    measures = {
        "bare view": of(world.threads.address, Request("/bench/bare-django")),
        "index": of(world.front.address, Request(ENTITIES)),
    }
    if world.files is not None:
        world.put_file("index", ENTITIES)
        measures["nginx"] = of(world.files, Request("/index"))
    rates = in_turns(measures, ROUNDS)
    figures = {
        "rps": median(rates["index"]),
        "of bare": ratio(rates, "index", "bare view"),
        "bytes": fetch(world.front.address, get(ENTITIES)).size,
    }
    if world.files is not None:
        figures |= {"nginx rps": median(rates["nginx"]), "of nginx": ratio(rates, "index", "nginx")}
    return figures
