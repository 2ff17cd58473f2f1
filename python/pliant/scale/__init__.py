"""More machines than one: rollouts, environments, sweeps and system identification on a Ray cluster.

    result = pliant.rollout(model, states, controls, ray=True)      # the same bits as without
    envs = pliant.envs.VecEnv("cheetah.xml", 4096, reward, ray=True)

    with pliant.scale.Cluster(workers=8) as cluster:                # or say how many workers, and where
        swept = pliant.scale.sweep(model, {"geom_friction[foot][0]": [0.4, 0.8, 1.2]}, nstep=1000, ray=cluster)
        found = pliant.scale.identify(model, measured, {"body_mass[arm]": (0.5, 3)}, nstep=500, ray=cluster)

Ray is an extra: pip install 'pliant[ray]'. sweep() and identify() work without it too, on the cores of this machine.
docs/cluster.md has what it costs, and what happens when a worker dies.
"""

from ._cluster import Cluster, ClusterError, Progress, Report
from ._identify import Identification, identify
from ._sweep import Sweep, start_state, sweep

__all__ = [
    "Cluster",
    "ClusterError",
    "Identification",
    "Progress",
    "Report",
    "Sweep",
    "identify",
    "start_state",
    "sweep",
]
