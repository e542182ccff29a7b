"""This checkout's search against the one before its second edition, over one database and in one run.

The former one is taken from the history. Each runs in a process of its own, with the names read, and both are asked
every question once, in turns, so that what else the machine does weighs on both.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, quantiles
from typing import NamedTuple

from django.conf import settings

# The last commit before the second edition: no definitions, no names as whole words, Hangul slips only.
FORMER = "925817828654d455efff2c3b0e385a990400055d"
ALL = "all questions"
WARM_UP = 10  # questions
_ASKER = Path(__file__).with_name("retrieval_asker.py")


class Told(NamedTuple):
    """Milliseconds that a question took, and how many passages were found."""

    ms: float
    hits: int


Row = dict[str, float]


def compare(database: str, questions: Mapping[str, Sequence[str]]) -> dict[str, Row]:
    """For each sort of questions, and for all, the percentiles of both editions in ms and their ratio, this one's over
    the former one's. Empty where the former one is not in this clone, which is then said."""
    with tempfile.TemporaryDirectory() as folder:
        if not _unpacked(Path(folder)):
            print(f"search before its second edition is not compared: no commit {FORMER} in this clone")
            return {}
        print(
            f"search of commit {FORMER[:7]}, before its second edition, and of this checkout: one database, "
            f"{sum(map(len, questions.values()))} questions, each asked of both in turns"
        )
        with _asker(Path(folder), database) as former, _asker(settings.BASE_DIR, database) as present:
            for question in next(iter(questions.values()))[:WARM_UP]:
                former.ask(question)
                present.ask(question)
            told = {sort: _in_turns(former, present, asked) for sort, asked in questions.items()}
    told[ALL] = [pair for pairs in told.values() for pair in pairs]
    return {sort: _row(pairs) for sort, pairs in told.items()}


def _unpacked(folder: Path) -> bool:
    """Whether the files of the former edition could be laid down there."""
    packed = folder / "former.zip"
    command = ["git", "archive", "--format=zip", f"--output={packed}", FORMER]
    try:
        subprocess.run(command, cwd=settings.BASE_DIR, check=True, stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):  # no git, no repository, or a clone without its history
        return False
    shutil.unpack_archive(packed, folder)
    return True


class _Asker:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, question: str) -> Told:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return Told(**json.loads(self._process.stdout.readline()))


@contextmanager
def _asker(checkout: Path, database: str) -> Iterator[_Asker]:
    """A process that searches with the code of a checkout."""
    # -P: beside the script stands ask.py, which would hide the app.
    with subprocess.Popen(
        [sys.executable, "-P", str(_ASKER), database],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield _Asker(process)  # the end of its input ends it


def _in_turns(former: _Asker, present: _Asker, questions: Sequence[str]) -> list[tuple[Told, Told]]:
    """What both tell of each question. Who is asked second finds warm what the first one read, so that turns change."""
    found = []
    for number, question in enumerate(questions):
        if number % 2:
            newer = present.ask(question)
            found.append((former.ask(question), newer))
        else:
            found.append((former.ask(question), present.ask(question)))
    return found


def _row(pairs: Sequence[tuple[Told, Told]]) -> Row:
    former, present = zip(*pairs, strict=True)
    (former_p50, former_p95), (p50, p95) = _percentiles(former), _percentiles(present)
    return {
        "former_hits": round(fmean(one.hits for one in former), 1),
        "hits": round(fmean(one.hits for one in present), 1),
        "former_p50": former_p50,
        "former_p95": former_p95,
        "p50": p50,
        "p95": p95,
        "p50_ratio": p50 / former_p50,
        "p95_ratio": p95 / former_p95,
    }


def _percentiles(told: Sequence[Told]) -> tuple[float, float]:
    cuts = quantiles([one.ms for one in told], n=20)
    return cuts[9], cuts[18]
