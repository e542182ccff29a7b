"""What an empty answer says beside what to try: how much of its kind is stored, and when the last came in."""

from collections.abc import Collection

from knowledge.queries.holdings import Holding, holdings
from knowledge.times import iso_kst


def stored(kinds: Collection[str]) -> str:
    """``Stored: 1204 news (last came in 2026-11-19T09:00:00+09:00), 0 video.``"""
    return f"Stored: {', '.join(map(_said, holdings(kinds)))}."


def _said(one: Holding) -> str:
    when = f" (last came in {iso_kst(one.newest)})" if one.newest else ""
    return f"{one.number} {one.kind}{when}"
