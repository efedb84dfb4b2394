# SPDX-License-Identifier: BSD-2-Clause
"""Runs the zoo (docs/algorithms/zoo.md) and reports how often auto keeps its tolerance."""

import csv
import io

from measure import run

CLASSES = ["all", "values", "forward", "neither"]
OUTCOMES = ["within 1", "within 10", "within 100", "refused", "worse failed", "worse warned",
            "worse silent", "out of time"]
STIFF = 1e3  # ratio above which FMUs without rollback may be refused
MAX_LISTED = 15


def share(rows, *outcomes):
    """Percent of the rows."""
    return 100 * sum(row["outcome"] in outcomes for row in rows) / len(rows) if rows else 0.0


def goals(rows):
    """(what, rows, percent, relation, limit) of docs/algorithms/zoo.md."""
    good = ("within 1", "within 10")
    of = {name: [row for row in rows if row["class"] == name] for name in CLASSES}
    without = [row for name in ("forward", "neither") for row in of[name]]
    soft = [row for row in without if float(row["stiffness"]) <= STIFF]
    bad_status_0 = ("worse warned", "worse silent")
    yield "all abilities, within 10 tolerances", of["all"], share(of["all"], *good), ">=", 95
    yield "all abilities, refused", of["all"], share(of["all"], "refused"), "<=", 0
    yield "values only, within 10 tolerances", of["values"], share(of["values"], *good), ">=", 90
    yield "values only, refused", of["values"], share(of["values"], "refused"), "<=", 3
    yield "no rollback, not stiff, within 10 tolerances", soft, share(soft, *good), ">=", 90
    yield "no rollback, not stiff, refused", soft, share(soft, "refused"), "<=", 5
    yield "worse than 100 tolerances silently", rows, share(rows, "worse silent"), "<=", 0
    yield "worse than 100 tolerances with status 0", rows, share(rows, *bad_status_0), "<=", 1
    ratios = [ratio(row) for row in rows if row["best calls"]]
    if ratios:
        cheap = 100 * sum(r <= 2 for r in ratios) / len(ratios)
        yield "calls at most 2 times the best fixed method", ratios, cheap, ">=", 90


def ratio(row):
    return int(row["calls"]) / int(row["best calls"])


def table(rows):
    print("\n| class | runs | " + " | ".join(OUTCOMES) + " |")
    print("| --- " * (len(OUTCOMES) + 2) + "|")
    parts = [(name, [row for row in rows if row["class"] == name]) for name in CLASSES]
    parts += [(f"{name}, stiffness <= {STIFF:g}",
               [row for row in part if float(row["stiffness"]) <= STIFF])
              for name, part in parts if name in ("forward", "neither")]
    for name, part in parts:
        if part:
            cells = [f"{share(part, outcome):.1f} %" for outcome in OUTCOMES]
            print(f"| {name} | {len(part)} | " + " | ".join(cells) + " |")


def listed(title, rows, key):
    worst = sorted(rows, key=key, reverse=True)[:MAX_LISTED]
    if worst:
        print(f"\n{title} ({len(rows)}):")
    for row in worst:
        calls = f", {ratio(row):.1f} times {row['best way']}" if row["best calls"] else ""
        print(f"  {row['system']}, {row['class']}, {row['tolerance']}: {float(row['error']):.3g}"
              f" tolerances, {row['calls']} calls{calls}. {row['message'][:110]}")


def summary(rows):
    """Prints the tables; returns the missed goals."""
    table(rows)
    missed = []
    print("\n| goal | runs | limit | measured |\n| --- | --- | --- | --- |")
    for what, part, percent, relation, limit in goals(rows):
        is_met = not part or (percent >= limit if relation == ">=" else percent <= limit)
        if not is_met:
            missed.append(f"{what}: {percent:.1f} %, goal {relation} {limit} %")
        print(f"| {what} | {len(part)} | {relation} {limit} % | {percent:.1f} %"
              f"{'' if is_met else ' (missed)'} |")

    def error(row):
        return float(row["error"])

    for outcome in ("worse silent", "worse warned", "worse failed", "out of time"):
        listed(outcome, [row for row in rows if row["outcome"] == outcome], error)
    soft = [row for row in rows if row["outcome"] == "refused"
            and (row["class"] in ("all", "values") or float(row["stiffness"]) <= STIFF)]
    listed("refused, though not stiff or with rollback", soft, error)
    listed("more than 2 times the best",
           [row for row in rows if row["best calls"] and ratio(row) > 2], ratio)
    return missed


def zoo(build, options=()):
    """Returns the missed goals as a message."""
    text = run([build / "bench/zoo", build / "zoo", *options])
    target = build / "bench/zoo.csv"
    target.write_text(text)
    missed = summary(list(csv.DictReader(io.StringIO(text))))
    print(f"\nall runs in {target}")
    return missed and "the zoo misses goals: " + "; ".join(missed)
