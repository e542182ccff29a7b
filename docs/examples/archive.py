"""Loads the days of the city that a folder lacks, and keeps only bytes whose hash the manifest states.
BASE=https://madang.example python archive.py days"""

import hashlib
import json
import os
import sys
from pathlib import Path
from urllib.request import urlopen

BASE = os.environ.get("BASE", "http://localhost:8000")

folder = Path(sys.argv[1])
folder.mkdir(exist_ok=True)
manifest = json.load(urlopen(f"{BASE}/api/archive"))
for item in manifest["items"]:
    file = folder / f"{item['date']}.r{item['revision']}.json"
    if not file.exists():
        content = urlopen(item["url"]).read()
        if hashlib.sha256(content).hexdigest() != item["sha256"]:
            sys.exit(f"{item['date']} is not what was sealed")
        file.write_bytes(content)
        print(file)
print(manifest["firstDate"], manifest["lastDate"], "without", *manifest["gaps"] or ["gaps"])
