"""What is not kept: searches, look-ups over MCP, and questions that are answered by quoting, each asked for the first
time by an address of its own. The front hands them to Django, and may take little for it."""

import json
from statistics import median
from typing import Any

from benchmarks.gates import at_least
from benchmarks.rounds import in_turns, ratio
from benchmarks.serving.rates import of
from benchmarks.serving.world import World
from benchmarks.wrk import Request

ROUNDS = 7
SECONDS = 3  # ten questions take one
CONNECTIONS = 4  # a process searches for eight at a time, those among them whose clients have just left
OF_THREADS = 0.95
ASSETS = 500  # of the made-up ones, which questions are about
# Limits count by address, so that each request has one of its own.
ADDRESS = """
local function address()
  n = n + 1
  return string.format("10.%d.%d.%d", math.floor(n / 65536) % 256, math.floor(n / 256) % 256, n % 256)
end
"""
SEARCH = """
request = function()
  wrk.headers["X-Forwarded-For"] = address()
  return wrk.format("GET", "/api/search?q=made-up-" .. n % {assets})
end
"""
POST = """
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Accept"] = "application/json, text/event-stream"
request = function()
  wrk.headers["X-Forwarded-For"] = address()
  return wrk.format("POST", nil, nil, {body})
end
"""
CALL = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "get_entity", "arguments": {"id": "asset:made-up-7"}},
    }
)
QUESTION = f"""'{{"question": "지어낸 자산 ' .. n % {ASSETS} .. ' 은 무엇을 재려고 지어냈어 ' .. n .. '"}}'"""
REQUESTS = {
    "search": Request("/api/search", script=ADDRESS + SEARCH.format(assets=ASSETS)),
    "MCP look-up": Request("/api/mcp", script=ADDRESS + POST.format(body=f"'{CALL}'")),
    "new ask": Request("/api/ask", script=ADDRESS + POST.format(body=QUESTION)),
}


def passed_on(world: World) -> dict[str, Any]:
    """Each by the front and by threads, in turns."""
    figures, gates = {}, {}
    for name, request in REQUESTS.items():
        servers = {"front": world.front.address, "threads": world.threads.address}
        measures = {
            server: of(address, request, CONNECTIONS, seconds=SECONDS) for server, address in servers.items()
        }
        rates = in_turns(measures, ROUNDS)
        of_threads = ratio(rates, "front", "threads")
        figures[name] = {
            "rps": median(rates["front"]), "by threads": median(rates["threads"]), "of threads": of_threads,
        }  # fmt: skip
        gates[f"{name}, of threads"] = at_least(OF_THREADS, of_threads)
    return {**figures, "gates": gates}
