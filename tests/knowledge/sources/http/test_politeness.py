"""How often a host is asked."""

import contextlib

import pytest

from knowledge.sources.errors import SourceError
from knowledge.sources.http import politeness as politeness_module
from knowledge.sources.http.politeness import Politeness


def test_neither_turns_nor_silences_of_many_hosts_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(politeness_module, "MAX_HOSTS", 10)
    politeness = Politeness(monotonic=lambda: 100.0, sleep=lambda _seconds: None)
    politeness.pause("polite.example", 7200.0)
    for number in range(30):
        politeness.pause(f"{number}.example", 60.0)
        with contextlib.suppress(SourceError):
            politeness.wait(f"{number}.other.example", 1.0)
    kept = [memory for memory in vars(politeness).values() if isinstance(memory, dict)]
    assert [len(memory) for memory in kept] == [10, 10]
    with pytest.raises(SourceError, match="asked for 7200 s more"):
        politeness.wait("polite.example", 1.0)
