"""Turns at long computations, within a process and between those that share a file."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from ask import bulkheads
from ask.turns import Turns
from knowledge.postgres.cores import cores

# Takes a turn, says so, and gives it back when its input ends.
OTHER = """
import sys
from ask.turns import Turns
turns = Turns()
turns.share(int(sys.argv[1]), range(int(sys.argv[2])))
with turns.turn():
    print("inside", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def file(tmp_path: Path) -> Iterator[int]:
    with (tmp_path / "turns").open("wb") as opened:
        yield opened.fileno()


@contextmanager
def another_inside(file: int, places: int) -> Iterator[subprocess.Popen[str]]:
    """A process that has a turn."""
    command = [sys.executable, "-c", OTHER, str(file), str(places)]
    with subprocess.Popen(
        command, pass_fds=[file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "inside\n"
        try:
            yield process
        finally:
            process.kill()


def shared(file: int, places: int) -> Turns:
    turns = Turns()
    turns.share(file, range(places))
    return turns


@contextmanager
def waiting(turns: Turns) -> Iterator[threading.Event]:
    """A thread that takes a turn as soon as it gets one; whether it did."""
    inside = threading.Event()

    def take() -> None:
        with turns.turn():
            inside.set()

    thread = threading.Thread(target=take)
    thread.start()
    try:
        yield inside
    finally:
        thread.join(10)
        assert not thread.is_alive()


@pytest.mark.parametrize("is_shared", [True, False])
def test_a_process_has_one_turn_at_a_time(file: int, is_shared: bool) -> None:
    turns = shared(file, 2) if is_shared else Turns()
    with ExitStack() as own:
        own.enter_context(turns.turn())
        with waiting(turns) as inside:
            assert not inside.wait(0.1)
            own.close()
            assert inside.wait(10)


def test_who_finds_all_places_taken_by_other_processes_waits_until_one_gives_its_back(file: int) -> None:
    with another_inside(file, 1) as other, waiting(shared(file, 1)) as inside:
        assert not inside.wait(0.1)
        assert other.stdin is not None
        other.stdin.close()
        assert inside.wait(10)


def test_the_turn_of_a_process_that_was_killed_is_free(file: int) -> None:
    with another_inside(file, 1) as other, waiting(shared(file, 1)) as inside:
        assert not inside.wait(0.1)
        other.kill()
        assert inside.wait(10)


def test_as_many_processes_work_at_once_as_there_are_places(file: int) -> None:
    with another_inside(file, 2), waiting(shared(file, 2)) as inside:
        assert inside.wait(10)


def test_who_shares_no_turn_waits_for_no_other_process(file: int) -> None:
    with another_inside(file, 1), shared(file, 1).turn(shared=lambda: False):
        pass


# Has the second of two kinds of turns, and then takes the first as well.
BOTH = """
import sys
from ask.turns import Turns
first, second = Turns(), Turns()
first.share(int(sys.argv[1]), range(1))
second.share(int(sys.argv[1]), range(1, 2))
with second.turn():
    print("inside", flush=True)
    with first.turn():
        pass
"""


def test_two_processes_that_await_a_turn_of_each_other_in_different_threads_both_get_it(file: int) -> None:
    first, second = shared(file, 1), Turns()
    second.share(file, range(1, 2))
    command = [sys.executable, "-c", BOTH, str(file)]
    with ExitStack() as ended, ExitStack() as own:
        own.enter_context(first.turn())
        other = ended.enter_context(
            subprocess.Popen(command, pass_fds=[file], stdout=subprocess.PIPE, text=True)
        )
        ended.callback(other.kill)
        assert other.stdout is not None
        assert other.stdout.readline() == "inside\n"
        with waiting(second) as inside:
            # By now the other awaits the first turn, which this thread has.
            assert not inside.wait(0.2)
            own.close()
            assert inside.wait(10)


def test_in_a_crowd_questions_leave_a_core_to_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    def told() -> list[bool]:
        bulkheads.leave_a_core()
        for turn in (bulkheads.turn_to_look_up(), bulkheads.turn_to_check()):
            with turn:
                pass
        return [said.pop(0) for _call in range(3)]

    said: list[bool] = []
    monkeypatch.setattr(cores, "keep_one_free", said.append)
    with ExitStack() as asked:
        assert told() == [False] * 3
        for number in range(9):
            asked.enter_context(bulkheads.ANSWERS.place(str(number)))
        assert told() == [True] * 3
    assert told() == [False] * 3
