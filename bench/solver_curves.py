#!/usr/bin/env python3
"""Residual over time of all solvers on the same state: a bin of 125 tangled boxes and chains of 20 links coupled by
mimics.

The residual is the certificate of `pliant solvers` (scaled duality gap: the cost is within it of its minimum; of TGS
that of its last substep). Prints a table of what is reached within so many microseconds; --plot writes the curves as a
picture.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from solver import bin_of_boxes

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "scripts"))
from output_file import write_text

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLOURS = {"Newton": "#1b6ca8", "CG": "#c8553d", "PGS": "#4c956c", "TGS": "#8a5a9e"}
BUDGETS = (30, 100, 300, 1000, 3000, 10000, 30000)  # us


def chain_of_links(coupling, count=20):
    """Links that fall across a bar; every joint turns as the one before it."""
    body, end = "", ""
    for i in range(count):
        place = ' pos="0 0 1"' if i == 0 else ' pos=".1 0 0"'
        body += (
            f'<body{place}><joint name="j{i}" axis="0 1 0" damping=".01"/>'
            '<geom type="capsule" fromto="0 0 0 .1 0 0" size=".02" mass=".1"/>'
        )
        end += "</body>"
    bar = '<geom type="cylinder" fromto=".7 -.5 .9 .7 .5 .9" size=".05"/>'
    return (
        f'<mujoco><option timestep=".002" cone="elliptic"/><worldbody>{bar}{body}{end}</worldbody>'
        f"<equality>{''.join(coupling(i) for i in range(1, count))}</equality></mujoco>"
    )


def mimic(mode):
    return lambda i: f'<mimic joint1="j{i}" joint2="j{i - 1}" gear="-1" {mode}/>'


# (exact mimics have no rows: nothing that a solver could leave a residual in)
SCENES = {
    "bin of 125 boxes": (bin_of_boxes, 1.0, 60),
    "20 links, soft mimics": (lambda: chain_of_links(mimic('mode="soft" naturalfreq="100" dampratio="1"')), 0.5, 60),
    "20 links, hard mimics": (lambda: chain_of_links(mimic('mode="hard"')), 0.5, 60),
}


def curves(xml, after, iterations):
    """Solver → (times in us, gaps), and what `pliant solvers` says of the state."""
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(xml)
        file.flush()
        command = [
            ROOT / "build" / "pliant",
            "solvers",
            file.name,
            "--after",
            str(after),
            "--curve",
            str(iterations),
            "--json",
        ]
        result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return result, {row["solver"]: (row["times"], row["gaps"]) for row in result["solvers"]}


def reached(times, gaps, budget):
    """The residual of the best run within the budget; None if none is."""
    within = [gap for time, gap in zip(times, gaps) if time <= budget]
    return min(within) if within else None


def table(all_results):
    """One table of all states, as docs/physics.md has it."""
    print("| state | solver | per iteration | " + " | ".join(f"{b} µs" for b in BUDGETS) + " |")
    print("|---" * (3 + len(BUDGETS)) + "|")
    for name, (result, found) in all_results.items():
        title = f"{name}: {result['dofs']} dofs, {result['rows']} rows, {result['contacts']} contacts"
        for solver, (times, gaps) in found.items():
            # (the difference of two or three runs says more about the clock than about an iteration)
            per = f"{(times[-1] - times[0]) / (len(times) - 1):.1f} µs" if len(times) > 3 else "–"
            cells, last = [], None
            for budget in BUDGETS:
                best = reached(times, gaps, budget)
                cells.append("–" if best is None else "" if best == last and max(times) < budget else f"{best:.0e}")
                last = best
            note = " (4 sweeps)" if solver == "TGS" else ""
            print(f"| {title} | {solver} | {per}{note} | " + " | ".join(cells) + " |")
            title = ""


def picture(all_found):
    """Panels side by side, both axes logarithmic."""
    wide, high, left, top, low = 330, 300, 52, 34, 1e-16
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide * len(all_found)} {high + 30}" '
        f'font-family="sans-serif" font-size="11">'
    ]
    for k, (name, found) in enumerate(all_found.items()):
        times = [t for ts, _ in found.values() for t in ts]
        t0, t1 = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
        g1 = math.ceil(math.log10(max(max(g for g in gs) for _, gs in found.values())))
        g0 = math.log10(low)

        def x(t):
            return k * wide + left + (wide - left - 12) * (math.log10(t) - t0) / (t1 - t0)

        def y(g):
            return top + (high - top - 24) * (g1 - math.log10(max(g, low))) / (g1 - g0)

        out.append(f'<text x="{k * wide + left}" y="20" font-size="13">{name}</text>')
        for e in range(int(g0), g1 + 1, 4):
            out.append(
                f'<line x1="{x(10**t0):.0f}" x2="{x(10**t1):.0f}" y1="{y(10.0**e):.0f}" y2="{y(10.0**e):.0f}" '
                f'stroke="#ddd"/>'
            )
            out.append(f'<text x="{k * wide + 6}" y="{y(10.0**e) + 4:.0f}">1e{e}</text>')
        for e in range(t0, t1 + 1):
            out.append(f'<text x="{x(10**e) - 8:.0f}" y="{high}">{10**e:g}</text>')
        out.append(f'<text x="{k * wide + wide / 2:.0f}" y="{high + 18}">solver [µs]</text>')
        for i, (solver, (ts, gs)) in enumerate(found.items()):
            points = " ".join(f"{x(t):.1f},{y(g):.1f}" for t, g in zip(ts, gs))
            out.append(f'<polyline fill="none" stroke-width="1.8" stroke="{COLOURS[solver]}" points="{points}"/>')
            if k == 0:
                out.append(f'<text x="{left + 14 + 60 * i}" y="{high - 32}" fill="{COLOURS[solver]}">{solver}</text>')
    return "\n".join(out) + "</svg>\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plot", type=pathlib.Path, help="write the curves to this SVG file")
    parser.add_argument("--only", help="scenes whose names contain this")
    args = parser.parse_args()
    all_results = {}
    for name, (make, after, iterations) in SCENES.items():
        if args.only and args.only not in name:
            continue
        all_results[name] = curves(make(), after, iterations)
    table(all_results)
    if args.plot:
        write_text(args.plot, picture({name: found for name, (_, found) in all_results.items()}))


if __name__ == "__main__":
    main()
