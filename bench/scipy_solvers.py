# SPDX-License-Identifier: BSD-2-Clause
"""Integrators of scipy on the right-hand sides of ode_problems.c; run by integrators.py, in an
interpreter that has scipy:

    scipy_solvers.py LIBRARY JOB

The job is a file of JSON: problem, method, tolerances. Prints one line of JSON per tolerance:
tolerance, evaluations (all calls of f, those for difference Jacobians too), values.
"""

import ctypes
import json
import sys

import numpy as np
from scipy.integrate import solve_ivp
from scipy.sparse import diags


class Counted:
    def __init__(self, library, name, size):
        self.function = getattr(ctypes.CDLL(library), "ode_" + name.replace("-", "_"))
        numbers = ctypes.POINTER(ctypes.c_double)
        self.function.argtypes = [ctypes.c_size_t, ctypes.c_double, numbers, numbers]
        self.function.restype = None
        self.size, self.calls, self.numbers = size, 0, numbers

    def __call__(self, t, y):
        self.calls += 1
        y = np.ascontiguousarray(y, dtype=float)
        f = np.empty(self.size)
        self.function(self.size, t, y.ctypes.data_as(self.numbers), f.ctypes.data_as(self.numbers))
        return f


def heat_pattern(size):
    side = round(size ** 0.5)
    near = np.ones(size - 1)
    near[side - 1::side] = 0
    return diags([np.ones(size), near, near, np.ones(size - side), np.ones(size - side)],
                 [0, 1, -1, side, -side])


def impact(_, y):
    return y[0]


impact.terminal, impact.direction = True, -1


def solve(job, rtol, rhs):
    """The states at the points, also over impacts: a new start behind each."""
    points, start = np.array(job["points"]), np.array(job["start"])
    options = {"method": job["method"], "rtol": rtol, 
               "atol": rtol * np.broadcast_to(job["atol"], job["size"])}
    if job["name"] == "heat":
        options["jac_sparsity"] = heat_pattern(job["size"])
    if job["name"] == "ball":
        options["events"] = impact
    t, rows = 0.0, []
    while len(rows) < len(points):
        done = solve_ivp(rhs, (t, points[-1]), start, t_eval=points[len(rows):], **options)
        if done.status < 0:
            raise RuntimeError(done.message)
        if len(done.t) > 0:  # an impact may come before the next point
            rows += list(done.y.T)
        if done.status == 1:
            t, start = done.t_events[0][0], np.array([0.0, -0.9 * done.y_events[0][0][1]])
    return np.array(rows)


def main():
    library, job = sys.argv[1], json.load(open(sys.argv[2]))
    for rtol in job["tolerances"]:
        rhs = Counted(library, job["name"], job["size"])
        try:
            values = solve(job, rtol, rhs)[:, ::job["stride"]].ravel().tolist()
        except RuntimeError as error:
            values = str(error)
        print(json.dumps([rtol, rhs.calls, values]), flush=True)


if __name__ == "__main__":
    main()
