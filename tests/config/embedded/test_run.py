"""``make run``: what starts, in which order, what is told, and what is refused."""

import contextlib
import os
import pty
import re
import signal
import socket

import pytest

from tests.config.embedded.fake_project import (
    ASK_BOTH,
    MIGRATE,
    FakeProject,
    assert_nothing_left,
    wait_until,
)


def test_run_starts_everything_in_order_and_prints_where_it_is(project: FakeProject) -> None:
    running = project.start()
    running.says("beat    | beat is here")
    running.says("worker  | worker is here")
    assert running.interrupt() == 0
    # Web starts while the local step is at work.
    for between in ("web     | web has postgres:///madang?host=", "local   | a rehearsal"):
        order = ["release | first", "release | second && last", between, "worker  | worker is here"]
        places = [running.output.index(text) for text in order]
        assert places == sorted(places)
    assert f"Ready: http://localhost:{project.port}" in running.output
    assert f"Admin: http://localhost:{project.port}/admin/" in running.output
    assert_nothing_left(project)


def test_the_administrators_password_is_shown_the_first_time_only(project: FakeProject) -> None:
    outputs = []
    for _ in range(2):
        running = project.start()
        running.says("Ctrl-C stops everything")
        running.interrupt()
        outputs.append(running.output)
    assert re.search(r"Admin login, shown this once: admin / \S{16}\n", outputs[0])
    assert "Admin login" not in outputs[1]


def test_a_password_is_shown_even_when_a_process_fails(project: FakeProject) -> None:
    project.write(web=f"python web.py $PORT {project.root}", worker="python -c 'raise SystemExit(3)'")
    status, output = project.run()
    assert status == 1
    assert "Admin login, shown this once: admin / " in output


def test_a_password_is_shown_when_the_web_process_ends_while_the_account_is_made(
    project: FakeProject,
) -> None:
    (project.root / "manage.py").write_text("import time; time.sleep(600)", encoding="utf-8")
    project.write(web=f"python -c 'import time; time.sleep(1); raise SystemExit(3)' {project.root}")
    status, output = project.run()
    assert status == 1
    assert "web stopped by itself" in output
    assert "Admin login, shown this once: admin / " in output


def test_an_administrator_who_is_there_already_needs_no_password(project: FakeProject) -> None:
    (project.root / "manage.py").write_text(
        "raise SystemExit('That username is already taken.')", encoding="utf-8"
    )
    running = project.start()
    running.says("Ctrl-C stops everything")
    running.interrupt()
    assert "Admin login" not in running.output


def starts(project: FakeProject) -> str:
    running = project.start()
    running.says("Ctrl-C stops everything")
    assert running.interrupt() == 0
    return running.output


def test_steps_are_run_anew_only_when_something_has_changed(project: FakeProject) -> None:
    migration = project.root / "migrate.py"
    migration.write_text(MIGRATE, encoding="utf-8")
    project.write(
        release="python migrate.py", local="echo rehearsed", web=f"python web.py ${{PORT:-1}} {project.root}"
    )
    for told in (True, False):
        output = starts(project)
        assert ("release | migrated" in output, "local   | rehearsed" in output) == (told, told)
        assert "web     | web has" in output
    migration.write_text("raise SystemExit('no')", encoding="utf-8")
    for _ in range(2):
        status, output = project.run()
        assert (status, "`python migrate.py` failed" in output) == (1, True)
    project.python_says(
        MIGRATE.replace("CREATE TABLE IF NOT EXISTS", "DROP TABLE").replace(" AS SELECT 1 AS id", "")
    )


def on_terminal(project: FakeProject, until: str, **variables: str) -> str:
    """What a terminal shows of a start that is interrupted once ``until`` stands there."""
    terminal, end = pty.openpty()
    running = project.start(terminal=end, **variables)
    os.close(end)
    os.set_blocking(terminal, False)
    shown = b""

    def read() -> str:
        nonlocal shown
        with contextlib.suppress(OSError):  # nothing now; EIO at the end
            shown += os.read(terminal, 65536)
        return shown.decode(errors="replace")

    wait_until(lambda: until in read() or running.process.poll() is not None)
    if running.process.poll() is None:
        running.process.send_signal(signal.SIGINT)
    wait_until(lambda: bool(read()) and running.process.poll() is not None)
    os.close(terminal)
    return shown.decode().replace("\r\n", "\n")


def test_a_terminal_shows_no_step_that_goes_well_and_ends_with_the_password(project: FakeProject) -> None:
    project.write(
        release="echo a long list",
        web=f"python web.py ${{PORT:-1}} {project.root}",
    )
    shown = on_terminal(project, "Ctrl-C stops everything")
    assert "release | a long list" not in shown
    own = [line.partition("| ")[2] for line in shown.splitlines() if line.startswith("stack")]
    first = ["Ready:", "Ask:", "Admin:", "Admin login,", "Ctrl-C", "Stopping …"]
    assert [line.startswith(word) for line, word in zip(own[-6:], first, strict=True)] == [True] * 6
    assert 'make manage ARGS="changepassword admin"' in shown
    assert shown.splitlines()[-1].endswith("| Stopping …")


def test_a_terminal_shows_what_failed_and_all_that_is_asked_for(project: FakeProject) -> None:
    project.write(release="sh -c 'echo the cause; exit 3'", web="true")
    shown = on_terminal(project, "no such line")
    assert shown.index("release | the cause") < shown.index("failed (exit status 3)")
    project.write(
        release="echo a long list",
        web=f"python web.py ${{PORT:-1}} {project.root}",
        worker=f"sh -c 'echo at $LOG_LEVEL; exec python stay.py worker {project.root}'",
    )
    assert "release | a long list" in on_terminal(project, "at debug", LOG_LEVEL="debug")
    assert "at warning" in on_terminal(project, "at warning")


def test_a_second_instance_is_refused_in_one_line(project: FakeProject) -> None:
    running = project.start()
    running.says("Ready:")
    status, output = project.run()
    assert status == 1
    assert output.count("\n") == 1
    assert f"Already running at http://localhost:{project.port} (process {running.process.pid})" in output
    assert running.interrupt() == 0


def test_a_command_uses_the_running_instance_and_leaves_it_running(project: FakeProject) -> None:
    running = project.start()
    running.says("Ready:")
    assert "redis True" in project.python_says(ASK_BOTH)
    assert "Waiting" not in running.output
    assert running.process.poll() is None
    assert running.interrupt() == 0


def test_a_command_that_needs_a_server_the_instance_lacks_is_told_so(project: FakeProject) -> None:
    running = project.start(DATABASE_URL="postgres://somewhere/else")
    running.says("Ready:")
    status, output = project.run("true")
    assert (status, "was started with its own DATABASE_URL" in output) == (1, True)
    assert running.interrupt() == 0


@pytest.mark.parametrize("name", ["web", "worker"])
def test_the_end_of_one_process_stops_all_and_is_named(project: FakeProject, name: str) -> None:
    commands = {
        "web": f"python web.py $PORT {project.root}",
        "worker": f"python stay.py worker {project.root}",
    }
    commands[name] = "python -c 'import sys, time; time.sleep(0.2); print(\"last words\"); sys.exit(3)'"
    project.write(**commands)
    status, output = project.run()
    assert status == 1
    assert f"{name} stopped by itself (exit status 3), so everything was stopped." in output
    assert "| last words" in output
    assert project.leftovers() == []


def test_a_server_that_dies_stops_all_and_is_named(project: FakeProject) -> None:
    running = project.start()
    running.says("Ready:")
    with (project.root / "var/embedded/postgres/postmaster.pid").open(encoding="utf-8") as file:
        os.kill(int(file.readline()), signal.SIGQUIT)
    assert running.ended() == 1
    assert "PostgreSQL stopped by itself" in running.output


def test_a_release_step_that_fails_ends_the_start(project: FakeProject) -> None:
    project.write(release="python -c 'print(1/0)' && echo never", web="python web.py $PORT")
    status, output = project.run()
    assert status == 1
    assert "release | ZeroDivisionError" in output
    assert "failed (exit status 1); its last lines are above" in output
    assert "release | never" not in output
    assert "web has" not in output


def test_a_server_that_does_not_start_shows_the_end_of_its_log(new_project: FakeProject) -> None:
    assert new_project.run("true")[0] == 0
    with (new_project.root / "var/embedded/postgres/postgresql.conf").open("a", encoding="utf-8") as file:
        file.write("no_such_setting = on\n")
    status, output = new_project.run("true")
    assert status == 1
    assert "PostgreSQL did not start; the end of" in output
    assert 'unrecognized configuration parameter "no_such_setting"' in output


def test_a_port_in_use_is_told_before_anything_starts(project: FakeProject) -> None:
    with socket.create_server(("127.0.0.1", project.port)):
        status, output = project.run()
    assert (status, output.count("\n")) == (1, 1)
    assert f"Port {project.port} is in use by another program" in output


@pytest.mark.parametrize(("chosen", "address"), [({}, "127.0.0.1"), ({"HOST": "0.0.0.0"}, "0.0.0.0")])
def test_web_listens_on_this_machine_alone_unless_told_otherwise(
    project: FakeProject, chosen: dict[str, str], address: str
) -> None:
    project.write(web=f'python -c \'import os; print(os.environ["HOST"], "it is"); 1/0\' {project.root}')
    _status, output = project.run(**chosen)
    assert f"| {address} it is" in output


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid", "::1"])
def test_a_host_that_is_not_this_machine_is_told(project: FakeProject, host: str) -> None:
    status, output = project.run(HOST=host)
    assert (status, output.count("\n")) == (1, 1)
    assert f"HOST must be an IPv4 address of this machine, not '{host}'" in output


@pytest.mark.parametrize("port", ["eighty", "0", "70000", "-1"])
def test_a_port_that_is_none_is_told(project: FakeProject, port: str) -> None:
    status, output = project.run(PORT=port)
    assert (status, output.count("\n")) == (1, 1)
    assert "PORT must be a number from 1 to 65535" in output


def test_a_pid_file_whose_number_is_another_programs_by_now_does_not_matter(project: FakeProject) -> None:
    pid_file = project.root / "var/embedded/postgres/postmaster.pid"
    pid_file.write_text(f"{os.getpid()}\n{pid_file.parent}\n", encoding="utf-8")
    assert "redis True" in project.python_says(ASK_BOTH)
