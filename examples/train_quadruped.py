#!/usr/bin/env python3
"""Teaches the quadruped of models/ to walk, with PPO in plain torch, in one file.

    python examples/train_quadruped.py                        on a GPU, 8192 worlds
    python examples/train_quadruped.py --device cpu --worlds 64 --iterations 3

Worlds, observations, rewards, resets, network and optimiser are on one device; nothing is copied to the host but the
numbers that are printed. The policy gives targets for the servos of the twelve joints, 50 times per second. The reward
is for moving forward at `--speed`, straight on, with little effort; an episode ends when the trunk is low or tilted.

PPO: Schulman et al., "Proximal Policy Optimization Algorithms" (2017), with generalised advantage estimation (Schulman
et al., 2015) and a learning rate that follows the divergence between old and new policy, as is usual for robots in many
worlds (Rudin et al., "Learning to Walk in Minutes Using Massively Parallel Deep Reinforcement Learning", 2021).
"""

import argparse
import itertools
import json
import math
import pathlib
import time

import torch
from torch import nn

import pliant
from pliant.envs import AutoresetMode, VecEnv

ROOT = pathlib.Path(__file__).resolve().parent.parent
ACTION_SCALE = 0.4  # rad: servo targets are the standing pose and so much times the action
SERVOS = '<position kp="40" kv="1" forcerange="-25 25" inheritrange="1"/>'
FRAME_SKIP = 10  # timesteps per action
LEAST_HEIGHT, LEAST_UPRIGHT = 0.18, 0.5


# ---- the task --------------------------------------------------------------------------------------


def load_model():
    """The quadruped, its motors made servos."""
    text = (ROOT / "models" / "quadruped.xml").read_text()
    text = text.replace('<motor ctrlrange="-25 25"/>', SERVOS).replace("<motor name", "<position name")
    model = pliant.load_string(text)
    model.opt.tolerance = 1e-6
    return model


class Task:
    """Reward, observation, end and start of an episode; all of them functions of tensors with a row per world."""

    def __init__(self, model, speed):
        self.model, self.speed = model, speed
        self.stand = torch.tensor(model.key_qpos[0][7:], dtype=torch.float32)
        self.dt = model.opt.timestep * FRAME_SKIP
        self.command = None  # actions of this step and the one before, which the environment does not know

    def to(self, device):
        self.stand = self.stand.to(device)
        return self

    def begin(self, num_envs):
        zeros = torch.zeros(num_envs, self.model.nu, device=self.stand.device)
        self.command = [zeros, zeros.clone()]

    def targets(self, action):
        """Angles for the servos."""
        self.command = [action, self.command[0]]
        return self.stand + ACTION_SCALE * action

    @staticmethod
    def in_trunk(quat, v):
        """A vector of the world in the trunk's axes."""
        w, u = quat[:, :1], -quat[:, 1:]
        t = 2 * torch.linalg.cross(u, v)
        return v + w * t + torch.linalg.cross(u, t)

    @staticmethod
    def up(quat):
        """The world's z axis in the trunk's axes."""
        w, x, y, z = quat.unbind(1)
        return torch.stack((2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)), 1)

    def observation(self, worlds):
        qpos, qvel = worlds.qpos.float(), worlds.qvel.float()
        quat = qpos[:, 3:7]
        return torch.cat((
            qpos[:, 2:3], self.up(quat), self.in_trunk(quat, qvel[:, :3]), 0.25 * qvel[:, 3:6],
            qpos[:, 7:] - self.stand, 0.05 * qvel[:, 6:], self.command[0],
        ), 1)  # fmt: skip

    def reward(self, worlds, action, before):
        quat, qvel = worlds.qpos[:, 3:7].float(), worlds.qvel.float()
        v = self.in_trunk(quat, qvel[:, :3])
        follows = torch.exp(-((v[:, 0] - self.speed) ** 2 + v[:, 1] ** 2) / 0.25)
        turns = torch.exp(-(qvel[:, 5] ** 2) / 0.25)
        effort = worlds.actuator_force.float().square().sum(1)
        hurry = (self.command[0] - self.command[1]).square().sum(1)
        upright = self.up(quat)[:, 2]
        per_second = (
            1.0 * follows + 0.5 * turns + 0.3 * upright
            - 2.0 * v[:, 2] ** 2 - 0.05 * qvel[:, 3:5].square().sum(1) - 2e-4 * effort - 0.01 * hurry
        )  # fmt: skip
        return per_second * self.dt

    def metres(self, observation):
        """How far a world came in the step before an observation, in which the forward speed is number 4."""
        return observation[:, 4] * self.dt

    def terminated(self, worlds):
        low = worlds.qpos[:, 2] < LEAST_HEIGHT
        return low | (self.up(worlds.qpos[:, 3:7])[:, 2] < LEAST_UPRIGHT)

    @staticmethod
    def initial(generator, qpos, qvel):
        """Near the standing pose."""
        noise = torch.rand(qpos.shape, generator=generator, dtype=qpos.dtype, device=qpos.device) - 0.5
        noise[:, :7] = 0
        push = torch.randn(qvel.shape, generator=generator, dtype=qvel.dtype, device=qvel.device)
        return qpos + 0.2 * noise, qvel + 0.1 * push


# ---- the learner -----------------------------------------------------------------------------------


class Policy(nn.Module):
    """A Gaussian policy and a value, with a running normalisation of what they see."""

    def __init__(self, inputs, outputs):
        super().__init__()

        def layers(*sizes):
            hidden = (part for a, b in itertools.pairwise(sizes[:-1]) for part in (nn.Linear(a, b), nn.ELU()))
            return nn.Sequential(*hidden, nn.Linear(*sizes[-2:]))

        self.actor, self.critic = layers(inputs, 256, 128, 64, outputs), layers(inputs, 256, 128, 64, 1)
        self.log_std = nn.Parameter(torch.full((outputs,), math.log(0.6)))
        self.register_buffer("mean", torch.zeros(inputs))
        self.register_buffer("square", torch.ones(inputs))
        self.register_buffer("seen", torch.tensor(1e-4))
        with torch.no_grad():
            self.actor[-1].weight.mul_(0.01)

    def look(self, observation):
        """Takes observations into the normalisation."""
        n = observation.shape[0]
        weight = n / (self.seen + n)
        self.mean += weight * (observation.mean(0) - self.mean)
        self.square += weight * (observation.square().mean(0) - self.square)
        self.seen += n

    def normalised(self, observation):
        std = (self.square - self.mean**2).clamp_min(1e-4).sqrt()
        return ((observation - self.mean) / std).clamp(-10, 10)

    def forward(self, observation):
        x = self.normalised(observation)
        return self.actor(x), self.log_std.exp(), self.critic(x)[:, 0]


def log_probability(action, mean, std):
    return (-0.5 * ((action - mean) / std) ** 2 - std.log() - 0.5 * math.log(2 * math.pi)).sum(-1)


def advantages(reward, value, last_value, ended, gamma, lam):
    """Generalised advantage estimation; rewards of truncated episodes contain the value that was cut off."""
    result, later = torch.zeros_like(reward), torch.zeros_like(last_value)
    for t in reversed(range(reward.shape[0])):
        goes_on = 1 - ended[t]
        delta = reward[t] + gamma * last_value * goes_on - value[t]
        later = delta + gamma * lam * goes_on * later
        result[t], last_value = later, value[t]
    return result


class Learner:
    def __init__(self, policy, options):
        self.policy, self.options = policy, options
        self.rate = torch.tensor(options.rate, device=policy.log_std.device)  # changes without asking the host
        self.optimizer = torch.optim.Adam(policy.parameters(), lr=self.rate, fused=True)

    def update(self, batch):
        """One iteration of PPO over all that was collected."""
        o = self.options
        n = batch["action"].shape[0]
        advantage = batch["advantage"]
        batch["advantage"] = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        for _ in range(o.epochs):
            order = torch.randperm(n, device=advantage.device)
            for part in order.chunk(o.minibatches):
                self.descend({name: values[part] for name, values in batch.items()})

    def descend(self, b):
        o = self.options
        mean, std, value = self.policy(b["observation"])
        with torch.no_grad():
            # divergence of the old policy from the new one
            kl = (
                ((std / b["std"]).log() + (b["std"] ** 2 + (b["mean"] - mean) ** 2) / (2 * std**2) - 0.5).sum(-1).mean()
            )
            slower, faster = kl > 2 * o.divergence, kl < 0.5 * o.divergence
            self.rate *= torch.where(slower, 1 / 1.5, torch.where(faster, 1.5, 1.0))
            self.rate.clamp_(1e-5, 1e-2)
        ratio = (log_probability(b["action"], mean, std) - b["log_probability"]).exp()
        clipped = ratio.clamp(1 - o.clip, 1 + o.clip)
        policy_loss = -torch.minimum(ratio * b["advantage"], clipped * b["advantage"]).mean()
        value_loss = (value - b["return"]).square().mean()
        entropy = std.log().sum()
        loss = policy_loss + value_loss - o.entropy * entropy
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.optimizer.step()


# ---- training --------------------------------------------------------------------------------------


class Books:
    """Returns and lengths of episodes, on the device until they are printed."""

    def __init__(self, num_envs, device):
        self.now = torch.zeros(3, num_envs, device=device)  # return, steps, metres
        self.sums, self.episodes = torch.zeros(3, device=device), torch.zeros((), device=device)

    def add(self, reward, metres, ended):
        self.now += torch.stack((reward, torch.ones_like(reward), metres))
        self.sums += (self.now * ended).sum(1)
        self.episodes += ended.sum()
        self.now *= 1 - ended

    def mean(self):
        episodes = max(1.0, self.episodes.item())
        result = (self.sums / episodes).tolist()
        count = self.episodes.item()
        self.sums.zero_(), self.episodes.zero_()
        return result, count


def collect(env, task, policy, observation, books, options):
    """`horizon` steps of all worlds under the policy."""
    keys = ("observation", "action", "mean", "std", "log_probability", "value", "reward", "ended")
    rows = {key: [] for key in keys}
    for _ in range(options.horizon):
        policy.look(observation)
        mean, std, value = policy(observation)
        std = std.expand_as(mean)
        action = mean + std * torch.randn_like(mean)
        after, reward, terminated, truncated, info = env.step(task.targets(action))
        reward = reward.float().masked_fill(info["fault"] != 0, 0)
        ended = (terminated | truncated).float()
        # an episode that is only cut off would have gone on: its value is part of the reward
        last = info["final_obs"].float()
        whole = reward + options.gamma * policy(last)[2] * (truncated & ~terminated).float()
        books.add(reward, task.metres(last), ended)
        chance = log_probability(action, mean, std)
        for key, values in zip(keys, (observation, action, mean, std, chance, value, whole, ended), strict=True):
            rows[key].append(values)
        observation = after.float()
    rows = {key: torch.stack(values) for key, values in rows.items()}
    gained = advantages(
        rows.pop("reward"), rows["value"], policy(observation)[2], rows.pop("ended"), options.gamma, options.lam
    )
    rows["advantage"], rows["return"] = gained, gained + rows.pop("value")
    return {key: values.flatten(0, 1) for key, values in rows.items()}, observation


def train(options):
    torch.manual_seed(options.seed)
    device = torch.device(options.device)
    model = load_model()
    task = Task(model, options.speed).to(device)
    task.begin(options.worlds)
    env = VecEnv(
        model, options.worlds, task.reward, observation=task.observation, terminated=task.terminated,
        initial=task.initial, frame_skip=FRAME_SKIP, max_episode_steps=round(options.episode / task.dt),
        autoreset_mode=AutoresetMode.SAME_STEP, keyframe=0, outputs=("actuator_force",), device=options.device,
        arrays="torch",
    )  # fmt: skip
    observation = env.reset(seed=options.seed)[0].float()
    # episodes of all worlds began together; ages are spread so that they do not end together
    env.elapsed.copy_(torch.randint(env.max_episode_steps, (options.worlds,), device=device))
    policy = Policy(observation.shape[1], model.nu).to(device)
    learner, books = Learner(policy, options), Books(options.worlds, device)
    curve, start, steps = [], time.perf_counter(), 0
    print("iteration  seconds  million steps  return  episode [s]  metres per episode")
    for iteration in range(1, options.iterations + 1):
        with torch.no_grad():
            batch, observation = collect(env, task, policy, observation, books, options)
        learner.update(batch)
        steps += options.worlds * options.horizon
        if iteration % options.every and iteration != options.iterations:
            continue
        (mean_return, length, metres), episodes = books.mean()
        seconds = time.perf_counter() - start
        curve.append({"iteration": iteration, "seconds": seconds, "steps": steps, "return": mean_return,
                      "episodes": episodes, "episode_seconds": length * env.dt, "metres": metres})  # fmt: skip
        print(f"{iteration:9d}  {seconds:7.1f}  {steps / 1e6:13.2f}  {mean_return:6.2f}  {length * env.dt:11.2f}  "
              f"{metres:6.2f}", flush=True)  # fmt: skip
        if options.until and episodes and mean_return >= options.until:
            break
    if options.save:
        torch.save(policy.state_dict(), options.save)
    if options.curve:
        pathlib.Path(options.curve).write_text(json.dumps(curve, indent=1))
    return curve


def parse(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--worlds", type=int, default=8192)
    parser.add_argument("--iterations", type=int, default=300)
    parser.add_argument("--until", type=float, default=0, help="stop when the mean return of episodes is so much")
    parser.add_argument("--speed", type=float, default=0.8, help="wanted speed [m/s]")
    parser.add_argument("--episode", type=float, default=20, help="seconds after which an episode is cut off")
    parser.add_argument("--horizon", type=int, default=24)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--minibatches", type=int, default=4)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--gamma", type=float, default=0.99)
    parser.add_argument("--lam", type=float, default=0.95)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.005)
    parser.add_argument("--divergence", type=float, default=0.01)
    parser.add_argument("--every", type=int, default=10, help="iterations between lines")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", help="file for the policy")
    parser.add_argument("--curve", help="file for the curve, JSON")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    train(parse())
