"""What every page knows of the service."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def service(request: HttpRequest) -> dict[str, str]:
    return {
        "service_name": settings.SERVICE_NAME,
        "contact_email": settings.CONTACT_EMAIL,
        "base_url": settings.BASE_URL,
    }
