"""Records as types that a checker knows, without a package; a whole client is generated from /openapi.json.
BASE=https://madang.example python typed_client.py"""

import json
import os
from typing import Literal, TypedDict, cast
from urllib.request import urlopen

BASE = os.environ.get("BASE", "http://localhost:8000")


class Unit(TypedDict):
    id: str
    label: str
    labelEn: str | None
    aliases: list[str]
    category: str | None
    country: str | None
    url: str
    updatedAt: str


def units(index: Literal["entities", "topics", "events"]) -> list[Unit]:
    return cast(list[Unit], json.load(urlopen(f"{BASE}/api/canonical/{index}.json"))[index])


for unit in units("topics"):
    print(unit["id"], unit["labelEn"] or unit["label"], sep="\t")
