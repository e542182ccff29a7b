"""The archive's files in an S3-compatible bucket: for ``STORAGES["archive"]`` of an installation with several machines.

Needs django-storages with boto3, which only such an installation installs; nothing else imports this module.
Everything that goes wrong is an OSError, as it is with a folder.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from botocore.exceptions import (  # type: ignore[import-untyped,import-not-found,unused-ignore]
    BotoCoreError,
    ClientError,
)
from django.core.files.base import ContentFile, File
from storages.backends.s3 import S3Storage  # type: ignore[import-untyped,import-not-found,unused-ignore]

TAKEN = frozenset({"PreconditionFailed", "ConditionalRequestConflict"})
ABSENT = frozenset({"NoSuchKey", "404", "NotFound"})


class S3DayFileStorage(S3Storage):  # type: ignore[misc,unused-ignore]  # the package has no types
    """Objects that are put whole and never overwritten: a conditional PUT, so that no two writers both win."""

    file_overwrite = True  # the name stays as asked; the condition keeps the first file

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    def exists(self, name: str) -> bool:
        with _as_os_errors(name):
            try:
                self._client.head_object(Bucket=self.bucket_name, Key=self._key(name))
            except ClientError as error:
                if _code(error) in ABSENT:
                    return False
                raise
        return True

    def delete(self, name: str) -> None:
        with _as_os_errors(name):
            super().delete(name)

    def pieces(self, name: str, first: int, stop: int, size: int) -> Iterator[bytes]:
        """The bytes from ``first`` to before ``stop``, as the bucket sends them; see ``archive.storage``."""
        part = f"bytes={first}-{stop - 1}"
        with _as_os_errors(name):
            found = self._client.get_object(Bucket=self.bucket_name, Key=self._key(name), Range=part)
            with closing(found["Body"]) as body:
                yield b""
                yield from body.iter_chunks(size)

    def listdir(self, name: str) -> tuple[list[str], list[str]]:
        with _as_os_errors(name):
            folders, files = super().listdir(name)
            return folders, files

    def _open(self, name: str, mode: str = "rb") -> File[Any]:
        with _as_os_errors(name):
            found = self._client.get_object(Bucket=self.bucket_name, Key=self._key(name))
            return ContentFile(found["Body"].read(), name)

    def _save(self, name: str, content: File[Any]) -> str:
        content.seek(0)
        with _as_os_errors(name):
            # put_object and not the transfer manager, which would split a large body and drop the condition.
            self._client.put_object(
                Bucket=self.bucket_name,
                Key=self._key(name),
                Body=content.file,  # read as it is sent: a bulk file may be larger than memory should be
                ContentType="application/gzip" if name.endswith(".gz") else "application/json",
                IfNoneMatch="*",
                **self.get_object_parameters(name),
            )
        return name

    @property
    def _client(self) -> Any:
        return self.connection.meta.client

    def _key(self, name: str) -> str:
        return str(self._normalize_name(name))


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))


@contextmanager
def _as_os_errors(name: str) -> Iterator[None]:
    try:
        yield
    except ClientError as error:
        code = _code(error)
        if code in TAKEN:
            raise FileExistsError(f"{name} is there already") from error
        if code in ABSENT:
            raise FileNotFoundError(name) from error
        raise OSError(f"the bucket refused {name}: {code}") from error
    except BotoCoreError as error:
        raise OSError(f"the bucket cannot be reached: {type(error).__name__}") from error
