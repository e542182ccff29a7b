"""``python -m config.embedded``: refuses what it cannot run on, then hands over to the command line."""

import sys

if sys.platform not in ("linux", "darwin"):
    sys.exit("The embedded servers run on Linux and macOS only: set DATABASE_URL and REDIS_URL to real ones.")
if sys.version_info < (3, 11):  # noqa: UP036 (told in a sentence, before newer syntax is read)
    sys.exit("Python 3.11 or newer is needed; this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031

from config.embedded.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
