"""One thing of every kind, for measurements of pages, and an address of each."""

from io import StringIO

from django.conf import settings
from django.core.management import call_command
from django.test.utils import override_settings
from django.utils import timezone

from archive.days import yesterday
from archive.rehearsal import rehearse
from benchmarks.web_app import use_folder
from tests.factories.world import make_world


def world_of_pages(folder: str, static: str) -> dict[str, str]:
    """Fill the database and the folders; a path for each kind of page."""
    now = timezone.now()
    use_folder(folder)
    # DEBUG, which this process may run with, would leave out the hashed names that the servers look for.
    hashed = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    with override_settings(STATIC_ROOT=static, STORAGES={**settings.STORAGES, "staticfiles": hashed}):
        call_command("collectstatic", interactive=False, verbosity=0)
    call_command("load_canon", verbosity=0, stdout=StringIO())
    list(rehearse(14, until=yesterday(now)))
    world = make_world(now)
    return {
        "home": "/",
        "list": "/asset",
        "asset": world.asset.get_absolute_url(),
        "event": world.event.get_absolute_url(),
        "answer": world.answer,
        "about": "/about",
        "city": "/city",
        "city day": f"/city/{yesterday(now)}",
    }
