"""Short slices of the CPU for the event loop, while many ask (Linux 6.12 and newer).

Linux lets who computes finish a slice of some milliseconds before it gives the core to one that wakes, unless that one
asks for a shorter slice. The loop never needs one that long: it answers a reader in less than a tenth of a millisecond.
"""

import ctypes
import os
import platform
import struct
import sys

SLICE_NANOSECONDS = 100_000  # the shortest that Linux grants
USUAL = 0
# sched_setattr(2), which neither Python nor the C library of Debian 12 has a function for.
SYSTEM_CALLS = {"x86_64": 314, "aarch64": 274, "riscv64": 274}
# struct sched_attr: size, policy, flags, nice, priority, runtime, deadline, period. For the policy of ordinary
# processes the runtime is the slice.
ATTRIBUTES = struct.Struct("<IIQiIQQQ")
SCHED_OTHER, RESET_ON_FORK = 0, 1


class ShortSlices:
    """A context for each question that is under way; of one thread. Its slices are short while there are ``crowd``."""

    def __init__(self, crowd: int) -> None:
        self._crowd, self._under_way = crowd, 0

    def __enter__(self) -> None:
        self._under_way += 1
        if self._under_way == self._crowd:
            ask_for(SLICE_NANOSECONDS)

    def __exit__(self, *_failure: object) -> None:
        if self._under_way == self._crowd:
            ask_for(USUAL)
        self._under_way -= 1


def ask_for(nanoseconds: int) -> bool:
    """Ask for such slices for the calling thread, or for the usual ones; False where it goes on with what it has.

    Threads that it starts have slices of the usual length: they compute for longer.
    """
    call = SYSTEM_CALLS.get(platform.machine()) if sys.platform == "linux" else None
    # With the slices new threads would lose a niceness below 0.
    if call is None or (niceness := os.getpriority(os.PRIO_PROCESS, 0)) < 0:
        return False
    wanted = ATTRIBUTES.pack(ATTRIBUTES.size, SCHED_OTHER, RESET_ON_FORK, niceness, 0, nanoseconds, 0, 0)
    thread, flags = 0, 0
    return bool(ctypes.CDLL(None).syscall(call, thread, wanted, flags) == 0)
