"""Signing in by password: the slow part holds no connection, and only two visitors at once are at it."""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User

from desk import lockout
from knowledge.postgres.base import release_connection
from knowledge.search.bulkhead import Bulkhead

# A password takes half a second of a processor to look at, on purpose; the public pages need the others.
SIGN_INS = Bulkhead(
    2,
    retry_after=3,
    english="As many people as possible are signing in at the moment. Try again in a few seconds.",
    korean="지금은 더 많은 로그인을 받을 수 없습니다. 몇 초 뒤에 다시 시도해 주세요.",
)


class PasswordBackend(ModelBackend):
    """Django's own, but an attempt is counted before its password is looked at, and waits for no connection."""

    def authenticate(
        self, request: Any, username: str | None = None, password: str | None = None, **_: Any
    ) -> User | None:
        if username is None or password is None:
            return None
        lockout.count_guess(request, username)
        user = User.objects.filter(username=username).first()
        release_connection()
        if user is None:
            # As slow as a wrong password, so that nobody learns which names there are.
            User().set_password(password)
            return None
        if not user.check_password(password) or not self.user_can_authenticate(user):
            return None
        lockout.forgive_guess(request, username)
        return user
