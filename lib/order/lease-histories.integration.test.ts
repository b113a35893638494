import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, expect, it, vi } from 'vitest';
import { createOrderNoSource, type OrderNoSource, OrderNoSpanEndedError } from '@/lib/ids/order-no';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { demandsCoverage } from '@/test/support/random';
import { leaseNumber } from './lease-number';
import { leaseWorker, NoWorkerFreeError } from './lease-worker';
import type { WorkerLease } from './worker-lease';

afterAll(closeRedis);

/** The only free number. This release leases it in parts, the previous release as a whole. */
const SPLIT = 20;
/** How far every process's clock has moved on in this history, ms. */
let passedMs = 0;

type Process = {
  source: OrderNoSource;
  lease: Pick<WorkerLease, 'renew' | 'release'>;
};

const who = fc.nat(3);
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constantFrom('start' as const, 'startOld' as const),
      ahead: fc.constantFrom<number[]>(-300, -100, 0, 100),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      verb: fc.constant('issue' as const),
      who,
      count: fc.integer({ min: 1, max: 300 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('renew' as const), who }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('release' as const), who }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant('kill' as const), who }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant('expire' as const), isLong: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      verb: fc.constant('pass' as const),
      ms: fc.constantFrom<number[]>(10_000, 31_000),
    }),
  },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const issues = (...whose: number[]) => whose.map((who) => ({ verb: 'issue' as const, who, count: 100 }));
const [started, startedOld] = [
  { verb: 'start' as const, ahead: 0 },
  { verb: 'startOld' as const, ahead: 0 },
];
const expired = { verb: 'expire' as const, isLong: true };
const passed = (ms: number) => ({ verb: 'pass' as const, ms });
const renewed = { verb: 'renew' as const, who: 0 };
/**
 * The rarest ways to go wrong: a lease renewed for longer than the number's mark says, and one renewed after the
 * whole number was taken.
 */
const RARE: Step[][] = [
  [started, passed(10_000), renewed, expired, passed(25_000), startedOld, ...issues(0, 1, 0)],
  [started, expired, startedOld, passed(31_000), renewed, ...issues(1, 0, 1, 0)],
];

it('[E8 K7] processes of this release and the one before, killed, stopped or with clocks apart, never make a number twice', async () => {
  // Every process looks at the same part first, so that they collide.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const seen = { start: 0, startOld: 0, numbers: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await leaveFree();
      const issued = new Set<bigint>();
      const running: Process[] = [];
      for (const one of steps) {
        const asked = 'who' in one ? running[one.who % Math.max(1, running.length)] : undefined;
        switch (one.verb) {
          case 'start':
          case 'startOld': {
            const started = await (one.verb === 'start' ? start : startOld)(one.ahead);
            if (!started) break;
            running.push(started);
            seen[one.verb] += 1;
            break;
          }
          case 'issue':
            for (const orderNo of asked ? issue(asked, one.count) : []) {
              expect(issued.has(orderNo)).toBe(false);
              issued.add(orderNo);
            }
            break;
          case 'renew':
            // If Redis considers a process dead and it goes on, it was stopped for long.
            await asked?.lease.renew(asked.source.lastMs());
            break;
          case 'release':
            await asked?.lease.release(asked.source.lastMs());
            if (asked) running.splice(running.indexOf(asked), 1);
            break;
          case 'kill':
            if (asked) running.splice(running.indexOf(asked), 1);
            break;
          case 'pass':
            passedMs += one.ms;
            break;
          case 'expire':
            await expireAll(one.isLong);
        }
      }
      seen.numbers += issued.size;
    }),
    { numRuns: 150, examples: RARE.map((steps): [Step[]] => [steps]) },
  );
  expect(seen.start).toBeGreaterThan(demandsCoverage ? 20 : 0);
  expect(seen.startOld).toBeGreaterThan(demandsCoverage ? 20 : 0);
  expect(seen.numbers).toBeGreaterThan(demandsCoverage ? 10_000 : 0);
});

async function leaveFree(): Promise<void> {
  passedMs = 0;
  await stockRedis().flushdb();
  const taken = Array.from({ length: 31 }, (_, i) => i).filter((i) => i !== SPLIT);
  await Promise.all(taken.map((i) => stockRedis().set(keys.worker(i), 'taken')));
}

/** Lets every lease run out, as if all processes had stopped for long. Only the marks are left. */
async function expireAll(isLong: boolean): Promise<void> {
  const parts = Object.keys(await stockRedis().hgetall(keys.workerParts(SPLIT)));
  for (const part of parts) {
    const [owner, , mark] = ((await stockRedis().hget(keys.workerParts(SPLIT), part)) ?? '').split(' ');
    await stockRedis().hset(keys.workerParts(SPLIT), part, `${owner} 1 ${mark}`);
  }
  // The number's own key lives at least as long as its parts, often longer.
  if (isLong) await stockRedis().del(keys.worker(SPLIT));
}

async function start(ahead: number): Promise<Process | null> {
  const now = () => Date.now() + passedMs + ahead;
  const lease = await leaseWorker({ now }).catch((error) => {
    if (error instanceof NoWorkerFreeError) return null;
    throw error;
  });
  if (!lease) return null;
  return { lease, source: createOrderNoSource({ ...lease, now }) };
}

/** Starts a process of the previous release, which leases the whole number. */
async function startOld(ahead: number): Promise<Process | null> {
  const now = () => Date.now() + passedMs + ahead;
  const held = await leaseNumber(SPLIT, { owner: randomUUID(), ttlMs: 30_000 }, now());
  if (!held) return null;
  let end = held.endMs;
  const renew = async (lastMs: number) => {
    const renewed = await held.renew(Math.max(now(), lastMs));
    end = renewed ?? 0;
    return renewed !== null;
  };
  const source = createOrderNoSource({
    workerId: SPLIT,
    now,
    startAfterMs: held.startAfterMs,
    endMs: () => end,
  });
  return { source, lease: { renew, release: held.release } };
}

/** Issues as many numbers as the span allows, for one shard, where numbers of two processes could meet. */
function issue({ source }: Process, count: number): bigint[] {
  const numbers: bigint[] = [];
  try {
    while (numbers.length < count) numbers.push(source.next(7));
  } catch (error) {
    if (!(error instanceof OrderNoSpanEndedError)) throw error;
  }
  return numbers;
}
