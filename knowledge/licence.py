"""Under which licence what we say is handed out, and how to name us: said here once, for every face."""

from django.conf import settings

LICENCE = "CC BY 4.0"
LICENCE_URL = "https://creativecommons.org/licenses/by/4.0/"
# Numbers stay under the terms of whoever publishes them.
LICENCE_OF_SERIES = "of each series its own, as `licence` in series says"


def attribution(address: str) -> str:
    """The suggested attribution of a page or file of ours at an absolute address: service, address, licence."""
    return f"{settings.SERVICE_NAME}, {address}, {LICENCE}"
