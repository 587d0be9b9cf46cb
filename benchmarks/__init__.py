"""Each file is a command, `python -m benchmarks.NAME`, which measures Webstem (docs/benchmarks.md).
`material` is what they measure on, `measures` the parts of measurements that some of them run."""
