"""Lines of code that fetch a number, and the frame that shows it on another site."""

from typing import NamedTuple

from django.conf import settings
from django.utils.html import format_html

from knowledge.queries.numbers import ShownNumber

EMBED_WIDTH, EMBED_HEIGHT = 480, 340


class Snippet(NamedTuple):
    name: str
    code: str


def snippets(number: ShownNumber) -> list[Snippet]:
    """One line each, from the table where the number may be passed on, else from the closes of days in JSON."""
    address = f"{settings.BASE_URL}{number.csv_path or number.json_path}"
    if not number.csv_path:
        return [
            Snippet("curl", f"curl -s '{address}'"),
            Snippet("pandas", f"pd.DataFrame(pd.read_json('{address}', typ='series')['points'])"),
            Snippet("R", f"jsonlite::fromJSON('{address}')$points"),
        ]
    return [
        Snippet("curl", f"curl -s '{address}'"),
        Snippet("pandas", f"pd.read_csv('{address}', parse_dates=['at'], index_col='at')['value']"),
        Snippet("R", f"read.csv('{address}')"),
        Snippet("Google Sheets", f'=IMPORTDATA("{address}")'),
    ]


def embed_code(number: ShownNumber, width: int = EMBED_WIDTH, height: int = EMBED_HEIGHT) -> str:
    """The element that shows the number's chart on another site."""
    return format_html(
        '<iframe src="{}{}" title="{}" width="{}" height="{}" loading="lazy"></iframe>',
        settings.BASE_URL,
        number.embed_path,
        number.label,
        width,
        height,
    )
