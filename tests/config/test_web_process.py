"""What a web process takes out of the garbage collector's sight."""

import gc
import threading

from config.web_process import settle


def test_what_is_read_at_the_start_is_settled_however_long_reading_takes() -> None:
    may_end = threading.Event()
    read: list[list[int]] = []

    def warm() -> None:
        may_end.wait()
        read.extend([number] for number in range(10))

    warming = threading.Thread(target=warm)
    settling = threading.Thread(target=settle, args=[warming])
    warming.start()
    settling.start()
    may_end.set()
    settling.join()
    try:
        looked_through = {id(each) for each in gc.get_objects()}
        assert len(read) == 10
        assert not any(id(each) in looked_through for each in read)
    finally:
        gc.unfreeze()
