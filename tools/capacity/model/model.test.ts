import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Crowd } from '../arguments';
import { KINDS, type Measurements, STEPS, type StepCost } from '../measurements';
import { planFor } from './plan';
import { predictRate } from './predict';
import { waits } from './queue';

const cost = (web: number, rest: Partial<StepCost['cpuUs']> = {}): StepCost => ({
  cpuUs: { web, redis: 0, postgres: 0, worker: 0, executor: 0, ...rest },
  bytes: 1_000,
});
const measured: Measurements = {
  version: 1,
  machine: { date: '', cpu: '', cores: 2, node: '', redis: '', postgres: '', loadBefore: 0 },
  steps: {
    ...(Object.fromEntries(STEPS.map((step) => [step, cost(10)])) as Measurements['steps']),
    purchase: cost(40, { redis: 10 }),
    'sold-out': cost(20),
    written: cost(30, { postgres: 100, worker: 20, executor: 10, redis: 5 }),
  },
  redisBusyUs: 20,
  generatorUs: 10,
  memory: {
    webMiB: 200,
    nextMiB: 400,
    workerMiB: 200,
    executorMiB: 150,
    streamKiB: 1,
    redisBytesPerBuyer: 128,
  },
  disk: {
    postgresBytesPerPerson: 500,
    postgresBytesPerOrder: 3_000,
    walBytesPerOrder: 9_000,
    redisFileBytesPerPurchase: 500,
  },
  limits: { streamsPerProcess: 20_000, filesPerProcess: 65_536 },
};
const crowd: Crowd = {
  users: 100_000,
  units: 10_000,
  windowMs: 1_000,
  arriveMs: 600_000,
  writtenMs: 10_000,
  payMs: 600_000,
  paid: 0.7,
  signIn: 0,
  streams: 0,
  cdn: 0,
  challenge: false,
  target: 0.5,
};

describe('waits', () => {
  it('[K5] M/M/1: at a service of 1 ms, half busy, one waits 1 ms on average; nine tenths busy, 9 ms', () => {
    expect(waits(0.5, 1).meanMs).toBeCloseTo(1);
    expect(waits(0.9, 1).meanMs).toBeCloseTo(9);
    // Exact for M/M/1: P(wait > t) = busy · e^(−t(1 − busy)/service).
    expect(waits(0.9, 1).p99Ms).toBeCloseTo(10 * Math.log(90));
    expect(waits(0.005, 1).p99Ms).toBe(0);
  });

  it('[K5] M/D/1 waits half as long; many servers hardly at all; a full one for ever', () => {
    expect(waits(0.5, 1, { variability: 0.5 }).meanMs).toBeCloseTo(0.5);
    // M/M/2 at 0.5: exactly 1/3 ms.
    expect(waits(0.5, 1, { servers: 2 }).meanMs).toBeCloseTo(0.36, 1);
    expect(waits(0.5, 1, { servers: 64 }).meanMs).toBeLessThan(0.001);
    expect(waits(1, 1).meanMs).toBe(Number.POSITIVE_INFINITY);
    expect(waits(Number.NaN, 1).p99Ms).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('a plan', () => {
  it('[K5] has as many processes as keep each at its target', () => {
    const { needs, soldOutAfterMs, memory, disk, network, answer } = planFor(crowd, measured);
    // 10,000 × 40 µs, 90,000 × 20 µs, and 3 states of each at 10 µs, within a second.
    expect(needs.web).toEqual({ count: 11, busy: (0.4 + 1.8 + 3) / 11, phase: 'press' });
    expect(needs.postgres).toMatchObject({ count: 1, phase: 'write' });
    expect(needs.postgres.busy).toBeCloseTo(0.1);
    expect(soldOutAfterMs).toBeCloseTo(200);
    expect(memory.redisMiB).toBeCloseTo(1.22, 2);
    expect(disk.postgresGiB * 1_024 ** 3).toBeCloseTo(100_000 * 500 + 10_000 * 3_000);
    expect(network.find(({ phase }) => phase === 'press')?.mbitPerSecond).toBeCloseTo(
      (400_000 * 8_000) / 1e6,
    );
    expect(answer.p99Ms).toBeGreaterThan(answer.meanMs);
  });

  it('[K5] streams ask for processes of their own', () => {
    const { needs, websForStreams, connections } = planFor(
      { ...crowd, users: 1_000_000, streams: 1 },
      measured,
    );
    expect(websForStreams).toBe(50);
    expect(needs.web.count).toBeGreaterThanOrEqual(50);
    expect(connections.filesOfWeb).toBeGreaterThan(2_000_000 / needs.web.count);
  });

  it('[K5] says what more machines do not help, the worst first', () => {
    const { limits } = planFor({ ...crowd, units: 100_000 }, measured);
    expect(limits[0]).toMatchObject({
      what: expect.stringContaining('one sale on one Redis'),
      need: 2,
      share: 4,
    });
    expect(limits.map(({ share }) => share)).toEqual(
      limits.map(({ share }) => share).toSorted((a, b) => b - a),
    );
  });

  it('[K5] drivers are all the work there is, the largest first', () => {
    const { drivers } = planFor(crowd, measured);
    expect(drivers.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    expect(drivers[0]?.seconds).toBeGreaterThanOrEqual(drivers[1]?.seconds ?? 0);
  });

  it('[K5] more people, more units, or less time never need less', () => {
    const some = fc.record({
      users: fc.integer({ min: 1, max: 1e9 }),
      units: fc.integer({ min: 1, max: 1e9 }),
      windowMs: fc.integer({ min: 100, max: 1e6 }),
      streams: fc.constantFrom(0, 0.3, 1),
      target: fc.constantFrom(0.05, 0.5, 0.95),
    });
    fc.assert(
      fc.property(
        some,
        fc.integer({ min: 1, max: 1e6 }),
        fc.constantFrom('users', 'units', 'both', 'time'),
        (base, more, what) => {
          const [less, greater] = [
            { ...crowd, ...base },
            { ...crowd, ...base },
          ];
          if (what === 'users' || what === 'both') greater.users += more;
          if (what === 'units' || what === 'both') greater.units += more;
          if (what === 'time') greater.windowMs = Math.max(50, greater.windowMs / 2);
          const [a, b] = [planFor(less, measured), planFor(greater, measured)];
          for (const kind of KINDS) expect(b.needs[kind].count).toBeGreaterThanOrEqual(a.needs[kind].count);
          expect(b.disk.postgresGiB).toBeGreaterThanOrEqual(a.disk.postgresGiB);
          expect(b.memory.webGiB).toBeGreaterThanOrEqual(a.memory.webGiB);
          for (const kind of KINDS) expect(b.needs[kind].busy).toBeLessThanOrEqual(greater.target + 1e-9);
        },
      ),
    );
  });
});

it('[K5] the ceiling is whatever is full first', () => {
  const at = (webs: number, cores: number) => predictRate('purchase', { webs, cores }, measured);
  expect(at(1, 2)).toEqual({ perSecond: 25_000, by: 'a web process' });
  expect(at(2, 2)).toEqual({ perSecond: 2e6 / 60, by: 'the processors' });
  expect(at(8, 64)).toEqual({ perSecond: 50_000, by: 'Redis' });
  expect(predictRate('sold-out', { webs: 8, cores: 64 }, measured)).toEqual({
    perSecond: 100_000,
    by: 'the load generator',
  });
});
