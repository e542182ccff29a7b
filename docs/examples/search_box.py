"""What a search box shows for what was typed: whom it may name, then where it is written about.
BASE=https://madang.example python search_box.py bitcion"""

import json
import os
import sys
from urllib.parse import quote
from urllib.request import urlopen

BASE = os.environ.get("BASE", "http://localhost:8000")

typed = quote(" ".join(sys.argv[1:]))
named = json.load(urlopen(f"{BASE}/api/resolve?limit=3&q={typed}"))["candidates"]
found = json.load(urlopen(f"{BASE}/api/search?q={typed}"))["items"]
for url, name in {item["url"]: item.get("label") or item["title"] for item in named + found}.items():
    print(BASE + url, name, sep="\t")
