"""``make demo``: a world of its own beside what `make run` has."""

import os
import time

from tests.config.embedded.fake_project import FakeProject

REAL = {"DATABASE_URL": "postgres://real.example/madang", "ANTHROPIC_API_KEY": "of-the-real-one"}
WEB = "python web.py $PORT"
TELL = "python -c \"import os; print('plays', os.environ['REHEARSAL'], os.environ.get('ANTHROPIC_API_KEY'))\""


def test_a_demo_has_servers_a_database_and_a_world_of_its_own(project: FakeProject) -> None:
    project.write(demo=TELL, web=f"{WEB} {project.root}")
    (project.root / ".env").write_text("REDIS_URL=redis://real.example/0\n", encoding="utf-8")
    outputs = []
    for age in (0, 48 * 3600):
        running = project.start("--demo", **REAL)
        running.says("Ctrl-C stops everything")
        assert running.interrupt() == 0
        outputs.append(running.output)
        (note := project.root / "var/demo/world-made").touch()
        os.utime(note, (time.time() - age,) * 2)
    assert all("| web has postgres:///madang_rehearsal?host=" in output for output in outputs)
    assert all("| plays true None" in output for output in outputs)
    assert "Creating the database" not in outputs[1]
    # The world that the second start found is of the day before yesterday now.
    running = project.start("--demo")
    running.says("Ctrl-C stops everything")
    assert running.interrupt() == 0
    assert "made anew" in running.output
    assert "Creating the database" in running.output


def test_an_unfinished_world_is_made_anew_and_an_empty_database_is_taken_as_it_is(
    project: FakeProject,
) -> None:
    project.write(demo="echo played", web=f"{WEB} {project.root}")
    project.run("--demo", "true")  # as `make demo` does while pip is at work
    for begun in (False, True):
        running = project.start("--demo")
        running.says("Ctrl-C stops everything")
        assert running.interrupt() == 0
        assert ("made anew" in running.output) == begun
        assert ("Creating the database" in running.output) == begun
        assert "| played" in running.output
        (project.root / "var/demo/world-begun").touch()


def test_a_demo_is_refused_in_production(project: FakeProject) -> None:
    project.write(web=f"{WEB} {project.root}")
    status, output = project.run("--demo", DEBUG="false")
    assert status == 1
    assert "refused with DEBUG=false" in output
