"""One run's door: the source's own address is asked for only if it changed.

Many sources send neither ETag nor Last-Modified, so the body's hash is the last resort. What is remembered
must be stored only after the run succeeded: a body that failed to parse and is then "not modified" would
hide its news.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from knowledge.sources.base import Fetcher
from knowledge.sources.http.client import Fetched

# Longer ones would not fit the columns that keep them, and half a validator is none.
MAX_ETAG_LENGTH = 300
MAX_LAST_MODIFIED_LENGTH = 120


@dataclass(frozen=True, slots=True)
class Validators:
    """What is known of the last body of an address."""

    etag: str = ""
    last_modified: str = ""
    body_sha256: str = ""


class ConditionalClient:
    """A ``Fetcher`` that makes requests for ``url`` conditional and leaves all others as they are.

    After the run: ``validators`` to store on success, ``not_modified`` (nothing was new at ``url``),
    and ``max_age`` (seconds for which the source calls its answer fresh, None when unsaid).
    """

    def __init__(self, door: Fetcher, url: str, validators: Validators | None = None) -> None:
        self._door = door
        self._url = url
        self.validators = validators or Validators()
        self.not_modified = False
        self.max_age: float | None = None

    def key(self, setting: str) -> str:
        return self._door.key(setting)

    def get(
        self,
        url: str,
        *,
        etag: str = "",
        last_modified: str = "",
        accept: str = "*/*",
        min_interval: float | None = None,
        secrets: Sequence[str] = (),
    ) -> Fetched:
        own = url == self._url
        fetched = self._door.get(
            url,
            etag=etag or (self.validators.etag if own else ""),
            last_modified=last_modified or (self.validators.last_modified if own else ""),
            accept=accept,
            min_interval=min_interval,
            secrets=secrets,
        )
        return self._remember(fetched) if own else fetched

    def _remember(self, fetched: Fetched) -> Fetched:
        self.max_age = fetched.max_age
        if not fetched.not_modified:
            digest = hashlib.sha256(fetched.body).hexdigest()
            if digest == self.validators.body_sha256:
                fetched = replace(fetched, not_modified=True, body=b"")
            self.validators = Validators(
                etag=_short(fetched.etag, MAX_ETAG_LENGTH),
                last_modified=_short(fetched.last_modified, MAX_LAST_MODIFIED_LENGTH),
                body_sha256=digest,
            )
        self.not_modified = fetched.not_modified
        return fetched


def _short(value: str, limit: int) -> str:
    return value if len(value) <= limit else ""
