"""``python -m benchmarks.askers HOST PORT ASKERS FIRST``: a crowd that asks all at once, each something new.

It asks when its input says so, a line for each time, and says ``asked`` when all have either an answer or were told to
come back; who is told that comes back after ``Retry-After`` once. When its input ends it prints counts by status.
"""

import json
import sys
import threading
import time
from collections import Counter

from benchmarks.ask_questions import question
from benchmarks.load import Client


def main(host: str, port: int, askers: int, first: int) -> None:
    counts, lock = Counter[int](), threading.Lock()

    def ask(client: Client, number: int) -> None:
        reply = client.ask(question(number))
        if reply.status == 503:
            time.sleep(float(reply.headers.get("retry-after", 0)))
            reply = client.ask(question(number))
        with lock:
            counts[reply.status] += 1

    clients: list[Client] = []
    for _line in sys.stdin:
        # Not before: of a service that has just begun, one process alone may be accepting.
        clients = clients or [Client((host, port)) for _asker in range(askers)]
        threads = [
            threading.Thread(target=ask, args=(client, first + at)) for at, client in enumerate(clients)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        first += askers
        print("asked", flush=True)
    print(json.dumps(counts), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:5]))
