"""Reports of failures to Sentry, where ``SENTRY_DSN`` is set. What leaves is what failed and where, never whose words.

No address, header, cookie, query string, body, local variable, breadcrumb or task argument is sent. The message of an
error that arose while a question was handled stays here too, because it may repeat it.
"""

from typing import TYPE_CHECKING, Any

from config.log_lines import current
from knowledge.sources.http.redaction import redacted

if TYPE_CHECKING:
    from sentry_sdk.transport import Transport
    from sentry_sdk.types import Event, Hint

# Everything else that an integration adds to an event may hold a reader's words.
KEPT = frozenset(
    {
        "event_id",
        "timestamp",
        "level",
        "platform",
        "logger",
        "release",
        "environment",
        "exception",
        "sdk",
        "tags",
        "transaction",
        "type",
    }
)
# What integrations may gather in the first place; what they do not gather needs no scrubbing.
NOTHING: Any = {
    "user_info": False,
    "cookies": {"mode": "off"},
    "http_headers": {"request": {"mode": "off"}},
    "http_bodies": [],
    "url_query_params": {"mode": "off"},
    "gen_ai": {"inputs": False, "outputs": False},
    "database_query_data": False,
    "queues": False,
    "stack_frame_variables": False,
    "frame_context_lines": 0,
}
FRAME = frozenset({"filename", "abs_path", "function", "module", "lineno", "in_app"})


def start(dsn: str, *, transport: "type[Transport] | None" = None) -> None:
    """Report from this process on. Nothing is imported without an address to report to."""
    if not dsn:
        return
    import sentry_sdk
    from sentry_sdk.integrations.celery import CeleryIntegration
    from sentry_sdk.integrations.django import DjangoIntegration

    sentry_sdk.init(
        dsn=dsn,
        transport=transport,
        data_collection=NOTHING,
        max_breadcrumbs=0,
        # Only what reports failures: others would watch the model's prompts and every query.
        auto_enabling_integrations=False,
        integrations=[DjangoIntegration(), CeleryIntegration()],
        before_send=scrubbed,
    )


def scrubbed(event: "Event", _hint: "Hint") -> "Event":
    """What may leave of an event, under the id of its request or task."""
    work = current.get()
    kept: Any = {name: value for name, value in event.items() if name in KEPT}
    for failure in kept.get("exception", {}).get("values", ()):
        failure["value"] = "" if work.private else redacted(str(failure.get("value") or ""))
        failure.pop("mechanism", None)
        for frame in (failure.get("stacktrace") or {}).get("frames", ()):
            for name in frame.keys() - FRAME:
                del frame[name]
    if "logentry" in event and not work.private:
        # The words of the line, without what was put into them.
        kept["logentry"] = {"message": event["logentry"].get("message", "")}
    named = {"request_id": work.request, "task_id": work.task}
    kept["tags"] = {name: value for name, value in named.items() if value}
    scrubbed_event: Event = kept
    return scrubbed_event
