"""Channel feeds become videos."""

from collections.abc import Callable
from datetime import datetime

import pytest

from knowledge.sources.errors import SourceError
from knowledge.sources.http.client import HttpClient
from tests.fakes.replay import Replay
from tests.knowledge.sources.reading import parsed, read, unsaved

Recorded = Callable[[str], bytes]


def test_a_video_is_its_id_whatever_form_the_link_has(recorded: Recorded, now: datetime) -> None:
    short, long = parsed("youtube_rss", recorded("youtube_rss/channel.xml"), now=now)
    assert short.as_json() == {
        "external_id": "shortVid001",
        "url": "https://www.youtube.com/watch?v=shortVid001",
        "title": "60초로 보는 김치 프리미엄",
        "summary": "국내와 해외의 가격 차이를 1분 안에 정리합니다. 문의: https://madang.example/contact?a=1&copy=2",
        "published_at": "2026-08-30T09:00:05Z",
        "updated_at": None,
        "lang": "ko",
        "author": "마당 코인 교실",
    }
    assert (long.external_id, long.title) == ("longVideo_2", "비트코인 & 이더리움 주간 정리")


def test_a_growing_view_count_changes_nothing(recorded: Recorded, now: datetime) -> None:
    body = recorded("youtube_rss/channel.xml")
    later = body.replace(b"2026-08-31T22:14:41", b"2026-09-01T03:00:00").replace(
        b'views="1200"', b'views="9999"'
    )
    assert later != body
    assert parsed("youtube_rss", later, now=now) == parsed("youtube_rss", body, now=now)


def test_another_feed_is_no_channel(recorded: Recorded, now: datetime) -> None:
    for name in ("rss/wordpress.xml", "rss/regulator_atom.xml"):
        with pytest.raises(SourceError, match="expected a YouTube channel feed"):
            parsed("youtube_rss", recorded(name), now=now)


def test_entries_without_a_proper_video_id_are_an_error(recorded: Recorded, now: datetime) -> None:
    body = recorded("youtube_rss/channel.xml")
    for video_id in (b"shortVid001", b"longVideo_2"):
        body = body.replace(b"<yt:videoId>" + video_id, b"<yt:videoId>../" + video_id)
    with pytest.raises(SourceError, match="parse"):
        parsed("youtube_rss", body, now=now)


def test_the_404_of_a_bad_day_is_a_failure(
    replay: Replay, make_http: Callable[..., HttpClient], recorded: Recorded
) -> None:
    url = replay.serve("/feeds/videos.xml", recorded("youtube_rss/not_found.html"), status=404)
    with pytest.raises(SourceError) as caught:
        read(unsaved("youtube_rss", url), make_http())
    assert caught.value.status == 404


def test_the_404_page_with_status_200_is_no_empty_channel(
    replay: Replay, make_http: Callable[..., HttpClient], recorded: Recorded
) -> None:
    url = replay.serve("/feeds/videos.xml", recorded("youtube_rss/not_found.html"))
    with pytest.raises(SourceError, match="an HTML page"):
        read(unsaved("youtube_rss", url), make_http())
