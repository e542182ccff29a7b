"""Reading a Procfile."""

from pathlib import Path

import pytest

from config.embedded.errors import EmbeddedError
from config.embedded.procfile import read_procfile, shell_command, steps


def written(folder: Path, text: str) -> Path:
    path = folder / "Procfile"
    path.write_text(text, encoding="utf-8")
    return path


def test_processes_keep_their_order_and_comments_are_skipped(tmp_path: Path) -> None:
    path = written(tmp_path, "# ours\n\nweb: serve -b 0.0.0.0:${PORT:-8000}\nworker:  work  \n")
    assert list(read_procfile(path).items()) == [
        ("web", "serve -b 0.0.0.0:${PORT:-8000}"),
        ("worker", "work"),
    ]


@pytest.mark.parametrize("line", ["web serve", "web:", ": serve", "we b: serve", "first: again"])
def test_a_line_that_cannot_be_read_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(EmbeddedError, match="line 2"):
        read_procfile(written(tmp_path, f"first: one\n{line}\n"))


def test_a_missing_procfile_is_told(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedError, match="no Procfile"):
        read_procfile(tmp_path / "Procfile")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("one", ["one"]),
        ("one --flag && two  &&  three", ["one --flag", "two", "three"]),
        ("echo 'a && b' && two", ["echo 'a && b'", "two"]),
        ('echo "a && b"', ['echo "a && b"']),
    ],
)
def test_a_chain_is_cut_outside_quotes_only(command: str, expected: list[str]) -> None:
    assert steps(command) == expected


def test_the_shell_gives_its_place_to_the_program() -> None:
    assert shell_command("serve ${PORT:-1}") == ["/bin/sh", "-c", "exec serve ${PORT:-1}"]


def test_the_projects_own_procfile_can_be_read() -> None:
    processes = read_procfile(Path(__file__).resolve().parents[3] / "Procfile")
    assert list(processes) == ["release", "demo", "local", "web", "worker", "modelworker", "beat"]
    assert steps(processes["release"]) == ["python manage.py release"]
