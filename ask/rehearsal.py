"""Model mode without a model: a fake Messages API on loopback, so that a stranger sees the whole path without a key.

With ``FAKE_LLM`` the real client talks to this server over a real socket; prompts, citations, limits, pages and books
are those of the real thing. Its answers quote the search results it was sent, are labelled as a rehearsal, cost
nothing, carry the model name ``rehearsal``, and are public only while the rehearsal lasts.
"""

import functools
import json
import os
import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from django.conf import settings

from ask.drafts import Draft
from ask.language import Language, language_of
from ask.models import REHEARSED
from ask.prices import REHEARSAL_MODEL

PROMPT_VERSION = f"{REHEARSED}1"
LABELS: dict[Language, str] = {
    "ko": "[리허설] 언어 모델 대신 연습용 서버가 기록의 문장을 옮겨 엮은 글입니다.",
    "en": "[Rehearsal] Put together from the records by a practice server, not by a language model.",
}
REQUEST_MAX_BYTES = 1024 * 1024
_QUOTED_SENTENCES = 4
_LANGUAGE = re.compile(r"<answer_language>(\w+)</answer_language>")


def labelled(draft: Draft, lang: Language) -> Draft:
    """The draft as a rehearsal: its label first, its own prompt version."""
    body = f"{LABELS[lang]}\n\n{draft.body}"
    return replace(draft, body=body, model=REHEARSAL_MODEL, prompt_version=PROMPT_VERSION)


def is_rehearsed(prompt_version: str) -> bool:
    """Whether a stored version was made by a rehearsal."""
    return prompt_version.startswith(REHEARSED)


def is_over(prompt_version: str) -> bool:
    """Whether a stored version came from a rehearsal that is no longer going on: nobody may be shown it."""
    return is_rehearsed(prompt_version) and not settings.FAKE_LLM


def base_url() -> str:
    """The address of this process's own fake server, which is started by the first call that needs it."""
    return _started(os.getpid())


@functools.cache
def _started(_process: int) -> str:
    # By process: a fork inherits the address, and not the thread that answers there.
    server = FakeMessagesApi(0)
    threading.Thread(target=server.serve_forever, name="rehearsal", daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


class FakeMessagesApi(ThreadingHTTPServer):
    """``POST /v1/messages`` on a loopback port; 0 takes any that is free."""

    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if self.path != "/v1/messages" or length > REQUEST_MAX_BYTES:
            self._answer(404, _error("not_found_error", "only POST /v1/messages is rehearsed"))
            return
        try:
            request = json.loads(self.rfile.read(length))
            message = reply(request)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            self._answer(400, _error("invalid_request_error", "the request is no Messages API request"))
            return
        self._answer(200, message)

    def _answer(self, status: int, document: Mapping[str, Any]) -> None:
        body = json.dumps(document, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet: the books show every call."""


def reply(request: Mapping[str, Any]) -> dict[str, Any]:
    """A message that answers a request by quoting the first sentences of its search results."""
    content = request["messages"][-1]["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    said = "".join(block["text"] for block in blocks if block["type"] == "text")
    results = [block for block in blocks if block["type"] == "search_result"]
    answer = list(_quotations(results, _language(said))) if results else [_plain(said)]
    return _message(request["model"], answer, len(json.dumps(request)) // 4)


def _language(said: str) -> Language:
    named = _LANGUAGE.search(said)
    if named is None:
        return language_of(said)
    return "ko" if named[1] == "Korean" else "en"


def _quotations(results: list[dict[str, Any]], lang: Language) -> Iterator[dict[str, Any]]:
    quotable = [
        (index, place, block["text"])
        for index, result in enumerate(results)
        for place, block in enumerate(result["content"])
    ]
    # Sentences in the language asked for come first; each kind stays in the order of the search results.
    quotable.sort(key=lambda one: language_of(one[2]) != lang)
    chosen = [one for one in quotable if language_of(one[2]) == lang][:_QUOTED_SENTENCES]
    if not chosen:
        yield {"type": "text", "text": "NOT_IN_RECORDS"}
        return
    for index, place, sentence in sorted(chosen):
        yield {"type": "text", "text": sentence, "citations": [_citation(results[index], index, place)]}
        yield {"type": "text", "text": "\n"}


def _citation(result: Mapping[str, Any], index: int, place: int) -> dict[str, Any]:
    return {
        "type": "search_result_location",
        "cited_text": result["content"][place]["text"],
        "source": result["source"],
        "title": result["title"],
        "search_result_index": index,
        "start_block_index": place,
        "end_block_index": place + 1,
    }


def _plain(said: str) -> dict[str, Any]:
    return {"type": "text", "text": LABELS[language_of(said)]}


def _message(model: str, content: list[dict[str, Any]], input_tokens: int) -> dict[str, Any]:
    return {
        "id": "msg_rehearsal",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": input_tokens,
            "output_tokens": sum(len(block["text"]) for block in content),
        },
    }


def _error(kind: str, message: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}}
