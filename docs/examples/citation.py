"""How to name a record that is quoted: asset:btc, topic:…, event:…, post:…, answer:… or city:2026-11-19.
BASE=https://madang.example python citation.py asset:btc"""

import json
import os
import sys
from urllib.request import Request, urlopen

BASE = os.environ.get("BASE", "http://localhost:8000")

call = {"name": "fetch", "arguments": {"id": sys.argv[1]}}
message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
request = Request(f"{BASE}/api/mcp", json.dumps(message).encode(), {"Content-Type": "application/json"})
result = json.load(urlopen(request))["result"]
print(result["content"][0]["text"] if result["isError"] else result["structuredContent"]["cite"])
