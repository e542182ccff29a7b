"""An editor's second factor: the code of an authenticator app, or one of ten recovery codes.

The app's secret is shown while it is being enrolled and never again; recovery codes are shown once and only their
keyed digests are kept. Every wrong code doubles the wait for the next try (django-otp's throttling), and a refusal is
raised outside the transaction that counts it, so that the count stays.
"""

import secrets
from base64 import b32encode
from datetime import datetime
from typing import Any

import segno
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import transaction
from django.utils.crypto import salted_hmac
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

Visitor = AbstractBaseUser | AnonymousUser

APP_DIGITS = 6
RECOVERY_CODES = 10
RECOVERY_LENGTH = 10  # 50 bits
# No letter that reads like another or like a digit.
RECOVERY_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
KNOWN_TO_BE_ENROLLED = "_second_factor_enrolled"


class CodeRefusedError(Exception):
    """The code is not the right one, or comes too soon after a wrong one.

    ``locked_until`` says from when the next try is read; None when no device is there to try against.
    """

    def __init__(self, locked_until: datetime | None) -> None:
        super().__init__()
        self.locked_until = locked_until


def device_of(user: Visitor) -> Any:
    """The authenticator app that the user has confirmed (a TOTPDevice), or None."""
    return TOTPDevice.objects.filter(user_id=user.pk, confirmed=True).first()


def is_enrolled(user: Visitor) -> bool:
    """Whether signing in takes a code; asked once in the life of the user object, which is one request."""
    known = getattr(user, KNOWN_TO_BE_ENROLLED, None)
    if known is None:
        known = TOTPDevice.objects.filter(user_id=user.pk, confirmed=True).exists()
        setattr(user, KNOWN_TO_BE_ENROLLED, known)
    return bool(known)


def is_satisfied(user: Visitor) -> bool:
    """Whether this session gave all that the user's sign-in takes."""
    return getattr(user, "otp_device", None) is not None or not is_enrolled(user)


@transaction.atomic
def begin(user: Visitor) -> Any:
    """A new secret to enrol (an unconfirmed TOTPDevice); one that was begun before is void."""
    TOTPDevice.objects.filter(user_id=user.pk, confirmed=False).delete()
    return TOTPDevice.objects.create(user_id=user.pk, name="app", confirmed=False, digits=APP_DIGITS)


def pending_device(user: Visitor) -> Any:
    """The device that is being enrolled, or None."""
    return TOTPDevice.objects.filter(user_id=user.pk, confirmed=False).first()


def confirm(user: Visitor, code: str) -> tuple[Any, list[str]]:
    """Take the begun device into use: the device and the recovery codes, which are never told again."""
    with transaction.atomic():
        device = _locked(TOTPDevice, user, confirmed=False)
        right = _matches(device, squeezed(code))
        if right:
            TOTPDevice.objects.filter(user_id=user.pk, confirmed=True).delete()
            device.confirmed = True
            device.save(update_fields=["confirmed"])
            codes = _new_recovery_codes(user)
    if not right:
        raise CodeRefusedError(_locked_until(device))
    setattr(user, KNOWN_TO_BE_ENROLLED, True)
    return device, codes


def verify(user: Visitor, code: str) -> Any:
    """The user's TOTPDevice when the code is right: the app's, or a recovery code, which is then spent."""
    written = squeezed(code)
    by_app = len(written) == APP_DIGITS and written.isdecimal()
    with transaction.atomic():
        device = _locked(TOTPDevice if by_app else StaticDevice, user, confirmed=True)
        right = _matches(device, written if by_app else digest(written))
    if not right:
        raise CodeRefusedError(_locked_until(device))
    return device_of(user)


def renew_recovery_codes(user: Visitor, code: str) -> list[str]:
    """Ten new recovery codes in place of all former ones."""
    verify(user, code)
    return _new_recovery_codes(user)


def remove(user: Visitor, code: str) -> None:
    """Sign in without a code from now on; giving one up takes one."""
    verify(user, code)
    forget(user)


@transaction.atomic
def forget(user: Visitor) -> None:
    """All that the user has enrolled; for who has lost phone and codes, done by somebody else."""
    TOTPDevice.objects.filter(user_id=user.pk).delete()
    StaticDevice.objects.filter(user_id=user.pk).delete()
    setattr(user, KNOWN_TO_BE_ENROLLED, False)


def recovery_codes_left(user: Visitor) -> int:
    device = StaticDevice.objects.filter(user_id=user.pk).first()
    return int(device.token_set.count()) if device else 0


def squeezed(code: str) -> str:
    """A code as it was made, however it was typed: without spaces and hyphens, in small letters."""
    return "".join(code.split()).replace("-", "").lower()


def digest(recovery_code: str) -> str:
    """What is kept of a recovery code: 16 characters, the room that django-otp has for one."""
    return salted_hmac("desk.recovery", recovery_code, algorithm="sha256").hexdigest()[:16]


def secret_for_typing(device: Any) -> str:
    """The secret as apps take it by hand: base 32 in groups of four."""
    letters = b32encode(device.bin_key).decode().rstrip("=")
    return " ".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def qr_drawing(device: Any) -> tuple[int, str]:
    """The device's address as a QR code: the side in modules, and the path data that fills its dark ones."""
    code = segno.make(device.config_url, error="m")
    rows = list(code.matrix_iter(border=4))
    squares = (
        f"M{column} {row}h1v1h-1z"
        for row, modules in enumerate(rows)
        for column, dark in enumerate(modules)
        if dark
    )
    return len(rows), "".join(squares)


def _locked(model: Any, user: Visitor, *, confirmed: bool) -> Any:
    return model.objects.select_for_update().filter(user_id=user.pk, confirmed=confirmed).first()


def _matches(device: Any, token: str) -> bool:
    return device is not None and bool(device.verify_token(token))


def _locked_until(device: Any) -> datetime | None:
    if device is None:
        return None
    allowed, why = device.verify_is_allowed()
    until: datetime | None = None if allowed else why["locked_until"]
    return until


def _new_recovery_codes(user: Visitor) -> list[str]:
    codes = [
        "".join(secrets.choice(RECOVERY_ALPHABET) for _each in range(RECOVERY_LENGTH))
        for _code in range(RECOVERY_CODES)
    ]
    with transaction.atomic():
        device, _created = StaticDevice.objects.get_or_create(user_id=user.pk, defaults={"name": "recovery"})
        device.token_set.all().delete()
        for code in codes:
            device.token_set.create(token=digest(code))
    half = RECOVERY_LENGTH // 2
    return [f"{code[:half]}-{code[half:]}" for code in codes]
