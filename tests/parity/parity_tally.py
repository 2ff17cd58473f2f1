"""What the parity tests saw of each model, added up over the processes that ran them, and a summary."""

import dataclasses
import textwrap

MOST_ROWS = 25  # of the table of errors


@dataclasses.dataclass
class Tally:
    """What happened to each model."""

    compared: dict = dataclasses.field(default_factory=dict)  # name: Comparison
    out_of_scope: dict = dataclasses.field(default_factory=dict)  # name: reason
    refused: dict = dataclasses.field(default_factory=dict)  # name: message of the reference
    stages: dict = dataclasses.field(default_factory=dict)  # name: {(stage, field): Difference}
    trajectories: dict = dataclasses.field(default_factory=dict)  # (name, integrator): (error, steps)

    def add(self, other):
        for field in dataclasses.fields(self):
            getattr(self, field.name).update(getattr(other, field.name))


def summarise_dynamics(tally, write):
    """One table, worst first."""
    worst = {}
    for name, found in tally.stages.items():
        for key, difference in found.items():
            if key not in worst or difference.error > worst[key][0].error:
                worst[key] = (difference, name)
    rows = sorted(worst.items(), key=lambda item: -item[1][0].error)
    write(f"{len(tally.stages)} models compared stage by stage; worst error of each field, worst first:")
    for (stage, field), (difference, name) in rows[:MOST_ROWS]:
        write(f"  {difference.error:8.1e}  {stage}: {field}  ({name})")
    by_integrator = {}
    for (name, integrator), (error, steps) in tally.trajectories.items():
        by_integrator.setdefault(integrator, []).append((error, steps, name))
    for integrator, runs in by_integrator.items():
        error, steps, name = max(runs)
        write(f"trajectories, {integrator}: {len(runs)}, worst error {error:.1e} over {steps} steps ({name})")


def summarise(tally, terminalreporter):
    if tally.stages or tally.trajectories:
        terminalreporter.section("parity of dynamics")
        summarise_dynamics(tally, terminalreporter.write_line)
    if not (tally.compared or tally.out_of_scope or tally.refused):
        return
    write = terminalreporter.write_line
    terminalreporter.section("parity of models")
    results = tally.compared
    equal = [name for name, result in results.items() if not result.differences]
    write(f"{len(results)} models compared, {len(equal)} equal, "
          f"{sum(result.fields for result in results.values())} fields compared")  # fmt: skip
    if equal:
        worst = max(equal, key=lambda name: results[name].worst)
        result = results[worst]
        place = f" ({result.worst_field} in {worst})" if result.worst > 0 else ""
        write(f"worst relative error of the equal ones: {result.worst:.3g}{place}")
    pending = {}
    for result in results.values():
        for field in result.pending:
            pending[field] = pending.get(field, 0) + 1
    listed = ", ".join(f"{field} ({count})" for field, count in sorted(pending.items()))
    write("\n".join(textwrap.wrap(f"pending fields (in how many models): {listed or 'none'}", 118)))
    by_reason = {}
    for name, reason in tally.out_of_scope.items():
        by_reason.setdefault(reason, []).append(name)
    write(f"out of scope: {len(tally.out_of_scope)} models")
    for reason, names in sorted(by_reason.items()):
        write(f"  {reason}: {len(names)}")
        for line in textwrap.wrap(", ".join(names), 114):
            write(f"    {line}")
    write(f"refused by the reference: {len(tally.refused)} files")
    if terminalreporter.verbosity > 0:
        for name, message in tally.refused.items():
            write(f"  {name}: {message.splitlines()[0]}")
