"""What a web process does at its start: what it keeps from the garbage collector, and with whom it takes turns."""

import gc
import sys
import threading
from importlib import import_module

import pytest
from pytest_django import Settings

from ask import bulkheads
from config import web_process
from config.front.worker import TURNS
from config.web_process import settle


def test_what_is_read_at_the_start_is_settled_however_long_reading_takes() -> None:
    may_end = threading.Event()
    read: list[list[int]] = []

    def warm() -> None:
        may_end.wait()
        read.extend([number] for number in range(10))

    warming = threading.Thread(target=warm)
    settling = threading.Thread(target=settle, args=[warming])
    warming.start()
    settling.start()
    may_end.set()
    settling.join()
    try:
        looked_through = {id(each) for each in gc.get_objects()}
        assert len(read) == 10
        assert not any(id(each) in looked_through for each in read)
    finally:
        gc.unfreeze()


@pytest.mark.parametrize("has_ask_process", [True, False])
def test_it_takes_turns_with_the_others_of_its_master_and_starts_a_process_for_questions(
    has_ask_process: bool, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.ASK_PROCESS = has_ask_process
    shared: list[int] = []
    started: list[object] = []
    monkeypatch.setattr(bulkheads, "share_turns", shared.append)
    monkeypatch.setattr(web_process, "start", started.append)
    monkeypatch.delitem(sys.modules, "config.asgi", raising=False)
    try:
        asgi = import_module("config.asgi")
    finally:
        sys.modules.pop("config.asgi", None)
    assert shared == [TURNS]
    assert started == [asgi.askers.keep if has_ask_process else None]
