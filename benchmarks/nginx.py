"""Debian's nginx, which serves files from a folder: the measure of how fast ready bytes can be given out."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.load import Address, fetch, get
from benchmarks.web_servers import WORKERS, free_port

START_SECONDS = 10.0
CONFIGURATION = """
daemon off; worker_processes {workers}; pid {folder}/pid; error_log {folder}/errors; {user}
events {{ worker_connections 1024; }}
http {{
    access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; default_type application/json;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{ listen {host}:{port}; root {folder}/files; gzip_static always; }}
}}
"""


def is_installed() -> bool:
    return program() is not None


def program() -> str | None:
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


@contextmanager
def nginx(folder: Path) -> Iterator[Address]:
    """It serves ``folder/files/NAME.gz`` under ``/NAME``, with as many workers as gunicorn has."""
    address = ("127.0.0.1", free_port())
    (folder / "files").mkdir(exist_ok=True)
    configuration = folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""  # else its workers may not read the folder
    configuration.write_text(
        CONFIGURATION.format(folder=folder, workers=WORKERS, host=address[0], port=address[1], user=user)
    )
    process = subprocess.Popen(
        [str(program()), "-c", str(configuration), "-p", str(folder)], stderr=subprocess.DEVNULL
    )
    try:
        _wait_until_up(address, process)
        yield address
    finally:
        process.terminate()
        process.wait(START_SECONDS)


def _wait_until_up(address: Address, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            fetch(address, get("/"))
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("nginx did not start")
