"""A monitor's check: prints what is not well and exits with 0 (ok), 1 (warn) or 2 (fail).
BASE=https://madang.example python health.py"""

import json
import os
import sys
from urllib.request import urlopen

BASE = os.environ.get("BASE", "http://localhost:8000")

health = json.load(urlopen(f"{BASE}/api/health?detail=1"))
for name, state in health["subsystems"].items():
    if state["status"] != "ok":
        print(name, state["status"], state["ageSeconds"], state["note"], sep="\t")
sys.exit(["ok", "warn", "fail"].index(health["worst_status"]))
