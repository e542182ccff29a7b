"""Settings by topic. Nothing here starts anything or opens a connection."""

import django_stubs_ext

from config.settings.api import *  # noqa: F403
from config.settings.data import *  # noqa: F403
from config.settings.environment import BASE_DIR, DEBUG, REHEARSAL, VAR_DIR
from config.settings.jobs import *  # noqa: F403
from config.settings.logs import *  # noqa: F403
from config.settings.model import *  # noqa: F403
from config.settings.operations import *  # noqa: F403
from config.settings.security import *  # noqa: F403
from config.settings.service import *  # noqa: F403
from config.settings.web import *  # noqa: F403

# Typed Django classes take parameters such as ModelAdmin[Unit], which Django itself does not know at run time.
django_stubs_ext.monkeypatch()

__all__ = ["BASE_DIR", "DEBUG", "REHEARSAL", "VAR_DIR"]
