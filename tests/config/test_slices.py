"""The slices of the CPU that the event loop asks for."""

import ctypes
import os
import platform
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from config.front import slices

GETATTR = {"x86_64": 315, "aarch64": 275, "riscv64": 275}
grants_slices = pytest.mark.skipif(
    sys.platform != "linux"
    or platform.machine() not in GETATTR
    or tuple(map(int, platform.release().split(".")[:2])) < (6, 12),
    reason="the system takes no wish for a slice",
)


def slice_of_this_thread() -> int:
    """Nanoseconds, by sched_getattr(2)."""
    told = ctypes.create_string_buffer(slices.ATTRIBUTES.size)
    assert ctypes.CDLL(None).syscall(GETATTR[platform.machine()], 0, told, len(told), 0) == 0
    granted: int = slices.ATTRIBUTES.unpack(told.raw)[5]
    return granted


@pytest.fixture
def thread() -> Iterator[Executor]:
    """A thread that ends with the test: what it asks for is for its life."""
    with ThreadPoolExecutor(1) as threads:
        yield threads


@grants_slices
def test_the_loop_gets_short_slices_and_the_threads_that_it_starts_do_not(thread: Executor) -> None:
    def of_a_thread_of_this_one() -> int:
        with ThreadPoolExecutor(1) as another:
            return another.submit(slice_of_this_thread).result()

    usual = thread.submit(slice_of_this_thread).result()
    assert thread.submit(slices.ask_for, slices.SLICE_NANOSECONDS).result()
    assert thread.submit(slice_of_this_thread).result() == slices.SLICE_NANOSECONDS < usual
    assert thread.submit(of_a_thread_of_this_one).result() == usual
    assert thread.submit(slices.ask_for, slices.USUAL).result()
    assert thread.submit(slice_of_this_thread).result() == usual


def test_they_are_short_while_there_is_a_crowd(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[int] = []
    monkeypatch.setattr(slices, "ask_for", said.append)
    short = slices.ShortSlices(3)
    with ExitStack() as some:
        for _question in range(2):
            some.enter_context(short)
        assert said == []
        for _crowd in range(2):
            with short, short:
                assert said == [slices.SLICE_NANOSECONDS]
            assert said == [slices.SLICE_NANOSECONDS, slices.USUAL]
            said.clear()
    assert said == []


def test_where_there_are_none_the_loop_goes_on(thread: Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    for none in ({}, {platform.machine(): 99_999}):
        monkeypatch.setattr(slices, "SYSTEM_CALLS", none)
        assert not thread.submit(slices.ask_for, slices.SLICE_NANOSECONDS).result()


def test_who_was_started_before_others_keeps_what_it_has(
    thread: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getpriority", lambda _which, _who: -5)
    assert not thread.submit(slices.ask_for, slices.SLICE_NANOSECONDS).result()
