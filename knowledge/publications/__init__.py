"""Public bodies, built once when the canon changes and handed out as bytes (see docs/decisions).

``register`` a ``Definition`` in an ``AppConfig.ready()``; ``build`` makes what changed; ``publication_cache.get(name)``
is the body in this process's memory; ``respond`` hands it out with validators and the best encoding, as ``revalidated``
does with a response that was made for one request. ``keep`` says for how long the front door may give either out again.
"""

from knowledge.publications.bodies import StoredBody as StoredBody
from knowledge.publications.builder import build as build
from knowledge.publications.cache import publication_cache as publication_cache
from knowledge.publications.delivery import respond as respond
from knowledge.publications.delivery import revalidated as revalidated
from knowledge.publications.hearing import index_scope as index_scope
from knowledge.publications.keeping import keep as keep
from knowledge.publications.listener import start_listening as start_listening
from knowledge.publications.registry import Definition as Definition
from knowledge.publications.registry import PublicationGroup as PublicationGroup
from knowledge.publications.registry import register as register
