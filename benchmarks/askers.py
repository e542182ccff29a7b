"""``python -m benchmarks.askers HOST PORT ASKERS FIRST``: clients that ask something new as soon as they are answered.

Who is told to come back comes back after ``Retry-After``. They stop when stdin ends, and print counts by status.
"""

import json
import sys
import threading
from collections import Counter

from benchmarks.ask_questions import question
from benchmarks.load import Client

# Strangers do not ask in step: they begin, and so come back, spread over the seconds of one Retry-After.
BEGIN_WITHIN_SECONDS = 3.0


def main(host: str, port: int, askers: int, first: int) -> None:
    over, counts, lock = threading.Event(), Counter[int](), threading.Lock()

    def ask(at: int) -> None:
        number, client = first + at, Client((host, port))
        over.wait(BEGIN_WITHIN_SECONDS * at / askers)
        while not over.is_set():
            reply = client.ask(question(number))
            with lock:
                counts[reply.status] += 1
            over.wait(float(reply.headers.get("retry-after", 0)))
            number += askers
        client.close()

    threads = [threading.Thread(target=ask, args=(at,)) for at in range(askers)]
    for thread in threads:
        thread.start()
    sys.stdin.buffer.read()
    over.set()
    for thread in threads:
        thread.join()
    json.dump(counts, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:5]))
