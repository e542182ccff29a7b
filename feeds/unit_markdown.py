"""A unit's page as Markdown: the same sheet, for programs that read text."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from django.conf import settings
from django.utils import timezone

from feeds.number_markdown import number_line
from feeds.texts import address, link_name, markdown
from knowledge.licence import attribution
from knowledge.models import Document, PersonaPost, Pulse, Unit
from knowledge.queries.numbers import ShownNumber
from knowledge.queries.relations import Related
from knowledge.queries.sheets import UnitSheet
from knowledge.times import iso_kst


def unit_markdown(sheet: UnitSheet, numbers: Iterable[ShownNumber] = ()) -> str:
    """The sheet, with the facts of the public record in its list and the numbers of the unit."""
    counted = _section("숫자 (numbers)", map(number_line, numbers))
    blocks = [_head(sheet), _facts(sheet), counted, *_sections(sheet), _citing(sheet)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _head(sheet: UnitSheet) -> str:
    record = sheet.record
    lines = [f"# {markdown(record['label'])}"]
    if sheet.persona:
        glyph, english = markdown(sheet.persona.glyph), markdown(sheet.persona.disclosure_en)
        lines.append(f"**{glyph} {markdown(record['disclosure'])}** {english}")
    lines += [f"> {markdown(text)}" for text in (record["summary"], sheet.unit.summary_en) if text]
    return "\n\n".join(lines)


def _facts(sheet: UnitSheet) -> str:
    record = sheet.record
    facts = {
        "id": f"`{record['id']}`",
        "type": str(sheet.unit.type),
        "category": record.get("category") or "",
        "country": record.get("country") or "",
        "symbol": markdown(record.get("symbol", "")),
        "aliases": ", ".join(markdown(alias) for alias in record["aliases"]),
        "occurredAt": record.get("occurredAt") or "",
        "documentCount": str(record["documentCount"]),
        "videoCount": str(record["videoCount"]),
        "updatedAt": record["updatedAt"],
        "website": address(record.get("website", "")),
        "url": f"<{settings.BASE_URL}{record['url']}>",
    }
    return "\n".join(f"- {name}: {value}" for name, value in facts.items() if value)


def _sections(sheet: UnitSheet) -> Iterator[str]:
    yield _section("근거 자료 (sourceUrls)", (f"- {address(url)}" for url in sheet.unit.source_urls))
    yield _section("이 뒤에 일어난 일 (since then)", map(_event_line, sheet.newer))
    yield _section("펄스 (pulses)", map(_pulse_line, sheet.pulses))
    yield _section("관련된 것 (about)", map(_unit_line, sheet.subjects))
    yield _section("관계 (relations)", map(_relation_line, sheet.relations))
    yield _section("사건 (events)", map(_event_line, sheet.events))
    yield _section("AI 페르소나의 글 (AI persona posts)", map(_post_line, sheet.posts))
    yield _section("기록 (documents)", map(_document_line, sheet.documents))


def _section(title: str, lines: Iterator[str]) -> str:
    body = "\n".join(lines)
    return f"## {title}\n\n{body}" if body else ""


def _unit_line(unit: Unit) -> str:
    return f"- [{link_name(unit.label)}]({settings.BASE_URL}{unit.get_absolute_url()}) (`{unit.public_id}`)"


def _relation_line(related: Related) -> str:
    dates = " – ".join(filter(None, (related.started, related.ended)))
    return f"{_unit_line(related.other)}: {related.kind.value}{dates and f', {dates}'}"


def _event_line(event: Unit) -> str:
    return f"{_unit_line(event)}, {_day(event.occurred_at)}"


def _pulse_line(pulse: Pulse) -> str:
    return f"- {iso_kst(pulse.detected_at)}: {pulse.magnitude_pct:+.1f}{pulse.unit} {markdown(pulse.summary)}"


def _post_line(post: PersonaPost) -> str:
    persona = post.persona
    day = f"[{_day(post.published_at)}]({settings.BASE_URL}{post.get_absolute_url()})"
    return f"- {markdown(persona.byline)}, {day} ({markdown(persona.disclosed)}): {markdown(post.body)}"


def _document_line(document: Document) -> str:
    address = document.url.replace("(", "%28").replace(")", "%29").replace(" ", "%20")
    dated = f", {_day(document.published_at)}" if document.published_at else ""
    return f"- [{link_name(document.title)}]({address}): {markdown(document.source.name)}{dated}"


def _day(moment: datetime | None) -> str:
    return timezone.localtime(moment).strftime("%Y-%m-%d") if moment else ""


def _citing(sheet: UnitSheet) -> str:
    cited = attribution(f"{settings.BASE_URL}{sheet.record['url']}")
    return (
        f"## 인용하기 (how to cite)\n\n{cited}\n\n"
        "출처 주소를 링크하면 자유롭게 인용할 수 있습니다. Quote freely with an inline link to the source."
    )
