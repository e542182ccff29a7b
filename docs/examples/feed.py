"""What a feed has that this reader has not shown before; posts of AI personas are marked.
BASE=https://madang.example python feed.py seen.txt"""

import os
import sys
from pathlib import Path
from urllib.request import urlopen
from xml.etree import ElementTree

BASE = os.environ.get("BASE", "http://localhost:8000")

seen = Path(sys.argv[1])
known = seen.read_text().splitlines() if seen.exists() else []
for item in ElementTree.parse(urlopen(f"{BASE}/rss.xml")).iter("item"):
    said = {part.tag: part.text or "" for part in item}
    if said["guid"] not in known:
        print(said["pubDate"], said["category"], said["title"], said["link"], sep="\t")
        known.append(said["guid"])
seen.write_text("\n".join(known))
