"""Linked data (JSON-LD, schema.org) of the pages, from the same records as everything else."""

import re
from collections.abc import Sequence
from typing import Any

import orjson
from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from ask.hashing import clean
from ask.models import Answer, AnswerVersion, Mode
from knowledge.languages import current_language, localised
from knowledge.models import PREFIX_LABELS, InverseKind, RelationKind, Unit, UnitType
from knowledge.queries.numbers import ShownNumber
from knowledge.queries.series import rounded
from knowledge.queries.sheets import UnitSheet
from knowledge.times import iso_kst

CONTEXT = "https://schema.org"
# A script element ends at "</script" whatever stands around it, and XML parsers stop at "&".
ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
SCHEMA_TYPES = {
    UnitType.ASSET: "DefinedTerm",
    UnitType.TOPIC: "DefinedTerm",
    UnitType.EVENT: "Event",
    UnitType.PERSON: "Person",
    UnitType.COMPANY: "Organization",
    UnitType.ORGANISATION: "Organization",
    UnitType.PRODUCT: "DefinedTerm",
    UnitType.CREATOR: "DefinedTerm",
}
SOURCE_MARK = re.compile(r"\s*\[[0-9]{1,2}\]")


def script(*nodes: dict[str, Any]) -> SafeString:
    """A data block for a page's head. Hostile text stays inside its string."""
    graph = {"@context": CONTEXT, "@graph": list(nodes)}
    text = orjson.dumps(graph).decode()
    for character, escape in ESCAPES.items():
        text = text.replace(character, escape)
    return mark_safe(f'<script type="application/ld+json">{text}</script>')  # noqa: S308  escaped above


def absolute(path: str) -> str:
    return f"{settings.BASE_URL}{path}"


def publisher() -> dict[str, Any]:
    return {"@type": "Organization", "name": settings.SERVICE_NAME, "url": absolute("/")}


def breadcrumbs(*steps: tuple[str, str]) -> dict[str, Any]:
    """``steps`` are ``(name, site-relative path)``, from the home page down."""
    return {
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": place, "name": name, "item": absolute(path)}
            for place, (name, path) in enumerate(steps, 1)
        ],
    }


def _home() -> tuple[str, str]:
    return settings.SERVICE_NAME, localised("/")


def website() -> dict[str, Any]:
    """The service itself, with its search."""
    return {
        "@type": "WebSite",
        "@id": absolute("/#website"),
        "name": settings.SERVICE_NAME,
        "url": absolute(localised("/")),
        "inLanguage": current_language(),
        "publisher": publisher(),
        "potentialAction": {
            "@type": "SearchAction",
            "target": {
                "@type": "EntryPoint",
                "urlTemplate": f"{absolute(localised('/search'))}?q={{search_term_string}}",
            },
            "query-input": "required name=search_term_string",
        },
    }


def unit(sheet: UnitSheet, numbers: Sequence[ShownNumber] = ()) -> dict[str, Any]:
    """One unit. What schema.org calls it depends on its type; its facts are those of its public record, its data sets
    the series that have a value."""
    record = sheet.record
    kind = UnitType(sheet.unit.type)
    node: dict[str, Any] = {
        "@type": SCHEMA_TYPES[kind],
        "@id": absolute(record["url"]),
        "url": absolute(localised(record["url"])),
        "name": sheet.unit.shown_label,
        "identifier": record["id"],
    }
    if record["aliases"]:
        node["alternateName"] = record["aliases"]
    if sheet.unit.shown_summary:
        node["description"] = sheet.unit.shown_summary
    if record.get("website"):
        node["sameAs"] = record["website"]
    if sets := [_data_set(number) for number in numbers if number.value]:
        node["subjectOf"] = sets
    node |= _standing(sheet)
    node |= _event(sheet) if kind is UnitType.EVENT else _term(sheet)
    return node


# What schema.org calls the relations of an organisation; of a person it knows whom it works for.
_RELATION_TERMS = {
    InverseKind.FOUNDED_BY: "founder",
    InverseKind.PARENT_OF: "subOrganization",
    InverseKind.HAS_MEMBER: "member",
    RelationKind.SUBSIDIARY_OF: "parentOrganization",
    RelationKind.MEMBER_OF: "memberOf",
}


def _standing(sheet: UnitSheet) -> dict[str, Any]:
    """Where a person or an organisation belongs, and to whom."""
    kind, country = SCHEMA_TYPES[UnitType(sheet.unit.type)], sheet.unit.country
    facts: dict[str, Any] = {}
    if kind == "Person":
        if country:
            facts["nationality"] = {"@type": "Country", "identifier": country}
        terms: dict[Any, str] = {RelationKind.LEADS: "worksFor", RelationKind.MEMBER_OF: "memberOf"}
    elif kind == "Organization":
        if country:
            facts["address"] = {"@type": "PostalAddress", "addressCountry": country}
        terms = _RELATION_TERMS
    else:
        return {}
    for related in sheet.relations:
        if (term := terms.get(related.kind)) and not related.ended:
            facts.setdefault(term, []).append(_reference(related.other))
    return facts


def _event(sheet: UnitSheet) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if sheet.record["occurredAt"]:
        facts["startDate"] = sheet.record["occurredAt"]
    if sheet.subjects:
        facts["about"] = [_reference(subject) for subject in sheet.subjects]
    return facts


def _term(sheet: UnitSheet) -> dict[str, Any]:
    if SCHEMA_TYPES[UnitType(sheet.unit.type)] != "DefinedTerm":
        return {}
    prefix = sheet.unit.url_prefix
    terms = {
        "@type": "DefinedTermSet",
        "name": str(PREFIX_LABELS[prefix]),
        "url": absolute(localised(f"/{prefix}")),
    }
    facts: dict[str, Any] = {"inDefinedTermSet": terms}
    if sheet.record.get("symbol"):
        facts["termCode"] = sheet.record["symbol"]
    if sheet.persona:
        facts["disambiguatingDescription"] = sheet.record["disclosure"]
    return facts


def _reference(other: Unit) -> dict[str, Any]:
    return {
        "@type": SCHEMA_TYPES[UnitType(other.type)],
        "@id": absolute(other.get_absolute_url()),
        "name": other.shown_label,
    }


def unit_page(sheet: UnitSheet, numbers: Sequence[ShownNumber] = ()) -> list[dict[str, Any]]:
    """The page, what it is about, and the way to it."""
    record, prefix, title = sheet.record, sheet.unit.url_prefix, sheet.unit.shown_label
    own = localised(record["url"])
    page = {
        "@type": "WebPage",
        "@id": absolute(own) + "#page",
        "url": absolute(own),
        "name": title,
        "inLanguage": current_language(),
        "dateModified": record["updatedAt"],
        "mainEntity": {"@id": absolute(record["url"])},
        "publisher": publisher(),
    }
    if sheet.unit.source_urls:
        page["citation"] = [{"@type": "CreativeWork", "url": url} for url in sheet.unit.source_urls]
    crumbs = breadcrumbs(_home(), (str(PREFIX_LABELS[prefix]), localised(f"/{prefix}")), (title, own))
    return [page, unit(sheet, numbers), crumbs]


def number_page(number: ShownNumber) -> list[dict[str, Any]]:
    """The page, the series as a data set with its newest value, and the way to it."""
    address, say = absolute(number.path), number.say
    page = {
        "@type": "WebPage",
        "@id": f"{address}#page",
        "url": address,
        "name": number.label,
        "inLanguage": number.lang,
        "mainEntity": {"@id": address},
        "publisher": publisher(),
    }
    crumbs = breadcrumbs(_home(), (say["title"], localised("/numbers")), (number.label, number.path))
    return [page, _data_set(number), crumbs]


def _data_set(number: ShownNumber) -> dict[str, Any]:
    series, latest, source = number.series, number.figures.latest, number.source
    measured: dict[str, Any] = {"@type": "PropertyValue", "name": number.label, "unitText": series.unit}
    node: dict[str, Any] = {
        "@type": "Dataset",
        "@id": absolute(number.path),
        "url": absolute(number.path),
        "name": number.label,
        "description": number.note or number.label,
        "identifier": series.public_id,
        "inLanguage": number.lang,
        "license": absolute(number.path) + "#licence",
        "isAccessibleForFree": True,
        "variableMeasured": measured,
        "about": {"@id": absolute(series.holder.survivor.get_absolute_url())},
        "publisher": publisher(),
        "distribution": [
            {"@type": "DataDownload", "encodingFormat": form, "contentUrl": absolute(path)}
            for form, path in (("application/json", number.json_path), ("text/csv", number.csv_path))
            if path
        ],
    }
    if source:
        node["creditText"], node["isBasedOn"] = number.source_label, source["url"]
    if latest:
        measured["value"] = f"{rounded(latest.value, series.decimals):f}"
        node["dateModified"] = iso_kst(latest.fetched_at)
        node["temporalCoverage"] = f"../{iso_kst(latest.at)}"
    return node


def plain_answer(body: str) -> str:
    """An answer's text in one line, without the numbers that point to its sources."""
    return clean(SOURCE_MARK.sub("", body))


def answer_page(answer: Answer, version: AnswerVersion) -> list[dict[str, Any]]:
    """The page, the question it answers, the accepted answer with what it cites, and the way to it."""
    path = answer.get_absolute_url()
    page: dict[str, Any] = {
        "@type": "WebPage",
        "@id": absolute(path) + "#page",
        "url": absolute(path),
        "name": answer.question,
        "inLanguage": answer.lang,
        "dateModified": iso_kst(version.generated_at),
        "publisher": publisher(),
    }
    if version.mode != Mode.NONE:
        page["mainEntity"] = _question(answer, version)
    return [page, breadcrumbs(_home(), (gettext("물어보기"), localised("/ask")), (answer.question, path))]


def _question(answer: Answer, version: AnswerVersion) -> dict[str, Any]:
    address = absolute(answer.get_absolute_url())
    return {
        "@type": "Question",
        "@id": address,
        "name": answer.question,
        "text": answer.question,
        "inLanguage": answer.lang,
        "answerCount": 1,
        "dateCreated": iso_kst(answer.created_at),
        "author": publisher(),
        "acceptedAnswer": {
            "@type": "Answer",
            "url": address,
            "text": plain_answer(version.body),
            "inLanguage": answer.lang,
            "dateCreated": iso_kst(version.generated_at),
            "author": publisher(),
            "citation": [
                {"@type": "WebPage", "name": cited["label"], "url": absolute(cited["url"])}
                for cited in version.citations
            ],
        },
    }


def item_list(units: Sequence[Unit], path: str, name: str) -> dict[str, Any]:
    """A listing: the pages it leads to, in its order."""
    return {
        "@type": "ItemList",
        "name": name,
        "url": absolute(localised(path)),
        "itemListElement": [
            {
                "@type": "ListItem",
                "position": place,
                "url": absolute(localised(each.get_absolute_url())),
                "name": each.shown_label,
            }
            for place, each in enumerate(units, 1)
        ],
    }
