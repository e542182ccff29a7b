import pytest

from knowledge.linking import gazetteer


@pytest.fixture(autouse=True)
def _names_of_this_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """What units are called is read anew: a process may believe for a second what the test before had."""
    monkeypatch.setattr(gazetteer, "_checked_at", float("-inf"))
