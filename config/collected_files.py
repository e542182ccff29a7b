"""Production's pages name their stylesheets by hash; the hashes stand in a manifest that ``collectstatic`` writes."""

from django.contrib.staticfiles.storage import ManifestFilesMixin
from django.core.exceptions import ImproperlyConfigured


def require_collected(storage: object) -> None:
    """Refuse to serve pages whose stylesheets nobody collected. Raises ImproperlyConfigured."""
    if isinstance(storage, ManifestFilesMixin) and storage.read_manifest() is None:
        raise ImproperlyConfigured(
            "The static files are not collected, so every page would fail. "
            "Run `python manage.py collectstatic --noinput`, once for each version, then start again."
        )
