"""The exchanges of a country with every name they go by, one a line.
BASE=https://madang.example python exchanges.py KR"""

import json
import os
import sys
from urllib.request import urlopen

BASE = os.environ.get("BASE", "http://localhost:8000")

for entity in json.load(urlopen(f"{BASE}/api/canonical/entities.json"))["entities"]:
    if (entity["category"], entity["country"]) == ("exchange", sys.argv[1]):
        print(entity["id"], entity["label"], *entity["aliases"], sep="\t")
