"""What every response keeps to, at every public address there is."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils.translation import get_language

from ask.hashing import HASH_LENGTH
from tests.problems import problem_of

METHODS = {"GET", "HEAD", "POST", "DELETE", "BREW"}
ARGUMENTS = {
    "slug": "x",
    "id": "asset:x",
    "token": "x",
    "number": 1,
    "day": "2026-01-01",
    "name": "x",
    "text": "2026-01-01",
    "question_hash": "0" * HASH_LENGTH,
}


def public_addresses(resolver: URLResolver | None = None, namespace: str = "") -> Iterator[str]:
    """One address for each public route of the URL conf."""
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLResolver) and entry.app_name != "admin":
            yield from public_addresses(entry, f"{entry.namespace}:" if entry.namespace else namespace)
        elif isinstance(entry, URLPattern) and entry.name:
            names = entry.pattern.regex.groupindex
            yield reverse(namespace + entry.name, kwargs={name: ARGUMENTS[name] for name in names})
        elif isinstance(entry, URLPattern) and str(entry.pattern):
            yield f"/{entry.pattern}"


@pytest.fixture
def stranger() -> Client:
    """A client for whom nothing of the test client's leniency holds."""
    return Client(enforce_csrf_checks=True, raise_request_exception=False)


def test_each_public_address_refuses_the_methods_it_does_not_list(stranger: Client, db: None) -> None:
    addresses = [*public_addresses(), "/static/madang.css"]
    assert {
        "/",
        "/api/health",
        "/api/mcp/",
        "/preview/x",
        "/favicon.ico",
        "/admin",
        "/en",
        "/en/",
        "/en/ask",
    } <= set(addresses)
    for path in addresses:
        asked = stranger.options(path)
        assert asked.status_code == 204, path
        assert "Content-Length" not in asked.headers
        assert ('rel="service-desc"' in asked.headers.get("Link", "")) is path.startswith("/api/"), path
        allowed = set(asked.headers["Allow"].split(", "))
        assert "OPTIONS" in allowed
        assert allowed & {"GET", "POST"}, path
        for method in METHODS - allowed:
            response = stranger.generic(method, path)
            assert response.status_code == 405, (method, path)
            assert set(response.headers["Allow"].split(", ")) == allowed, (method, path)
            assert response.content or method == "HEAD", (method, path)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "BREW"])
def test_an_address_that_is_not_there_is_not_there_for_any_method(
    stranger: Client, db: None, method: str
) -> None:
    assert stranger.generic(method, "/nothing/here").status_code == 404
    assert problem_of(stranger.generic(method, "/api/nothing"), 404)["code"] == "not_found"


def test_a_wrong_method_under_api_is_a_problem_and_elsewhere_a_page(stranger: Client) -> None:
    assert problem_of(stranger.post("/api/health"), 405)["code"] == "method_not_allowed"
    page = stranger.post("/about", {"x": "1"})
    assert page.headers["Content-Type"].startswith("text/html")
    assert "메서드" in page.content.decode()


def test_the_admin_is_guarded_against_forged_posts(stranger: Client, db: None) -> None:
    assert stranger.post("/admin/login/", {"username": "a", "password": "b"}).status_code == 403


@pytest.mark.parametrize("path", ["/api/canonical/entities.json", "/", "/robots.txt"])
def test_a_304_says_nothing_of_a_body(client: Client, db: None, path: str) -> None:
    first = client.get(path)
    again = client.get(path, headers={"if-none-match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert not {"Content-Length", "Content-Type", "Content-Encoding"} & set(again.headers)
    assert again.headers["ETag"] == first.headers["ETag"]


# A language is kept by the thread that serves, and this test's thread serves all of these.
def test_an_editors_language_stays_in_the_admin(client: Client, db: None) -> None:
    def kinds() -> str:
        return client.get("/search", headers={"accept-language": "en"}).content.decode()

    def login(language: str) -> str:
        return client.get("/admin/login/", headers={"accept-language": language}).content.decode()

    public = kinds()
    assert "자산" in public
    assert 'lang="en"' in login("en")
    assert kinds() == public
    assert 'lang="ko"' in login("ko")
    assert kinds() == public
    assert 'lang="en"' in login("en")
    assert get_language() == "ko", "the thread keeps no language for what it does next"
