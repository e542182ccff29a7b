"""Publishing and retracting the posts of AI personas. One transaction each."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from knowledge.curation.errors import CurationError
from knowledge.models import PersonaPost, Status


@transaction.atomic
def set_status(post: PersonaPost, status: Status) -> None:
    """Bring a post to ``status``. Raises CurationError for a post in public whose persona does not say what it is."""
    post = (
        PersonaPost.objects.select_for_update(of=("self",)).select_related("persona__entity").get(pk=post.pk)
    )
    if status == Status.PUBLISHED and (reason := obstacle(post)):
        raise CurationError(reason)
    post.status = status
    post.save(update_fields=["status"])


def obstacle(post: PersonaPost) -> str:
    """Why a post must not be public; empty when it may."""
    persona = post.persona
    if not (persona.glyph.strip() and persona.disclosure.strip() and persona.disclosure_en.strip()):
        return _("글리프와 고지(한국어, 영어)가 있어야 공개할 수 있습니다.")
    if not persona.entity.is_public:
        return _("페르소나의 크리에이터가 공개되어 있지 않아 글이 아무 데도 나타나지 않습니다.")
    return ""
