"""An answer with its sources; where the limit of new questions is reached, it waits and asks again.
BASE=https://madang.example python ask.py What is the kimchi premium?"""

import json
import os
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

BASE = os.environ.get("BASE", "http://localhost:8000")

question = json.dumps({"question": " ".join(sys.argv[1:])}).encode()
request = Request(f"{BASE}/api/ask", question, {"Content-Type": "application/json"})
try:
    response = urlopen(request)
except HTTPError as refusal:
    if refusal.code != 429:
        sys.exit(json.load(refusal)["detail"])
    time.sleep(int(refusal.headers["Retry-After"]))
    response = urlopen(request)
reply = json.load(response)
print(reply["answer"])
for number, source in enumerate(reply["citations"], 1):
    print(f"[{number}] {source['label']} {BASE}{source['url']}")
