"""What each of several processes does at once: it counts so many questions of one address."""

from multiprocessing.synchronize import Barrier

from ask.errors import RateLimited
from ask.limits import Allowance, Limit


def passed(together: Barrier, address: str, asks: int, quota: int) -> int:
    """How many of so many questions were let pass."""
    together.wait()
    return sum(_passes(address, quota) for _ in range(asks))


def _passes(address: str, quota: int) -> bool:
    try:
        Allowance("test", [Limit("day", quota, 86_400)], address).consume()
    except RateLimited:
        return False
    return True
