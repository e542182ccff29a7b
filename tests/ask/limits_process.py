"""``python -m tests.ask.limits_process ADDRESS ASKS QUOTA``: count so many questions, print how many were let pass."""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from ask.errors import RateLimited  # noqa: E402
from ask.limits import Allowance, Limit  # noqa: E402


def passes(address: str, quota: int) -> bool:
    try:
        Allowance("test", [Limit("day", quota, 86_400)], address).consume()
    except RateLimited:
        return False
    return True


def main(address: str, asks: int, quota: int) -> None:
    print(sum(passes(address, quota) for _ in range(asks)))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
