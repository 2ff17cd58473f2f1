"""Workers of a Ray cluster: who they are, what they keep, and how chunks of work get to them and back.

A chunk is a pure function of what is sent with it. So it does not matter who does it, nor how often it is begun: a
worker that dies takes its chunks with it, they go to others, and the result has the same bits.
"""

import collections
import dataclasses
import hashlib
import math
import os
import sys
import time
import typing

_MOST_TRIES = 5  # of a chunk whose workers die: then the chunk is to blame
_IN_FLIGHT = 2  # chunks per worker: one that is worked on, one that waits there
_START_SECONDS = 120  # until the first worker must have started


class ClusterError(RuntimeError):
    """The cluster cannot do the work: no worker started, or one chunk has ended several of them."""


class Progress(typing.NamedTuple):
    """What a function given as `progress` gets after every chunk."""

    what: str  # "rollout", "sweep" …
    done: int  # worlds that are finished
    total: int
    seconds: float  # since the call began
    left: float  # seconds still to go, at this rate
    workers: int  # that are alive
    moved: int  # chunks that were begun again by another worker

    def __str__(self):
        moved = f", {self.moved} chunks moved" if self.moved else ""
        return (
            f"{self.what}: {self.done} of {self.total} worlds, {self.seconds:.1f} s, about {self.left:.0f} s left, "
            f"{self.workers} workers{moved}"
        )


@dataclasses.dataclass
class Report:
    """What a call on a cluster cost."""

    workers: int = 0  # at the end
    threads: int = 0  # of each
    worlds: int = 0
    chunks: int = 0
    moved: int = 0  # chunks whose worker died
    seconds: float = 0  # of the call, from the first worker that is ready to the last result
    there: float = 0  # seconds that workers were there during the call, all together
    busy: float = 0  # of which they computed
    waited: float = 0  # of which they had nothing to do, since the last chunks were being worked on by others
    models: int = 0  # that were put into the object store by this call
    model_bytes: int = 0
    chunk_seconds: list = dataclasses.field(default_factory=list, repr=False)  # of every chunk

    @property
    def overhead(self):
        """The part of the workers' time that was spent neither computing nor waiting for the last chunks: sending,
        fetching, handing out. 0.05 is 5 %."""
        used = self.there - self.waited
        return max(0.0, 1 - self.busy / used) if used > 0 else 0.0


def import_ray():
    """Ray, or an ImportError that says how to get it."""
    try:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        # Ray makes workers of a cluster that is started here nicer than their parent: beside other work they starve
        os.environ.setdefault("RAY_worker_niceness", "0")
        # chunks that were under way when a call ended with an error are nobody's any more
        os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")
        import ray
    except ImportError as error:
        raise ImportError("pliant.scale needs Ray, which is not installed: pip install 'pliant[ray]'") from error
    return ray


class Shared:
    """Something that many chunks need, in the object store: workers fetch it once, and keep it by its hash."""

    def __init__(self, key, ref, kind):
        self.key, self.kind = key, kind
        self.ref = [ref]  # (in a list: Ray would fetch an argument that is a reference before every call)


class Worker:
    """One process of the cluster."""

    _MOST_KEPT = 64

    def __init__(self, threads):
        self.threads = threads
        self.kept = collections.OrderedDict()
        self.env = None

    def hello(self):
        return os.getpid()

    def get(self, shared):
        """What was shared; fetched when it is seen for the first time."""
        if shared.key not in self.kept:
            ray = import_ray()
            content = ray.get(shared.ref[0])
            if shared.kind == "model":
                from .. import Model

                model = Model.__new__(Model)
                model.__setstate__(bytes(content))
                content = model
            self.kept[shared.key] = content
            while len(self.kept) > self._MOST_KEPT:
                self.kept.popitem(last=False)
        self.kept.move_to_end(shared.key)
        return self.kept[shared.key]

    def work(self, function, arguments):
        """(result, seconds) of function(worker, **arguments)."""
        start = time.perf_counter()
        result = function(self, **arguments)
        return result, time.perf_counter() - start


class _Member:
    """A worker as the driver sees it."""

    def __init__(self, actor, hello):
        self.actor, self.hello = actor, hello
        self.pid = None  # known when it is ready
        self.chunks = []  # sent to it, in order
        self.ready_since = self.idle_since = None


class Cluster:
    """Workers on a Ray cluster: one that runs (`address`, or RAY_ADDRESS in the environment), or one on this machine.

    workers        how many; by default one per machine of the cluster, with all its cores as threads
    threads        of each worker; by default 1 where `workers` is given
    address        of a cluster, as ray.init() takes it; None: the one of RAY_ADDRESS, or a new one on this machine
    chunk_seconds  how long a chunk of work should take

    The workers that ray=True has started end when a Cluster is made: they have all places.
    A worker that dies is replaced; its chunks go to others. `close()` (or the end of a `with` block) ends the workers,
    and the cluster if it was started here.
    """

    def __init__(self, workers=None, *, threads=None, address=None, chunk_seconds=1.0):
        for name, value in (("workers", workers), ("threads", threads)):
            if value is not None and (not isinstance(value, int) or value < 1):
                raise ValueError(f"Cluster(): {name} should be a whole number from 1 on, not {value!r}")
        if not chunk_seconds > 0:
            raise ValueError(f"Cluster(): chunk_seconds should be more than 0, not {chunk_seconds!r}")
        release_default()
        self.ray = ray = import_ray()
        self.chunk_seconds = chunk_seconds
        self._owns_ray = not ray.is_initialized()
        if self._owns_ray:
            local = address is None and not os.environ.get("RAY_ADDRESS")
            # a cluster of our own has as many places as are asked for, be it more than there are cores
            places = {"num_cpus": max(os.cpu_count() or 1, (workers or 1) * (threads or 1))} if local else {}
            ray.init(address=address, include_dashboard=False if local else None, log_to_driver=False,
                     logging_level="ERROR", **places)  # fmt: skip
        self._places = self._plan(workers, threads)
        self.threads = self._places[0][1]
        self._shared = {}
        self._put_now = [0, 0]  # models put since the last report, and their bytes
        self._members = [self._start(place) for place in self._places]
        self._closed = False

    def _plan(self, workers, threads):
        """(node or None, threads) of every worker."""
        nodes = [node for node in self.ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
        if not nodes:
            raise ClusterError("the Ray cluster has no machine with a free CPU")
        if workers is None:
            return [(node["NodeID"], threads or int(node["Resources"]["CPU"])) for node in nodes]
        threads = threads or 1
        there = sum(int(node["Resources"]["CPU"]) // threads for node in nodes)
        if workers > there:
            raise ClusterError(
                f"{workers} workers of {threads} threads do not fit into the cluster: its {len(nodes)} machines have "
                f"room for {there}"
            )
        return [(None, threads)] * workers

    def _start(self, place):
        node, threads = place
        options = {"num_cpus": threads, "max_restarts": 0, "scheduling_strategy": "SPREAD"}
        if node is not None:
            from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

            options["scheduling_strategy"] = NodeAffinitySchedulingStrategy(node, soft=True)
        actor = self.ray.remote(Worker).options(**options).remote(threads)
        return _Member(actor, actor.hello.remote())

    # ---- life --------------------------------------------------------------------------------

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the workers, and a cluster that was started here."""
        if self._closed:
            return
        self._closed = True
        for member in self._members:
            self.ray.kill(member.actor)
        self._members, self._shared = [], {}
        if self._owns_ray:
            self.ray.shutdown()

    @property
    def is_open(self):
        """Whether it can still work: not closed, and Ray was not shut down by others."""
        return not self._closed and self.ray.is_initialized()

    def __repr__(self):
        return f"<Cluster: {len(self._members)} workers of {self.threads} threads>"

    @property
    def worker_pids(self):
        """Process numbers of the workers that have started."""
        return [member.pid for member in self._members if member.pid is not None]

    def wait(self):
        """Waits until all workers have started; returns the cluster."""
        for member in self._members:
            member.pid = self.ray.get(member.hello, timeout=_START_SECONDS)
            member.ready_since = time.perf_counter()
        return self

    # ---- what workers share ------------------------------------------------------------------

    def share_model(self, model):
        """The model in the object store, once for all calls, by the hash of its numbers."""
        content = bytes(model.__getstate__())
        key = "model " + hashlib.sha256(content).hexdigest()
        if key not in self._shared:
            self._shared[key] = Shared(key, self.ray.put(content), "model")
            self._put_now = [self._put_now[0] + 1, self._put_now[1] + len(content)]
        return self._shared[key]

    def share(self, content):
        """Anything else, for one call."""
        return Shared(f"object {id(content)} {time.monotonic_ns()}", self.ray.put(content), "object")

    # ---- work --------------------------------------------------------------------------------

    def do(self, what, total, function, arguments_of, take, progress=False):
        """function(worker, **arguments_of(first, end)) for chunks first … end of 0 … total, in any order, by any
        worker; take(first, end, result) is called here with each result, once. Returns a Report."""
        if not self.is_open:
            raise ClusterError(f"{what}: the cluster is closed")
        return _Work(self, what, total, function, arguments_of, take, progress).run()


class _Work:
    """One call of Cluster.do."""

    def __init__(self, cluster, what, total, function, arguments_of, take, progress):
        self.cluster, self.ray, self.what, self.total = cluster, cluster.ray, what, total
        self.function, self.arguments_of, self.take = cluster.ray.put(function), arguments_of, take
        self.show = _shower(progress)
        self.next, self.done = 0, 0
        self.again = collections.deque()  # (first, end) of chunks whose worker died
        self.tries = collections.Counter()
        self.flight = {}  # reference of a result: (member, first, end)
        self.world_seconds = None  # of one world on one worker, as seen so far
        self.report = Report(threads=cluster.threads, worlds=total)
        self.start = None
        self.not_started = 0

    def run(self):
        for member in self.cluster._members:
            member.idle_since = None
        if self.cluster.worker_pids:
            self.start = time.perf_counter()
        try:
            while self.done < self.total:
                self.hand_out()
                self.wait_for_one()
        except BaseException:
            self.give_up()
            raise
        end = time.perf_counter()
        report = self.report
        report.workers = len([member for member in self.cluster._members if member.pid is not None])
        report.seconds = end - self.start
        report.there += sum(self.presence(member, end) for member in self.cluster._members)
        report.waited = sum(end - m.idle_since for m in self.cluster._members if m.idle_since is not None)
        report.models, report.model_bytes = self.cluster._put_now
        self.cluster._put_now = [0, 0]
        return report

    def presence(self, member, until):
        """Seconds of this call that a worker was there."""
        return until - max(self.start, member.ready_since) if member.ready_since is not None else 0.0

    def give_up(self):
        """The chunks under way are of no use any more. (Ctrl-C, or an error in a function of the user.)"""
        for ref in self.flight:
            self.ray.cancel(ref)
        for member in self.cluster._members:
            member.chunks = []

    def next_chunk(self):
        if self.again:
            return self.again.popleft()
        left = self.total - self.next
        if left == 0:
            return None
        ready = max(1, sum(member.pid is not None for member in self.cluster._members))
        if self.world_seconds is None:
            size = self.cluster.threads  # to see how long it takes
        else:
            # equal chunks of about the wanted length, as many for each worker
            rounds = max(1, round(left * self.world_seconds / (self.cluster.chunk_seconds * ready)))
            size = math.ceil(left / (rounds * ready))
        first, self.next = self.next, min(self.total, self.next + size)
        return first, self.next

    def hand_out(self):
        now = time.perf_counter()
        for depth in range(1, _IN_FLIGHT + 1):
            for member in self.cluster._members:
                if member.pid is None or len(member.chunks) >= depth:
                    continue
                # while nothing is known about the time that a world takes, one chunk each is enough
                if depth > 1 and self.world_seconds is None:
                    continue
                chunk = self.next_chunk()
                if chunk is None:
                    if not member.chunks and member.idle_since is None:
                        member.idle_since = now
                    continue
                member.idle_since = None
                ref = member.actor.work.remote(self.function, self.arguments_of(*chunk))
                member.chunks.append(ref)
                self.flight[ref] = (member, *chunk)

    def wait_for_one(self):
        starting = {member.hello: member for member in self.cluster._members if member.pid is None}
        ready, _ = self.ray.wait([*self.flight, *starting], num_returns=1, timeout=_START_SECONDS)
        if not ready and not self.flight:
            raise ClusterError(f"{self.what}: no worker has started within {_START_SECONDS} s; is the cluster full?")
        for ref in ready:
            if ref in starting:
                self.welcome(starting[ref])
            else:
                self.collect(ref)

    def welcome(self, member):
        try:
            member.pid = self.ray.get(member.hello)
        except self.ray.exceptions.RayError as error:
            self.not_started += 1
            if self.not_started >= _MOST_TRIES:
                raise ClusterError(f"{self.what}: {_MOST_TRIES} workers could not be started: {error}") from None
            self.replace(member)
            return
        member.ready_since = time.perf_counter()
        if self.start is None:
            self.start = member.ready_since

    def collect(self, ref):
        member, first, end = self.flight[ref]
        try:
            result, seconds = self.ray.get(ref)
        except self.ray.exceptions.RayTaskError as error:
            raise error.as_instanceof_cause() from None
        except self.ray.exceptions.RayError as error:  # the worker, its machine or the result is gone
            self.bury(member, error)
            return
        del self.flight[ref]
        member.chunks.remove(ref)
        self.hand_out()  # before the result is looked at: workers do not wait for that
        self.take(first, end, result)
        self.done += end - first
        self.report.chunks += 1
        self.report.busy += seconds
        self.report.chunk_seconds.append(seconds)
        each = seconds / (end - first)
        self.world_seconds = each if self.world_seconds is None else 0.5 * (self.world_seconds + each)
        if self.show:
            spent = time.perf_counter() - self.start
            left = spent / self.done * (self.total - self.done)
            alive = sum(m.pid is not None for m in self.cluster._members)
            self.show(Progress(self.what, self.done, self.total, spent, left, alive, self.report.moved))

    def bury(self, member, error):
        """A worker is dead: what it had begun is begun again, and another takes its place."""
        for ref in member.chunks:
            _, first, end = self.flight.pop(ref)
            self.tries[first] += ref == member.chunks[0]
            if self.tries[first] >= _MOST_TRIES:
                raise ClusterError(
                    f"{self.what}: worlds {first} … {end - 1} have ended {_MOST_TRIES} workers, the last with: {error}"
                )
            self.again.append((first, end))
            self.report.moved += 1
        self.report.there += self.presence(member, time.perf_counter())
        self.replace(member)

    def replace(self, member):
        at = self.cluster._members.index(member)
        self.ray.kill(member.actor)
        self.cluster._members[at] = self.cluster._start(self.cluster._places[at])


def _shower(progress):
    if not progress:
        return None
    if callable(progress):
        return progress
    return lambda report: print(report, file=sys.stderr, flush=True)


class Here:
    """The threads of this process, where a Cluster could be: what works on one works on the other."""

    _WORLDS = 256  # at once: outputs of a chunk are in memory together

    def __init__(self):
        self.threads = 0

    def share_model(self, model):
        return model

    def share(self, content):
        return content

    def get(self, shared):
        return shared

    def do(self, what, total, function, arguments_of, take, progress=False):
        """As Cluster.do; there is nothing to report."""
        show, start = _shower(progress), time.perf_counter()
        for first in range(0, total, self._WORLDS):
            end = min(total, first + self._WORLDS)
            take(first, end, function(self, **arguments_of(first, end)))
            if show:
                spent = time.perf_counter() - start
                show(Progress(what, end, total, spent, spent / end * (total - end), 1, 0))


_default = None


def release_default():
    """Ends the workers of ray=True, which have all places of the cluster, so that others can start."""
    global _default
    if _default is not None and _default.is_open:
        _default.close()
    _default = None


def cluster_of(ray):
    """The Cluster that ray=… means: itself, for True one of this process, made when first asked for; without, the
    threads of this process."""
    global _default
    if ray is None or ray is False:
        return Here()
    if isinstance(ray, Cluster):
        return ray
    if ray is not True:
        raise TypeError(f"ray should be True or a pliant.scale.Cluster, not {ray!r}")
    if _default is None or not _default.is_open:
        _default = Cluster()
    return _default
