"""Production without its stylesheets does not start, and says how to make them."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpResponse
from django.test import RequestFactory
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.collected_files import CollectedFiles, require_collected
from knowledge.publications.keeping import KEEP_HEADER

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
    source = (ROOT / "config" / "web_process.py").read_text(encoding="utf-8")
    assert source.index("require_collected(staticfiles_storage)") < source.index("start_listening()")


def test_files_with_a_hash_in_their_name_may_be_given_out_again(tmp_path: Path, settings: Any) -> None:
    settings.STATIC_ROOT, settings.WHITENOISE_AUTOREFRESH, settings.WHITENOISE_USE_FINDERS = (
        tmp_path,
        False,
        False,
    )
    settings.WHITENOISE_IMMUTABLE_FILE_TEST = lambda _path, url: ".1a2b." in url
    (tmp_path / "site.css").write_text("a{}")
    (tmp_path / "site.1a2b.css").write_text("a{}")
    files = CollectedFiles(lambda _request: HttpResponse())
    kept, other = (files(RequestFactory().head(f"/static/{name}")) for name in ("site.1a2b.css", "site.css"))
    said = json.loads(kept.headers[KEEP_HEADER])
    assert said == {"seconds": 86400.0, "scopes": [], "variant": "", "view": ""}
    assert KEEP_HEADER not in other.headers
