"""The rehearsed world, for measurements of pages, and an address of each kind."""

from io import StringIO

from django.conf import settings
from django.core.management import call_command
from django.test.utils import override_settings
from django.utils import timezone

from benchmarks.web_app import use_folder
from rehearsal import world
from rehearsal.pages import paths

MEASURED = ("home", "list", "asset", "event", "answer", "about", "city", "city day")


def world_of_pages(folder: str, static: str) -> dict[str, str]:
    """Fill the database and the folders; a path for each kind of page."""
    now = timezone.now()
    use_folder(folder)
    # DEBUG, which this process may run with, would leave out the hashed names that the servers look for.
    hashed = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    with override_settings(STATIC_ROOT=static, STORAGES={**settings.STORAGES, "staticfiles": hashed}):
        call_command("collectstatic", interactive=False, verbosity=0)
    call_command("load_canon", verbosity=0, stdout=StringIO())
    world.make(now=now)
    found = paths(now)
    return {name: found[name] for name in MEASURED}
