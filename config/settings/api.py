"""The JSON surfaces: no authentication, no throttles, one error body."""

from typing import Any

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_THROTTLE_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "config.negotiation.AlwaysJson",
    # OPTIONS is a 405 to views, from which config.middleware makes its answer.
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "config.errors.problem_handler",
    "UNAUTHENTICATED_USER": None,
    "UNICODE_JSON": True,
    # `?format=` belongs to our own parameters, not to content negotiation.
    "URL_FORMAT_OVERRIDE": None,
}
