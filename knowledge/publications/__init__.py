"""Public bodies, built once when the canon changes and handed out as bytes (see docs/decisions).

``register`` a ``Definition`` in an ``AppConfig.ready()``; ``build`` makes what changed; ``publication_cache.get(name)``
is the body in this process's memory; ``respond`` hands it out with validators and the best encoding.
"""

from knowledge.publications.bodies import StoredBody
from knowledge.publications.builder import build
from knowledge.publications.cache import NotReady, publication_cache
from knowledge.publications.delivery import respond
from knowledge.publications.listener import start_listening
from knowledge.publications.registry import Definition, register

__all__ = [
    "Definition",
    "NotReady",
    "StoredBody",
    "build",
    "publication_cache",
    "register",
    "respond",
    "start_listening",
]
