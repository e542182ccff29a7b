"""A mirror in SQLite that asks by ETag, so that a run without news costs no byte of a body.
BASE=https://madang.example python mirror.py madang.db"""

import gzip
import json
import os
import sqlite3
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

BASE = os.environ.get("BASE", "http://localhost:8000")

db = sqlite3.connect(sys.argv[1])
db.execute("CREATE TABLE IF NOT EXISTS file (name PRIMARY KEY, etag)")
db.execute("CREATE TABLE IF NOT EXISTS unit (id PRIMARY KEY, file, record)")
for name in ("entities", "topics", "events"):
    # An ETag is of one coding: always ask for the same one.
    headers = {"Accept-Encoding": "gzip"}
    for (etag,) in db.execute("SELECT etag FROM file WHERE name = ?", [name]):
        headers["If-None-Match"] = etag
    try:
        response = urlopen(Request(f"{BASE}/api/canonical/{name}.json", headers=headers))
    except HTTPError as unchanged:
        if unchanged.code != 304:
            raise
        print(name, 0)
        continue
    body = response.read()
    records = json.loads(gzip.decompress(body))[name]
    with db:
        db.execute("DELETE FROM unit WHERE file = ?", [name])
        db.executemany("INSERT INTO unit VALUES (?, ?, ?)", ((r["id"], name, json.dumps(r)) for r in records))
        db.execute("REPLACE INTO file VALUES (?, ?)", [name, response.headers["ETag"]])
    print(name, len(body))
