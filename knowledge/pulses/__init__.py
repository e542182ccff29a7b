"""Pulses: sudden price moves and document bursts, found by pure functions of bars and headlines, and recorded."""
