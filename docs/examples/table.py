#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Runs a system in several ways and writes one table of them, for `tutti plot`.

A way is LABEL: KEY=VALUE; KEY=VALUE... and becomes a column. Without --over the rows are times, and
the values those of one variable; all ways must have the same times. With --over there is a row for
each value of a setting, and --error, --largest or --statistic says what is in it. A run that fails
leaves its cell empty.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile


def run(system, settings):
    """The statistics and the results of a run, or None where it failed."""
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "results.csv")
        command = ["tutti", "run", system, "--json", "--quiet", "-o", results]
        for setting in settings:
            command += ["--set", setting]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 2:
            sys.exit(done.stderr)
        if done.returncode != 0:
            return None
        with open(results, newline="") as file:
            return json.loads(done.stdout)["statistics"], list(csv.DictReader(file))


def largest_difference(rows, variable, reference):
    """From a reference file at the same times."""
    with open(reference, newline="") as file:
        known = {round(float(row["time"]), 9): float(row[variable]) for row in csv.DictReader(file)}
    return max(abs(float(row[variable]) - known[round(float(row["time"]), 9)]) for row in rows)


def measure(arguments, outcome):
    if outcome is None:
        return ""
    statistics, rows = outcome
    if arguments.error:
        variable, exact = arguments.error
        return abs(float(rows[-1][variable]) - float(exact))
    if arguments.largest:
        return largest_difference(rows, *arguments.largest)
    value = statistics
    for key in arguments.statistic.split("."):
        value = value[int(key) if isinstance(value, list) else key]
    return value


def write(file, rows):
    """With metadata that say that numbers may lie between those of the table, also of whole ones."""
    with open(file, "w", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows(rows)
    columns = [{"name": name, "discrete": False} for name in rows[0][1:]]
    with open(os.path.splitext(file)[0] + ".meta.json", "w") as out:
        json.dump({"columns": columns}, out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("system")
    parser.add_argument("ways", nargs="+", metavar="LABEL: KEY=VALUE; ...")
    parser.add_argument("-o", "--output", required=True, metavar="FILE.csv")
    parser.add_argument("--variable", help="a column over time")
    parser.add_argument("--over", help="KEY=VALUE,VALUE,...")
    parser.add_argument("--name", help="of the first column")
    parser.add_argument("--error", nargs=2, metavar=("VARIABLE", "EXACT"), help="at the end")
    parser.add_argument("--largest", nargs=2, metavar=("VARIABLE", "FILE"), help="difference")
    parser.add_argument("--statistic", help="a number of `tutti run --json`: a.b.c")
    arguments = parser.parse_args()
    ways = {}
    for way in arguments.ways:
        label, _, settings = way.partition(":")
        ways[label] = [setting.strip() for setting in settings.split(";") if setting.strip()]
    if arguments.variable:
        series = [run(arguments.system, settings)[1] for settings in ways.values()]
        rows = [["time", *ways]]
        for points in zip(*series):
            rows.append([points[0]["time"], *(point[arguments.variable] for point in points)])
    else:
        key, _, values = arguments.over.partition("=")
        rows = [[arguments.name or f"{key} []", *ways]]
        for value in values.split(","):
            outcomes = [run(arguments.system, [*s, f"{key}={value}"]) for s in ways.values()]
            rows.append([value, *(measure(arguments, outcome) for outcome in outcomes)])
    write(arguments.output, rows)


if __name__ == "__main__":
    main()
