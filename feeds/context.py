"""What every page knows of the service, and of its own language."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.encoding import escape_uri_path
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from knowledge.languages import ENGLISH, KOREAN, current_language, english_path, korean_path, localised
from knowledge.licence import LICENCE, LICENCE_URL
from knowledge.models import PREFIX_LABELS

NAVIGATION = (
    ("/ask", _("물어보기")),
    ("/search", _("찾기")),
    *((f"/{prefix}", PREFIX_LABELS[prefix]) for prefix in ("asset", "topic", "event", "entity", "creator")),
    ("/numbers", pgettext_lazy("list", "숫자")),
    ("/pulses", pgettext_lazy("list", "펄스")),
    ("/city", _("도시")),
)


def service(request: HttpRequest) -> dict[str, Any]:
    lang = current_language()
    return {
        "service_name": settings.SERVICE_NAME,
        "service_slug": settings.SERVICE_SLUG,
        "contact_email": settings.CONTACT_EMAIL,
        "base_url": settings.BASE_URL,
        "city_url": settings.CITY_URL,
        "licence": LICENCE,
        "licence_url": LICENCE_URL,
        "lang": lang,
        "other_language": _in_other_language(request.path, lang),
        "navigation": [(localised(path), name) for path, name in NAVIGATION],
    }


def _in_other_language(path: str, lang: str) -> str:
    """The address of the same page in the other language; of its home for a page that has no twin.

    It is made of the path alone: pages are kept, and given to others who ask with another query. What a view reads of
    the query it says as ``twin_query``.
    """
    korean = korean_path(path)
    english = english_path(korean)
    twins = {ENGLISH: english, KOREAN: korean} if english else {ENGLISH: english_path("/"), KOREAN: "/"}
    return escape_uri_path(twins[KOREAN if lang == ENGLISH else ENGLISH])
