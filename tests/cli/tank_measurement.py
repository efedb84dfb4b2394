# SPDX-License-Identifier: BSD-2-Clause
"""Writes the public measurement of the quadruple tank as tables for a study:

    tank_measurement.py qt_par_est_data.mat FOLDER

FOLDER/measured.csv has the levels of every second after the first minute in m, FOLDER/inputs.csv
the voltages of the pumps. The file is a compressed MAT file of version 5, which scipy reads.
"""

import sys
from pathlib import Path

from scipy.io import loadmat

EVERY = slice(6000, None, 100)  # of samples every 10 ms


def write(file, names, times, columns):
    lines = [",".join(["time", *names])]
    for row, time in enumerate(times):
        lines.append(",".join(f"{value:.15g}" for value in [time, *(c[row] for c in columns)]))
    file.write_text("\n".join(lines) + "\n")


def main():
    data = {name: values[EVERY, 0] for name, values in loadmat(sys.argv[1]).items()
            if not name.startswith("_")}
    folder = Path(sys.argv[2])
    times = [round(time - 60, 9) for time in data["t"]]
    levels = [data[name] / 100 for name in ("y1_f", "y2_f", "y3_d", "y4_d")]  # from cm
    write(folder / "measured.csv", [f"tank.x{i}" for i in (1, 2, 3, 4)], times, levels)
    write(folder / "inputs.csv", ["tank.u1", "tank.u2"], times, [data["u1_d"], data["u2_d"]])


if __name__ == "__main__":
    main()
