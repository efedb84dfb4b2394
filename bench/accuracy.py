# SPDX-License-Identifier: BSD-2-Clause
"""Number of doStep calls of each coupling scheme for an error, as a table and as pictures."""

import csv
import io

from measure import run

GOAL = 2  # of the best, for auto
MOST_CURVES = 8


def accuracy(build, pictures):
    """Answers what is wrong with the figures, if something is."""
    text = run([build / "bench/accuracy", build / "examples"])
    calls = {}  # by problem, error and way
    for row in csv.DictReader(io.StringIO(text)):
        here = calls.setdefault(row["problem"], {}).setdefault(float(row["error"]), {})
        here[row["way"]] = int(row["calls"]) if row["calls"] else None
    columns = [(problem, error) for problem in calls for error in calls[problem]]
    ways = list(calls[columns[0][0]][columns[0][1]])
    print("\ncalls of doStep of all FMUs for an error; step or tolerance bisected to the cheapest\n"
          "clusters: evaluations of the equations of all members")
    print(f"{'':<38}" + "".join(f"{problem:>18}" for problem, _ in columns))
    print(f"{'':<38}" + "".join(f"{error:>18g}" for _, error in columns))
    for way in ways:
        cells = [calls[problem][error][way] for problem, error in columns]
        print(f"{way:<38}" + "".join(f"{'-' if c is None else c:>18}" for c in cells))
    ratios = []
    for problem, error in columns:
        here = calls[problem][error]
        best = min(c for way, c in here.items() if c is not None and way != "auto"
                   and not way.startswith("cluster"))
        ratios.append(here["auto"] / best if here["auto"] else float("inf"))
    print(f"{f'auto / best, goal <= {GOAL}':<38}" + "".join(f"{r:>18.2f}" for r in ratios))
    wins = []
    for problem, error in columns:
        coupled = [c for way, c in calls[problem][error].items()
                   if c is not None and not way.startswith("cluster")]
        solved = [c for way, c in calls[problem][error].items()
                  if c is not None and way.startswith("cluster")]
        wins.append(min(coupled) / min(solved) if solved else 0)
    print(f"{'best coupling / best cluster':<38}" + "".join(f"{w:>18.2f}" for w in wins))
    for problem, errors in calls.items():
        draw(build, pictures, problem, errors, ways)
    missed = [f"{problem} with error {error:g}: {ratio:.2f}"
              for (problem, error), ratio in zip(columns, ratios) if ratio > GOAL]
    # Counts, not times: they are the same on every machine.
    return missed and f"auto needs more than {GOAL} times the calls of the best: {', '.join(missed)}"


def draw(build, pictures, problem, errors, ways):
    pictures.mkdir(parents=True, exist_ok=True)
    # What meets every error, the cheapest first: more curves than these hide each other.
    able = [way for way in ways if all(errors[error][way] for error in errors)]
    shown = sorted(able, key=lambda way: errors[min(errors)][way])[:MOST_CURVES]
    table = pictures / f"accuracy-{problem}.csv"
    with open(table, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["error"] + shown)
        for error in sorted(errors):
            writer.writerow([error] + [errors[error][way] for way in shown])
    picture = table.with_suffix(".svg")
    run([build / "tutti", "plot", table, "*", "--log-x", "--log-y", "--title",
         f"{problem}: calls of doStep over error", "-o", picture])
    print(f"picture in {picture}")
