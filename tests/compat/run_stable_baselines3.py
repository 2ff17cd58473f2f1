"""stable-baselines3: PPO learns for some steps. It needs torch, which requirements-compat-packages.txt leaves out (5 GB
with the libraries for GPUs that its wheel brings): PYTHONPATH may name a folder that has it.
"""

import numpy as np
import stable_baselines3
import torch

PACKAGE = "stable-baselines3"


def runs(steps):
    for name in "InvertedPendulum-v5 Hopper-v5".split():
        yield f"PPO {name}", lambda name=name: learn(name, steps)


def learn(name, steps):
    """Parameters of the policy after learning: all rollouts are in them."""
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = stable_baselines3.PPO("MlpPolicy", name, n_steps=64, batch_size=64, n_epochs=2, seed=0, device="cpu")
    model.learn(max(steps, 64))
    parameters = np.concatenate([p.detach().numpy().ravel() for p in model.policy.parameters()])
    if not np.isfinite(parameters).all():
        raise ValueError("a parameter is not finite")
    return parameters.astype(float)
