"""What the benchmark of asking asks."""

import json

from benchmarks.load import get

UNITS = 500  # made-up assets, which every world that is asked has


def question(number: int) -> bytes:
    """A POST of a question that nobody asked before, about an asset that is there."""
    text = f"지어낸 자산 {number % UNITS} 은 색인의 무엇을 재려고 지어냈어 {number}"
    body = json.dumps({"question": text}).encode()
    head = get("/api/ask", Content_Type="application/json", Content_Length=str(len(body)))
    return head.replace(b"GET ", b"POST ", 1) + body
