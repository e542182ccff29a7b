"""Production without its stylesheets does not start, and says how to make them."""

from pathlib import Path

import pytest
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.exceptions import ImproperlyConfigured
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.collected_files import require_collected

ROOT = Path(__file__).resolve().parents[2]


def test_without_collected_files_production_names_the_command_that_makes_them(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"python manage\.py collectstatic --noinput"):
        require_collected(CompressedManifestStaticFilesStorage(location=tmp_path, base_url="/static/"))


def test_with_them_it_starts(tmp_path: Path) -> None:
    (tmp_path / "staticfiles.json").write_text('{"version": "1.1", "paths": {}, "hash": ""}')
    require_collected(CompressedManifestStaticFilesStorage(location=tmp_path, base_url="/static/"))


def test_a_developers_run_needs_none(tmp_path: Path) -> None:
    require_collected(StaticFilesStorage(location=tmp_path, base_url="/static/"))


def test_the_web_process_looks_before_it_serves() -> None:
    source = (ROOT / "config" / "wsgi.py").read_text(encoding="utf-8")
    assert source.index("require_collected(staticfiles_storage)") < source.index("start_listening()")
