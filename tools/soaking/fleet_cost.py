"""Estimates the cost of a very large number of files: a simulation based on measured figures.

Batches of files go from a queue to workers, which fetch them from a store and read them. Workers die and
are replaced, some are slow, some files are huge, and all workers share the bytes and requests per second
of the store. It is a discrete-event simulation with seeded random numbers, and measures nothing: the
figures for one file come from tools/bench --only fleet and tools/soak fleet.
"""

import heapq
import random
from dataclasses import dataclass, replace

ABOUT = "a simulation of 10^8 files on 1,000 workers, with deaths, stragglers and a throttled store"
COUNT = 100_000_000


@dataclass(frozen=True)
class Fleet:
    """Times are in seconds, sizes in bytes."""
    files: int = COUNT
    workers: int = 1000
    batch: int = 64
    # Per file: CPU time, bytes fetched, requests, and the relative standard deviation of sizes.
    cpu: float = 0.0009
    fetched: float = 850e3
    requests: float = 5
    spread: float = 1.5
    # One file in `huge_every` costs `huge` times as much.
    huge_every: int = 100_000
    huge: float = 1000
    # Bandwidth and request rate of the store, for all workers; bandwidth of one worker; duration of a
    # request, and parallel requests of a worker.
    bandwidth: float = 12.5e9
    rate: float = 55_000
    line: float = 125e6
    latency: float = 0.03
    in_flight: int = 4
    # Mean life of a worker, and time until it is replaced; share of slow workers, and their slowdown.
    life: float = 6 * 3600
    rebirth: float = 90
    slow_share: float = 0.01
    slow: float = 5
    # `divided`: work is split in advance, as by --shard, not taken from a queue. `speculates`: at the
    # end, idle workers start copies of late batches.
    divided: bool = False
    speculates: bool = False


@dataclass
class Outcome:
    seconds: float
    files: int
    redone: int
    busy: float
    deaths: int
    tail: float
    """From 99 % of the batches to the last one."""

    @property
    def hours(self):
        return self.seconds / 3600


class Simulation:
    def __init__(self, fleet, seed):
        self.fleet, self.chance = fleet, random.Random(f"{seed}:{fleet}")
        self.batches = -(-fleet.files // fleet.batch)
        self.done = bytearray(self.batches)
        self.finished = self.redone = self.deaths = 0
        self.busy = self.store_free = self.late = self.end = 0.0
        self.pace = [fleet.slow if self.chance.random() < fleet.slow_share else 1.0
                     for _ in range(fleet.workers)]
        self.dies = [self.death(0) for _ in range(fleet.workers)]
        self.next = 0
        self.again = [[] for _ in range(fleet.workers if fleet.divided else 1)]
        self.at = [worker * self.batches // fleet.workers for worker in range(fleet.workers + 1)]
        self.limit = list(self.at[1:])
        self.running, self.copied = {}, set()

    def death(self, now):
        return now + self.chance.expovariate(1 / self.fleet.life)

    def take(self, worker):
        """Returns the next batch of a worker, or `None`."""
        if self.fleet.divided:
            if self.again[worker]:
                return self.again[worker].pop()
            if self.at[worker] == self.limit[worker]:
                return None
            self.at[worker] += 1
            return self.at[worker] - 1
        if self.again[0]:
            return self.again[0].pop()
        if self.next < self.batches:
            self.next += 1
            return self.next - 1
        late = sorted(set(self.running) - self.copied, key=self.running.get)[:self.fleet.speculates]
        self.copied |= set(late)
        self.redone += len(late)
        return late[0] if late else None

    def draw(self, worker, now):
        """Returns when a batch that starts now will be done, and its CPU time."""
        fleet = self.fleet
        size = max(0.2, self.chance.gauss(1, fleet.spread / fleet.batch ** 0.5))
        if self.chance.random() < fleet.batch / fleet.huge_every:
            size += fleet.huge / fleet.batch
        cpu = size * fleet.batch * fleet.cpu * self.pace[worker]
        data, asked = size * fleet.batch * fleet.fetched, fleet.batch * fleet.requests
        # The store serves requests in order.
        share = max(data / fleet.bandwidth, asked / fleet.rate)
        self.store_free = max(self.store_free, now) + share
        alone = max(data / fleet.line, asked * fleet.latency / fleet.in_flight)
        # Fetching and computing overlap.
        return max(now + max(cpu, alone), self.store_free), cpu

    def run(self):
        events = [(0.0, worker, None, 0.0) for worker in range(self.fleet.workers)]
        idle = set()
        mark = self.batches - self.batches // 100
        while self.finished < self.batches:
            now, worker, batch, cpu = heapq.heappop(events)
            if batch is not None and now >= self.dies[worker]:
                self.die(worker, batch, events, idle)
                continue
            if batch is not None:
                self.running.pop(batch, None)
                self.busy += cpu
                if not self.done[batch]:
                    self.done[batch] = 1
                    self.finished += 1
                    self.end = now
                    if self.finished == mark:
                        self.late = now
            batch = self.take(worker)
            if batch is None:
                idle.add(worker)
                continue
            end, cpu = self.draw(worker, now)
            self.running[batch] = now
            heapq.heappush(events, (end, worker, batch, cpu))
        return Outcome(
            self.end, sum(self.done) * self.fleet.batch, self.redone * self.fleet.batch,
            self.busy / self.fleet.workers / self.end, self.deaths, self.end - self.late)

    def die(self, worker, batch, events, idle):
        """Hands the worker's batch back to the queue, or to its replacement if work is divided."""
        self.deaths += 1
        self.redone += 1
        back = self.dies[worker] + self.fleet.rebirth
        self.dies[worker] = self.death(back)
        self.running.pop(batch, None)
        if not self.done[batch]:
            self.again[worker if self.fleet.divided else 0].append(batch)
        heapq.heappush(events, (back, worker, None, 0.0))
        if not self.fleet.divided and idle:
            heapq.heappush(events, (back - self.fleet.rebirth, idle.pop(), None, 0.0))


def simulate(fleet, seed):
    return Simulation(fleet, seed).run()


# Every packet of files of 20 MB on average.
PACKETS = {"cpu": 0.088, "fetched": 20e6, "requests": 3}
SCENARIOS = [
    ("headers, from a queue", {}),
    ("headers, no deaths, no slow workers", {"life": 1e12, "slow_share": 0}),
    ("headers, one prefix of a bucket (5,500 requests/s)", {"rate": 5500}),
    ("headers, batches of 4,096", {"batch": 4096}),
    ("headers, split in advance (`--shard`)", {"divided": True}),
    ("headers, workers live 20 minutes", {"life": 1200}),
    ("every packet", PACKETS),
    ("every packet, split in advance", PACKETS | {"divided": True}),
    ("every packet, batches of 4,096", PACKETS | {"batch": 4096}),
    ("every packet, batches of 4,096, late ones started twice",
     PACKETS | {"batch": 4096, "speculates": True}),
    ("every packet, a store without limits", PACKETS | {"bandwidth": 1e15, "rate": 1e12}),
]


def run(bench):
    lines = ["| | hours | CPU busy | deaths | files redone | last 1 %, minutes |",
             "|---|---|---|---|---|---|"]
    broken = 0
    for name, changes in SCENARIOS:
        fleet = replace(Fleet(), files=bench.count, **changes)
        found = simulate(fleet, bench.seed)
        broken += found.files < fleet.files
        lines.append(f"| {name} | {found.hours:.2f} | {found.busy:.0%} | {found.deaths} | "
                     f"{found.redone:,} | {found.tail / 60:.1f} |")
        print(lines[-1], flush=True)
    bench.write("fleet-cost", [
        f"# Fleet cost: {ABOUT}", "",
        f"{bench.count:,} files, {Fleet().workers:,} workers, seed {bench.seed}.", "", *lines])
    return 1 if broken else 0
