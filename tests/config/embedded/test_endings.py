"""However a run ends, nothing is left running after it."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.config.embedded.fake_project import (
    ASK_BOTH,
    PATIENCE,
    FakeProject,
    assert_nothing_left,
    wait_until,
)


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGHUP])
def test_a_stop_by_signal_leaves_no_process(project: FakeProject, signum: signal.Signals) -> None:
    running = project.start()
    running.says("Ready:")
    assert project.leftovers() != []
    running.process.send_signal(signum)
    assert running.ended() == 0
    assert project.leftovers() == []


def test_an_interrupt_while_the_database_is_made_leaves_no_half(new_project: FakeProject) -> None:
    running = new_project.start()
    running.says("Creating the database")
    assert running.interrupt() == 0
    assert new_project.leftovers() == []
    assert "redis True" in new_project.python_says(ASK_BOTH)


@pytest.mark.parametrize("victims", ["supervisor", "supervisor and guard"])
def test_kill_9_leaves_no_process_and_a_new_start_works(project: FakeProject, victims: str) -> None:
    if victims == "supervisor and guard" and sys.platform != "linux":
        pytest.skip("only Linux ends the children of a killed process by itself")
    running = project.start()
    running.says("beat is here")
    guards = guards_of(running.process.pid) if victims == "supervisor and guard" else []
    for pid in (*guards, running.process.pid):
        os.kill(pid, signal.SIGKILL)
    running.ended()
    assert_nothing_left(project)
    again = project.start()
    again.says("Ready:")
    assert again.interrupt() == 0


def test_a_start_right_after_kill_9_waits_until_the_old_one_is_gone(project: FakeProject) -> None:
    running = project.start()
    running.says("Ready:")
    running.process.kill()
    again = project.start()
    again.says("Ready:")
    assert again.interrupt() == 0


def test_kill_9_ends_also_a_process_that_takes_no_hint(project: FakeProject) -> None:
    project.write(web=f"python web.py $PORT {project.root}", worker=f"python stubborn.py {project.root}")
    project.lose_patience()
    running = project.start()
    running.says("stubborn is here")
    running.process.kill()
    running.ended()
    assert_nothing_left(project)


def guards_of(supervisor: int) -> list[int]:
    """Children that are forks, with the supervisor's own arguments."""
    children = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text(encoding="ascii").split()
    arguments = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in (supervisor, *children)]
    found = [int(pid) for pid, theirs in zip(children, arguments[1:], strict=True) if theirs == arguments[0]]
    assert len(found) == 1
    return found


def test_a_process_that_takes_no_hint_is_killed(project: FakeProject) -> None:
    project.write(web=f"python web.py $PORT {project.root}", worker=f"python stubborn.py {project.root}")
    project.lose_patience()
    running = project.start()
    running.says("stubborn is here")
    assert running.interrupt() == 0
    assert project.leftovers() == []


def test_a_reader_who_goes_away_ends_the_run(project: FakeProject) -> None:
    reader, writer = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "config.embedded"],
        cwd=project.root,
        env=project.environment(),
        stdout=writer,
        stderr=writer,
    )
    os.close(writer)
    os.close(reader)
    assert process.wait(PATIENCE) == 0
    assert project.leftovers() == []


def test_the_end_of_make_is_the_end_of_what_it_runs(project: FakeProject) -> None:
    """A killed make can no longer pass on a Ctrl-C."""
    printed = project.root / "printed-by-make"
    with printed.open("wb") as file:
        make = subprocess.Popen(
            ["sh", "-c", f"{sys.executable} -m config.embedded; true"],
            cwd=project.root,
            env=project.environment(MAKELEVEL="1"),
            stdout=file,
            stderr=file,
        )
    wait_until(lambda: b"Ready:" in printed.read_bytes())
    make.kill()
    make.wait()
    assert_nothing_left(project)
    assert b"Stopping" in printed.read_bytes()
