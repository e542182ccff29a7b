"""The front door: how fast it gives out what is in memory, what it costs what is not, and what it keeps from readers.

Production's processes with all that `make run` has them do, beside the same project on threads and beside nginx with
the same bytes as files, over one database. Figures are ratios within a run; rates need wrk, and nginx is Debian's.
"""

from collections.abc import Callable
from typing import Any

from benchmarks import wrk
from benchmarks.serving import asking, busy, freshness, passed_on, rates, sameness, slow
from benchmarks.serving.world import World, world

Part = Callable[[World], dict[str, Any]]
# In this order; from ``grown`` on there are 20,000 rows.
PARTS: dict[str, Part] = {
    "same": sameness.same,
    "quiet": rates.quiet,
    "busy": busy.busy,
    "passed_on": passed_on.passed_on,
    "asking": asking.asking,
    "slow": slow.slow,
    "fresh": freshness.fresh,
    "grown": rates.grown,
    "fresh_grown": lambda world: freshness.fresh(world, "20,000"),
}
BY_WRK = frozenset({"quiet", "busy", "passed_on", "grown"})


def run(*parts: str) -> dict[str, Any]:
    """The figures and gates of these parts, or of all."""
    figures: dict[str, Any] = {}
    gates: dict[str, Any] = {}
    with world() as measured:
        if measured.files is None:
            figures["nginx"] = {"skipped": "it is not installed"}
        for name in parts or PARTS:
            if name in BY_WRK and not wrk.is_installed():
                figures[name] = {"skipped": "wrk is not installed"}
                continue
            found = PARTS[name](measured)
            gates |= found.pop("gates")
            figures |= {f"{name}: {row}": columns for row, columns in found.items()}
    return {**figures, "gates": gates}
