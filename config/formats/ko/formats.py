"""How dates and times are written for Korean readers and editors: the clock of 24 hours."""

DATETIME_FORMAT = "Y-m-d H:i"
TIME_FORMAT = "H:i"
