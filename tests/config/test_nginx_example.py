"""The examples for nginx in docs/deployment.md: nginx takes them as they are written, with the cache and without."""

import re
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.utils import timezone

from knowledge.publications.delivery import CACHE_CONTROL, PAGE_CACHE

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin:/opt/homebrew/bin")
PLAIN_LOCATION = "    location / {\n        proxy_pass http://127.0.0.1:8000;\n    }\n"


def examples() -> tuple[str, str, str]:
    """The two servers; what a cache needs outside ``server``; what stands in the place of ``location /``."""
    text = (settings.BASE_DIR / "docs" / "deployment.md").read_text()
    servers, outside, inside = re.findall(r"```nginx\n(.*?)```", text, re.DOTALL)
    assert PLAIN_LOCATION in servers
    return servers, outside, inside


def with_cache() -> str:
    servers, outside, inside = examples()
    return outside + servers.replace(PLAIN_LOCATION, inside)


def make_certificate(folder: Path) -> None:
    key, now = ec.generate_private_key(ec.SECP256R1()), timezone.now()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "madang.example")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = builder.not_valid_before(now).not_valid_after(now + timedelta(days=1)).sign(key, hashes.SHA256())
    (folder / "madang.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "madang.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed")
@pytest.mark.parametrize("has_cache", [False, True])
def test_nginx_takes_the_example(tmp_path: Path, has_cache: bool) -> None:
    make_certificate(tmp_path)
    text = with_cache() if has_cache else examples()[0]
    # Nothing is changed but where files lie. No port is opened by a test of the configuration.
    text = text.replace("/etc/ssl/", f"{tmp_path}/").replace("/var/cache/nginx/", f"{tmp_path}/")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = " ".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in kinds)
    configuration = tmp_path / "nginx.conf"
    configuration.write_text(
        f"pid {tmp_path}/pid; error_log stderr; events {{}}\nhttp {{ access_log off; {folders}\n{text}}}\n"
    )
    command = [str(NGINX), "-t", "-p", str(tmp_path), "-c", str(configuration)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert said.returncode == 0, said.stderr


def pattern(source: str, before: str, after: str) -> re.Pattern[str]:
    """A regular expression of the example; those here read alike in nginx's PCRE and in Python."""
    found = re.search(f"{re.escape(before)}(.*?){re.escape(after)}", source)
    assert found is not None
    return re.compile(found[1])


def test_the_cache_keeps_what_the_service_says_any_cache_may_keep() -> None:
    keeps = pattern(with_cache(), '$madang_not_public {\n    "~', '" "";')
    for said in (PAGE_CACHE, CACHE_CONTROL, "max-age=315360000, public, immutable", "public, max-age=30"):
        assert keeps.search(said)
    for said in ("no-store", "private, max-age=60", "public, max-age=29", "public, max-age=7", "public"):
        assert not keeps.search(said)


def test_the_cache_never_meets_editors_questions_or_health() -> None:
    never = pattern(with_cache(), "location ~ ", " {")
    for path in (
        "/admin/",
        "/admin/login/",
        "/ask",
        "/api/ask",
        "/search",
        "/api/search",
        "/api/resolve",
        "/api/mcp",
        "/api/mcp/",
        "/api/health",
        "/metrics",
        "/api/bulk/2026-11-22/documents.jsonl.gz",
    ):
        assert never.search(path)
    for path in ("/", "/asset/btc", "/ask/q/0123", "/api/canonical/entities.json", "/api/bulk", "/status"):
        assert not never.search(path)
