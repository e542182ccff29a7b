"""The command line of ``python -m config.embedded``."""

import sys
from collections.abc import Sequence

from config.embedded.command import run_command
from config.embedded.errors import EmbeddedError, StopRequested
from config.embedded.project import Project
from config.embedded.rehearsal import require_own_machine
from config.embedded.run import run_stack

USAGE = """\
usage: python -m config.embedded [--demo] [COMMAND ARGUMENT …]

Without a command: start Postgres and Valkey, then the Procfile's processes (this is `make run`).
With a command: run it with both servers up and DATABASE_URL and REDIS_URL set; its exit status is the result.
A server whose variable is already set, in the shell or in .env, is not started.
--demo: over a rehearsed world with servers and data of its own in var/demo (this is `make demo`)."""


def main(arguments: Sequence[str]) -> int:
    """The exit status: the command's own, 0 for a stop on request, 1 for a failure, 2 for wrong use."""
    rehearsal = list(arguments[:1]) == ["--demo"]
    arguments = arguments[1:] if rehearsal else arguments
    if arguments and arguments[0].startswith("-"):
        asked_for_help = arguments[0] in ("-h", "--help")
        print(USAGE, file=sys.stdout if asked_for_help else sys.stderr)
        return 0 if asked_for_help else 2
    try:
        project = Project.here(rehearsal=rehearsal)
        if rehearsal:
            require_own_machine(project)
        return run_command(project, arguments) if arguments else run_stack(project)
    except EmbeddedError as error:
        return _complain(str(error))
    except OSError as error:
        return _complain(f"The servers cannot run here: {error}")
    except StopRequested as request:
        return 128 + request.signum
    except KeyboardInterrupt:
        return 130


def _complain(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1
