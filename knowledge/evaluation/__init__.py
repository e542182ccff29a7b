"""Measuring and trying out on labelled files: linking, retrieval, events, pulses. Commands and benchmarks import it,
and nothing that serves."""
