"""What commands cost: `python -m benchmarks`; and games at random in memory: `python -m benchmarks.simulation`."""
