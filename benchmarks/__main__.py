"""``python -m benchmarks [NAME…]``: run the named benchmarks (all unless named), print tables, fail on a
missed gate.

A benchmark is a module here with ``run()``, which gives figures as ``{name: number}`` or ``{row: {column:
number}}``. Its key ``gates``, where it has one, is ``{gate: {"measured", "required", "holds"}}``. Exit
status: 0, 1 when a gate does not hold, 2 for an unknown name.

``serving`` has parts, of which some are measured by ``serving.quiet+busy``.

``python -m benchmarks seed --documents N --units N`` fills a database of its own with made-up rows, and ``--seeded``
before the names measures on that one.
"""

import os
import sys
import time
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import django

NAMES = (
    "serving",
    "views",
    "pages",
    "retrieval",
    "linking",
    "ingest",
    "ask",
    "archive",
    "mcp",
    "desk",
    "popular",
    "bulk",
    "status",
)
SEED, SEEDED = "seed", "--seeded"
Figures = Mapping[str, Any]


def main(arguments: list[str]) -> int:
    names = [argument for argument in arguments if argument != SEEDED]
    unknown = [name for name in names if name.partition(".")[0] not in NAMES]
    if unknown and arguments[0] != SEED:
        print(f"no benchmark named {', '.join(unknown)}; there are {', '.join(NAMES)}", file=sys.stderr)
        return 2
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if arguments[:1] == [SEED]:
        return int(import_module("benchmarks.seed").main(arguments[1:]))
    if SEEDED in arguments:
        import_module("benchmarks.seeded").use_seeded()
    outcomes = [passes(name) for name in names or NAMES]
    return 0 if all(outcomes) else 1


def passes(name: str) -> bool:
    """Run one benchmark and print it; whether all its gates hold."""
    began = time.monotonic()
    module, _dot, parts = name.partition(".")
    figures = dict(import_module(f"benchmarks.{module}").run(*parts.split("+") if parts else ()))
    gates = figures.pop("gates", {})
    print(f"\n{name} ({time.monotonic() - began:.0f} s)")
    print(table(figures))
    if gates:
        print("\n" + table(gates))
    return all(gate["holds"] for gate in gates.values())


def table(figures: Figures) -> str:
    """Rows and columns as text; single figures stand in a column without a head."""
    rows = {name: row if isinstance(row, Mapping) else {"": row} for name, row in figures.items()}
    columns = list(dict.fromkeys(column for row in rows.values() for column in row))
    cells = [["", *columns]] + [
        [name, *(shown(row.get(column, "")) for column in columns)] for name, row in rows.items()
    ]
    widths = [max(len(line[at]) for line in cells) for at in range(len(columns) + 1)]
    lines = [
        line[0].ljust(widths[0])
        + "".join(cell.rjust(width + 2) for cell, width in zip(line[1:], widths[1:], strict=True))
        for line in cells
    ]
    return "\n".join(line.rstrip() for line in lines if line.strip())


def shown(figure: object) -> str:
    if isinstance(figure, bool):
        return "yes" if figure else "NO"
    return f"{figure:,.3g}" if isinstance(figure, float) and abs(figure) < 100 else _whole(figure)


def _whole(figure: object) -> str:
    return f"{figure:,.0f}" if isinstance(figure, int | float) else str(figure)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
