"""Links by which a draft's page can be looked at before it is public: signed, and good for a week."""

from datetime import timedelta

from django.core.signing import BadSignature, SignatureExpired, TimestampSigner

from knowledge.models import Unit

LIFETIME = timedelta(days=7)
_SALT = "knowledge.previews"


def preview_path(unit: Unit) -> str:
    """The site-relative address of a unit's preview, signed now."""
    return f"/preview/{TimestampSigner(salt=_SALT).sign(str(unit.pk))}"


def unit_of(token: str) -> Unit | None:
    """The unit that a link leads to, public or not; None for a link that was never made.

    Raises SignatureExpired after its lifetime.
    """
    try:
        key = TimestampSigner(salt=_SALT).unsign(token, max_age=LIFETIME)
    except SignatureExpired:
        raise
    except BadSignature:
        return None
    return Unit.objects.select_related("merged_into").filter(pk=int(key)).first()
