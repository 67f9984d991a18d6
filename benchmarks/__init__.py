"""Games of every length, made and measured: `python -m benchmarks` (docs/performance.md)."""
