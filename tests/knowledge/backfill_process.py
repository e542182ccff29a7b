"""A process that fetches the years of a series from a server on this machine."""

from django.conf import settings
from django.core.management import call_command


def backfill(series: str, since: str) -> None:
    settings.FETCH_ALLOW_PRIVATE = True
    call_command("backfill", series, "--from", since)
