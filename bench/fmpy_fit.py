# SPDX-License-Identifier: BSD-2-Clause
"""The outlets of the quadruple tank, fitted by a plain loop in Python: the runs by FMPy, the search by
scipy. Run by studies.py, in an interpreter that has both:

    fmpy_fit.py EXAMPLE TOLERANCE file|simulate|calls

`file` calls simulate_fmu() with the file for each run, `simulate` with the unpacked FMU and its
description, `calls` resets an instance and calls its functions one by one. Prints a line of JSON: parameters in 1e-6 m2, simulations, seconds of the search.
"""

import csv
import json
import sys
import time
from pathlib import Path

import numpy as np
from fmpy import extract, read_model_description, simulate_fmu
from fmpy.fmi2 import FMU2Slave
from scipy.optimize import minimize

LEVELS, OUTLETS, PUMPS = ["x1", "x2", "x3", "x4"], ["a1", "a2", "a3", "a4"], ["u1", "u2"]


def table(file):
    with open(file, newline="") as text:
        rows = list(csv.reader(text))
    names = [name.split(" ")[0].removeprefix("tank.") for name in rows[0]]
    return np.array([tuple(map(float, row)) for row in rows[1:]],
                    dtype=[(name, float) for name in names])


class Simulate:
    """Inputs are constant over the steps: FMPy does not interpolate them."""

    def __init__(self, folder, description, inputs):
        self.fixed = {"model_description": description, "validate": False,
                      "fmi_type": "CoSimulation", "stop_time": 60, "output_interval": 1,
                      "input": inputs, "output": LEVELS, "record_events": False}
        self.folder = folder

    def __call__(self, outlets):
        result = simulate_fmu(self.folder, start_values=dict(zip(OUTLETS, outlets)), **self.fixed)
        return np.array([result[name] for name in LEVELS])


class SimulateFile(Simulate):
    """The plain loop: what simulate_fmu() needs from the file, it reads each time."""

    def __init__(self, file, inputs):
        super().__init__(file, None, inputs)


class Calls:
    def __init__(self, folder, description, inputs):
        self.fmu = FMU2Slave(guid=description.guid, unzipDirectory=folder, instanceName="tank",
                             modelIdentifier=description.coSimulation.modelIdentifier)
        self.fmu.instantiate()
        references = {v.name: v.valueReference for v in description.modelVariables}
        self.outlets, self.pumps, self.levels = (
            [references[name] for name in names] for names in (OUTLETS, PUMPS, LEVELS))
        self.inputs = np.array([inputs[name] for name in PUMPS]).T.tolist()

    def __call__(self, outlets):
        fmu = self.fmu
        fmu.reset()
        fmu.setupExperiment(startTime=0, stopTime=60)
        fmu.setReal(self.outlets, outlets)
        fmu.enterInitializationMode()
        fmu.exitInitializationMode()
        rows = [fmu.getReal(self.levels)]
        for step in range(60):
            fmu.setReal(self.pumps, self.inputs[step])
            fmu.doStep(step, 1)
            rows.append(fmu.getReal(self.levels))
        return np.array(rows).T


def main():
    example = Path(sys.argv[1])
    file, inputs = example / "fmus/tank.fmu", table(example / "inputs.csv")
    if sys.argv[3] == "file":
        simulation = SimulateFile(file, inputs)
    else:
        folder = extract(file)
        simulation = {"simulate": Simulate, "calls": Calls}[sys.argv[3]](
            folder, read_model_description(folder), inputs)
    data = table(example / "perturbed.csv")
    measured = np.array([data[name] for name in LEVELS])
    runs = 0

    def objective(scaled):
        nonlocal runs
        runs += 1
        simulated = simulation([1e-6 * value for value in scaled])
        return np.sqrt(np.sum((simulated - measured) ** 2)) / simulated.shape[1]

    objective([3, 3, 3, 3])  # loads what is loaded once
    runs = 0
    start = time.perf_counter()
    found = minimize(objective, [3, 3, 3, 3], method="Nelder-Mead",
                     options={"xatol": float(sys.argv[2]), "fatol": np.inf, "maxfev": 10_000})
    print(json.dumps([list(found.x), runs, time.perf_counter() - start]))


if __name__ == "__main__":
    main()
