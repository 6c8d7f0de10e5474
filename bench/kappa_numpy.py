"""numpy's side of bench/statistics.ts: reads arrays of levels, then names of runs; answers each with its milliseconds of processor."""
import json
import sys
import time
from statistics import NormalDist

import numpy as np

LEVELS = 5
NORMAL = NormalDist()


def kappa(tables):
    n = tables.sum((1, 2))
    po = np.trace(tables, axis1=1, axis2=2) / n
    pe = (tables.sum(1) * tables.sum(2)).sum(1) / n**2
    return (po - pe) / (1 - pe)


def table(human, judge):
    return np.bincount(human * LEVELS + judge, minlength=LEVELS**2).reshape(LEVELS, LEVELS)


def interval(human, judge):
    """Kappa and its Wilson interval of agreement, labels checked to be levels."""
    if human.min() < 0 or judge.min() < 0 or human.max() >= LEVELS or judge.max() >= LEVELS:
        raise ValueError("unknown label")
    counts = table(human, judge)
    n = counts.sum()
    po, pe = np.trace(counts) / n, (counts.sum(0) * counts.sum(1)).sum() / n**2
    z = NORMAL.inv_cdf(0.975)
    d = 1 + z * z / n
    centre, half = (po + z * z / (2 * n)) / d, z * np.sqrt(po * (1 - po) / n + z * z / (4 * n * n)) / d
    return (po - pe) / (1 - pe), (centre - half - pe) / (1 - pe), (centre + half - pe) / (1 - pe)


def bca(counts, replicates, rng):
    """BCa of kappa from a table; all replicates drawn at once as cell counts, numpy's fastest way."""
    n = counts.sum()
    theta = kappa(counts[None])[0]
    drawn = rng.multinomial(n, counts.ravel() / n, size=replicates).reshape(-1, LEVELS, LEVELS)
    values = kappa(drawn)
    z0 = NORMAL.inv_cdf(((values < theta).sum() + (values <= theta).sum()) / (2 * replicates))
    cells = np.flatnonzero(counts)
    without = np.repeat(counts.reshape(1, -1), len(cells), 0)
    without[np.arange(len(cells)), cells] -= 1
    left, weight = kappa(without.reshape(-1, LEVELS, LEVELS)), counts.ravel()[cells]
    u = (left * weight).sum() / n - left
    a = (weight * u**3).sum() / (6 * (weight * u**2).sum() ** 1.5)
    ends = [z0 + NORMAL.inv_cdf(tail) for tail in (0.025, 0.975)]
    return np.quantile(values, [NORMAL.cdf(z0 + end / (1 - a * end)) for end in ends])


def main():
    human, judge = (np.array(labels) for labels in json.loads(sys.stdin.readline()))
    rng = np.random.default_rng(1)
    tables = {n: table(human[:n], judge[:n]) for n in (500, 10_000)}
    runs = {"kappa": lambda: interval(human, judge)}
    for n, counts in tables.items():
        runs[f"bca {n}"] = lambda counts=counts: bca(counts, 10_000, rng)
    try:
        from sklearn.metrics import cohen_kappa_score

        runs["sklearn kappa"] = lambda: cohen_kappa_score(human, judge)
    except ImportError:
        pass
    for name in sys.stdin:
        run = runs.get(name.strip())
        started = time.process_time()
        if run is not None:
            run()
        print(json.dumps(None if run is None else (time.process_time() - started) * 1000), flush=True)


main()
