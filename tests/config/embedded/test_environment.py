"""Variables: what is read from files, and who wins."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.embedded.environment import read_assignments, write_env_file
from config.embedded.project import Project


def test_assignments_are_read_in_the_forms_people_write(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_text(
        "\n".join(
            [
                "# A=note",
                "PLAIN=a=b",
                "export TOLD=yes",
                "QUOTED=' spaced '",
                'DOUBLE="x"',
                "BLANK=",
                "odd line",
            ]
        ),
        encoding="utf-8",
    )
    expected = {"PLAIN": "a=b", "TOLD": "yes", "QUOTED": " spaced ", "DOUBLE": "x", "BLANK": ""}
    assert read_assignments(path) == expected


def test_a_missing_file_has_no_assignments(tmp_path: Path) -> None:
    assert read_assignments(tmp_path / "none") == {}


@given(text=st.text())
def test_no_text_breaks_the_reader(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("env") / "env"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    assert all(isinstance(value, str) for value in read_assignments(path).values())


def test_the_file_for_bare_commands_is_private_and_keeps_its_key(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.make_var()
    first = write_env_file(project, {"DATABASE_URL": "postgres:///a"})
    second = write_env_file(project, {"DATABASE_URL": "postgres:///b"})
    path = tmp_path / "var" / "env"
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_assignments(path) == second
    assert first["SECRET_KEY"] == second["SECRET_KEY"]
    assert second["DATABASE_URL"] == "postgres:///b"
