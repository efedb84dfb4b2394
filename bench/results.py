# SPDX-License-Identifier: BSD-2-Clause
"""Result formats: the rate at which rows are written, and the memory for it."""

import subprocess

from measure import busy_machine

SHAPES = [(1_000_000, 100), (10_000, 10_000)]  # rows, columns: 1e8 values each
FORMATS = [("bin", []), ("mat", []), ("h5", []), ("h5", ["compress"]), ("csv", [])]
GOALS = {"mat": (100, 100), "h5": (100, 100)}  # at least MB/s, at most MB of memory


def written(build, file, rows, columns, options):
    """Seconds, and the peak memory in MB."""
    done = subprocess.run([build / "bench/peak_memory", build / "bench/results", file, str(rows),
                           str(columns), *options], check=True, text=True, capture_output=True)
    return float(done.stderr), int(done.stdout) / 1024


def result_formats(build, folder):
    print("\nresult formats: 1e8 numbers of 8 bytes, into files; bin: the same bytes without a format")
    if busy_machine():
        print("(other programs take cores and the disk: the rates are too low)")
    print(f"{'rows':>9} {'columns':>8} {'format':>14} {'s':>7} {'MB/s':>7} {'goal':>5} "
          f"{'memory MB':>10} {'goal':>5} {'file MB':>8}", flush=True)
    wrong = []
    for rows, columns in SHAPES:
        for ending, options in FORMATS:
            file = folder / f"r.{ending}"
            seconds, memory = written(build, file, rows, columns, options)
            rate = 8e-6 * rows * (columns + 1) / seconds
            least, most = GOALS.get(ending, ("", "")) if not options else ("", "")
            print(f"{rows:>9} {columns:>8} {' '.join([ending, *options]):>14} {seconds:>7.2f} "
                  f"{rate:>7.0f} {least:>5} {memory:>10.1f} {most:>5} "
                  f"{file.stat().st_size / 1e6:>8.0f}", flush=True)
            file.unlink()
            if least and (rate < least or memory > most):
                wrong.append(f"{rows} x {columns} as {ending}: {rate:.0f} MB/s, {memory:.0f} MB")
    return "; ".join(wrong)
