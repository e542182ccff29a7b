"""Publications: bodies built once when the canon changes, handed out as bytes."""

import gzip

from django.db import models
from django.db.models.functions import Now


class OutboxEntry(models.Model):
    """A note that something of a scope changed: the outbox that triggers fill and the builder of publications empties.

    A shared counter row would make every writer wait for every other, so this table only ever grows at its end. Each
    entry has a mark for each group of publications, which the builder takes off once the group shows the change.
    """

    id = models.BigAutoField(primary_key=True)
    scope = models.CharField(max_length=24)
    counts_only = models.BooleanField(default=False)
    at = models.DateTimeField(db_default=Now())
    for_indexes = models.BooleanField(db_default=True)
    for_crawlers = models.BooleanField(db_default=True)

    class Meta:
        # The name that triggers write to, in every database that there is.
        db_table = "knowledge_change"


class Publication(models.Model):
    """A ready body in two encodings. ``version`` grows with every new body and never shrinks."""

    name = models.CharField(max_length=40, unique=True)
    version = models.BigIntegerField()
    records_sha256 = models.CharField(max_length=64)
    etag = models.CharField(max_length=64)
    content_type = models.CharField(max_length=80)
    count = models.PositiveIntegerField()
    built_at = models.DateTimeField()
    last_modified = models.DateTimeField()
    gz = models.BinaryField()
    br = models.BinaryField()

    @property
    def body(self) -> bytes:
        """Without encoding. It is not stored: an index is written a twentieth as large."""
        return gzip.decompress(self.gz)
