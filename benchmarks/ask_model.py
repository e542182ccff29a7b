"""``python -m benchmarks.ask_model SECONDS``: the rehearsal's fake model, which takes its time; prints its port.

A process of its own, so that a model that thinks takes nothing from the load generator.
"""

import sys
import time
from typing import Any

import django


def main(seconds: float) -> None:
    django.setup()
    from ask.rehearsal import FakeMessagesApi

    class SlowModel(FakeMessagesApi):
        request_queue_size = 256

        def process_request_thread(self, request: Any, client_address: Any) -> None:
            time.sleep(seconds)
            super().process_request_thread(request, client_address)

    server = SlowModel(0)
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main(float(sys.argv[1]))
