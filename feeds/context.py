"""What every page knows of the service."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from knowledge.models import PREFIX_LABELS

NAVIGATION = (
    ("/ask", "물어보기"),
    ("/search", "찾기"),
    *((f"/{prefix}", PREFIX_LABELS[prefix]) for prefix in ("asset", "topic", "event", "entity", "creator")),
    ("/numbers", "숫자"),
    ("/pulses", "펄스"),
    ("/city", "도시"),
)


def service(request: HttpRequest) -> dict[str, Any]:
    return {
        "service_name": settings.SERVICE_NAME,
        "service_slug": settings.SERVICE_SLUG,
        "contact_email": settings.CONTACT_EMAIL,
        "base_url": settings.BASE_URL,
        "city_url": settings.CITY_URL,
        "navigation": NAVIGATION,
    }
