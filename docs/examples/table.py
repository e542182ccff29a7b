"""A number's history as a table; with pandas: pandas.read_csv(f"{BASE}/api/series/usd-krw.csv", parse_dates=["at"])
BASE=https://madang.example python table.py usd-krw"""

import csv
import os
import sys
from urllib.request import urlopen

BASE = os.environ.get("BASE", "http://localhost:8000")

rows = list(csv.DictReader(urlopen(f"{BASE}/api/series/{sys.argv[1]}.csv").read().decode().splitlines()))
print(rows[-1]["at"], rows[-1]["value"], "mean", sum(float(row["value"]) for row in rows) / len(rows))
