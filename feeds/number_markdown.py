"""Numbers as Markdown: what their pages say, for programs that read text."""

from collections.abc import Iterable
from datetime import datetime

from django.conf import settings

from feeds.number_code import snippets
from feeds.texts import address, inline, link_name, markdown
from knowledge.queries.number_words import WORDS
from knowledge.queries.numbers import ShownNumber, listed_groups

ROWS_SHOWN = 30


def number_markdown(number: ShownNumber) -> str:
    """One series: value, changes, newest points, source and how to fetch it."""
    say = number.say
    blocks = [
        f"# {markdown(number.label)}",
        f"{markdown(number.series.label_en)}",
        "\n".join(number_lines(number)),
        _made(number),
        _table(number),
        "\n".join([f"## {say['snippets']}", "", *(f"- {name}: `{code}`" for name, code in snippets(number))]),
        f"## {say['cite']}\n\n{markdown(number.citation)}",
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def number_lines(number: ShownNumber) -> Iterable[str]:
    """The facts of a number, a line each."""
    series, base = number.series, settings.BASE_URL
    aged = f" ({number.age})" if number.age else ""
    yield f"- id: `{series.public_id}`"
    if number.value:
        glossed = f" ({inline(number.gloss)})" if number.gloss else ""
        yield f"- value: **{inline(number.value)}**{glossed}, {number.measured}{aged}"
    else:
        yield f"- value: {number.say['no_values']}"
    for since, moved in number.changes:
        yield f"- {since}: {inline(f'{moved.size} {moved.word}'.strip())}"
    if number.source:
        yield f"- source: {markdown(number.source_label)} {address(number.source['url'])}".rstrip()
    yield f"- licence: {markdown(number.licence)}"
    formats = [number.json_path, number.csv_path]
    yield "- data: " + " ".join(f"<{base}{path}>" for path in formats if path)
    yield f"- url: <{base}{number.path}>"


def number_line(number: ShownNumber) -> str:
    """One line of a list: name, value, when, by whom, how it moved."""
    source = markdown(number.source["label"]) if number.source else ""
    said = ", ".join(filter(None, (inline(number.value), number.measured, number.age, source)))
    moved = (
        f"; {number.lately[0]} {inline(f'{number.lately[1].brief} {number.lately[1].word}'.strip())}"
        if number.lately
        else ""
    )
    name = f"[{link_name(number.label)}]({settings.BASE_URL}{number.path})"
    return f"- {name} (`{number.series.public_id}`): {said or number.say['no_values']}{moved}"


def list_markdown(now: datetime) -> str:
    """Every group with the beginning of it, and where all of them are."""
    say = WORDS["ko"]
    blocks = [f"# {say['title']} (numbers)", say["intro"]]
    for group, size, numbers, _more in listed_groups(now=now):
        lines = [f"## {group.label} ({group.label_en}, {size})", "", *map(number_line, numbers)]
        blocks.append("\n".join(lines))
    return "\n\n".join([*blocks, f"{say['index']}: <{settings.BASE_URL}/api/series.json>"]) + "\n"


def _made(number: ShownNumber) -> str:
    notes = [markdown(note) for note in (number.series.note, number.series.note_en) if note]
    return "\n\n".join([f"## {number.say['made']}", *notes]) if notes else ""


def _table(number: ShownNumber) -> str:
    rows = [
        f"| {number.dated(each)} | {inline(number.amount(each))} |"
        for each in number.readings[::-1][:ROWS_SHOWN]
    ]
    head = [f"| {number.say['when']} | {number.say['value']} |", "|---|---|"]
    return "\n".join([*head, *rows]) if rows else ""
