"""The rehearsed world of ``make demo``: invented, and stored through the doors that real data take."""
