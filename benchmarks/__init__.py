"""What a run costs beside what else it could have been: ``python -m benchmarks`` lists the questions.

One question a file; the machinery is in ``harness/``. A new one is a `Benchmark` in a file of its
own and a line in ``table.py``. For systems with ``os.wait4``, which is all but Windows.
"""
