"""Requests a second as wrk counts them: a generator that takes little from the servers it measures."""

import re
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.load import Address

SECONDS = 1
# Of sixteen a server of threads had from none to all at one of its two processes; its rate varied by .44, now by .22.
CONNECTIONS = 64
RATE = re.compile(r"Requests/sec:\s+([0-9.]+)")
FAILURES = re.compile(r"(Non-2xx or 3xx responses|Socket errors):.*")
BROWSER = {"X-Forwarded-Proto": "https", "Accept-Encoding": "gzip"}


@dataclass(frozen=True)
class Request:
    """``script`` (Lua) makes a request of its own for each number ``n``, which is given once in eleven days."""

    path: str
    headers: dict[str, str] = field(default_factory=dict)
    script: str = ""


def is_installed() -> bool:
    return shutil.which("wrk") is not None


def rate(
    address: Address, request: Request, *, seconds: int = SECONDS, connections: int = CONNECTIONS
) -> float:
    """Requests a second. Raises RuntimeError when any of them fails."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "20s"]
        for name, value in (BROWSER | request.headers).items():
            command += ["-H", f"{name}: {value}"]
        if request.script:
            # Lua writes twelve digits as they are.
            script = Path(folder, "request.lua")
            script.write_text(
                f"local n = {time.time_ns() // 1000 % 10**12}\n{request.script}", encoding="utf-8"
            )
            command += ["-s", str(script)]
        told = subprocess.run(
            [*command, f"http://{address[0]}:{address[1]}{request.path}"],
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
    failed, found = FAILURES.search(told), RATE.search(told)
    if failed or not found:
        raise RuntimeError(f"{request.path}: {failed[0] if failed else told}")
    return float(found[1])
