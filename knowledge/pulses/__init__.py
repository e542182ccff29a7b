"""Pulses: sudden price moves and document bursts. Pure functions of closed bars and of headlines, and the recording of
what they find."""
